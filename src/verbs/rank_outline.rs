//! From named columns and a spec to a ranking, in one go or a few columns at a time.

use std::collections::HashSet;

use super::frame::{ColumnOrReason, NamedColumns, RowGroups, features_of, find};
use super::notes::is_below;
use super::ranking::{ColumnChoice, MeanGain, Ranking, RankingFeature, is_column_of_ranking};
use super::request::Request;
use crate::data::column_data::Source;
use crate::data::dtype::{DType, Kind};
use crate::data::target::Target;
use crate::encode::table::Table;
use crate::error::{Error, Result};
use crate::grow::has_many_levels;
use crate::rank::mdl_cuts::check_classes;
use crate::rank::{ColumnRanking, FeatureGain, Groups, Measures, set_q_values};
use crate::spec::{Cuts, RankSpec, SortBy};

/// Ranks the columns of a frame in the current pool.
pub(super) fn ranking<F: NamedColumns>(
    frame: &F,
    target: &str,
    spec: &RankSpec,
) -> Result<Ranking<F::Keys>> {
    let outline = RankOutline::new(frame, target, spec)?;
    let table = outline.table(frame)?;
    let groups = outline.groups(frame, &table)?;
    let ranker = outline.column_ranking(&table, &groups, frame)?;
    let gains = ranker.rank(&features_of(frame, &outline.names())?)?;
    Ok(outline.ranking(&table.target, groups, gains))
}

/// What a ranking is of, before any row is looked at. Its columns may then come a few at a time.
pub(crate) struct RankOutline<'s> {
    spec: &'s RankSpec,
    request: Request,
    /// The ones that are rated first.
    features: Vec<RankingFeature>,
}

impl<'s> RankOutline<'s> {
    /// The outline of a frame, which needs no rows.
    pub(crate) fn new<F: NamedColumns>(
        frame: &F,
        target: &str,
        spec: &'s RankSpec,
    ) -> Result<RankOutline<'s>> {
        let request = spec.request(target);
        let kinds = request.kinds().by_name();
        for (i, name) in spec.by.iter().enumerate() {
            find(frame, "group column", name)?;
            if name == target || spec.by[..i].contains(name) {
                return Err(Error::spec(format!(
                    "group column `{name}` is the target, or named twice: leave it out"
                )));
            }
            if is_column_of_ranking(name, spec) {
                return Err(Error::spec(format!(
                    "group column `{name}` has the name of a column of the ranking: rename it"
                )));
            }
        }
        given(frame, &request)?;
        let found = request.features(frame)?;
        if found.is_empty() {
            return Err(Error::data(format!(
                "no feature to rank beside target `{target}`: name some, or add columns"
            )));
        }
        let (mut features, mut excluded) = (Vec::new(), Vec::new());
        for feature in found {
            match feature {
                ColumnOrReason::Usable(column) => {
                    let kind = kinds.of(column.name(), column.dtype());
                    features.push(RankingFeature {
                        name: column.name().to_string(),
                        dtype: column.dtype().to_string(),
                        values: Some(column.dtype().clone()),
                        kind: Some(kind),
                        split: Some(split_of(kind, spec.cuts)),
                        reason: None,
                    });
                }
                ColumnOrReason::Excluded { name, dtype, reason } => {
                    let reason = Some(reason);
                    let (values, kind, split) = (None, None, None);
                    excluded.push(RankingFeature { name, dtype, values, kind, split, reason });
                }
            }
        }
        features.append(&mut excluded);
        Ok(RankOutline { spec, request, features })
    }

    /// What is asked of the frame.
    pub(crate) fn request(&self) -> &Request {
        &self.request
    }

    /// The names and dtypes of the features that are rated.
    pub(crate) fn rated(&self) -> Vec<(&str, &DType)> {
        let features = self.features.iter();
        features.filter_map(|f| Some((f.name.as_str(), f.values.as_ref()?))).collect()
    }

    fn names(&self) -> Vec<&str> {
        self.rated().into_iter().map(|(name, _)| name).collect()
    }

    /// The names of the columns of another role.
    pub(crate) fn reserved(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.request.reserved().map(|(_, name)| name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Checks that a frame has a target and weights of the right dtypes; it needs no rows.
    pub(crate) fn check_roles<F: NamedColumns>(&self, frame: &F) -> Result<()> {
        self.request.target(frame)?;
        self.request.weights(frame).map(drop)
    }

    /// The table of the target and the weights.
    pub(crate) fn table<F: NamedColumns>(&self, frame: &F) -> Result<Table> {
        let table = self.request.table_of_target(frame)?;
        table.target.check()?;
        Ok(table)
    }

    /// The groups of the rows that the table keeps.
    pub(crate) fn groups<F: NamedColumns>(
        &self,
        frame: &F,
        table: &Table,
    ) -> Result<RowGroups<F::Keys>> {
        frame.groups(&self.spec.by, table.context.kept.as_deref())
    }

    /// What the features are ranked with; the frame has the given columns.
    pub(crate) fn column_ranking<'a, F: NamedColumns, K>(
        &'a self,
        table: &'a Table,
        groups: &'a RowGroups<K>,
        frame: &F,
    ) -> Result<ColumnRanking<'a>> {
        let (spec, kinds) = (self.spec, self.request.kinds());
        let groups = Groups { of: &groups.of, count: groups.count };
        let groups = (!spec.by.is_empty()).then_some(groups);
        if spec.cuts == Cuts::Mdl {
            check_classes(table)?;
        }
        let given = given(frame, &self.request)?;
        ColumnRanking::new(table, &self.names(), &given, kinds, groups, spec)
    }

    /// The ranking of the gains of all rated features.
    pub(crate) fn ranking<K>(
        self,
        target: &Target,
        groups: RowGroups<K>,
        mut gains: Vec<Vec<FeatureGain>>,
    ) -> Ranking<K> {
        set_q_values(&mut gains);
        let RankOutline { spec, features, .. } = self;
        let per_group = 0..features.len() as u32;
        let mut lines: Vec<u32> = (0..groups.count).flat_map(|_| per_group.clone()).collect();
        for (group, lines) in lines.chunks_mut(features.len()).enumerate() {
            let key = |&feature: &u32| {
                let gain = &gains[feature as usize][group];
                gain.given.as_ref().map_or_else(|| sort_key(gain, spec.sort_by), |g| g.gain_given)
            };
            // The sort is stable: ties stay in column order.
            lines[..gains.len()].sort_by(|a, b| key(b).total_cmp(&key(a)));
        }
        let classes = target.class_texts();
        let goes_by_ratio = spec.sort_by == SortBy::GainRatio && !classes.is_empty();
        let mean_gains = match goes_by_ratio && spec.given.is_empty() {
            true => lines
                .chunks(features.len())
                .enumerate()
                .map(|(group, lines)| MeanGain::of(&features, &gains, group, &lines[..gains.len()]))
                .collect(),
            false => Vec::new(),
        };
        let choice = ColumnChoice::of(spec, classes.is_empty());
        let (keys, log_base) = (groups.keys, spec.log_base);
        Ranking { keys, features, gains, lines, mean_gains, classes, choice, log_base }
    }
}

