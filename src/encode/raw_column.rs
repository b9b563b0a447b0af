//! A column before and after encoding.

use super::dictionary::encode_text;
use super::keys::encode_keys;
use super::ranks::from_order;
use super::wide_keys::encode_wide_keys;
use crate::data::column::{Codes, Column, ColumnInfo, Levels, RowCodes, Sorted};
use crate::data::column_data::{ColumnData, MISSING};
use crate::data::dtype::{DType, Kind};
use crate::error::{Error, Result};

/// The most rows of a table: row numbers and codes have 32 bits, and one of them stays unused.
pub(crate) const MAX_ROWS: usize = u32::MAX as usize - 1;

/// A feature that is not encoded yet.
#[derive(Clone, Debug)]
pub(crate) struct RawColumn {
    pub(crate) name: String,
    pub(crate) dtype: DType,
    pub(crate) kind: Kind,
    pub(crate) cells: ColumnData,
}

impl RawColumn {
    /// # Errors
    /// More than [`MAX_ROWS`] rows.
    pub(crate) fn new(
        name: String,
        dtype: DType,
        kind: Kind,
        cells: ColumnData,
    ) -> Result<RawColumn> {
        if cells.len() > MAX_ROWS {
            return Err(Error::data(format!(
                "column `{name}` ({dtype}) has {} rows; at most {MAX_ROWS} can be used: take a \
                 sample",
                cells.len()
            )));
        }
        Ok(RawColumn { name, dtype, kind, cells })
    }

    /// Encodes the column; an ordered one of distinct 64-bit keys may get [`RowCodes::Identity`].
    ///
    /// Linear in the rows, plus `l log l` in the levels of text.
    pub(crate) fn encode(self) -> Column {
        let RawColumn { name, dtype, kind, cells } = self;
        let (levels, codes) = match cells {
            ColumnData::Keys(keys, missing) => {
                let (levels, codes) = encode_keys(keys, missing.as_deref(), kind == Kind::Ordered);
                (Levels::Keys(levels), codes)
            }
            ColumnData::Wide(keys, missing) => {
                let (levels, codes) = encode_wide_keys(&keys, missing.as_deref());
                (Levels::Wide(levels), codes)
            }
            ColumnData::Text(ids, texts) => {
                let (levels, codes) = encode_text(&ids, texts, &dtype);
                (Levels::Text(levels), codes)
            }
            ColumnData::Missing(n) => (Levels::Keys(Vec::new()), Codes::ByRow(vec![0; n])),
        };
        let column = Column { info: ColumnInfo { name, dtype, kind, levels }, codes };
        if kind == Kind::Nominal { column.with_text_levels() } else { column }
    }
}

impl Column {
    /// Encodes a feature. Linear in the rows, plus `l log l` in the levels of text.
    ///
    /// # Errors
    /// More than 2^32 - 2 rows.
    pub fn encode(
        name: impl Into<String>,
        dtype: DType,
        kind: Kind,
        cells: ColumnData,
    ) -> Result<Column> {
        Ok(RawColumn::new(name.into(), dtype, kind, cells)?.encode().ranked())
    }

    /// The column with levels in ascending order: [`RowCodes::Identity`] is replaced by ranks.
    pub(crate) fn ranked(self) -> Column {
        let Column { mut info, codes } = self;
        match (&info.levels, codes) {
            (
                Levels::Keys(keys),
                Codes::Sorted(sorted @ Sorted { codes: RowCodes::Identity(_), .. }),
            ) => {
                let n_known = sorted.n_known(keys.len() as u32);
                let (levels, codes) = from_order(sorted.order, n_known, |_, row| keys[row]);
                info.levels = Levels::Keys(levels);
                Column { info, codes }
            }
            (_, codes) => Column { info, codes },
        }
    }

    /// A nominal feature of any dtype has its values' texts as levels, in text order.
    fn with_text_levels(mut self) -> Column {
        if let Levels::Text(_) = self.levels {
            return self;
        }
        let n = self.n_levels() as u32;
        let texts = (0..n).map(|code| self.dtype.write(&self.value(code))).collect();
        let ids = self.codes.by_row().map(|code| if code == n { MISSING } else { code });
        let (levels, codes) = encode_text(&ids.collect::<Vec<_>>(), texts, &self.dtype);
        self.info.levels = Levels::Text(levels);
        Column { codes, ..self }
    }
}
