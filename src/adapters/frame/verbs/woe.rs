//! Weights of evidence as a map from Polars columns.

use std::fmt;

use polars::prelude::Column;
#[cfg(feature = "lazy")]
use polars::prelude::{DataFrame, DataType, Expr, Field, Schema, map_multiple};

#[cfg(feature = "lazy")]
use crate::adapters::frame::columns::column;
use crate::adapters::frame::tables::only;
use crate::error::Result;
use crate::verbs::WoeBins;

/// The [short table](WoeBins::short_table).
impl fmt::Display for WoeBins {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.short_table().map_err(|_| fmt::Error)?.fmt(f)
    }
}

/// Weights of evidence of columns.
impl WoeBins {
    /// The weight of evidence of each value of a column, which has the name of its feature; the
    /// result is named `<feature>_woe`. A missing value has that of its bin; without such a bin,
    /// and for a level that was never seen, it is
    /// [`unseen`](crate::WoeSpec#structfield.unseen).
    ///
    /// # Errors
    /// A name that is no feature, and a column of another dtype.
    pub fn map(&self, column: &Column) -> Result<Column> {
        self.map_frame(&column.clone().into_frame(), column.name()).map(only)
    }

    /// [`map`](Self::map) as an expression over the column of this name, named `<feature>_woe`. It
    /// is elementwise, so that a query streams.
    ///
    /// # Errors
    /// A name that is no feature. A column of another dtype is an error of the query.
    #[cfg(feature = "lazy")]
    pub fn woe(&self, feature: &str) -> Result<Expr> {
        let bins = self.feature(feature)?.clone();
        Ok(mapping(feature, format!("{feature}_woe"), move |column| bins.table_of_rows(column)))
    }
}

/// A map from a feature's column, a frame, to one of f64 as an expression.
#[cfg(feature = "lazy")]
pub(super) fn mapping(
    feature: &str,
    name: String,
    map: impl Fn(&DataFrame) -> Result<DataFrame> + Send + Sync + 'static,
) -> Expr {
    let output = {
        let name = name.clone();
        move |_: &Schema, _: &[Field]| Ok(Field::new(name.as_str().into(), DataType::Float64))
    };
    let own = feature.to_string();
    let function = move |columns: &mut [Column]| {
        let column = columns[0].clone().with_name(own.as_str().into());
        Ok(only(map(&column.into_frame())?))
    };
    map_multiple(function, [column(feature)], output).alias(name)
}
