//! A tree as plain Polars expressions.

use polars::prelude::{Expr, Scalar, as_struct, lit, when};

use crate::adapters::frame::columns::column;
use crate::adapters::frame::columns::dtypes::polars_dtype;
use crate::adapters::frame::columns::values::values_as;
use crate::data::dtype::{DType, Value};
use crate::error::{Error, Result};
use crate::export::WhenThenStep;
use crate::fitted::Tree;

impl Tree {
    /// The prediction in plain Polars expressions, named `prediction`. Nothing of this crate is in
    /// the plan, so that it can run elsewhere; it evaluates every node for every row, where
    /// [`predict`](crate::PolarsScoring::predict) follows one path.
    ///
    /// Missing values are tested first (in Polars NaN is at least any number). The columns must
    /// have the dtypes the model was fitted on; text of any dtype will do for text.
    ///
    /// # Errors
    /// As [`when_then_steps`](crate::engine::TreeData::when_then_steps). Use [`predict`](crate::PolarsScoring::predict) for these trees.
    pub fn to_when_then(&self) -> Result<Expr> {
        let mut written: Vec<Expr> = Vec::new();
        for step in self.when_then_steps()? {
            let expr = expr_of(step, |at| written[at].clone())?;
            written.push(expr);
        }
        let root = written.pop().ok_or_else(|| Error::data("a tree without nodes".to_string()))?;
        Ok(root.alias("prediction"))
    }
}

/// A step, given what is written of earlier ones.
fn expr_of(step: WhenThenStep, of: impl Fn(usize) -> Expr) -> Result<Expr> {
    Ok(match step {
        WhenThenStep::Column(name) => column(&name),
        WhenThenStep::Literal(dtype, value) => lit(scalar(&dtype, &value)?),
        WhenThenStep::Cast(x, dtype) => of(x).cast(polars_dtype(&dtype)),
        WhenThenStep::IsNull(x) => of(x).is_null(),
        WhenThenStep::IsNan(x) => of(x).is_nan(),
        WhenThenStep::Not(x) => of(x).not(),
        WhenThenStep::And(a, b) => of(a).and(of(b)),
        WhenThenStep::Or(a, b) => of(a).or(of(b)),
        WhenThenStep::Equals(a, b) => of(a).eq(of(b)),
        WhenThenStep::AtLeast(a, b) => of(a).gt_eq(of(b)),
        WhenThenStep::When(holds, then, otherwise) => {
            when(of(holds)).then(of(then)).otherwise(of(otherwise))
        }
        // A field of a struct that holds the column too.
        WhenThenStep::InOrderOf(x, column) => {
            let fields = vec![of(x).alias("prediction"), of(column).alias("order")];
            as_struct(fields).struct_().field_by_name("prediction")
        }
    })
}

fn scalar(dtype: &DType, value: &Value) -> Result<Scalar> {
    let values = values_as("literal", dtype, std::iter::once(value))?;
    Ok(Scalar::new(values.dtype().clone(), values.get(0)?.into_static()))
}
