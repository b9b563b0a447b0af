//! The rows of a batch as a store that looks at each row for each question: slow and obvious.

use std::collections::BTreeMap;

use arrow::array::RecordBatch;
use gaintree::cells_of_arrays;
use gaintree::engine::*;

/// A column as one cell per row.
struct Cells {
    dtype: DType,
    cells: Vec<Option<Value>>,
}

impl Cells {
    fn of(table: &RecordBatch, name: &str) -> Cells {
        let at = table.schema().index_of(name).expect("a column");
        let array = table.column(at);
        let dtype = gaintree::dtype_of_arrow(array.data_type()).expect("a dtype");
        let cells = match cells_of_arrays(name, array.data_type(), vec![array.clone()]) {
            Ok(cells) => cells,
            Err(error) => panic!("{error}"),
        };
        let is_known = |missing: &Option<Vec<bool>>, row: usize| {
            missing.as_ref().is_none_or(|missing| !missing[row])
        };
        let cells = (0..table.num_rows())
            .map(|row| match &cells {
                ColumnData::Keys(keys, missing) => {
                    is_known(missing, row).then(|| value_of_key(&dtype, keys[row].into()))
                }
                ColumnData::Wide(keys, missing) => {
                    is_known(missing, row).then(|| value_of_key(&dtype, keys[row]))
                }
                ColumnData::Text(ids, texts) => {
                    (ids[row] != MISSING).then(|| Value::Text(texts[ids[row] as usize].clone()))
                }
                ColumnData::Missing(_) => None,
            })
            .collect();
        Cells { dtype, cells }
    }

    fn float(&self, row: usize) -> f64 {
        match self.cells[row].as_ref().expect("a number") {
            Value::Float(x) => *x,
            Value::Int(x) => *x as f64,
            other => panic!("{other:?} is no number"),
        }
    }

    /// Distinct values, by their keys.
    fn distinct(&self) -> Vec<Value> {
        let mut values: Vec<Value> = Vec::new();
        for value in self.cells.iter().flatten() {
            if !values.contains(value) {
                values.push(value.clone());
            }
        }
        values
    }
}

/// The rows of a batch.
pub struct NaiveStore {
    features: Vec<Cells>,
    target: Cells,
    weights: Option<Vec<f64>>,
    coding: Coding,
    listed: Vec<Vec<Value>>,
    target_values: Vec<Value>,
    rows: Vec<usize>,
}

impl NaiveStore {
    /// The summary has the values that the coding's levels and classes are of.
    pub fn new(
        table: &RecordBatch,
        features: &[String],
        weight: Option<&str>,
        coding: Coding,
        summary: &StoreSummary,
    ) -> Self {
        let listed = summary.features.iter().map(|feature| feature.values.clone()).collect();
        let target_values = match &summary.target {
            TargetSummary::Classes { values, .. } => values.clone(),
            TargetSummary::Numbers { .. } => Vec::new(),
        };
        let features = features.iter().map(|name| Cells::of(table, name)).collect();
        let target = Cells::of(table, "y");
        let weights: Option<Vec<f64>> = weight.map(|name| {
            let weights = Cells::of(table, name);
            (0..table.num_rows()).map(|row| weights.float(row)).collect()
        });
        let rows = (0..table.num_rows())
            .filter(|&row| weights.as_ref().is_none_or(|weights| weights[row] > 0.0))
            .collect();
        NaiveStore { features, target, weights, coding, listed, target_values, rows }
    }

    pub fn distinct(&self, feature: usize) -> Vec<Value> {
        self.features[feature].distinct()
    }

    fn cell(&self, row: usize, column: u32) -> Cell {
        let cells = &self.features[column as usize];
        let Some(value) = &cells.cells[row] else { return Cell::Missing };
        Cell::Known(match &self.coding.level_codes[column as usize] {
            None => key_of_value(&cells.dtype, value).expect("a key"),
            Some(codes) => {
                let listed = &self.listed[column as usize];
                codes[listed.iter().position(|v| v == value).expect("a level")].into()
            }
        })
    }

    fn class(&self, row: usize) -> usize {
        match &self.coding.target {
            TargetCoding::Numbers(_) => 0,
            TargetCoding::Classes { class_of, .. } => {
                let value = self.target.cells[row].as_ref().expect("a class");
                let at = self.target_values.iter().position(|v| v == value).expect("a class");
                class_of[at].into()
            }
        }
    }

