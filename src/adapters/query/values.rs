//! Counting values within ranges of keys: one by one, or how many there are.

use std::collections::HashMap;

use super::SqlStore;
use super::answers::lost;
use super::joined::AskedRange;
use crate::data::dtype::key_of_value;
use crate::error::Result;
use crate::external::{CountRequest, GrowingTree, KeyRange, LevelCount, LevelRequest, ValueCounts};

/// The number of the question in the lines of its ranges.
const QUESTION: &str = "__a";

impl SqlStore<'_> {
    pub(super) fn count_values(&self, request: &CountRequest) -> Result<Vec<ValueCounts>> {
        let asked = request.values.iter().map(|of| (of.node, of.column, &of.ranges[..]));
        let (width, of_numbers) = (self.coding()?.target.width(), self.of_numbers()?);
        let (u, carried) = (self.units(), self.carried()?);
        let mut sums_of = format!(", sum({u})");
        if of_numbers {
            sums_of += &format!(", sum({u} * {})", self.sql.wide("__d"));
        }
        // By question and key: rows, and the stat.
        let mut lines: HashMap<(usize, i128), (u64, Vec<i128>)> = HashMap::new();
        let asked = questions(asked);
        for (column, cells) in self.cells_in_ranges(request.tree, asked, &[QUESTION], &carried)? {
            let sql = format!(
                "SELECT __v, {QUESTION}, __c, count(*){sums_of} FROM {cells} \
                 GROUP BY __v, {QUESTION}, __c"
            );
            let found = self.run(if of_numbers { 6 } else { 5 }, &sql)?;
            let values = self.features[column as usize].values_of_cells(&found, 0)?;
            let questions = found.indices(1, request.values.len())?;
            let (classes, rows) = (found.indices(2, width)?, found.counts(3)?);
            let units = found.sums(4)?;
            let distances = if of_numbers { found.sums(5)? } else { Vec::new() };
            for (line, (value, at)) in values.iter().zip(questions).enumerate() {
                let dtype = &self.store_columns[request.values[at].column as usize].dtype;
                let key = key_of_value(dtype, value);
                let key = key.ok_or_else(|| lost("a value that was not asked for"))?;
                let (all, stat) = lines.entry((at, key)).or_insert_with(|| (0, vec![0; width]));
                *all += rows[line];
                match distances.get(line) {
                    Some(distance) => {
                        stat[0] += units[line];
                        stat[1] += distance;
                    }
                    None => stat[classes[line]] += units[line],
                }
            }
        }
        let mut ordered: Vec<_> = lines.into_iter().collect();
        ordered.sort_unstable_by_key(|&(at, _)| at);
        let mut counts = vec![ValueCounts::default(); request.values.len()];
        for ((at, key), (rows, stat)) in ordered {
            let counts = &mut counts[at];
            counts.keys.push(key);
            counts.rows.push(rows);
            counts.stats.extend(stat);
        }
        Ok(counts)
    }

    /// The engine counts distinct values: none of them comes back.
    pub(super) fn count_distinct(
        &self,
        tree: &GrowingTree,
        requests: &[LevelRequest],
    ) -> Result<Vec<LevelCount>> {
        let asked = questions(requests.iter().map(|of| (of.node, of.column, &of.ranges[..])));
        let mut counts = vec![LevelCount::default(); requests.len()];
        for (_, cells) in self.cells_in_ranges(tree, asked, &[QUESTION], "")? {
            let sql = format!(
                "SELECT {QUESTION}, count(*), count(DISTINCT __v) FROM {cells} GROUP BY {QUESTION}"
            );
            let found = self.run(3, &sql)?;
            let questions = found.indices(0, requests.len())?;
            for ((at, rows), levels) in
                questions.into_iter().zip(found.counts(1)?).zip(found.counts(2)?)
            {
                // Ranges of one question may be in several queries.
                counts[at].rows += rows;
                counts[at].levels += levels;
            }
        }
        Ok(counts)
    }
}

/// The ranges of some questions. Each question is about a node and a column.
fn questions<'r>(asked: impl Iterator<Item = (u32, u32, &'r [KeyRange])>) -> Vec<AskedRange> {
    let ranges = asked.enumerate().flat_map(|(at, (node, column, ranges))| {
        let said = at.to_string();
        ranges.iter().map(move |&range| AskedRange {
            node,
            column,
            range,
            said: vec![said.clone()],
        })
    });
    ranges.collect()
}
