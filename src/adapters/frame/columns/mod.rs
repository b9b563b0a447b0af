//! Polars columns and the engine's, both ways.

mod data_frame;
pub(crate) mod dtypes;
pub(crate) mod frame_column;
mod groups;
#[cfg(feature = "lazy")]
mod lazy_frame;
mod measured_column;
pub(crate) mod physical;
pub(crate) mod values;

#[cfg(feature = "lazy")]
use polars::prelude::Expr;
use polars::prelude::{Column, DataFrame};

/// The column of this very name: `col` would take `*` and `^…$` for patterns.
#[cfg(feature = "lazy")]
pub(crate) fn column(name: &str) -> Expr {
    Expr::Column(name.into())
}

pub(crate) fn names(df: &DataFrame) -> Vec<&str> {
    df.columns().iter().map(|column| column.name().as_str()).collect()
}

/// A scalar input as a column of `n` rows.
pub(crate) fn broadcast(column: &Column, n: usize) -> Column {
    if column.len() == 1 && n != 1 { column.new_from_index(0, n) } else { column.clone() }
}
