//! Columns to codes: the [`ColumnData`](crate::engine::ColumnData) of an adapter becomes a
//! [`Column`](crate::engine::Column) or a [`Target`](crate::engine::Target).
//!
//! ```text
//! RawColumn ─┬─ text ─────────────── dictionary ───────────────────────┐
//!            ├─ 128-bit keys ─────── wide_keys ── comparison sort ─────┤
//!            └─ 64-bit keys ─ keys ─┬ range of a byte ─┐               ├─> levels, codes
//!                                   ├ small range ─────┴ small_range ──┤
//!                                   ├ few levels ────── hashed_keys ───┤
//!                                   └ other ─────────── argsort ───────┘
//! ```
//!
//! Columns of up to 255 levels get a byte per row; others get their rows in level order as well.

pub(crate) mod dictionary;
pub(crate) mod encoded_rows;
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) mod interner;
mod keys;
mod permuted;
mod ranks;
mod raw_column;
mod small_range;
pub(crate) mod sort;
pub(crate) mod table;
mod target;
mod wide_keys;

pub(crate) use ranks::order_by_counting;
pub(crate) use raw_column::{MAX_ROWS, RawColumn};
pub(crate) use small_range::is_small_range;
pub(crate) use target::{
    LARGEST_NUMBER, check_range, is_beyond_floats, is_number, too_many_classes,
};
