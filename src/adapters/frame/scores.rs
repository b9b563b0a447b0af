//! Rows of DataFrames to score, and the columns that scoring makes.

use std::ops::Range;

use polars::prelude::{
    ChunkedArray, Column, DataFrame, IntoColumn, PolarsNumericType, PolarsResult, Series,
};

use super::columns::frame_column::FrameColumn;
use super::columns::names;
use super::columns::physical::match_numeric;
use super::columns::values::values_as;
use super::tables::{column_of, gather};
use crate::data::dtype::DType;
use crate::error::Result;
use crate::fitted::{Forest, Tree};
use crate::score::{BatchedRows, INLINE_ROWS, RouteStats, Routes, Scorable, Voting};
use crate::verbs::score::{ForestScores, RowsToScore};
use crate::verbs::table::ResultColumn;

pub(crate) struct FrameToScore<'a> {
    df: &'a DataFrame,
    /// The columns' names where it is a whole table: error messages list them, and number rows.
    table: Option<Vec<&'a str>>,
}

impl<'a> FrameToScore<'a> {
    /// All rows of a table.
    pub(crate) fn whole(df: &'a DataFrame) -> Self {
        FrameToScore { df, table: Some(names(df)) }
    }

    #[cfg(feature = "lazy")]
    pub(crate) fn of_query(df: &'a DataFrame) -> Self {
        FrameToScore { df, table: None }
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.df.height()
    }

    /// The rows, routed down a tree batch by batch.
    fn batches(
        &self,
        tree: &Tree,
    ) -> BatchedRows<impl Fn(Range<usize>, &mut [u32]) -> Result<RouteStats> + Sync> {
        let route = move |rows: Range<usize>, nodes: &mut [u32]| {
            let (first, known) = self.place(&rows);
            tree.prepared().route(nodes, first, |name| self.source(name, &rows), known)
        };
        BatchedRows { n_rows: self.n_rows(), route }
    }

    fn source(&self, name: &str, rows: &Range<usize>) -> Result<Option<FrameColumn>> {
        let column = self.df.column(name).ok();
        let column = column.map(|whole| whole.slice(rows.start as i64, rows.len()));
        column.as_ref().map(FrameColumn::of_model).transpose()
    }

    /// For messages: the number of the first of some rows, if known, and the names of the columns.
    fn place(&self, rows: &Range<usize>) -> (Option<usize>, &[&'a str]) {
        (self.table.as_ref().map(|_| rows.start), self.table.as_deref().unwrap_or_default())
    }
}

impl RowsToScore for FrameToScore<'_> {
    type Column = Column;

    fn routes(&self, tree: &Tree) -> Result<Routes> {
        self.batches(tree).routes()
    }

    fn ends(&self, tree: &Tree) -> Result<impl Scorable> {
        Ok(self.batches(tree))
    }

    /// Batch by batch, so that the shares of all classes are there for one batch at a time.
    fn answers(&self, forest: &Forest, voting: Voting, wants_shares: bool) -> Result<ForestScores> {
        let mut all = ForestScores::of_no_rows(forest.schema(), wants_shares);
        let (n_rows, n_classes) = (self.n_rows(), forest.schema().classes.len());
        // Columns are checked where there are no rows, too.
        for start in (0..n_rows.max(1)).step_by(INLINE_ROWS) {
            let rows = start..n_rows.min(start + INLINE_ROWS);
            let (first, known) = self.place(&rows);
            let source = |name: &str| self.source(name, &rows);
            let some = forest.prepared().answers(rows.len(), first, voting, source, known)?;
            all.append(some, n_classes);
        }
        Ok(all)
    }

    fn column(name: &str, values: ResultColumn) -> Result<Column> {
        column_of(name, values)
    }

    fn labels(name: &str, tree: &Tree, ends: impl Scorable) -> Result<(Column, u64)> {
        let dtype = &tree.schema().target_dtype;
        let labels = values_as(name, dtype, tree.schema().classes.iter())?;
        let labels = labels.as_materialized_series();
        match dtype {
            // Polars keeps the scale beside the integers, so that they cannot be written alone.
            DType::Decimal { .. } => gathered(labels, tree, ends),
            dtype => match_numeric!(
                dtype,
                labels,
                |labels, _native| numbers(labels, tree, ends),
                else gathered(labels, tree, ends)
            ),
        }
    }
}

/// The predictions by their classes: Polars gathers the labels.
fn gathered(labels: &Series, tree: &Tree, ends: impl Scorable) -> Result<(Column, u64)> {
    let classes = tree.prepared().class_outputs(|class| class as u32);
    let (classes, absent_levels) = ends.score(&classes)?;
    Ok((gather(labels, &classes)?, absent_levels))
}

/// The predictions where the labels are plain numbers, which are written directly.
fn numbers<T: PolarsNumericType>(
    labels: PolarsResult<&ChunkedArray<T>>,
    tree: &Tree,
    ends: impl Scorable,
) -> Result<(Column, u64)>
where
    ChunkedArray<T>: IntoColumn,
{
    let labels = labels?;
    let of_class: Vec<T::Native> = labels.into_no_null_iter().collect();
    let (of_rows, absent_levels) =
        ends.score(&tree.prepared().class_outputs(|class| of_class[class]))?;
    let column = ChunkedArray::<T>::from_vec(labels.name().clone(), of_rows).into_column();
    Ok((column, absent_levels))
}
