//! Looking closer at ranges of values: the cells of the rows are joined with a small table of them.
//!
//! A cell is a value of a row in a column. The join goes by node, column and a coarse bin of the value,
//! packed into one number, so it costs the same however many ranges there are.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::SqlStore;
use super::searched::SearchedStarts;
use crate::data::dtype::{DType, key_after, value_of_key};
use crate::error::{Error, Result};
use crate::external::{Bins, GrowingTree, KeyRange};

/// A range of values that a query looks at.
pub(super) struct AskedRange {
    pub(super) node: u32,
    pub(super) column: u32,
    pub(super) range: KeyRange,
    /// What else is in its lines of the table, in SQL.
    pub(super) said: Vec<String>,
}

#[derive(Default)]
struct RangeBatch {
    nodes: BTreeSet<u32>,
    columns: BTreeSet<u32>,
    ranges: Vec<AskedRange>,
    length: usize,
}

/// Where no coarse bins are known, all values are in one.
static ONE_BIN: Bins = Bins::Starts(Vec::new());

impl SqlStore<'_> {
    /// The coarse bins of a column: the first that it was counted in.
    fn index(&self, column: u32) -> &Bins {
        self.index.get(&column).map_or(&ONE_BIN, |bins| bins)
    }

    /// Queries of the cells in ranges. A cell has its value, `__v`; its class, `__c`; the columns
    /// `carried` of its row, a list that begins with a comma; and what is said of its range, by these
    /// names. The columns of a query are of one type, and one of them comes with it.
    pub(super) fn cells_in_ranges(
        &self,
        tree: &GrowingTree,
        asked: Vec<AskedRange>,
        names: &[&str],
        carried: &str,
    ) -> Result<Vec<(u32, String)>> {
        let mut full = Vec::new();
        let mut batches: BTreeMap<String, RangeBatch> = BTreeMap::new();
        for range in asked {
            let batch =
                batches.entry(self.features[range.column as usize].type_name()).or_default();
            let is_new_node = !batch.nodes.contains(&range.node);
            let is_new_column = !batch.columns.contains(&range.column);
            let n_nodes = batch.nodes.len() + usize::from(is_new_node);
            let n_columns = batch.columns.len() + usize::from(is_new_column);
            let mut length = 100 + range.said.iter().map(String::len).sum::<usize>();
            if is_new_column {
                length += self.length_of(range.column, self.index(range.column));
            }
            let rows = self.length_of_rows(n_nodes, n_columns);
            if batch.length + length + rows > self.most_characters && !batch.ranges.is_empty() {
                full.push(std::mem::take(batch));
            }
            batch.length += length;
            batch.nodes.insert(range.node);
            batch.columns.insert(range.column);
            batch.ranges.push(range);
        }
        let batches = full.into_iter().chain(batches.into_values());
        batches
            .filter_map(|batch| {
                let first = *batch.columns.first()?;
                let cells = self.joined_cells(tree, &batch, names, carried);
                Some(cells.map(|cells| (first, cells)))
            })
            .collect()
    }

    fn joined_cells(
        &self,
        tree: &GrowingTree,
        batch: &RangeBatch,
        names: &[&str],
        carried: &str,
    ) -> Result<String> {
        let sql = self.sql.counting;
        let nodes: Vec<u32> = batch.nodes.iter().copied().collect();
        let width = batch.columns.iter().map(|&column| self.index(column).len()).max().unwrap_or(1);
        let n_columns = batch.columns.len();
        let number_of: HashMap<u32, usize> = batch.columns.iter().copied().zip(0..).collect();
        let cells = self.indexed_cells(tree, &nodes, &batch.columns, width, carried)?;

        let mut lines = Vec::new();
        let (mut any_first, mut any_after) = (false, false);
        for AskedRange { node, column, range, said } in &batch.ranges {
            let of = &self.features[*column as usize];
            let (x, dtype) = (of.ordered()?, &of.store.dtype);
            let KeyRange { first, last } = *range;
            let after = if last == i128::MAX { None } else { key_after(dtype, last) };
            let first_of = if first == i128::MIN { None } else { Some(first) };
            let literal = |key: Option<i128>| match key {
                Some(key) => Ok(sql.compared(&x.cut(&value_of_key(dtype, key))?, dtype)),
                None => Ok::<_, Error>("NULL".to_string()),
            };
            any_first |= first_of.is_some();
            any_after |= after.is_some();
            let bounds = format!("{}, {}", literal(first_of)?, literal(after)?);
            let said: String = said.iter().map(|said| format!(", {said}")).collect();
            let starts = self.index(*column).starts().unwrap_or_default();
            let coarse = |key: i128| starts.partition_point(|&start| start <= key);
            let place = nodes.partition_point(|of| of < node);
            let of_node = (place * n_columns + number_of[column]) * width;
            for bin in coarse(first)..=coarse(last) {
                lines.push(format!("({}, {bounds}{said})", of_node + bin));
            }
        }
        let of_type =
            batch.columns.first().map(|&column| &self.store_columns[column as usize].dtype);
        let v = sql.compared("__v", of_type.unwrap_or(&DType::Null));
        // A bound that no range has is of no type that engines compare with.
        let mut within = String::new();
        if any_first {
            within += &format!(" AND coalesce({v} >= __first, TRUE)");
        }
        if any_after {
            within += &format!(" AND coalesce({v} < __after, TRUE)");
        }
        let names: String = names.iter().map(|name| format!(", {name}")).collect();
        Ok(format!(
            "(SELECT __v, __c{carried}{names} FROM ({cells}) AS cells \
             JOIN (VALUES {}) AS ranges(__at, __first, __after{names}) ON __q = __at{within}) AS found",
            lines.join(", ")
        ))
    }

    /// The known cells of some nodes and columns of one type; `__q` is node, column and coarse bin.
    fn indexed_cells(
        &self,
        tree: &GrowingTree,
        nodes: &[u32],
        columns: &BTreeSet<u32>,
        width: usize,
        carried: &str,
    ) -> Result<String> {
        let sql = self.sql.counting;
        let n_columns = columns.len();
        let (mut values, mut names) = (Vec::new(), Vec::new());
        for &column in columns {
            let of = &self.features[column as usize];
            values.push(of.cell()?);
            names.push(of.alias().to_string());
        }
        let rows = self.rows_of(tree, nodes, &names)?;
        let columns = columns.iter().copied().enumerate();
        if !sql.searches_arrays() {
            let places = columns.map(|(number, column)| {
                let known = self.features[column as usize].ordered()?.known();
                let bin = self.known_bin(column, self.index(column))?;
                let place = format!("(__n * {n_columns} + {number}) * {width} + {bin}");
                Ok(format!("CASE WHEN {known} THEN {place} END"))
            });
            let lists = [("__q", places.collect::<Result<_>>()?), ("__v", values)];
            return Ok(sql.cells(None, &lists, &format!(", __c{carried}"), &rows));
        }
        let mut starts = SearchedStarts::new(nodes.len(), n_columns);
        for (number, column) in columns {
            let array = starts.add(self.starts_of(column, self.index(column))?);
            (0..nodes.len()).for_each(|node| starts.set(node, number, array));
        }
        let beside = format!(", __n, __c{carried}");
        let cells = sql.cells(Some("__f"), &[("__v", values)], &beside, &rows);
        let cells = format!("SELECT * FROM ({cells}) AS cells WHERE __v IS NOT NULL");
        let found = self.searched(&cells, carried, &starts);
        Ok(format!(
            "SELECT (__n * {n_columns} + __f) * {width} + __i AS __q, __v, __c{carried} \
             FROM ({found}) AS found"
        ))
    }
}
