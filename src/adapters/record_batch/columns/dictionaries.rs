//! Columns of dictionary arrays: of texts, and of any other values.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, downcast_integer_array};
use arrow::datatypes::{ArrowNativeType, DataType, Field};
use hashbrown::HashMap;

use super::batch_column::BatchColumn;
use crate::data::column_data::{ColumnData, MISSING, Source};
use crate::data::dtype::DType;

/// The cells of a column. Of a dictionary of texts only those are read that a row has.
pub(super) fn cells(column: &BatchColumn) -> ColumnData {
    if column.dtype().is_text() {
        return texts(column);
    }
    let mut at = Vec::with_capacity(column.n_rows());
    let mut start = 0;
    for run in runs(column) {
        for chunk in run {
            each_key(chunk, |key| at.push(key.map(|key| start + key)));
        }
        start += values(&run[0]).len();
    }
    match of_values(column) {
        Some(values) => values.cells().gather(at.into_iter()),
        None => ColumnData::Missing(column.n_rows()),
    }
}

/// Says so if a dictionary has a value that the engine's dtype cannot hold.
pub(super) fn out_of_range(column: &BatchColumn) -> Option<&'static str> {
    if let DType::Enum { categories } = column.dtype() {
        let known = ids_of(categories);
        let is_known = |text: &str| known.contains_key(text);
        let all_known = |run: &[ArrayRef]| {
            let (values, text) = (values(&run[0]), text_of(values(&run[0])));
            (0..values.len()).all(|at| text(at).is_none_or(is_known))
        };
        let unknown = "has a text that is none of its Enum's categories: cast it to a string";
        return (!runs(column).all(all_known)).then_some(unknown);
    }
    of_values(column)?.out_of_range()
}

/// The chunks that follow each other and share a dictionary.
fn runs(column: &BatchColumn) -> impl Iterator<Item = &[ArrayRef]> {
    column.chunks().chunk_by(|a, b| Arc::ptr_eq(values(a), values(b)))
}

fn values(chunk: &ArrayRef) -> &ArrayRef {
    chunk.as_any_dictionary().values()
}

/// The values of the dictionaries, one dictionary after the other, as a column.
fn of_values(column: &BatchColumn) -> Option<BatchColumn> {
    let chunks: Vec<ArrayRef> = runs(column).map(|run| values(&run[0]).clone()).collect();
    let dtype = chunks.first()?.data_type().clone();
    BatchColumn::unchecked(&Arc::new(Field::new(column.name(), dtype, true)), chunks)
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

/// The texts of the rows. An Enum has all its categories, in their order, so that columns of one
/// dtype have one dictionary.
fn texts(column: &BatchColumn) -> ColumnData {
    const UNSEEN: u32 = MISSING - 1;
    let mut ids = Vec::with_capacity(column.n_rows());
    let categories = match column.dtype() {
        DType::Enum { categories } => categories.as_slice(),
        _ => &[],
    };
    let mut known = ids_of(categories);
    let mut found: Vec<String> = categories.to_vec();
    for run in runs(column) {
        let (n_values, text) = (values(&run[0]).len(), text_of(values(&run[0])));
        // The id of each value that a row had.
        let mut id_of = vec![UNSEEN; n_values];
        for chunk in run {
            each_key(chunk, |key| {
                let Some(key) = key else { return ids.push(MISSING) };
                if id_of[key] == UNSEEN {
                    id_of[key] = text(key).map_or(MISSING, |text| match known.get(text) {
                        Some(&id) => id,
                        None => {
                            found.push(text.to_string());
                            known.insert(text, found.len() as u32 - 1);
                            found.len() as u32 - 1
                        }
                    });
                }
                ids.push(id_of[key]);
            });
        }
    }
    ColumnData::Text(ids, found)
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
