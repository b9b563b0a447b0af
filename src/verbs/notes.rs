//! What a user should know before trusting a result.

use std::collections::HashSet;

use super::chance_splits::{chance_splits, feature_name, is_told_of};
use super::sign_notes::{LEFT_OVER, ROWS_A_LEVEL, sign_notes};
use crate::data::column::Column;
use crate::data::number_text::digits;
use crate::data::target::{Target, TargetValues};
use crate::encode::table::Table;
use crate::fitted::{Forest, Tree};
use crate::prune::CvStep;
use crate::rank::suspects::suspects;
use crate::rank::{FeatureGain, LEAST_BITS, LEAST_ROWS};
use crate::spec::{LogBase, PruneBy, Pruning, Task, TreeSpec};
use crate::tree::rule_text::SHOWN_LEVELS;
use crate::tree::{Feature, Schema, TreeData};

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
    let telling = telling_split(tree).filter(|(feature, _)| !is_told_of(feature, before));
    let telling = telling.map(|(_, note)| note);
    telling.into_iter().chain(chance_splits(tree, before)).chain(one_leaf).collect()
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
/// ids or find a rare class without errors.
pub(crate) fn fit_notes(table: &Table, spec: &TreeSpec) -> Vec<String> {
    let classes = table.target.class_texts();
    let of_column = |(column, gain): (&Column, Option<FeatureGain>)| {
        let note = sign_notes(&gain?, column.kind(), &classes, LogBase::Two).into_iter().next()?;
        let verb = if note.starts_with("gives") { "" } else { "is " };
        Some(format!("feature `{}` ({}) {verb}{note}", column.name(), column.dtype()))
    };
    let target = table.target.note(spec.task).into_iter().chain(light_rows(table, spec));
    target.chain(table.columns().iter().zip(suspects(table)).filter_map(of_column)).collect()
}

/// Notes on a grown forest: features whose split of a root tells the target alone, unless a note
/// `before` is about them.
pub(crate) fn forest_notes(forest: &Forest, before: &[String]) -> Vec<String> {
    let mut seen = HashSet::new();
    let telling = forest.trees.iter().filter_map(telling_split);
    let new = telling
        .filter(|(feature, _)| !is_told_of(feature, before) && seen.insert(feature.name.clone()));
    new.map(|(_, note)| note).collect()
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

/// Says that the split of the root alone tells the target, if it does.
fn telling_split(tree: &TreeData) -> Option<(&Feature, String)> {
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
    let note = format!(
        "{} gives the target away: {split} tells it alone; is it known before the target is?",
        feature_name(feature)
    );
    Some((feature, note))
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

/// The entropy of classes, in bits.
fn bits(class_counts: &[f64]) -> f64 {
    let total: f64 = class_counts.iter().sum();
    let shares = class_counts.iter().map(|count| count / total).filter(|&share| share > 0.0);
    shares.map(|share| -share * share.log2()).sum()
}
