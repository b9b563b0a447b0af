//! The table of `rank_gain`, for columns of either face.

use std::borrow::Cow;
use std::collections::HashSet;

use super::notes::rank_note;
use super::request::{ColumnOrReason, NamedColumns, Request, find};
use super::tables::{ResultColumn, ResultValue};
use crate::data::column_data::Source;
use crate::data::dtype::{DType, Kind};
use crate::encode::table::Table;
use crate::error::{Error, Result};
use crate::rank::mdl_cuts::check_classes;
use crate::rank::{
    ChanceFigures, ClassMeasures, FeatureGain, Groups, Measures, NumberMeasures, rank_by_spec,
};
use crate::spec::{Cuts, LogBase, RankSpec, SortBy};

/// How a column of the ranking is computed from its lines.
enum RankColumn {
    /// The position in the group, from 1 up.
    Rank,
    Text(for<'a> fn(RankLine<'a>) -> Option<Cow<'a, str>>),
    Count(fn(&FeatureGain) -> u64),
    RuleGain,
    Threshold,
    /// In rankings for a target of classes.
    ClassMeasure(fn(&ClassMeasures) -> f64),
    ClassText(fn(&ClassMeasures) -> &str),
    /// In rankings for a numeric target.
    NumberMeasure(fn(&NumberMeasures) -> f64),
    /// In rankings beside chance.
    OfChance(fn(&ChanceFigures) -> f64),
    /// In rankings beside given columns.
    GainGiven,
    RuleGiven,
}

use RankColumn::{
    ClassMeasure, ClassText, Count, GainGiven, NumberMeasure, OfChance, Rank, RuleGain, RuleGiven,
    Text, Threshold,
};

/// The columns of a ranking, after those of the groups.
const RANK_COLUMNS: [(&str, RankColumn); 34] = [
    ("rank", Rank),
    ("feature", Text(|l| Some(l.feature.name.as_str().into()))),
    ("dtype", Text(|l| Some(l.feature.dtype.as_str().into()))),
    ("kind", Text(|l| Some(l.feature.kind?.to_string().into()))),
    ("n", Count(|g| g.n)),
    ("n_missing", Count(|g| g.n_missing)),
    ("n_levels", Count(|g| g.n_levels)),
    ("split", Text(|l| Some(l.feature.split?.into()))),
    ("entropy", ClassMeasure(|m| m.entropy)),
    ("conditional_entropy", ClassMeasure(|m| m.conditional_entropy)),
    ("info_gain", ClassMeasure(|m| m.info_gain)),
    ("split_info", ClassMeasure(|m| m.split_info)),
    ("gain_ratio", ClassMeasure(|m| m.gain_ratio)),
    ("symmetric_uncertainty", ClassMeasure(|m| m.symmetric_uncertainty)),
    ("gini", ClassMeasure(|m| m.gini)),
    ("gini_split", ClassMeasure(|m| m.gini_split)),
    ("gini_gain", ClassMeasure(|m| m.gini_gain)),
    ("gini_multiway", ClassMeasure(|m| m.gini_multiway)),
    ("variance", NumberMeasure(|m| m.variance)),
    ("variance_left_over", NumberMeasure(|m| m.variance_left_over)),
    ("variance_reduction", NumberMeasure(|m| m.variance_reduction)),
    ("gain_given", GainGiven),
    ("rule_given", RuleGiven),
    ("expected_gain", OfChance(|c| c.expected_gain)),
    ("adjusted_gain", OfChance(|c| c.adjusted_gain)),
    ("p_value", OfChance(|c| c.p_value)),
    ("q_value", OfChance(|c| c.q_value)),
    ("rule", Text(|l| Some(l.gain?.rule.as_str().into()))),
    ("rule_gain", RuleGain),
    ("cut", Text(|l| Some(l.cut_text()?.into()))),
    ("threshold", Threshold),
    ("gini_rule", ClassText(|m| m.gini_rule.as_str())),
    ("note", Text(|l| Some(l.note()?.into()))),
    ("excluded_reason", Text(|l| Some(l.feature.reason.as_deref()?.into()))),
];

/// Which columns the ranking has beyond the usual ones.
#[derive(Clone, Copy)]
struct ExtraColumns {
    chance: bool,
    given: bool,
}

impl ExtraColumns {
    fn of(spec: &RankSpec) -> ExtraColumns {
        ExtraColumns { chance: spec.chance.is_some(), given: !spec.given.is_empty() }
    }
}

