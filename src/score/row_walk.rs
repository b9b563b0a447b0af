//! One row's step at each node of a tree, also at nodes that its path does not pass.

use crate::data::column_data::Source;
use crate::error::Result;
use crate::score::PreparedTree;
use crate::score::kernel::scaled_node::ScaledNode;
use crate::score::lanes::LaneSource;
use crate::tree::missing::NextNode;
use crate::tree::rule::Test;

/// A row, ready to be asked where it would go from any node.
pub(crate) struct RowWalk<'t> {
    nodes: Vec<Option<ScaledNode<'t>>>,
    /// The row's value of each used feature, on its scale.
    numbers: Vec<f64>,
}

/// What a row does at an inner node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowStep {
    pub(crate) next: NextNode,
    /// Whether it has no value of the feature.
    pub(crate) is_missing: bool,
    /// Whether the rule names two sets of levels, and the row's is in neither.
    pub(crate) is_absent: bool,
}

impl<'t> PreparedTree<'t> {
    /// The only row of a table; arguments are as for [`Tree::route`](crate::Tree::route). Linear in
    /// the tree.
    pub(crate) fn row_walk<S: Source>(
        self,
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
    ) -> Result<RowWalk<'t>> {
        let PreparedTree { data, scorer } = self;
        let used = &scorer.used;
        let sources = used.columns(&data.schema, column, S::dtype, known)?;
        let number = |((feature, source), scale)| {
            let lane = LaneSource::new(feature, source, scale, 1)?;
            Ok(lane.rows(&(0..1), &mut Vec::new()).first().copied().unwrap_or(f64::NAN))
        };
        let numbers = sources.into_iter().zip(&used.scales).map(number).collect::<Result<_>>()?;
        Ok(RowWalk { nodes: used.scaled_nodes(data), numbers })
    }
}

impl RowWalk<'_> {
    /// The row's step from a node; `None` from a leaf.
    pub(crate) fn step(&self, node: u32) -> Option<RowStep> {
        let inner = self.nodes[node as usize].as_ref()?;
        let number = self.numbers[inner.lane as usize];
        let mut is_absent = false;
        let next = inner.next(number, &mut is_absent);
        let of_sets = matches!(inner.test, Test::In { .. });
        Some(RowStep { next, is_missing: number.is_nan(), is_absent: is_absent && of_sets })
    }
}
