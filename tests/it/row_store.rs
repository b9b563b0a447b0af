//! The naive keeper of rows: a frame in memory that counts row by row, in the most obvious way.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use gaintree::engine::dtype::{DType, Value};
use gaintree::engine::{
    BinCounts, Cell, Coding, CountRequest, Counts, FeatureSummary, FeatureWish, GatheredRows,
    GatheredTarget, GrowingTree, LevelCount, LevelRequest, Moments, RankStore, RatedMomentRequest,
    RowBatch, RowBatches, RowStore, Source, StoreColumn, StoreSummary, SummaryRequest,
    TargetCoding, TargetSummary, ValueCounts, Weighed, Weighing, key_of_value,
};

use crate::frames::{Column, Frame};

pub struct FrameStore {
    frame: Frame,
    /// The rows of positive weight.
    rows: Vec<usize>,
    numbers: Vec<Option<f64>>,
    features: Vec<StoreColumn>,
    target: StoreColumn,
    /// What the summary listed of each feature, and of the target.
    listed: Vec<Vec<Value>>,
    classes: Vec<Value>,
    coding: Option<Arc<Coding>>,
    /// After so many counts and gathers a row changes its class or number.
    pub changes_after: Option<usize>,
    /// Times that rows were counted without a pass.
    pub n_counted: u32,
    asked: usize,
}

impl FrameStore {
    pub fn new(frame: &Frame) -> FrameStore {
        let frame = frame.clone();
        let column = |c: &Column| StoreColumn { name: c.name.clone(), dtype: c.dtype.clone() };
        let weight = |row: &usize| frame.weights.as_ref().is_none_or(|w| w[*row] > 0.0);
        FrameStore {
            rows: (0..frame.n_rows()).filter(weight).collect(),
            numbers: frame.target.cells().numbers(&frame.target.dtype),
            features: frame.columns.iter().map(column).collect(),
            target: column(&frame.target),
            listed: Vec::new(),
            classes: Vec::new(),
            coding: None,
            changes_after: None,
            n_counted: 0,
            asked: 0,
            frame,
        }
    }

    fn weight_of(&self, row: usize) -> f64 {
        self.frame.weights.as_ref().map_or(1.0, |w| w[row])
    }

    fn coding(&self) -> &Coding {
        self.coding.as_ref().expect("begun")
    }

    fn class(&self, row: usize, class_of: &[u16]) -> usize {
        let Some(value) = self.frame.target.known(row) else { return 0 };
        let at = self.classes.iter().position(|class| class == value);
        at.and_then(|at| class_of.get(at)).map_or(0, |&class| class.into())
    }

    /// The stat of one row.
    fn stat(&self, row: usize) -> Vec<i128> {
        let units = self.units(row);
        match &self.coding().target {
            TargetCoding::Classes { class_of, n_classes } => {
                let mut stat = vec![0; *n_classes];
                stat[self.class(row, class_of)] = units.into();
                stat
            }
            TargetCoding::Numbers(_) => {
                vec![units.into(), i128::from(units) * i128::from(self.distance(row))]
            }
        }
    }

    fn distance(&self, row: usize) -> i64 {
        let TargetCoding::Numbers(scale) = &self.coding().target else { return 0 };
        scale.distance(self.numbers[row].expect("a number"))
    }

    fn units(&self, row: usize) -> u64 {
        let class = match &self.coding().target {
            TargetCoding::Classes { class_of, .. } => self.class(row, class_of),
            TargetCoding::Numbers(_) => 0,
        };
        self.coding().units.as_ref().map_or(1, |units| units.units(self.weight_of(row), class))
    }

    fn cell(&self, row: usize, column: u32) -> Cell {
        let column = column as usize;
        let of = &self.frame.columns[column];
        let Some(value) = of.known(row) else { return Cell::Missing };
        match &self.coding().level_codes[column] {
            Some(codes) => {
                let at = self.listed[column].iter().position(|listed| listed == value);
                Cell::Known(codes[at.expect("listed")].into())
            }
            None => Cell::Known(key_of_value(&of.dtype, value).expect("a key")),
        }
    }