    fn units(&self, row: usize) -> u64 {
        let weight = self.weights.as_ref().map_or(1.0, |weights| weights[row]);
        self.coding.units.as_ref().map_or(1, |units| units.units(weight, self.class(row)))
    }

    fn distance(&self, row: usize) -> Option<i64> {
        match &self.coding.target {
            TargetCoding::Numbers(scale) => Some(scale.distance(self.target.float(row))),
            TargetCoding::Classes { .. } => None,
        }
    }

    fn add(&self, stat: &mut [i128], row: usize) {
        let units = i128::from(self.units(row));
        match self.distance(row) {
            Some(distance) => {
                stat[0] += units;
                stat[1] += units * i128::from(distance);
            }
            None => stat[self.class(row)] += units,
        }
    }

    fn rows_of<'a>(&'a self, tree: &'a GrowingTree, node: u32) -> impl Iterator<Item = usize> + 'a {
        let is_there =
            move |row: &&usize| tree.node_of(0, |column| self.cell(**row, column)) == node;
        self.rows.iter().filter(is_there).copied()
    }

    pub fn count(&self, request: &CountRequest) -> Counts {
        let width = self.coding.target.width();
        let of_numbers = matches!(self.coding.target, TargetCoding::Numbers(_));
        let bins = request.bins.iter().map(|asked| {
            let n = asked.bins.len();
            let mut counts = BinCounts {
                rows: vec![0; n + 1],
                stats: vec![0; (n + 1) * width],
                spreads: vec![0; if of_numbers { n + 1 } else { 0 }],
            };
            for row in self.rows_of(request.tree, asked.node) {
                let bin = match (self.cell(row, asked.column), asked.bins.starts()) {
                    (Cell::Missing, _) => n,
                    (Cell::Known(code), None) => code as usize,
                    (Cell::Known(key), Some(starts)) => {
                        starts.iter().filter(|&&start| start <= key).count()
                    }
                };
                counts.rows[bin] += 1;
                self.add(&mut counts.stats[bin * width..][..width], row);
                if let Some(distance) = self.distance(row) {
                    let away = (i128::from(distance) - i128::from(asked.centre)).abs();
                    counts.spreads[bin] += i128::from(self.units(row)) * away;
                }
            }
            counts
        });
        let values = request.values.iter().map(|asked| {
            let mut lines: BTreeMap<i128, (u64, Vec<i128>)> = BTreeMap::new();
            for row in self.rows_of(request.tree, asked.node) {
                if let Cell::Known(key) = self.cell(row, asked.column)
                    && asked.ranges.iter().any(|range| range.first <= key && key <= range.last)
                {
                    let (rows, stat) = lines.entry(key).or_insert_with(|| (0, vec![0; width]));
                    *rows += 1;
                    self.add(stat, row);
                }
            }
            ValueCounts {
                keys: lines.keys().copied().collect(),
                rows: lines.values().map(|(rows, _)| *rows).collect(),
                stats: lines.values().flat_map(|(_, stat)| stat.clone()).collect(),
            }
        });
        Counts { bins: bins.collect(), moments: Vec::new(), values: values.collect() }
    }

    /// The moments of a node that has rows.
    pub fn moments(&self, tree: &GrowingTree, asked: &MomentRequest) -> Option<Moments> {
        let mut moments = None;
        for row in self.rows_of(tree, asked.node) {
            let distance = self.distance(row).expect("a number");
            let number = self.target.float(row);
            let moments = moments.get_or_insert(Moments {
                squares_high: 0,
                squares_low: 0,
                extremes: (distance, distance),
                least: number,
            });
            let away = (i128::from(distance) - asked.centre).unsigned_abs();
            let (square, units) = (away * away, u128::from(self.units(row)));
            moments.squares_high += (square >> 64) * units;
            moments.squares_low += (square & u128::from(u64::MAX)) * units;
            let (least, greatest) = moments.extremes;
            moments.extremes = (least.min(distance), greatest.max(distance));
            moments.least = moments.least.min(number);
        }
        moments
    }

    /// The rows of a node as text, sorted.
    pub fn gather(&self, tree: &GrowingTree, node: u32) -> Vec<String> {
        let mut rows: Vec<String> = self
            .rows_of(tree, node)
            .map(|row| {
                let cells: Vec<_> = self.features.iter().map(|cells| &cells.cells[row]).collect();
                let target = match self.distance(row) {
                    Some(_) => self.target.float(row),
                    None => self.class(row) as f64,
                };
                format!("{cells:?} {target:?} {}", self.units(row))
            })
            .collect();
        rows.sort();
        rows
    }
}
