//! The table of `rank_gain`, for columns of either face.

use super::request::{NamedColumns, Offer, find};
use super::tables::ResultTable;
use crate::data::column_data::Source;
use crate::data::dtype::{DType, Kind, Value};
use crate::encode::table::Table;
use crate::error::{Error, Result};
use crate::rank::mdl_cuts::check_classes;
use crate::rank::{ClassMeasures, FeatureGain, Groups, Measures, NumberMeasures, rank_in_turn};
use crate::spec::{Cuts, RankSpec, SortBy};

/// How a column of the ranking is computed from its lines.
enum RankColumn {
    /// The place in the group, from 1 up.
    Rank,
    Text(fn(&RankLine) -> Option<String>),
    Count(fn(&FeatureGain) -> u64),
    Threshold,
    /// In rankings for a target of classes.
    ClassMeasure(fn(&ClassMeasures) -> f64),
    ClassText(fn(&ClassMeasures) -> String),
    /// In rankings for a numeric target.
    NumberMeasure(fn(&NumberMeasures) -> f64),
}

use RankColumn::{ClassMeasure, ClassText, Count, NumberMeasure, Rank, Text, Threshold};

/// The columns of a ranking, after those of the groups.
const RANK_COLUMNS: [(&str, RankColumn); 25] = [
    ("rank", Rank),
    ("feature", Text(|l| Some(l.name.to_string()))),
    ("dtype", Text(|l| Some(l.dtype.clone()))),
    ("kind", Text(|l| l.kind.map(|kind| kind.to_string()))),
    ("n", Count(|g| g.n)),
    ("n_missing", Count(|g| g.n_missing)),
    ("n_levels", Count(|g| g.n_levels)),
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
    ("rule", Text(|l| l.gain.map(|(gain, _)| gain.rule.clone()))),
    ("cut", Text(|l| l.cut().map(|(cut, dtype)| dtype.show(cut)))),
    ("threshold", Threshold),
    ("gini_rule", ClassText(|m| m.gini_rule.clone())),
    ("excluded_reason", Text(|l| l.reason.map(str::to_string))),
];

impl RankColumn {
    fn is_in_ranking(&self, of_numbers: bool) -> bool {
        match self {
            Rank | Text(_) | Count(_) | Threshold => true,
            ClassMeasure(_) | ClassText(_) => !of_numbers,
            NumberMeasure(_) => of_numbers,
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

/// A ranking, group after group.
pub(crate) struct Ranking<K> {
    pub(crate) table: ResultTable,
    /// The group of each line.
    pub(crate) groups: Vec<u32>,
    pub(crate) keys: K,
}

/// One line of a ranking: a feature that was rated, or one that cannot be.
struct RankLine<'a> {
    name: &'a str,
    dtype: String,
    kind: Option<Kind>,
    gain: Option<(&'a FeatureGain, &'a DType)>,
    reason: Option<&'a str>,
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
        let is_reserved =
            |(known, column): &(&str, RankColumn)| name == known && column.is_in_ranking(false);
        if RANK_COLUMNS.iter().any(is_reserved) {
            return Err(Error::spec(format!(
                "group column `{name}` has the name of a column of the ranking: rename it"
            )));
        }
    }
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
    let RankSpec { log_base, missing, cuts, .. } = *spec;
    let gains = rank_in_turn(&table, &usable, kinds, of_rows, log_base, missing, cuts)?;

    let mut lines = Vec::new();
    for group in 0..groups.count {
        let mut rated: Vec<(&FeatureGain, &F::Column)> =
            gains.iter().map(|of_groups| &of_groups[group]).zip(&usable).collect();
        // The sort is stable: ties stay in column order.
        rated.sort_by(|a, b| sort_key(b.0, spec.sort_by).total_cmp(&sort_key(a.0, spec.sort_by)));
        lines.extend(rated.into_iter().map(|(gain, column)| RankLine {
            name: column.name(),
            dtype: column.dtype().to_string(),
            kind: Some(kinds.of(column.name(), column.dtype())),
            gain: Some((gain, column.dtype())),
            reason: None,
        }));
        lines.extend(features.iter().filter_map(|f| match f {
            Offer::Usable(_) => None,
            Offer::Excluded { name, dtype, reason } => Some(RankLine {
                name,
                dtype: dtype.clone(),
                kind: None,
                gain: None,
                reason: Some(reason),
            }),
        }));
    }
    let of_numbers = table.target.labels().is_empty();
    Ok(Ranking {
        table: table_of(&lines, features.len(), of_numbers),
        groups: (0..lines.len()).map(|line| (line / features.len()) as u32).collect(),
        keys: groups.keys,
    })
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

/// The table of all groups' lines, `per_group` each.
fn table_of(lines: &[RankLine], per_group: usize, of_numbers: bool) -> ResultTable {
    let columns = RANK_COLUMNS.iter().filter(|(_, column)| column.is_in_ranking(of_numbers));
    columns.fold(ResultTable::default(), |table, (name, column)| match column {
        Rank => table.add(name, (0..lines.len()).map(|i| (i % per_group) as u32 + 1)),
        Text(get) => table.add(name, lines.iter().map(get)),
        Count(get) => table.add(name, lines.iter().map(|l| l.gain.map(|(gain, _)| get(gain)))),
        Threshold => table
            .add(name, lines.iter().map(|l| l.cut().and_then(|(cut, dtype)| dtype.threshold(cut)))),
        ClassMeasure(get) => table.add(name, lines.iter().map(|l| l.classes().map(get))),
        ClassText(get) => table.add(name, lines.iter().map(|l| l.classes().map(get))),
        NumberMeasure(get) => table.add(name, lines.iter().map(|l| l.numbers().map(get))),
    })
}

impl<'a> RankLine<'a> {
    fn cut(&self) -> Option<(&'a Value, &'a DType)> {
        self.gain.and_then(|(gain, dtype)| Some((gain.cut.as_ref()?, dtype)))
    }

    fn classes(&self) -> Option<&'a ClassMeasures> {
        match &self.gain?.0.measures {
            Measures::Classes(measures) => Some(measures),
            Measures::Numbers(_) => None,
        }
    }

    fn numbers(&self) -> Option<&'a NumberMeasures> {
        match &self.gain?.0.measures {
            Measures::Numbers(measures) => Some(measures),
            Measures::Classes(_) => None,
        }
    }
}
