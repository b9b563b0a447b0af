//! Arrow's strings as the interner reads them.

use arrow::array::{Array, GenericStringArray, OffsetSizeTrait, StringViewArray};

use crate::encode::interner::{Texts, view_of};

/// The strings of one array.
pub(super) struct StringChunk<'a, A>(pub(super) &'a A);

impl<'a, O: OffsetSizeTrait> Texts<'a> for StringChunk<'a, GenericStringArray<O>> {
    fn len(&self) -> usize {
        Array::len(self.0)
    }

    fn is_missing(&self, row: usize) -> bool {
        self.0.is_null(row)
    }

    fn view(&self, row: usize) -> u128 {
        view_of(self.0.value(row))
    }

    fn text(&self, row: usize) -> &'a str {
        self.0.value(row)
    }
}

impl<'a> Texts<'a> for StringChunk<'a, StringViewArray> {
    fn len(&self) -> usize {
        Array::len(self.0)
    }

    fn is_missing(&self, row: usize) -> bool {
        self.0.is_null(row)
    }

    fn view(&self, row: usize) -> u128 {
        self.0.views()[row]
    }

    fn text(&self, row: usize) -> &'a str {
        self.0.value(row)
    }
}
