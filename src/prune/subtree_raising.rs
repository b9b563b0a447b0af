//! Pessimistic pruning with subtree raising, as in C4.5's program and J48 (Quinlan 1993, chapter
//! 4): a node may also be replaced by its largest branch, and all of the node's rows are then sent
//! through that branch.

use hashbrown::HashMap;

use super::pessimistic::{LEAST_SAVING, PredictedErrors};
use super::routed_tree::{RoutedTree, WalkedNode};
use crate::error::Result;
use crate::grow::GrownRows;
use crate::stat::{ClassRating, LogTable};
use crate::tree::TreeData;

impl TreeData {
    /// Prunes a tree pessimistically, with subtree raising. Linear in the rows times the depth of
    /// the nodes that are left, for each level of them and again for what is raised.
    pub(crate) fn prune_raising(self, rows: GrownRows, confidence: f64) -> Result<TreeData> {
        self.check_pessimistic(confidence)?;
        let weights = rows.weights.clone();
        let (criterion, base) = (self.spec.criterion, self.spec.log_base);
        let (n_classes, logs) = (self.schema.classes.len(), LogTable::default());
        let rating = ClassRating::new(criterion, base, n_classes, weights.as_deref(), &logs);
        let tree = RoutedTree::new(&self, rows, rating)?;
        let predicted = PredictedErrors::new(confidence);
        let mut raising = Raising { tree, predicted, slots: Vec::new() };
        raising.prune();
        let (nodes, values) = raising.tree.into_nodes();
        let mut tree = TreeData { nodes, values, ..self };
        tree.tie_balanced_classes();
        tree.drop_unused_levels();
        Ok(tree)
    }
}

struct Raising<'a> {
    tree: RoutedTree<'a>,
    predicted: PredictedErrors,
    /// Scratch: the index of each node in a list.
    slots: Vec<u32>,
}

/// No index.
const NONE: u32 = u32::MAX;

/// What is next at a node.
enum Step {
    PruneBranches(u32),
    Decide(u32),
}

impl Raising<'_> {
    fn prune(&mut self) {
        let mut steps = vec![Step::PruneBranches(0)];
        while let Some(step) = steps.pop() {
            match step {
                Step::PruneBranches(node) => {
                    steps.push(Step::Decide(node));
                    let split = self.tree.nodes[node as usize].split.iter();
                    let branches = split.flat_map(|split| split.branches.iter().rev());
                    steps.extend(branches.map(|&branch| Step::PruneBranches(branch)));
                }
                Step::Decide(node) => {
                    if self.decide(node) {
                        // With other rows its nodes may be pruned otherwise.
                        steps.push(Step::PruneBranches(node));
                    }
                }
            }
        }
    }

    /// Makes a node a leaf, or its largest branch, or leaves it. Returns whether it is the branch.
    fn decide(&mut self, node: u32) -> bool {
        let at = node as usize;
        let leaf = self.predicted.of(self.tree.weights(&self.tree.nodes[at].counts));
        let Some(split) = &self.tree.nodes[at].split else {
            self.tree.nodes[at].errors = leaf;
            return false;
        };
        let errors = |&branch: &u32| self.tree.nodes[branch as usize].errors;
        let grown: f64 = split.branches.iter().map(errors).sum();
        // The last one of equals.
        let largest = split.branches.iter().copied().max_by_key(|&b| self.tree.units(b));
        let may_be_leaf = leaf <= grown + LEAST_SAVING;
        let raised = match largest {
            Some(branch) if self.tree.nodes[branch as usize].split.is_none() => leaf,
            Some(branch) => self.of_branch(node, branch),
            None => f64::INFINITY,
        };
        if may_be_leaf && leaf <= raised + LEAST_SAVING {
            let rows = self.tree.rows_below(node);
            let here = &mut self.tree.nodes[at];
            (here.split, here.rows, here.errors) = (None, rows, leaf);
            self.tree.walked[at] = WalkedNode::Other;
        } else if let Some(branch) = largest.filter(|_| raised <= grown + LEAST_SAVING) {
            let rows = self.tree.rows_below(node);
            self.tree.nodes[at].split = self.tree.nodes[branch as usize].split.clone();
            self.tree.walked[at] = self.tree.walked[branch as usize];
            self.tree.send(node, rows);
            return true;
        } else {
            self.tree.nodes[at].errors = grown;
        }
        false
    }

    /// The errors predicted of a branch that gets all rows of its node.
    fn of_branch(&mut self, node: u32, branch: u32) -> f64 {
        let Raising { tree, predicted, slots } = self;
        if tree.rows.are_shared {
            let first = tree.copy(branch);
            tree.send(first, tree.rows_below(node));
            let leaves = tree.nodes[first as usize..].iter().filter(|node| node.split.is_none());
            let errors = leaves.map(|leaf| predicted.of(tree.weights(&leaf.counts))).sum();
            tree.nodes.truncate(first as usize);
            tree.walked.truncate(first as usize);
            return errors;
        }
        // The leaves, some of them new ones, that get rows of the other branches, and their counts.
        let (mut changed, mut counts) = (Vec::new(), Vec::new());
        let (mut new_slots, width) = (HashMap::new(), tree.nodes[branch as usize].counts.len());
        slots.resize(tree.nodes.len(), NONE);
        for other in tree.leaves(node, Some(branch)) {
            for share in &tree.nodes[other as usize].rows {
                let (leaf, level) = tree.leaf_of(branch, share.row);
                let slot = match level {
                    None => &mut slots[leaf as usize],
                    Some(level) => new_slots.entry((leaf, level)).or_insert(NONE),
                };
                if *slot == NONE {
                    *slot = changed.len() as u32;
                    changed.push((leaf, level, *slot));
                    match level {
                        None => counts.extend_from_slice(&tree.nodes[leaf as usize].counts),
                        Some(_) => counts.resize(counts.len() + width, 0),
                    }
                }
                counts[*slot as usize * width + tree.rows.class(share.row)] += share.units;
            }
        }
        // In order, as floats are added up.
        changed.sort_unstable();
        let mut sum = tree.nodes[branch as usize].errors;
        for (leaf, level, slot) in changed {
            slots[leaf as usize] = NONE;
            let before = if level.is_none() { tree.nodes[leaf as usize].errors } else { 0.0 };
            let counts = &counts[slot as usize * width..][..width];
            sum += predicted.of(tree.weights(counts)) - before;
        }
        sum
    }
}
