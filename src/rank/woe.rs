//! Weight of evidence and information value of a feature's bins, for a target of two classes.
//!
//! ```text
//! woe = ln(share of the events in the bin / share of the non-events in the bin)
//! iv  = (share of the events - share of the non-events) * woe, summed over the bins
//! ```

use std::borrow::Cow;
use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::bins::{
    BinCount, MergeLimits, TwoClasses, check_intervals, count_bins, count_levels, interval_rule,
    level_rule, mdl_bounds, merge, quantile_cuts,
};
use crate::data::column::Column;
use crate::data::column_data::{ColumnData, MISSING, Source};
use crate::data::dtype::{DType, Kind, Value, key_of_i64};
use crate::data::other_dtype::{cuts_at_or_below, level_indices};
use crate::data::target::{TargetValues, event_class, rarer_class};
use crate::encode::table::{FeatureKinds, Kinds, Table};
use crate::error::{Error, Result, listed};
use crate::spec::{Intervals, Monotone, WoeSpec};
use crate::util::parallel;

/// The bins of a feature, and the map from its values to their weights of evidence.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FeatureWoe {
    /// The feature's name.
    pub name: String,
    /// Its dtype.
    pub dtype: DType,
    /// Its kind.
    pub kind: Kind,
    /// The class that is the event, as text.
    pub event: String,
    /// Its bins: intervals that ascend, or groups of levels of rising event rate. The bin of
    /// missing values, if there is one, is the last.
    pub bins: Vec<WoeBin>,
    /// The sum of the bins' information values.
    pub iv: f64,
    /// Whether the last bin is of missing values.
    pub(super) has_missing_bin: bool,
    /// The cuts between the bins of an ordered feature.
    pub(super) cuts: Vec<Value>,
    /// The bins of a nominal feature's levels.
    pub(super) bin_of: HashMap<String, u32>,
    pub(super) unseen: Option<f64>,
}

/// A line of the table `woe_bins`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // the fields are the table's columns
pub struct WoeBin {
    pub rule: String,
    pub n: u64,
    pub share: f64,
    pub events: f64,
    pub non_events: f64,
    pub event_rate: f64,
    pub woe: f64,
    pub iv: f64,
}

/// Bins features for the rows of a [table of their target](Table::of_target), columns in parallel
/// in the current pool. Linear in the rows of a column, but for sorting its levels.
///
/// # Errors
/// A target of other than two classes, an event that is none of them, limits out of range, and the
/// errors of [`Table::encode`] of the features.
pub fn woe_in_turn<S: Source>(
    rows: &Table,
    features: &[S],
    kinds: Kinds,
    spec: &WoeSpec,
) -> Result<Vec<FeatureWoe>> {
    kinds.check(&features.iter().map(|f| f.name()).collect::<Vec<_>>())?;
    check_intervals(spec.intervals)?;
    if spec.max_bins == Some(0) {
        return Err(Error::spec("max_bins is 0: at least 1 bin, or none for no limit"));
    }
    if !(0.0..=1.0).contains(&spec.min_share) {
        return Err(Error::spec(format!("min_share is {}: a share from 0 to 1", spec.min_share)));
    }
    if let Some(unseen) = spec.unseen.filter(|unseen| !unseen.is_finite()) {
        return Err(Error::spec(format!("unseen is {unseen}: a finite number, or none for null")));
    }
    bin_in_turn(rows, features, &kinds.by_name(), spec)
}

/// The information value of each feature by the bins of a default spec.
///
/// # Errors
/// A target of other than two classes, and the errors of [`Table::encode`] of the features.
pub(super) fn information_values<S: Source>(
    rows: &Table,
    features: &[S],
    kinds: &FeatureKinds,
) -> Result<Vec<f64>> {
    let features = bin_in_turn(rows, features, kinds, &WoeSpec::default())?;
    Ok(features.into_iter().map(|feature| feature.iv).collect())
}

