//! What a user should know before trusting a result.

use std::f64::consts::LN_2;

use super::chance_splits::{LEAST_LEVELS, chance_splits};
use crate::data::column::Column;
use crate::data::dtype::{DType, Kind};
use crate::data::number_text::digits;
use crate::data::target::{Target, TargetValues};
use crate::encode::table::Table;
use crate::fitted::Tree;
use crate::grow::has_many_levels;
use crate::prune::CvStep;
use crate::rank::select::SelectStep;
use crate::rank::{FeatureGain, Measures};
use crate::spec::{LogBase, PruneBy, Pruning, Task, TreeSpec};
use crate::tree::rule_text::SHOWN_LEVELS;
use crate::tree::{Feature, Schema};

/// A column is like an id if at least this share of its values is distinct.
const ID_SHARE: f64 = 0.95;
/// Fewer rows tell nothing about that.
const LEAST_ROWS: u64 = 20;
/// A column gives the target away if it leaves at most this share of the impurity.
const LEFT_OVER: f64 = 0.01;
/// What all rows together tell may be chance if it is less than this, in bits: one column in a million
/// tells as much.
const LEAST_BITS: f64 = 20.0;
/// Levels of fewer rows tell any target.
const ROWS_A_LEVEL: u64 = 10;

const GIVES_AWAY: &str = "gives the target away: is it known before the target is?";

/// Notes on a tree whose rows are not in memory: how the target was taken, and [`grown_notes`].
pub(crate) fn tree_notes(tree: &Tree, task: Task) -> Vec<String> {
    let mut notes: Vec<String> = target_note_of_tree(tree, task).into_iter().collect();
    notes.extend(grown_notes(tree, &[]));
    notes
}

/// Notes on what became of a fit: that one split tells the target, features whose splits gain what chance
/// gains unless a note `before` is about them, and that pruning by predicted errors left one leaf.
pub(crate) fn grown_notes(tree: &Tree, before: &[String]) -> Vec<String> {
    let spec = tree.spec();
    let is_pruned = matches!(spec.pruning, Pruning::Pessimistic { .. });
    let one_leaf = (is_pruned && spec.max_depth != Some(0))
        .then(|| pruned_to_one_leaf(tree, PruneBy::ErrorRate))
        .flatten();
    telling_split(tree).into_iter().chain(chance_splits(tree, before)).chain(one_leaf).collect()
}

