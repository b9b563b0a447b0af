//! A model's answers as Polars expressions.

use polars::error::polars_err;
use polars::prelude::{Column, Expr, Field, Scalar, lit, map_multiple};

use super::answers::RowAnswer;
use super::query_rows::QueryModel;
use crate::verbs::model_ref::ModelRef;

impl ModelRef<'_> {
    /// An expression over the used columns; an error for its dtype is raised by the query.
    pub(super) fn expression(self, answer: RowAnswer) -> Expr {
        let (name, dtype) = (answer.name(), self.answer_dtype(answer));
        let model = QueryModel::new(self);
        let inputs = model.inputs();
        if inputs.is_empty()
            && let Ok(dtype) = &dtype
            && let Ok(one) = model.answer_of_no_rule(answer)
            && let Ok(value) = one.get(0)
        {
            return lit(Scalar::new(dtype.clone(), value.into_static())).alias(name);
        }
        let function = move |columns: &mut [Column]| model.answer(columns, answer);
        let output = move |_: &polars::prelude::Schema, _: &[Field]| match &dtype {
            Ok(dtype) => Ok(Field::new(name.into(), dtype.clone())),
            Err(e) => Err(polars_err!(ComputeError: "{e}")),
        };
        map_multiple(function, inputs, output).alias(name)
    }
}
