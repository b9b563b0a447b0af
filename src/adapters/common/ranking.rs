//! The ranking as a table: what `rank_gain` answers, whoever holds the columns.

use super::request::{NamedColumns, Offer, find};
use super::tables::ResultTable;
use crate::data::column_data::Source;
use crate::data::dtype::{DType, Kind, Value};
use crate::encode::table::Table;
use crate::error::{Error, Result};
use crate::rank::mdl_cuts::check_classes;
use crate::rank::{ClassMeasures, FeatureGain, Groups, Measures, NumberMeasures, rank_in_turn};
use crate::spec::{Cuts, RankSpec, SortBy};

/// The columns of a ranking, beside the groups'.
const RANK_COLUMNS: [&str; 22] = [
    "rank",
    "feature",
    "dtype",
    "kind",
    "n",
    "n_missing",
    "n_levels",
    "entropy",
    "conditional_entropy",
    "info_gain",
    "split_info",
    "gain_ratio",
    "symmetric_uncertainty",
    "gini",
    "gini_split",
    "gini_gain",
    "gini_multiway",
    "rule",
    "cut",
    "threshold",
    "gini_rule",
    "excluded_reason",
];

/// Rows put into groups, by an adapter that knows the groups' keys.
pub(crate) struct RowGroups<K> {
    /// The group of each row the table kept.
    pub(crate) of: Vec<u32>,
    pub(crate) count: usize,
    /// Columns of a row a group, in order of the groups.
    pub(crate) keys: K,
}

