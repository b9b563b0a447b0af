//! The rows of small nodes.

use arrow_array::{RecordBatch, UInt32Array};
use arrow_select::take::take_record_batch;

use super::SqlStore;
use super::answers::{Answer, lost};
use crate::adapters::record_batch::arrow_error;
use crate::error::Result;
use crate::external::{GatheredRows, GatheredTarget, GrowingTree, TargetCoding};

impl SqlStore<'_> {
    pub(super) fn gathered(&self, tree: &GrowingTree, nodes: &[u32]) -> Result<Vec<GatheredRows>> {
        let number =
            if self.of_numbers()? { self.target.as_float() } else { self.sql.literal(0.0) };
        let mut columns = vec![format!("{number} AS number")];
        columns.extend(self.features.iter().map(|column| column.alias().to_string()));
        let units = if self.has_units() { "__u" } else { "1" };
        let names: String = self.features.iter().map(|x| format!(", {}", x.alias())).collect();
        let rows = self.rows_of(tree, nodes, &columns)?;
        let n_columns = 4 + self.features.len();
        let sql = format!("SELECT __n, __c, {units}, number{names} FROM {rows}");
        let mut of_nodes: Vec<Vec<RecordBatch>> = vec![Vec::new(); nodes.len()];
        for batch in &self.run(n_columns, &sql)?.into_batches() {
            let mut rows: Vec<Vec<u32>> = vec![Vec::new(); nodes.len()];
            let places = Answer::new(vec![batch.clone()], n_columns)?.indices(0, nodes.len())?;
            for (row, place) in (0..).zip(places) {
                rows[place].push(row);
            }
            for (batches, rows) in of_nodes.iter_mut().zip(rows) {
                if !rows.is_empty() {
                    batches.push(
                        take_record_batch(batch, &UInt32Array::from(rows)).map_err(arrow_error)?,
                    );
                }
            }
        }
        let answers = of_nodes.into_iter().map(|batches| Answer::new(batches, n_columns));
        answers.map(|answer| self.rows_of_node(&answer?)).collect()
    }

    fn rows_of_node(&self, answer: &Answer) -> Result<GatheredRows> {
        let columns = self.features.iter().enumerate();
        let columns = columns.map(|(at, column)| column.cells(answer, 4 + at));
        let target = match &self.coding()?.target {
            TargetCoding::Numbers(_) => {
                let numbers: Option<Vec<f64>> = answer.floats(3)?.into_iter().collect();
                GatheredTarget::Numbers(numbers.ok_or_else(|| lost("a target that is missing"))?)
            }
            TargetCoding::Classes { n_classes, .. } => {
                let classes = answer.indices(1, *n_classes)?;
                GatheredTarget::Classes(classes.iter().map(|&class| class as u16).collect())
            }
        };
        let units = if self.has_units() { Some(answer.counts(2)?) } else { None };
        Ok(GatheredRows { columns: columns.collect::<Result<_>>()?, target, units })
    }
}
