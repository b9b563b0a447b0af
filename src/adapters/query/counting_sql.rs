//! What queries that count rows need of an engine, beyond the conditions and literals that trees
//! have in its [`Dialect`]. A new engine is an implementation and a line in [`counting_sql`].

use arrow_schema::DataType;
use arrow_schema::TimeUnit::{Microsecond, Nanosecond, Second};

use super::run_query::RunQuery;
use crate::data::dtype::DType;
use crate::error::{Error, Result, listed};
use crate::export::Dialect;

/// The SQL of an engine that can count for us: it has whole numbers of 38 digits, and mostly arrays. The
/// default methods are what most engines do.
pub(super) trait CountingSql: Sync {
    /// The most bins of a column whose bins are even steps.
    fn most_steps(&self) -> u32 {
        256
    }

    /// The most bins of a column whose values are compared with the starts of bins. Engines plan the
    /// comparisons anew for every pass, and many try each comparison on some rows. With fewer bins more
    /// values are fetched.
    fn most_bins(&self) -> u32;

    /// The most finer bins of one count, of all columns and nodes together.
    fn most_fine_bins(&self) -> u64 {
        1 << 14
    }

    /// A known value of a column as a `DOUBLE`: the integer behind a date or a time, or the float
    /// nearest to another number. Bins are even steps of it. `None` if the column has no such bins.
    fn number(&self, x: &str, dtype: &DType, arrow: &DataType) -> Option<String>;

    /// The most levels of a column that are named in a query, to be counted with other columns. Of more
    /// the values come back, by a query of their own.
    fn most_levels(&self) -> usize;

    fn text_type(&self) -> &'static str {
        "VARCHAR"
    }

    /// A column as one of plain values. `dictionary_of` is the Arrow type of a dictionary's values.
    fn plain(&self, name: &str, dtype: &DType, dictionary_of: Option<&str>) -> String;

    /// A value, or a literal, so that it compares with all others of its dtype.
    fn compared(&self, x: &str, dtype: &DType) -> String {
        let _ = dtype;
        x.to_string()
    }

    fn array(&self, elements: &[String]) -> String;

    /// The element of an array at a place from 0 on, null beyond its end.
    fn element(&self, array: &str, at: &str) -> String {
        format!("{array}[{at} + 1]")
    }

    /// Whether a row's expressions can be put in an array.
    fn makes_arrays(&self) -> bool {
        true
    }

    /// Whether a value's bin is found in an array of their starts, and not by comparisons with each.
    fn searches_arrays(&self) -> bool {
        false
    }

    /// The most conditions of an expression that says where a row is in the tree. More conditions are
    /// several expressions, computed [`apart`](Self::apart).
    fn most_conditions(&self) -> usize {
        usize::MAX
    }

    /// What to select so that an expression is computed once for each row, and not again wherever its
    /// name stands. `None` if the engine does so by itself.
    fn apart(&self, expression: &str, name: &str) -> Option<String> {
        let _ = (expression, name);
        None
    }

    /// What to select to have a row for each place in some lists of expressions, which are as long as
    /// each other: what stands at that place in each list, by the list's name, and the `number` of the
    /// place from 0 on, if it has a name. An engine that searches arrays is asked for one list.
    fn unnest(&self, number: Option<&str>, lists: &[(&str, Vec<String>)]) -> String {
        let unnest =
            |name: &str, elements: &[String]| format!("unnest({}) AS {name}", self.array(elements));
        let lists_of_cells = lists.iter().map(|(name, elements)| unnest(name, elements));
        let numbers = number.map(|name| unnest(name, &places(lists)));
        lists_of_cells.chain(numbers).collect::<Vec<_>>().join(", ")
    }

    /// A query of the cells of rows: what [`unnest`](Self::unnest) gives, and `beside` after a comma.
    fn cells(
        &self,
        number: Option<&str>,
        lists: &[(&str, Vec<String>)],
        beside: &str,
        rows: &str,
    ) -> String {
        if self.makes_arrays() {
            return format!("SELECT {}{beside} FROM {rows}", self.unnest(number, lists));
        }
        let of_places = places(lists).into_iter().enumerate().map(|(at, place)| {
            let cell = lists.iter().map(|(name, elements)| format!("{} AS {name}", elements[at]));
            let cell = cell.chain(number.map(|name| format!("{place} AS {name}")));
            format!("SELECT {}{beside} FROM {rows}", cell.collect::<Vec<_>>().join(", "))
        });
        of_places.collect::<Vec<_>>().join(" UNION ALL ")
    }

    /// A whole number as one of 38 digits: its sums and products are exact, or an error.
    fn wide(&self, x: &str) -> String {
        format!("CAST({x} AS DECIMAL(38, 0))")
    }

    /// As [`wide`](Self::wide), of a float that is a whole number below 2^120.
    fn wide_of_float(&self, x: &str) -> String {
        self.wide(x)
    }
}