    fn rows_of(&self, tree: &GrowingTree, node: u32) -> Vec<usize> {
        let node_of = |row: usize| tree.node_of(0, |column| self.cell(row, column));
        self.rows.iter().copied().filter(|&row| node_of(row) == node).collect()
    }

    fn moments(&self, rows: &[usize], centre: i128) -> Moments {
        let mut moments = Moments {
            squares_high: 0,
            squares_low: 0,
            extremes: (i64::MAX, i64::MIN),
            least: f64::INFINITY,
        };
        for &row in rows {
            let (distance, units) = (self.distance(row), u128::from(self.units(row)));
            let apart = (i128::from(distance) - centre).unsigned_abs();
            moments.squares_high += ((apart * apart) >> 64) * units;
            moments.squares_low += u128::from((apart * apart) as u64) * units;
            let (least, greatest) = moments.extremes;
            moments.extremes = (least.min(distance), greatest.max(distance));
            moments.least = moments.least.min(self.numbers[row].expect("a number"));
        }
        moments
    }

    fn another_pass(&mut self) {
        if self.changes_after == Some(self.asked) {
            // One row changes its target.
            let row = self.rows[0];
            let other = self
                .rows
                .iter()
                .find(|&&other| self.frame.target.cells[other] != self.frame.target.cells[row]);
            let other = *other.expect("two targets");
            self.numbers[row] = self.numbers[other];
            self.frame.target.cells[row] = self.frame.target.cells[other].clone();
        }
        self.asked += 1;
    }
}

fn distinct(column: &Column, rows: &[usize]) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::new();
    for value in rows.iter().filter_map(|&row| column.known(row)) {
        if !values.contains(value) {
            values.push(value.clone());
        }
    }
    values
}

fn add(to: &mut [i128], stat: &[i128]) {
    to.iter_mut().zip(stat).for_each(|(to, s)| *to += s);
}

impl RowStore for FrameStore {
    fn features(&self) -> &[StoreColumn] {
        &self.features
    }

    fn target(&self) -> &StoreColumn {
        &self.target
    }

    fn weight(&self) -> Option<&str> {
        self.frame.weights.as_ref().map(|_| "w")
    }

    fn n_rows(&mut self) -> gaintree::Result<Option<u64>> {
        self.n_counted += 1;
        Ok(Some(self.rows.len() as u64))
    }

    fn summarize(&mut self, request: &SummaryRequest) -> gaintree::Result<StoreSummary> {
        let missing =
            |c: &Column| self.rows.iter().filter(|&&r| c.known(r).is_none()).count() as u64;
        let n_missing = missing(&self.frame.target);
        self.classes = distinct(&self.frame.target, &self.rows);
        let numbers = || self.rows.iter().filter_map(|&row| self.numbers[row]);
        let target = match request.target_is_number {
            true => TargetSummary::Numbers {
                min: numbers().fold(f64::INFINITY, f64::min),
                max: numbers().fold(f64::NEG_INFINITY, f64::max),
                mean: numbers().sum::<f64>() / numbers().count() as f64,
                n_missing,
            },
            false => TargetSummary::Classes { values: self.classes.clone(), n_missing },
        };
        let summarize = |(column, wish): (&Column, &FeatureWish)| {
            let values = distinct(column, &self.rows);
            let (few, sample) = match wish {
                FeatureWish::Levels => (request.max_levels, 0),
                FeatureWish::Values { few, sample } => (*few, *sample),
            };
            let is_all = values.len() <= few;
            let step = self.rows.len().div_ceil(sample.max(1));
            let sampled = || self.rows.iter().step_by(step);
            let sampled = || sampled().filter_map(|&row| column.known(row).cloned()).collect();
            FeatureSummary {
                n_missing: missing(column),
                values: if is_all { values } else { sampled() },
                is_all,
            }
        };
        let features: Vec<_> =
            self.frame.columns.iter().zip(&request.features).map(summarize).collect();
        self.listed = features.iter().map(|f| f.values.clone()).collect();
        Ok(StoreSummary { rows: self.rows.len() as u64, target, features })
    }

