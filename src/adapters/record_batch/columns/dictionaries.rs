//! Dictionary arrays: their keys, their values, and texts.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, downcast_integer_array};
use arrow_buffer::ArrowNativeType;
use arrow_schema::DataType;
use hashbrown::HashMap;

use crate::data::column_data::{ColumnData, MISSING};

/// The dictionaries of some chunks, in order. Chunks that follow each other may share one.
pub(super) fn dictionaries(chunks: &[ArrayRef]) -> Vec<ArrayRef> {
    runs(chunks).map(|run| values(&run[0]).clone()).collect()
}

/// For each row the index of its value in the dictionaries, one after the other; `None` is null.
pub(super) fn places(chunks: &[ArrayRef]) -> Vec<Option<usize>> {
    let (mut places, mut start) = (Vec::new(), 0);
    for run in runs(chunks) {
        for chunk in run {
            each_key(chunk, |key| places.push(key.map(|key| start + key)));
        }
        start += values(&run[0]).len();
    }
    places
}

/// The texts of the rows. A text that no row has is not read. Categories stand first, in their order, so
/// that all columns of an Enum have one dictionary.
pub(super) fn texts(chunks: &[ArrayRef], categories: &[String]) -> ColumnData {
    const UNSEEN: u32 = MISSING - 1;
    let mut ids = Vec::with_capacity(chunks.iter().map(|chunk| chunk.len()).sum());
    let mut known = ids_of(categories);
    let mut found = categories.to_vec();
    for run in runs(chunks) {
        let text = text_of(values(&run[0]));
        // The id of each value that a row had.
        let mut id_of = vec![UNSEEN; values(&run[0]).len()];
        for chunk in run {
            each_key(chunk, |key| {
                let Some(key) = key else { return ids.push(MISSING) };
                if id_of[key] == UNSEEN {
                    id_of[key] = text(key).map_or(MISSING, |text| {
                        *known.entry(text).or_insert_with(|| {
                            found.push(text.to_string());
                            found.len() as u32 - 1
                        })
                    });
                }
                ids.push(id_of[key]);
            });
        }
    }
    ColumnData::Text(ids, found)
}

/// Whether each text of the dictionaries is one of the categories.
pub(super) fn all_among(chunks: &[ArrayRef], categories: &[String]) -> bool {
    let known = ids_of(categories);
    runs(chunks).all(|run| {
        let (values, text) = (values(&run[0]), text_of(values(&run[0])));
        (0..values.len()).all(|at| text(at).is_none_or(|text| known.contains_key(text)))
    })
}

/// The chunks that follow each other and share a dictionary.
fn runs(chunks: &[ArrayRef]) -> impl Iterator<Item = &[ArrayRef]> {
    chunks.chunk_by(|a, b| Arc::ptr_eq(values(a), values(b)))
}

fn values(chunk: &ArrayRef) -> &ArrayRef {
    chunk.as_any_dictionary().values()
}

/// Calls a function with the key of each row; `None` where it is null.
fn each_key(chunk: &ArrayRef, mut take: impl FnMut(Option<usize>)) {
    let keys = chunk.as_any_dictionary().keys();
    downcast_integer_array!(
        keys => match keys.nulls() {
            None => keys.values().iter().for_each(|key| take(Some(key.as_usize()))),
            Some(_) => keys.iter().for_each(|key| take(key.map(|key| key.as_usize()))),
        },
        _ => {}
    );
}

fn ids_of(texts: &[String]) -> HashMap<&str, u32> {
    texts.iter().map(String::as_str).zip(0..).collect()
}

/// Looks up the texts of an array; `None` is null.
fn text_of<'a>(values: &'a ArrayRef) -> Box<dyn Fn(usize) -> Option<&'a str> + 'a> {
    macro_rules! of {
        ($array:expr) => {{
            let array = $array;
            Box::new(move |at| array.is_valid(at).then(|| array.value(at)))
        }};
    }
    match values.data_type() {
        DataType::Utf8 => of!(values.as_string::<i32>()),
        DataType::LargeUtf8 => of!(values.as_string::<i64>()),
        DataType::Utf8View => of!(values.as_string_view()),
        _ => Box::new(|_| None),
    }
}
