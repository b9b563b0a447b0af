//! Counting values within ranges of keys: one by one, or how many there are.

use std::collections::{BTreeMap, HashMap};

use super::answers::lost;
use super::columns::{Key, QueryColumn};
use super::{SqlStore, case_of};
use crate::data::dtype::keys::value_of_key;
use crate::data::dtype::{DType, Value};
use crate::error::Result;
use crate::external::{
    CountRequest, GrowingTree, KeyRange, LevelCount, LevelRequest, TargetCoding, ValueCounts,
};

/// Values that are asked about, of a node and a column.
struct Asked<'r> {
    node: u32,
    column: u32,
    ranges: &'r [KeyRange],
}

/// Questions of one query: columns of one type, which unnest together.
#[derive(Default)]
struct Batch {
    /// Each node once, and its place.
    nodes: Vec<u32>,
    place_of: HashMap<u32, usize>,
    /// By column: the questions, as places in the whole list, and their conditions.
    columns: BTreeMap<u32, Vec<(usize, String)>>,
    length: usize,
}

/// A query of the values asked about, `__v`, with the numbers of their column, `__f`, and node, `__n`.
struct Cells<'s> {
    sql: String,
    columns: Vec<&'s QueryColumn>,
    /// By the numbers of a column and a node: the question.
    asked_at: HashMap<(u64, u64), usize>,
}