    fn weigh(&mut self, weighing: &Weighing) -> gaintree::Result<Weighed> {
        let mut weighed = Weighed::default();
        let n_classes = weighing.class_of.iter().max().map_or(0, |&class| usize::from(class) + 1);
        weighed.by_class = vec![0.0; n_classes];
        for &row in &self.rows {
            let class = self.class(row, &weighing.class_of);
            let weight = weighing.units.weight(self.weight_of(row), class);
            weighed.total += weight;
            weighed.has_fraction |= weight.fract() != 0.0;
            if let Some(sum) = weighed.by_class.get_mut(class) {
                *sum += weight;
            }
            if !weighed.distinct.contains(&weight) {
                weighed.distinct.push(weight);
            }
        }
        Ok(weighed)
    }

    fn begin(&mut self, coding: &Arc<Coding>) -> gaintree::Result<()> {
        self.coding = Some(Arc::clone(coding));
        Ok(())
    }

    fn count(&mut self, request: &CountRequest) -> gaintree::Result<Counts> {
        self.another_pass();
        let mut counts = Counts::default();
        let width = self.coding().target.width();
        for asked in &request.bins {
            let n_bins = asked.bins.len();
            let is_number = matches!(self.coding().target, TargetCoding::Numbers(_));
            let mut bins = BinCounts {
                rows: vec![0; n_bins + 1],
                stats: vec![0; width * (n_bins + 1)],
                spreads: vec![0; if is_number { n_bins + 1 } else { 0 }],
            };
            for row in self.rows_of(request.tree, asked.node) {
                let bin = match (self.cell(row, asked.column), asked.bins.starts()) {
                    (Cell::Missing, _) => n_bins,
                    (Cell::Known(code), None) => code as usize,
                    (Cell::Known(key), Some(starts)) => {
                        starts.iter().filter(|&&start| start <= key).count()
                    }
                };
                bins.rows[bin] += 1;
                add(&mut bins.stats[bin * width..(bin + 1) * width], &self.stat(row));
                if is_number {
                    let apart = self.distance(row).abs_diff(asked.centre);
                    bins.spreads[bin] += i128::from(self.units(row)) * i128::from(apart);
                }
            }
            counts.bins.push(bins);
        }
        for asked in &request.moments {
            let rows = self.rows_of(request.tree, asked.node);
            counts.moments.push(self.moments(&rows, asked.centre));
        }
        for asked in &request.values {
            let mut values: BTreeMap<i128, (u64, Vec<i128>)> = BTreeMap::new();
            for row in self.rows_of(request.tree, asked.node) {
                let Cell::Known(key) = self.cell(row, asked.column) else { continue };
                if asked.ranges.iter().any(|range| range.first <= key && key <= range.last) {
                    let of_key = values.entry(key).or_insert_with(|| (0, vec![0; width]));
                    of_key.0 += 1;
                    add(&mut of_key.1, &self.stat(row));
                }
            }
            counts.values.push(ValueCounts {
                keys: values.keys().copied().collect(),
                rows: values.values().map(|(rows, _)| *rows).collect(),
                stats: values.into_values().flat_map(|(_, stat)| stat).collect(),
            });
        }
        Ok(counts)
    }

    fn gather(&mut self, tree: &GrowingTree, nodes: &[u32]) -> gaintree::Result<Vec<GatheredRows>> {
        self.another_pass();
        let gather = |&node: &u32| {
            // In any order of rows.
            let rows: Vec<usize> = self.rows_of(tree, node).into_iter().rev().collect();
            let of_node = self.frame.take(&rows);
            let target = match &self.coding().target {
                TargetCoding::Classes { class_of, .. } => GatheredTarget::Classes(
                    rows.iter().map(|&row| self.class(row, class_of) as u16).collect(),
                ),
                TargetCoding::Numbers(_) => GatheredTarget::Numbers(
                    rows.iter().map(|&row| self.numbers[row].expect("a number")).collect(),
                ),
            };
            let has_units = self.coding().units.is_some();
            GatheredRows {
                columns: of_node.columns.iter().map(Source::cells).collect(),
                target,
                units: has_units.then(|| rows.iter().map(|&row| self.units(row)).collect()),
            }
        };
        Ok(nodes.iter().map(gather).collect())
    }
}

