//! The columns of a batch as lanes of `f64`.

use std::ops::Range;

use crate::data::column_data::Source;
use crate::data::dtype::DType;
use crate::error::{Error, Result};
use crate::score::inline::runs_inline;
use crate::score::kernel::block::BLOCK;
use crate::score::scale::Scale;
use crate::spec::Missing;
use crate::tree::Feature;
use crate::util::parallel;

/// Rows whose lanes are brought together at a time: few enough to stay in cache.
pub(super) const TILE_ROWS: usize = 64 * BLOCK;

/// Where the numbers of a used column come from.
pub(super) enum LaneSource<S> {
    /// The column itself.
    Direct(S),
    /// The column brought to its scale beforehand.
    Converted(Vec<f64>),
}

impl<S: Source> LaneSource<S> {
    pub(super) fn new(
        feature: &Feature,
        source: S,
        scale: &Scale,
        n_rows: usize,
    ) -> Result<LaneSource<S>> {
        let dtype = source.dtype().clone();
        let is_direct = matches!(scale, Scale::Identity(_))
            && feature.dtype.holds_values_of(&dtype)
            && source.numbers(0..0, &mut Vec::new()).is_some();
        let check = |rows: usize| match rows == n_rows {
            true => Ok(()),
            false => Err(Error::data(format!(
                "column `{}` ({dtype}) has {rows} rows, but the table {n_rows}: they must be of \
                 one table",
                feature.name
            ))),
        };
        if is_direct {
            check(source.n_rows())?;
            return Ok(LaneSource::Direct(source));
        }
        let cells = source.cells();
        check(cells.len())?;
        Ok(LaneSource::Converted(scale.convert(feature, &dtype, cells)?))
    }

    pub(super) fn first_missing(&self, n_rows: usize) -> Option<usize> {
        let mut buffer = Vec::new();
        (0..n_rows).step_by(TILE_ROWS).find_map(|start| {
            let rows = start..(start + TILE_ROWS).min(n_rows);
            let at = self.rows(&rows, &mut buffer).iter().position(|x| x.is_nan());
            at.map(|at| start + at)
        })
    }

    /// The numbers of some rows; `buffer` may be used to hold them.
    pub(super) fn rows<'a>(&'a self, rows: &Range<usize>, buffer: &'a mut Vec<f64>) -> &'a [f64] {
        match self {
            LaneSource::Direct(source) => source.numbers(rows.clone(), buffer).unwrap_or_default(),
            LaneSource::Converted(numbers) => &numbers[rows.clone()],
        }
    }
}

/// The lanes of the used columns of `n_rows` rows; `first` is the number of the first row, if
/// known, for error messages.
pub(super) fn read_lanes<S: Source + Send>(
    sources: Vec<(&Feature, S)>,
    scales: &[Scale],
    missing: Missing,
    n_rows: usize,
    first: Option<usize>,
) -> Result<Vec<LaneSource<S>>> {
    let read = |((feature, source), scale): ((&Feature, S), &Scale)| -> Result<LaneSource<S>> {
        if missing != Missing::Error {
            return LaneSource::new(feature, source, scale, n_rows);
        }
        let dtype = source.dtype().clone();
        let lane = LaneSource::new(feature, source, scale, n_rows)?;
        match lane.first_missing(n_rows) {
            Some(row) => Err(missing_value_error(feature, &dtype, first.map(|first| first + row))),
            None => Ok(lane),
        }
    };
    let sources = sources.into_iter().zip(scales);
    parallel::map_if(!runs_inline(n_rows), sources, read).into_iter().collect()
}

/// The error of a missing value under [`Missing::Error`](crate::Missing::Error).
fn missing_value_error(feature: &Feature, dtype: &DType, row: Option<usize>) -> Error {
    let column = format!("column `{}` ({dtype})", feature.name);
    let after = ", and the model was fitted with missing = error: fill it, or fit with another way \
                 with missing values";
    match row {
        Some(row) => Error::data_in_row(format!("{column} is missing in"), row, after),
        None => Error::data(format!("{column} has a missing value{after}")),
    }
}
