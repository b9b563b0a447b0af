//! A tree as the steps of a plain expression, which Python writes with its own Polars.

use gaintree::WhenThenStep;
use pyo3::prelude::*;

use crate::capsules::{Table, TableColumn};
use crate::classes::Tree;
use crate::errors::{exception, internal_error};

/// What a step does, the earlier steps that it is of, the name of a column, and a Series of one
/// literal, or of the dtype of a cast.
type Step = (&'static str, Vec<usize>, Option<String>, Option<TableColumn>);

#[pymethods]
impl Tree {
    fn when_then_steps(&self) -> PyResult<Vec<Step>> {
        let steps = self.0.when_then_steps().map_err(exception)?;
        steps.into_iter().map(step).collect()
    }
}

fn step(step: WhenThenStep) -> PyResult<Step> {
    let of = |what, earlier: &[usize]| Ok((what, earlier.to_vec(), None, None));
    match step {
        WhenThenStep::Column(name) => Ok(("column", vec![], Some(name), None)),
        WhenThenStep::Literal(..) => Ok(("literal", vec![], None, values(&step)?)),
        WhenThenStep::Cast(x, _) => Ok(("cast", vec![x], None, values(&step)?)),
        WhenThenStep::IsNull(x) => of("is_null", &[x]),
        WhenThenStep::IsNan(x) => of("is_nan", &[x]),
        WhenThenStep::Not(x) => of("not_", &[x]),
        WhenThenStep::And(a, b) => of("and_", &[a, b]),
        WhenThenStep::Or(a, b) => of("or_", &[a, b]),
        WhenThenStep::Equals(a, b) => of("eq", &[a, b]),
        WhenThenStep::AtLeast(a, b) => of("ge", &[a, b]),
        WhenThenStep::When(holds, then, otherwise) => of("when", &[holds, then, otherwise]),
        WhenThenStep::InOrderOf(x, column) => of("in_order_of", &[x, column]),
        other => Err(internal_error(&format!("a step that Python does not know: {other:?}"))),
    }
}

fn values(step: &WhenThenStep) -> PyResult<Option<TableColumn>> {
    let values = step.table().map_err(exception)?;
    values.map(|values| Table::new(values).map(TableColumn)).transpose()
}
