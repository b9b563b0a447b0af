//! A column of two frames as one.

use crate::data::column::Column;
use crate::data::column_data::{ColumnData, Source};
use crate::data::dtype::{DType, Kind};
use crate::encode::table::{FeatureKinds, Kinds, Table};
use crate::error::{Error, Result};

/// A column of the reference, and the one of its name in the current frame.
#[derive(Clone, Debug)]
pub struct FramePair<'a, S> {
    reference: &'a S,
    current: &'a S,
    dtype: DType,
}

impl<'a, S: Source> FramePair<'a, S> {
    /// The two columns hold values that compare: of one dtype, integers of up to 64 bits, text of
    /// any sort, or nulls.
    ///
    /// # Errors
    /// Other dtypes.
    pub fn new(reference: &'a S, current: &'a S) -> Result<Self> {
        let (a, b) = (reference.dtype(), current.dtype());
        let dtype = match (a, b) {
            (a, b) if a == b => a,
            (a, DType::Null) => a,
            (DType::Null, b) => b,
            (a, b) if a.is_text() && b.is_text() => &DType::String,
            (a, b) if a.has_i64_keys() && b.has_i64_keys() => a,
            (DType::Decimal { scale: a_scale, .. }, DType::Decimal { scale: b_scale, .. })
                if a_scale == b_scale =>
            {
                a
            }
            _ => {
                return Err(Error::data(format!(
                    "column `{}` is {a} in the reference and {b} in the current frame: cast one \
                     of them, or leave it out",
                    reference.name()
                )));
            }
        };
        Ok(FramePair { reference, current, dtype: dtype.clone() })
    }

    /// Whether it is ordered or nominal.
    pub fn kind(&self, kinds: Kinds) -> Kind {
        kinds.by_name().of(self.name(), &self.dtype)
    }

    /// Rows of the reference, and of the current frame.
    pub(super) fn n_rows(&self) -> [usize; 2] {
        [self.reference.n_rows(), self.current.n_rows()]
    }

    /// The column of the reference alone.
    pub(super) fn reference_column(&self, table: &Table, kinds: &FeatureKinds) -> Result<Column> {
        Ok(table.context.raw_column(self.reference, kinds)?.encode())
    }
}

/// Rows of the reference, then those of the current frame.
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

/// The frame that each row is from.
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
