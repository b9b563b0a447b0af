//! A table that many trees are grown on. Growth reads it, and rearranges orders of rows of its
//! own alone: a tree's own memory is the orders of its rows, four bytes a row and presorted column.

use std::borrow::Cow;

use super::arena::schema_of;
use super::grown_rows::GrownRows;
use super::growth_table::GrowthTable;
use super::sample::Sample;
use crate::data::target::Target;
use crate::data::weights::Weights;
use crate::encode::encoded_rows::EncodedRows;
use crate::encode::table::Table;
use crate::error::Result;
use crate::spec::{ClassWeights, TreeSpec};
use crate::tree::{Schema, TreeData};

/// An encoded table that any number of trees are grown on, also at the same time.
///
/// ```
/// # use gaintree::engine::{ColumnData, DType, Kinds, Source, Table, dtype};
/// use gaintree::TreeSpec;
/// use gaintree::engine::{Sample, SharedTable, grow_sample};
/// # struct Numbers(&'static str, DType, Vec<i64>);
/// # impl Source for Numbers {
/// #     fn name(&self) -> &str { self.0 }
/// #     fn dtype(&self) -> &DType { &self.1 }
/// #     fn cells(&self) -> ColumnData {
/// #         ColumnData::Keys(self.2.iter().map(|&x| dtype::key_of_i64(x)).collect(), None)
/// #     }
/// # }
/// # let x = Numbers("x", DType::I64, vec![1, 2, 3, 4]);
/// # let y = Numbers("y", DType::I64, vec![0, 0, 1, 1]);
/// let table = SharedTable::new(Table::encode(&[x], &y, None, Kinds::default())?);
/// // Row 0 is left out, and row 3 counts twice.
/// let bootstrap = Sample { weights: Some(&[0.0, 1.0, 1.0, 2.0]), ..Sample::default() };
/// let tree = grow_sample(&table, &bootstrap, &TreeSpec::cart())?;
/// assert_eq!(tree.class_counts(0), [1.0, 3.0]);
/// # Ok::<(), gaintree::Error>(())
/// ```
pub struct SharedTable {
    table: GrowthTable,
    orders: Vec<Vec<u32>>,
}

impl SharedTable {
    /// Packs the columns of few levels, in time linear in their rows; others are moved.
    pub fn new(table: Table) -> SharedTable {
        let (table, orders) = GrowthTable::new(table);
        SharedTable { table, orders }
    }

    /// The number of rows of positive weight.
    pub fn n_rows(&self) -> usize {
        self.table.n_rows()
    }

    /// The number of features.
    pub fn n_features(&self) -> usize {
        self.table.columns.len()
    }

    /// The weights of all rows; `None` if all are 1.
    pub(crate) fn weights(&self) -> Option<&Weights> {
        self.table.weights.as_ref()
    }

    /// Some rows of a column, to be scored.
    pub(crate) fn encoded_rows(&self, name: &str, rows: &[u32]) -> Option<EncodedRows<'_>> {
        let mut columns = (0..).zip(&self.table.columns);
        let (column, _) = columns.find(|(_, column)| column.name == name)?;
        Some(self.table.encoded_rows(column, rows.iter().copied()))
    }

    pub(crate) fn target(&self) -> &Target {
        &self.table.target
    }

    /// The weights of all rows times the weights of their classes (`None` if all are 1), and the
    /// weight of each class; none where classes weigh the same.
    pub(crate) fn class_weighted(
        &self,
        of_classes: &ClassWeights,
    ) -> Result<(Option<Cow<'_, Weights>>, Vec<f64>)> {
        let GrowthTable { target, weights, .. } = &self.table;
        target.class_weighted(None, weights.as_ref().map(Cow::Borrowed), of_classes)
    }

    /// The weight of each class, by the rows' own weights; empty where the target is a number.
    pub(crate) fn class_totals(&self) -> Vec<f64> {
        let GrowthTable { target, weights, .. } = &self.table;
        target.class_totals(weights.as_ref())
    }

    /// The schema of a forest on the table, whose rules use some columns, by index. A missing value is
    /// an error where the spec allows none.
    pub(crate) fn schema(&self, used: &[u32], spec: &TreeSpec) -> Result<Schema> {
        let has_missing = self.table.has_missing(None, None, spec)?;
        let mut is_used = vec![false; self.n_features()];
        used.iter().for_each(|&feature| is_used[feature as usize] = true);
        let columns = self.table.columns.iter().zip(has_missing);
        Ok(schema_of(&self.table.target, columns, &is_used))
    }

    pub(crate) fn grow(
        &self,
        sample: &Sample,
        spec: &TreeSpec,
    ) -> Result<(TreeData, GrownRows<'_>)> {
        self.table.grow(Cow::Borrowed(&self.orders), sample, spec)
    }
}
