//! Some rows taken over all paths of a tree at once.
//!
//! On a path of the features `F`, let `z` be a feature's zero fraction (the training share of its
//! edges) and `o` its one fraction (the part of the row that takes them). The path's leaf says
//! `answer * product(S: o) * product(F \ S: z)` where the features of `S` are known. As
//! `s! (d - s - 1)! / d!` is the integral of `t^s (1 - t)^(d - s - 1)` from 0 to 1, the Shapley value
//! of a feature `i` is
//!
//! ```text
//! answer * (o_i - z_i) * integral of product(j in F without i: z_j + t (o_j - z_j))
//! ```
//!
//! which is a polynomial in `t` of a degree below `d`: half as many points give it exactly. Factors are
//! nowhere negative, so that nothing cancels in the products. The products of a path are made on the
//! way down, the sums of what leaves say on the way up. Where a feature comes again on a path, its
//! factor takes the place of the one before, and what the earlier edge was given for the leaves
//! below is taken back (Yu et al. 2022, "Linear TreeShap", has the same sums with polynomials).

use super::path_tree::{PathNode, PathTree};
use crate::score::kernel::scaled_node::ScaledNode;
use crate::tree::missing::NextNode;

/// Rows that go together.
pub(super) const ROWS: usize = 8;

/// A number of each row.
pub(super) type OfRows = [f64; ROWS];

/// The open nodes, by depth. At depth 0, where no edge leads to, all factors are 1.
#[derive(Default)]
pub(super) struct Walk {
    open: Vec<OpenNode>,
    /// By depth and point: the product of the factors of the path.
    products: Vec<OfRows>,
    /// By depth and point: one over the factor of the edge.
    inverses: Vec<OfRows>,
    /// By depth and point: what the leaves below say, times their products.
    sums: Vec<OfRows>,
    /// For a path whose pairs are added, by feature and point: the gain over the factor.
    ratios: Vec<OfRows>,
}

#[derive(Clone, Copy)]
struct OpenNode {
    id: usize,
    zero_fraction: f64,
    /// Of the edges of the same feature to here.
    one_fraction: OfRows,
    /// Where the rows go from the node.
    next: [NextNode; ROWS],
}

/// What a model says of some rows, shared out.
pub(super) struct BlockSums {
    /// The contribution of each feature, lane by lane.
    pub(super) of_features: Vec<OfRows>,
    /// The interaction of each pair of features, by the lower lane and the higher one; empty where they
    /// are not asked for.
    pub(super) of_pairs: Vec<OfRows>,
}

/// What ends a path.
struct End<'a> {
    /// The lane of the feature of its last edge.
    lane: usize,
    /// That edge starts here.
    depth: usize,
    /// The edge of its feature before.
    earlier: usize,
    zero_fraction: f64,
    one_fraction: &'a OfRows,
    answers: &'a OfRows,
}

impl Walk {
    /// Adds the contributions of the features to what a tree says of some rows, lane by lane. `numbers`
    /// are the rows' values, lane by lane. `O(nodes * d)` for paths of at most d distinct features, or
    /// `O(leaves * d^3)` with pairs.
    pub(super) fn add(&mut self, tree: &PathTree, numbers: &[OfRows], to: &mut BlockSums) {
        let Some(root) = &tree.inner[0] else { return };
        let points = tree.quadrature.points.len();
        self.make_room(tree.depth, points);
        self.open_node(tree, root, 0, [1.0; ROWS], numbers, to);
        let mut depth = 0;
        for (id, node) in tree.nodes.iter().enumerate().skip(1) {
            while depth >= node.depth {
                self.close(tree, depth, to);
                depth -= 1;
            }
            let above = &self.open[depth];
            let before = &self.open[node.earlier].one_fraction;
            let one_fraction: OfRows = std::array::from_fn(|row| match above.next[row] {
                NextNode::To(next) if next as usize == id => before[row],
                NextNode::To(_) | NextNode::Stop => 0.0,
                NextNode::Every => before[row] * node.share,
            });
            match &tree.inner[id] {
                Some(inner) => {
                    depth = node.depth;
                    self.go_down(tree, node, &one_fraction);
                    self.open_node(tree, inner, id, one_fraction, numbers, to);
                }
                None if node.answer == 0.0 => {}
                None => {
                    let PathNode { lane, earlier, zero_fraction, .. } = *node;
                    let (one_fraction, answers) = (&one_fraction, &[node.answer; ROWS]);
                    let end = End { lane, depth, earlier, zero_fraction, one_fraction, answers };
                    self.end_path(tree, &end, to);
                }
            }
        }
        while depth > 0 {
            self.close(tree, depth, to);
            depth -= 1;
        }
    }

