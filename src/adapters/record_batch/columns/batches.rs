//! The batches of one table as the verbs read them: columns by name.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, RecordBatch, RecordBatchOptions, UInt32Array};
use arrow::compute::{concat, take};
use arrow::datatypes::{Field, FieldRef, Schema, SchemaRef};

use super::batch_column::BatchColumn;
use super::groups::{groups, rows_of};
use crate::adapters::record_batch::tables::{array_of, batch_of};
use crate::adapters::record_batch::{arrow_error, in_pool};
use crate::error::{Error, Result};
use crate::score::Voting;
use crate::verbs::RowAnswer;
use crate::verbs::frame::{ColumnOrReason, Frame, NamedColumns, Needed, RowGroups, sealed};
use crate::verbs::model_ref::ModelRef;
use crate::verbs::score::RowsToScore;
use crate::verbs::score_spec::ScoreSpec;
use crate::verbs::table::ResultColumn;

/// Batches of one schema, and at least one.
#[derive(Clone)]
pub struct Batches {
    batches: Vec<RecordBatch>,
    schema: SchemaRef,
    /// The first column of each name, and whether there are more.
    indices: HashMap<String, (usize, bool)>,
}

impl Batches {
    /// A table without rows.
    pub(crate) fn empty(schema: &Schema) -> Result<Self> {
        Batches::new(&[RecordBatch::new_empty(Arc::new(schema.clone()))])
    }

    pub(crate) fn new(batches: &[RecordBatch]) -> Result<Self> {
        let Some(first) = batches.first() else {
            return Err(Error::data(
                "no record batch, and so no columns: pass at least one, if need be without rows",
            ));
        };
        let schema = first.schema();
        for (i, batch) in batches.iter().enumerate() {
            let other = batch.schema_ref().fields();
            if other.len() != schema.fields().len() {
                return Err(Error::data(format!(
                    "batch {i} has {} columns and the first {}: pass the batches of one table",
                    other.len(),
                    schema.fields().len()
                )));
            }
            // Nullability and metadata may differ.
            for (a, b) in schema.fields().iter().zip(other) {
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
        }
        let mut indices = HashMap::new();
        for (index, field) in schema.fields().iter().enumerate() {
            let known = indices.entry(field.name().clone());
            known.and_modify(|(_, twice)| *twice = true).or_insert((index, false));
        }
        Ok(Batches { batches: batches.to_vec(), schema, indices })
    }

    /// The rows of all batches in one array.
    fn whole(&self, index: usize) -> Result<ArrayRef> {
        match self.batches.as_slice() {
            [batch] => Ok(batch.column(index).clone()),
            batches => {
                let chunks: Vec<&dyn Array> =
                    batches.iter().map(|batch| batch.column(index).as_ref()).collect();
                concat(&chunks).map_err(arrow_error)
            }
        }
    }

    /// The field of a column, which may be nullable in some of the batches.
    fn field(&self, index: usize) -> FieldRef {
        let field = &self.schema.fields()[index];
        let is_nullable = self.batches.iter().any(|b| b.schema_ref().field(index).is_nullable());
        match field.is_nullable() == is_nullable {
            true => field.clone(),
            false => Arc::new(field.as_ref().clone().with_nullable(is_nullable)),
        }
    }
}

impl NamedColumns for Batches {
    type Column = BatchColumn;
    type Keys = Vec<(String, ArrayRef)>;
    type Table = RecordBatch;

    fn n_rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    fn names(&self) -> Vec<&str> {
        self.schema.fields().iter().map(|field| field.name().as_str()).collect()
    }

    fn column_or_reason(&self, name: &str) -> Option<ColumnOrReason<BatchColumn>> {
        let &(index, twice) = self.indices.get(name)?;
        let dtype = self.schema.field(index).data_type();
        if twice {
            return Some(ColumnOrReason::Excluded {
                name: name.to_string(),
                dtype: dtype.to_string(),
                reason: "several columns have this name: rename all but one".to_string(),
            });
        }
        let chunks = self.batches.iter().map(|batch| batch.column(index).clone()).collect();
        Some(BatchColumn::column_or_reason(name, dtype, chunks))
    }