/// How the target of a tree was taken, if it could be taken in another way. Whether all numbers of
/// a numeric target are whole is not known.
fn target_note_of_tree(tree: &Tree, task: Task) -> Option<String> {
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

/// Says that the split of the root alone tells the target, if it does.
fn telling_split(tree: &Tree) -> Option<String> {
    let root = tree.node_slice().first()?;
    let split = root.split.as_ref()?;
    let tells_all = root.impurity - split.gain <= LEFT_OVER * root.impurity;
    let may_be_chance = match tree.is_regression() {
        true => root.n < LEAST_ROWS,
        false => bits(tree.class_counts(0)) * (root.n as f64) < LEAST_BITS,
    };
    let n_branches = split.branches.len() as u64;
    if root.impurity <= 0.0 || !tells_all || may_be_chance || n_branches > root.n / ROWS_A_LEVEL {
        return None;
    }
    let feature = &tree.schema().features[split.rule.feature as usize];
    let split = match n_branches {
        2 => format!("`{}`", split.rule.short_summary(feature, SHOWN_LEVELS)),
        _ => format!("a branch for each of its {n_branches} levels"),
    };
    let Feature { name, dtype, .. } = feature;
    Some(format!(
        "feature `{name}` ({dtype}) gives the target away: {split} tells it alone; is it known \
         before the target is?"
    ))
}

/// Says that cross-validation left one leaf of a larger tree, if it did.
pub(crate) fn cross_validated_note(tree: &Tree, steps: &[CvStep], by: PruneBy) -> Option<String> {
    if steps.len() > 1 { pruned_to_one_leaf(tree, by) } else { None }
}

/// Says that pruning left one leaf, if it did, and what could be done about it.
pub(crate) fn pruned_to_one_leaf(tree: &Tree, by: PruneBy) -> Option<String> {
    let root = tree.node_slice().first()?;
    if root.split.is_some() || root.impurity <= 0.0 {
        return None;
    }
    let what = match by {
        PruneBy::ErrorRate if tree.is_regression() => "squared error",
        PruneBy::ErrorRate => {
            return Some(format!(
                "pruning left one leaf, which answers {} for every row: no split saves errors, as is \
                 usual where a class is rare; prune by log loss (prune_by = log_loss, --prune-by \
                 log-loss) or weigh the classes (class_weights = balanced, --class-weights balanced)",
                tree.answer_text(0)
            ));
        }
        PruneBy::LogLoss => "log loss",
        PruneBy::Gini => "Gini loss",
    };
    Some(format!("pruning left one leaf: no split lowers the {what} of rows that were held out"))
}

/// Notes on a ranked feature: that it is like an id, that it gives the target away, that much of its
/// gain is that of any column with as many levels, and that missing values tell half as much as the
/// gain or more. `straight` is the share of a numeric target's variance that a straight line explains, or
/// 0.
pub(crate) fn rank_notes(
    gain: &FeatureGain,
    kind: Kind,
    dtype: &DType,
    n_classes: usize,
    base: LogBase,
    straight: f64,
) -> Vec<String> {
    let known = gain.n - gain.n_missing;
    let telling_missing = telling_missing(gain, base);
    if gain.n_levels > 1
        && let Some(note) = like_id(kind, dtype, gain.n_levels, known)
    {
        return [note].into_iter().chain(telling_missing).collect();
    }
    let mut notes = Vec::new();
    match telling_missing {
        Some(note) => notes.push(note),
        None if gives_away(gain, kind, base, straight) => notes.push(GIVES_AWAY.to_string()),
        None => {}
    }
    let chance = gain.expected_by_chance(n_classes, base);
    notes.extend(many_levels(kind, gain.n_levels, known, gain.gain(), chance));
    notes
}

/// A note on a selected feature, of `n` rows: that it is like an id, that it gives the target away, or
/// that much of its gain is that of any column with as many levels.
pub(crate) fn select_note(
    step: &SelectStep,
    kind: Kind,
    dtype: &DType,
    n: u64,
    base: LogBase,
) -> Option<String> {
    let SelectStep { n_bins, n_known, info_gain, expected_gain, entropy, .. } = *step;
    // An ordered feature is counted by few intervals, however many values it has.
    if kind == Kind::Nominal
        && let Some(note) = like_id(kind, dtype, n_bins, n_known)
    {
        return Some(note);
    }
    if n_bins <= n / ROWS_A_LEVEL && tells_all(entropy, entropy - info_gain, n, base) {
        return Some(GIVES_AWAY.to_string());
    }
    many_levels(kind, n_bins, n_known, info_gain, expected_gain)
}

/// Says that half or more of a nominal feature's gain is what chance gains with as many levels.
fn many_levels(kind: Kind, n_levels: u64, known: u64, gained: f64, chance: f64) -> Option<String> {
    (kind == Kind::Nominal && n_levels > LEAST_LEVELS && 2.0 * chance >= gained).then(|| {
        format!(
            "{n_levels} levels in {known} rows: as many random levels would gain about {} of its {}",
            digits(chance.min(gained), 2),
            digits(gained, 4)
        )
    })
}

/// Whether a gain is below the mean by more than its rounding.
pub(crate) fn is_below(gain: f64, mean: f64) -> bool {
    gain < mean * (1.0 - 1e-9)
}

/// Says that a feature's gain is too low for its ratio to count, if it is: a ratio is high too where a
/// split of little gain tells little about itself. C4.5 compares the ratios of gains of at least the
/// mean (Quinlan 1993).
pub(crate) fn below_mean(gain: &FeatureGain, mean: f64) -> Option<String> {
    is_below(gain.gain(), mean).then(|| {
        format!(
            "its gain, {}, is below the mean of all features, {}: C4.5 would not go by its ratio",
            digits(gain.gain(), 4),
            digits(mean, 4)
        )
    })
}

/// Whether the known values leave next to nothing of the target open, beyond what chance could do.
fn gives_away(gain: &FeatureGain, kind: Kind, base: LogBase, straight: f64) -> bool {
    let known = gain.n - gain.n_missing;
    // Of a level a row any target could be told.
    let may_tell = kind == Kind::Ordered || gain.n_levels <= known / ROWS_A_LEVEL;
    let tells_all = match &gain.measures {
        Measures::Classes(m) => tells_all(m.entropy, m.conditional_entropy, known, base),
        Measures::Numbers(m) => {
            let left_over = (m.variance_left_over / m.variance).min(1.0 - straight);
            left_over <= LEFT_OVER && known >= LEAST_ROWS
        }
    };
    gain.n_levels > 1 && may_tell && tells_all
}

/// Whether `n` rows leave next to nothing of the classes open, beyond what chance could do.
fn tells_all(entropy: f64, left_over: f64, n: u64, base: LogBase) -> bool {
    left_over <= LEFT_OVER * entropy && in_bits(entropy, base) * n as f64 >= LEAST_BITS
}

/// Says what missing values tell, if that is no chance and half of the gain or more.
fn telling_missing(gain: &FeatureGain, base: LogBase) -> Option<String> {
    let FeatureGain { n, n_missing, missing_gain, .. } = *gain;
    // As a share of what there is to tell, and in bits of a row.
    let (share, bits) = match &gain.measures {
        Measures::Classes(m) => (missing_gain / m.entropy, in_bits(missing_gain, base)),
        Measures::Numbers(m) => {
            // Of the missing rows' own variance nothing is known.
            let known_share = (n - n_missing) as f64 / n as f64;
            let share = missing_gain / (missing_gain + known_share * m.variance);
            (share, share / (2.0 * LN_2))
        }
    };
    let tells = 2.0 * missing_gain >= gain.gain()
        && share >= LEFT_OVER
        && bits * n as f64 >= LEAST_BITS
        && n_missing.min(n - n_missing) > 0;
    tells.then(|| {
        format!(
            "missing in {n_missing} of {n} rows, which tells {} alone, where the gain is {}: is that \
             known before the target is?",
            digits(missing_gain, 4),
            digits(gain.gain(), 4)
        )
    })
}

fn in_bits(entropy: f64, base: LogBase) -> f64 {
    match base {
        LogBase::Two => entropy,
        LogBase::E => entropy / LN_2,
    }
}

/// The entropy of classes, in bits.
fn bits(class_counts: &[f64]) -> f64 {
    let total: f64 = class_counts.iter().sum();
    let shares = class_counts.iter().map(|count| count / total).filter(|&share| share > 0.0);
    shares.map(|share| -share * share.log2()).sum()
}