    fn make_room(&mut self, depth: usize, points: usize) {
        let none = OpenNode {
            id: 0,
            zero_fraction: 1.0,
            one_fraction: [1.0; ROWS],
            next: [NextNode::Stop; ROWS],
        };
        let open = self.open.len().max(depth + 1);
        self.open.resize(open, none);
        for stack in [&mut self.products, &mut self.inverses, &mut self.sums] {
            let room = stack.len().max((depth + 1) * points);
            stack.resize(room, [1.0; ROWS]);
        }
        self.products[..points].fill([1.0; ROWS]);
        self.inverses[..points].fill([1.0; ROWS]);
    }

    /// The products of a node's path, from the products of its parent's path.
    fn go_down(&mut self, tree: &PathTree, node: &PathNode, one_fraction: &OfRows) {
        let points = &tree.quadrature.points;
        let n = points.len();
        let zero_fraction = node.zero_fraction;
        let (above, products) = self.products.split_at_mut(node.depth * n);
        let above = &above[(node.depth - 1) * n..];
        let (before, inverses) = self.inverses.split_at_mut(node.depth * n);
        let before = &before[node.earlier * n..];
        for (k, &t) in points.iter().enumerate() {
            for row in 0..ROWS {
                let factor = zero_fraction + t * (one_fraction[row] - zero_fraction);
                products[k][row] = above[k][row] * before[k][row] * factor;
                // A factor of 0 has a product of 0.
                inverses[k][row] = 1.0 / factor.max(f64::MIN_POSITIVE);
            }
        }
    }

    /// Opens an inner node whose products are made. Rows that stop there end a path.
    fn open_node(
        &mut self,
        tree: &PathTree,
        inner: &ScaledNode,
        id: usize,
        one_fraction: OfRows,
        numbers: &[OfRows],
        to: &mut BlockSums,
    ) {
        let (node, n) = (&tree.nodes[id], tree.quadrature.points.len());
        let lane = inner.lane as usize;
        let next = numbers[lane].map(|number| inner.next(number, &mut false));
        self.open[node.depth] =
            OpenNode { id, zero_fraction: node.zero_fraction, one_fraction, next };
        self.sums[node.depth * n..(node.depth + 1) * n].fill([0.0; ROWS]);
        if next.contains(&NextNode::Stop) && node.answer != 0.0 {
            // A branch that no training row took, and these rows take wholly.
            let is_stopped = |next| if next == NextNode::Stop { node.answer } else { 0.0 };
            let one_fraction = self.open[node.of_split].one_fraction;
            let end = End {
                lane,
                depth: node.depth,
                earlier: node.of_split,
                zero_fraction: 0.0,
                one_fraction: &one_fraction,
                answers: &next.map(is_stopped),
            };
            self.end_path(tree, &end, to);
        }
    }