impl RankColumn {
    fn is_in_ranking(&self, of_numbers: bool, extra: ExtraColumns) -> bool {
        match self {
            Rank | Text(_) | Count(_) | RuleGain | Threshold => true,
            ClassMeasure(_) | ClassText(_) => !of_numbers,
            NumberMeasure(_) => of_numbers,
            OfChance(_) => extra.chance,
            GainGiven | RuleGiven => extra.given,
        }
    }
}

/// Rows in groups, and the groups' keys as a face holds them.
pub(crate) struct RowGroups<K> {
    /// The group of each row that the table keeps.
    pub(crate) of: Vec<u32>,
    pub(crate) count: usize,
    /// Columns of one row per group, in order of the groups.
    pub(crate) keys: K,
}

impl<K> RowGroups<K> {
    /// All rows in one group.
    pub(crate) fn one(keys: K) -> Self {
        RowGroups { of: Vec::new(), count: 1, keys }
    }
}

/// A ranking, group after group. Its table is made column by column, as it may be much larger than
/// the frame: of many groups each has a line for every feature.
pub(crate) struct Ranking<K> {
    pub(crate) keys: K,
    /// The rated ones first.
    features: Vec<RankedFeature>,
    /// Of each rated feature, by group.
    gains: Vec<Vec<FeatureGain>>,
    /// The feature of each line.
    lines: Vec<u32>,
    /// 0 for a numeric target.
    n_classes: usize,
    extra: ExtraColumns,
    log_base: LogBase,
}

/// A feature that was rated, or one that cannot be.
struct RankedFeature {
    name: String,
    dtype: String,
    /// The dtype of its cuts, its kind and what its gain is of, if it is rated.
    values: Option<DType>,
    kind: Option<Kind>,
    split: Option<&'static str>,
    /// Why it is not rated.
    reason: Option<String>,
}

/// One line of a ranking.
#[derive(Clone, Copy)]
struct RankLine<'a> {
    feature: &'a RankedFeature,
    gain: Option<&'a FeatureGain>,
    n_classes: usize,
    log_base: LogBase,
}

/// Ranks the columns of a frame in the current pool.
pub(crate) fn ranking<F: NamedColumns, K>(
    frame: &F,
    target: &str,
    spec: &RankSpec,
    group: impl FnOnce(&Table) -> Result<RowGroups<K>>,
) -> Result<Ranking<K>> {
    let request = spec.request(target);
    let kinds = request.kinds();
    for (i, name) in spec.by.iter().enumerate() {
        find(frame, "group column", name)?;
        if name == target || spec.by[..i].contains(name) {
            return Err(Error::spec(format!(
                "group column `{name}` is the target, or named twice: leave it out"
            )));
        }
        let is_reserved = |(known, column): &(&str, RankColumn)| {
            name == known && column.is_in_ranking(false, ExtraColumns::of(spec))
        };
        if RANK_COLUMNS.iter().any(is_reserved) {
            return Err(Error::spec(format!(
                "group column `{name}` has the name of a column of the ranking: rename it"
            )));
        }
    }
    let given = given(frame, &request)?;
    let features = request.features(frame)?;
    if features.is_empty() {
        return Err(Error::data(format!(
            "no feature to rank beside target `{target}`: name some, or add columns"
        )));
    }
    let usable: Vec<F::Column> =
        features.iter().filter_map(|feature| feature.clone().column()).collect();
    let table = request.table_of_target(frame)?;
    table.target.check()?;
    let groups = group(&table)?;
    let of_rows = (!spec.by.is_empty()).then_some(Groups { of: &groups.of, count: groups.count });
    if spec.cuts == Cuts::Mdl {
        check_classes(&table)?;
    }
    let RankSpec { log_base, cuts, .. } = *spec;
    let gains = rank_by_spec(&table, &usable, &given, kinds, of_rows, spec)?;

    let (mut rated, mut excluded) = (Vec::new(), Vec::new());
    for feature in features {
        match feature {
            ColumnOrReason::Usable(column) => {
                let kind = kinds.of(column.name(), column.dtype());
                rated.push(RankedFeature {
                    name: column.name().to_string(),
                    dtype: column.dtype().to_string(),
                    values: Some(column.dtype().clone()),
                    kind: Some(kind),
                    split: Some(split_of(kind, cuts)),
                    reason: None,
                });
            }
            ColumnOrReason::Excluded { name, dtype, reason } => {
                let reason = Some(reason);
                excluded.push(RankedFeature {
                    name,
                    dtype,
                    values: None,
                    kind: None,
                    split: None,
                    reason,
                });
            }
        }
    }
    rated.append(&mut excluded);
    let per_group = 0..rated.len() as u32;
    let mut lines: Vec<u32> = (0..groups.count).flat_map(|_| per_group.clone()).collect();
    for (group, lines) in lines.chunks_mut(rated.len()).enumerate() {
        let key = |&feature: &u32| {
            let gain = &gains[feature as usize][group];
            gain.given.as_ref().map_or_else(|| sort_key(gain, spec.sort_by), |g| g.gain_given)
        };
        // The sort is stable: ties stay in column order.
        lines[..gains.len()].sort_by(|a, b| key(b).total_cmp(&key(a)));
    }
    let n_classes = table.target.labels().len();
    let extra = ExtraColumns::of(spec);
    Ok(Ranking { keys: groups.keys, features: rated, gains, lines, n_classes, extra, log_base })
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
    }
}

