//! Pairs of columns.

use polars::prelude::DataFrame;

use crate::adapters::common::matrix::matrix;
use crate::adapters::frame::in_pool;
use crate::adapters::frame::tables::frame;
use crate::error::Result;
use crate::spec::MatrixSpec;

/// Finds how much the columns tell about each other: the symmetric uncertainty of all pairs.
///
/// Returns one row per pair, the closest first: `feature_1 str, feature_2 str, n u64, entropy_1 f64,
/// entropy_2 f64, info_gain f64, symmetric_uncertainty f64`. In the
/// [wide form](crate::MatrixForm::Wide), one row per column: `feature str`, and an `f64` per
/// column, with 1 in the diagonal (0 of a constant column).
///
/// Nominal columns are taken by their levels. An ordered column is taken by its levels too, or by
/// as many intervals of about as many rows as `bins` says, if it has more levels. A pair is
/// compared over the rows where both have a value. Columns of a dtype that cannot be compared are
/// left out, unless they are named.
///
/// ```
/// # use gaintree::prelude::*;
/// # use polars::prelude::*;
/// let df = df![
///     "city" => ["Bern", "Bern", "Rome", "Rome"],
///     "land" => ["CH", "CH", "IT", "IT"],
///     "size" => [1, 2, 1, 2],
/// ]?;
/// let pairs = df.gain_matrix(&MatrixSpec::default())?;
/// assert_eq!(pairs.column("feature_2")?.str()?.get(0), Some("land"));
/// let wide = df.gain_matrix(&MatrixSpec::default().form(MatrixForm::Wide))?;
/// assert_eq!(wide.column("land")?.f64()?.to_vec(), [Some(1.0), Some(1.0), Some(0.0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error for a column that does not exist, a named one whose dtype cannot be compared,
/// fewer than two columns and fewer than two bins.
pub fn gain_matrix(df: &DataFrame, spec: &MatrixSpec) -> Result<DataFrame> {
    frame(in_pool(spec.threads, || matrix(df, spec))?)
}
