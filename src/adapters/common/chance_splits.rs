//! Features whose splits gain what chance gains by so many levels.

use std::f64::consts::{FRAC_2_PI, LN_2};

use crate::data::number_text::digits;
use crate::fitted::Tree;
use crate::spec::{Criterion, LogBase};
use crate::tree::Feature;
use crate::tree::rule::Test;

/// A feature with less of the importance is not told of.
const LEAST_IMPORTANCE: f64 = 0.05;
/// A feature that never has more levels at a node is not told of.
const LEAST_LEVELS: usize = 10;
/// The limit that is proposed.
const PROPOSED: usize = 32;

/// What the splits of a nominal feature gained, and what chance gains.
#[derive(Clone, Copy, Default)]
struct Gained {
    gain: f64,
    by_chance: f64,
    most_levels: usize,
    splits_each: bool,
}

/// A note on each nominal feature of 5 % of the importance or more of whose gain half or more is what
/// random levels would gain, but for features that a note `before` is about.
pub(super) fn chance_splits(tree: &Tree, before: &[String]) -> Vec<String> {
    let mut gained = vec![Gained::default(); tree.schema().features.len()];
    let whole = tree.weight(0);
    let mut sum = 0.0;
    for (id, node) in (0u32..).zip(tree.node_slice()) {
        let Some(split) = &node.split else { continue };
        let share = tree.weight(id) / whole;
        sum += share * split.gain;
        let of = &mut gained[split.rule.feature as usize];
        of.gain += share * split.gain;
        let (n_levels, kept) = match &split.rule.test {
            Test::Each(levels) => (levels.len(), 1.0),
            // A sum of squared normal deviations keeps that much of itself where they are divided
            // by their sign.
            Test::In { right, left } => (right.len() + left.len(), FRAC_2_PI),
            Test::AtLeast(_) | Test::Equals(_) | Test::IsMissing => continue,
        };
        of.most_levels = of.most_levels.max(n_levels);
        of.splits_each |= matches!(split.rule.test, Test::Each(_));
        of.by_chance += share * kept * by_chance(tree, id, n_levels);
    }
    let is_told = |of: &Gained| {
        of.most_levels > LEAST_LEVELS
            && 2.0 * of.by_chance >= of.gain
            && of.gain >= LEAST_IMPORTANCE * sum
    };
    let features = tree.schema().features.iter().zip(&gained).filter(|(_, of)| is_told(of));
    let notes = features.filter_map(|(feature, of)| {
        let name = feature_name(feature);
        let is_new = !before.iter().any(|note| note.starts_with(&name));
        is_new.then(|| format!("{name} {}", note(of, sum)))
    });
    notes.collect()
}

/// What a partition of a node's rows by so many random levels gains on average: of entropy `(L - 1) (k -
/// 1) / 2n` nats (Miller 1955), of Gini and variance the impurity times `(L - 1) / n`.
fn by_chance(tree: &Tree, node: u32, n_levels: usize) -> f64 {
    let spec = tree.spec();
    let of = &tree.node_slice()[node as usize];
    let (freedom, n) = (n_levels.saturating_sub(1) as f64, of.n as f64);
    match (spec.criterion, spec.log_base) {
        (Criterion::Gini | Criterion::Variance, _) => of.impurity * freedom / n,
        (Criterion::Entropy, base) => {
            let present = tree.class_counts(node).iter().filter(|&&count| count > 0.0).count();
            let nats = freedom * (present.saturating_sub(1)) as f64 / (2.0 * n);
            if base == LogBase::E { nats } else { nats / LN_2 }
        }
    }
}

/// How a note on a feature begins.
fn feature_name(feature: &Feature) -> String {
    format!("feature `{}` ({})", feature.name, feature.dtype)
}

fn note(of: &Gained, sum: f64) -> String {
    let remedy = match of.splits_each {
        true => "ask for more rows a leaf (min_samples_leaf), or leave it out".to_string(),
        false => format!(
            "split it one level against the rest (max_subset_levels = {PROPOSED}, \
             --max-subset-levels {PROPOSED}), or leave it out"
        ),
    };
    let parts = if of.splits_each { "parts" } else { "sets" };
    format!(
        "has {} % of the importance, by {parts} of up to {} levels, and as many random \
         levels would gain about {} of its {}: on other rows the tree will do worse; {remedy}",
        digits(100.0 * of.gain / sum, 2),
        of.most_levels,
        digits(of.by_chance.min(of.gain), 2),
        digits(of.gain, 2),
    )
}