    /// Adds what a leaf says to the sums of the nodes above, to the feature of the last edge, and to
    /// the pairs of the path's features.
    fn end_path(&mut self, tree: &PathTree, end: &End, to: &mut BlockSums) {
        if !to.of_pairs.is_empty() {
            self.add_pairs(tree, end, to);
        }
        let contributions = &mut to.of_features[end.lane];
        let quadrature = &tree.quadrature;
        let n = quadrature.points.len();
        let before = &self.open[end.earlier];
        let (earlier, zero_fraction) = (&self.inverses[end.earlier * n..], end.zero_fraction);
        let gain: OfRows = std::array::from_fn(|row| end.one_fraction[row] - zero_fraction);
        let gain_before = before.gain();
        let (products, sums) = (&self.products[end.depth * n..], &mut self.sums[end.depth * n..]);
        for (k, (&t, &weight)) in quadrature.points.iter().zip(&quadrature.weights).enumerate() {
            for row in 0..ROWS {
                let without = end.answers[row] * products[k][row] * earlier[k][row];
                let with = without * (zero_fraction + t * gain[row]);
                sums[k][row] += with;
                let change = without * gain[row] - with * gain_before[row] * earlier[k][row];
                contributions[row] += weight * change;
            }
        }
    }

    /// Gives the feature of the edge to the open node of a depth what the leaves below say.
    fn close(&mut self, tree: &PathTree, depth: usize, to: &mut BlockSums) {
        let weights = &tree.quadrature.weights;
        let n = weights.len();
        let open = &self.open[depth];
        let node = &tree.nodes[open.id];
        let (gain, gain_before) = (open.gain(), self.open[node.earlier].gain());
        let (inverses, earlier) = (&self.inverses[depth * n..], &self.inverses[node.earlier * n..]);
        let (above, sums) = self.sums.split_at_mut(depth * n);
        let above = &mut above[(depth - 1) * n..];
        let contributions = &mut to.of_features[node.lane];
        for (k, &weight) in weights.iter().enumerate() {
            for row in 0..ROWS {
                let sum = sums[k][row];
                above[k][row] += sum;
                let change = gain[row] * inverses[k][row] - gain_before[row] * earlier[k][row];
                contributions[row] += weight * sum * change;
            }
        }
    }
}

/// Interactions. For a pair of features i and j it is, summed over the paths, `answer * (o_i - z_i)
/// * (o_j - z_j)` times the integral of the product of the other factors.
impl Walk {
    /// Adds what a path gives to the pairs of its features.
    fn add_pairs(&mut self, tree: &PathTree, end: &End, to: &mut BlockSums) {
        let (n_lanes, quadrature) = (to.of_features.len(), &tree.quadrature);
        let n = quadrature.points.len();
        // The features above the last edge, each with the ratios of its own last edge.
        let (mut lanes, mut is_taken) = (Vec::new(), vec![false; n_lanes]);
        is_taken[end.lane] = true;
        self.ratios.clear();
        for depth in (1..=end.depth).rev() {
            let open = &self.open[depth];
            let lane = tree.nodes[open.id].lane;
            if !std::mem::replace(&mut is_taken[lane], true) {
                let gain = open.gain();
                let inverses = &self.inverses[depth * n..(depth + 1) * n];
                let ratio = |inverse: &OfRows| std::array::from_fn(|r| gain[r] * inverse[r]);
                self.ratios.extend(inverses.iter().map(ratio));
                lanes.push(lane);
            }
        }
        let products = &self.products[end.depth * n..];
        let earlier = &self.inverses[end.earlier * n..];
        let mut add = |one: usize, other: usize, row: usize, value: f64| {
            to.of_pairs[one.min(other) * n_lanes + one.max(other)][row] += value;
        };
        for (k, (&t, &weight)) in quadrature.points.iter().zip(&quadrature.weights).enumerate() {
            for row in 0..ROWS {
                let gain = end.one_fraction[row] - end.zero_fraction;
                let without = weight * end.answers[row] * products[k][row] * earlier[k][row];
                let with = without * (end.zero_fraction + t * gain);
                for (i, &one) in lanes.iter().enumerate() {
                    let ratio = self.ratios[i * n + k][row];
                    add(one, end.lane, row, without * gain * ratio);
                    for (j, &other) in lanes.iter().enumerate().skip(i + 1) {
                        add(one, other, row, with * ratio * self.ratios[j * n + k][row]);
                    }
                }
            }
        }
    }
}

impl OpenNode {
    /// By how much the one fraction of each row is above the zero fraction.
    fn gain(&self) -> OfRows {
        self.one_fraction.map(|one_fraction| one_fraction - self.zero_fraction)
    }
}
