//! Inner nodes with their rules on the features' scales.

use crate::score::scale::Scale;
use crate::tree::missing::NextNode;
use crate::tree::rule::Test;
use crate::tree::{Node, TreeData};

/// An inner node whose test compares numbers of a lane.
pub(crate) struct ScaledNode<'t> {
    /// The index of its feature among the used ones.
    pub(crate) lane: u32,
    pub(crate) test: Test<f64>,
    pub(crate) branches: &'t [u32],
    /// Where a missing value goes.
    pub(crate) missing: NextNode,
    /// Levels of the feature, which is also the number of a level that training did not have.
    pub(crate) n_levels: u32,
}

/// The inner nodes of a tree that uses these features on these scales; `None` for leaves.
pub(crate) fn scaled_nodes<'t>(
    tree: &'t TreeData,
    used: &[u32],
    scales: &[Scale],
) -> Vec<Option<ScaledNode<'t>>> {
    let mut lanes = vec![0; tree.schema.features.len()];
    used.iter().zip(0..).for_each(|(&feature, lane)| lanes[feature as usize] = lane);
    let scaled = |node: &'t Node| {
        let split = node.split.as_ref()?;
        let (feature, lane) = (tree.feature(split), lanes[split.rule.feature as usize]);
        let test = split.rule.test.map_cut(|cut| scales[lane as usize].cut(&feature.dtype, cut));
        let missing = split.next_of_missing(tree.spec.missing);
        let n_levels = feature.levels.len() as u32;
        Some(ScaledNode { lane, test, branches: &split.branches, missing, n_levels })
    };
    tree.nodes.iter().map(scaled).collect()
}
