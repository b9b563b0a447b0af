//! The columns of one table as the verbs read them, each in chunks of its own.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions, UInt32Array, new_empty_array};
use arrow_schema::{FieldRef, Schema, SchemaRef};
use arrow_select::take::take;

use super::chunked_column::ChunkedColumn;
use super::chunks::{joined, rows_of};
use super::groups::groups;
use super::named_array::NamedArray;
use crate::adapters::record_batch::tables::{array_of, batch_of};
use crate::adapters::record_batch::{arrow_error, in_pool};
use crate::error::{Error, Result, no_such_column};
use crate::score::Voting;
use crate::verbs::frame::{ColumnOrReason, Frame, NamedColumns, Needed, RowGroups, sealed};
use crate::verbs::frame_to_score::FrameToScore;
use crate::verbs::model_ref::ModelRef;
use crate::verbs::score_spec::ScoreSpec;
use crate::verbs::table::ResultColumn;
use crate::verbs::{MeasuredColumn, RowAnswer};

/// A column: its field, and its values in chunks of the field's type.
pub type ColumnChunks = (FieldRef, Vec<ArrayRef>);

/// The columns of one table. Each is in chunks of its own, as in the Arrow C stream of a column.
///
/// It is a [`Frame`]: the verbs take it as they take record batches, and no value is copied.
#[derive(Clone, Debug)]
pub struct ChunkedColumns {
    schema: SchemaRef,
    /// The first column of each name, and whether there are more.
    indices: Arc<HashMap<String, (usize, bool)>>,
    /// Of each column at least one.
    chunks: Arc<Vec<Vec<ArrayRef>>>,
    n_rows: usize,
}

impl ChunkedColumns {
    /// The table of some columns of `n_rows` rows.
    ///
    /// # Errors
    /// A chunk that is not of its field's type, and a column of another length.
    pub fn new(columns: Vec<ColumnChunks>, n_rows: usize) -> Result<Self> {
        for column in &columns {
            check_chunks(column)?;
            let (field, length) = (&column.0, column.n_rows());
            if length != n_rows {
                return Err(Error::data(format!(
                    "column `{}` ({}) has {length} rows, and the table {n_rows}",
                    field.name(),
                    field.data_type()
                )));
            }
        }
        let (fields, chunks): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
        Ok(ChunkedColumns::of_schema(Arc::new(Schema::new(fields)), chunks, n_rows))
    }

    /// Some rows that follow each other, without a copy; those past the end are left out.
    pub fn slice(&self, rows: Range<usize>) -> Self {
        let rows = rows.start.min(self.n_rows)..rows.end.min(self.n_rows);
        let chunks = self.chunks.iter().map(|chunks| sliced(chunks, &rows));
        self.with_chunks(chunks.collect(), rows.len())
    }

    /// A table without rows.
    pub(crate) fn empty(schema: &Schema) -> Self {
        let chunks = vec![Vec::new(); schema.fields().len()];
        ChunkedColumns::of_schema(Arc::new(schema.clone()), chunks, 0)
    }

    /// The table whose rows stand in some batches. There must be at least one batch.
    pub(crate) fn of_batches(batches: &[RecordBatch]) -> Result<Self> {
        let Some(first) = batches.first() else {
            return Err(Error::data(
                "no record batch, and so no columns: pass at least one, if need be without rows",
            ));
        };
        let schema = first.schema_ref();
        for (i, batch) in batches.iter().enumerate() {
            check_columns(schema, batch.schema_ref(), i)?;
        }
        // A column may be nullable in some of the batches.
        let field = |(at, field): (usize, &FieldRef)| {
            let is_nullable = batches.iter().any(|b| b.schema_ref().field(at).is_nullable());
            match field.is_nullable() == is_nullable {
                true => field.clone(),
                false => Arc::new(field.as_ref().clone().with_nullable(is_nullable)),
            }
        };
        let fields: Vec<FieldRef> = schema.fields().iter().enumerate().map(field).collect();
        let column = |at| batches.iter().map(|batch| batch.column(at).clone()).collect();
        let chunks = (0..fields.len()).map(column).collect();
        let schema = Schema::new_with_metadata(fields, schema.metadata().clone());
        let n_rows = batches.iter().map(RecordBatch::num_rows).sum();
        Ok(ChunkedColumns::of_schema(Arc::new(schema), chunks, n_rows))
    }

