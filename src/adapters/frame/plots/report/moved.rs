//! How far the rows of a report are from a reference.

use polars::prelude::DataFrame;

use super::ReportSpec;
use crate::error::{Error, Result};
use crate::fitted::{Forest, Tree};
use crate::plot::bins::drift_drawing;
use crate::plot::report::{Moved, MovedColumn, MovedFigures};
use crate::rank::drift::FeatureDrift;
use crate::spec::DriftSpec;
use crate::tree::Schema;
use crate::verbs::ModelVerbs;
use crate::verbs::drift::{DriftLine, column_drift, drift_lines};

/// Columns whose bins are drawn, side by side, and the most bins of one.
const DRAWN: usize = 2;
const DRAWN_BINS: u32 = 24;

impl Tree {
    /// How far the features, the predictions and the leaves have moved from a reference.
    pub(super) fn moved(&self, df: &DataFrame, spec: &ReportSpec) -> Result<Option<Moved>> {
        let compare = |reference: &DataFrame, known: Vec<String>| {
            self.drift_lines(reference, df, &DriftSpec::default().features(known))
        };
        moved(self.schema(), df, spec, compare)
    }
}

impl Forest {
    /// How far the features and the predictions have moved from a reference.
    pub(super) fn moved(&self, df: &DataFrame, spec: &ReportSpec) -> Result<Option<Moved>> {
        const PREDICTION: &str = "prediction";
        let features = &self.schema().features;
        let is_added = !features.iter().any(|feature| feature.name == PREDICTION);
        let compare = |reference: &DataFrame, mut known: Vec<String>| {
            // An earlier scoring may have left a prediction.
            let scored = |df: &DataFrame| match is_added {
                true => self.score(&df.drop_many([PREDICTION])),
                false => Ok(df.clone()),
            };
            known.extend(is_added.then(|| PREDICTION.to_string()));
            let spec = DriftSpec::default().features(known);
            Ok(drift_lines((&scored(reference)?, None), &scored(df)?, &spec)?.sorted())
        };
        moved(self.schema(), df, spec, compare)
    }
}

fn moved(
    schema: &Schema,
    df: &DataFrame,
    spec: &ReportSpec,
    compare: impl FnOnce(&DataFrame, Vec<String>) -> Result<Vec<DriftLine>>,
) -> Result<Option<Moved>> {
    let Some((reference, name)) = &spec.reference else { return Ok(None) };
    if reference.height() == 0 {
        return Err(Error::data("the reference has no rows: pass a frame with rows"));
    }
    let is_there = |name: &str| reference.column(name).is_ok() || df.column(name).is_ok();
    let known = schema.features.iter().map(|feature| &feature.name).filter(|name| is_there(name));
    let columns = moved_columns(compare(reference, known.cloned().collect())?);
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

/// The columns of the lines of a drift.
pub(super) fn moved_columns(lines: Vec<DriftLine>) -> Vec<MovedColumn> {
    let figures = |drift: FeatureDrift| MovedFigures {
        psi: drift.psi,
        q_value: drift.q_value,
        n_bins: drift.n_bins,
        missing: drift.missing,
        bin: drift.worst.rule,
        shares: drift.worst.share,
        levels: drift.levels,
    };
    let column = |DriftLine { feature, compared, reason, .. }| MovedColumn {
        column: feature,
        figures: match compared {
            Some((_, _, drift)) => Ok(figures(drift)),
            None => Err(reason.unwrap_or_default()),
        },
    };
    lines.into_iter().map(column).collect()
}
