//! The report on a tree and a frame: what its page is made of.

use std::collections::{HashMap, HashSet};

use polars::prelude::{DataFrame, DataType};

use crate::adapters::common::evaluate::Labelled;
use crate::adapters::common::notes::rank_notes;
use crate::adapters::common::request::usable;
use crate::adapters::frame::columns::dtypes::dtype_of;
use crate::adapters::frame::columns::frame_column::FrameColumn;
use crate::adapters::frame::in_pool;
use crate::data::column::Column;
use crate::data::column_data::Source;
use crate::data::dtype::Kind;
use crate::data::target::TargetValues;
use crate::encode::table::{Kinds, Table};
use crate::error::{Error, Result};
use crate::fitted::Tree;
use crate::plot::feature::summary::ColumnSummary;
use crate::plot::report::{ColumnNotes, FrameReport, OneRow, Quality, RankedFeature, report};
use crate::plot::selection::{self, Step};
use crate::plot::{Drawing, Palette, feature, figure, heat_map};
use crate::rank::pairs::pair_gains;
use crate::rank::select::select_in_turn;
use crate::rank::{FeatureGain, Measures, rank};
use crate::score::Routes;
use crate::spec::{Cuts, EvalSpec, LogBase, MatrixSpec, RankMissing, SelectSpec};

/// Curves of so many features are drawn.
const CURVES: usize = 6;
/// The pairs of so many features are drawn.
const PAIRED: usize = 12;
/// At most so many features are selected, each of which tells more than chance so often.
const SELECTED: usize = 10;
const ALPHA: f64 = 0.05;

impl Tree {
    /// A page on the tree and a frame that holds its target: the figures that matter, how good
    /// the tree's predictions are (confusion, precision and recall of each class, ROC and
    /// calibration of two; or residuals), the target's distribution, one row's path in words,
    /// the tree to fold and search, what each feature alone tells, importances, the curves of
    /// the six best features, what the twelve best tell about each other, which few features tell most
    /// together, the columns (distribution, extremes, missing shares, and notes on constant ones, ids
    /// and ones that give the target away), and the rules. One HTML file that needs no network; the
    /// same tree and frame give the same bytes.
    ///
    /// Features of the tree that the frame lacks, and that no rule uses, are left out, as is
    /// the tree's weight column where the frame lacks it.
    ///
    /// # Errors
    /// As [`Tree::evaluate`].
    pub fn report(&self, df: &DataFrame) -> Result<String> {
        self.report_page(df, None)
    }

    /// The [`report`](Self::report) on rows with a name, as the file they are from, which heads the page.
    ///
    /// # Errors
    /// As [`Tree::evaluate`].
    pub fn report_of(&self, df: &DataFrame, source: &str) -> Result<String> {
        self.report_page(df, Some(source.to_string()))
    }

    fn report_page(&self, df: &DataFrame, source: Option<String>) -> Result<String> {
        let (quality, routes) = self.quality(df)?;
        let schema = self.schema();
        let known = |name: &str| df.column(name).ok();
        let (Quality::Classes { evaluation, .. } | Quality::Numbers { evaluation, .. }) = &quality;
        let mut remarks: Vec<String> = evaluation.notes().iter().map(|n| sentence(n)).collect();
        let lacking = schema.features.iter().filter(|f| known(&f.name).is_none());
        let lacking: Vec<&str> = lacking.map(|f| f.name.as_str()).collect();
        if !lacking.is_empty() {
            remarks.push(format!("Features that are not in these rows: {}.", lacking.join(", ")));
        }
        let weight = self.spec().weight.as_ref();
        if let Some(name) = weight.filter(|name| known(name).is_none()) {
            remarks.push(format!("The weight {name} is not in these rows: each weighs the same."));
        }
        let mut request = self.request();
        request.retain(|name| known(name).is_some_and(|c| dtype_of(c.dtype()).is_some()));
        request.weight = request.weight.filter(|name| known(name).is_some());
        let features = usable(request.features(df)?)?;
        in_pool(None, || {
            let table = request.table(df, &features)?;
            let mut findings = FrameReport {
                rows: df.height() as u64,
                source,
                ranking: Vec::new(),
                curves: Vec::new(),
                pairs: None,
                selection: None,
                quality,
                row: self.one_row(&table, &routes),
                columns: Vec::new(),
                remarks,
            };
            match table.target.check() {
                Ok(()) => {
                    self.add_columns(&table, &mut findings)?;
                    let base = self.spec().log_base;
                    findings.selection = steps(&table, &features, request.kinds(), base)?;
                }
                Err(e) => findings.remarks.push(format!("Nothing can be ranked: {e}.")),
            }
            Ok(report(self, &findings))
        })
    }

