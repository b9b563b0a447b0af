//! The bin of a value, as SQL.

use super::SqlStore;
use super::cases::search;
use super::columns::QueryColumn;
use crate::data::dtype::value_of_key;
use crate::error::Result;
use crate::external::{Bins, StepRun};

impl SqlStore<'_> {
    /// The number of a row's bin; the last one, after all others, is that of missing values.
    pub(super) fn bin(&self, column: u32, bins: &Bins) -> Result<String> {
        let known = self.known_bin(column, bins)?;
        let missing = self.features[column as usize].ordered()?.missing();
        Ok(format!("CASE WHEN {missing} THEN {} ELSE {known} END", bins.len()))
    }

    /// The number of a known value's bin.
    pub(super) fn known_bin(&self, column: u32, bins: &Bins) -> Result<String> {
        let of = &self.features[column as usize];
        let at_least = |key: i128| of.ordered()?.at_least(&value_of_key(&of.store.dtype, key));
        let (starts, bins): (Vec<i128>, Vec<String>) = match bins {
            Bins::Levels(_) => {
                let levels = self.levels[column as usize].as_deref();
                return of.codes(levels.unwrap_or_default(), |code| code as u32);
            }
            Bins::Starts(starts) => {
                (starts.clone(), (0..=starts.len()).map(|bin| bin.to_string()).collect())
            }
            Bins::Steps(steps) => {
                let runs = steps.runs().iter();
                let starts = runs.clone().skip(1).map(|run| run.first).collect();
                (starts, runs.map(|run| self.bin_of_run(of, run)).collect())
            }
        };
        let conditions = starts.into_iter().map(at_least).collect::<Result<Vec<_>>>()?;
        Ok(search(&conditions, &bins))
    }

    fn bin_of_run(&self, column: &QueryColumn, run: &StepRun) -> String {
        let StepRun { bin, steps, .. } = run;
        match (steps, column.number(column.alias())) {
            (Some(steps), Some(x)) => {
                let [origin, scale] = [steps.origin, steps.scale].map(|x| self.sql.literal(x));
                format!("({bin} + CAST(floor(({x} - {origin}) * {scale}) AS BIGINT))")
            }
            _ => bin.to_string(),
        }
    }
}
