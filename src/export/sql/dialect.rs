//! What differs between engines: quotes, names and text.

use super::datafusion;
use crate::error::{Error, Result};
use crate::tree::Feature;

/// An engine's SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dialect {
    /// DuckDB.
    DuckDb,
    /// PostgreSQL.
    PostgreSql,
    /// SQLite.
    Sqlite,
    /// DataFusion, and so Ballista.
    DataFusion,
}

/// PostgreSQL cuts longer names off, which then name the wrong column, or none.
const POSTGRESQL_NAME_BYTES: usize = 63;

impl Dialect {
    pub(super) fn engine(self) -> &'static str {
        match self {
            Dialect::DuckDb => "DuckDB",
            Dialect::PostgreSql => "PostgreSQL",
            Dialect::Sqlite => "SQLite",
            Dialect::DataFusion => "DataFusion",
        }
    }

    pub(super) fn cannot(self, what: &str, why: impl std::fmt::Display) -> Error {
        Error::spec(format!("{what} cannot be put into {}'s SQL: {why}", self.engine()))
    }

    /// A name as the engine reads it, in its quotes.
    ///
    /// # Errors
    /// A name that the engine cannot hold: empty, with a NUL, or (PostgreSQL) of more than 63
    /// bytes.
    pub fn quote_name(self, name: &str) -> Result<String> {
        self.identifier(&format!("column `{name}`"), name)
    }

    pub(super) fn identifier(self, what: &str, name: &str) -> Result<String> {
        if name.contains('\0') {
            return Err(self.cannot(what, "its name has a NUL: rename the column"));
        }
        if name.is_empty() {
            return Err(self.cannot(what, "its name is empty: name the column"));
        }
        if self == Dialect::PostgreSql && name.len() > POSTGRESQL_NAME_BYTES {
            let why = format!(
                "its name has {} bytes of at most {POSTGRESQL_NAME_BYTES}: give it a shorter one",
                name.len()
            );
            return Err(self.cannot(what, why));
        }
        Ok(match self {
            // In double quotes SQLite takes the name of a column that is not there for a text.
            Dialect::Sqlite => format!("`{}`", name.replace('`', "``")),
            _ => format!("\"{}\"", name.replace('"', "\"\"")),
        })
    }

    /// Names must tell the columns apart.
    pub(super) fn check_names(self, features: &[&Feature]) -> Result<()> {
        if matches!(self, Dialect::PostgreSql | Dialect::DataFusion) {
            return Ok(());
        }
        for (i, a) in features.iter().enumerate() {
            if let Some(b) = features[..i].iter().find(|b| a.name.eq_ignore_ascii_case(&b.name)) {
                let what = format!("features `{}` and `{}`", b.name, a.name);
                let why = "it does not tell upper from lower case in names: rename one of them";
                return Err(self.cannot(&what, why));
            }
        }
        Ok(())
    }

    /// A text, quoted.
    pub(super) fn text(self, what: &str, text: &str) -> Result<String> {
        if text.contains('\0') {
            return Err(self.cannot(what, format!("the text {text:?} has a NUL: mend the data")));
        }
        let quoted = text.replace('\'', "''");
        Ok(match self {
            // Whether a backslash escapes in plain quotes is a setting; in these it always does.
            Dialect::PostgreSql if text.contains('\\') => {
                format!("E'{}'", quoted.replace('\\', "\\\\"))
            }
            _ => format!("'{quoted}'"),
        })
    }

    /// A text column compared by order, and for equality: byte by byte, whatever its collation.
    pub(super) fn text_operands(self, name: &str) -> [String; 2] {
        match self {
            Dialect::DuckDb | Dialect::DataFusion => [name.to_string(), name.to_string()],
            // Only a nondeterministic collation holds different texts for equal.
            Dialect::PostgreSql => [format!("{name} COLLATE \"C\""), name.to_string()],
            Dialect::Sqlite => [format!("{name} COLLATE BINARY"), format!("{name} COLLATE BINARY")],
        }
    }

    /// A condition for NaN, if the engine has it: there it equals itself.
    pub(super) fn is_nan(self, name: &str) -> Option<String> {
        let nan = self.float(f64::NAN);
        match self {
            // A parquet file's statistics leave NaN out. By them DuckDB answers `x = NaN`, `isnan(x)`
            // and `x >= cut` without a look at the rows, but not this, within a `CASE`.
            Dialect::DuckDb => Some(format!("{name} IS NOT DISTINCT FROM {nan}")),
            Dialect::PostgreSql => Some(format!("{name} = {nan}")),
            Dialect::Sqlite => None, // stores it as null
            Dialect::DataFusion => Some(datafusion::is_nan(name)),
        }
    }
}
