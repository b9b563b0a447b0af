//! The first passes: what there is, and what it weighs.

use super::cells::{classes_of, kept_target};
use super::tables::{Listed, Tables};
use super::{RowBatch, RowBatches};
use crate::data::column_data::{ColumnData, MISSING};
use crate::data::common_unit::DistinctWeights;
use crate::data::dtype::value_of_key;
use crate::data::dtype::{DType, Value};
use crate::encode::too_many_classes;
use crate::error::Result;
use crate::external::row_store::{
    FeatureSummary, FeatureWish, StoreColumn, StoreSummary, SummaryRequest, TargetSummary, Weighed,
    Weighing,
};
use crate::util::parallel;

/// What was seen of a column's values so far.
struct Seen {
    dtype: DType,
    n_missing: u64,
    /// All distinct values, while they are not too many.
    keys: hashbrown::HashSet<i128>,
    texts: hashbrown::HashSet<String>,
    most: usize,
    is_all: bool,
    /// The key of every `step`th row, where not all values are kept.
    sample: Vec<i128>,
    sample_size: usize,
    step: usize,
    skip: usize,
}

impl Seen {
    fn new(dtype: DType, most: usize, sample_size: usize) -> Seen {
        Seen {
            dtype,
            n_missing: 0,
            keys: Default::default(),
            texts: Default::default(),
            most,
            is_all: true,
            sample: Vec::new(),
            sample_size,
            step: 1,
            skip: 0,
        }
    }

    fn take(&mut self, cells: &ColumnData) {
        match cells {
            ColumnData::Keys(keys, missing) => {
                self.take_keys(keys.iter().map(|&key| i128::from(key)), missing.as_deref());
            }
            ColumnData::Wide(keys, missing) => {
                self.take_keys(keys.iter().copied(), missing.as_deref());
            }
            ColumnData::Text(ids, texts) => {
                let mut is_new = vec![true; texts.len()];
                for &id in ids {
                    if id == MISSING {
                        self.n_missing += 1;
                    } else if std::mem::take(&mut is_new[id as usize])
                        && self.is_all
                        && !self.texts.contains(&texts[id as usize])
                    {
                        self.texts.insert(texts[id as usize].clone());
                    }
                }
            }
            ColumnData::Missing(n) => self.n_missing += *n as u64,
        }
    }

    /// Forgets the values, which are too many.
    fn give_up(&mut self) {
        self.is_all = false;
        (self.keys, self.texts) = Default::default();
    }

    fn n_distinct(&self) -> usize {
        self.keys.len() + self.texts.len()
    }

    fn take_keys(&mut self, keys: impl Iterator<Item = i128>, missing: Option<&[bool]>) {
        let mut last = None;
        for (row, key) in keys.enumerate() {
            if missing.is_some_and(|missing| missing[row]) {
                self.n_missing += 1;
                continue;
            }
            if self.is_all && last != Some(key) {
                last = Some(key);
                self.keys.insert(key);
                if self.keys.len() > self.most {
                    self.give_up();
                }
            }
            if self.sample_size > 0 {
                if self.skip == 0 {
                    self.sample.push(key);
                    if self.sample.len() >= 2 * self.sample_size {
                        // Every second stays, and only half as many come.
                        let mut at = 0;
                        self.sample.retain(|_| {
                            at += 1;
                            at % 2 == 1
                        });
                        self.step *= 2;
                    }
                    self.skip = self.step;
                }
                self.skip -= 1;
            }
        }
    }

    fn summary(self) -> FeatureSummary {
        let values = match self.is_all {
            true => self.distinct(),
            false => self.sample.iter().map(|&key| value_of_key(&self.dtype, key)).collect(),
        };
        FeatureSummary { n_missing: self.n_missing, values, is_all: self.is_all }
    }

    fn distinct(&self) -> Vec<Value> {
        let of_keys = self.keys.iter().map(|&key| value_of_key(&self.dtype, key));
        of_keys.chain(self.texts.iter().cloned().map(Value::Text)).collect()
    }
}

