//! What a user should know before trusting a result.

use crate::data::column::Column;
use crate::data::dtype::{DType, Kind};
use crate::data::number_text::digits;
use crate::data::target::{Target, TargetValues};
use crate::encode::table::Table;
use crate::fitted::Tree;
use crate::grow::has_many_levels;
use crate::rank::FeatureGain;
use crate::spec::{LogBase, Pruning, Task, TreeSpec};
use crate::tree::Schema;

/// A column of which so large a share of the values is distinct is like an id.
const ID_SHARE: f64 = 0.95;
/// Fewer rows, or levels, tell nothing about that.
const LEAST_ROWS: u64 = 20;
const LEAST_LEVELS: u64 = 10;

/// How the target of a tree was taken, if it could be taken in another way. Whether all numbers of
/// a numeric target are whole is not known.
pub(crate) fn target_note_of_tree(tree: &Tree, task: Task) -> Option<String> {
    if tree.is_regression() {
        return None;
    }
    let Schema { target, target_dtype, classes, .. } = tree.schema();
    let values = TargetValues::Classes { labels: classes.clone(), codes: Vec::new() };
    Target { name: target.clone(), dtype: target_dtype.clone(), values }.note(task)
}

/// Notes on a fit: how the target was taken, what weights do to pruning, and features that are like
/// ids.
pub(crate) fn fit_notes(table: &Table, spec: &TreeSpec) -> Vec<String> {
    let feature = |column: &Column| {
        let known = table.n_rows() as u64 - column.n_missing();
        let note = like_id(column.kind(), column.dtype(), column.n_levels() as u64, known)?;
        Some(format!("feature `{}` ({}) is {note}", column.name(), column.dtype()))
    };
    let target = table.target.note(spec.task).into_iter().chain(light_rows(table, spec));
    target.chain(table.columns().iter().filter_map(feature)).collect()
}

/// Says that weights make pessimistic pruning see fewer rows than there are, if they do by half.
fn light_rows(table: &Table, spec: &TreeSpec) -> Option<String> {
    let is_pessimistic = matches!(spec.pruning, Pruning::Pessimistic { .. });
    let mean = table.weights.as_ref().map(|weights| weights.mean())?;
    (is_pessimistic && !table.target.labels().is_empty() && mean < 0.5).then(|| {
        format!(
            "pessimistic pruning takes weights for numbers of rows, and {} rows weigh {} in all, \
             so that little is left of the tree: divide the weights by their mean, {}",
            table.n_rows(),
            digits(mean * table.n_rows() as f64, 4),
            digits(mean, 4)
        )
    })
}

/// Says that a column names its rows, if it does.
fn like_id(kind: Kind, dtype: &DType, n_levels: u64, known: u64) -> Option<String> {
    let is_like_id = match kind {
        // A nominal column of many levels has hardly two rows of one level to compare.
        Kind::Nominal => has_many_levels(kind, n_levels, known),
        Kind::Ordered => dtype.is_integer() && n_levels as f64 >= ID_SHARE * known as f64,
    };
    (known >= LEAST_ROWS && is_like_id).then(|| {
        format!(
            "like an id: {n_levels} values in {known} rows, so that its gain says little about \
             other rows; exclude it, unless it means something"
        )
    })
}

/// A note on a ranked feature: that it is like an id, or that much of its gain is that of any
/// column with as many levels.
pub(crate) fn rank_note(
    gain: &FeatureGain,
    kind: Kind,
    dtype: &DType,
    n_classes: usize,
    base: LogBase,
) -> Option<String> {
    let known = gain.n - gain.n_missing;
    if gain.n_levels < 2 {
        return None;
    }
    if let Some(note) = like_id(kind, dtype, gain.n_levels, known) {
        return Some(note);
    }
    let (gained, chance) = (gain.gain(), gain.expected_by_chance(n_classes, base));
    let is_chance = kind == Kind::Nominal && gain.n_levels > LEAST_LEVELS && 2.0 * chance >= gained;
    is_chance.then(|| {
        format!(
            "{} levels in {known} rows: a column that says nothing would gain about {} of its {}",
            gain.n_levels,
            digits(chance.min(gained), 2),
            digits(gained, 4)
        )
    })
}
