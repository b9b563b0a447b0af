//! What the rows of a node hold of its rule's feature: bars in the node's card, and where the rule
//! cuts them.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::visible::{VisibleNode, VisibleTree};
use crate::data::column::Column;
use crate::data::target::{Target, TargetValues};
use crate::tree::rule::Test;
use crate::tree::{Split, TreeData};

/// Bars of a card; of nominal features, the levels of most rows.
const BARS: usize = 24;

/// Rows and the nodes they ended in.
pub(crate) struct ShownRows<'a> {
    pub(crate) columns: &'a [Column],
    pub(crate) target: &'a Target,
    /// The tree's class of each label of the target; `None` is one never trained.
    pub(crate) classes: Vec<Option<usize>>,
    /// The node that each row ended in, or the largest part of it.
    pub(crate) leaves: Vec<u32>,
}

/// The bars of a card, from left to right.
pub(super) struct Distribution {
    /// Rows of each bar by class; one number if the target is numeric.
    pub(super) bars: Vec<Vec<f64>>,
    /// Where the rule cuts, as a share of the bars' width.
    pub(super) cut: f64,
}

/// The distributions of the visible nodes whose rule has two branches, by node. A row of several
/// leaves counts in the leaf of its largest part. Linear in the rows times the visible levels.
pub(super) fn distributions(
    tree: &TreeData,
    visible: &VisibleTree,
    rows: &ShownRows,
) -> HashMap<u32, Distribution> {
    let rows_of = rows_of(tree, visible, &rows.leaves);
    // One count a class, or one.
    let n_counts = tree.schema().classes.len().max(1);
    let names = |split: &Split, levels: &[u32]| -> HashSet<&str> {
        let text = |&level: &u32| tree.feature(split).levels[level as usize].as_str();
        levels.iter().map(text).collect()
    };
    let drawn = |(node, own): (&VisibleNode, &Vec<u32>)| {
        let split = tree.node_slice()[node.id as usize].split.as_ref()?;
        let name = &tree.feature(split).name;
        let column = rows.columns.iter().find(|column| column.name() == name)?;
        let distribution = match &split.rule.test {
            Test::AtLeast(cut) => {
                let cut = column.dtype.threshold(cut)?;
                by_value(column, own, cut, rows, n_counts)
            }
            Test::Equals(level) => by_level(column, own, rows, n_counts, &names(split, &[*level])),
            Test::In { right, .. } => by_level(column, own, rows, n_counts, &names(split, right)),
            Test::Each(_) | Test::IsMissing => None,
        };
        Some((node.id, distribution?))
    };
    visible.nodes.iter().zip(&rows_of).filter_map(drawn).collect()
}

impl ShownRows<'_> {
    /// A row's class in the tree; 0 for a numeric target.
    fn class(&self, row: u32) -> Option<usize> {
        match &self.target.values {
            TargetValues::Classes { codes, .. } => self.classes[usize::from(codes[row as usize])],
            TargetValues::Numbers { .. } => Some(0),
        }
    }
}

/// The rows of each visible node.
fn rows_of(tree: &TreeData, visible: &VisibleTree, leaves: &[u32]) -> Vec<Vec<u32>> {
    let nodes = tree.node_slice();
    let mut nearest = vec![None; nodes.len()];
    for (at, node) in visible.nodes.iter().enumerate() {
        nearest[node.id as usize] = Some(at);
    }
    // Children come after their parents.
    for id in 0..nodes.len() {
        if let (None, Some(above)) = (nearest[id], nodes[id].parent) {
            nearest[id] = nearest[above as usize];
        }
    }
    let mut rows_of = vec![Vec::new(); visible.nodes.len()];
    for (row, &leaf) in (0u32..).zip(leaves) {
        let mut at = nearest[leaf as usize];
        while let Some(node) = at {
            rows_of[node].push(row);
            at = visible.nodes[node].parent;
        }
    }
    rows_of
}

/// Bars of equal ranges from the least to the greatest value.
fn by_value(
    column: &Column,
    own: &[u32],
    cut: f64,
    rows: &ShownRows,
    n_counts: usize,
) -> Option<Distribution> {
    let value = |row: u32| {
        let code = column.codes.of(row);
        let known = code < column.missing_code();
        known.then(|| column.dtype.threshold(&column.value(code))).flatten()
    };
    let values = own.iter().filter_map(|&row| Some((row, value(row)?)));
    let values: Vec<(u32, f64)> = values.filter(|(_, x)| x.is_finite()).collect();
    let (lo, hi) =
        values.iter().fold((cut, cut), |(lo, hi), &(_, x)| (f64::min(lo, x), f64::max(hi, x)));
    let share = |x: f64| ((x - lo) / (hi - lo)).clamp(0.0, 1.0);
    if !(hi - lo).is_finite() || hi <= lo {
        return None;
    }
    let mut bars = vec![vec![0.0; n_counts]; BARS];
    for (row, x) in values {
        if let Some(class) = rows.class(row) {
            bars[((share(x) * BARS as f64) as usize).min(BARS - 1)][class] += 1.0;
        }
    }
    Some(Distribution { bars, cut: share(cut) })
}

/// A bar for each level: first the levels that the rule's test is false for, then the `right` ones.
fn by_level(
    column: &Column,
    own: &[u32],
    rows: &ShownRows,
    n_counts: usize,
    right: &HashSet<&str>,
) -> Option<Distribution> {
    let shown = own.iter().filter_map(|&row| {
        let code = column.codes.of(row);
        rows.class(row).filter(|_| code < column.missing_code()).map(|class| (code, class))
    });
    let mut rows_of: HashMap<u32, u64> = HashMap::new();
    shown.clone().for_each(|(code, _)| *rows_of.entry(code).or_default() += 1);
    let mut largest: Vec<u32> = rows_of.keys().copied().collect();
    largest.sort_by_key(|level| (Reverse(rows_of[level]), *level));
    largest.truncate(BARS);
    let mut bars: Vec<(u32, Vec<f64>)> =
        largest.into_iter().map(|level| (level, vec![0.0; n_counts])).collect();
    let places: HashMap<u32, usize> = bars.iter().map(|bar| bar.0).zip(0..).collect();
    for (code, class) in shown {
        if let Some(&place) = places.get(&code) {
            bars[place].1[class] += 1.0;
        }
    }
    // The sort is stable: on each side the levels of most rows come first.
    let is_right = |bar: &(u32, Vec<f64>)| right.contains(column.level_text(bar.0).as_str());
    bars.sort_by_key(is_right);
    let n_left = bars.partition_point(|bar| !is_right(bar));
    let cut = n_left as f64 / bars.len().max(1) as f64;
    let bars: Vec<Vec<f64>> = bars.into_iter().map(|(_, counts)| counts).collect();
    (!bars.is_empty()).then_some(Distribution { bars, cut })
}
