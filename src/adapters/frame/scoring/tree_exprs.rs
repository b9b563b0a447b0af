//! A tree's predictions as Polars expressions.

use polars::error::polars_err;
use polars::prelude::{
    Column, DataType, Expr, Field, Float64Chunked, IntoColumn, Scalar, StructChunked,
    UInt32Chunked, lit, map_multiple,
};

use super::query_rows::{QueryTree, RowsToScore};
use crate::adapters::frame::polars_error;
use crate::error::{Error, Result};
use crate::fitted::Tree;

/// Makes a column of rows.
type ScoreRows = fn(RowsToScore) -> Result<Column>;

impl Tree {
    /// The tree's prediction as an expression named `prediction`, of the target's dtype, over
    /// exactly the columns the tree uses; elementwise, so that a query reads no other column
    /// and streams. A tree of one leaf is a literal.
    ///
    /// What is wrong with a column (absent, of another dtype) is an error of the query.
    pub fn predict(&self) -> Expr {
        let dtype = self.prediction_dtype();
        self.expression("prediction", Ok(dtype), |rows| {
            Ok(rows.tree.predictions("prediction", rows.batches())?.0)
        })
    }

    /// The probability of each class as an expression named `probabilities`: a struct with an
    /// f64 field per class, named by the class, in class order. Otherwise as
    /// [`predict`](Self::predict).
    ///
    /// What is wrong with a column, and a target that is a number, is an error of the query.
    pub fn predict_proba(&self) -> Expr {
        let dtype = if self.is_regression() {
            Err(Error::spec(format!(
                "the model's target `{}` is a number, which has no class probabilities: use \
                 predict()",
                self.schema().target
            )))
        } else {
            let classes = 0..self.schema().classes.len();
            let field = |c| Field::new(self.schema().class_text(c).into(), DataType::Float64);
            Ok(DataType::Struct(classes.map(field).collect()))
        };
        self.expression("probabilities", dtype, |rows| {
            let (tree, routes) = (rows.tree, rows.batches().routes()?);
            let classes = 0..tree.schema().classes.len();
            let field = |class| {
                let name = tree.schema().class_text(class);
                Float64Chunked::from_vec(name.into(), tree.probabilities(&routes, class))
                    .into_column()
            };
            let fields: Vec<Column> = classes.map(field).collect();
            let fields = StructChunked::from_columns("probabilities".into(), rows.n_rows, &fields);
            fields.map(IntoColumn::into_column).map_err(polars_error)
        })
    }

    /// The node each row stops at as an expression named `leaf_id`, of dtype u32. Otherwise as
    /// [`predict`](Self::predict).
    pub fn leaf_id(&self) -> Expr {
        self.expression("leaf_id", Ok(DataType::UInt32), |rows| {
            Ok(UInt32Chunked::from_vec("leaf_id".into(), rows.batches().routes()?.nodes)
                .into_column())
        })
    }

    /// An expression over the used columns; an error for its dtype is raised by the query.
    fn expression(&self, name: &'static str, dtype: Result<DataType>, score: ScoreRows) -> Expr {
        let tree = QueryTree::new(self);
        let inputs = tree.inputs();
        if inputs.is_empty()
            && let Ok(dtype) = &dtype
            && let Ok(one) = score(tree.rows(1, &|_| None))
            && let Ok(value) = one.get(0)
        {
            return lit(Scalar::new(dtype.clone(), value.into_static())).alias(name);
        }
        let function = move |columns: &mut [Column]| Ok(tree.score(columns, score)?.0);
        let output = move |_: &polars::prelude::Schema, _: &[Field]| match &dtype {
            Ok(dtype) => Ok(Field::new(name.into(), dtype.clone())),
            Err(e) => Err(polars_err!(ComputeError: "{e}")),
        };
        map_multiple(function, inputs, output).alias(name)
    }
}
