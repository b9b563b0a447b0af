//! Finding bins in arrays, for engines that compile a query: a long `CASE` makes more code than their
//! compilers take, and the code of this does not grow with the columns.
//!
//! A row becomes a cell per column first. Each step of the binary search is a query around the one
//! before, so that no step is written twice.

use std::collections::HashMap;
use std::sync::Arc;

use super::SqlStore;
use super::counts::{Batch, KeyParts};
use crate::data::dtype::keys::value_of_key;
use crate::error::Result;
use crate::external::{Bins, CountRequest};

impl SqlStore<'_> {
    /// The cells of columns of one type, whose bins are intervals.
    pub(super) fn searched_cells(
        &self,
        request: &CountRequest,
        batch: &Batch,
        parts: &KeyParts,
    ) -> Result<String> {
        let sql = self.sql.counting;
        let mut values = Vec::new();
        for &column in batch.columns.keys() {
            let of = &self.features[column as usize];
            let (known, (_, x)) = (of.ordered()?.known(), of.searched());
            values.push(format!("CASE WHEN {known} THEN {x} END"));
        }
        let rows = self.rows_of(request.tree, &batch.nodes, &self.names(batch))?;
        let carried = &parts.carried;
        let cells = sql.cells(&values, "__v", Some("__f"), &format!(", __n, __c{carried}"), &rows);
        let starts = self.starts_of_cells(request, batch, parts)?;
        let cells =
            format!("SELECT __v, __f, __n, __c{carried}, {starts} AS __s FROM ({cells}) AS cell");
        // A condition on what the steps find would be written into the first of them, with all steps.
        let mut search = format!(
            "SELECT __v, __f, __n, __c{carried}, __s, 0 AS __i FROM ({cells}) AS cell \
             WHERE __s IS NOT NULL"
        );
        // A width has a bin more than there are starts, and one for missing values.
        let n_steps = parts.width.saturating_sub(2).checked_ilog2().map_or(0, |log| log + 1);
        for step in (0..n_steps).rev().map(|power| 1 << power) {
            let start = sql.element("__s", &format!("__i + {}", step - 1));
            search = format!(
                "SELECT __v, __f, __n, __c{carried}, __s, \
                 CASE WHEN __v >= {start} THEN __i + {step} ELSE __i END AS __i \
                 FROM ({search}) AS step"
            );
        }
        let bin = format!("CASE WHEN __v IS NULL THEN {} ELSE __i END", parts.width - 1);
        let (key, beside) = (parts.key("__f", &bin), parts.beside());
        Ok(format!("(SELECT {key} AS __k{beside} FROM ({search}) AS step) AS cells"))
    }

    /// The array of a cell's starts, null where its node does not ask for the column. Bins that
    /// several ask for are written once.
    fn starts_of_cells(
        &self,
        request: &CountRequest,
        batch: &Batch,
        parts: &KeyParts,
    ) -> Result<String> {
        let sql = self.sql.counting;
        let mut arrays = Vec::new();
        let mut number_of = HashMap::new();
        let mut numbers = vec!["NULL".to_string(); batch.nodes.len() * parts.n_columns()];
        for (place, (&column, asked)) in batch.columns.iter().enumerate() {
            let of = &self.features[column as usize];
            for asked in asked.iter().map(|&at| &request.bins[at]) {
                let number = match number_of.get(&(column, Arc::as_ptr(&asked.bins))) {
                    Some(&number) => number,
                    None => {
                        let Bins::Starts(starts) = &*asked.bins else { continue };
                        let x = of.ordered()?;
                        let literal = |&key: &i128| x.cut(&value_of_key(&of.store.dtype, key));
                        let starts = starts.iter().map(literal).collect::<Result<Vec<_>>>()?;
                        arrays.push(sql.array(&starts));
                        number_of.insert((column, Arc::as_ptr(&asked.bins)), arrays.len() - 1);
                        arrays.len() - 1
                    }
                };
                numbers[batch.place_of[&asked.node] * parts.n_columns() + place] =
                    number.to_string();
            }
        }
        let number =
            sql.element(&sql.array(&numbers), &format!("__n * {} + __f", parts.n_columns()));
        Ok(sql.element(&sql.array(&arrays), &number))
    }
}