    fn rows(&self, rows: &[u32]) -> Result<Batches> {
        let of_column = |index: usize| {
            let chunks: Vec<&ArrayRef> = self.batches.iter().map(|b| b.column(index)).collect();
            rows_of(&chunks, rows)
        };
        let columns = 0..self.schema.fields().len();
        let schema = Schema::new(columns.clone().map(|at| self.field(at)).collect::<Vec<_>>());
        let arrays = columns.map(of_column).collect::<Result<_>>()?;
        // A table may have rows and no column.
        let count = RecordBatchOptions::new().with_row_count(Some(rows.len()));
        let some = RecordBatch::try_new_with_options(Arc::new(schema), arrays, &count);
        Ok(Batches { batches: vec![some.map_err(arrow_error)?], ..self.clone() })
    }

    fn slice(&self, rows: Range<usize>) -> Batches {
        let (mut batches, mut first, n_rows) = (Vec::new(), 0, self.n_rows());
        for batch in &self.batches {
            let end = first + batch.num_rows();
            let (from, to) = (rows.start.max(first), rows.end.min(end));
            // A table has at least one batch.
            if from < to || end == n_rows && batches.is_empty() {
                batches.push(batch.slice(from.min(end) - first, to.saturating_sub(from)));
            }
            first = end;
        }
        Batches { batches, ..self.clone() }
    }

    fn append(&self, later: &Batches) -> Result<Batches> {
        Batches::new(&[&self.batches[..], &later.batches].concat())
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
        let of_line = |key: &ArrayRef| take(key, &lines, None).map_err(arrow_error);
        let keys = keys.iter().map(|(name, key)| Ok((name.clone(), of_line(key)?)));
        let results = results.map(|(name, values)| Ok((name.to_string(), array_of(values)?)));
        batch_of(keys.chain(results).collect::<Result<_>>()?)
    }

    fn scored(
        &self,
        model: ModelRef,
        kept: &[usize],
        spec: &ScoreSpec,
    ) -> Result<(RecordBatch, u64)> {
        let mut fields: Vec<FieldRef> = kept.iter().map(|&at| self.field(at)).collect();
        let (added, absent_levels) =
            self.added(model, spec, fields.iter().map(|field| field.name().as_str()))?;
        let mut arrays = kept.iter().map(|&at| self.whole(at)).collect::<Result<Vec<_>>>()?;
        for (name, array) in added {
            fields.push(Arc::new(Field::new(name, array.data_type().clone(), true)));
            arrays.push(array);
        }
        let schema = Schema::new_with_metadata(fields, self.schema.metadata().clone());
        // A table may have rows and no column.
        let rows = RecordBatchOptions::new().with_row_count(Some(self.n_rows()));
        let scored = RecordBatch::try_new_with_options(Arc::new(schema), arrays, &rows);
        Ok((scored.map_err(arrow_error)?, absent_levels))
    }

    fn answered(&self, model: ModelRef, answer: RowAnswer, voting: Voting) -> Result<RecordBatch> {
        let column = model.answer_rows(self, answer, voting)?;
        batch_of(vec![(answer.name().to_string(), column)])
    }
}

macro_rules! frames {
    ($([$($of:tt)*] $type:ty, |$batches:ident| $slice:expr;)*) => {$(
        impl<$($of)*> sealed::Sealed for $type {}

        /// The batches of one table, in any partition.
        impl<$($of)*> Frame for $type {
            type Table = RecordBatch;
            type Columns = Batches;

            fn columns(&self, _: &Needed) -> Result<Batches> {
                let $batches = self;
                Batches::new($slice)
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
    [] RecordBatch, |batch| std::slice::from_ref(batch);
    [] [RecordBatch], |batches| batches;
    [] Vec<RecordBatch>, |batches| batches;
    [const N: usize] [RecordBatch; N], |batches| batches;
}
