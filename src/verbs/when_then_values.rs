//! The values in the steps of a plain expression, as a face has them.

use std::borrow::Cow;

use super::table::{FromResults, ResultColumn, ResultTable};
use crate::error::Result;
use crate::export::WhenThenStep;

impl WhenThenStep {
    /// A table of one column `literal`, a DataFrame or a record batch: a literal in one row, and for a
    /// cast no row of its dtype. `None` of any other step.
    ///
    /// # Errors
    /// Whatever the library of the table says on building it.
    pub fn table<T: FromResults>(&self) -> Result<Option<T>> {
        let (dtype, values) = match self {
            WhenThenStep::Literal(dtype, value) => (dtype, std::slice::from_ref(value)),
            WhenThenStep::Cast(_, dtype) => (dtype, &[][..]),
            _ => return Ok(None),
        };
        let column = ResultColumn::Values(dtype, Cow::Borrowed(values));
        ResultTable::default().push("literal", column).into_table().map(Some)
    }
}
