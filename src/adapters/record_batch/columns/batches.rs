//! The batches of one table as the verbs read them: columns by name.

use std::collections::HashMap;

use arrow::array::RecordBatch;
use arrow::datatypes::Schema;

use super::batch_column::BatchColumn;
use crate::adapters::common::request::{ColumnOrReason, NamedColumns};
use crate::error::{Error, Result};

/// Batches of one schema, and at least one.
pub(crate) struct Batches<'a> {
    batches: &'a [RecordBatch],
    schema: &'a Schema,
    /// The first column of each name, and whether there are more.
    indices: HashMap<&'a str, (usize, bool)>,
}

impl<'a> Batches<'a> {
    pub(crate) fn new(batches: &'a [RecordBatch]) -> Result<Self> {
        let Some(first) = batches.first() else {
            return Err(Error::data(
                "no record batch, and so no columns: pass at least one, if need be without rows",
            ));
        };
        let schema = first.schema_ref().as_ref();
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
            let known = indices.entry(field.name().as_str());
            known.and_modify(|(_, twice)| *twice = true).or_insert((index, false));
        }
        Ok(Batches { batches, schema, indices })
    }
}

impl NamedColumns for Batches<'_> {
    type Column = BatchColumn;

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
}