impl RankStore for FrameStore {
    fn count_levels(
        &mut self,
        tree: &GrowingTree,
        requests: &[LevelRequest],
    ) -> gaintree::Result<Vec<LevelCount>> {
        self.another_pass();
        let count = |asked: &LevelRequest| {
            let key = |&row: &usize| match self.cell(row, asked.column) {
                Cell::Known(key) => Some(key),
                Cell::Missing => None,
            };
            let is_inside =
                |key: &i128| asked.ranges.iter().any(|r| r.first <= *key && *key <= r.last);
            let rows = self.rows_of(tree, asked.node);
            let keys: Vec<i128> = rows.iter().filter_map(key).filter(is_inside).collect();
            let levels = keys.iter().collect::<BTreeSet<_>>().len() as u64;
            LevelCount { rows: keys.len() as u64, levels }
        };
        Ok(requests.iter().map(count).collect())
    }

    fn rated_moments(
        &mut self,
        tree: &GrowingTree,
        requests: &[RatedMomentRequest],
    ) -> gaintree::Result<Vec<Moments>> {
        self.another_pass();
        let moments = |asked: &RatedMomentRequest| {
            let is_rated = |&row: &usize| {
                asked.known_in.is_none_or(|column| self.cell(row, column) != Cell::Missing)
            };
            let rows = self.rows_of(tree, asked.node);
            let rows: Vec<usize> = rows.into_iter().filter(is_rated).collect();
            self.moments(&rows, asked.centre)
        };
        Ok(requests.iter().map(moments).collect())
    }
}

/// A numeric target for a frame of classes: a number per row by its class and its place.
pub fn with_numbers(frame: &Frame, numbers: &[f64]) -> Frame {
    let cells = (0..frame.n_rows()).map(|row| Some(Value::Float(numbers[row % numbers.len()])));
    Frame { target: Column::new("y", DType::F64, cells), ..frame.clone() }
}

/// A frame in batches of a few rows.
pub struct FrameBatches {
    frame: Frame,
    features: Vec<StoreColumn>,
    target: StoreColumn,
    rows_at_once: usize,
}

impl FrameBatches {
    pub fn new(frame: &Frame, rows_at_once: usize) -> FrameBatches {
        let column = |c: &Column| StoreColumn { name: c.name.clone(), dtype: c.dtype.clone() };
        FrameBatches {
            features: frame.columns.iter().map(column).collect(),
            target: column(&frame.target),
            frame: frame.clone(),
            rows_at_once,
        }
    }
}

impl RowBatches for FrameBatches {
    fn features(&self) -> &[StoreColumn] {
        &self.features
    }

    fn target(&self) -> &StoreColumn {
        &self.target
    }

    fn weight(&self) -> Option<&str> {
        self.frame.weights.as_ref().map(|_| "w")
    }

    fn read(
        &mut self,
        wanted: &[bool],
        take: &mut (dyn FnMut(RowBatch) -> gaintree::Result<()> + Send),
    ) -> gaintree::Result<()> {
        let rows: Vec<usize> = (0..self.frame.n_rows()).collect();
        for rows in rows.chunks(self.rows_at_once) {
            let batch = self.frame.take(rows);
            let cells = batch.columns.iter().zip(wanted);
            take(RowBatch {
                features: cells.map(|(column, wanted)| wanted.then(|| column.cells())).collect(),
                target: batch.target.cells(),
                weights: batch.weights,
            })?;
        }
        Ok(())
    }
}
