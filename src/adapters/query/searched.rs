//! Finding intervals in arrays of their starts, for engines that compile a query: a long `CASE` makes
//! more code than their compilers take, and the code of this does not grow with the columns.
//!
//! A row becomes a cell per column first. Each step of the binary search is a query around the one
//! before, so that no step is written twice.

use std::collections::HashMap;
use std::sync::Arc;

use super::SqlStore;
use super::bin_batch::{BinBatch, KeyParts};
use crate::data::dtype::value_of_key;
use crate::error::Result;
use crate::external::{Bins, CountRequest};

/// The starts that the cells of a query are searched for in: arrays, and the number of the array that a
/// cell has. Cells are numbered by node, and in a node by column.
pub(super) struct SearchedStarts {
    arrays: Vec<Vec<String>>,
    number_of_cell: Vec<Option<usize>>,
    n_columns: usize,
}

impl SearchedStarts {
    pub(super) fn new(n_nodes: usize, n_columns: usize) -> SearchedStarts {
        let number_of_cell = vec![None; n_nodes * n_columns];
        SearchedStarts { arrays: Vec::new(), number_of_cell, n_columns }
    }

    pub(super) fn add(&mut self, starts: Vec<String>) -> usize {
        self.arrays.push(starts);
        self.arrays.len() - 1
    }

    pub(super) fn set(&mut self, node: usize, column: usize, number: usize) {
        self.number_of_cell[node * self.n_columns + column] = Some(number);
    }
}

impl SqlStore<'_> {
    /// A query that adds to the cells of another one, of nodes `__n` and columns `__f`, the number of
    /// the starts at or below their value `__v`, as `__i`. Cells that have no array are left out.
    pub(super) fn searched(&self, cells: &str, carried: &str, starts: &SearchedStarts) -> String {
        let sql = self.sql.counting;
        let numbers = starts.number_of_cell.iter();
        let numbers = numbers
            .map(|number| number.map_or_else(|| "NULL".to_string(), |number| number.to_string()));
        let numbers = sql.array(&numbers.collect::<Vec<_>>());
        let number = sql.element(&numbers, &format!("__n * {} + __f", starts.n_columns));
        let arrays: Vec<String> = starts.arrays.iter().map(|array| sql.array(array)).collect();
        let array = sql.element(&sql.array(&arrays), &number);
        // A condition on what the steps find would be written into the first of them, with all steps.
        let mut search = format!(
            "SELECT __v, __f, __n, __c{carried}, __s, 0 AS __i FROM \
             (SELECT __v, __f, __n, __c{carried}, {array} AS __s FROM ({cells}) AS cell) AS cell \
             WHERE __s IS NOT NULL"
        );
        let longest = starts.arrays.iter().map(Vec::len).max().unwrap_or(0);
        let n_steps = longest.checked_ilog2().map_or(0, |log| log + 1);
        for step in (0..n_steps).rev().map(|power| 1 << power) {
            let start = sql.element("__s", &format!("__i + {}", step - 1));
            search = format!(
                "SELECT __v, __f, __n, __c{carried}, __s, \
                 CASE WHEN __v >= {start} THEN __i + {step} ELSE __i END AS __i \
                 FROM ({search}) AS step"
            );
        }
        search
    }

    /// The cells of columns of one type, whose bins are intervals.
    pub(super) fn searched_cells(
        &self,
        request: &CountRequest,
        batch: &BinBatch,
        parts: &KeyParts,
    ) -> Result<String> {
        let mut values = Vec::new();
        let mut starts = SearchedStarts::new(batch.nodes.len(), batch.columns.len());
        // Bins that several nodes ask for are written once.
        let mut number_of = HashMap::new();
        for (place, (&column, asked)) in batch.columns.iter().enumerate() {
            let of = &self.features[column as usize];
            values.push(of.cell()?);
            for asked in asked.iter().map(|&at| &request.bins[at]) {
                let of_bins = (column, Arc::as_ptr(&asked.bins));
                let number = match number_of.get(&of_bins) {
                    Some(&number) => number,
                    None => {
                        let number = starts.add(self.starts_of(column, &asked.bins)?);
                        *number_of.entry(of_bins).or_insert(number)
                    }
                };
                starts.set(batch.place_of[&asked.node], place, number);
            }
        }
        let rows = self.rows_of(request.tree, &batch.nodes, &self.names(batch))?;
        let carried = &parts.carried;
        let beside = format!(", __n, __c{carried}");
        let cells = self.sql.counting.cells(Some("__f"), &[("__v", values)], &beside, &rows);
        let search = self.searched(&cells, carried, &starts);
        let bin = format!("CASE WHEN __v IS NULL THEN {} ELSE __i END", parts.width - 1);
        let (key, beside) = (parts.key("__f", &bin), parts.beside());
        Ok(format!("(SELECT {key} AS __k{beside} FROM ({search}) AS step) AS cells"))
    }

    pub(super) fn starts_of(&self, column: u32, bins: &Bins) -> Result<Vec<String>> {
        let of = &self.features[column as usize];
        let x = of.ordered()?;
        let starts = bins.starts().unwrap_or_default().iter();
        starts.map(|&key| x.cut(&value_of_key(&of.store.dtype, key))).collect()
    }
}
