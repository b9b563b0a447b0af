//! Leftist heaps (Crane 1972, "Linear lists and priority queues as balanced binary trees"): binary
//! heaps whose left side is at least as deep as the right one, so that two are joined in `O(log
//! n)`. All share one set of arrays, indexed by the nodes of a tree.

/// The empty heap.
pub(super) const NONE: u32 = u32::MAX;

/// Heaps with the greatest key on top. A heap is named by its top node.
pub(super) struct LeftistHeaps {
    keys: Vec<f64>,
    left: Vec<u32>,
    right: Vec<u32>,
    /// Steps to the nearest missing child; never more on the right than on the left.
    rank: Vec<u32>,
}

impl LeftistHeaps {
    /// Only empty heaps, over `n` nodes.
    pub(super) fn new(n: usize) -> Self {
        LeftistHeaps {
            keys: vec![0.0; n],
            left: vec![NONE; n],
            right: vec![NONE; n],
            rank: vec![1; n],
        }
    }

    pub(super) fn push(&mut self, heap: u32, node: usize, key: f64) -> u32 {
        self.keys[node] = key;
        self.meld(heap, node as u32)
    }

    /// The heap without its top.
    pub(super) fn pop(&mut self, heap: u32) -> u32 {
        self.meld(self.left[heap as usize], self.right[heap as usize])
    }

    /// Joins two heaps. It recurses along right spines, which are at most `log2 n` long.
    pub(super) fn meld(&mut self, a: u32, b: u32) -> u32 {
        if a == NONE || b == NONE {
            return if a == NONE { b } else { a };
        }
        let a_is_top = self.keys[a as usize] >= self.keys[b as usize];
        let (top, other) = if a_is_top { (a, b) } else { (b, a) };
        let at = top as usize;
        self.right[at] = self.meld(self.right[at], other);
        if self.rank_of(self.left[at]) < self.rank_of(self.right[at]) {
            std::mem::swap(&mut self.left[at], &mut self.right[at]);
        }
        self.rank[at] = self.rank_of(self.right[at]) + 1;
        top
    }

    fn rank_of(&self, node: u32) -> u32 {
        if node == NONE { 0 } else { self.rank[node as usize] }
    }

    /// All nodes of a heap, in no order.
    pub(super) fn nodes(&self, heap: u32) -> Vec<u32> {
        let (mut open, mut nodes) = (vec![heap], Vec::new());
        while let Some(node) = open.pop() {
            if node != NONE {
                nodes.push(node);
                open.extend([self.left[node as usize], self.right[node as usize]]);
            }
        }
        nodes
    }
}
