//! What a page says of the columns of a frame.

use std::collections::HashMap;

use crate::data::column::Column;
use crate::data::column_data::Source;
use crate::encode::table::{Kinds, Table};
use crate::error::Result;
use crate::plot::feature::summary::ColumnSummary;
use crate::plot::report::{ColumnFindings, ColumnNotes};
use crate::plot::selection::{self, Step};
use crate::plot::{Drawing, Palette, feature, heat_map};
use crate::rank::correlation::correlation;
use crate::rank::pairs::pair_gains;
use crate::rank::select::select_in_turn;
use crate::rank::{FeatureGain, rank};
use crate::spec::{Cuts, LogBase, MatrixSpec, Monitor, RankMissing, SelectSpec};
use crate::util::monitoring::{advance, begin_stage, check_interrupt};
use crate::util::parallel;
use crate::verbs::sign_notes::rank_notes;

/// The most features whose curves are drawn.
const CURVES: usize = 6;
/// How wide such a picture is: three of them stand side by side.
const CURVE: f64 = 460.0;
/// The most features whose pairs are drawn.
const PAIRED: usize = 12;
/// The most features that are selected.
const SELECTED: usize = 10;

/// What a page says of the columns of a table: nothing but a remark where its target is none to rank by.
/// Features that there are `reasons` to leave out are not selected.
/// `palette` has the colours of the table's classes.
pub(super) fn column_findings<'a, S: Source>(
    table: &'a Table,
    (features, reasons): (&[S], &[Option<String>]),
    (kinds, base): (Kinds, LogBase),
    palette: &Palette,
    remarks: &mut Vec<String>,
) -> Result<ColumnFindings<'a>> {
    if let Err(e) = table.target.check() {
        remarks.push(format!("Nothing can be ranked: {e}."));
        return Ok(ColumnFindings::default());
    }
    let gains = |cuts| -> Vec<FeatureGain> {
        rank(table, None, base, RankMissing::Known, cuts).into_iter().flatten().collect()
    };
    let monitor = table.context.monitor.as_ref();
    let best = gains(Cuts::Best);
    let mut ranking: Vec<(&Column, FeatureGain)> = table.columns.iter().zip(best.clone()).collect();
    ranking.sort_by(|a, b| b.1.gain().total_cmp(&a.1.gain()));
    let order: Vec<&Column> = ranking.iter().map(|(column, _)| *column).collect();
    let n_drawn = ranking.iter().take(CURVES).filter(|(_, gain)| gain.gain() > 0.0).count();
    begin_stage(monitor, "drawing curves", n_drawn);
    let alone = |column: &Column| table.with_columns(vec![column.clone()]);
    let curve = |column: &&Column| {
        check_interrupt(monitor)?;
        let drawing = feature::drawing_in(&alone(column), base, Some(palette), CURVE);
        advance(monitor, 1);
        drawing
    };
    let curves = parallel::try_map(&order[..n_drawn], curve)?;
    let pairs = pairs(&order[..order.len().min(PAIRED)], base, monitor);
    // All cuts that pay show what a column gives away; of numbers there is the best one.
    let all = if table.target.labels().is_empty() { best } else { gains(Cuts::Mdl) };
    begin_stage(monitor, "describing columns", all.len());
    let described = |(column, gain): (&'a Column, FeatureGain)| {
        check_interrupt(monitor)?;
        let summary = ColumnSummary::new(column, &table.target, palette);
        let notes = notes(&alone(column), column, &gain, base);
        advance(monitor, 1);
        Ok(ColumnNotes { column, gain, summary, notes })
    };
    let notes = parallel::try_map(table.columns.iter().zip(all), described)?;
    let selection = steps(table, (features, reasons), kinds, base)?;
    Ok(ColumnFindings { ranking, curves, pairs, selection, notes })
}

/// What some features tell about each other.
fn pairs(columns: &[&Column], base: LogBase, monitor: Option<&Monitor>) -> Option<Drawing> {
    let of_pairs: HashMap<[usize; 2], f64> =
        pair_gains(columns, MatrixSpec::default().bins, base, monitor)
            .into_iter()
            .map(|pair| (pair.columns, pair.symmetric_uncertainty))
            .collect();
    let value = |a: usize, b: usize| match a == b {
        true => Some(f64::from(u8::from(columns[a].n_levels() > 1))),
        false => of_pairs.get(&[a.min(b), a.max(b)]).copied(),
    };
    let names: Vec<String> = columns.iter().map(|column| column.name().to_string()).collect();
    (columns.len() > 1).then(|| heat_map::drawing(&names, value))
}

/// The features that tell most together, one after the other.
fn steps<S: Source>(
    table: &Table,
    (features, reasons): (&[S], &[Option<String>]),
    kinds: Kinds,
    base: LogBase,
) -> Result<Option<Drawing>> {
    let spec = SelectSpec::default().k(SELECTED).log_base(base);
    let is_passed_over = |at: usize| reasons[at].is_some();
    let steps = select_in_turn(table, features, kinds, is_passed_over, &spec)?;
    let steps: Vec<Step> = steps
        .iter()
        .map(|step| Step {
            feature: features[step.feature].name().to_string(),
            info_gain: step.info_gain,
            gain_given: step.gain_given,
            p_adjusted: step.p_adjusted,
        })
        .collect();
    Ok((!steps.is_empty()).then(|| selection::drawing(&steps)))
}

/// Remarks on a column: constant, like an id, and so on.
fn notes(table: &Table, column: &Column, gain: &FeatureGain, base: LogBase) -> Vec<String> {
    let mut notes = Vec::new();
    match gain.n_levels {
        0 => notes.push("nothing but missing values".to_string()),
        1 => notes.push("constant".to_string()),
        _ => {}
    }
    let straight = correlation(column, table).map_or(0.0, |r| r * r);
    let classes = table.target.class_texts();
    notes.extend(rank_notes(gain, column.kind(), &classes, base, straight));
    if gain.n_missing * 2 > gain.n {
        notes.push("mostly missing".to_string());
    }
    notes
}
