//! Why a tree answers what it answers for one row, and what would change that.

use std::cmp::Reverse;

use crate::data::column_data::{Source, only_text};
use crate::data::dtype::{DType, Value};
use crate::error::{Result, no_such_column};
use crate::explain::rules::{Condition, conjunction};
use crate::score::{Part, PreparedTree, RowWalk};
use crate::tree::missing::NextNode;
use crate::tree::rule::Test;
use crate::tree::rule_text::SHOWN_LEVELS;
use crate::tree::{Split, TreeData};

/// The most leaves of another answer that are listed.
const CHANGES: usize = 10;

/// A path that names more levels than this names only the first ones of each set.
const NAMED_LEVELS: usize = 1_000_000;

/// The answer of a tree for one row, how it came about, and what would change it.
#[derive(Clone, Debug, PartialEq)]
pub struct RowReasons {
    /// The predicted class, or the mean, as text.
    pub prediction: String,
    /// The probability of the predicted class; `None` where the target is a number.
    pub probability: Option<f64>,
    /// The mean; `None` where the target is classes.
    pub mean: Option<f64>,
    /// The node where the row ends, or where the largest share of it does.
    pub leaf: u32,
    /// Whether it ends in several nodes, in parts.
    pub in_parts: bool,
    /// The nodes from the root to `leaf`.
    pub path: Vec<PathStep>,
    /// What would give another answer, the fewest features first.
    pub changes: Vec<RowChange>,
    /// Where no leaf gives another answer, `changes` are of leaves on the other side of this share of the
    /// event, which is its share of all rows.
    pub(crate) event_base: Option<f64>,
    /// Whether `leaf` is an inner node, whose rule has no branch for the row's value.
    pub(super) stops: bool,
    /// How many digits of a mean tell the nodes apart.
    pub(super) mean_digits: usize,
}

/// A node on the path of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct PathStep {
    /// The node's id.
    pub node: u32,
    /// The index in the schema of the feature that its parent tests; `None` for the root.
    pub feature: Option<u32>,
    /// The row's value of that feature, as text; `None` where it is missing.
    pub value: Option<String>,
    /// What holds of the row, so that it is here: ` or missing` and ` or absent` are said where its
    /// value is missing, or in neither of two sets of levels; `None` for the root.
    pub condition: Option<String>,
    /// Training rows in the node.
    pub n: u64,
    /// What the node predicts.
    pub prediction: String,
    /// The probability in the node of the event, or without one of the class that the last node of the
    /// path predicts; or its mean.
    pub figure: f64,
    /// `figure` less the step before's; `None` for the root.
    pub change: Option<f64>,
}

/// What a row would have to change to end in another leaf.
#[derive(Clone, Debug, PartialEq)]
pub struct RowChange {
    /// Number of features that would have to change.
    pub features: u32,
    /// What would have to hold of them: the [conditions](crate::engine::LeafRule) of the leaf that
    /// the row fails.
    pub change: String,
    /// The leaf.
    pub leaf: u32,
    /// What it predicts.
    pub prediction: String,
    /// The probability of that class in it, or its mean.
    pub figure: f64,
    /// Training rows in it.
    pub n: u64,
}

/// Explains the answer for the only row of a table; arguments are the same as for
/// [`Tree::route`](crate::Tree::route). With an `event` the path has its probabilities. Where the
/// event is so rare that no leaf gives another answer, changes are of its share. `O(nodes + depth x
/// features)`, and the levels that rules name.
pub(crate) fn row_reasons<S: Source + Send>(
    tree: PreparedTree,
    event: Option<usize>,
    column: impl Fn(&str) -> Result<Option<S>>,
    known: &[&str],
) -> Result<RowReasons> {
    let data = tree.data;
    let routes = tree.routes(1, &column, known)?;
    let walk = tree.row_walk(&column, known)?;
    let leaf = routes.nodes.first().copied().unwrap_or(0);
    let mixture = routes.mixtures.iter().next().map(|(_, parts)| parts);
    let whole = [Part { node: leaf, share: 1.0 }];
    let parts = mixture.unwrap_or(&whole);
    let (class, mean) = match mixture {
        Some(parts) => (data.mixed_majority(parts), data.mixed_mean(parts)),
        None => (data.majority(leaf), data.mean(leaf)),
    };
    let prediction = match mean {
        Some(mean) => DType::F64.write(&Value::Float(mean)),
        None => data.schema.class_text(class),
    };
    // The row's value of a feature, as text of the column's own dtype.
    let value = |feature: u32| {
        let name = &data.schema.features[feature as usize].name;
        let source =
            column(name)?.ok_or_else(|| no_such_column("feature of the model", name, known));
        Ok(only_text(&source?))
    };
    let path = path(data, &walk, leaf, event.unwrap_or_else(|| data.majority(leaf)), value)?;
    let mut changes = changes(data, &walk, class, mean);
    let event = event.filter(|_| changes.is_empty() && mean.is_none());
    let event_base = event.map(|event| share(data, 0, event));
    if let (Some(event), Some(base)) = (event, event_base) {
        changes = changes_of_side(data, &walk, parts, event, base);
    }
    Ok(RowReasons {
        prediction,
        probability: mean.is_none().then(|| data.mixed_probability(parts, class)),
        mean,
        leaf,
        in_parts: mixture.is_some(),
        path,
        changes,
        event_base,
        stops: data.nodes[leaf as usize].split.is_some(),
        mean_digits: data.mean_digits(6),
    })
}

