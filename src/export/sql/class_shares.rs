//! The shares of classes in the nodes of a tree, class by class. Most classes of a large target have no
//! share in most nodes, so only nodes with a share are visited.

use super::case::count_leaves;
use crate::tree::TreeData;

pub(super) struct ClassShares<'t> {
    tree: &'t TreeData,
    /// Of each node.
    weights: Vec<f64>,
    /// For each class the nodes where it has a share, and the nodes above them, descending.
    nodes: Vec<Vec<u32>>,
}

impl<'t> ClassShares<'t> {
    /// `O(nodes x classes)`.
    pub(super) fn new(tree: &'t TreeData) -> ClassShares<'t> {
        let ids = 0..tree.n_nodes() as u32;
        let weights: Vec<f64> = ids.clone().map(|node| tree.weight(node)).collect();
        let mut nodes = vec![Vec::new(); tree.schema().classes.len()];
        // Branches follow their node.
        for node in ids.rev() {
            let weight = weights[node as usize];
            for (nodes, count) in nodes.iter_mut().zip(tree.class_counts(node)) {
                if count / weight != 0.0 {
                    nodes.push(node);
                }
            }
        }
        let mut shares = ClassShares { tree, weights, nodes };
        shares.add_nodes_above();
        shares
    }

    /// A model that was written by others may have rows below a node that it does not have in it.
    fn add_nodes_above(&mut self) {
        let mut last_class = vec![usize::MAX; self.weights.len()];
        for (class, nodes) in self.nodes.iter_mut().enumerate() {
            nodes.iter().for_each(|&node| last_class[node as usize] = class);
            let n_with_share = nodes.len();
            for at in 0..n_with_share {
                let mut above = self.tree.node_slice()[nodes[at] as usize].parent;
                while let Some(node) = above.filter(|&node| last_class[node as usize] != class) {
                    last_class[node as usize] = class;
                    nodes.push(node);
                    above = self.tree.node_slice()[node as usize].parent;
                }
            }
            if nodes.len() > n_with_share {
                nodes.sort_unstable_by(|a, b| b.cmp(a));
            }
        }
    }

    /// A class's probability in a node.
    pub(super) fn of(&self, node: u32, class: usize) -> f64 {
        self.tree.class_counts(node)[class] / self.weights[node as usize]
    }

    /// Calls `write` with the [leaves to be written](count_leaves) for each class.
    pub(super) fn each<T>(&self, mut write: impl FnMut(usize, &[u32]) -> T) -> Vec<T> {
        let mut leaves = vec![1; self.weights.len()];
        let each = |(class, nodes): (usize, &Vec<u32>)| {
            let is_same = |a, b| self.of(a, class).to_bits() == self.of(b, class).to_bits();
            count_leaves(self.tree, nodes.iter().copied(), &is_same, &mut leaves);
            let written = write(class, &leaves);
            nodes.iter().for_each(|&node| leaves[node as usize] = 1);
            written
        };
        self.nodes.iter().enumerate().map(each).collect()
    }
}
