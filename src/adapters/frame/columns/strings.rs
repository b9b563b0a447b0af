//! Polars' strings as the interner reads them.

use polars::prelude::StringChunked;
use polars_core::utils::arrow::array::{Array, Utf8ViewArray, View};
use polars_core::utils::arrow::bitmap::Bitmap;

use crate::encode::interner::Texts;

/// A chunk of a column of strings.
pub(super) struct StringViews<'a> {
    views: &'a [View],
    /// `None` if no string is null.
    validity: Option<&'a Bitmap>,
    array: &'a Utf8ViewArray,
}

impl<'a> Texts<'a> for StringViews<'a> {
    fn len(&self) -> usize {
        self.views.len()
    }

    #[inline(always)]
    fn is_missing(&self, row: usize) -> bool {
        self.validity.is_some_and(|validity| !validity.get_bit(row))
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

/// The chunks of a column of strings.
pub(super) fn string_chunks(strings: &StringChunked) -> impl Iterator<Item = StringViews<'_>> {
    strings.downcast_iter().map(|array| {
        let validity = array.validity().filter(|validity| validity.unset_bits() > 0);
        StringViews { views: array.views(), validity, array }
    })
}
