//! How far the rows of a report are from a reference.

use polars::prelude::{Column, DataFrame};

use super::ReportSpec;
use crate::adapters::common::drift::column_drift;
use crate::adapters::frame::verbs::drift;
use crate::error::{Error, Result};
use crate::fitted::{Forest, Tree};
use crate::plot::bins::drift_drawing;
use crate::plot::report::{Moved, MovedColumn, MovedFigures};
use crate::spec::DriftSpec;
use crate::tree::Schema;

/// Columns whose bins are drawn, side by side, and the most bins of one.
const DRAWN: usize = 2;
const DRAWN_BINS: u32 = 24;

impl Tree {
    /// How far the features, the predictions and the leaves are from those of a reference.
    pub(super) fn moved(&self, df: &DataFrame, spec: &ReportSpec) -> Result<Option<Moved>> {
        let compare = |reference: &DataFrame, known: Vec<String>| {
            self.drift(reference, df, &DriftSpec::default().features(known))
        };
        moved(self.schema(), df, spec, compare)
    }
}

impl Forest {
    /// How far the features and the predictions are from those of a reference.
    pub(super) fn moved(&self, df: &DataFrame, spec: &ReportSpec) -> Result<Option<Moved>> {
        const PREDICTION: &str = "prediction";
        let features = &self.schema().features;
        let is_added = !features.iter().any(|feature| feature.name == PREDICTION);
        let compare = |reference: &DataFrame, mut known: Vec<String>| {
            if !is_added {
                return drift(reference, df, &DriftSpec::default().features(known));
            }
            known.push(PREDICTION.to_string());
            // An earlier scoring may have left it.
            let scored = |df: &DataFrame| self.score(&df.drop_many([PREDICTION]));
            drift(&scored(reference)?, &scored(df)?, &DriftSpec::default().features(known))
        };
        moved(self.schema(), df, spec, compare)
    }
}

fn moved(
    schema: &Schema,
    df: &DataFrame,
    spec: &ReportSpec,
    compare: impl FnOnce(&DataFrame, Vec<String>) -> Result<DataFrame>,
) -> Result<Option<Moved>> {
    let Some((reference, name)) = &spec.reference else { return Ok(None) };
    if reference.height() == 0 {
        return Err(Error::data("the reference has no rows: pass a frame with rows"));
    }
    let is_there = |name: &str| reference.column(name).is_ok() || df.column(name).is_ok();
    let known = schema.features.iter().map(|feature| &feature.name).filter(|name| is_there(name));
    let table = compare(reference, known.cloned().collect())?;
    let columns = moved_columns(&table)?;
    let drawn = columns.iter().filter(|line| {
        let has = |df: &DataFrame| df.column(&line.column).is_ok();
        let is_short = |f: &MovedFigures| f.psi > 0.0 && f.n_bins <= DRAWN_BINS;
        line.figures.as_ref().is_ok_and(is_short) && has(df) && has(reference)
    });
    let drawing = |line: &MovedColumn| {
        let drift = column_drift(reference, df, &line.column, &DriftSpec::default())?;
        Ok(drift_drawing(&line.column, &drift))
    };
    let drawings = drawn.take(DRAWN).map(drawing).collect::<Result<_>>()?;
    let these = spec.source.clone().unwrap_or_else(|| "these rows".to_string());
    let n_reference = reference.height() as u64;
    Ok(Some(Moved { names: [these, name.clone()], n_reference, columns, drawings }))
}

/// The lines of the table `drift`.
pub(super) fn moved_columns(table: &DataFrame) -> Result<Vec<MovedColumn>> {
    let text = |name| table.column(name).and_then(Column::str);
    let figure = |name| table.column(name).and_then(Column::f64);
    let count = |name| table.column(name).and_then(Column::u64);
    let (names, bins, reasons) = (text("feature")?, text("worst_bin")?, text("excluded_reason")?);
    let (psi, q_values) = (figure("psi")?, figure("q_value")?);
    let missing = [figure("missing_reference")?, figure("missing_current")?];
    let shares = [figure("share_reference")?, figure("share_current")?];
    let n_bins = table.column("n_bins").and_then(Column::u32)?;
    let levels = [count("new_levels")?, count("vanished_levels")?];
    let figures = |at: usize| {
        Some(MovedFigures {
            psi: psi.get(at)?,
            q_value: q_values.get(at),
            n_bins: n_bins.get(at)?,
            missing: [missing[0].get(at)?, missing[1].get(at)?],
            bin: bins.get(at)?.to_string(),
            shares: [shares[0].get(at)?, shares[1].get(at)?],
            levels: levels[0].get(at).zip(levels[1].get(at)).map(<[u64; 2]>::from),
        })
    };
    let line = |at: usize| MovedColumn {
        column: names.get(at).unwrap_or_default().to_string(),
        figures: figures(at).ok_or_else(|| reasons.get(at).unwrap_or_default().to_string()),
    };
    Ok((0..table.height()).map(line).collect())
}
