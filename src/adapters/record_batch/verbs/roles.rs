//! The columns of a table and their roles, for a fit whose rows are not in memory.

use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::Schema;

use crate::adapters::common::request::all_usable;
use crate::adapters::record_batch::columns::batches::Batches;
use crate::data::column_data::Source;
use crate::data::dtype::DType;
use crate::error::Result;
use crate::spec::TreeSpec;

/// Which columns a fit looks at.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ColumnRoles {
    /// The features, with their dtypes, in column order (or as they are named).
    pub features: Vec<(String, DType)>,
    /// The target and its dtype.
    pub target: (String, DType),
    /// The weight column and its dtype.
    pub weight: Option<(String, DType)>,
}

/// The columns that [`fit_batches`](super::fit_batches) looks at in batches of a schema.
///
/// # Errors
/// As [`fit_batches`](super::fit_batches), of names and dtypes.
pub fn roles_of_schema(schema: &Schema, target: &str, spec: &TreeSpec) -> Result<ColumnRoles> {
    let none = [RecordBatch::new_empty(Arc::new(schema.clone()))];
    let batches = Batches::new(&none)?;
    let request = spec.request(target);
    let features = all_usable(request.features(&batches)?, target)?;
    let target = request.target(&batches)?;
    request.weights(&batches)?;
    request.kinds().check(&features.iter().map(|f| f.name()).collect::<Vec<_>>())?;
    let role = |name: &str, dtype: &DType| (name.to_string(), dtype.clone());
    let weight = spec.weight.as_ref().and_then(|name| {
        let field = schema.field_with_name(name).ok()?;
        Some((name.clone(), crate::adapters::record_batch::dtype_of_arrow(field.data_type())?))
    });
    Ok(ColumnRoles {
        features: features.iter().map(|f| role(f.name(), f.dtype())).collect(),
        target: role(target.name(), target.dtype()),
        weight,
    })
}
