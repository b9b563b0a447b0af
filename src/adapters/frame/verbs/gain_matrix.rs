//! Pairs of columns.

use polars::prelude::DataFrame;

use crate::adapters::common::matrix::{matrix, redundant};
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

/// Groups the columns that tell the same: those that share at least `threshold`, as a symmetric
/// uncertainty, with another one of their group.
///
/// Returns one row per column that has such another one, group by group, in the order of the columns:
/// `group u32, feature str, nearest str, symmetric_uncertainty f64, least_in_group f64`. `nearest` is
/// the column of the group that it shares most with, and `symmetric_uncertainty` that of the two. A
/// chain of such pairs makes one group, so that two columns of it may share less: `least_in_group` is
/// the least. Columns that share with none are not there. One of each group may do; which one is told by
/// a [ranking](crate::rank_gain).
///
/// Columns are compared as in [`gain_matrix`]. An ordered column of more levels than `bins` is cut into
/// intervals: with more bins it shares more with a nominal column that says the same.
///
/// ```
/// # use gaintree::prelude::*;
/// # use polars::prelude::*;
/// let df = df![
///     "city" => ["Bern", "Bern", "Rome", "Rome"],
///     "land" => ["CH", "CH", "IT", "IT"],
///     "size" => [1, 2, 1, 2],
/// ]?;
/// let groups = df.redundant_groups(0.9, &MatrixSpec::default())?;
/// assert_eq!(groups.column("feature")?, &Column::new("feature".into(), ["city", "land"]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`gain_matrix`], and a threshold that is not above 0 or is above 1.
pub fn redundant_groups(df: &DataFrame, threshold: f64, spec: &MatrixSpec) -> Result<DataFrame> {
    frame(in_pool(spec.threads, || redundant(df, threshold, spec))?)
}
