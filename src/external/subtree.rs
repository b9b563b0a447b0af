//! The subtree of a node whose rows were gathered, grown in memory.

use super::counted_node::NodeRater;
use super::growing_tree::WaitingNode;
use super::passes::changed;
use super::row_store::{GatheredRows, GatheredTarget};
use super::stats::CountedStats;
use crate::data::dtype::Value;
use crate::data::target::{Target, TargetValues};
use crate::data::weights::Weights;
use crate::encode::RawColumn;
use crate::encode::table::{EncodeContext, Table};
use crate::error::Result;
use crate::grow::{Arena, grow_part};
use crate::spec::{ClassWeights, Grouping};

impl<S: CountedStats> NodeRater<'_, S> {
    /// The subtree, with levels by the codes of the whole table; an error if the rows are not the node's.
    pub(super) fn grow_subtree(
        &self,
        node: &WaitingNode<S::Num>,
        rows: GatheredRows,
    ) -> Result<Arena<Value>> {
        self.check(node, &rows)?;
        let GatheredRows { columns, target, units } = rows;
        let n_rows = node.rows as usize;
        let mut encoded = Vec::with_capacity(columns.len());
        for (cells, of) in columns.into_iter().zip(&self.prepared.columns) {
            cells.check(&of.name, &of.dtype)?;
            if cells.len() != n_rows {
                return Err(changed("a column has other rows than its node"));
            }
            let column = RawColumn::new(of.name.clone(), of.dtype.clone(), of.kind, cells)?;
            encoded.push(column.encode());
        }
        let whole = &self.prepared.target;
        let values = match (target, &whole.values) {
            (GatheredTarget::Classes(codes), TargetValues::Classes { labels, .. }) => {
                TargetValues::Classes { labels: labels.clone(), codes }
            }
            (GatheredTarget::Numbers(numbers), TargetValues::Numbers { scale, .. }) => {
                TargetValues::Numbers { numbers, distances: None, scale: *scale }
            }
            _ => return Err(changed("the target is of another kind")),
        };
        let target = Target { name: whole.name.clone(), dtype: whole.dtype.clone(), values };
        let weights = self.prepared.weights.as_ref().zip(units);
        let weights = weights.map(|(whole, units)| Weights { units, ..whole.clone() });
        let context = EncodeContext {
            target: whole.name.clone(),
            n_given: n_rows,
            kept: None,
            monitor: self.spec.monitor.clone(),
        };
        let mut spec = self.spec.clone();
        // The units count the classes' weights already.
        spec.class_weights = ClassWeights::Equal;
        spec.max_depth = spec.max_depth.map(|depth| depth - node.depth);
        // A tree of n leaves is at most n deep. A limit of leaves is no limit here: a multiway rule
        // that has room for its branches here may have none in the whole tree, which then takes
        // rules that would be passed over here.
        if spec.grouping == Grouping::Multiway
            && let Some(leaves) = spec.max_leaves.take()
        {
            spec.max_depth = Some(spec.max_depth.map_or(leaves, |depth| depth.min(leaves)));
        }
        let table = Table { columns: encoded, target, weights, context };
        let code = |column: u32, level: &str| self.prepared.columns[column as usize].code(level);
        grow_part(table, &spec, self.grower.columns.clone(), code)
    }

    fn check(&self, node: &WaitingNode<S::Num>, rows: &GatheredRows) -> Result<()> {
        let GatheredRows { columns, target, units } = rows;
        let n_rows = match target {
            GatheredTarget::Classes(classes) => classes.len(),
            GatheredTarget::Numbers(numbers) => numbers.len(),
        };
        let has_units = self.prepared.weights.is_some();
        let is_whole = n_rows as u64 == node.rows
            && columns.len() == self.prepared.columns.len()
            && units.is_some() == has_units
            && units.as_ref().is_none_or(|units| units.len() == n_rows);
        let others = || changed("a node has other rows than were counted");
        if !is_whole {
            return Err(others());
        }
        // The root has no stat to compare with before it is counted.
        let Some(total) = &node.total else { return Ok(()) };
        let mut sum = vec![0i128; total.len()];
        for row in 0..n_rows {
            let units = units.as_ref().map_or(1, |units| i128::from(units[row]));
            match (target, &self.prepared.target.values) {
                (GatheredTarget::Classes(classes), _) => {
                    let of_class = sum.get_mut(classes[row] as usize);
                    *of_class.ok_or_else(|| changed("there is a new class"))? += units;
                }
                (GatheredTarget::Numbers(numbers), TargetValues::Numbers { scale, .. }) => {
                    sum[0] += units;
                    sum[1] += units * i128::from(scale.distance(numbers[row]));
                }
                (GatheredTarget::Numbers(_), TargetValues::Classes { .. }) => {}
            }
        }
        if S::stat(&sum) == *total { Ok(()) } else { Err(others()) }
    }
}
