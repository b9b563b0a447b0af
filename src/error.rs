//! One opaque error type: a message for people, predicates for programs.

use std::fmt;

/// An error, whose one-line message names the column, its dtype, what was expected and what to do.
///
/// Programs should use the predicates ([`is_data`](Error::is_data) and the other four); the
/// message may change.
#[derive(thiserror::Error)]
#[error("{message}")]
pub struct Error {
    kind: ErrorKind,
    message: String,
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

    /// An error of a [`RowStore`](crate::engine::RowStore) that could not answer.
    pub fn of_store(
        message: impl Into<String>,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self::new(ErrorKind::Data, message).caused_by(source)
    }

    fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into(), source: None }
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

    /// An [`Interrupt`](crate::Interrupt) was raised.
    pub fn is_interrupted(&self) -> bool {
        self.kind == ErrorKind::Interrupted
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} error: {}", self.kind, self.message)
    }
}

/// The name among `known` closest to `name`, if it is close enough to be a typo.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|k| (edit_distance(&name.to_lowercase(), &k.to_lowercase(), limit), k))
        .filter(|&(d, _)| d <= limit)
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
pub(crate) fn listed(names: &[&str]) -> String {
    const SHOWN: usize = 12;
    let mut text =
        names.iter().take(SHOWN).map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
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
    fn typos_are_found_and_other_names_are_not() {
        let known = ["petal_length", "petal_width", "species"];
        assert_eq!(nearest("petal_lenght", known), Some("petal_length"));
        assert_eq!(nearest("Species", known), Some("species"));
        assert_eq!(nearest("colour", known), None);
    }
}
