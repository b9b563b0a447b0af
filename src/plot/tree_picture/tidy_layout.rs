//! Where nodes stand across a picture: a tidy drawing of a tree of any arity.
//!
//! Buchheim, Jünger & Leipert, "Improving FirstWalker's Algorithm to Run in Linear Time", 2002: a
//! subtree is drawn the same way wherever it is, a node is centred over its branches, and
//! subtrees stand as near as their contours let them. Written without recursion.

use super::visible::VisibleTree;

/// Each shown node's position across, in node widths from 0.
pub(super) fn across(shown: &VisibleTree) -> Vec<f64> {
    let mut walk = FirstWalk::new(shown);
    let order = postorder(shown);
    for &v in &order {
        walk.first(v);
    }
    let mut x = vec![0.0; shown.nodes.len()];
    // Sums of the shifts of all nodes above; parents come first.
    let mut sum = vec![0.0; shown.nodes.len()];
    for v in 0..shown.nodes.len() {
        x[v] = walk.prelim[v] + sum[v];
        for &child in &shown.nodes[v].children {
            sum[child] = sum[v] + walk.shift_below[v];
        }
    }
    let least = x.iter().copied().fold(f64::INFINITY, f64::min);
    x.iter_mut().for_each(|x| *x -= least);
    x
}

/// Branches before their node, from left to right.
fn postorder(shown: &VisibleTree) -> Vec<usize> {
    let mut order = Vec::with_capacity(shown.nodes.len());
    let mut waiting = vec![(0, 0)];
    while let Some((v, next)) = waiting.pop() {
        match shown.nodes[v].children.get(next) {
            Some(&child) => waiting.extend([(v, next + 1), (child, 0)]),
            None => order.push(v),
        }
    }
    order
}

/// The paper's first walk; its names in brackets.
struct FirstWalk<'s> {
    shown: &'s VisibleTree,
    /// The node's index among its siblings.
    number: Vec<usize>,
    prelim: Vec<f64>,
    /// By how much all below a node is moved [mod].
    shift_below: Vec<f64>,
    /// The next node of a contour that has no branch [thread].
    next: Vec<Option<usize>>,
    /// The sibling's subtree a contour's node was in when it was placed [ancestor].
    owner: Vec<usize>,
    shift: Vec<f64>,
    change: Vec<f64>,
    /// The owner for the branches to come [default ancestor], by parent.
    default_owner: Vec<usize>,
}

impl<'s> FirstWalk<'s> {
    fn new(shown: &'s VisibleTree) -> Self {
        let n = shown.nodes.len();
        let mut number = vec![0; n];
        let mut default_owner = vec![0; n];
        for (v, node) in shown.nodes.iter().enumerate() {
            for (i, &child) in node.children.iter().enumerate() {
                number[child] = i;
            }
            default_owner[v] = node.children.first().copied().unwrap_or(0);
        }
        FirstWalk {
            shown,
            number,
            prelim: vec![0.0; n],
            shift_below: vec![0.0; n],
            next: vec![None; n],
            owner: (0..n).collect(),
            shift: vec![0.0; n],
            change: vec![0.0; n],
            default_owner,
        }
    }

    fn parent(&self, v: usize) -> Option<usize> {
        self.shown.nodes[v].parent
    }

