//! Nodes in preorder.

use super::Node;

/// Puts nodes in preorder, and says where each was: the root is the first, the others are in any
/// order. Nodes whose split is not `kept` are leaves, and what is below them goes, as does what no
/// branch leads to. `O(nodes)`.
pub(crate) fn in_preorder(
    mut nodes: Vec<Node>,
    kept: impl Fn(u32) -> bool,
) -> (Vec<Node>, Vec<u32>) {
    let (mut ordered, mut order) = (Vec::<Node>::new(), Vec::new());
    let mut open = vec![(0, None::<(u32, usize)>)];
    while let Some((at, above)) = open.pop() {
        let (id, node) = (ordered.len() as u32, &mut nodes[at as usize]);
        let split = node.split.take().filter(|_| kept(at));
        let mut depth = 0;
        if let Some((parent, branch)) = above {
            let parent = &mut ordered[parent as usize];
            depth = parent.depth + 1;
            parent.split.iter_mut().for_each(|split| split.branches[branch] = id);
        }
        let branches = split.iter().flat_map(|split| split.branches.iter().enumerate().rev());
        open.extend(branches.map(|(branch, &at)| (at, Some((id, branch)))));
        let parent = above.map(|(parent, _)| parent);
        ordered.push(Node { parent, depth, split, ..*node });
        order.push(at);
    }
    (ordered, order)
}

/// The values of nodes in another order; each of `n_nodes` has as many.
pub(crate) fn values_in_order(values: &[f64], n_nodes: usize, order: &[u32]) -> Vec<f64> {
    let width = values.len() / n_nodes.max(1);
    let mut ordered = Vec::with_capacity(order.len() * width);
    order.iter().for_each(|&at| ordered.extend_from_slice(&values[at as usize * width..][..width]));
    ordered
}
