//! A column as a few numbered bins of rows: its levels, or the intervals between cuts.

use super::cuts::{mdl_bounds, quantile_cuts};
use crate::data::column::{Codes, Column};
use crate::data::dtype::{Kind, Value};
use crate::encode::table::Table;
use crate::error::Result;
use crate::spec::Intervals;

/// The bins of a column; the bin of missing values is the last.
pub(in crate::rank) struct Binned {
    pub(in crate::rank) of_row: BinOfRow,
    /// The bins of rows that have a value.
    pub(in crate::rank) n_bins: usize,
}

/// The bin of each row, in a byte where all numbers fit.
pub(in crate::rank) enum BinOfRow {
    Byte(Vec<u8>),
    Long(Vec<u32>),
}

/// The number of a bin.
pub(in crate::rank) trait Bin: Copy + Send + Sync {
    fn index(self) -> usize;
}

impl Bin for u8 {
    #[inline(always)]
    fn index(self) -> usize {
        self.into()
    }
}

impl Bin for u32 {
    #[inline(always)]
    fn index(self) -> usize {
        self as usize
    }
}

impl BinOfRow {
    /// Bins below `n`, row by row.
    pub(in crate::rank) fn new(bins: impl Iterator<Item = u32>, n: usize) -> BinOfRow {
        match n <= 1 << u8::BITS {
            true => BinOfRow::Byte(bins.map(|bin| bin as u8).collect()),
            false => BinOfRow::Long(bins.collect()),
        }
    }
}

impl Binned {
    /// A nominal column by its levels; an ordered one by the intervals, or by its levels if they
    /// are `few`. MDL intervals are for the target of `table`, which must have classes.
    pub(in crate::rank) fn new(
        table: &Table,
        column: &Column,
        intervals: Intervals,
        few: usize,
    ) -> Result<Binned> {
        if column.kind == Kind::Nominal || column.n_levels() <= few {
            return Ok(Binned::by_levels(column));
        }
        let cuts = match intervals {
            Intervals::Mdl => mdl_bounds(table, column)?,
            Intervals::Quantiles(n) => quantile_cuts(column, n, |_| 1),
        };
        Ok(Binned::by_cuts(column, &cuts))
    }

    /// A nominal column, or one of at most `n` levels, by its levels; another by `n` intervals of
    /// about as many rows.
    pub(in crate::rank) fn by_quantiles(column: &Column, n: usize) -> Binned {
        match column.kind == Kind::Nominal || column.n_levels() <= n {
            true => Binned::by_levels(column),
            false => Binned::by_cuts(column, &quantile_cuts(column, n, |_| 1)),
        }
    }

    pub(in crate::rank) fn by_levels(column: &Column) -> Binned {
        let n_bins = column.missing_code() as usize;
        let of_row = match &column.codes {
            // With 256 levels none is missing.
            Codes::ByRow(codes) => BinOfRow::Byte(codes.clone()),
            Codes::Sorted(_) => BinOfRow::new(column.codes.by_row(), n_bins + 1),
        };
        Binned { of_row, n_bins }
    }

    fn by_cuts(column: &Column, cuts: &[Value]) -> Binned {
        let of_level = column.cuts_at_or_below(cuts);
        let missing = cuts.len() as u32 + 1;
        let bin = |code: u32| of_level.get(code as usize).copied().unwrap_or(missing);
        let n_bins = cuts.len() + 1;
        Binned { of_row: BinOfRow::new(column.codes.by_row().map(bin), n_bins + 1), n_bins }
    }

    /// The rows that have a value.
    pub(in crate::rank) fn n_known(&self) -> u64 {
        fn below(bins: &[impl Bin], n: usize) -> u64 {
            bins.iter().filter(|bin| bin.index() < n).count() as u64
        }
        match &self.of_row {
            BinOfRow::Byte(bins) => below(bins, self.n_bins),
            BinOfRow::Long(bins) => below(bins, self.n_bins),
        }
    }

    /// All bins, with the bin of missing values.
    pub(in crate::rank) fn n_all(&self) -> usize {
        self.n_bins + 1
    }
}
