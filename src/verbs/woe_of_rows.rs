//! Weights of evidence of rows.

use super::frame::{ColumnOrReason, Frame, NamedColumns, in_pool_of_many};
use super::table::ResultTable;
use super::woe_bins::WoeBins;
use crate::data::column_data::Source;
use crate::error::{Error, Result, no_such_column};
use crate::rank::woe::FeatureWoe;

impl<T> WoeBins<T> {
    /// The weight of evidence of each row of a frame by one of the features, as a table of one column
    /// `<feature>_woe`. A missing value has that of its bin; without such a bin, and for a level that
    /// was never seen, it is [`unseen`](crate::WoeSpec#structfield.unseen).
    ///
    /// ```
    /// # use gaintree::prelude::*;
    /// # use polars::prelude::*;
    /// let df = df!["price" => [1, 2, 3, 4], "churn" => ["no", "no", "yes", "yes"]]?;
    /// let woe = df.woe_bins("churn", &WoeSpec::default())?;
    /// assert_eq!(woe.map_frame(&df, "price")?.column("price_woe")?, &woe.map(df.column("price")?)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A name that is no feature, and a column that is not there or of another dtype.
    pub fn map_frame<F: Frame + ?Sized>(&self, frame: &F, feature: &str) -> Result<F::Table> {
        let bins = self.feature(feature)?;
        let columns = frame.columns(&vec![feature].into())?;
        in_pool_of_many::<F, _>(columns.n_rows(), || bins.table_of_rows(&columns))
    }
}

impl FeatureWoe {
    /// `<feature>_woe` of each row.
    pub(crate) fn table_of_rows<F: NamedColumns>(&self, frame: &F) -> Result<F::Table> {
        let woe = self.woe_of_rows("feature", frame)?;
        ResultTable::default().add(format!("{}_woe", self.name), woe).into_table()
    }

    /// The weight of evidence of each row; `role` names the feature in the error.
    pub(super) fn woe_of_rows<F: NamedColumns>(
        &self,
        role: &str,
        frame: &F,
    ) -> Result<Vec<Option<f64>>> {
        let column = self.column_of(role, frame)?;
        self.woe_of(column.dtype(), column.cells())
    }

    /// The column of the feature.
    pub(super) fn column_of<F: NamedColumns>(&self, role: &str, frame: &F) -> Result<F::Column> {
        match frame.column_or_reason(&self.name) {
            Some(ColumnOrReason::Usable(column)) => Ok(column),
            Some(ColumnOrReason::Excluded { dtype, .. }) => Err(Error::data(format!(
                "feature `{}` is {dtype}, and its weights of evidence are of {}: cast it",
                self.name, self.dtype
            ))),
            None => Err(no_such_column(role, &self.name, &frame.names())),
        }
    }
}