    /// The first row that ended in one node, or else the first, of those that weigh something.
    fn one_row(&self, table: &Table, routes: &Routes) -> Option<OneRow> {
        let given = |row: usize| table.context.kept.as_ref().map_or(row, |kept| kept[row] as usize);
        let mixed: HashSet<usize> = routes.mixtures.iter().map(|(row, _)| row as usize).collect();
        let mut rows = 0..table.n_rows();
        let at = rows.find(|&row| !mixed.contains(&given(row))).unwrap_or(0);
        let actual = match &table.target.values {
            TargetValues::Classes { labels, codes } => {
                table.target.dtype.show(labels.get(usize::from(*codes.get(at)?))?)
            }
            TargetValues::Numbers { numbers, .. } => figure(*numbers.get(at)?, 6),
        };
        let features = self.schema().features.iter();
        let values = (0u32..).zip(features).filter_map(|(id, feature)| {
            let column = table.columns.iter().find(|c| c.name() == feature.name)?;
            let code = column.codes.of(at as u32);
            (code < column.missing_code()).then(|| (id, column.level_text(code)))
        });
        Some(OneRow {
            number: given(at) as u64 + 1,
            leaf: routes.nodes[given(at)],
            in_parts: mixed.contains(&given(at)),
            actual,
            values: values.collect(),
        })
    }

    /// Adds the ranking, the curves and the notes on columns.
    fn add_columns(&self, table: &Table, findings: &mut FrameReport) -> Result<()> {
        let base = self.spec().log_base;
        let classes: HashMap<String, usize> = {
            let n = self.schema().classes.len();
            (0..n).map(|class| (self.schema().class_text(class), class)).collect()
        };
        let labels = table.target.labels().iter();
        let palette = Palette::of_tree(self)
            .reordered(labels.map(|label| classes.get(&table.target.dtype.show(label)).copied()));
        let gains = |cuts| -> Vec<FeatureGain> {
            rank(table, None, base, RankMissing::Known, cuts).into_iter().flatten().collect()
        };
        let best = gains(Cuts::Best);
        let mut order: Vec<usize> = (0..best.len()).collect();
        let figures = |at: usize| match &best[at].measures {
            Measures::Classes(m) => (m.info_gain, Some(m.gain_ratio)),
            Measures::Numbers(m) => (m.variance_reduction, None),
        };
        order.sort_by(|&a, &b| figures(b).0.total_cmp(&figures(a).0));
        for &at in &order {
            let (gain, ratio) = figures(at);
            let feature = table.columns[at].name().to_string();
            let split = match table.columns[at].kind() {
                Kind::Ordered => "best cut".to_string(),
                Kind::Nominal => format!("{} levels", best[at].n_levels),
            };
            findings.ranking.push(RankedFeature {
                feature,
                gain,
                ratio,
                split,
                rule: best[at].rule.clone(),
                rule_gain: best[at].rule_gain.unwrap_or(0.0),
            });
            if gain > 0.0 && findings.curves.len() < CURVES {
                findings.curves.push(feature::drawing_in(
                    &table.with_only(at),
                    base,
                    Some(&palette),
                )?);
            }
        }
        findings.pairs = pairs(table, &order[..order.len().min(PAIRED)], base);
        // All cuts that pay show what a column gives away; of numbers there is the best one.
        let all = if self.is_regression() { best } else { gains(Cuts::Mdl) };
        for (at, (column, gain)) in table.columns.iter().zip(&all).enumerate() {
            findings.columns.push(ColumnNotes {
                name: column.name().to_string(),
                dtype: column.dtype().to_string(),
                kind: column.kind().to_string(),
                n_levels: gain.n_levels,
                n_known: gain.n - gain.n_missing,
                missing: gain.n_missing as f64 / (gain.n.max(1)) as f64,
                summary: ColumnSummary::new(column, &table.target, &palette),
                notes: notes(&table.with_only(at), column, gain, base),
            });
        }
        Ok(())
    }