fn bin_in_turn<S: Source>(
    rows: &Table,
    features: &[S],
    kinds: &FeatureKinds,
    spec: &WoeSpec,
) -> Result<Vec<FeatureWoe>> {
    let classes = two_classes(rows, spec)?;
    let feature = |source: &S| {
        let column = rows.context.raw_column(source, kinds)?.encode();
        FeatureWoe::new(rows, &column, classes, spec)
    };
    parallel::try_map(features, feature)
}

/// The target's classes; there must be two.
fn two_classes<'a>(table: &'a Table, spec: &WoeSpec) -> Result<TwoClasses<'a>> {
    let (name, dtype) = (&table.target.name, &table.target.dtype);
    let TargetValues::Classes { labels, codes } = &table.target.values else {
        return Err(Error::data(format!(
            "target `{name}` ({dtype}) holds numbers, and weight of evidence is of two classes: \
             choose another target, or bin it first"
        )));
    };
    let texts: Vec<String> = labels.iter().map(|label| dtype.show(label)).collect();
    if labels.len() != 2 {
        return Err(Error::data(format!(
            "target `{name}` ({dtype}) has {} {}, {}, and weight of evidence is of two: choose \
             another target, or keep rows of two classes",
            labels.len(),
            if labels.len() == 1 { "class" } else { "classes" },
            listed(&texts)
        )));
    }
    let weights = table.weights.as_ref();
    let event = match &spec.event {
        None => rarer_class(&table.target.class_totals(weights)).unwrap_or_default(),
        Some(event) => event_class(event, &format!("target `{name}` ({dtype})"), &texts)?,
    };
    Ok(TwoClasses { codes, event: event as u16, weights })
}

/// Refuses a direction of event rates for a nominal feature that is named: its levels have no order that
/// they could follow.
fn check_direction(column: &Column, spec: &WoeSpec) -> Result<()> {
    let direction = match spec.monotone {
        Monotone::Increasing => "increasing",
        Monotone::Decreasing => "decreasing",
        Monotone::No | Monotone::Either => return Ok(()),
    };
    if column.kind != Kind::Nominal || spec.features.is_none() {
        return Ok(());
    }
    Err(Error::spec(format!(
        "feature `{}` ({}) is nominal, so that event rates cannot be {direction} with it: leave out \
         monotone, or name the feature as ordered if its values have an order (ordered, --ordered)",
        column.name, column.dtype
    )))
}