    fn of_schema(schema: SchemaRef, chunks: Vec<Vec<ArrayRef>>, n_rows: usize) -> Self {
        let mut indices = HashMap::new();
        for (index, field) in schema.fields().iter().enumerate() {
            let known = indices.entry(field.name().clone());
            known.and_modify(|(_, twice)| *twice = true).or_insert((index, false));
        }
        ChunkedColumns { schema, indices: Arc::new(indices), chunks: Arc::default(), n_rows: 0 }
            .with_chunks(chunks, n_rows)
    }

    /// The same columns with other rows.
    fn with_chunks(&self, mut chunks: Vec<Vec<ArrayRef>>, n_rows: usize) -> Self {
        for (chunks, field) in chunks.iter_mut().zip(self.schema.fields()) {
            if chunks.is_empty() {
                chunks.push(new_empty_array(field.data_type()));
            }
        }
        ChunkedColumns { chunks: Arc::new(chunks), n_rows, ..self.clone() }
    }

    /// The column of a name, or of some rows of it.
    fn chunks_or_reason(
        &self,
        name: &str,
        some: impl FnOnce(&[ArrayRef]) -> Vec<ArrayRef>,
    ) -> Option<ColumnOrReason<ChunkedColumn>> {
        let &(index, twice) = self.indices.get(name)?;
        let field = &self.schema.fields()[index];
        if twice {
            return Some(ColumnOrReason::Excluded {
                name: name.to_string(),
                dtype: field.data_type().to_string(),
                reason: "several columns have this name: rename all but one".to_string(),
            });
        }
        Some(ChunkedColumn::column_or_reason(field, some(&self.chunks[index])))
    }

    /// All rows of a column in one array.
    fn whole(&self, index: usize) -> Result<ArrayRef> {
        joined(&self.chunks[index])
    }
}

impl From<RecordBatch> for ChunkedColumns {
    fn from(batch: RecordBatch) -> Self {
        let chunks = batch.columns().iter().map(|column| vec![column.clone()]).collect();
        ChunkedColumns::of_schema(batch.schema(), chunks, batch.num_rows())
    }
}

/// Refuses a chunk that is not of its field's type.
pub(super) fn check_chunks((field, chunks): &ColumnChunks) -> Result<()> {
    match chunks.iter().find(|chunk| chunk.data_type() != field.data_type()) {
        None => Ok(()),
        Some(other) => Err(Error::data(format!(
            "column `{}` ({}) has a chunk of {}: cast it to one type",
            field.name(),
            field.data_type(),
            other.data_type()
        ))),
    }
}

/// Refuses a batch whose columns are others than those of the first. Nullability and metadata may
/// differ.
fn check_columns(first: &Schema, other: &Schema, i: usize) -> Result<()> {
    if other.fields().len() != first.fields().len() {
        return Err(Error::data(format!(
            "batch {i} has {} columns and the first {}: pass the batches of one table",
            other.fields().len(),
            first.fields().len()
        )));
    }
    for (a, b) in first.fields().iter().zip(other.fields()) {
        if a.name() != b.name() || a.data_type() != b.data_type() {
            return Err(Error::data(format!(
                "batch {i} has column `{}` ({}) where the first has `{}` ({}): pass the \
                 batches of one table, or cast them to one schema",
                b.name(),
                b.data_type(),
                a.name(),
                a.data_type()
            )));
        }
    }
    Ok(())
}

/// The parts of chunks that hold some rows.
fn sliced(chunks: &[ArrayRef], rows: &Range<usize>) -> Vec<ArrayRef> {
    let mut start = 0;
    let mut parts = Vec::new();
    for chunk in chunks {
        let end = start + chunk.len();
        let (from, to) = (rows.start.max(start), rows.end.min(end));
        if from < to {
            parts.push(chunk.slice(from - start, to - from));
        }
        start = end;
    }
    parts
}

impl NamedColumns for ChunkedColumns {
    type Column = ChunkedColumn;
    type Keys = Vec<NamedArray>;
    type Table = RecordBatch;

    fn n_rows(&self) -> usize {
        self.n_rows
    }

    fn names(&self) -> Vec<&str> {
        self.schema.fields().iter().map(|field| field.name().as_str()).collect()
    }

    fn column_or_reason(&self, name: &str) -> Option<ColumnOrReason<ChunkedColumn>> {
        self.chunks_or_reason(name, <[ArrayRef]>::to_vec)
    }

    fn part_or_reason(
        &self,
        name: &str,
        rows: &Range<usize>,
    ) -> Option<ColumnOrReason<ChunkedColumn>> {
        self.chunks_or_reason(name, |chunks| sliced(chunks, rows))
    }