impl MeanGain {
    fn of(
        features: &[RankingFeature],
        gains: &[Vec<FeatureGain>],
        group: usize,
        lines: &[u32],
    ) -> MeanGain {
        let gain = |feature: u32| &gains[feature as usize][group];
        let has_few_levels = |&feature: &u32| {
            let (kind, gain) = (features[feature as usize].kind, gain(feature));
            kind.is_none_or(|kind| !has_many_levels(kind, gain.n_levels, gain.n))
        };
        let mut counted: Vec<u32> = lines.iter().copied().filter(has_few_levels).collect();
        if counted.is_empty() {
            counted = lines.to_vec();
        }
        let sum: f64 = counted.iter().map(|&feature| gain(feature).gain()).sum();
        let gain_of_all = sum / counted.len() as f64;
        let last = lines.iter().rposition(|&line| !is_below(gain(line).gain(), gain_of_all));
        MeanGain { gain: gain_of_all, lines_above: last.unwrap_or(0) }
    }
}

/// The columns that are known already.
fn given<F: NamedColumns>(frame: &F, request: &Request) -> Result<Vec<F::Column>> {
    let mut seen = HashSet::new();
    for name in &request.given {
        let role = match name {
            name if *name == request.target => "the target",
            name if Some(name) == request.weight.as_ref() => "the weight",
            name if request.by.contains(name) => "a group's column, and the same in all its rows",
            name if !seen.insert(name) => "named twice",
            _ => continue,
        };
        return Err(Error::spec(format!("given column `{name}` is {role}: leave it out")));
    }
    let columns = request.given.iter();
    columns.map(|name| find(frame, "given column", name)?.usable("given column")).collect()
}

/// What the gain of a feature is of: of its best cut, or of more branches.
fn split_of(kind: Kind, cuts: Cuts) -> &'static str {
    match (kind, cuts) {
        (Kind::Nominal, _) => "levels",
        (Kind::Ordered, Cuts::Best) => "cut",
        (Kind::Ordered, Cuts::Mdl) => "intervals",
    }
}

/// What the ranking is sorted by; a numeric target has one measure only.
fn sort_key(gain: &FeatureGain, by: SortBy) -> f64 {
    match (&gain.measures, by) {
        (Measures::Numbers(m), _) => m.variance_reduction,
        (Measures::Classes(m), SortBy::InfoGain) => m.info_gain,
        (Measures::Classes(m), SortBy::GainRatio) => m.gain_ratio,
        (Measures::Classes(m), SortBy::GiniGain) => m.gini_gain,
        (Measures::Classes(m), SortBy::SymmetricUncertainty) => m.symmetric_uncertainty,
        (Measures::Classes(_), SortBy::InformationValue) => {
            gain.information_value.unwrap_or_default()
        }
    }
}