impl<K> RowGroups<K> {
    /// All rows in one.
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

/// One line of a ranking: a feature that was rated, or one that could not be.
struct Line<'a> {
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
    for (i, name) in spec.by.iter().enumerate() {
        find(frame, "group column", name)?;
        if name == target || spec.by[..i].contains(name) {
            return Err(Error::spec(format!(
                "group column `{name}` is the target, or named twice: leave it out"
            )));
        }
        if RANK_COLUMNS.contains(&name.as_str()) {
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
    let usable: Vec<F::Column> = features
        .iter()
        .filter_map(|f| match f {
            Offer::Usable(column) => Some(column.clone()),
            Offer::Excluded { .. } => None,
        })
        .collect();
    let table = request.table_of_target(frame)?;
    table.target.check()?;
    let groups = group(&table)?;
    let of_rows = (!spec.by.is_empty()).then_some(Groups { of: &groups.of, count: groups.count });
    if spec.cuts == Cuts::Mdl {
        check_classes(&table)?;
    }
    let RankSpec { log_base, missing, cuts, .. } = *spec;
    let gains = rank_in_turn(&table, &usable, request.kinds, of_rows, log_base, missing, cuts)?;

    let mut lines = Vec::new();
    for group in 0..groups.count {
        let mut rated: Vec<(&FeatureGain, &F::Column)> =
            gains.iter().map(|of_groups| &of_groups[group]).zip(&usable).collect();
        // The sort is stable: ties stay in column order.
        rated.sort_by(|a, b| figure(b.0, spec.sort_by).total_cmp(&figure(a.0, spec.sort_by)));
        lines.extend(rated.into_iter().map(|(gain, column)| Line {
            name: column.name(),
            dtype: column.dtype().to_string(),
            kind: Some(request.kinds.of(column.name(), column.dtype())),
            gain: Some((gain, column.dtype())),
            reason: None,
        }));
        lines.extend(features.iter().filter_map(|f| match f {
            Offer::Usable(_) => None,
            Offer::Excluded { name, dtype, reason } => Some(Line {
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

/// The figure to sort by; numbers have one only.
fn figure(gain: &FeatureGain, by: SortBy) -> f64 {
    match (&gain.measures, by) {
        (Measures::Numbers(m), _) => m.variance_reduction,
        (Measures::Classes(m), SortBy::InfoGain) => m.info_gain,
        (Measures::Classes(m), SortBy::GainRatio) => m.gain_ratio,
        (Measures::Classes(m), SortBy::GiniGain) => m.gini_gain,
        (Measures::Classes(m), SortBy::SymmetricUncertainty) => m.symmetric_uncertainty,
    }
}

fn table_of(lines: &[Line], per_group: usize, of_numbers: bool) -> ResultTable {
    let text = |get: &dyn Fn(&Line) -> Option<String>| lines.iter().map(get).collect::<Vec<_>>();
    let count = |get: fn(&FeatureGain) -> u64| -> Vec<Option<u64>> {
        lines.iter().map(|l| l.gain.map(|(g, _)| get(g))).collect()
    };
    let mut table = ResultTable::default();
    table
        .add("rank", (0..lines.len()).map(|i| (i % per_group) as u32 + 1).collect::<Vec<_>>())
        .add("feature", text(&|l| Some(l.name.to_string())))
        .add("dtype", text(&|l| Some(l.dtype.clone())))
        .add("kind", text(&|l| l.kind.map(|k| k.to_string())))
        .add("n", count(|g| g.n))
        .add("n_missing", count(|g| g.n_missing))
        .add("n_levels", count(|g| g.n_levels));
    if of_numbers {
        number_figures(&mut table, lines);
    } else {
        class_figures(&mut table, lines);
    }
    table
        .add("rule", text(&|l| l.gain.map(|(g, _)| g.rule.clone())))
        .add("cut", text(&|l| l.cut().map(|(cut, dtype)| dtype.show(cut))))
        .add(
            "threshold",
            lines
                .iter()
                .map(|l| l.cut().and_then(|(cut, dtype)| dtype.threshold(cut)))
                .collect::<Vec<_>>(),
        );
    if !of_numbers {
        table.add("gini_rule", text(&|l| l.classes().map(|m| m.gini_rule.clone())));
    }
    table.add("excluded_reason", text(&|l| l.reason.map(str::to_string)));
    table
}

impl<'a> Line<'a> {
    fn cut(&self) -> Option<(&'a Value, &'a DType)> {
        self.gain.and_then(|(gain, dtype)| Some((gain.cut.as_ref()?, dtype)))
    }

    fn classes(&self) -> Option<&'a ClassMeasures> {
        match self.gain {
            Some((FeatureGain { measures: Measures::Classes(m), .. }, _)) => Some(m),
            _ => None,
        }
    }

    fn numbers(&self) -> Option<&'a NumberMeasures> {
        match self.gain {
            Some((FeatureGain { measures: Measures::Numbers(m), .. }, _)) => Some(m),
            _ => None,
        }
    }
}

fn class_figures(table: &mut ResultTable, lines: &[Line]) {
    let figure = |get: fn(&ClassMeasures) -> f64| -> Vec<Option<f64>> {
        lines.iter().map(|l| l.classes().map(get)).collect()
    };
    table
        .add("entropy", figure(|m| m.entropy))
        .add("conditional_entropy", figure(|m| m.conditional_entropy))
        .add("info_gain", figure(|m| m.info_gain))
        .add("split_info", figure(|m| m.split_info))
        .add("gain_ratio", figure(|m| m.gain_ratio))
        .add("symmetric_uncertainty", figure(|m| m.symmetric_uncertainty))
        .add("gini", figure(|m| m.gini))
        .add("gini_split", figure(|m| m.gini_split))
        .add("gini_gain", figure(|m| m.gini_gain))
        .add("gini_multiway", figure(|m| m.gini_multiway));
}

fn number_figures(table: &mut ResultTable, lines: &[Line]) {
    let figure = |get: fn(&NumberMeasures) -> f64| -> Vec<Option<f64>> {
        lines.iter().map(|l| l.numbers().map(get)).collect()
    };
    table
        .add("variance", figure(|m| m.variance))
        .add("variance_left_over", figure(|m| m.variance_left_over))
        .add("variance_reduction", figure(|m| m.variance_reduction));
}