fn places(lists: &[(&str, Vec<String>)]) -> Vec<String> {
    let n_places = lists.first().map_or(0, |(_, elements)| elements.len());
    (0..n_places).map(|place| place.to_string()).collect()
}

/// What queries that count rows need of an engine; an error if it is not known to have that.
pub(super) fn counting_sql(engine: &dyn RunQuery) -> Result<&'static dyn CountingSql> {
    let dialect = engine.dialect();
    match dialect {
        Dialect::DataFusion if engine.makes_arrays() => Ok(&DataFusion { makes_arrays: true }),
        Dialect::DataFusion => Ok(&DataFusion { makes_arrays: false }),
        Dialect::DuckDb => Ok(&DuckDb),
        Dialect::Spark => Ok(&Spark),
        _ => {
            let known = [Dialect::DataFusion, Dialect::DuckDb, Dialect::Spark].map(Dialect::name);
            let (name, known) = (dialect.name(), listed(&known));
            Err(Error::spec(format!(
                "rows are not counted in the SQL of `{name}`: the dialects for it are {known}"
            )))
        }
    }
}

/// [`CountingSql::number`] of the types that are numbers in every engine.
fn plain_number(x: &str, dtype: &DType) -> Option<String> {
    use DType::{Decimal, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
    match dtype {
        F64 => Some(x.to_string()),
        I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64 | F32 => Some(format!("CAST({x} AS DOUBLE)")),
        // Of more digits engines round the quotient in ways of their own.
        Decimal { precision: ..=15, .. } => Some(format!("CAST({x} AS DOUBLE)")),
        _ => None,
    }
}

struct DataFusion {
    makes_arrays: bool,
}

impl CountingSql for DataFusion {
    fn most_bins(&self) -> u32 {
        64
    }

    fn number(&self, x: &str, dtype: &DType, arrow: &DataType) -> Option<String> {
        let as_integer = || Some(format!("CAST(arrow_cast({x}, 'Int64') AS DOUBLE)"));
        match (dtype, arrow) {
            (DType::Date, DataType::Date32) => as_integer(),
            (DType::Datetime { .. }, DataType::Timestamp(unit, _)) if *unit != Second => {
                as_integer()
            }
            _ => plain_number(x, dtype),
        }
    }

    fn most_levels(&self) -> usize {
        1 << 12
    }

    fn plain(&self, name: &str, _dtype: &DType, dictionary_of: Option<&str>) -> String {
        match dictionary_of {
            Some(values) => format!("arrow_cast({name}, '{values}')"),
            None => name.to_string(),
        }
    }

    fn makes_arrays(&self) -> bool {
        self.makes_arrays
    }

    fn array(&self, elements: &[String]) -> String {
        format!("make_array({})", elements.join(", "))
    }
}

struct DuckDb;

impl CountingSql for DuckDb {
    fn most_bins(&self) -> u32 {
        32
    }

    /// In Arrow infinite times are the integers farthest from 0. DuckDB's functions give null.
    fn number(&self, x: &str, dtype: &DType, arrow: &DataType) -> Option<String> {
        let function = match (dtype, arrow) {
            (DType::Date, DataType::Date32) => {
                return Some(format!("CAST({x} - DATE '1970-01-01' AS DOUBLE)"));
            }
            (DType::Datetime { .. }, DataType::Timestamp(Microsecond, _)) => "epoch_us",
            (DType::Datetime { .. }, DataType::Timestamp(Nanosecond, None)) => "epoch_ns",
            _ => return plain_number(x, dtype),
        };
        let infinite = format!("CASE WHEN {x} > '1970-01-01' THEN {0} ELSE -{0} END", i64::MAX);
        Some(format!("CAST(coalesce({function}({x}), {infinite}) AS DOUBLE)"))
    }

    fn most_levels(&self) -> usize {
        16
    }

    /// Its enums and UUIDs are compared in ways of their own. Its integers of 128 bits leave it as
    /// decimals, and an array of signed and unsigned ones would be of floats.
    fn plain(&self, name: &str, dtype: &DType, _dictionary_of: Option<&str>) -> String {
        match dtype {
            DType::Decimal { precision, scale } => {
                format!("CAST({name} AS DECIMAL({precision}, {scale}))")
            }
            _ if dtype.is_text() => format!("CAST({name} AS VARCHAR)"),
            _ => name.to_string(),
        }
    }

    fn compared(&self, x: &str, dtype: &DType) -> String {
        match dtype {
            DType::Time => format!("CAST({x} AS TIME_NS)"),
            _ => x.to_string(),
        }
    }

    fn array(&self, elements: &[String]) -> String {
        format!("[{}]", elements.join(", "))
    }

    fn wide(&self, x: &str) -> String {
        format!("CAST({x} AS HUGEINT)")
    }
}

struct Spark;

impl CountingSql for Spark {
    /// Steps too are searched for in arrays.
    fn most_steps(&self) -> u32 {
        128
    }

    fn most_bins(&self) -> u32 {
        128
    }

    fn number(&self, x: &str, dtype: &DType, _arrow: &DataType) -> Option<String> {
        plain_number(x, dtype)
    }

    fn most_levels(&self) -> usize {
        16
    }

    fn text_type(&self) -> &'static str {
        "STRING"
    }

    /// Texts have collations, by which others could be equal.
    fn plain(&self, name: &str, dtype: &DType, _dictionary_of: Option<&str>) -> String {
        match dtype.is_text() {
            true => format!("CAST({name} AS STRING)"),
            false => name.to_string(),
        }
    }

    fn array(&self, elements: &[String]) -> String {
        format!("array({})", elements.join(", "))
    }

    fn element(&self, array: &str, at: &str) -> String {
        format!("get({array}, {at})")
    }

    fn searches_arrays(&self) -> bool {
        true
    }

    /// Java compiles no function that is longer than 8,000 bytes to machine code.
    fn most_conditions(&self) -> usize {
        24
    }

    /// Spark writes an expression wherever its name stands, unless a function makes rows of it.
    fn apart(&self, expression: &str, name: &str) -> Option<String> {
        Some(format!("explode(array({expression})) AS {name}"))
    }

    /// A `SELECT` has at most one function that makes rows.
    fn unnest(&self, number: Option<&str>, lists: &[(&str, Vec<String>)]) -> String {
        let (element, elements) = &lists[0];
        let array = self.array(elements);
        match number {
            Some(number) => format!("posexplode({array}) AS ({number}, {element})"),
            None => format!("explode({array}) AS {element}"),
        }
    }

    /// By itself a float becomes a decimal by its shortest text, whose digits beyond the 17th are 0.
    fn wide_of_float(&self, x: &str) -> String {
        let unit = 1u64 << 60;
        let low = format!("{x} % {unit}D");
        let high = self.wide(&format!("CAST(({x} - {low}) / {unit}D AS BIGINT)"));
        let low = self.wide(&format!("CAST({low} AS BIGINT)"));
        format!("({high} * {unit} + {low})")
    }
}
