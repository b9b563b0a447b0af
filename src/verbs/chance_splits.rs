//! Features whose splits gain what chance gains with as many levels.

use std::f64::consts::FRAC_2_PI;

use crate::data::number_text::digits;
use crate::explain::Importance;
use crate::fitted::Tree;
use crate::rank::chance_of_node;
use crate::tree::Feature;
use crate::tree::rule::Test;

/// A feature with less of the importance is not told of.
const LEAST_IMPORTANCE: f64 = 0.05;
/// A feature that never has more levels at a node is not told of.
pub(super) const LEAST_LEVELS: u64 = 10;
/// The limit that is proposed.
const PROPOSED: u64 = 32;

/// What chance gains by the levels of a feature, over all its splits.
#[derive(Clone, Copy, Default)]
struct ByChance {
    gain: f64,
    most_levels: u64,
    splits_each: bool,
}

/// A note on each nominal feature of 5 % of the importance or more of whose gain half or more is what
/// random levels would gain, but for features that a note `before` is about.
pub(super) fn chance_splits(tree: &Tree, before: &[String]) -> Vec<String> {
    let features = &tree.schema().features;
    let mut by_chance = vec![ByChance::default(); features.len()];
    let whole = tree.weight(0);
    for (id, node) in (0u32..).zip(tree.node_slice()) {
        let Some(split) = &node.split else { continue };
        let (n_levels, kept) = match &split.rule.test {
            Test::Each(levels) => (levels.len(), 1.0),
            // A sum of squared normal deviations keeps that much of itself where they are divided
            // by their sign.
            Test::In { right, left } => (right.len() + left.len(), FRAC_2_PI),
            Test::AtLeast(_) | Test::Equals(_) | Test::IsMissing => continue,
        };
        let of = &mut by_chance[split.rule.feature as usize];
        of.most_levels = of.most_levels.max(n_levels as u64);
        of.splits_each |= matches!(split.rule.test, Test::Each(_));
        of.gain += tree.weight(id) / whole * kept * chance_of_node(tree, id, n_levels as u64);
    }
    let mut importance = tree.feature_importance();
    importance.sort_by_key(|of| of.feature);
    let notes =
        features.iter().zip(&importance).zip(&by_chance).filter_map(|((feature, of), by)| {
            let name = feature_name(feature);
            let is_told = by.most_levels > LEAST_LEVELS
                && 2.0 * by.gain >= of.total_gain
                && of.importance >= LEAST_IMPORTANCE
                && !is_told_of(feature, before);
            is_told.then(|| format!("{name} {}", note(of, by)))
        });
    notes.collect()
}

/// How a note on a feature begins.
pub(super) fn feature_name(feature: &Feature) -> String {
    format!("feature `{}` ({})", feature.name, feature.dtype)
}

/// Whether one of some notes is about a feature.
pub(super) fn is_told_of(feature: &Feature, notes: &[String]) -> bool {
    let name = feature_name(feature);
    notes.iter().any(|note| note.starts_with(&name))
}

fn note(of: &Importance, by: &ByChance) -> String {
    let remedy = match by.splits_each {
        true => "ask for more rows a leaf (min_samples_leaf), or leave it out".to_string(),
        false => {
            // Below what the feature has, else nothing would change.
            let most = PROPOSED.min(by.most_levels.saturating_sub(1));
            format!(
                "split it one level against the rest (max_subset_levels = {most}, \
                 --max-subset-levels {most}), or leave it out"
            )
        }
    };
    let parts = if by.splits_each { "parts" } else { "sets" };
    format!(
        "has {} % of the importance, by {parts} of up to {} levels, and as many random \
         levels would gain about {} of its {}: on other rows the tree will do worse; {remedy}",
        digits(100.0 * of.importance, 2),
        by.most_levels,
        digits(by.gain.min(of.total_gain), 2),
        digits(of.total_gain, 2),
    )
}
