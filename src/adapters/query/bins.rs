//! The bin of a value, as SQL.

use super::columns::QueryColumn;
use super::numbers::SqlNumbers;
use crate::data::dtype::Value;
use crate::data::dtype::keys::value_of_key;
use crate::error::Result;
use crate::external::{Bins, StepRun};

/// The number of a row's bin; the last one, after all others, is that of missing values. `levels`
/// are the values of the codes, if the column has levels.
pub(super) fn bin(
    column: &QueryColumn,
    numbers: &SqlNumbers,
    bins: &Bins,
    levels: Option<&[Value]>,
) -> Result<String> {
    let known = known_bin(column, numbers, bins, levels)?;
    let missing = column.ordered()?.missing();
    Ok(format!("CASE WHEN {missing} THEN {} ELSE {known} END", bins.len()))
}

/// The number of a known value's bin.
pub(super) fn known_bin(
    column: &QueryColumn,
    numbers: &SqlNumbers,
    bins: &Bins,
    levels: Option<&[Value]>,
) -> Result<String> {
    match bins {
        Bins::Levels(_) => column.codes(levels.unwrap_or_default(), |code| code as u32),
        Bins::Starts(starts) => {
            let bins: Vec<String> = (0..=starts.len()).map(|bin| bin.to_string()).collect();
            search(column, starts, &bins)
        }
        Bins::Steps(steps) => {
            let starts: Vec<i128> = steps.runs().iter().skip(1).map(|run| run.first).collect();
            let bins = steps.runs().iter().map(|run| bin_of_run(column, numbers, run));
            search(column, &starts, &bins.collect::<Vec<_>>())
        }
    }
}

/// A binary search as a `CASE` in a `CASE`, as deep as the logarithm of the starts. `said` is what is
/// said of a value below all starts, and of one from each of them on.
fn search(column: &QueryColumn, starts: &[i128], said: &[String]) -> Result<String> {
    let middle = starts.len() / 2;
    let Some(&start) = starts.get(middle) else { return Ok(said[0].clone()) };
    Ok(format!(
        "CASE WHEN {} THEN {} ELSE {} END",
        column.ordered()?.at_least(&value_of_key(&column.store.dtype, start))?,
        search(column, &starts[middle + 1..], &said[middle + 1..])?,
        search(column, &starts[..middle], &said[..=middle])?
    ))
}

/// The bin of a value in a run of steps.
fn bin_of_run(column: &QueryColumn, numbers: &SqlNumbers, run: &StepRun) -> String {
    let StepRun { bin, steps, .. } = run;
    match (steps, column.number(column.alias())) {
        (Some(steps), Some(x)) => {
            let [origin, scale] = [steps.origin, steps.scale].map(|x| numbers.literal(x));
            format!("({bin} + CAST(floor(({x} - {origin}) * {scale}) AS BIGINT))")
        }
        _ => bin.to_string(),
    }
}