impl FeatureWoe {
    fn new(table: &Table, column: &Column, rows: TwoClasses, spec: &WoeSpec) -> Result<FeatureWoe> {
        check_direction(column, spec)?;
        // The levels of a nominal feature are ordered by event rate, then binned like numbers.
        let ranked = (column.kind == Kind::Nominal).then(|| levels_by_rate(column, rows));
        let axis = match &ranked {
            None => Cow::Borrowed(column),
            Some(levels) => Cow::Owned(relabelled(column, levels)?),
        };
        let cuts = match spec.intervals {
            Intervals::Mdl => mdl_bounds(table, &axis)?,
            Intervals::Quantiles(n) => quantile_cuts(&axis, n, |row| rows.units(row)),
        };
        let mut counts = count_bins(&axis, &axis.cuts_at_or_below(&cuts), cuts.len() + 1, rows);
        let missing = counts.pop().filter(|missing| missing.n > 0 && spec.missing_bin);
        let known = BinCount::sum(&counts);
        let total = BinCount::sum(counts.iter().chain(&missing));
        let unit = rows.unit();
        let limits = MergeLimits {
            max_bins: spec.max_bins.unwrap_or(usize::MAX),
            min_units: spec.min_share * (known.units[0] as f64 + known.units[1] as f64),
            monotone: if ranked.is_some() { Monotone::No } else { spec.monotone },
        };
        let is_limited = spec.max_bins.is_some_and(|most| most < counts.len())
            || limits.min_units > 0.0
            || limits.monotone != Monotone::No;
        let starts = match is_limited {
            true => merge(&counts, limits, |bin| bin.evidence(&total, unit).1),
            false => (0..counts.len()).collect(),
        };
        let cuts: Vec<Value> = starts[1..].iter().map(|&start| cuts[start - 1].clone()).collect();
        let ends = starts[1..].iter().copied().chain([counts.len()]);
        let merged = starts.iter().zip(ends).map(|(&from, to)| BinCount::sum(&counts[from..to]));
        let merged: Vec<BinCount> = merged.collect();

        let mut bin_of = HashMap::new();
        let mut rules: Vec<String> = match &ranked {
            None => (0..=cuts.len()).map(|at| interval_rule(column, &cuts, at)).collect(),
            Some(levels) => {
                let bins = axis.cuts_at_or_below(&cuts);
                let mut members = vec![Vec::new(); merged.len()];
                for (position, &level) in levels.iter().enumerate() {
                    let bin = bins[position];
                    bin_of.insert(column.level_text(level), bin);
                    members[bin as usize].push(level);
                }
                members.iter_mut().for_each(|levels| levels.sort_unstable());
                members.iter().map(|levels| level_rule(column, levels)).collect()
            }
        };
        rules.extend(missing.map(|_| format!("{} is missing", column.name)));
        let share = |bin: &BinCount| bin.n as f64 / total.n.max(1) as f64;
        // A feature without a known value has only the bin of missing values.
        let bins = rules.into_iter().zip(merged.iter().chain(&missing)).map(|(rule, bin)| {
            let (woe, iv) = bin.evidence(&total, unit);
            let [non_events, events] = bin.units.map(|units| units as f64 * unit);
            let event_rate = if bin.n > 0 { events / (events + non_events) } else { 0.0 };
            WoeBin { rule, n: bin.n, share: share(bin), events, non_events, event_rate, woe, iv }
        });
        let bins: Vec<WoeBin> = bins.filter(|bin| bin.n > 0).collect();
        Ok(FeatureWoe {
            name: column.name.clone(),
            dtype: column.dtype.clone(),
            kind: column.kind,
            event: table.target.class_text(rows.event.into()),
            iv: bins.iter().map(|bin| bin.iv).sum(),
            bins,
            has_missing_bin: missing.is_some(),
            cuts,
            bin_of,
            unseen: spec.unseen,
        })
    }

    /// The weight of evidence of each of these cells.
    ///
    /// # Errors
    /// A dtype that is not the feature's, nor one that a tree fitted on it would score.
    pub fn woe_of(&self, dtype: &DType, cells: ColumnData) -> Result<Vec<Option<f64>>> {
        let woe = self.woe_by_place();
        let places = self.places_of(dtype, cells)?;
        Ok(places.into_iter().map(|place| woe[place as usize]).collect())
    }

    /// The weights of evidence by [place](Self::places_of).
    pub(crate) fn woe_by_place(&self) -> Vec<Option<f64>> {
        let known = self.bins[..self.n_known()].iter().map(|bin| Some(bin.woe));
        let missing = self.bins.get(self.n_known()).map_or(self.unseen, |bin| Some(bin.woe));
        known.chain([missing, self.unseen]).collect()
    }

    /// The bins of values that are not missing.
    pub(super) fn n_known(&self) -> usize {
        self.bins.len() - usize::from(self.has_missing_bin)
    }

    /// The place of a level that was never seen.
    pub(crate) fn unseen_place(&self) -> u32 {
        self.n_known() as u32 + 1
    }

