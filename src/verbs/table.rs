//! A table of results as a value, before a face makes a DataFrame or a RecordBatch of it.

use std::borrow::Cow;

#[cfg(not(feature = "polars"))]
use arrow_array::RecordBatch as Made;
#[cfg(feature = "polars")]
use polars::prelude::DataFrame as Made;

use crate::data::dtype::{DType, Value};
use crate::error::Result;

/// What a face makes of a [`ResultTable`].
pub trait FromResults: Sized + Send + Sync {
    /// The table of these columns, in order.
    fn from_results<'a>(
        columns: impl IntoIterator<Item = (impl Into<String>, ResultColumn<'a>)>,
    ) -> Result<Self>;
}

/// The tables of the face that there is: DataFrames, or record batches without Polars.
pub type FaceTable = Made;

/// Named columns of one height, in order.
#[derive(Debug, Default)]
pub struct ResultTable<'a>(Vec<(String, ResultColumn<'a>)>);

/// The values of a column; `None` is null.
#[derive(Debug)]
pub enum ResultColumn<'a> {
    Bool(Vec<Option<bool>>),
    U32(Vec<Option<u32>>),
    U64(Vec<Option<u64>>),
    F64(Vec<Option<f64>>),
    Text(Vec<Option<Cow<'a, str>>>),
    /// Numbers without nulls, in the width of a dtype of floats; of any other dtype in 64 bits.
    Floats(&'a DType, Vec<f64>),
    /// Numbers of nodes, without nulls.
    Ids(Vec<u32>),
    /// Values of a dtype.
    Values(&'a DType, Cow<'a, [Value]>),
    /// The elements of all lists, and the length of each; `None` is a list that is null.
    Lists(Box<ResultColumn<'a>>, Vec<Option<usize>>),
    /// Fields with their names, of one height.
    Struct(Vec<(String, ResultColumn<'a>)>),
    /// A column of one row, and how often that row is repeated.
    Repeated(Box<ResultColumn<'a>>, usize),
    /// A column, and for each row of the table the row of that column; null where it is
    /// [`MISSING`](crate::engine::MISSING).
    Taken(Box<ResultColumn<'a>>, Vec<u32>),
}

impl ResultColumn<'_> {
    /// The rows of this column at some indices; null where an index is [`MISSING`].
    pub(crate) fn of_rows(self, rows: Vec<u32>) -> Self {
        ResultColumn::Taken(Box::new(self), rows)
    }
}

/// A value that a column can hold, or an option of one.
pub trait ResultValue<'a>: Sized {
    fn column(values: impl Iterator<Item = Self>) -> ResultColumn<'a>;
}

macro_rules! result_values {
    ($($variant:ident of $type:ty),*) => {$(
        impl<'a> ResultValue<'a> for Option<$type> {
            fn column(values: impl Iterator<Item = Self>) -> ResultColumn<'a> {
                ResultColumn::$variant(values.map(|value| value.map(Into::into)).collect())
            }
        }

        impl<'a> ResultValue<'a> for $type {
            fn column(values: impl Iterator<Item = Self>) -> ResultColumn<'a> {
                ResultColumn::$variant(values.map(|value| Some(value.into())).collect())
            }
        }
    )*};
}

result_values!(
    Bool of bool, U32 of u32, U64 of u64, F64 of f64,
    Text of Cow<'a, str>, Text of &'a str, Text of String
);

impl<'a> IntoIterator for ResultTable<'a> {
    type Item = (String, ResultColumn<'a>);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> ResultTable<'a> {
    /// Adds a column.
    pub(crate) fn add<T: ResultValue<'a>>(
        self,
        name: impl Into<String>,
        values: impl IntoIterator<Item = T>,
    ) -> Self {
        self.push(name, T::column(values.into_iter()))
    }

    /// Adds a column that is there already.
    pub(crate) fn push(mut self, name: impl Into<String>, column: ResultColumn<'a>) -> Self {
        self.0.push((name.into(), column));
        self
    }

    /// Adds a column that holds one value in all rows.
    pub(crate) fn repeat<T: ResultValue<'a>>(self, name: &str, value: T, n_rows: usize) -> Self {
        let one = T::column(std::iter::once(value));
        self.push(name, ResultColumn::Repeated(Box::new(one), n_rows))
    }

    /// Adds a column of 64-bit floats without nulls.
    pub(crate) fn add_floats(self, name: impl Into<String>, values: Vec<f64>) -> Self {
        self.push(name, ResultColumn::Floats(&DType::F64, values))
    }

    /// Adds a column that names the event, if there is one.
    pub(crate) fn add_event(self, event: Option<String>, n_rows: usize) -> Self {
        match event {
            Some(event) => self.repeat("event", event, n_rows),
            None => self,
        }
    }

    /// Adds a column of lists.
    pub(crate) fn add_lists<T: ResultValue<'a>, L: IntoIterator<Item = T>>(
        self,
        name: &str,
        lists: impl IntoIterator<Item = Option<L>>,
    ) -> Self {
        let (mut elements, mut lengths) = (Vec::new(), Vec::new());
        for list in lists {
            let before = elements.len();
            let is_some = list.is_some();
            elements.extend(list.into_iter().flatten());
            lengths.push(is_some.then_some(elements.len() - before));
        }
        let elements = Box::new(T::column(elements.into_iter()));
        self.push(name, ResultColumn::Lists(elements, lengths))
    }

    /// These of the columns, in this order.
    pub(crate) fn only(mut self, names: &[&str]) -> Self {
        let place = |name: &String| names.iter().position(|known| known == name);
        self.0.retain(|(name, _)| place(name).is_some());
        self.0.sort_by_key(|(name, _)| place(name));
        self
    }

    /// The table as a face has it.
    pub(crate) fn into_table<T: FromResults>(self) -> Result<T> {
        T::from_results(self)
    }
}
