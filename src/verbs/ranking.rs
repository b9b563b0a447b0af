//! The table of `rank_gain`.

use std::borrow::Cow;

use super::frame::NamedColumns;
use super::notes::below_mean;
use super::sign_notes::{is_id_or_leak, rank_notes};
use super::table::{ResultColumn, ResultValue};
use crate::data::dtype::{DType, Kind};
use crate::error::Result;
use crate::rank::{ChanceFigures, ClassMeasures, FeatureGain, Measures, NumberMeasures};
use crate::spec::{LogBase, RankSpec, SortBy};

/// How a column of the ranking is computed from its lines.
enum RankColumn {
    /// The position in the group, from 1 up.
    Rank,
    Text(for<'a> fn(RankLine<'a>) -> Option<Cow<'a, str>>),
    Count(fn(&FeatureGain) -> u64),
    MissingGain,
    RuleGain,
    Threshold,
    /// In rankings for a target of classes.
    ClassMeasure(fn(&ClassMeasures) -> f64),
    ClassText(fn(&ClassMeasures) -> &str),
    /// In rankings for a numeric target.
    NumberMeasure(fn(&NumberMeasures) -> f64),
    /// In rankings that go by it.
    InformationValue,
    /// In rankings beside chance.
    OfChance(fn(&ChanceFigures) -> f64),
    /// In rankings beside given columns.
    GainGiven,
    RuleGiven,
}

use RankColumn::{
    ClassMeasure, ClassText, Count, GainGiven, InformationValue, MissingGain, NumberMeasure,
    OfChance, Rank, RuleGain, RuleGiven, Text, Threshold,
};

/// The columns of a ranking, after those of the groups.
const RANK_COLUMNS: [(&str, RankColumn); 36] = [
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
    ("information_value", InformationValue),
    ("missing_gain", MissingGain),
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

/// Which columns the ranking has.
#[derive(Clone, Copy)]
pub(super) struct ColumnChoice {
    full: bool,
    of_numbers: bool,
    chance: bool,
    given: bool,
    iv: bool,
    goes_by: &'static str,
}

/// The figures of the short table, but for the one that it goes by.
const GAINS: [&str; 4] = ["info_gain", "gain_ratio", "gini_gain", "variance_reduction"];
const OF_CHANCE: [&str; 4] = ["expected_gain", "adjusted_gain", "p_value", "q_value"];

impl ColumnChoice {
    pub(super) fn of(spec: &RankSpec, of_numbers: bool) -> ColumnChoice {
        let (chance, given) = (spec.chance.is_some(), !spec.given.is_empty());
        let goes_by = spec.goes_by(of_numbers);
        let iv = spec.sort_by == SortBy::InformationValue;
        ColumnChoice { full: spec.full, of_numbers, chance, given, iv, goes_by }
    }

    /// The columns in order.
    fn columns(self) -> impl Iterator<Item = &'static (&'static str, RankColumn)> {
        let columns = match self.full {
            true => RANK_COLUMNS.iter().collect(),
            false => self.short(),
        };
        columns.into_iter().filter(move |(_, column)| match column {
            Rank | Text(_) | Count(_) | MissingGain | RuleGain | Threshold => true,
            ClassMeasure(_) | ClassText(_) => !self.of_numbers,
            NumberMeasure(_) => self.of_numbers,
            InformationValue => self.iv,
            OfChance(_) => self.chance,
            GainGiven | RuleGiven => self.given,
        })
    }

    /// Polars prints the first four and the last four columns of a wide table: the figure that the
    /// table goes by stands beside the feature, and counts in the middle.
    fn short(self) -> Vec<&'static (&'static str, RankColumn)> {
        let mut names = vec!["rank", "feature", self.goes_by, "kind", "n_missing"];
        names.extend(GAINS.into_iter().filter(|gain| *gain != self.goes_by));
        names.extend(OF_CHANCE);
        names.extend(["rule_given", "rule"]);
        if self.goes_by == "gini_gain" {
            names.push("gini_rule");
        }
        names.push("note");
        let column = |name| RANK_COLUMNS.iter().find(|(known, _)| *known == name);
        names.into_iter().filter_map(column).collect()
    }
}

/// Whether a ranking of classes has a column of its own of this name.
pub(super) fn is_column_of_ranking(name: &str, spec: &RankSpec) -> bool {
    ColumnChoice::of(spec, false).columns().any(|(known, _)| name == *known)
}

