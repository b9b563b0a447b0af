//! The engines whose SQL is known, and what their names may be.

use std::borrow::Cow;
use std::collections::HashMap;
use std::str::FromStr;

use super::engines::{DataFusion, DuckDb, Engine, PostgreSql, Spark, Sqlite};
use crate::error::{Error, Result, listed};
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
    /// Spark, from version 4 on.
    Spark,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Dialect; 5] = [
        Dialect::DuckDb,
        Dialect::PostgreSql,
        Dialect::Sqlite,
        Dialect::DataFusion,
        Dialect::Spark,
    ];

    pub(super) fn engine(self) -> &'static dyn Engine {
        match self {
            Dialect::DuckDb => &DuckDb,
            Dialect::PostgreSql => &PostgreSql,
            Dialect::Sqlite => &Sqlite,
            Dialect::DataFusion => &DataFusion,
            Dialect::Spark => &Spark,
        }
    }

    /// The name on the command line and in Python, which [`from_str`](FromStr::from_str) reads:
    /// `duckdb`.
    pub fn name(self) -> &'static str {
        self.engine().name()
    }

    pub(super) fn cannot(self, what: &str, why: impl std::fmt::Display) -> Error {
        Error::spec(format!("{what} cannot be put into {}'s SQL: {why}", self.engine().title()))
    }

    /// A name as the engine reads it, in its quotes.
    ///
    /// # Errors
    /// A name that the engine cannot hold: empty, with a NUL, or (PostgreSQL) of more than 63
    /// bytes, or (Spark) with a `${`.
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
        if let Some(most) = self.engine().max_name_bytes()
            && name.len() > most
        {
            let n = name.len();
            let why = format!("its name has {n} bytes of at most {most}: give it a shorter one");
            return Err(self.cannot(what, why));
        }
        if let Some(part) = self.engine().not_in_names()
            && name.contains(part)
        {
            return Err(self.cannot(what, format!("its name has a `{part}`: rename the column")));
        }
        let quote = self.engine().name_quote();
        Ok(format!("{quote}{}{quote}", name.replace(quote, &format!("{quote}{quote}"))))
    }

    /// Whether the engine takes two names for one.
    #[cfg(feature = "arrow")]
    pub(crate) fn is_one_name(self, a: &str, b: &str) -> bool {
        self.compared_name(a) == self.compared_name(b)
    }

    /// A name as the engine compares it.
    fn compared_name(self, name: &str) -> Cow<'_, str> {
        match self.engine().names_have_case() {
            true => name.into(),
            false => name.to_ascii_lowercase().into(),
        }
    }

    /// Names must tell the columns apart.
    pub(super) fn check_names(self, features: &[&Feature]) -> Result<()> {
        let mut before = HashMap::new();
        for a in features {
            if let Some(b) = before.insert(self.compared_name(&a.name), a) {
                let what = format!("features `{}` and `{}`", b.name, a.name);
                let why = "it does not tell upper from lower case in names: rename one of them";
                return Err(self.cannot(&what, why));
            }
        }
        Ok(())
    }
}

impl FromStr for Dialect {
    type Err = Error;

    /// # Errors
    /// A name that no dialect has.
    fn from_str(name: &str) -> Result<Dialect> {
        Dialect::ALL.into_iter().find(|dialect| dialect.name() == name).ok_or_else(|| {
            let known = listed(&Dialect::ALL.map(Dialect::name));
            Error::spec(format!("there is no SQL dialect `{name}`: the dialects are {known}"))
        })
    }
}