pub(super) fn summarize(
    batches: &mut dyn RowBatches,
    request: &SummaryRequest,
    tables: &mut Tables,
) -> Result<StoreSummary> {
    let seen = |(feature, wish): (&StoreColumn, &FeatureWish)| match *wish {
        FeatureWish::Levels => Seen::new(feature.dtype.clone(), request.max_levels, 0),
        FeatureWish::Values { few, sample } => Seen::new(feature.dtype.clone(), few, sample),
    };
    let mut features: Vec<Seen> =
        batches.features().iter().zip(&request.features).map(seen).collect();
    let StoreColumn { name, dtype } = batches.target().clone();
    let most = if request.target_is_number { 0 } else { request.max_classes };
    let mut classes = Seen::new(dtype.clone(), most, 0);
    let (mut min, mut max, mut sum) = (f64::INFINITY, f64::NEG_INFINITY, 0.0);
    let (mut rows, mut n_missing) = (0u64, 0u64);
    let wanted = vec![true; features.len()];
    batches.read(&wanted, &mut |mut batch: RowBatch| {
        let (kept, target) = kept_target(&mut batch)?;
        rows += target.len() as u64;
        if request.target_is_number {
            for number in target.numbers(&dtype) {
                match number {
                    Some(number) => {
                        (min, max) = (min.min(number), max.max(number));
                        sum += number;
                    }
                    None => n_missing += 1,
                }
            }
        } else {
            classes.take(&target);
            if !classes.is_all || classes.texts.len() > request.max_classes {
                let n = format!("more than {}", request.max_classes);
                return Err(too_many_classes(&name, &dtype, n));
            }
        }
        let cells = std::mem::take(&mut batch.features);
        let work = features.iter_mut().zip(cells);
        parallel::for_each(work, |(seen, cells)| match (cells, &kept) {
            (Some(cells), Some(kept)) => seen.take(&cells.take(kept)),
            (Some(cells), None) => seen.take(&cells),
            (None, _) => {}
        });
        // The features of most levels are given up first.
        let with_wish = features.iter_mut().zip(&request.features);
        let of_levels = with_wish.filter(|(_, wish)| **wish == FeatureWish::Levels);
        let mut of_levels: Vec<&mut Seen> = of_levels.map(|(seen, _)| seen).collect();
        of_levels.sort_unstable_by_key(|seen| seen.n_distinct());
        let mut n_levels: usize = of_levels.iter().map(|seen| seen.n_distinct()).sum();
        while n_levels > request.max_levels
            && let Some(most) = of_levels.pop()
        {
            n_levels -= most.n_distinct();
            most.give_up();
        }
        Ok(())
    })?;
    let features: Vec<FeatureSummary> = features.into_iter().map(Seen::summary).collect();
    let columns = batches.features().iter().zip(&features).zip(&request.features);
    tables.features = columns
        .map(|((column, found), wish)| {
            (*wish == FeatureWish::Levels).then(|| Listed::of(&column.dtype, &found.values))
        })
        .collect();
    tables.target_is_number = request.target_is_number;
    tables.rows = rows;
    let target = match request.target_is_number {
        true => TargetSummary::Numbers { min, max, mean: sum / rows.max(1) as f64, n_missing },
        false => {
            let values = classes.distinct();
            tables.classes = Listed::of(&dtype, &values);
            TargetSummary::Classes { values, n_missing: classes.n_missing }
        }
    };
    Ok(StoreSummary { rows, target, features })
}

/// Sums of weights, in row order.
pub(super) fn weigh(
    batches: &mut dyn RowBatches,
    weighing: &Weighing,
    tables: &Tables,
) -> Result<Weighed> {
    let n_classes = weighing.class_of.iter().max().map_or(0, |&class| usize::from(class) + 1);
    let mut weighed = Weighed { by_class: vec![0.0; n_classes], ..Weighed::default() };
    let mut distinct = DistinctWeights::default();
    let wanted = vec![false; batches.features().len()];
    batches.read(&wanted, &mut |mut batch: RowBatch| {
        let (_, target) = kept_target(&mut batch)?;
        let classes = match tables.target_is_number {
            true => Vec::new(),
            false => classes_of(&target, tables, &weighing.class_of)?,
        };
        for row in 0..target.len() {
            let class = classes.get(row).map_or(0, |&class| usize::from(class));
            let weight = batch.weights.as_ref().map_or(1.0, |weights| weights[row]);
            let weight = weighing.units.weight(weight, class);
            weighed.total += weight;
            weighed.has_fraction |= weight.fract() != 0.0;
            distinct.add(weight);
            if let Some(sum) = weighed.by_class.get_mut(class) {
                *sum += weight;
            }
        }
        Ok(())
    })?;
    weighed.distinct = distinct.ascending();
    Ok(weighed)
}