struct Step<'t> {
    from: u32,
    to: u32,
    split: &'t Split,
    branch: u32,
}

/// The steps from the root to a node.
fn steps_to(tree: &TreeData, node: u32) -> Vec<Step<'_>> {
    let (mut steps, mut to) = (Vec::new(), node);
    while let Some(from) = tree.nodes[to as usize].parent {
        if let Some(split) = &tree.nodes[from as usize].split {
            let branch = split.branches.iter().position(|&branch| branch == to).unwrap_or(0) as u32;
            steps.push(Step { from, to, split, branch });
        }
        to = from;
    }
    steps.reverse();
    steps
}

fn path(
    tree: &TreeData,
    walk: &RowWalk,
    leaf: u32,
    class: usize,
    value: impl Fn(u32) -> Result<Option<String>>,
) -> Result<Vec<PathStep>> {
    let steps = steps_to(tree, leaf);
    let named = |step: &Step| match &step.split.rule.test {
        Test::In { right, left } => if step.branch == 1 { right } else { left }.len(),
        Test::AtLeast(_) | Test::Equals(_) | Test::Each(_) | Test::IsMissing => 0,
    };
    let is_long = steps.iter().map(named).sum::<usize>() > NAMED_LEVELS;
    let shown = if is_long { SHOWN_LEVELS } else { usize::MAX };
    let mut values: Vec<Option<Option<String>>> = vec![None; tree.schema.features.len()];
    let at = |node: u32| PathStep {
        node,
        feature: None,
        value: None,
        condition: None,
        n: tree.nodes[node as usize].n,
        prediction: tree.answer_text(node),
        figure: figure(tree, node, class),
        change: None,
    };
    let mut path = vec![at(0)];
    for step in steps {
        let feature = step.split.rule.feature;
        let of_row = &mut values[feature as usize];
        let value = match of_row {
            Some(value) => value.clone(),
            None => of_row.insert(value(feature)?).clone(),
        };
        let condition = condition(tree, walk, &step, shown);
        let next = at(step.to);
        let change = next.figure - figure(tree, step.from, class);
        path.push(PathStep {
            feature: Some(feature),
            value,
            condition: Some(condition),
            change: Some(change),
            ..next
        });
    }
    Ok(path)
}

/// What holds of a row that took a step.
fn condition(tree: &TreeData, walk: &RowWalk, step: &Step, shown: usize) -> String {
    let (rule, feature) = (&step.split.rule, tree.feature(step.split));
    let or = match walk.step(step.from) {
        Some(row) if row.is_missing && !rule.says_missing(step.branch) => " or missing",
        Some(row) if row.is_absent => " or absent",
        _ => "",
    };
    format!("{} {}{or}", feature.name, rule.condition(feature, step.branch, shown))
}

/// The probability of a class in a node, or the node's mean.
fn figure(tree: &TreeData, node: u32, class: usize) -> f64 {
    tree.mean(node).unwrap_or_else(|| tree.probability(node, class))
}

/// A leaf that is listed. Leaves are ordered as they are listed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct OtherLeaf {
    n_features: u32,
    n: Reverse<u64>,
    leaf: u32,
}

/// What would change an answer: the first leaves of another class, or half as many of a lower mean and
/// of a higher.
fn changes(tree: &TreeData, walk: &RowWalk, class: usize, mean: Option<f64>) -> Vec<RowChange> {
    let listed = match mean {
        None => return changes_to(tree, walk, |leaf| tree.majority(leaf) != class),
        Some(mean) => {
            let is_lower = |leaf: u32| tree.mean(leaf).is_some_and(|other| other < mean);
            let others = other_leaves(tree, walk, |leaf| tree.mean(leaf) != Some(mean));
            let (mut lower, mut higher): (Vec<OtherLeaf>, _) =
                others.into_iter().partition(|other| is_lower(other.leaf));
            keep_first(&mut lower, CHANGES / 2);
            keep_first(&mut higher, CHANGES / 2);
            [lower, higher].concat()
        }
    };
    rows_of(tree, walk, listed)
}

