//! Arrow's texts as numbering reads them.

use arrow::array::{Array, GenericStringArray, OffsetSizeTrait, StringViewArray};

use crate::encode::interner::{Texts, view_of};

/// An array of texts.
pub(crate) struct TextChunk<'a, A>(pub(crate) &'a A);

impl<'a, O: OffsetSizeTrait> Texts<'a> for TextChunk<'a, GenericStringArray<O>> {
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

impl<'a> Texts<'a> for TextChunk<'a, StringViewArray> {
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
