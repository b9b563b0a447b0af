//! Pessimistic pruning with subtree raising, as C4.5's program and J48 have it (Quinlan 1993,
//! chapter 4): a node may be replaced by its largest branch too, through which all of the node's
//! rows are then sent.

use hashbrown::HashMap;

use super::pessimistic::{LEAST_SAVING, PredictedErrors};
use super::routed_tree::RoutedTree;
use super::training_rows::TrainingRows;
use crate::error::Result;
use crate::grow::GrownRows;
use crate::stat::{ClassRating, LogTable, Rating};
use crate::tree::{Node, Split, TreeData};

impl TreeData {
    /// Prunes a tree pessimistically, with subtree raising. Linear in the rows times the depth of
    /// the nodes that are left, for each level of them and again for what is raised.
    pub(crate) fn prune_raising(self, rows: GrownRows, confidence: f64) -> Result<TreeData> {
        self.check_pessimistic(confidence)?;
        let (rows, cuts) = TrainingRows::new(&self, rows);
        let weights = rows.weights.clone();
        let (criterion, base) = (self.spec.criterion, self.spec.log_base);
        let (n_classes, logs) = (self.schema.classes.len(), LogTable::default());
        let rating = ClassRating::new(criterion, base, n_classes, weights.as_ref(), &logs);
        let tree = RoutedTree::new(&self, rows, &cuts, rating);
        let errors = vec![0.0; tree.nodes.len()];
        let (predicted, slots) = (PredictedErrors::new(confidence), vec![NONE; tree.nodes.len()]);
        let mut raising = Raising { tree, errors, predicted, slots };
        raising.prune();
        let (nodes, values) = raising.nodes();
        let mut tree = TreeData { nodes, values, ..self };
        tree.drop_unused_levels();
        Ok(tree)
    }
}

struct Raising<'a> {
    tree: RoutedTree<'a>,
    /// The errors that each node's subtree is predicted to make.
    errors: Vec<f64>,
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
            self.tree.set_split(node, None);
            self.tree.nodes[node as usize].rows = rows;
        } else if let Some(branch) = largest.filter(|_| raised <= grown + LEAST_SAVING) {
            let rows = self.tree.rows_below(node);
            let split = self.tree.nodes[branch as usize].split.clone();
            self.tree.set_split(node, split);
            for visit in self.tree.send(node, rows) {
                self.tree.settle(visit);
            }
            self.errors.resize(self.tree.nodes.len(), 0.0);
            self.slots.resize(self.tree.nodes.len(), NONE);
            return true;
        }
        let is_leaf = self.tree.nodes[node as usize].split.is_none();
        self.errors[node as usize] = if is_leaf { leaf } else { grown };
        false
    }

    /// The errors predicted of a node as a leaf.
    fn of_leaf(&mut self, node: u32) -> f64 {
        self.predicted.of(self.tree.weights(&self.tree.nodes[node as usize].counts))
    }

    /// The errors predicted of a branch that gets all rows of its node.
    fn of_branch(&mut self, node: u32, branch: u32) -> f64 {
        let Raising { tree, errors, predicted, slots } = self;
        if tree.rows.are_shared {
            let counts = tree.counts_of_leaves(branch, tree.rows_below(node));
            return counts.iter().map(|counts| predicted.of(tree.weights(counts))).sum();
        }
        // Leaves, new ones with their level, that get rows of the other branches, and their counts.
        let mut leaves = Vec::new();
        let (mut counts, width) = (Vec::new(), tree.rating.width());
        let mut new_slots = HashMap::new();
        for other in tree.leaves(node, Some(branch)) {
            for &share in &tree.nodes[other as usize].rows {
                let (leaf, level) = tree.leaf_of(branch, share);
                let slot = match level {
                    None => &mut slots[leaf as usize],
                    Some(level) => new_slots.entry((leaf, level)).or_insert(NONE),
                };
                if *slot == NONE {
                    *slot = leaves.len() as u32;
                    leaves.push((leaf, level, *slot));
                    match level {
                        None => counts.extend_from_slice(&tree.nodes[leaf as usize].counts),
                        Some(_) => counts.resize(counts.len() + width, 0),
                    }
                }
                counts[*slot as usize * width + tree.class(share)] += share.units;
            }
        }
        // In order, as floats are added up.
        leaves.sort_unstable();
        let mut sum = errors[branch as usize];
        for (leaf, level, slot) in leaves {
            slots[leaf as usize] = NONE;
            let before = if level.is_none() { errors[leaf as usize] } else { 0.0 };
            let counts = &counts[slot as usize * width..][..width];
            sum += predicted.of(tree.weights(counts)) - before;
        }
        sum
    }

    /// The nodes that are left, in preorder, and their values.
    fn nodes(self) -> (Vec<Node>, Vec<f64>) {
        let (mut nodes, mut values) = (Vec::<Node>::new(), Vec::new());
        let mut open = vec![(0, None::<(u32, usize)>)];
        while let Some((at, parent)) = open.pop() {
            let (node, id) = (&self.tree.nodes[at as usize], nodes.len() as u32);
            let mut depth = 0;
            if let Some((parent, branch)) = parent {
                let parent = &mut nodes[parent as usize];
                depth = parent.depth + 1;
                parent.split.iter_mut().for_each(|split| split.branches[branch] = id);
            }
            let split = node.split.as_ref().map(|split| {
                let branches = split.branches.iter().copied().enumerate().rev();
                open.extend(branches.map(|(i, branch)| (branch, Some((id, i)))));
                let (rule, branches) = (split.rule.clone(), split.branches.clone());
                Split { rule, branches, gain: split.gain, approximate: split.approximate }
            });
            values.extend(self.tree.weights(&node.counts));
            let impurity = self.tree.rating.impurity(&node.counts);
            let parent = parent.map(|(parent, _)| parent);
            nodes.push(Node { parent, depth, n: node.n_rows as u64, impurity, split });
        }
        (nodes, values)
    }
}