/// What would take the probability of an event, for a row that ends in these nodes, to the other side of
/// its share of all rows.
fn changes_of_side(
    tree: &TreeData,
    walk: &RowWalk,
    parts: &[Part],
    event: usize,
    base: f64,
) -> Vec<RowChange> {
    let of_row: f64 = parts.iter().map(|part| part.share * share(tree, part.node, event)).sum();
    let is_other = |leaf: u32| (share(tree, leaf, event) >= base) != (of_row >= base);
    changes_to(tree, walk, is_other)
}

/// The first leaves of another answer.
fn changes_to(tree: &TreeData, walk: &RowWalk, is_other: impl Fn(u32) -> bool) -> Vec<RowChange> {
    let mut others = other_leaves(tree, walk, is_other);
    keep_first(&mut others, CHANGES);
    rows_of(tree, walk, others)
}

/// The share of an event in a node, by the rows' own weights.
fn share(tree: &TreeData, node: u32, event: usize) -> f64 {
    let counts = tree.counts_before_class_weights(node);
    counts[event] / counts.iter().sum::<f64>()
}

/// Leaves as they are listed.
fn rows_of(tree: &TreeData, walk: &RowWalk, mut listed: Vec<OtherLeaf>) -> Vec<RowChange> {
    listed.sort_unstable();
    let change = |other: OtherLeaf| RowChange {
        features: other.n_features,
        change: change(tree, walk, other.leaf),
        leaf: other.leaf,
        prediction: tree.answer_text(other.leaf),
        figure: figure(tree, other.leaf, tree.majority(other.leaf)),
        n: other.n.0,
    };
    listed.into_iter().map(change).collect()
}

fn keep_first(leaves: &mut Vec<OtherLeaf>, most: usize) {
    if leaves.len() > most {
        leaves.select_nth_unstable(most);
        leaves.truncate(most);
    }
}

/// The leaves of another answer, with the number of features that keep the row from each. One pass over
/// the nodes.
fn other_leaves(tree: &TreeData, walk: &RowWalk, is_other: impl Fn(u32) -> bool) -> Vec<OtherLeaf> {
    let mut leaves = Vec::new();
    // The depth and feature of each step to the current node that the row would not take, and how many
    // such steps each feature has.
    let mut failed: Vec<(u32, u32)> = Vec::new();
    let mut steps_of = vec![0u32; tree.schema.features.len()];
    let mut n_features = 0;
    for (id, node) in (0u32..).zip(&tree.nodes) {
        while let Some((_, feature)) = failed.pop_if(|(depth, _)| *depth >= node.depth) {
            steps_of[feature as usize] -= 1;
            n_features -= u32::from(steps_of[feature as usize] == 0);
        }
        let above =
            node.parent.and_then(|from| Some((from, tree.nodes[from as usize].split.as_ref()?)));
        if let Some((from, split)) = above
            && !takes(walk, from, id)
        {
            let feature = split.rule.feature;
            n_features += u32::from(steps_of[feature as usize] == 0);
            steps_of[feature as usize] += 1;
            failed.push((node.depth, feature));
        }
        if node.split.is_none() && is_other(id) {
            leaves.push(OtherLeaf { n_features, n: Reverse(node.n), leaf: id });
        }
    }
    leaves
}

/// Whether the whole row goes from a node to a branch of it.
fn takes(walk: &RowWalk, from: u32, to: u32) -> bool {
    walk.step(from).is_some_and(|row| row.next == NextNode::To(to))
}

/// The conditions of a leaf that a row fails. One is whole, with the tests of its feature that the row
/// passes: all of them have to hold of another value.
fn change(tree: &TreeData, walk: &RowWalk, leaf: u32) -> String {
    let steps = steps_to(tree, leaf);
    let mut fails = vec![false; tree.schema.features.len()];
    for step in steps.iter().filter(|step| !takes(walk, step.from, step.to)) {
        fails[step.split.rule.feature as usize] = true;
    }
    let mut conditions: Vec<Condition> = Vec::new();
    let mut place: Vec<Option<usize>> = vec![None; fails.len()];
    for step in steps.iter().filter(|step| fails[step.split.rule.feature as usize]) {
        let of_feature = &mut place[step.split.rule.feature as usize];
        let at = *of_feature.get_or_insert_with(|| {
            conditions.push(Condition::any(tree.feature(step.split)));
            conditions.len() - 1
        });
        conditions[at] = conditions[at].narrowed(&step.split.rule, step.branch);
    }
    conjunction(&conditions.iter().collect::<Vec<_>>(), None)
}
