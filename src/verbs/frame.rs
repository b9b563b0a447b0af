//! What a verb reads: rows, and columns by name.

use std::ops::Range;

use super::model_ref::ModelRef;
use super::score_spec::{RowAnswer, ScoreSpec};
use super::table::{FromResults, ResultColumn};
use crate::data::column_data::Source;
use crate::error::{Error, Result, no_such_column};
use crate::score::{INLINE_ROWS, Voting};

/// What holds the rows of one table: a DataFrame, a LazyFrame, a record batch or several of them.
///
/// The verbs ([`FrameVerbs`](crate::FrameVerbs), and functions such as
/// [`rank_gain`](crate::rank_gain)) are the same for all of them. Each verb reads the columns that it
/// needs, and gives its tables in the same library: a DataFrame for DataFrames and LazyFrames, a
/// RecordBatch for record batches. This trait is sealed.
pub trait Frame: sealed::Sealed + Sync {
    /// The tables that verbs give.
    type Table: FromResults;
    /// The rows as verbs read them.
    #[doc(hidden)]
    type Columns: NamedColumns<Table = Self::Table>;

    /// The rows with the columns that are needed, or with more.
    #[doc(hidden)]
    fn columns(&self, needed: &Needed) -> Result<Self::Columns>;

    /// All columns; it may lack rows.
    #[doc(hidden)]
    fn outline(&self) -> Result<Self::Columns> {
        self.columns(&Needed::All)
    }

    /// How many of some columns are read at a time where each is read once.
    #[doc(hidden)]
    fn columns_at_once(&self, n_columns: usize) -> usize {
        n_columns
    }

    /// What a model says of the rows: `prediction`, and of a tree `leaf_id`, a text.
    #[doc(hidden)]
    fn said(&self, model: ModelRef, threads: Option<usize>) -> Result<Self::Columns> {
        let columns = self.columns(&model.used_columns().into())?;
        Self::in_pool(threads, || model.said(&columns))
    }

    /// Runs in the pool of the face, or in one of `threads` threads if that is another number.
    #[doc(hidden)]
    fn in_pool<R: Send>(
        threads: Option<usize>,
        work: impl FnOnce() -> Result<R> + Send,
    ) -> Result<R>;
}

pub(crate) mod sealed {
    /// Keeps a trait to the types of this crate's faces.
    pub trait Sealed {}
}

/// The columns that a verb needs.
#[derive(Debug)]
pub enum Needed<'a> {
    /// All there are.
    All,
    /// Columns that must be there, and the role of each, for the error.
    Named(Vec<(&'static str, &'a str)>),
    /// Columns for which the verb looks itself: it says what is wrong where one is not there.
    Checked(Vec<&'a str>),
}

impl Needed<'_> {
    /// The names of the columns; `None` where all are needed.
    #[cfg(feature = "lazy")]
    pub(crate) fn names(&self) -> Option<Vec<String>> {
        let text = |name: &&str| name.to_string();
        match self {
            Needed::All => None,
            Needed::Named(named) => Some(named.iter().map(|(_, name)| text(name)).collect()),
            Needed::Checked(names) => Some(names.iter().map(text).collect()),
        }
    }
}

impl<'a> From<Vec<&'a str>> for Needed<'a> {
    fn from(names: Vec<&'a str>) -> Self {
        Needed::Checked(names)
    }
}

/// Rows in memory, and columns by name.
pub trait NamedColumns: Sized + Clone + Send + Sync {
    /// A column whose dtype the engine knows.
    type Column: Source + Clone + Send;
    /// The keys of groups, a row for each group.
    type Keys: Send + Sync;
    /// The tables that verbs give.
    type Table: FromResults + Frame<Columns = Self>;

    /// Rows.
    fn n_rows(&self) -> usize;
    /// The columns' names, in order.
    fn names(&self) -> Vec<&str>;
    /// The column of a name; `None` where there is none.
    fn column_or_reason(&self, name: &str) -> Option<ColumnOrReason<Self::Column>>;
    /// Some of the rows, by their indices.
    fn rows(&self, rows: &[u32]) -> Result<Self>;
    /// Some of the columns, by their names.
    fn select(&self, names: &[String]) -> Result<Self>;
    /// Some rows that follow each other, without a copy.
    fn slice(&self, rows: Range<usize>) -> Self;
    /// These rows, and those of another table of the same columns after them.
    fn append(&self, later: &Self) -> Result<Self>;
    /// The groups of the rows by some columns, in order of first appearance; `kept` are the rows that
    /// count, or all.
    fn groups(&self, by: &[String], kept: Option<&[u32]>) -> Result<RowGroups<Self::Keys>>;
    /// The table of results, where each line belongs to a group. The keys of the groups come first.
    fn table_of_groups<'a>(
        keys: &Self::Keys,
        groups: &[u32],
        results: impl Iterator<Item = (&'a str, ResultColumn<'a>)>,
    ) -> Result<Self::Table>;

    /// The kept columns, by their indices, and the columns that a model adds; and how many rows met
    /// a level that was absent in training.
    fn scored(
        &self,
        model: ModelRef,
        kept: &[usize],
        spec: &ScoreSpec,
    ) -> Result<(Self::Table, u64)>;

    /// A table of what a model answers for each row: one column.
    fn answered(&self, model: ModelRef, answer: RowAnswer, voting: Voting) -> Result<Self::Table>;

    /// Some rows of the column of a name; `None` where there is no such column.
    fn part_or_reason(
        &self,
        name: &str,
        rows: &Range<usize>,
    ) -> Option<ColumnOrReason<Self::Column>>;

    /// The column of a name that a model reads; `None` where there is none.
    fn column_to_score(&self, name: &str) -> Result<Option<Self::Column>> {
        self.part_to_score(name, &(0..self.n_rows()))
    }

    /// Some rows of the column of a name that a model reads; `None` where there is none.
    fn part_to_score(&self, name: &str, rows: &Range<usize>) -> Result<Option<Self::Column>> {
        match self.part_or_reason(name, rows) {
            None => Ok(None),
            Some(ColumnOrReason::Usable(column)) => Ok(Some(column)),
            Some(ColumnOrReason::Excluded { name, dtype, .. }) => Err(of_no_model(&name, &dtype)),
        }
    }
}

