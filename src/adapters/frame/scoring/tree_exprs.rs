//! A tree's predictions as Polars expressions.

use polars::error::polars_err;
use polars::prelude::{Column, Expr, Field, Scalar, lit, map_multiple};

use super::answers::RowAnswer;
use super::query_rows::QueryTree;
use crate::fitted::Tree;

impl Tree {
    /// The tree's prediction as an expression named `prediction`, of the target's dtype, over
    /// exactly the columns the tree uses; elementwise, so that a query reads no other column
    /// and streams. A tree of one leaf is a literal.
    ///
    /// What is wrong with a column (absent, of another dtype) is an error of the query.
    pub fn predict(&self) -> Expr {
        self.expression(RowAnswer::Prediction)
    }

    /// The probability of each class as an expression named `probabilities`: a struct with an
    /// f64 field per class, named by the class, in class order. Otherwise as
    /// [`predict`](Self::predict).
    ///
    /// What is wrong with a column, and a target that is a number, is an error of the query.
    pub fn predict_proba(&self) -> Expr {
        self.expression(RowAnswer::Probabilities)
    }

    /// The node each row stops at as an expression named `leaf_id`, of dtype u32. Otherwise as
    /// [`predict`](Self::predict).
    pub fn leaf_id(&self) -> Expr {
        self.expression(RowAnswer::LeafId)
    }

    /// An expression over the used columns; an error for its dtype is raised by the query.
    fn expression(&self, answer: RowAnswer) -> Expr {
        let (name, dtype) = (answer.name(), self.answer_dtype(answer));
        let tree = QueryTree::new(self);
        let inputs = tree.inputs();
        if inputs.is_empty()
            && let Ok(dtype) = &dtype
            && let Ok(one) = tree.rows(1, &|_| None).answer(answer)
            && let Ok(value) = one.get(0)
        {
            return lit(Scalar::new(dtype.clone(), value.into_static())).alias(name);
        }
        let function =
            move |columns: &mut [Column]| Ok(tree.score(columns, |rows| rows.answer(answer))?.0);
        let output = move |_: &polars::prelude::Schema, _: &[Field]| match &dtype {
            Ok(dtype) => Ok(Field::new(name.into(), dtype.clone())),
            Err(e) => Err(polars_err!(ComputeError: "{e}")),
        };
        map_multiple(function, inputs, output).alias(name)
    }
}
