//! Engines that `tests/engines` asks, what their columns can hold, and of what type they are.

use super::*;

/// An engine, or a parser of its SQL.
pub struct Asked {
    pub dialect: Dialect,
    /// The type of a column.
    pub sql_type: fn(&DType) -> String,
    /// The value that a column has in place of one that it cannot have.
    pub keep: fn(&DType, Value) -> Value,
    /// Whether floats can be NaN.
    pub has_nan: bool,
    pub names: [&'static str; 5],
}

/// Names that BigQuery's columns can have.
const LETTERS_AND_BLANKS: [&str; 5] = ["it's", "select", "ünï-%&", "new\nline", "\u{1f600}"];

/// The engines of which each case is another one.
pub fn engines() -> Vec<Asked> {
    let asked = |dialect, sql_type, keep| {
        let names = match dialect {
            Dialect::BigQuery => LETTERS_AND_BLANKS,
            _ => NAMES,
        };
        let has_nan = !matches!(dialect, Dialect::MySql | Dialect::SqlServer);
        Asked { dialect, sql_type, keep, has_nan, names }
    };
    let none = |_: &DType| String::new();
    vec![
        asked(Dialect::ClickHouse, in_clickhouse, kept_by_clickhouse),
        asked(Dialect::MySql, in_mysql, kept_by_mysql),
        asked(Dialect::Spark, in_spark, kept_in_38_digits),
        asked(Dialect::Trino, none, kept_in_38_digits),
        asked(Dialect::BigQuery, none, kept_whole),
        asked(Dialect::Snowflake, none, kept_in_38_digits),
        asked(Dialect::SqlServer, none, |dtype, value| kept_in_38_digits(dtype, finite(value))),
    ]
}

/// The type of a column in DuckDB and in PostgreSQL; the first with nanoseconds, or without.
pub fn in_duckdb_and_postgresql(dtype: &DType, nanoseconds: bool) -> [String; 2] {
    let both = |a: &str, b: &str| [a.to_string(), b.to_string()];
    match dtype {
        DType::Datetime { unit: TimeUnit::Nanoseconds, zone: Some(_) } if nanoseconds => {
            both("TIMESTAMPTZ_NS", "timestamptz")
        }
        DType::Time if nanoseconds => both("TIME_NS", "time"),
        DType::Boolean => both("BOOLEAN", "boolean"),
        DType::I8 => both("TINYINT", "smallint"),
        DType::I16 => both("SMALLINT", "smallint"),
        DType::I32 => both("INTEGER", "integer"),
        DType::I64 => both("BIGINT", "bigint"),
        DType::I128 => both("HUGEINT", "numeric"),
        DType::U8 => both("UTINYINT", "smallint"),
        DType::U16 => both("USMALLINT", "integer"),
        DType::U32 => both("UINTEGER", "bigint"),
        DType::U64 => both("UBIGINT", "numeric"),
        DType::U128 => both("UHUGEINT", "numeric"),
        DType::F16 | DType::F32 => both("REAL", "real"),
        DType::F64 => both("DOUBLE", "double precision"),
        DType::Decimal { precision, scale } => {
            [format!("DECIMAL({precision}, {scale})"), format!("numeric({precision}, {scale})")]
        }
        DType::Date => both("DATE", "date"),
        DType::Datetime { zone: Some(_), .. } => both("TIMESTAMPTZ", "timestamptz"),
        DType::Datetime { unit: TimeUnit::Nanoseconds, .. } => both("TIMESTAMP_NS", "timestamp"),
        DType::Datetime { .. } => both("TIMESTAMP", "timestamp"),
        DType::Time => both("TIME", "time"),
        DType::Duration { .. } => both("BIGINT", "bigint"),
        _ => both("VARCHAR", "text"),
    }
}

fn in_clickhouse(dtype: &DType) -> String {
    let sql_type = match dtype {
        DType::Boolean => "Bool",
        DType::I8 => "Int8",
        DType::I16 => "Int16",
        DType::I32 => "Int32",
        DType::I64 | DType::Duration { .. } => "Int64",
        DType::I128 => "Int128",
        DType::U8 => "UInt8",
        DType::U16 => "UInt16",
        DType::U32 => "UInt32",
        DType::U64 => "UInt64",
        DType::U128 => "UInt128",
        DType::F16 | DType::F32 => "Float32",
        DType::F64 => "Float64",
        DType::Decimal { precision, scale } => {
            return format!("Nullable(Decimal({precision}, {scale}))");
        }
        DType::Date => "Date32",
        DType::Datetime { unit: TimeUnit::Nanoseconds, .. } => "DateTime64(9, 'UTC')",
        DType::Datetime { unit: TimeUnit::Microseconds, .. } => "DateTime64(6, 'UTC')",
        DType::Datetime { unit: TimeUnit::Milliseconds, .. } => "DateTime64(3, 'UTC')",
        DType::Time => "Time64(9)",
        _ => "String",
    };
    format!("Nullable({sql_type})")
}

fn in_mysql(dtype: &DType) -> String {
    let sql_type = match dtype {
        DType::Boolean => "boolean",
        DType::I8 => "tinyint",
        DType::I16 => "smallint",
        DType::I32 => "int",
        DType::I64 | DType::Duration { .. } => "bigint",
        DType::I128 | DType::U128 => "decimal(39, 0)",
        DType::U8 => "tinyint unsigned",
        DType::U16 => "smallint unsigned",
        DType::U32 => "int unsigned",
        DType::U64 => "bigint unsigned",
        DType::F16 | DType::F32 => "float",
        DType::F64 => "double",
        DType::Decimal { precision, scale } => return format!("decimal({precision}, {scale})"),
        DType::Date => "date",
        DType::Datetime { zone: Some(_), .. } => "timestamp(6)",
        DType::Datetime { .. } => "datetime(6)",
        DType::Time => "time(6)",
        _ => "text",
    };
    format!("{sql_type} null")
}

fn in_spark(dtype: &DType) -> String {
    match dtype {
        DType::Boolean => "BOOLEAN",
        DType::I8 => "TINYINT",
        DType::I16 | DType::U8 => "SMALLINT",
        DType::I32 | DType::U16 => "INT",
        DType::I64 | DType::U32 | DType::Duration { .. } => "BIGINT",
        DType::I128 | DType::U64 | DType::U128 => "DECIMAL(38, 0)",
        DType::F16 | DType::F32 => "FLOAT",
        DType::F64 => "DOUBLE",
        DType::Decimal { precision, scale } => return format!("DECIMAL({precision}, {scale})"),
        DType::Date => "DATE",
        DType::Datetime { zone: Some(_), .. } => "TIMESTAMP_LTZ",
        DType::Datetime { .. } => "TIMESTAMP_NTZ",
        DType::Time => "TIME(6)",
        _ => "STRING",
    }
    .to_string()
}

/// Integers are not cut to 64 bits here.
pub fn kept_whole(dtype: &DType, value: Value) -> Value {
    match dtype {
        DType::U64 | DType::I128 | DType::U128 => value,
        _ => kept(dtype, value),
    }
}

/// Years of four digits; nanoseconds are kept.
pub fn kept_fine(dtype: &DType, value: Value) -> Value {
    match (dtype, &value) {
        // DuckDB reads no text of the first and the last hours that nanoseconds of 64 bits reach.
        (DType::Datetime { unit: TimeUnit::Nanoseconds, zone: Some(_) }, Value::Int(x)) => {
            Value::Int((*x).clamp(-9_200_000_000_000_000_000, 9_200_000_000_000_000_000))
        }
        (DType::Datetime { unit: TimeUnit::Nanoseconds, .. } | DType::Time, _) => value,
        _ => kept_whole(dtype, value),
    }
}

/// Nanoseconds of 64 bits, but for the last hours, of which it reads no text.
fn kept_by_clickhouse(dtype: &DType, value: Value) -> Value {
    let most = 9_200_000_000_000_000_000;
    match (dtype, kept_fine(dtype, value)) {
        (DType::Datetime { unit: TimeUnit::Nanoseconds, .. }, Value::Int(x)) => {
            Value::Int(x.clamp(-most, most))
        }
        (_, value) => value,
    }
}

fn kept_in_38_digits(dtype: &DType, value: Value) -> Value {
    let most = 10i128.pow(38) - 1;
    match (dtype, value) {
        (DType::I128, Value::Int(x)) => Value::Int(x.clamp(-most, most)),
        (DType::U128, Value::Unsigned(x)) => Value::Unsigned(x.min(most.unsigned_abs())),
        (dtype, value) => kept_whole(dtype, value),
    }
}

fn kept_by_mysql(dtype: &DType, value: Value) -> Value {
    match (dtype, kept_whole(dtype, finite(value))) {
        // The seconds of a TIMESTAMP are of 31 bits, and not 0.
        (DType::Datetime { unit, zone: Some(_) }, Value::Int(x)) => {
            let per_second = match unit {
                TimeUnit::Nanoseconds => 1_000_000_000,
                TimeUnit::Microseconds => 1_000_000,
                TimeUnit::Milliseconds => 1_000,
            };
            Value::Int(x.clamp(per_second, ((1 << 31) - 2) * per_second))
        }
        // The text of the greatest f32 is beyond it, read as an f64.
        (DType::F32, Value::Float(x)) => Value::Float(x.clamp(-3.4e38, 3.4e38)),
        (_, value) => value,
    }
}

fn finite(value: Value) -> Value {
    match value {
        // Half floats have no greater one.
        Value::Float(x) if x.is_infinite() => Value::Float(x.signum() * 65_504.0),
        value => value,
    }
}
