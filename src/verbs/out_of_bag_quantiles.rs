//! Quantiles of a numeric target for the training rows of a forest.

use super::evaluate::{no_rows, target_of};
use super::frame::{Frame, NamedColumns};
use super::model_ref::ModelRef;
use super::table::ResultColumn;
use crate::error::{Error, Result};
use crate::fitted::Forest;
use crate::score::OutOfBagQuantiles;
use crate::spec::QuantileSpec;

impl Forest {
    /// Quantiles of the target for each row the forest was fitted on, by the trees that left it out
    /// (Meinshausen 2006): for each row of the frame `quantile_<q>` of the target's dtype (f64 for
    /// integers and decimals) for each of the spec's quantiles, and `n_trees u32`, the number of
    /// these trees. Where there are none, the others are null; of a row of weight 0 all are.
    ///
    /// A tree gives each training row in the row's leaf its share of the leaf's weight. The mean of these
    /// shares over the trees is a distribution of the target; its quantile q is the least number at which
    /// the distribution function reaches q. The draws are made again from the [spec](crate::ForestSpec);
    /// the frame has to be the training frame, all rows in their order. `O(trees * n log n)`, and
    /// about 20 bytes of memory a row and tree.
    ///
    /// ```
    /// use gaintree::QuantileSpec;
    /// use gaintree::prelude::*;
    /// use polars::prelude::*;
    ///
    /// let df = df!["size" => [1, 2, 3, 7, 8, 9], "weight" => [1.0, 1.5, 1.0, 5.0, 5.5, 6.0]]?;
    /// let forest = df.fit_forest("weight", &ForestSpec::default().trees(100).seed(1))?.forest;
    /// let quantiles = forest.out_of_bag_quantiles(&df, &QuantileSpec::new([0.1, 0.9]))?;
    /// assert_eq!(quantiles.get_column_names(), ["quantile_0.1", "quantile_0.9", "n_trees"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`out_of_bag`](Self::out_of_bag); a forest of classes, no quantile, one that is not from 0 to
    /// 1, and one given twice.
    pub fn out_of_bag_quantiles<F: Frame + ?Sized>(
        &self,
        frame: &F,
        spec: &QuantileSpec,
    ) -> Result<F::Table> {
        check(spec)?;
        if !self.is_regression() {
            return Err(Error::spec(format!(
                "quantiles are of numbers, but the forest's target `{}` ({}) has classes",
                self.schema().target,
                self.schema().target_dtype
            )));
        }
        let columns = frame.columns(&ModelRef::from(self).weighted_columns().into())?;
        F::in_pool(spec.threads, || self.quantile_table(&columns, spec))
    }

    /// The table, in the current pool.
    fn quantile_table<F: NamedColumns>(&self, frame: &F, spec: &QuantileSpec) -> Result<F::Table> {
        let training = self.training_rows(frame)?;
        let rows = training.frame();
        if rows.n_rows() == 0 {
            return Err(no_rows());
        }
        let schema = self.schema();
        let numbers = schema.actual_numbers(&target_of(schema, rows)?)?;
        let column = |name: &str| rows.column_to_score(name);
        let OutOfBagQuantiles { values, n_trees } =
            self.quantiles_out_of_bag(numbers, training.weights(), spec, column, &rows.names())?;
        let width = spec.quantiles.len();
        let columns = spec.quantiles.iter().enumerate().map(|(at, quantile)| {
            let of_quantile = values.iter().skip(at).step_by(width).copied().collect();
            let column = ResultColumn::Floats(&schema.target_dtype, of_quantile);
            (format!("quantile_{quantile}"), column)
        });
        training.table_of_all(columns, n_trees)
    }
}

fn check(spec: &QuantileSpec) -> Result<()> {
    let quantiles = &spec.quantiles;
    if quantiles.is_empty() {
        return Err(Error::spec("no quantile is asked for: name some, such as 0.05 and 0.95"));
    }
    for (at, quantile) in quantiles.iter().enumerate() {
        if !(0.0..=1.0).contains(quantile) {
            return Err(Error::spec(format!("quantile {quantile} is not from 0 to 1")));
        }
        if quantiles[..at].contains(quantile) {
            return Err(Error::spec(format!("quantile {quantile} is asked for twice")));
        }
    }
    Ok(())
}
