//! The columns that a model knows, and the columns that its verbs need.

use super::frame::{Frame, sealed};
use super::model_ref::ModelRef;
use crate::error::Result;
use crate::fitted::{Forest, Model, Tree};
use crate::tree::Schema;

/// The columns of a [`Tree`], a [`Forest`] or a [`Model`] of either kind, by name. This trait is sealed.
///
/// ```
/// use gaintree::prelude::*;
/// use polars::prelude::*;
///
/// let df = df!["size" => [1, 2, 8, 9], "age" => [5, 5, 5, 5], "ripe" => [0, 0, 1, 1]]?;
/// let tree = df.fit_tree("ripe", &TreeSpec::cart())?.tree;
/// assert_eq!(tree.used_columns(), ["size"]);
/// assert_eq!(tree.judged_columns(), ["size", "ripe"]);
/// assert_eq!(tree.trained_columns(), ["size", "age", "ripe"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ModelColumns: sealed::Sealed + Sync {
    /// The model, of either kind.
    #[doc(hidden)]
    fn model_ref(&self) -> ModelRef<'_>;

    /// The columns that answers need: the features that some rule tests.
    fn used_columns(&self) -> Vec<&str> {
        self.model_ref().used_columns()
    }

    /// The columns that judging needs: the [used](Self::used_columns) ones and the target.
    fn judged_columns(&self) -> Vec<&str> {
        self.model_ref().judged_columns()
    }

    /// The columns that judging needs where rows weigh as in training: the
    /// [judged](Self::judged_columns) ones and the weight, if there is one.
    fn weighted_columns(&self) -> Vec<&str> {
        self.model_ref().weighted_columns()
    }

    /// The columns that training read: all features, the target, and the weight, if there is one.
    fn trained_columns(&self) -> Vec<&str> {
        self.model_ref().trained_columns()
    }

    /// The target and the features.
    fn schema(&self) -> &Schema {
        self.model_ref().schema()
    }

    /// Checks that a frame has the columns that judging needs, of dtypes that the model can read. The
    /// frame may be without rows.
    ///
    /// # Errors
    /// As [`evaluation`](crate::ModelVerbs::evaluation).
    fn check_judged<F: Frame + ?Sized>(&self, frame: &F) -> Result<()> {
        let columns = frame.columns(&self.judged_columns().into())?;
        F::in_pool(None, || self.model_ref().check_judged(&columns))
    }
}

impl sealed::Sealed for Tree {}
impl sealed::Sealed for Forest {}
impl sealed::Sealed for Model {}
impl sealed::Sealed for ModelRef<'_> {}

impl<M: sealed::Sealed + Sync> ModelColumns for M
where
    for<'a> ModelRef<'a>: From<&'a M>,
{
    fn model_ref(&self) -> ModelRef<'_> {
        self.into()
    }
}