/// A ranking, group after group. Its table is made column by column, as it may be much larger than
/// the frame: of many groups each has a line for every feature.
pub(crate) struct Ranking<K> {
    pub(crate) keys: K,
    /// The rated ones first.
    pub(super) features: Vec<RankingFeature>,
    /// Of each rated feature, by group.
    pub(super) gains: Vec<Vec<FeatureGain>>,
    /// The feature of each line.
    pub(super) lines: Vec<u32>,
    /// Of each group, if the ranking goes by the gain ratio.
    pub(super) mean_gains: Vec<MeanGain>,
    /// The target's classes as text; none of a numeric target.
    pub(super) classes: Vec<String>,
    pub(super) choice: ColumnChoice,
    pub(super) log_base: LogBase,
}

/// The mean gain of a group's features, as C4.5 takes it: without those of many levels, unless all are.
pub(super) struct MeanGain {
    pub(super) gain: f64,
    /// So many lines stand above the last feature whose gain is not below.
    pub(super) lines_above: usize,
}

/// A feature that was rated, or one that cannot be.
pub(super) struct RankingFeature {
    pub(super) name: String,
    pub(super) dtype: String,
    /// The dtype of its cuts, its kind and what its gain is of, if it is rated.
    pub(super) values: Option<DType>,
    pub(super) kind: Option<Kind>,
    pub(super) split: Option<&'static str>,
    /// Why it is not rated.
    pub(super) reason: Option<String>,
}

/// One line of a ranking.
#[derive(Clone, Copy)]
struct RankLine<'a> {
    feature: &'a RankingFeature,
    gain: Option<&'a FeatureGain>,
    /// If features of at least so much stand below.
    mean_gain: Option<f64>,
    /// How many lines at the top of the group are ids or leaks; 0 but for its first line.
    n_leading: usize,
    classes: &'a [String],
    log_base: LogBase,
    /// Whether a column of its own says why a feature is not rated.
    has_reason: bool,
}

impl<K> Ranking<K> {
    /// The group of each line.
    fn groups(&self) -> Vec<u32> {
        (0..self.lines.len()).map(|line| (line / self.features.len()) as u32).collect()
    }

    /// The lines at the top of a group that are ids or leaks.
    fn n_leading(&self, group: usize) -> usize {
        let lines = &self.lines[group * self.features.len()..][..self.gains.len()];
        let is_id_or_leak = |&&feature: &&u32| {
            let (feature, gain) =
                (&self.features[feature as usize], &self.gains[feature as usize][group]);
            feature.kind.is_some_and(|kind| is_id_or_leak(gain, kind, self.log_base))
        };
        lines.iter().take_while(is_id_or_leak).count()
    }

    /// The table, whose first columns are the keys of the groups.
    pub(crate) fn table<F: NamedColumns<Keys = K>>(&self) -> Result<F::Table> {
        F::table_of_groups(&self.keys, &self.groups(), self.columns())
    }

    /// The columns of the table, after the keys of the groups.
    fn columns(&self) -> impl Iterator<Item = (&str, ResultColumn<'_>)> {
        self.choice.columns().map(|(name, column)| (*name, self.column(column)))
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
            let mean_gain = self.mean_gains.get(line / per_group);
            let mean_gain = mean_gain.filter(|mean| line % per_group < mean.lines_above);
            let mean_gain = mean_gain.map(|mean| mean.gain);
            let (classes, log_base) = (&self.classes[..], self.log_base);
            let (feature, has_reason) = (&self.features[feature], self.choice.full);
            let is_first = line % per_group == 0;
            let n_leading = if is_first { self.n_leading(line / per_group) } else { 0 };
            RankLine { feature, gain, mean_gain, n_leading, classes, log_base, has_reason }
        });
        match column {
            Rank => u32::column(all.map(|line| (line % per_group) as u32 + 1)),
            Text(get) => values(lines, get),
            Count(get) => values(lines, |l| l.gain.map(get)),
            MissingGain => values(lines, |l| Some(l.gain?.missing_gain)),
            RuleGain => values(lines, |l| l.gain?.rule_gain),
            Threshold => values(lines, RankLine::threshold),
            ClassMeasure(get) => values(lines, |l| l.classes().map(get)),
            ClassText(get) => values(lines, |l| Some(Cow::from(get(l.classes()?)))),
            NumberMeasure(get) => values(lines, |l| l.numbers().map(get)),
            InformationValue => values(lines, |l| l.gain?.information_value),
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
        let RankingFeature { kind, reason, .. } = self.feature;
        if reason.is_some() {
            return reason.clone().filter(|_| !self.has_reason);
        }
        let mut notes = rank_notes(self.gain?, (*kind)?, self.classes, self.log_base, 0.0);
        notes.extend(self.mean_gain.and_then(|mean| below_mean(self.gain?, mean)));
        if self.n_leading > 1 {
            notes.push(format!("the first {} lines are ids or leaks", self.n_leading));
        }
        (!notes.is_empty()).then(|| notes.join("; "))
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