    fn children(&self, v: usize) -> &'s [usize] {
        &self.shown.nodes[v].children
    }

    fn left_sibling(&self, v: usize) -> Option<usize> {
        let siblings = self.children(self.parent(v)?);
        Some(siblings[self.number[v].checked_sub(1)?])
    }

    fn first(&mut self, v: usize) {
        let left = self.left_sibling(v).map(|w| self.prelim[w] + 1.0);
        match *self.children(v) {
            [] => self.prelim[v] = left.unwrap_or(0.0),
            [first, .., last] => self.place_over(v, left, first, last),
            [only] => self.place_over(v, left, only, only),
        }
        self.apportion(v);
    }

    fn place_over(&mut self, v: usize, left: Option<f64>, first: usize, last: usize) {
        self.execute_shifts(v);
        let middle = (self.prelim[first] + self.prelim[last]) / 2.0;
        self.prelim[v] = left.unwrap_or(middle);
        self.shift_below[v] = self.prelim[v] - middle;
    }

    fn next_left(&self, v: usize) -> Option<usize> {
        self.children(v).first().copied().or(self.next[v])
    }

    fn next_right(&self, v: usize) -> Option<usize> {
        self.children(v).last().copied().or(self.next[v])
    }

    /// Moves the subtree of `v` right until it clears the subtrees of its left siblings.
    fn apportion(&mut self, v: usize) {
        let (Some(parent), Some(left)) = (self.parent(v), self.left_sibling(v)) else { return };
        // Contours: inside and outside, of the subtree (right) and its siblings (left).
        let (mut in_r, mut out_r) = (v, v);
        let (mut in_l, mut out_l) = (left, self.children(parent)[0]);
        let mut sums = [in_r, out_r, in_l, out_l].map(|w| self.shift_below[w]);
        while let (Some(l), Some(r)) = (self.next_right(in_l), self.next_left(in_r)) {
            (in_l, in_r) = (l, r);
            // Where the inner contours go on, the outer ones do.
            out_l = self.next_left(out_l).unwrap_or(l);
            out_r = self.next_right(out_r).unwrap_or(r);
            self.owner[out_r] = v;
            let gap = self.prelim[in_l] + sums[2] - (self.prelim[in_r] + sums[0]) + 1.0;
            if gap > 0.0 {
                let owner = self.owner_of(in_l, parent);
                self.move_subtree(owner, v, gap);
                sums[0] += gap;
                sums[1] += gap;
            }
            for (sum, w) in sums.iter_mut().zip([in_r, out_r, in_l, out_l]) {
                *sum += self.shift_below[w];
            }
        }
        if let (Some(l), None) = (self.next_right(in_l), self.next_right(out_r)) {
            self.next[out_r] = Some(l);
            self.shift_below[out_r] += sums[2] - sums[1];
        }
        if let (Some(r), None) = (self.next_left(in_r), self.next_left(out_l)) {
            self.next[out_l] = Some(r);
            self.shift_below[out_l] += sums[0] - sums[3];
            self.default_owner[parent] = v;
        }
    }

    fn owner_of(&self, contour: usize, parent: usize) -> usize {
        let owner = self.owner[contour];
        if self.parent(owner) == Some(parent) { owner } else { self.default_owner[parent] }
    }

    fn move_subtree(&mut self, from: usize, to: usize, shift: f64) {
        let subtrees = (self.number[to] - self.number[from]).max(1) as f64;
        self.change[to] -= shift / subtrees;
        self.shift[to] += shift;
        self.change[from] += shift / subtrees;
        self.prelim[to] += shift;
        self.shift_below[to] += shift;
    }

    fn execute_shifts(&mut self, v: usize) {
        let (mut shift, mut change) = (0.0, 0.0);
        for &child in self.children(v).iter().rev() {
            self.prelim[child] += shift;
            self.shift_below[child] += shift;
            change += self.change[child];
            shift += self.shift[child] + change;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::visible::VisibleNode;
    use super::*;
    use proptest::prelude::*;

    /// A tree in preorder from the parents' indices.
    fn tree(parents: &[usize]) -> VisibleTree {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); parents.len() + 1];
        for (i, p) in parents.iter().enumerate() {
            children[p % (i + 1)].push(i + 1);
        }
        let (mut nodes, mut waiting) = (Vec::new(), vec![(0, None)]);
        while let Some((v, above)) = waiting.pop() {
            let at = nodes.len();
            if let Some(above) = above {
                let above: &mut VisibleNode = &mut nodes[above];
                above.children.push(at);
            }
            let (id, parent) = (at as u32, above);
            nodes.push(VisibleNode { id, parent, branch: 0, children: vec![], folded: None });
            waiting.extend(children[v].iter().rev().map(|&child| (child, Some(at))));
        }
        VisibleTree { nodes }
    }

    proptest! {
        /// No two nodes of a depth are nearer than a node's width, in their order; each node
        /// stands in the middle of its branches; and nothing is left of 0.
        #[test]
        fn drawings_are_tidy(parents in proptest::collection::vec(0usize..1000, 0..80)) {
            let shown = tree(&parents);
            let x = across(&shown);
            let mut depth = vec![0; x.len()];
            let mut last: Vec<f64> = Vec::new();
            for (v, node) in shown.nodes.iter().enumerate() {
                node.children.iter().for_each(|&child| depth[child] = depth[v] + 1);
                last.resize(last.len().max(depth[v] + 1), -1.0);
                prop_assert!(x[v] >= last[depth[v]] + 1.0 - 1e-6, "{x:?}");
                last[depth[v]] = x[v];
                if let (Some(&a), Some(&b)) = (node.children.first(), node.children.last()) {
                    prop_assert!((x[v] - (x[a] + x[b]) / 2.0).abs() < 1e-6, "{x:?}");
                }
            }
        }
    }

    #[test]
    fn a_small_tree_is_as_narrow_as_can_be() {
        // A root with a leaf, an inner node of two leaves, and a leaf.
        let x = across(&tree(&[0, 0, 2, 2, 0]));
        assert_eq!(x, [1.0, 0.0, 1.0, 0.5, 1.5, 2.0]);
    }
}
