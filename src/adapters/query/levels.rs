//! Counting the levels of a column that has more of them than a query can name.

use std::collections::HashMap;

use super::SqlStore;
use super::answers::lost;
use super::cases::case_of;
use super::columns::Key;
use crate::error::Result;
use crate::external::{BinCounts, CountRequest};

impl SqlStore<'_> {
    /// The engine groups by the values themselves; their codes are found here.
    pub(super) fn count_levels(
        &self,
        request: &CountRequest,
        column: u32,
        asked: &[usize],
        counts: &mut [BinCounts],
    ) -> Result<()> {
        let of = &self.features[column as usize];
        let levels = self.levels[column as usize].as_deref().unwrap_or_default();
        let code_of: HashMap<Key, usize> =
            levels.iter().zip(0..).filter_map(|(level, at)| Some((of.key(level)?, at))).collect();
        let (width, of_numbers) = (self.coding()?.target.width(), self.of_numbers()?);
        let nodes: Vec<u32> = asked.iter().map(|&at| request.bins[at].node).collect();
        let x = of.alias().to_string();
        let rows = self.rows_of(request.tree, &nodes, std::slice::from_ref(&x))?;
        let u = self.units();
        let mut sums_of = format!(", sum({u})");
        if of_numbers {
            let centre = |&at: &usize| self.sql.wide(&request.bins[at].centre.to_string());
            let centre = case_of("__n", asked.iter().map(centre).enumerate());
            let d = self.sql.wide("__d");
            sums_of += &format!(", sum({u} * {d}), sum({u} * abs({d} - {centre}))");
        }
        let sql =
            format!("SELECT {x}, __n, __c, count(*){sums_of} FROM {rows} GROUP BY {x}, __n, __c");
        let found = self.run(if of_numbers { 7 } else { 5 }, &sql)?;
        let keys = of.keys(&of.cells(&found, 0)?);
        let (places, classes) = (found.indices(1, nodes.len())?, found.indices(2, width)?);
        let (rows, units) = (found.counts(3)?, found.sums(4)?);
        let distances = match of_numbers {
            true => Some((found.sums(5)?, found.sums(6)?)),
            false => None,
        };
        for (line, key) in keys.iter().enumerate() {
            let bin = match key {
                None => Some(levels.len()),
                Some(key) => code_of.get(key).copied(),
            };
            let bin = bin.ok_or_else(|| lost("a level that was not there before"))?;
            let counts = &mut counts[asked[places[line]]];
            counts.rows[bin] += rows[line];
            match &distances {
                Some((sums, spreads)) => {
                    counts.stats[bin * 2] += units[line];
                    counts.stats[bin * 2 + 1] += sums[line];
                    counts.spreads[bin] += spreads[line];
                }
                None => counts.stats[bin * width + classes[line]] += units[line],
            }
        }
        Ok(())
    }
}