    fn quality(&self, df: &DataFrame) -> Result<(Quality, Routes)> {
        if df.height() == 0 {
            return Err(Error::data("no rows to report on: pass a frame with rows"));
        }
        in_pool(None, || {
            if !self.is_regression() {
                let Labelled { actual, routes } = self.label_classes(df)?;
                let spec = EvalSpec::default();
                let evaluation = self.prepared().evaluate_classes(&routes, &actual, &spec)?;
                return Ok((Quality::Classes { evaluation }, routes));
            }
            let Labelled { actual, routes } = self.label_numbers(df)?;
            // In the target's own width, as they are shown.
            let predicted = self.predictions("prediction", &routes)?.0;
            let predicted = predicted.cast(&DataType::Float64)?;
            let predicted = predicted.f64()?;
            let evaluation =
                self.prepared().evaluate_numbers(&routes, &actual, &EvalSpec::default())?;
            let mut pairs: Vec<(f64, f64)> =
                actual.into_iter().zip(predicted.into_no_null_iter()).collect();
            pairs.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.total_cmp(&b.0)));
            Ok((Quality::Numbers { evaluation, pairs }, routes))
        })
    }
}

/// What some features tell about each other.
fn pairs(table: &Table, features: &[usize], base: LogBase) -> Option<Drawing> {
    let columns: Vec<&Column> = features.iter().map(|&at| &table.columns[at]).collect();
    let of_pairs: HashMap<[usize; 2], f64> =
        pair_gains(&columns, MatrixSpec::default().bins, base, None)
            .into_iter()
            .map(|pair| (pair.columns, pair.symmetric_uncertainty))
            .collect();
    let value = |a: usize, b: usize| match a == b {
        true => Some(f64::from(u8::from(columns[a].n_levels() > 1))),
        false => of_pairs.get(&[a.min(b), a.max(b)]).copied(),
    };
    let names: Vec<String> = columns.iter().map(|column| column.name().to_string()).collect();
    (columns.len() > 1).then(|| heat_map::drawing(&names, value))
}

/// The features that tell most together, one after the other.
fn steps(
    table: &Table,
    features: &[FrameColumn],
    kinds: Kinds,
    base: LogBase,
) -> Result<Option<Drawing>> {
    let spec = SelectSpec::default().k(SELECTED).alpha(ALPHA).log_base(base);
    let steps = select_in_turn(table, features, kinds, &spec)?;
    let steps: Vec<Step> = steps
        .iter()
        .map(|step| Step {
            feature: features[step.feature].name().to_string(),
            info_gain: step.info_gain,
            gain_given: step.gain_given,
            p_adjusted: step.p_adjusted,
        })
        .collect();
    Ok((!steps.is_empty()).then(|| selection::drawing(&steps)))
}

/// Remarks on a column: constant, like an id, and so on.
fn notes(table: &Table, column: &Column, gain: &FeatureGain, base: LogBase) -> Vec<String> {
    let mut notes = Vec::new();
    match gain.n_levels {
        0 => notes.push("nothing but missing values".to_string()),
        1 => notes.push("constant".to_string()),
        _ => {}
    }
    let straight = feature::correlation(table).map_or(0.0, |r| r * r);
    let n_classes = table.target.labels().len();
    notes.extend(rank_notes(gain, column.kind(), column.dtype(), n_classes, base, straight));
    if gain.n_missing * 2 > gain.n {
        notes.push("mostly missing".to_string());
    }
    notes
}

/// A note as a sentence of its own.
fn sentence(note: &str) -> String {
    let mut rest = note.chars();
    rest.next()
        .map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), rest.as_str()))
}