    fn rows(&self, rows: &[u32]) -> Result<ChunkedColumns> {
        let chunks = self.chunks.iter().map(|chunks| Ok(vec![rows_of(chunks, rows)?]));
        Ok(self.with_chunks(chunks.collect::<Result<_>>()?, rows.len()))
    }

    fn select(&self, names: &[String]) -> Result<ChunkedColumns> {
        let index = |name: &String| match self.indices.get(name) {
            Some((index, _)) => Ok(*index),
            None => Err(no_such_column("column", name, &self.names())),
        };
        let indices = names.iter().map(index).collect::<Result<Vec<_>>>()?;
        let schema = self.schema.project(&indices).map_err(arrow_error)?;
        let chunks = indices.iter().map(|&index| self.chunks[index].clone()).collect();
        Ok(ChunkedColumns::of_schema(Arc::new(schema), chunks, self.n_rows))
    }

    fn slice(&self, rows: Range<usize>) -> ChunkedColumns {
        ChunkedColumns::slice(self, rows)
    }

    fn append(&self, later: &ChunkedColumns) -> Result<ChunkedColumns> {
        check_columns(&self.schema, &later.schema, 1)?;
        let both = self.chunks.iter().zip(later.chunks.iter());
        let chunks = both.map(|(chunks, later)| [&chunks[..], later].concat()).collect();
        Ok(self.with_chunks(chunks, self.n_rows + later.n_rows))
    }

    fn groups(&self, by: &[String], kept: Option<&[u32]>) -> Result<RowGroups<Self::Keys>> {
        groups(self, by, kept)
    }

    fn table_of_groups<'a>(
        keys: &Self::Keys,
        groups: &[u32],
        results: impl Iterator<Item = (&'a str, ResultColumn<'a>)>,
    ) -> Result<RecordBatch> {
        let lines = UInt32Array::from(groups.to_vec());
        let of_line = |key: &NamedArray| {
            let array = take(&key.array, &lines, None).map_err(arrow_error)?;
            Ok(NamedArray { array, ..key.clone() })
        };
        let keys = keys.iter().map(of_line);
        batch_of(keys.chain(results.map(|(name, values)| array_of(name, values))))
    }

    fn scored(
        &self,
        model: ModelRef,
        kept: &[usize],
        spec: &ScoreSpec,
    ) -> Result<(RecordBatch, u64)> {
        let mut fields: Vec<FieldRef> =
            kept.iter().map(|&at| self.schema.fields()[at].clone()).collect();
        let (added, absent_levels) = FrameToScore::whole(self).added(
            model,
            spec,
            fields.iter().map(|field| field.name().as_str()),
        )?;
        let mut arrays = kept.iter().map(|&at| self.whole(at)).collect::<Result<Vec<_>>>()?;
        for (_, column) in added {
            fields.push(column.field);
            arrays.push(column.array);
        }
        let schema = Schema::new_with_metadata(fields, self.schema.metadata().clone());
        // A table may have rows and no column.
        let rows = RecordBatchOptions::new().with_row_count(Some(self.n_rows));
        let scored = RecordBatch::try_new_with_options(Arc::new(schema), arrays, &rows);
        Ok((scored.map_err(arrow_error)?, absent_levels))
    }

    fn answered(&self, model: ModelRef, answer: RowAnswer, voting: Voting) -> Result<RecordBatch> {
        batch_of(std::iter::once(model.answer_rows(&FrameToScore::whole(self), answer, voting)))
    }
}

macro_rules! frames {
    ($([$($of:tt)*] $type:ty, |$rows:ident| $columns:expr;)*) => {$(
        impl<$($of)*> sealed::Sealed for $type {}

        /// The rows of one table, in any partition.
        impl<$($of)*> Frame for $type {
            type Table = RecordBatch;
            type Columns = ChunkedColumns;

            fn columns(&self, _: &Needed) -> Result<ChunkedColumns> {
                let $rows = self;
                $columns
            }

            fn in_pool<R: Send>(
                threads: Option<usize>,
                work: impl FnOnce() -> Result<R> + Send,
            ) -> Result<R> {
                in_pool(threads, work)
            }
        }
    )*};
}

frames! {
    [] RecordBatch, |batch| Ok(batch.clone().into());
    [] [RecordBatch], |batches| ChunkedColumns::of_batches(batches);
    [] Vec<RecordBatch>, |batches| ChunkedColumns::of_batches(batches);
    [const N: usize] [RecordBatch; N], |batches| ChunkedColumns::of_batches(batches);
    [] ChunkedColumns, |columns| Ok(columns.clone());
}
