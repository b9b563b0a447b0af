//! Polars' texts as numbering reads them.

use polars::prelude::StringChunked;
use polars_core::utils::arrow::array::{Array, Utf8ViewArray, View};
use polars_core::utils::arrow::bitmap::Bitmap;

use crate::data::column_data::ColumnData;
use crate::encode::interner::{Interner, Texts};

/// A chunk of texts.
struct TextChunk<'a> {
    views: &'a [View],
    known: Option<&'a Bitmap>,
    array: &'a Utf8ViewArray,
}

impl<'a> Texts<'a> for TextChunk<'a> {
    fn len(&self) -> usize {
        self.views.len()
    }

    #[inline(always)]
    fn is_missing(&self, row: usize) -> bool {
        self.known.is_some_and(|known| !known.get_bit(row))
    }

    #[inline(always)]
    fn view(&self, row: usize) -> u128 {
        let View { length, prefix, buffer_idx, offset } = self.views[row];
        let words = [length, prefix, buffer_idx, offset].map(u128::from);
        words[0] | words[1] << 32 | words[2] << 64 | words[3] << 96
    }

    fn text(&self, row: usize) -> &'a str {
        self.array.value(row)
    }
}

/// The cells of a column of texts.
pub(crate) fn cells(ca: &StringChunked) -> ColumnData {
    let mut numbering = Interner::new(ca.len());
    for array in ca.downcast_iter() {
        let known = array.validity().filter(|known| known.unset_bits() > 0);
        numbering.add(&TextChunk { views: array.views(), known, array });
    }
    numbering.cells()
}
