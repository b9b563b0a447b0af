//! What commands ask alike of a tree and of a model of either kind.

use gaintree::engine::Schema;
use gaintree::{Model, ModelVerbs, ScoreSpec, Tree};
use polars::prelude::DataFrame;

pub trait Scores {
    /// The target and the features, and which of these its rules use.
    fn columns(&self) -> (&Schema, Vec<u32>);

    /// Scores rows, and compares them with the target.
    fn judge(&self, rows: &DataFrame) -> gaintree::Result<()>;
}

macro_rules! scores {
    ($($model:ident),*) => {$(
        impl Scores for $model {
            fn columns(&self) -> (&Schema, Vec<u32>) {
                (self.schema(), self.used_features())
            }

            fn judge(&self, rows: &DataFrame) -> gaintree::Result<()> {
                match self.is_regression() {
                    true => {
                        let target = [&self.schema().target];
                        self.score_with(rows, &ScoreSpec::default().keep(target)).map(drop)
                    }
                    false => self.confusion(rows).map(drop),
                }
            }
        }
    )*};
}

scores!(Tree, Model);
