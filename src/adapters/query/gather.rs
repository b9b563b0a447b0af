//! The rows of small nodes.

use arrow::array::{RecordBatch, UInt32Array};
use arrow::compute::take_record_batch;

use super::SqlStore;
use super::answers::{floats, whole};
use super::columns::lost;
use crate::adapters::record_batch::arrow_error;
use crate::error::Result;
use crate::external::{GatheredRows, GatheredTarget, GrowingTree, TargetCoding};

impl SqlStore<'_> {
    pub(super) fn gathered(&self, tree: &GrowingTree, nodes: &[u32]) -> Result<Vec<GatheredRows>> {
        let of_numbers = matches!(self.coding()?.target, TargetCoding::Numbers(_));
        let mut columns = vec![if of_numbers {
            format!("{} AS number", self.target.as_float())
        } else {
            format!("{} AS number", self.sql.literal(0.0))
        }];
        columns.extend(self.features.iter().map(|column| column.alias().to_string()));
        let units = if self.has_units() { "__u" } else { "1" };
        let names: String = self.features.iter().map(|x| format!(", {}", x.alias())).collect();
        let rows = self.rows_of(tree, nodes, &columns)?;
        let found = self.run(&format!("SELECT __n, __c, {units}, number{names} FROM {rows}"))?;
        let mut of_nodes: Vec<Vec<RecordBatch>> = vec![Vec::new(); nodes.len()];
        for batch in &found {
            let mut rows: Vec<Vec<u32>> = vec![Vec::new(); nodes.len()];
            for (row, place) in whole(std::slice::from_ref(batch), 0)?.into_iter().enumerate() {
                rows[place as usize].push(row as u32);
            }
            for (batches, rows) in of_nodes.iter_mut().zip(rows) {
                if !rows.is_empty() {
                    batches.push(
                        take_record_batch(batch, &UInt32Array::from(rows)).map_err(arrow_error)?,
                    );
                }
            }
        }
        of_nodes.iter().map(|batches| self.rows_of_node(batches, of_numbers)).collect()
    }

    fn rows_of_node(&self, batches: &[RecordBatch], of_numbers: bool) -> Result<GatheredRows> {
        let columns = self.features.iter().enumerate();
        let columns = columns.map(|(at, column)| column.cells(batches, 4 + at));
        let target = if of_numbers {
            let numbers: Option<Vec<f64>> = floats(batches, 3)?.into_iter().collect();
            GatheredTarget::Numbers(numbers.ok_or_else(|| lost("a target that is missing"))?)
        } else {
            GatheredTarget::Classes(whole(batches, 1)?.iter().map(|&class| class as u16).collect())
        };
        let units = match self.has_units() {
            true => Some(whole(batches, 2)?.iter().map(|&units| units as u64).collect()),
            false => None,
        };
        Ok(GatheredRows { columns: columns.collect::<Result<_>>()?, target, units })
    }
}
