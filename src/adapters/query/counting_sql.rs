//! What queries that count rows need of an engine, beyond the conditions and literals that trees
//! have in its [`Dialect`]. A new engine is an implementation and a line in [`counting_sql`].

use super::run_query::RunQuery;
use crate::data::dtype::DType;
use crate::error::{Error, Result, listed};
use crate::export::Dialect;

/// The SQL of an engine that can count for us: it has whole numbers of 38 digits, and mostly arrays. The
/// default methods are what most engines do.
pub(super) trait CountingSql: Sync {
    /// The most bins of a column. Each is a comparison in a query, which engines plan anew for every
    /// pass and of which many try each one on some rows; with fewer bins more values are fetched.
    fn most_bins(&self) -> u32;

    /// The most finer bins of one count, of all columns and nodes together.
    fn most_fine_bins(&self) -> u64;

    /// The most levels of a column that are named in a query, to be counted with other columns. Of more
    /// the values come back, by a query of their own.
    fn most_levels(&self) -> usize;

    /// The type of texts.
    fn text_type(&self) -> &'static str {
        "VARCHAR"
    }

    /// A column as one of plain values. `dictionary_of` is the Arrow type of a dictionary's values.
    fn plain(&self, name: &str, dtype: &DType, dictionary_of: Option<&str>) -> String;

    /// An array of expressions.
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

    /// What to select for a row of each element of an array, beside other columns.
    fn unnest(&self, elements: &[String], element: &str) -> String {
        format!("unnest({}) AS {element}", self.array(elements))
    }

    /// As [`unnest`](Self::unnest), with the number of each element, from 0 on, in another column.
    fn unnest_numbered(&self, elements: &[String], element: &str, number: &str) -> String {
        let numbers: Vec<String> = (0..elements.len()).map(|at| at.to_string()).collect();
        format!("{}, {}", self.unnest(elements, element), self.unnest(&numbers, number))
    }

    /// A query of a row for each expression of each row, `element`, with its `number` from 0 on if one
    /// is wished for, and what else is selected, which begins with a comma.
    fn cells(
        &self,
        elements: &[String],
        element: &str,
        number: Option<&str>,
        beside: &str,
        rows: &str,
    ) -> String {
        if self.makes_arrays() {
            let cells = match number {
                Some(number) => self.unnest_numbered(elements, element, number),
                None => self.unnest(elements, element),
            };
            return format!("SELECT {cells}{beside} FROM {rows}");
        }
        let numbered = |at| number.map_or_else(String::new, |number| format!(", {at} AS {number}"));
        let parts = elements.iter().enumerate().map(|(at, expression)| {
            format!("SELECT {expression} AS {element}{}{beside} FROM {rows}", numbered(at))
        });
        parts.collect::<Vec<_>>().join(" UNION ALL ")
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

/// What queries that count rows need of an engine.
///
/// # Errors
/// An engine that is not known to have it.
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

struct DataFusion {
    makes_arrays: bool,
}

impl CountingSql for DataFusion {
    fn most_bins(&self) -> u32 {
        256
    }

    fn most_fine_bins(&self) -> u64 {
        1 << 14
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

    fn most_fine_bins(&self) -> u64 {
        1 << 9
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

    fn array(&self, elements: &[String]) -> String {
        format!("[{}]", elements.join(", "))
    }

    fn wide(&self, x: &str) -> String {
        format!("CAST({x} AS HUGEINT)")
    }
}

struct Spark;

impl CountingSql for Spark {
    fn most_bins(&self) -> u32 {
        128
    }

    fn most_fine_bins(&self) -> u64 {
        1 << 14
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

    fn unnest(&self, elements: &[String], element: &str) -> String {
        format!("explode({}) AS {element}", self.array(elements))
    }

    /// A `SELECT` has one such function at the most.
    fn unnest_numbered(&self, elements: &[String], element: &str, number: &str) -> String {
        format!("posexplode({}) AS ({number}, {element})", self.array(elements))
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
