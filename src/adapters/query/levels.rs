//! Counting the levels of a column that has more of them than a query can name.

use std::collections::HashMap;

use super::SqlStore;
use super::answers::{sums, whole};
use super::columns::{Key, lost};
use crate::error::Result;
use crate::external::{BinCounts, CountRequest, TargetCoding};

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
        let target = &self.coding()?.target;
        let (width, of_numbers) = (target.width(), matches!(target, TargetCoding::Numbers(_)));
        let nodes: Vec<u32> = asked.iter().map(|&at| request.bins[at].node).collect();
        let x = of.alias().to_string();
        let rows = self.rows_of(request.tree, &nodes, std::slice::from_ref(&x))?;
        let u = self.units();
        let mut sums_of = format!(", sum({u})");
        if of_numbers {
            let mut centre = "CASE __n".to_string();
            for (place, &at) in asked.iter().enumerate() {
                centre += &format!(
                    " WHEN {place} THEN {}",
                    self.sql.wide(&request.bins[at].centre.to_string())
                );
            }
            let d = self.sql.wide("__d");
            sums_of += &format!(", sum({u} * {d}), sum({u} * abs({d} - {centre} END))");
        }
        let found = self.run(&format!(
            "SELECT {x}, __n, __c, count(*){sums_of} FROM {rows} GROUP BY {x}, __n, __c"
        ))?;
        let keys = of.keys(&of.cells(&found, 0)?);
        let (places, classes) = (whole(&found, 1)?, whole(&found, 2)?);
        let (rows, units) = (whole(&found, 3)?, sums(&found, 4)?);
        let distances = match of_numbers {
            true => Some((sums(&found, 5)?, sums(&found, 6)?)),
            false => None,
        };
        for (line, key) in keys.iter().enumerate() {
            let bin = match key {
                None => Some(levels.len()),
                Some(key) => code_of.get(key).copied(),
            };
            let bin = bin.ok_or_else(|| lost("a level that was not there before"))?;
            let counts = &mut counts[asked[places[line] as usize]];
            counts.rows[bin] += rows[line] as u64;
            match &distances {
                Some((sums, spreads)) => {
                    counts.stats[bin * 2] += units[line];
                    counts.stats[bin * 2 + 1] += sums[line];
                    counts.spreads[bin] += spreads[line];
                }
                None => counts.stats[bin * width + classes[line] as usize] += units[line],
            }
        }
        Ok(())
    }
}
