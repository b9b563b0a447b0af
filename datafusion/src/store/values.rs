//! Counting values one by one, within ranges of keys.

use std::collections::{BTreeMap, HashMap};

use gaintree::engine::{CountRequest, KeyRange, TargetCoding, ValueCounts, value_of_key};

use super::SqlStore;
use super::answers::{sums, whole};
use super::columns::{Column, Key, lost};
use super::numbers::decimal;
use crate::error::Result;
use crate::query::RunQuery;

/// Requests of one query: columns of one type, which unnest together.
#[derive(Default)]
struct Batch {
    /// Each node once.
    nodes: Vec<u32>,
    /// By column: the requests, as places in the whole list, and their conditions.
    columns: BTreeMap<u32, Vec<(usize, String)>>,
    length: usize,
}

impl<E: RunQuery> SqlStore<'_, E> {
    /// A query per type of columns, or more where the ranges are many.
    pub(super) fn count_values(&self, request: &CountRequest) -> Result<Vec<ValueCounts>> {
        let mut counts = vec![ValueCounts::default(); request.values.len()];
        let mut batches: BTreeMap<String, Batch> = BTreeMap::new();
        for (at, asked) in request.values.iter().enumerate() {
            let column = &self.features[asked.column as usize];
            let condition = in_ranges(column, &asked.ranges)?;
            let batch = batches.entry(column.plain_type().to_string()).or_default();
            // A node's path has conditions too.
            let length = condition.len() + 200;
            if batch.length + length > self.most_characters && batch.length > 0 {
                self.count_values_of(request, &std::mem::take(batch), &mut counts)?;
            }
            batch.length += length;
            if !batch.nodes.contains(&asked.node) {
                batch.nodes.push(asked.node);
            }
            batch.columns.entry(asked.column).or_default().push((at, condition));
        }
        for batch in batches.values() {
            self.count_values_of(request, batch, &mut counts)?;
        }
        Ok(counts)
    }

    fn count_values_of(
        &self,
        request: &CountRequest,
        batch: &Batch,
        counts: &mut [ValueCounts],
    ) -> Result<()> {
        let target = &self.coding()?.target;
        let (width, of_numbers) = (target.width(), matches!(target, TargetCoding::Numbers(_)));
        let position_of: HashMap<u32, usize> = batch.nodes.iter().copied().zip(0..).collect();
        // Of a row each column's value, or null if it was not asked for.
        let (mut values, mut names, mut of_batch) = (Vec::new(), Vec::new(), Vec::new());
        let mut asked_at: HashMap<(usize, usize), usize> = HashMap::new();
        for (&at, asked) in &batch.columns {
            let column = &self.features[at as usize];
            let mut is_asked = "CASE __n".to_string();
            for (at, condition) in asked {
                let place = position_of[&request.values[*at].node];
                asked_at.insert((of_batch.len(), place), *at);
                is_asked += &format!(" WHEN {place} THEN {condition}");
            }
            let known = column.ordered()?.known();
            let plain = column.plain();
            values.push(format!("CASE WHEN {known} AND {is_asked} END THEN {plain} END"));
            names.push(column.quoted());
            of_batch.push(column);
        }
        let rows = self.rows_of(request.tree, &batch.nodes, &names)?;
        let (u, beside) = match self.has_units() {
            true => (decimal("__u"), ", __u"),
            false => (decimal("1"), ""),
        };
        let mut sums_of = format!(", sum({u})");
        let mut beside = beside.to_string();
        if of_numbers {
            sums_of += &format!(", sum({u} * {})", decimal("__d"));
            beside += ", __d";
        }
        let numbers: Vec<String> = (0..values.len()).map(|at| at.to_string()).collect();
        let found = self.run(&format!(
            "SELECT __v, __f, __n, __c, count(*){sums_of} FROM \
             (SELECT unnest(make_array({})) AS __v, unnest(make_array({})) AS __f, __n, __c{beside} \
             FROM {rows}) WHERE __v IS NOT NULL GROUP BY __v, __f, __n, __c",
            values.join(", "),
            numbers.join(", ")
        ))?;
        // All columns are of one type, and so are their keys.
        let keys = of_batch[0].keys(&of_batch[0].cells(&found, 0)?);
        let (numbers, places) = (whole(&found, 1)?, whole(&found, 2)?);
        let (classes, rows, units) = (whole(&found, 3)?, whole(&found, 4)?, sums(&found, 5)?);
        let distances = if of_numbers { sums(&found, 6)? } else { Vec::new() };
        // By request and key: rows, and the stat.
        let mut lines: HashMap<(usize, i128), (u64, Vec<i128>)> = HashMap::new();
        for (line, key) in keys.iter().enumerate() {
            let at = asked_at.get(&(numbers[line] as usize, places[line] as usize));
            let (Some(Key::Number(key)), Some(&at)) = (key, at) else {
                return Err(lost("a value that was not asked for"));
            };
            // A range may end at the key of -0.0, which SQL takes for that of 0.0.
            let ranges = &request.values[at].ranges;
            let after = ranges.partition_point(|range| range.last < *key);
            if ranges.get(after).is_none_or(|range| *key < range.first) {
                continue;
            }
            let (all, stat) = lines.entry((at, *key)).or_insert_with(|| (0, vec![0; width]));
            *all += rows[line] as u64;
            match distances.get(line) {
                Some(distance) => {
                    stat[0] += units[line];
                    stat[1] += distance;
                }
                None => stat[classes[line] as usize] += units[line],
            }
        }
        let mut ordered: Vec<_> = lines.into_iter().collect();
        ordered.sort_unstable_by_key(|&(at, _)| at);
        for ((at, key), (rows, stat)) in ordered {
            let counts = &mut counts[at];
            counts.keys.push(key);
            counts.rows.push(rows);
            counts.stats.extend(stat);
        }
        Ok(())
    }
}

/// Whether a known value is in one of some ranges: a binary search as a `CASE` in a `CASE`. Keys
/// beyond those of values are no bounds.
fn in_ranges(column: &Column, ranges: &[KeyRange]) -> Result<String> {
    let Some(middle) = ranges.get(ranges.len() / 2) else { return Ok("FALSE".to_string()) };
    let x = column.ordered()?;
    let value = |key| value_of_key(&column.store.dtype, key);
    let first = match middle.first {
        i128::MIN => "TRUE".to_string(),
        key => x.at_least(&value(key))?,
    };
    let last = match middle.last {
        i128::MAX => "TRUE".to_string(),
        key => x.at_most(&value(key))?,
    };
    if ranges.len() == 1 {
        return Ok(format!("({first} AND {last})"));
    }
    let (below, above) = ranges.split_at(ranges.len() / 2);
    let above = in_ranges(column, &above[1..])?;
    Ok(format!("CASE WHEN {first} THEN ({last} OR {above}) ELSE {} END", in_ranges(column, below)?))
}
