//! A tree as the walk over its paths needs it.

use super::quadrature::Quadrature;
use crate::score::kernel::scaled_node::ScaledNode;
use crate::score::used::UsedFeatures;
use crate::tree::TreeData;

/// A tree whose answer is one number: a mean, or the probability of a class.
pub(super) struct PathTree<'t> {
    pub(super) data: &'t TreeData,
    /// The class whose probability is the answer; `None` is the mean.
    class: Option<usize>,
    /// In preorder, as the tree's nodes.
    pub(super) nodes: Vec<PathNode>,
    pub(super) inner: Vec<Option<ScaledNode<'t>>>,
    /// Exact for the products of factors along each path.
    pub(super) quadrature: Quadrature,
    /// The answer where no feature is known.
    pub(super) base_value: f64,
    pub(super) depth: usize,
}

/// A node, and the edge from its parent. An edge is named by the depth it leads to; 0 stands for no
/// edge.
pub(super) struct PathNode {
    pub(super) depth: usize,
    /// What the node says, less a constant of the tree: contributions do not depend on it.
    pub(super) answer: f64,
    /// The share of the parent's training weight that goes down the edge.
    pub(super) share: f64,
    /// The product of the shares of the edges of the same feature on the path, to this one.
    pub(super) zero_fraction: f64,
    /// The lane of the feature that the parent tests.
    pub(super) lane: usize,
    /// The edge of that feature that comes before this one on the path.
    pub(super) earlier: usize,
    /// The last edge on the path of the feature that the node itself tests.
    pub(super) of_split: usize,
}

impl<'t> PathTree<'t> {
    /// Linear in the tree, and quadratic in the most features of a path.
    pub(super) fn new(
        data: &'t TreeData,
        class: Option<usize>,
        used: &UsedFeatures,
    ) -> PathTree<'t> {
        let inner = used.scaled_nodes(data);
        let mut tree = PathTree {
            data,
            class,
            nodes: Vec::with_capacity(inner.len()),
            inner,
            quadrature: Quadrature { points: Vec::new(), weights: Vec::new() },
            base_value: 0.0,
            depth: 0,
        };
        let shares = tree.shares();
        // By depth: the open node's lane, edge before, zero fraction, share of the root, features.
        let mut path = vec![OpenEdge::ROOT];
        // By lane: the last edge on the path.
        let mut last = vec![0; used.indices.len()];
        let mut most_features = 0;
        for (id, node) in (0u32..).zip(&data.nodes) {
            let depth = node.depth as usize;
            while path.len() > depth.max(1) {
                path.pop().inspect(|edge| last[edge.lane] = edge.earlier);
            }
            let share = shares[id as usize];
            let mut edge = OpenEdge::ROOT;
            let parent = node.parent.and_then(|parent| tree.inner[parent as usize].as_ref());
            if let (Some(parent), Some(above)) = (parent, path.last()) {
                let lane = parent.lane as usize;
                let earlier = last[lane];
                edge = OpenEdge {
                    lane,
                    earlier,
                    zero_fraction: path[earlier].zero_fraction * share,
                    share_of_root: above.share_of_root * share,
                    features: above.features + usize::from(earlier == 0),
                };
                last[lane] = depth;
                path.push(edge);
            }
            tree.depth = tree.depth.max(depth);
            most_features = most_features.max(edge.features);
            let answer = tree.answer(id);
            let of_split = match &tree.inner[id as usize] {
                Some(inner) => last[inner.lane as usize],
                None => {
                    tree.base_value += edge.share_of_root * answer;
                    0
                }
            };
            tree.nodes.push(PathNode {
                depth,
                answer,
                share,
                zero_fraction: edge.zero_fraction,
                lane: edge.lane,
                earlier: edge.earlier,
                of_split,
            });
        }
        // Means may lie far from 0 and near each other, and would lose digits.
        if class.is_none() {
            tree.nodes.iter_mut().for_each(|node| node.answer -= tree.base_value);
        }
        tree.quadrature = Quadrature::new(most_features.div_ceil(2).max(1));
        tree
    }

    /// What a node says.
    pub(super) fn answer(&self, node: u32) -> f64 {
        match self.class {
            Some(class) => self.data.probability(node, class),
            None => self.data.mean(node).unwrap_or(f64::NAN),
        }
    }

    /// The share of the branches' weight that each node has among its parent's branches.
    fn shares(&self) -> Vec<f64> {
        let mut shares = vec![1.0; self.data.n_nodes()];
        for split in self.data.splits() {
            let weight: f64 = split.branches.iter().map(|&branch| self.data.weight(branch)).sum();
            for &branch in &split.branches {
                shares[branch as usize] = self.data.weight(branch) / weight;
            }
        }
        shares
    }
}

/// An edge on the path to the node in hand.
#[derive(Clone, Copy)]
struct OpenEdge {
    lane: usize,
    earlier: usize,
    zero_fraction: f64,
    share_of_root: f64,
    /// Distinct features on the path to its end.
    features: usize,
}

impl OpenEdge {
    /// What stands above the root.
    const ROOT: OpenEdge =
        OpenEdge { lane: 0, earlier: 0, zero_fraction: 1.0, share_of_root: 1.0, features: 0 };
}
