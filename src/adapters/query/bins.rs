//! The bin of a value, as SQL.

use super::columns::QueryColumn;
use crate::data::dtype::Value;
use crate::data::dtype::keys::value_of_key;
use crate::error::Result;
use crate::external::Bins;

/// The number of a row's bin; the last one, after all others, is that of missing values. `levels`
/// are the values of the codes, if the column has levels.
pub(super) fn bin(column: &QueryColumn, bins: &Bins, levels: Option<&[Value]>) -> Result<String> {
    let x = column.ordered()?;
    let known = match bins {
        Bins::Levels(_) => column.codes(levels.unwrap_or_default(), |code| code as u32)?,
        Bins::Starts(starts) => {
            let starts: Vec<Value> =
                starts.iter().map(|&key| value_of_key(&column.store.dtype, key)).collect();
            search(column, &starts, 0)?
        }
    };
    Ok(format!("CASE WHEN {} THEN {} ELSE {known} END", x.missing(), width(bins) - 1))
}

/// Bins, and one for missing values.
pub(super) fn width(bins: &Bins) -> usize {
    match bins {
        Bins::Levels(n) => *n as usize + 1,
        Bins::Starts(starts) => starts.len() + 2,
    }
}

/// A binary search as a `CASE` in a `CASE`, as deep as the logarithm of the bins. `first` is the
/// number of the bin below all starts.
fn search(column: &QueryColumn, starts: &[Value], first: usize) -> Result<String> {
    if starts.is_empty() {
        return Ok(first.to_string());
    }
    let middle = starts.len() / 2;
    Ok(format!(
        "CASE WHEN {} THEN {} ELSE {} END",
        column.ordered()?.at_least(&starts[middle])?,
        search(column, &starts[middle + 1..], first + middle + 1)?,
        search(column, &starts[..middle], first)?
    ))
}
