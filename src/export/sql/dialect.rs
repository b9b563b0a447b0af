//! The engines whose SQL is known, and what their names may be.

use std::collections::HashMap;
use std::str::FromStr;

use super::engines::{
    BigQuery, ClickHouse, DataFusion, DuckDb, Engine, MySql, PostgreSql, Snowflake, Spark,
    SqlServer, Sqlite, Trino,
};
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
    /// Trino.
    Trino,
    /// MySQL, from version 8 on, and MariaDB.
    MySql,
    /// SQL Server, from version 2016 on.
    SqlServer,
    /// BigQuery.
    BigQuery,
    /// Snowflake.
    Snowflake,
    /// ClickHouse.
    ClickHouse,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Dialect; 11] = [
        Dialect::DuckDb,
        Dialect::PostgreSql,
        Dialect::Sqlite,
        Dialect::DataFusion,
        Dialect::Spark,
        Dialect::Trino,
        Dialect::MySql,
        Dialect::SqlServer,
        Dialect::BigQuery,
        Dialect::Snowflake,
        Dialect::ClickHouse,
    ];

    /// The engine, its name on the command line and in Python, and its name in sentences.
    fn entry(self) -> (&'static dyn Engine, &'static str, &'static str) {
        match self {
            Dialect::DuckDb => (&DuckDb, "duckdb", "DuckDB"),
            Dialect::PostgreSql => (&PostgreSql, "postgresql", "PostgreSQL"),
            Dialect::Sqlite => (&Sqlite, "sqlite", "SQLite"),
            Dialect::DataFusion => (&DataFusion, "datafusion", "DataFusion"),
            Dialect::Spark => (&Spark, "spark", "Spark"),
            Dialect::Trino => (&Trino, "trino", "Trino"),
            Dialect::MySql => (&MySql, "mysql", "MySQL"),
            Dialect::SqlServer => (&SqlServer, "sqlserver", "SQL Server"),
            Dialect::BigQuery => (&BigQuery, "bigquery", "BigQuery"),
            Dialect::Snowflake => (&Snowflake, "snowflake", "Snowflake"),
            Dialect::ClickHouse => (&ClickHouse, "clickhouse", "ClickHouse"),
        }
    }

    pub(super) fn engine(self) -> &'static dyn Engine {
        self.entry().0
    }

    /// The name on the command line and in Python, which [`from_str`](FromStr::from_str) reads:
    /// `duckdb`.
    pub fn name(self) -> &'static str {
        self.entry().1
    }

    pub(super) fn title(self) -> &'static str {
        self.entry().2
    }

    pub(super) fn cannot(self, what: &str, why: impl std::fmt::Display) -> Error {
        Error::spec(format!("{what} cannot be put into {}'s SQL: {why}", self.title()))
    }

    /// A name as the engine reads it, in its quotes.
    ///
    /// # Errors
    /// A name that the engine cannot hold: empty, with a NUL, or of more bytes or of other characters
    /// than its names may have.
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
        match self.engine().refuses_name(name) {
            Some(why) => Err(self.cannot(what, why)),
            None => Ok(self.engine().quoted(name)),
        }
    }

    /// Whether the engine takes two names for one.
    #[cfg(feature = "arrow")]
    pub(crate) fn is_one_name(self, a: &str, b: &str) -> bool {
        self.engine().compared_name(a) == self.engine().compared_name(b)
    }

    /// Names must tell the columns apart.
    pub(super) fn check_names(self, features: &[&Feature]) -> Result<()> {
        let mut before = HashMap::new();
        for a in features {
            if let Some(b) = before.insert(self.engine().compared_name(&a.name), a) {
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
