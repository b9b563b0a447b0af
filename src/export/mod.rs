//! Trees for other programs: SQL and DOT.

mod dot;
pub(crate) mod sql;

pub use sql::{Dialect, MAX_SQL_LEAVES, SqlColumn};
