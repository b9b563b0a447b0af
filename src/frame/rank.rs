//! The ranking of a DataFrame's features.

use polars::prelude::{Column, DataFrame, GroupsIndicator, IdxCa};

use super::input::{Feature, Request, find};
use super::tables::Columns;
use super::{in_pool, polars_error};
use crate::column::Column as Encoded;
use crate::dtype::{Kind, Value};
use crate::error::{Error, Result};
use crate::mdl::check_classes;
use crate::rank::{ClassMeasures, FeatureGain, Groups, Measures, NumberMeasures, rank};
use crate::spec::{Cuts, RankSpec, SortBy};
use crate::table::{Kinds, Table};

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

impl RankSpec {
    pub(super) fn request<'a>(&'a self, target: &'a str) -> Request<'a> {
        Request {
            target,
            features: self.features.as_deref(),
            kinds: Kinds { ordered: &self.ordered, nominal: &self.nominal, task: self.task },
            weight: self.weight.as_deref(),
            by: &self.by,
        }
    }
}

/// One line of a ranking: a feature that was rated, or one that could not be.
struct Line<'a> {
    name: &'a str,
    dtype: String,
    kind: Option<Kind>,
    gain: Option<(&'a FeatureGain, &'a Encoded)>,
    reason: Option<&'a str>,
}

