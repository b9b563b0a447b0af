//! One opaque error: a sentence for people, predicates for programs.

use std::fmt;

/// Whatever went wrong, said in one line that names the column, its dtype,
/// what was expected and what to do.
///
/// Ask its kind by the predicates ([`is_data`](Error::is_data),
/// [`is_spec`](Error::is_spec), [`is_model`](Error::is_model),
/// [`is_io`](Error::is_io)); the text is for people and may change.
#[derive(thiserror::Error)]
#[error("{message}")]
pub struct Error {
    kind: Kind,
    message: String,
    #[source]
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// `std::result::Result` with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Data,
    Spec,
    Model,
    Io,
}

impl Error {
    /// The data does not fit what was asked of it.
    pub(crate) fn data(message: impl Into<String>) -> Self {
        Self::new(Kind::Data, message)
    }

    /// The request contradicts itself or names what is not there.
    pub(crate) fn spec(message: impl Into<String>) -> Self {
        Self::new(Kind::Spec, message)
    }

    /// A model file is not one, or is damaged.
    pub(crate) fn model(message: impl Into<String>) -> Self {
        Self::new(Kind::Model, message)
    }

    /// A file could not be read or written.
    pub(crate) fn io(message: impl Into<String>) -> Self {
        Self::new(Kind::Io, message)
    }

    fn new(kind: Kind, message: impl Into<String>) -> Self {
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
        self.kind == Kind::Data
    }

    /// A spec contradicts itself, or names something unknown.
    pub fn is_spec(&self) -> bool {
        self.kind == Kind::Spec
    }

    /// A model file is damaged, of another version, or not a model.
    pub fn is_model(&self) -> bool {
        self.kind == Kind::Model
    }

    /// A file could not be read or written.
    pub fn is_io(&self) -> bool {
        self.kind == Kind::Io
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} error: {}", self.kind, self.message)
    }
}

/// The name among `known` nearest to `name`, if near enough to be a slip of the fingers.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|k| (edit_distance(&name.to_lowercase(), &k.to_lowercase(), limit), k))
        .filter(|&(d, _)| d <= limit)
        .min_by_key(|&(d, _)| d)
        .map(|(_, k)| k)
}

/// "no column `nam`, did you mean `name`?", or the columns there are.
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

/// Levenshtein distance with neighbouring swaps counted as one, given up past `limit`.
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
    fn slips_are_found_and_strangers_are_not() {
        let known = ["petal_length", "petal_width", "species"];
        assert_eq!(nearest("petal_lenght", known), Some("petal_length"));
        assert_eq!(nearest("Species", known), Some("species"));
        assert_eq!(nearest("colour", known), None);
    }
}
