//! The first pass: what there is.

use std::collections::HashSet;

use gaintree::engine::{
    FeatureSummary, FeatureWish, StoreSummary, SummaryRequest, TargetSummary, Value, Weighed,
    Weighing, check_weights,
};

use super::answers::{floats, sums, whole};
use super::columns::{Column, distinct};
use super::{SqlStore, numbers};
use crate::error::Result;
use crate::query::RunQuery;

impl<E: RunQuery> SqlStore<'_, E> {
    pub(super) fn summary(&mut self, request: &SummaryRequest) -> Result<StoreSummary> {
        self.check_weights()?;
        let missing: Vec<String> = std::iter::once(&self.target)
            .chain(&self.features)
            .map(|column| {
                Ok(format!("sum(CASE WHEN {} THEN 1 ELSE 0 END)", column.ordered()?.missing()))
            })
            .collect::<Result<_>>()?;
        // Sums of no rows are null.
        let counted =
            self.run(&format!("SELECT count(*), {} FROM {}", missing.join(", "), self.rows()))?;
        let rows = whole(&counted, 0)?.first().copied().unwrap_or(0) as u64;
        let n_missing = (1..=missing.len())
            .map(|at| Ok(sums(&counted, at)?.first().copied().unwrap_or(0) as u64))
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
        let infinity = numbers::literal(f64::MAX);
        let bad = format!("{w} IS NULL OR {w} < {} OR {w} > {infinity}", numbers::literal(-0.0));
        let found = self.run(&format!("SELECT {w} FROM {} WHERE {bad} LIMIT 1", self.table))?;
        let dtype = weight.store.dtype.to_string();
        let checked = check_weights(&weight.store.name, &dtype, floats(&found, 0)?.into_iter());
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
        let known = self.target.ordered()?.known();
        let and = if self.weight.is_some() { "AND" } else { "WHERE" };
        let sql = format!("SELECT min({y}), max({y}), avg({y}) FROM {} {and} {known}", self.rows());
        let found = self.run(&sql)?;
        let number = |at| Ok::<_, crate::Error>(floats(&found, at)?.first().copied().flatten());
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
        let mut sampled = Vec::new();
        let mut summaries = Vec::new();
        for (at, wish) in request.features.iter().enumerate() {
            let column = &self.features[at];
            // One more than may be says that these are not all.
            let most = match wish {
                FeatureWish::Levels => request.max_levels,
                FeatureWish::Values { few, .. } => *few,
            };
            let mut values = self.distinct_values(column, most + 1)?;
            let is_all = values.len() <= most;
            if !is_all {
                values.clear();
            }
            if let (FeatureWish::Values { sample, .. }, false) = (wish, is_all) {
                sampled.push((at, *sample));
            }
            summaries.push(FeatureSummary { n_missing: n_missing[at], values, is_all });
        }
        let Some(most) = sampled.iter().map(|(_, sample)| *sample).max() else {
            return Ok(summaries);
        };
        // What is drawn changes no tree, only time.
        let share = numbers::literal((most as f64 / rows.max(1) as f64).min(1.0));
        let and = if self.weight.is_some() { "AND" } else { "WHERE" };
        let names: Vec<String> =
            sampled.iter().map(|&(at, _)| self.features[at].quoted()).collect();
        let drawn = self.run(&format!(
            "SELECT {} FROM {} {and} random() <= {share}",
            names.join(", "),
            self.rows()
        ))?;
        for (place, &(at, _)) in sampled.iter().enumerate() {
            let column = &self.features[at];
            let keys = column.keys(&column.cells(&drawn, place)?);
            summaries[at].values = keys.iter().flatten().map(|key| column.value(key)).collect();
        }
        Ok(summaries)
    }

    /// The distinct known values, at least so many of them if there are as many.
    fn distinct_values(&self, column: &Column, limit: usize) -> Result<Vec<Value>> {
        let name = column.quoted();
        let known = column.ordered()?.known();
        let and = if self.weight.is_some() { "AND" } else { "WHERE" };
        // Zeros of both signs are one value and two rows of the answer.
        let sql = format!(
            "SELECT DISTINCT {name} FROM {} {and} {known} LIMIT {}",
            self.rows(),
            limit + 1
        );
        let found = self.run(&sql)?;
        let keys: HashSet<_> = distinct(column, &found, 0)?.into_iter().collect();
        let mut keys: Vec<_> = keys.into_iter().collect();
        keys.sort();
        Ok(keys.iter().map(|key| column.value(key)).collect())
    }

    pub(super) fn weighed(&self, weighing: &Weighing) -> Result<Weighed> {
        let class = match weighing.class_of.is_empty() {
            true => "CAST(0 AS BIGINT)".to_string(),
            false => self.class_by(&weighing.class_of)?,
        };
        let weight = numbers::weight(&weighing.units, "w", "c");
        let inner =
            format!("(SELECT {} AS w, {class} AS c FROM {})", self.weight_sql(), self.rows());
        let found = self.run(&format!(
            "SELECT c, sum(v), sum(CASE WHEN v <> round(v) THEN 1 ELSE 0 END) \
             FROM (SELECT c, {weight} AS v FROM {inner}) GROUP BY c"
        ))?;
        let (classes, totals) = (whole(&found, 0)?, floats(&found, 1)?);
        let has_fraction = sums(&found, 2)?.iter().any(|&n| n > 0);
        let n_classes = weighing.class_of.iter().map(|&class| class as usize + 1).max();
        let mut by_class = vec![0.0; n_classes.unwrap_or(1)];
        for (class, total) in classes.into_iter().zip(totals) {
            by_class[class as usize] = total.unwrap_or(0.0);
        }
        let total = by_class.iter().sum();
        if n_classes.is_none() {
            by_class.clear();
        }
        Ok(Weighed { total, by_class, has_fraction })
    }
}
