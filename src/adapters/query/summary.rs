//! The first pass: what there is.

use std::collections::{BTreeMap, BTreeSet};

use super::columns::{Key, QueryColumn};
use super::{SqlStore, holds};
use crate::data::common_unit::MAX_DISTINCT_WEIGHTS;
use crate::data::dtype::Value;
use crate::data::weights::check_weights;
use crate::error::Result;
use crate::external::{
    FeatureSummary, FeatureWish, StoreSummary, SummaryRequest, TargetSummary, Weighed, Weighing,
};

impl SqlStore<'_> {
    pub(super) fn summary(&mut self, request: &SummaryRequest) -> Result<StoreSummary> {
        self.check_weights()?;
        let missing: Vec<String> = std::iter::once(&self.target)
            .chain(&self.features)
            .map(|column| {
                Ok(format!("sum(CASE WHEN {} THEN 1 ELSE 0 END)", column.ordered()?.missing()))
            })
            .collect::<Result<_>>()?;
        // Sums of no rows are null.
        let sql = format!("SELECT count(*), {} FROM {}", missing.join(", "), self.rows);
        let counted = self.run(1 + missing.len(), &sql)?;
        let rows = counted.counts(0)?.first().copied().unwrap_or(0);
        let n_missing = (1..=missing.len())
            .map(|at| Ok(counted.sums(at)?.first().copied().unwrap_or(0) as u64))
            .collect::<Result<Vec<_>>>()?;
        let target = self.target_summary(request, n_missing[0])?;
        self.target_values = match &target {
            TargetSummary::Classes { values, .. } => values.clone(),
            TargetSummary::Numbers { .. } => Vec::new(),
        };
        let features = self.feature_summaries(request, rows, &n_missing[1..])?;
        self.listed = features.iter().map(|feature| feature.values.clone()).collect();
        Ok(StoreSummary { rows, target, features })
    }

    /// The first bad weight is an error, as it is in memory, though its row has no number here.
    fn check_weights(&self) -> Result<()> {
        let Some(weight) = &self.weight else { return Ok(()) };
        let w = weight.as_float();
        let [zero, most] = [-0.0, f64::MAX].map(|x| self.sql.literal(x));
        let missing = weight.ordered()?.missing();
        let bad = holds(&format!("{missing} OR {w} < {zero} OR {w} > {most}"));
        let sql = format!("SELECT {w} FROM {} WHERE {bad} LIMIT 1", self.all_rows);
        let found = self.run(1, &sql)?;
        let dtype = weight.store.dtype.to_string();
        let checked = check_weights(&weight.store.name, &dtype, found.floats(0)?.into_iter());
        checked.map_err(|e| e.with_row_name(|_| "some row".to_string()))?;
        Ok(())
    }

    fn target_summary(&self, request: &SummaryRequest, n_missing: u64) -> Result<TargetSummary> {
        if !request.target_is_number {
            // One more than may be says that there are too many.
            let values = self.distinct_values(&self.target, request.max_classes + 1)?;
            return Ok(TargetSummary::Classes { values, n_missing });
        }
        let y = self.target.as_float();
        let known = holds(&self.target.ordered()?.known());
        let sql = format!("SELECT min({y}), max({y}), avg({y}) FROM {} WHERE {known}", self.rows);
        let found = self.run(3, &sql)?;
        let number = |at| Ok::<_, crate::Error>(found.floats(at)?.first().copied().flatten());
        let (min, max, mean) = (number(0)?, number(1)?, number(2)?);
        let (min, max) = (min.unwrap_or(0.0), max.unwrap_or(0.0));
        Ok(TargetSummary::Numbers { min, max, mean: mean.unwrap_or(0.0), n_missing })
    }

    fn feature_summaries(
        &self,
        request: &SummaryRequest,
        rows: u64,
        n_missing: &[u64],
    ) -> Result<Vec<FeatureSummary>> {
        let mut drawn = self.drawn_values(request, rows)?;
        let mut summaries = Vec::new();
        for (at, wish) in request.features.iter().enumerate() {
            let column = &self.features[at];
            let most = match wish {
                FeatureWish::Levels => request.max_levels,
                FeatureWish::Values { few, .. } => *few,
            };
            let drawn = drawn.remove(&at).unwrap_or_default();
            let different: BTreeSet<&Key> = drawn.iter().collect();
            // Engines that are asked for a few distinct values may look for all of them.
            let values = match different.len() > most {
                true => Vec::new(),
                // One more than may be says that these are not all.
                false => self.distinct_values(column, most + 1)?,
            };
            let is_all = different.len() <= most && values.len() <= most;
            let values = match is_all {
                true => values,
                // None, where levels were wished for.
                false => drawn.iter().map(|key| column.value(key)).collect(),
            };
            summaries.push(FeatureSummary { n_missing: n_missing[at], values, is_all });
        }
        Ok(summaries)
    }

    /// Known values of some rows, of each feature of which values are wished for. What is drawn changes
    /// no tree, only time.
    fn drawn_values(
        &self,
        request: &SummaryRequest,
        rows: u64,
    ) -> Result<BTreeMap<usize, Vec<Key>>> {
        let wished = request.features.iter().enumerate().filter_map(|(at, wish)| match wish {
            FeatureWish::Levels => None,
            FeatureWish::Values { sample, .. } => Some((at, *sample)),
        });
        let wished: Vec<(usize, usize)> = wished.collect();
        let Some(most) = wished.iter().map(|&(_, sample)| sample).max() else {
            return Ok(BTreeMap::new());
        };
        let share = self.sql.literal((most as f64 / rows.max(1) as f64).min(1.0));
        let names: Vec<&str> = wished.iter().map(|&(at, _)| self.features[at].alias()).collect();
        let drawn = self.run(
            names.len(),
            &format!("SELECT {} FROM {} WHERE random() <= {share}", names.join(", "), self.rows),
        )?;
        let of_column = wished.iter().enumerate().map(|(place, &(at, _))| {
            let column = &self.features[at];
            let keys = column.keys(&column.cells(&drawn, place)?);
            Ok((at, keys.into_iter().flatten().collect()))
        });
        of_column.collect()
    }

    /// The distinct known values: this number of them or more, if there are as many.
    fn distinct_values(&self, column: &QueryColumn, limit: usize) -> Result<Vec<Value>> {
        let (x, known) = (column.alias(), holds(&column.ordered()?.known()));
        // Zeros of both signs may be one value and two rows of the answer.
        let limit = limit + 1;
        let sql = format!("SELECT DISTINCT {x} FROM {} WHERE {known} LIMIT {limit}", self.rows);
        let keys = column.keys(&column.cells(&self.run(1, &sql)?, 0)?);
        let keys: BTreeSet<Key> = keys.into_iter().flatten().collect();
        Ok(keys.iter().map(|key| column.value(key)).collect())
    }

    pub(super) fn weighed(&self, weighing: &Weighing) -> Result<Weighed> {
        let class = match weighing.class_of.is_empty() {
            true => "CAST(0 AS BIGINT)".to_string(),
            false => self.class_by(&weighing.class_of)?,
        };
        let weight = self.sql.weight(&weighing.units, "__w", "__c");
        let inner = format!(
            "(SELECT {} AS __w, {class} AS __c FROM {}) AS weights",
            self.weight_sql(),
            self.rows
        );
        let weighed = format!("(SELECT __c, {weight} AS __v FROM {inner}) AS weighed");
        let sql = format!(
            "SELECT __c, sum(__v), sum(CASE WHEN __v <> round(__v) THEN 1 ELSE 0 END) \
             FROM {weighed} GROUP BY __c"
        );
        let found = self.run(3, &sql)?;
        let has_fraction = found.sums(2)?.iter().any(|&n| n > 0);
        let n_classes = weighing.class_of.iter().map(|&class| class as usize + 1).max();
        let mut by_class = vec![0.0; n_classes.unwrap_or(1)];
        for (class, total) in found.indices(0, by_class.len())?.into_iter().zip(found.floats(1)?) {
            by_class[class] = total.unwrap_or(0.0);
        }
        let total = by_class.iter().sum();
        if n_classes.is_none() {
            by_class.clear();
        }
        let mut distinct = Vec::new();
        if has_fraction {
            let limit = MAX_DISTINCT_WEIGHTS + 1;
            let sql = format!("SELECT DISTINCT __v FROM {weighed} LIMIT {limit}");
            distinct.extend(self.run(1, &sql)?.floats(0)?.into_iter().flatten());
        }
        Ok(Weighed { total, by_class, has_fraction, distinct })
    }
}