impl SqlStore<'_> {
    pub(super) fn count_values(&self, request: &CountRequest) -> Result<Vec<ValueCounts>> {
        let asked: Vec<Asked> = request
            .values
            .iter()
            .map(|of| Asked { node: of.node, column: of.column, ranges: &of.ranges })
            .collect();
        let mut counts = vec![ValueCounts::default(); asked.len()];
        for batch in self.value_batches(&asked)? {
            self.count_values_of(request.tree, &asked, &batch, &mut counts)?;
        }
        Ok(counts)
    }

    /// The engine counts distinct values: none of them comes back.
    pub(super) fn count_distinct(
        &self,
        tree: &GrowingTree,
        requests: &[LevelRequest],
    ) -> Result<Vec<LevelCount>> {
        let asked: Vec<Asked> = requests
            .iter()
            .map(|of| Asked { node: of.node, column: of.column, ranges: &of.ranges })
            .collect();
        let mut counts = vec![LevelCount::default(); asked.len()];
        for batch in self.value_batches(&asked)? {
            // Both zeros are one value.
            let value = |column: &QueryColumn| Ok(column.nominal()?.expression().to_string());
            let cells = self.cells(tree, &asked, &batch, "", value)?;
            let sql = format!(
                "SELECT __f, __n, count(*), count(DISTINCT __v) FROM {} \
                 WHERE __v IS NOT NULL GROUP BY __f, __n",
                cells.sql
            );
            let found = self.run(4, &sql)?;
            let (columns, nodes) = (found.counts(0)?, found.counts(1)?);
            let (rows, levels) = (found.counts(2)?, found.counts(3)?);
            for (line, of) in columns.into_iter().zip(nodes).enumerate() {
                let at = cells.asked_at.get(&of).ok_or_else(not_asked_for)?;
                counts[*at] = LevelCount { rows: rows[line], levels: levels[line] };
            }
        }
        Ok(counts)
    }

    /// A query per type of columns, or more where the ranges are many.
    fn value_batches(&self, asked: &[Asked]) -> Result<Vec<Batch>> {
        let mut full = Vec::new();
        let mut batches: BTreeMap<String, Batch> = BTreeMap::new();
        for (at, of) in asked.iter().enumerate() {
            let column = &self.features[of.column as usize];
            let condition = in_ranges(column, of.ranges)?;
            let batch = batches.entry(column.plain_type().to_string()).or_default();
            let rows = self.length_of_rows(&batch.place_of, of.node, &batch.columns, of.column);
            let length = batch.length + condition.len() + rows;
            if length > self.most_characters && batch.length > 0 {
                full.push(std::mem::take(batch));
            }
            batch.length += condition.len();
            let next = batch.nodes.len();
            if *batch.place_of.entry(of.node).or_insert(next) == next {
                batch.nodes.push(of.node);
            }
            batch.columns.entry(of.column).or_default().push((at, condition));
        }
        full.extend(batches.into_values());
        Ok(full)
    }

    fn cells(
        &self,
        tree: &GrowingTree,
        asked: &[Asked],
        batch: &Batch,
        beside: &str,
        value: impl Fn(&QueryColumn) -> Result<String>,
    ) -> Result<Cells<'_>> {
        // Of a row each column's value, or null if it was not asked for.
        let (mut values, mut names, mut columns) = (Vec::new(), Vec::new(), Vec::new());
        let mut asked_at = HashMap::new();
        for (&at, questions) in &batch.columns {
            let column = &self.features[at as usize];
            let place = |at: usize| batch.place_of[&asked[at].node];
            let number = columns.len() as u64;
            asked_at.extend(questions.iter().map(|(at, _)| ((number, place(*at) as u64), *at)));
            let arms = questions.iter().map(|(at, condition)| (place(*at), condition.clone()));
            let is_asked = case_of("__n", arms);
            let (known, x) = (column.ordered()?.known(), value(column)?);
            values.push(format!("CASE WHEN {known} AND {is_asked} THEN {x} END"));
            names.push(column.alias().to_string());
            columns.push(column);
        }
        let rows = self.rows_of(tree, &batch.nodes, &names)?;
        let beside = format!(", __n, __c{beside}");
        let cells = self.sql.counting.cells(&values, "__v", Some("__f"), &beside, &rows);
        let sql = format!("({cells}) AS cells");
        Ok(Cells { sql, columns, asked_at })
    }

    fn count_values_of(
        &self,
        tree: &GrowingTree,
        asked: &[Asked],
        batch: &Batch,
        counts: &mut [ValueCounts],
    ) -> Result<()> {
        let target = &self.coding()?.target;
        let (width, of_numbers) = (target.width(), matches!(target, TargetCoding::Numbers(_)));
        let u = self.units();
        let mut sums_of = format!(", sum({u})");
        let mut beside = if self.has_units() { ", __u" } else { "" }.to_string();
        if of_numbers {
            sums_of += &format!(", sum({u} * {})", self.sql.wide("__d"));
            beside += ", __d";
        }
        let value = |column: &QueryColumn| Ok(column.alias().to_string());
        let cells = self.cells(tree, asked, batch, &beside, value)?;
        let sql = format!(
            "SELECT __v, __f, __n, __c, count(*){sums_of} FROM {} \
             WHERE __v IS NOT NULL GROUP BY __v, __f, __n, __c",
            cells.sql
        );
        let found = self.run(if of_numbers { 7 } else { 6 }, &sql)?;
        // All columns are of one type, and so are their keys.
        let keys = cells.columns[0].keys(&cells.columns[0].cells(&found, 0)?);
        let (columns, nodes) = (found.counts(1)?, found.counts(2)?);
        let (classes, rows, units) = (found.indices(3, width)?, found.counts(4)?, found.sums(5)?);
        let distances = if of_numbers { found.sums(6)? } else { Vec::new() };
        // By question and key: rows, and the stat.
        let mut lines: HashMap<(usize, i128), (u64, Vec<i128>)> = HashMap::new();
        for (line, key) in keys.iter().enumerate() {
            let at = cells.asked_at.get(&(columns[line], nodes[line]));
            let (Some(Key::Number(key)), Some(&at)) = (key, at) else {
                return Err(not_asked_for());
            };
            let (all, stat) = lines.entry((at, *key)).or_insert_with(|| (0, vec![0; width]));
            *all += rows[line];
            match distances.get(line) {
                Some(distance) => {
                    stat[0] += units[line];
                    stat[1] += distance;
                }
                None => stat[classes[line]] += units[line],
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

fn not_asked_for() -> crate::error::Error {
    lost("a value that was not asked for")
}

/// Whether a known value is in one of some ranges: a binary search as a `CASE` in a `CASE`. Keys
/// beyond those of values are no bounds.
fn in_ranges(column: &QueryColumn, ranges: &[KeyRange]) -> Result<String> {
    let Some(middle) = ranges.get(ranges.len() / 2) else { return Ok("FALSE".to_string()) };
    let x = column.ordered()?;
    let first = match middle.first {
        i128::MIN => "TRUE".to_string(),
        key => x.at_least(&value_of_key(&column.store.dtype, key))?,
    };
    let last = match middle.last {
        i128::MAX => "TRUE".to_string(),
        key => x.at_most(&last_value(&column.store.dtype, key))?,
    };
    if ranges.len() == 1 {
        return Ok(format!("({first} AND {last})"));
    }
    let (below, above) = ranges.split_at(ranges.len() / 2);
    let above = in_ranges(column, &above[1..])?;
    Ok(format!("CASE WHEN {first} THEN ({last} OR {above}) ELSE {} END", in_ranges(column, below)?))
}

/// The value of the last key of a range. No value has the key of -0.0, which SQL takes for 0.0: the
/// range ends below.
fn last_value(dtype: &DType, key: i128) -> Value {
    match value_of_key(dtype, key) {
        Value::Float(x) if x == 0.0 && x.is_sign_negative() => value_of_key(dtype, key - 1),
        value => value,
    }
}
