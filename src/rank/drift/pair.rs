//! A column of two frames as one.

use crate::data::column::Column;
use crate::data::column_data::{ColumnData, Source};
use crate::data::dtype::{DType, key_of_f64, key_of_i64};
use crate::encode::table::{FeatureKinds, Table};
use crate::error::{Error, Result};

/// Whole numbers of a lower absolute value are floats exactly, and no other rounds to one.
const MOST_WHOLE: f64 = (1u64 << 53) as f64;

/// A column of the reference, and the one of its name in the current frame.
#[derive(Clone, Debug)]
pub struct FramePair<'a, S> {
    reference: Side<'a, S>,
    current: Side<'a, S>,
    dtype: DType,
}

/// A column of a frame, as values of a dtype.
#[derive(Clone, Debug)]
struct Side<'a, S> {
    source: &'a S,
    dtype: DType,
}

impl<'a, S: Source> FramePair<'a, S> {
    /// Values of the two columns compare if they have one dtype, if both are integers of up to 64 bits,
    /// floats or text of any sort, or if one column is of dtype Null. Integers compare with floats too: as
    /// integers if the floats are whole, as where missing values made floats of integers; else as floats,
    /// if every integer is below 2^53.
    ///
    /// # Errors
    /// Other dtypes.
    pub fn new(reference: &'a S, current: &'a S) -> Result<Self> {
        let (a, b) = (reference.dtype(), current.dtype());
        let dtype = match (a, b) {
            (a, b) if a == b => Some(a.clone()),
            (a, DType::Null) => Some(a.clone()),
            (DType::Null, b) => Some(b.clone()),
            (a, b) if a.is_text() && b.is_text() => Some(DType::String),
            (a, b) if a.has_i64_keys() && b.has_i64_keys() => Some(a.clone()),
            (a, b) if a.is_float() && b.is_float() => Some(DType::F64),
            (a, b) if a.has_i64_keys() && b.is_float() => common_number(reference, current),
            (a, b) if a.is_float() && b.has_i64_keys() => common_number(current, reference),
            (DType::Decimal { scale: a_scale, .. }, DType::Decimal { scale: b_scale, .. })
                if a_scale == b_scale =>
            {
                Some(a.clone())
            }
            _ => None,
        };
        let dtype = dtype.ok_or_else(|| {
            Error::data(format!(
                "column `{}` is {a} in the reference and {b} in the current frame: cast one of them, \
                 or leave it out",
                reference.name()
            ))
        })?;
        let side = |source| Side { source, dtype: dtype.clone() };
        Ok(FramePair { reference: side(reference), current: side(current), dtype })
    }

    /// Rows of the reference, and of the current frame.
    pub(super) fn n_rows(&self) -> [usize; 2] {
        [self.reference.n_rows(), self.current.n_rows()]
    }

    pub(super) fn reference_column(&self, table: &Table, kinds: &FeatureKinds) -> Result<Column> {
        Ok(table.context.raw_column(&self.reference, kinds)?.encode())
    }
}

/// The dtype that integers and floats are compared in: the integers' dtype where the floats are
/// whole, as where missing values made floats of integers; else f64, if it holds the integers
/// exactly.
fn common_number<S: Source>(integers: &S, floats: &S) -> Option<DType> {
    let numbers = |source: &S| source.cells().numbers(source.dtype()).into_iter().flatten();
    // NaN is missing; 2^63 is beyond i64.
    let is_i64 = |x: f64| x.fract() == 0.0 && (-(2f64.powi(63))..2f64.powi(63)).contains(&x);
    if numbers(floats).filter(|x| !x.is_nan()).all(is_i64) {
        return Some(integers.dtype().clone());
    }
    numbers(integers).all(|x| x.abs() < MOST_WHOLE).then_some(DType::F64)
}

impl<S: Source> Source for Side<'_, S> {
    fn name(&self) -> &str {
        self.source.name()
    }

    fn dtype(&self) -> &DType {
        &self.dtype
    }

    fn cells(&self) -> ColumnData {
        let (own, cells) = (self.source.dtype(), self.source.cells());
        let key = match (own.is_float(), self.dtype.is_float()) {
            (true, false) if self.dtype.has_i64_keys() => |x: f64| Some(key_of_i64(x as i64)),
            (false, true) if own.has_i64_keys() => key_of_f64,
            (true, true) if *own != self.dtype => key_of_f64,
            _ => return cells,
        };
        let keys = cells.numbers(own).into_iter().map(|x| x.filter(|x| !x.is_nan()).and_then(key));
        let keys: Vec<Option<u64>> = keys.collect();
        let missing = keys.iter().map(Option::is_none).collect();
        ColumnData::Keys(keys.into_iter().map(Option::unwrap_or_default).collect(), Some(missing))
    }

    fn n_rows(&self) -> usize {
        self.source.n_rows()
    }
}

/// Rows of the reference, then rows of the current frame.
impl<S: Source> Source for FramePair<'_, S> {
    fn name(&self) -> &str {
        self.reference.name()
    }

    fn dtype(&self) -> &DType {
        &self.dtype
    }

    fn cells(&self) -> ColumnData {
        self.reference.cells().append(self.current.cells())
    }

    fn n_rows(&self) -> usize {
        self.n_rows().iter().sum()
    }
}

pub(super) struct FrameOfRows {
    n: [usize; 2],
    dtype: DType,
}

impl FrameOfRows {
    pub(super) fn new(n: [usize; 2]) -> Self {
        let categories = ["reference", "current"].map(str::to_string).to_vec();
        FrameOfRows { n, dtype: DType::Enum { categories } }
    }
}

impl Source for FrameOfRows {
    fn name(&self) -> &str {
        "frame"
    }

    fn dtype(&self) -> &DType {
        &self.dtype
    }

    fn cells(&self) -> ColumnData {
        let DType::Enum { categories } = &self.dtype else { return ColumnData::Missing(0) };
        let ids = std::iter::repeat_n(0, self.n[0]).chain(std::iter::repeat_n(1, self.n[1]));
        ColumnData::Text(ids.collect(), categories.clone())
    }

    fn n_rows(&self) -> usize {
        self.n.iter().sum()
    }
}