    /// The place of each of these cells: its bin, or after the bins of known values the place of
    /// missing ones, or the place of levels [never seen](Self::unseen_place).
    ///
    /// # Errors
    /// As [`woe_of`](Self::woe_of).
    pub(crate) fn places_of(&self, dtype: &DType, cells: ColumnData) -> Result<Vec<u32>> {
        let is_text = |dtype: &DType| dtype.kind() == Kind::Nominal;
        if !(self.dtype.accepts(dtype) || is_text(&self.dtype) && is_text(dtype)) {
            return Err(Error::data(format!(
                "feature `{}` is {dtype}, and its weights of evidence are of {}: cast it",
                self.name, self.dtype
            )));
        }
        let (missing, unseen) = (self.n_known() as u32, self.unseen_place());
        let of_bin = |bin: usize| if bin < self.n_known() { bin as u32 } else { unseen };
        let row = |mask: &Option<Vec<bool>>, row: usize, bin: &dyn Fn() -> usize| {
            if mask.as_ref().is_some_and(|mask| mask[row]) { missing } else { of_bin(bin()) }
        };
        if !self.dtype.holds_values_of(dtype) {
            let bins = match self.kind {
                Kind::Ordered => cuts_at_or_below(&cells, dtype, &self.cuts, &self.dtype),
                Kind::Nominal => self.bins_of_levels(&cells, dtype),
            };
            return Ok(bins.into_iter().map(|bin| bin.map_or(missing, of_bin)).collect());
        }
        Ok(match (cells, self.kind) {
            (ColumnData::Missing(n), _) => vec![missing; n],
            (ColumnData::Keys(keys, mask), Kind::Ordered) => {
                let cuts: Vec<_> = self.cuts.iter().map(|cut| dtype.key_of_value(cut)).collect();
                let bin = |at: usize| cuts.partition_point(|cut| *cut <= Some(keys[at]));
                (0..keys.len()).map(|at| row(&mask, at, &|| bin(at))).collect()
            }
            (ColumnData::Wide(keys, mask), Kind::Ordered) => {
                let cuts: Vec<_> = self.cuts.iter().map(|cut| dtype.wide_of_value(cut)).collect();
                let bin = |at: usize| cuts.partition_point(|cut| *cut <= Some(keys[at]));
                (0..keys.len()).map(|at| row(&mask, at, &|| bin(at))).collect()
            }
            (cells, kind) => {
                let column = Column::encode(&self.name, dtype.clone(), kind, cells)?;
                let of_level: Vec<u32> = match kind {
                    Kind::Ordered => {
                        let bins = column.cuts_at_or_below(&self.cuts).into_iter();
                        bins.map(|bin| of_bin(bin as usize)).collect()
                    }
                    Kind::Nominal => (0..column.missing_code())
                        .map(|level| {
                            let bin = self.bin_of.get(&column.level_text(level));
                            bin.map_or(unseen, |&bin| of_bin(bin as usize))
                        })
                        .collect(),
                };
                let of_code = |code: u32| of_level.get(code as usize).copied().unwrap_or(missing);
                column.codes.by_row().map(of_code).collect()
            }
        })
    }

    /// The bin of each cell of another dtype of numbers; none has the bin of a level not seen.
    fn bins_of_levels(&self, cells: &ColumnData, dtype: &DType) -> Vec<Option<usize>> {
        let (levels, mut bins): (Vec<String>, Vec<usize>) =
            self.bin_of.iter().map(|(level, &bin)| (level.clone(), bin as usize)).unzip();
        bins.push(usize::MAX);
        let indices = level_indices(cells, dtype, &levels, &self.dtype).into_iter();
        indices.map(|index| (index != MISSING).then(|| bins[index as usize])).collect()
    }
}

/// The levels of a nominal feature by event rate, then in their own order.
fn levels_by_rate(column: &Column, rows: TwoClasses) -> Vec<u32> {
    let counts = count_levels(column, rows);
    let mut levels: Vec<u32> = (0..column.missing_code()).collect();
    levels.sort_by(|&a, &b| counts[a as usize].cmp_share(&counts[b as usize]));
    levels
}

/// The column with the positions of its levels in another order as values.
fn relabelled(column: &Column, levels: &[u32]) -> Result<Column> {
    let mut position = vec![MISSING; levels.len()];
    (0..).zip(levels).for_each(|(at, &level)| position[level as usize] = at);
    let missing = column.codes.by_row().map(|code| code as usize >= levels.len()).collect();
    let placed =
        column.codes.by_row().map(|code| position.get(code as usize).copied().unwrap_or(0));
    let keys = placed.map(|position| key_of_i64(position.into())).collect();
    let cells = ColumnData::Keys(keys, Some(missing));
    Column::encode(&column.name, DType::U32, Kind::Ordered, cells)
}
