//! What a page says of the columns of a frame.

use std::collections::HashMap;

use crate::data::column::Column;
use crate::data::column_data::Source;
use crate::data::dtype::Kind;
use crate::encode::table::{Kinds, Table};
use crate::error::Result;
use crate::plot::feature::summary::ColumnSummary;
use crate::plot::report::{ColumnFindings, ColumnNotes, RankedFeature};
use crate::plot::selection::{self, Step};
use crate::plot::{Drawing, Palette, feature, heat_map};
use crate::rank::pairs::pair_gains;
use crate::rank::select::select_in_turn;
use crate::rank::{FeatureGain, Measures, rank};
use crate::spec::{Cuts, LogBase, MatrixSpec, RankMissing, SelectSpec};
use crate::util::monitoring::{advance, begin_stage, check_interrupt};
use crate::util::parallel;
use crate::verbs::notes::rank_notes;

/// The most features whose curves are drawn.
const CURVES: usize = 6;
/// How wide such a picture is: three of them stand side by side.
const CURVE: f64 = 460.0;
/// The most features whose pairs are drawn.
const PAIRED: usize = 12;
/// The most features that are selected, and how often chance may tell as much as one of them.
const SELECTED: usize = 10;
const ALPHA: f64 = 0.05;

/// What a page says of the columns of a table: nothing but a remark where its target is none to rank by.
/// `palette` has the colours of the table's classes.
pub(super) fn column_findings<S: Source>(
    table: &Table,
    features: &[S],
    (kinds, base): (Kinds, LogBase),
    palette: &Palette,
    remarks: &mut Vec<String>,
) -> Result<ColumnFindings> {
    if let Err(e) = table.target.check() {
        remarks.push(format!("Nothing can be ranked: {e}."));
        return Ok(ColumnFindings::default());
    }
    let gains = |cuts| -> Vec<FeatureGain> {
        rank(table, None, base, RankMissing::Known, cuts).into_iter().flatten().collect()
    };
    let monitor = table.context.monitor.as_ref();
    let best = gains(Cuts::Best);
    let mut order: Vec<usize> = (0..best.len()).collect();
    let figures = |at: usize| match &best[at].measures {
        Measures::Classes(m) => (m.info_gain, Some(m.gain_ratio)),
        Measures::Numbers(m) => (m.variance_reduction, None),
    };
    order.sort_by(|&a, &b| figures(b).0.total_cmp(&figures(a).0));
    let line = |&at: &usize| {
        let (gain, ratio) = figures(at);
        let column = &table.columns[at];
        RankedFeature {
            feature: column.name().to_string(),
            is_float: column.dtype().is_float(),
            gain,
            ratio,
            split: match column.kind() {
                Kind::Ordered => "best cut".to_string(),
                Kind::Nominal => format!("{} levels", best[at].n_levels),
            },
            rule: best[at].rule.clone(),
            rule_gain: best[at].rule_gain.unwrap_or(0.0),
        }
    };
    let ranking = order.iter().map(line).collect();
    let drawn: Vec<usize> =
        order.iter().copied().filter(|&at| figures(at).0 > 0.0).take(CURVES).collect();
    begin_stage(monitor, "drawing curves", drawn.len());
    let curve = |&at: &usize| {
        check_interrupt(monitor)?;
        let drawing = feature::drawing_in(&table.with_only(at), base, Some(palette), CURVE);
        advance(monitor, 1);
        drawing
    };
    let curves = parallel::try_map(&drawn, curve)?;
    let pairs = pairs(table, &order[..order.len().min(PAIRED)], base);
    // All cuts that pay show what a column gives away; of numbers there is the best one.
    let all = if table.target.labels().is_empty() { best } else { gains(Cuts::Mdl) };
    let described = |(at, gain): (usize, &FeatureGain)| {
        check_interrupt(monitor)?;
        let column = &table.columns[at];
        let notes = ColumnNotes {
            name: column.name().to_string(),
            dtype: column.dtype().to_string(),
            is_float: column.dtype().is_float(),
            kind: column.kind().to_string(),
            n_levels: gain.n_levels,
            n_known: gain.n - gain.n_missing,
            missing: gain.n_missing as f64 / (gain.n.max(1)) as f64,
            summary: ColumnSummary::new(column, &table.target, palette),
            notes: notes(&table.with_only(at), column, gain, base),
        };
        advance(monitor, 1);
        Ok(notes)
    };
    begin_stage(monitor, "describing columns", all.len());
    let notes = parallel::try_map(all.iter().enumerate(), described)?;
    let selection = steps(table, features, kinds, base)?;
    Ok(ColumnFindings { ranking, curves, pairs, selection, notes })
}

/// What some features tell about each other.
fn pairs(table: &Table, features: &[usize], base: LogBase) -> Option<Drawing> {
    let columns: Vec<&Column> = features.iter().map(|&at| &table.columns[at]).collect();
    let of_pairs: HashMap<[usize; 2], f64> =
        pair_gains(&columns, MatrixSpec::default().bins, base, table.context.monitor.as_ref())
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
    features: &[S],
    kinds: Kinds,
    base: LogBase,
) -> Result<Option<Drawing>> {
    let spec = SelectSpec::default().k(SELECTED).alpha(ALPHA).log_base(base);
    let steps = select_in_turn(table, features, kinds, &spec)?;
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
    let straight = feature::correlation(table).map_or(0.0, |r| r * r);
    let n_classes = table.target.labels().len();
    notes.extend(rank_notes(gain, column.kind(), column.dtype(), n_classes, base, straight));
    if gain.n_missing * 2 > gain.n {
        notes.push("mostly missing".to_string());
    }
    notes
}
