//! Whole numbers that number the rows.

use std::cell::LazyCell;

use super::LEAST_ROWS;
use crate::data::column::Column;
use crate::data::dtype::{DType, Kind, Value};
use crate::rank::FeatureGain;
use crate::split::ColumnView;

/// Whether the values of an ordered column are numbers of its rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Numbering {
    /// Values repeat, or are not whole.
    #[default]
    None,
    /// Nearly all are distinct, and all are whole.
    Whole,
    /// And the greatest is above the least by less than twice the rows.
    Rows,
}

impl Numbering {
    /// Of `n_values` values, which ascend and have all `n_levels` levels of `n_known` rows. They are
    /// looked at only where they may number rows.
    pub(crate) fn of(
        dtype: &DType,
        [n_levels, n_known]: [u64; 2],
        id_share: f64,
        n_values: usize,
        values: impl Fn(usize) -> Value,
    ) -> Numbering {
        let is_distinct = n_known >= LEAST_ROWS && n_levels as f64 >= id_share * n_known as f64;
        if !is_distinct || n_values == 0 || !(dtype.holds_integers() || dtype.is_float()) {
            return Numbering::None;
        }
        let is_whole = |at| match values(at) {
            Value::Float(value) => value.fract() == 0.0,
            Value::Int(_) | Value::Unsigned(_) => true,
            Value::Text(_) => false,
        };
        if !(dtype.holds_integers() || (0..n_values).all(is_whole)) {
            return Numbering::None;
        }
        match number(values(n_values - 1)) - number(values(0)) < 2.0 * n_known as f64 {
            true => Numbering::Rows,
            false => Numbering::Whole,
        }
    }

    /// Of some rows of a column, by their levels and known values. Linear in the rows for floats.
    pub(in crate::rank) fn of_view(
        column: &Column,
        view: ColumnView,
        counts: [u64; 2],
        id_share: f64,
    ) -> Numbering {
        let of = |code: &dyn Fn(usize) -> u32| {
            let value = |at: usize| column.value(code(at));
            Numbering::of(&column.dtype, counts, id_share, counts[1] as usize, value)
        };
        match (column.kind, view) {
            (Kind::Nominal, _) => Numbering::None,
            (Kind::Ordered, ColumnView::Presorted(view)) => of(&|at| view.code(at)),
            (Kind::Ordered, ColumnView::ByRow { codes, rows, .. }) => {
                // Sorted only where nearly all rows have a level of their own, of the 256 there are.
                let sorted = LazyCell::new(|| {
                    let mut codes: Vec<u8> = rows.iter().map(|&row| codes[row as usize]).collect();
                    codes.sort_unstable();
                    codes
                });
                of(&|at| sorted[at].into())
            }
        }
    }
}

impl FeatureGain {
    /// These figures with the numbering of their rows.
    pub(in crate::rank) fn with_numbering(
        mut self,
        column: &Column,
        view: ColumnView,
        id_share: f64,
    ) -> Self {
        let counts = [self.n_levels, self.n - self.n_missing];
        self.signs.numbering = Numbering::of_view(column, view, counts, id_share);
        self
    }
}

fn number(value: Value) -> f64 {
    match value {
        Value::Float(value) => value,
        Value::Int(value) => value as f64,
        Value::Unsigned(value) => value as f64,
        Value::Text(_) => f64::NAN,
    }
}