impl<K> Ranking<K> {
    /// The group of each line.
    pub(crate) fn groups(&self) -> Vec<u32> {
        (0..self.lines.len()).map(|line| (line / self.features.len()) as u32).collect()
    }

    /// The columns of the table, after those of the groups.
    pub(crate) fn columns(&self) -> impl Iterator<Item = (&str, ResultColumn<'_>)> {
        let of_numbers = self.n_classes == 0;
        let extra = self.extra;
        let columns = RANK_COLUMNS.iter().filter(move |(_, c)| c.is_in_ranking(of_numbers, extra));
        columns.map(|(name, column)| (*name, self.column(column)))
    }

    fn column(&self, column: &RankColumn) -> ResultColumn<'_> {
        fn values<'a, T: ResultValue<'a>>(
            lines: impl Iterator<Item = RankLine<'a>>,
            value: impl Fn(RankLine<'a>) -> T,
        ) -> ResultColumn<'a> {
            T::column(lines.map(value))
        }
        let (per_group, all) = (self.features.len(), 0..self.lines.len());
        let lines = all.clone().map(|line| {
            let feature = self.lines[line] as usize;
            let gains = self.gains.get(feature);
            let gain = gains.map(|of_groups| &of_groups[line / per_group]);
            let Ranking { n_classes, log_base, .. } = *self;
            RankLine { feature: &self.features[feature], gain, n_classes, log_base }
        });
        match column {
            Rank => u32::column(all.map(|line| (line % per_group) as u32 + 1)),
            Text(get) => values(lines, get),
            Count(get) => values(lines, |l| l.gain.map(get)),
            RuleGain => values(lines, |l| l.gain?.rule_gain),
            Threshold => values(lines, RankLine::threshold),
            ClassMeasure(get) => values(lines, |l| l.classes().map(get)),
            ClassText(get) => values(lines, |l| Some(Cow::from(get(l.classes()?)))),
            NumberMeasure(get) => values(lines, |l| l.numbers().map(get)),
            OfChance(get) => values(lines, |l| l.gain?.chance.as_ref().map(get)),
            GainGiven => values(lines, |l| Some(l.gain?.given.as_ref()?.gain_given)),
            RuleGiven => values(lines, |l| {
                let rule = l.gain?.given.as_ref()?.rule_given.as_str();
                (!rule.is_empty()).then_some(Cow::from(rule))
            }),
        }
    }
}

impl<'a> RankLine<'a> {
    /// The end of the rule `x >= cut`.
    fn cut_text(self) -> Option<&'a str> {
        self.gain?.cut.as_ref()?;
        self.gain?.rule.strip_prefix(self.feature.name.as_str())?.strip_prefix(" >= ")
    }

    fn note(self) -> Option<String> {
        let RankedFeature { kind, values, .. } = self.feature;
        rank_note(self.gain?, (*kind)?, values.as_ref()?, self.n_classes, self.log_base)
    }

    fn threshold(self) -> Option<f64> {
        self.feature.values.as_ref()?.threshold(self.gain?.cut.as_ref()?)
    }

    fn classes(self) -> Option<&'a ClassMeasures> {
        match &self.gain?.measures {
            Measures::Classes(measures) => Some(measures),
            Measures::Numbers(_) => None,
        }
    }

    fn numbers(self) -> Option<&'a NumberMeasures> {
        match &self.gain?.measures {
            Measures::Numbers(measures) => Some(measures),
            Measures::Classes(_) => None,
        }
    }
}
