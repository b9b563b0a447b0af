//! One opaque error type: a message for people, predicates for programs.

use std::fmt;
use std::ops::Range;

/// An error, whose one-line message names the column, its dtype, what was expected and what to do.
///
/// Programs should use the predicates ([`is_data`](Error::is_data) and the other four); the
/// message may change.
#[derive(thiserror::Error)]
#[error("{message}")]
pub struct Error {
    kind: ErrorKind,
    message: String,
    /// The row the message names, and where in it.
    row: Option<(usize, Range<usize>)>,
    #[source]
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// `std::result::Result` with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ErrorKind {
    Data,
    Spec,
    Model,
    Io,
    Interrupted,
}

impl Error {
    pub(crate) fn data(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Data, message)
    }

    pub(crate) fn spec(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Spec, message)
    }

    pub(crate) fn model(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Model, message)
    }

    pub(crate) fn io(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Io, message)
    }

    pub(crate) fn interrupted() -> Self {
        Self::new(ErrorKind::Interrupted, "interrupted")
    }

    /// An error of a [`RowStore`](crate::engine::RowStore), or of another reader of rows, that could
    /// not answer.
    pub fn of_store(
        message: impl Into<String>,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self::new(ErrorKind::Data, message).caused_by(source)
    }

    fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into(), row: None, source: None }
    }

    /// An error about a row of the table: `before`, "row 3", `after`. Rows are counted from 0.
    pub(crate) fn data_in_row(before: impl Into<String>, row: usize, after: &str) -> Self {
        let mut message = before.into() + " ";
        let start = message.len();
        message += &format!("row {}", row + 1);
        let named = start..message.len();
        Error { row: Some((row, named)), ..Self::data(message + after) }
    }

    pub(crate) fn caused_by(
        mut self,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        self.source = Some(source.into());
        self
    }

    /// A column is missing, has the wrong dtype, or holds values that cannot be used.
    pub fn is_data(&self) -> bool {
        self.kind == ErrorKind::Data
    }

    /// A spec contradicts itself, or names something unknown.
    pub fn is_spec(&self) -> bool {
        self.kind == ErrorKind::Spec
    }

    /// A model file is damaged, of another version, or not a model.
    pub fn is_model(&self) -> bool {
        self.kind == ErrorKind::Model
    }

    /// A file could not be read or written.
    pub fn is_io(&self) -> bool {
        self.kind == ErrorKind::Io
    }

    /// The row of the table that the message is about, counted from 0, where it is about one.
    pub fn row(&self) -> Option<usize> {
        self.row.as_ref().map(|(row, _)| *row)
    }

    /// The error with another name for its [row](Self::row), such as `row 3 of b.csv` where a table
    /// was made of several. An error that is about no row stays as it is.
    pub fn with_row_name(mut self, name: impl FnOnce(usize) -> String) -> Self {
        if let Some((row, named)) = self.row.take() {
            let name = name(row);
            let end = named.start + name.len();
            self.message.replace_range(named.clone(), &name);
            self.row = Some((row, named.start..end));
        }
        self
    }

    /// The error of a part of a table that begins at row `first`.
    #[cfg(any(feature = "polars", feature = "arrow", test))]
    pub(crate) fn of_part(self, first: usize) -> Self {
        let row = self.row().map(|row| row + first);
        let mut error = self.with_row_name(|row| format!("row {}", first + row + 1));
        error.row = error.row.zip(row).map(|((_, named), row)| (row, named));
        error
    }

    /// A [`Monitor`](crate::Monitor) asked for the end of the work.
    pub fn is_interrupted(&self) -> bool {
        self.kind == ErrorKind::Interrupted
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} error: {}", self.kind, self.message)
    }
}

/// The name among `known` closest to `name`, if it is close enough to be a typo. Case and spaces
/// around a name make no difference.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |name: &str| name.trim().to_lowercase();
    let name = plain(name);
    let length = name.chars().count();
    let limit = (length / 3).max(1);
    known
        .into_iter()
        .map(|k| (edit_distance(&name, &plain(k), limit), k))
        // A name of other letters altogether is no typo.
        .filter(|&(d, k)| d <= limit && d < length.max(plain(k).chars().count()))
        .min_by_key(|&(d, _)| d)
        .map(|(_, k)| k)
}

/// "`nam`: no such column; did you mean `name`?", or a list of the columns.
pub(crate) fn no_such_column(role: &str, name: &str, known: &[&str]) -> Error {
    let hint = match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "the table has no columns".to_string(),
        None => format!("the columns are {}", listed(known)),
    };
    Error::data(format!("{role} `{name}`: no such column; {hint}"))
}

/// Names in backticks, at most a dozen of them.
pub(crate) fn listed(names: &[impl AsRef<str>]) -> String {
    const SHOWN: usize = 12;
    let mut text = names
        .iter()
        .take(SHOWN)
        .map(|n| format!("`{}`", n.as_ref()))
        .collect::<Vec<_>>()
        .join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    text
}

/// Optimal string alignment distance (Levenshtein plus swaps of neighbours); any number above
/// `limit` if the lengths differ by more than that.
fn edit_distance(a: &str, b: &str, limit: usize) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > limit {
        return limit + 1;
    }
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let substitute = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = substitute.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_counted_from_1_in_messages_and_may_be_named() {
        let error = Error::data_in_row("`w` is -1 in", 2, "; weights are not negative");
        assert_eq!(error.to_string(), "`w` is -1 in row 3; weights are not negative");
        assert_eq!(error.row(), Some(2));
        let error = error.of_part(10);
        assert_eq!(error.to_string(), "`w` is -1 in row 13; weights are not negative");
        assert_eq!(error.row(), Some(12));
        let error = error.with_row_name(|row| format!("line {row} of `b`"));
        assert_eq!(error.to_string(), "`w` is -1 in line 12 of `b`; weights are not negative");
        let other = Error::data("no rows").of_part(3).with_row_name(|row| row.to_string());
        assert_eq!((other.to_string(), other.row()), ("no rows".into(), None));
    }

    #[test]
    fn typos_are_found_and_other_names_are_not() {
        let known = ["petal_length", "petal_width", "species"];
        assert_eq!(nearest("petal_lenght", known), Some("petal_length"));
        assert_eq!(nearest("Species", known), Some("species"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(nearest("y", ["x", "", " y"]), Some(" y"));
        assert_eq!(nearest("y", ["x", "", "id"]), None);
        assert_eq!(nearest("ab", ["", "b", "x"]), Some("b"));
    }
}
