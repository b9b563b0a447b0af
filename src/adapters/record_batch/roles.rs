//! The columns of a table and their roles, for a fit whose rows are not in memory.

use arrow_schema::Schema;

use crate::adapters::record_batch::columns::chunked_columns::ChunkedColumns;
use crate::adapters::record_batch::columns::dtype_of_arrow;
use crate::data::column_data::Source;
use crate::data::dtype::DType;
use crate::error::Result;
use crate::spec::{RankSpec, TreeSpec};
use crate::verbs::rank_outline::RankOutline;
use crate::verbs::request::all_usable;

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

/// The columns that [`fit_tree`](crate::fit_tree) looks at in batches of a schema.
///
/// # Errors
/// As [`fit_tree`](crate::fit_tree), of names and dtypes.
pub fn roles_of_schema(schema: &Schema, target: &str, spec: &TreeSpec) -> Result<ColumnRoles> {
    let columns = ChunkedColumns::empty(schema);
    let request = spec.request(target);
    let features = all_usable(request.features(&columns)?, target)?;
    let target = request.target(&columns)?;
    request.weights(&columns)?;
    request.kinds().check(&features.iter().map(|f| f.name()).collect::<Vec<_>>())?;
    Ok(ColumnRoles {
        features: features.iter().map(|f| role(f.name(), f.dtype())).collect(),
        target: role(target.name(), target.dtype()),
        weight: weight_role(schema, spec.weight.as_deref()),
    })
}

/// What a ranking is of, and the columns that [`rank_gain`](crate::rank_gain) looks at.
pub(crate) fn outline_of_schema<'s>(
    schema: &Schema,
    target: &str,
    spec: &'s RankSpec,
) -> Result<(RankOutline<'s>, ColumnRoles)> {
    let columns = ChunkedColumns::empty(schema);
    let outline = RankOutline::new(&columns, target, spec)?;
    outline.check_roles(&columns)?;
    let target = outline.request().target(&columns)?;
    let roles = ColumnRoles {
        features: outline.rated().into_iter().map(|(name, dtype)| role(name, dtype)).collect(),
        target: role(target.name(), target.dtype()),
        weight: weight_role(schema, spec.weight.as_deref()),
    };
    Ok((outline, roles))
}

fn role(name: &str, dtype: &DType) -> (String, DType) {
    (name.to_string(), dtype.clone())
}

fn weight_role(schema: &Schema, weight: Option<&str>) -> Option<(String, DType)> {
    let field = schema.field_with_name(weight?).ok()?;
    Some(role(field.name(), &dtype_of_arrow(field.data_type())?))
}
