//! Pessimistic pruning with subtree raising, as C4.5's program and J48 have it (Quinlan 1993,
//! chapter 4): a node may be replaced by its largest branch too, through which all of the node's
//! rows are then sent.

use std::collections::HashMap;

use super::pessimistic::{LEAST_SAVING, PredictedErrors};
use super::routed_tree::RoutedTree;
use super::training_rows::TrainingRows;
use crate::encode::table::Table;
use crate::error::Result;
use crate::stat::{ClassRating, LogTable, Rating};
use crate::tree::{Node, Split, TreeData};

impl TreeData {
    /// Prunes a tree of a table pessimistically, with subtree raising. Linear in the rows times the
    /// depth of the nodes that are left, for each level of them and again for what is raised.
    pub(crate) fn prune_raising(&self, table: &Table, confidence: f64) -> Result<TreeData> {
        self.check_pessimistic(confidence)?;
        let (rows, cuts) = TrainingRows::new(self, table)?;
        let weights = rows.weights.clone();
        let (criterion, base) = (self.spec.criterion, self.spec.log_base);
        let (n_classes, logs) = (self.schema.classes.len(), LogTable::default());
        let rating = ClassRating::new(criterion, base, n_classes, weights.as_ref(), &logs);
        let tree = RoutedTree::new(self, rows, &cuts, rating);
        let errors = vec![0.0; tree.nodes.len()];
        let mut raising = Raising { tree, errors, predicted: PredictedErrors::new(confidence) };
        raising.prune();
        Ok(raising.into_tree(self))
    }
}

struct Raising<'a> {
    tree: RoutedTree<'a>,
    /// The errors that each node's subtree is predicted to make.
    errors: Vec<f64>,
    predicted: PredictedErrors,
}

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
        let leaf = self.of_leaf(node);
        let Some(split) = &self.tree.nodes[node as usize].split else {
            self.errors[node as usize] = leaf;
            return false;
        };
        let grown: f64 = split.branches.iter().map(|&branch| self.errors[branch as usize]).sum();
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
            let node = &mut self.tree.nodes[node as usize];
            (node.split, node.rows) = (None, rows);
        } else if let Some(branch) = largest.filter(|_| raised <= grown + LEAST_SAVING) {
            let rows = self.tree.rows_below(node);
            self.tree.nodes[node as usize].split = self.tree.nodes[branch as usize].split.clone();
            for visit in self.tree.send(node, rows) {
                self.tree.settle(visit);
            }
            self.errors.resize(self.tree.nodes.len(), 0.0);
            return true;
        }
        let is_leaf = self.tree.nodes[node as usize].split.is_none();
        self.errors[node as usize] = if is_leaf { leaf } else { grown };
        false
    }

    /// The errors predicted of a node as a leaf.
    fn of_leaf(&mut self, node: u32) -> f64 {
        self.of_counts(&self.tree.nodes[node as usize].counts.clone())
    }

    fn of_counts(&mut self, counts: &[u64]) -> f64 {
        self.predicted.of(&self.tree.weights(counts))
    }

    /// The errors predicted of a branch that gets all rows of its node.
    fn of_branch(&mut self, node: u32, branch: u32) -> f64 {
        if self.tree.rows.are_shared {
            let counts = self.tree.counts_of_leaves(branch, self.tree.rows_below(node));
            return counts.iter().map(|counts| self.of_counts(counts)).sum();
        }
        // Leaves, new ones with their level, that get rows of the other branches.
        let mut counts: HashMap<(u32, Option<u64>), Vec<u64>> = HashMap::new();
        let tree = &self.tree;
        for other in tree.leaves(node, Some(branch)) {
            for &share in &tree.nodes[other as usize].rows {
                let leaf = tree.leaf_of(branch, share);
                let counts = counts.entry(leaf).or_insert_with(|| match leaf {
                    (leaf, None) => tree.nodes[leaf as usize].counts.clone(),
                    _ => vec![0; tree.rating.width()],
                });
                counts[tree.class(share)] += share.units;
            }
        }
        // In order, as floats are added up.
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_unstable();
        let mut errors = self.errors[branch as usize];
        for ((leaf, level), counts) in counts {
            let before = if level.is_none() { self.errors[leaf as usize] } else { 0.0 };
            errors += self.of_counts(&counts) - before;
        }
        errors
    }

    /// The nodes that are left, in preorder.
    fn into_tree(self, grown: &TreeData) -> TreeData {
        let mut tree = TreeData { nodes: Vec::new(), values: Vec::new(), ..grown.clone() };
        let mut open = vec![(0, None::<(u32, usize)>)];
        while let Some((at, parent)) = open.pop() {
            let (node, id) = (&self.tree.nodes[at as usize], tree.nodes.len() as u32);
            let mut depth = 0;
            if let Some((parent, branch)) = parent {
                let parent = &mut tree.nodes[parent as usize];
                depth = parent.depth + 1;
                parent.split.iter_mut().for_each(|split| split.branches[branch] = id);
            }
            let split = node.split.as_ref().map(|split| {
                let branches = split.branches.iter().copied().enumerate().rev();
                open.extend(branches.map(|(i, branch)| (branch, Some((id, i)))));
                let (rule, branches) = (split.rule.clone(), split.branches.clone());
                Split { rule, branches, gain: split.gain, approximate: split.approximate }
            });
            tree.values.extend(self.tree.weights(&node.counts));
            let impurity = self.tree.rating.impurity(&node.counts);
            let parent = parent.map(|(parent, _)| parent);
            tree.nodes.push(Node { parent, depth, n: node.n_rows as u64, impurity, split });
        }
        tree.drop_unused_levels();
        tree
    }
}
