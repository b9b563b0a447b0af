//! Ranking and candidate tables of a DataFrame.

use polars::prelude::{
    Column, DataFrame, DataType, GroupsIndicator, IdxCa, Int128Chunked, IntoSeries, NamedFrom,
    Series, UInt128Chunked,
};

use super::input::{Feature, Request, all_usable, find};
use super::tables::Columns;
use super::{in_pool, polars_error};
use crate::column::Column as Encoded;
use crate::curve::{ClassSplit, NumberSplit, SplitCandidate, SplitMeasures, curve};
use crate::dtype::{DType, Kind, Value};
use crate::error::{Error, Result};
use crate::mdl::{check_classes, mdl_cuts_of};
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
    fn request<'a>(&'a self, target: &'a str) -> Request<'a> {
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
/// ordered feature are of the partition into the intervals between its [`mdl_cuts`] (missing is
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

/// Every candidate two-way rule on one feature, in level order: `rule str, threshold` (in the
/// feature's own dtype) `or level str, n_level u64, n_left u64, n_right u64,
/// share_left_<class>, share_right_<class>, entropy_left, entropy_right, info_gain, gain_ratio,
/// gini_split, gini_gain f64, skippable bool`; of a numeric target `mean_left, mean_right,
/// variance_reduction f64` in place of the shares, entropies and gains.
///
/// It is the gain curve of an ordered feature and the one-vs-rest table of a nominal one, over
/// the rows whose value is known, gains scaled by their share. `n_level` counts the level just
/// below the cut, or the level itself. `skippable` marks cuts between two levels of one and
/// the same class, which growth need not look at. Of the spec, `by`, `features`, `missing`,
/// `cuts` and `sort_by` say nothing here.
///
/// # Errors
/// As [`rank_gain`], and a feature whose dtype cannot be used.
pub fn split_candidates(
    df: &DataFrame,
    target: &str,
    feature: &str,
    spec: &RankSpec,
) -> Result<DataFrame> {
    let (table, candidates) = in_pool(spec.threads, || {
        let table = table_of_one(df, target, feature, spec)?;
        let candidates = curve(&table, spec.log_base);
        Ok((table, candidates))
    })?;

    let column = &table.columns[0];
    let mut columns = Columns::default();
    columns.add("rule", candidates.iter().map(|c| c.rule.as_str()).collect::<Vec<_>>());
    let values = candidates.iter().map(|c| &c.at);
    match column.kind() {
        Kind::Ordered => {
            let dtype = find(df, "feature", feature)?.dtype();
            columns.push(cuts_as(dtype, "threshold", column, values)?)
        }
        Kind::Nominal => columns.add(
            "level",
            values
                .map(|v| if let Value::Text(level) = v { level.as_str() } else { "" })
                .collect::<Vec<_>>(),
        ),
    };
    columns
        .add("n_level", candidates.iter().map(|c| c.n_level).collect::<Vec<_>>())
        .add("n_left", candidates.iter().map(|c| c.n_left).collect::<Vec<_>>())
        .add("n_right", candidates.iter().map(|c| c.n_right).collect::<Vec<_>>());
    measures(&mut columns, &candidates, &table);
    columns.add("skippable", candidates.iter().map(|c| c.skippable).collect::<Vec<_>>()).frame()
}

/// The table of one feature.
pub(super) fn table_of_one(
    df: &DataFrame,
    target: &str,
    feature: &str,
    spec: &RankSpec,
) -> Result<Table> {
    let chosen = [feature.to_string()];
    let named = |list: &[String]| -> Vec<String> {
        list.iter().filter(|name| *name == feature).cloned().collect()
    };
    let (ordered, nominal) = (named(&spec.ordered), named(&spec.nominal));
    let request = Request {
        features: Some(&chosen),
        kinds: Kinds { ordered: &ordered, nominal: &nominal, task: spec.task },
        by: &[],
        ..spec.request(target)
    };
    let usable = all_usable(request.features(df)?, target)?;
    let table = request.table(df, &usable)?;
    table.target.check()?;
    Ok(table)
}

/// The cuts of an ordered feature that pay for themselves by the minimum description length,
/// ascending: `cut` (in the feature's own dtype)`, rule str, n u64, info_gain f64`; no line
/// where none does.
///
/// This is the recursive entropy discretisation of Fayyad & Irani (1993) over the rows whose
/// value is known: a cut splits one interval in two, `n` are the rows of that interval, and
/// `info_gain` is the gain within it, in bits (nats with `log_base`, which changes no cut). Of
/// boundaries that gain the same the lower one is the cut. With a weight column N is the rows'
/// weight. The gain and ratio of all the intervals together are [`rank_gain`]'s with
/// [`Cuts::Mdl`]; [`ExprGain::mdl_cut`](crate::ExprGain::mdl_cut) puts rows in their intervals.
/// Of the spec, `by`, `features`, `missing`, `cuts` and `sort_by` say nothing here.
///
/// ```
/// # use gaintree::prelude::*;
/// # use polars::prelude::*;
/// let df = df!["price" => [1, 2, 3, 4, 10, 11, 12, 13], "churn" => ["n", "n", "n", "n", "y", "y", "y", "y"]]?;
/// let cuts = df.mdl_cuts("churn", "price", &RankSpec::default())?;
/// assert_eq!(cuts.column("rule")?.str()?.get(0), Some("price >= 7"));
/// assert_eq!(cuts.height(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`rank_gain`], a nominal feature, one whose dtype cannot be used, and a target of numbers.
pub fn mdl_cuts(df: &DataFrame, target: &str, feature: &str, spec: &RankSpec) -> Result<DataFrame> {
    let (table, cuts) = in_pool(spec.threads, || {
        let table = table_of_one(df, target, feature, spec)?;
        let cuts = mdl_cuts_of(&table, spec.log_base)?;
        Ok((table, cuts))
    })?;
    let dtype = find(df, "feature", feature)?.dtype();
    let mut columns = Columns::default();
    columns
        .push(cuts_as(dtype, "cut", &table.columns[0], cuts.iter().map(|c| &c.cut))?)
        .add("rule", cuts.iter().map(|c| c.rule.as_str()).collect::<Vec<_>>())
        .add("n", cuts.iter().map(|c| c.n).collect::<Vec<_>>())
        .add("info_gain", cuts.iter().map(|c| c.info_gain).collect::<Vec<_>>())
        .frame()
}

fn measures(columns: &mut Columns, candidates: &[SplitCandidate], table: &Table) {
    let classes: Vec<&ClassSplit> = candidates
        .iter()
        .filter_map(|c| match &c.measures {
            SplitMeasures::Classes(split) => Some(split),
            SplitMeasures::Numbers(_) => None,
        })
        .collect();
    let numbers: Vec<&NumberSplit> = candidates
        .iter()
        .filter_map(|c| match &c.measures {
            SplitMeasures::Numbers(split) => Some(split),
            SplitMeasures::Classes(_) => None,
        })
        .collect();
    let target = &table.target;
    if target.labels().is_empty() {
        let figure =
            |get: fn(&NumberSplit) -> f64| -> Vec<f64> { numbers.iter().map(|m| get(m)).collect() };
        columns
            .add("mean_left", figure(|m| m.mean_left))
            .add("mean_right", figure(|m| m.mean_right))
            .add("variance_reduction", figure(|m| m.variance_reduction));
        return;
    }
    for (class, label) in target.labels().iter().enumerate() {
        let label = target.dtype.show(label);
        let left: Vec<f64> = classes.iter().map(|m| m.share_left[class]).collect();
        let right: Vec<f64> = classes.iter().map(|m| m.share_right[class]).collect();
        columns
            .add(&format!("share_left_{label}"), left)
            .add(&format!("share_right_{label}"), right);
    }
    let figure =
        |get: fn(&ClassSplit) -> f64| -> Vec<f64> { classes.iter().map(|m| get(m)).collect() };
    columns
        .add("entropy_left", figure(|m| m.entropy_left))
        .add("entropy_right", figure(|m| m.entropy_right))
        .add("info_gain", figure(|m| m.info_gain))
        .add("gain_ratio", figure(|m| m.gain_ratio))
        .add("gini_split", figure(|m| m.gini_split))
        .add("gini_gain", figure(|m| m.gini_gain));
}

/// Cuts as a column of the feature's own dtype.
fn cuts_as<'v>(
    dtype: &DataType,
    name: &str,
    column: &Encoded,
    cuts: impl Iterator<Item = &'v Value> + Clone,
) -> Result<Column> {
    let float = |v: &Value| if let Value::Float(x) = v { *x } else { f64::NAN };
    let int = |v: &Value| if let Value::Int(x) = v { *x } else { 0 };
    let unsigned = |v: &Value| if let Value::Unsigned(x) = v { *x } else { 0 };
    let text = |v: &Value| if let Value::Text(x) = v { x.clone() } else { String::new() };
    let ints = || Int128Chunked::from_vec(name.into(), cuts.clone().map(int).collect());
    let (series, via) = match column.dtype() {
        DType::Decimal { precision, scale } => {
            return Ok(ints().into_decimal_unchecked(*precision, *scale).into_series().into());
        }
        DType::Boolean => {
            let truths: Vec<bool> = cuts.map(|v| text(v) == "true").collect();
            (Series::new(name.into(), truths), DataType::Boolean)
        }
        DType::U128 => {
            let cuts = cuts.map(unsigned).collect();
            (UInt128Chunked::from_vec(name.into(), cuts).into_series(), DataType::UInt128)
        }
        d if d.is_float() => {
            (Series::new(name.into(), cuts.map(float).collect::<Vec<_>>()), DataType::Float64)
        }
        d if d.is_text() => {
            (Series::new(name.into(), cuts.map(text).collect::<Vec<_>>()), DataType::String)
        }
        _ => (ints().into_series(), dtype.to_physical()),
    };
    // Dates and times are cast from the integers behind them.
    let cast = series.cast(&via).and_then(|s| s.cast(dtype)).map_err(polars_error)?;
    Ok(cast.into())
}