/// Ranks features by what they tell about `target`, best first: `rank u32, feature str, dtype
/// str, kind str, n u64, n_missing u64, n_levels u64, entropy, conditional_entropy, info_gain,
/// split_info, gain_ratio, symmetric_uncertainty, gini, gini_split, gini_gain, gini_multiway
/// f64, rule str, cut str?, threshold f64?, gini_rule str, excluded_reason str?`. With `by`,
/// the same within each group, groups in order of first appearance, their columns first.
///
/// Nominal features are rated by the partition into all their levels; `rule` and `gini_rule`
/// name the best one-vs-rest rules, and the gini columns are of the latter. Ordered features
/// are rated by their cut of highest gain (`rule`, `cut`, `threshold`), the gini columns by
/// that of lowest `gini_split` (`gini_rule`). With [`Cuts::Mdl`] the entropy columns of an
/// ordered feature are of the partition into the intervals between its [`mdl_cuts`](super::mdl_cuts) (missing is
/// an interval of its own under [`RankMissing::OwnLevel`](crate::RankMissing::OwnLevel)), and
/// `rule` and `cut` name the best of the cuts; where none pays for itself the gain is 0 and the
/// rule empty. Entropies are in bits (nats with `log_base`),
/// over the rows whose value is known; gains are scaled by their share. A feature of a dtype
/// that cannot be used is listed last, with its `excluded_reason` and no figures. Of a numeric
/// target `variance, variance_left_over, variance_reduction f64` stand in place of the entropy
/// and gini columns (and `gini_rule`), and order the ranking.
///
/// Sorting a column of many values dominates: `O(n)` passes over n rows a column.
///
/// # Errors
/// A column that is not there, a target with nulls or of one class, bad weights, a `by` column
/// named like one of the table's, or a target of numbers with [`Cuts::Mdl`].
pub fn rank_gain(df: &DataFrame, target: &str, spec: &RankSpec) -> Result<DataFrame> {
    let request = spec.request(target);
    for (i, name) in spec.by.iter().enumerate() {
        find(df, "group column", name)?;
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
    let features = request.features(df)?;
    if features.is_empty() {
        return Err(Error::data(format!(
            "no feature to rank beside target `{target}`: name some, or add columns"
        )));
    }
    let usable: Vec<_> = features
        .iter()
        .filter_map(|f| match f {
            Feature::Usable(column) => Some(column.clone()),
            Feature::Excluded { .. } => None,
        })
        .collect();
    let (table, groups, gains) = in_pool(spec.threads, || {
        let table = request.table(df, &usable)?;
        table.target.check()?;
        let groups = FrameGroups::new(df, spec, &table)?;
        let engine_groups =
            (!spec.by.is_empty()).then_some(Groups { of: &groups.of, count: groups.count });
        if spec.cuts == Cuts::Mdl {
            check_classes(&table)?;
        }
        let gains = rank(&table, engine_groups, spec.log_base, spec.missing, spec.cuts);
        Ok((table, groups, gains))
    })?;

    let mut lines = Vec::new();
    for group in 0..groups.count {
        let mut rated: Vec<(&FeatureGain, &Encoded)> =
            gains.iter().map(|of_groups| &of_groups[group]).zip(&table.columns).collect();
        // The sort is stable: ties stay in column order.
        rated.sort_by(|a, b| figure(b.0, spec.sort_by).total_cmp(&figure(a.0, spec.sort_by)));
        lines.extend(rated.into_iter().map(|(gain, column)| Line {
            name: column.name(),
            dtype: column.dtype().to_string(),
            kind: Some(column.kind()),
            gain: Some((gain, column)),
            reason: None,
        }));
        lines.extend(features.iter().filter_map(|f| match f {
            Feature::Usable(_) => None,
            Feature::Excluded { name, dtype, reason } => Some(Line {
                name,
                dtype: dtype.clone(),
                kind: None,
                gain: None,
                reason: Some(reason),
            }),
        }));
    }
    let mut columns = groups.repeated(features.len())?;
    let of_numbers = table.target.labels().is_empty();
    ranking(&mut columns, &lines, features.len(), of_numbers).frame()
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

/// The groups of the rows the table kept.
struct FrameGroups {
    of: Vec<u32>,
    count: usize,
    /// The groups' columns, a row a group.
    keys: Vec<Column>,
}

impl FrameGroups {
    fn new(df: &DataFrame, spec: &RankSpec, table: &Table) -> Result<FrameGroups> {
        if spec.by.is_empty() {
            return Ok(FrameGroups { of: Vec::new(), count: 1, keys: Vec::new() });
        }
        let mut keys = df.select(spec.by.iter().map(String::as_str)).map_err(polars_error)?;
        if let Some(kept) = &table.kept {
            keys = keys.take(&IdxCa::from_vec("".into(), kept.clone())).map_err(polars_error)?;
        }
        let grouped =
            keys.group_by_stable(spec.by.iter().map(String::as_str)).map_err(polars_error)?;
        let mut of = vec![0; keys.height()];
        let mut count = 0;
        for (group, rows) in grouped.get_groups().iter().enumerate() {
            count = group + 1;
            let mut put = |row: u32| of[row as usize] = group as u32;
            match rows {
                GroupsIndicator::Idx((_, rows)) => rows.iter().for_each(|&row| put(row)),
                GroupsIndicator::Slice([start, len]) => (start..start + len).for_each(put),
            }
        }
        let keys = grouped.keys();
        Ok(FrameGroups { of, count, keys })
    }

    /// Each group's key on each of its lines.
    fn repeated(&self, lines: usize) -> Result<Columns> {
        let rows: Vec<u32> =
            (0..self.count as u32).flat_map(|group| std::iter::repeat_n(group, lines)).collect();
        let rows = IdxCa::from_vec("".into(), rows);
        let mut columns = Columns::default();
        for key in &self.keys {
            columns.push(key.take(&rows).map_err(polars_error)?);
        }
        Ok(columns)
    }
}

fn ranking<'c>(
    columns: &'c mut Columns,
    lines: &[Line],
    per_group: usize,
    of_numbers: bool,
) -> &'c mut Columns {
    let count = |get: fn(&FeatureGain) -> u64| -> Vec<Option<u64>> {
        lines.iter().map(|l| l.gain.map(|(g, _)| get(g))).collect()
    };
    columns
        .add("rank", (0..lines.len()).map(|i| (i % per_group) as u32 + 1).collect::<Vec<_>>())
        .add("feature", lines.iter().map(|l| l.name).collect::<Vec<_>>())
        .add("dtype", lines.iter().map(|l| l.dtype.as_str()).collect::<Vec<_>>())
        .add("kind", lines.iter().map(|l| l.kind.map(|k| k.to_string())).collect::<Vec<_>>())
        .add("n", count(|g| g.n))
        .add("n_missing", count(|g| g.n_missing))
        .add("n_levels", count(|g| g.n_levels));
    if of_numbers {
        number_figures(columns, lines)
    } else {
        class_figures(columns, lines)
    };

    let cuts: Vec<Option<(&Value, &Encoded)>> =
        lines.iter().map(|l| l.gain.and_then(|(g, c)| Some((g.cut.as_ref()?, c)))).collect();
    columns
        .add("rule", lines.iter().map(|l| l.gain.map(|(g, _)| g.rule.as_str())).collect::<Vec<_>>())
        .add("cut", cuts.iter().map(|c| c.map(|(cut, c)| c.dtype().show(cut))).collect::<Vec<_>>())
        .add(
            "threshold",
            cuts.iter()
                .map(|c| c.and_then(|(cut, c)| c.dtype().threshold(cut)))
                .collect::<Vec<_>>(),
        );
    if !of_numbers {
        let rule = |l: &Line| l.classes().map(|m| m.gini_rule.clone());
        columns.add("gini_rule", lines.iter().map(rule).collect::<Vec<_>>());
    }
    columns.add("excluded_reason", lines.iter().map(|l| l.reason).collect::<Vec<Option<&str>>>())
}

impl Line<'_> {
    fn classes(&self) -> Option<&ClassMeasures> {
        match self.gain {
            Some((FeatureGain { measures: Measures::Classes(m), .. }, _)) => Some(m),
            _ => None,
        }
    }

    fn numbers(&self) -> Option<&NumberMeasures> {
        match self.gain {
            Some((FeatureGain { measures: Measures::Numbers(m), .. }, _)) => Some(m),
            _ => None,
        }
    }
}

fn class_figures(columns: &mut Columns, lines: &[Line]) {
    let figure = |get: fn(&ClassMeasures) -> f64| -> Vec<Option<f64>> {
        lines.iter().map(|l| l.classes().map(get)).collect()
    };
    columns
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

fn number_figures(columns: &mut Columns, lines: &[Line]) {
    let figure = |get: fn(&NumberMeasures) -> f64| -> Vec<Option<f64>> {
        lines.iter().map(|l| l.numbers().map(get)).collect()
    };
    columns
        .add("variance", figure(|m| m.variance))
        .add("variance_left_over", figure(|m| m.variance_left_over))
        .add("variance_reduction", figure(|m| m.variance_reduction));
}