/// Rows in groups, and the groups' keys as a face holds them.
pub struct RowGroups<K> {
    /// The group of each row that counts; empty where there is one group.
    pub of: Vec<u32>,
    /// The number of groups.
    pub count: usize,
    /// The keys of the groups, in their order.
    pub keys: K,
}

impl<K> RowGroups<K> {
    /// All rows in one group.
    pub(crate) fn one(keys: K) -> Self {
        RowGroups { of: Vec::new(), count: 1, keys }
    }
}

/// A column that can serve, or its name, dtype and why it cannot.
#[derive(Clone)]
pub enum ColumnOrReason<C> {
    Usable(C),
    Excluded { name: String, dtype: String, reason: String },
}

impl<C> ColumnOrReason<C> {
    /// A column of a dtype that is neither ordered nor nominal.
    pub(crate) fn of_no_kind(name: &str, dtype: &impl std::fmt::Display) -> Self {
        ColumnOrReason::Excluded {
            name: name.to_string(),
            dtype: dtype.to_string(),
            reason: format!(
                "dtype {dtype} has no order and no levels: unnest or cast it, or leave it out"
            ),
        }
    }

    /// A reference to the column, if it can serve.
    pub(crate) fn as_column(&self) -> Option<&C> {
        match self {
            ColumnOrReason::Usable(column) => Some(column),
            ColumnOrReason::Excluded { .. } => None,
        }
    }

    /// The column, if it can serve.
    pub(crate) fn column(self) -> Option<C> {
        match self {
            ColumnOrReason::Usable(column) => Some(column),
            ColumnOrReason::Excluded { .. } => None,
        }
    }

    /// The column, which must serve.
    pub(crate) fn usable(self, role: &str) -> Result<C> {
        match self {
            ColumnOrReason::Usable(column) => Ok(column),
            ColumnOrReason::Excluded { name, dtype, reason } => {
                Err(Error::data(format!("{role} `{name}` ({dtype}) cannot be used: {reason}")))
            }
        }
    }
}

/// Runs in the pool of the face, or for few rows in the calling thread: that is sooner.
pub(super) fn in_pool_of_many<F: Frame + ?Sized, R: Send>(
    n_rows: usize,
    work: impl FnOnce() -> Result<R> + Send,
) -> Result<R> {
    if n_rows <= INLINE_ROWS { work() } else { F::in_pool(None, work) }
}

/// The column of a name, or an error that suggests the near one.
pub(crate) fn find<F: NamedColumns>(
    frame: &F,
    role: &str,
    name: &str,
) -> Result<ColumnOrReason<F::Column>> {
    frame.column_or_reason(name).ok_or_else(|| no_such_column(role, name, &frame.names()))
}

/// A name that is not taken: this one, or with underscores behind it.
pub(crate) fn free_name(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut free = name.to_string();
    while is_taken(&free) {
        free.push('_');
    }
    free
}

/// The features of some names, which must serve.
pub(crate) fn features_of<F: NamedColumns>(frame: &F, names: &[&str]) -> Result<Vec<F::Column>> {
    names.iter().map(|name| find(frame, "feature", name)?.usable("feature")).collect()
}

/// The texts of a column.
pub(super) fn texts<F: NamedColumns>(
    table: &F,
    role: &str,
    name: &str,
) -> Result<Vec<Option<String>>> {
    let column = find(table, role, name)?.usable(role)?;
    let (dtype, cells) = (column.dtype(), column.cells());
    if !dtype.is_text() {
        return Err(Error::data(format!("{role} `{name}` ({dtype}) is no text")));
    }
    Ok((0..cells.len()).map(|row| Some(dtype.show(&cells.value(dtype, row)?))).collect())
}

/// The error of a column whose dtype no model compares with.
pub(crate) fn of_no_model(name: &str, dtype: &impl std::fmt::Display) -> Error {
    Error::data(format!(
        "column `{name}` is {dtype} here, which no model is fitted on: cast it to the dtype of the \
         training frame"
    ))
}
