//! The report on a tree and a frame: what its page is made of.

mod chosen_row;
mod report_spec;
mod side_by_side;

use std::collections::HashMap;

use polars::prelude::{DataFrame, DataType};
use rayon::prelude::*;

use crate::adapters::common::evaluate::Labelled;
use crate::adapters::common::notes::rank_notes;
use crate::adapters::common::request::usable;
use crate::adapters::frame::columns::dtypes::dtype_of;
use crate::adapters::frame::columns::frame_column::FrameColumn;
use crate::adapters::frame::in_pool;
use crate::data::column::Column;
use crate::data::column_data::Source;
use crate::data::dtype::Kind;
use crate::encode::table::{Kinds, Table};
use crate::error::{Error, Result};
use crate::fitted::Tree;
use crate::plot::feature::summary::ColumnSummary;
use crate::plot::report::{ColumnNotes, FrameReport, Quality, RankedFeature, SideBySide, report};
use crate::plot::selection::{self, Step};
use crate::plot::{Drawing, Palette, ShownRows, TreePicture, feature, heat_map, tree_drawing};
use crate::rank::pairs::pair_gains;
use crate::rank::select::select_in_turn;
use crate::rank::{FeatureGain, Measures, rank};
use crate::score::Routes;
use crate::spec::{Cuts, EvalSpec, LogBase, MatrixSpec, RankMissing, SelectSpec};
pub use report_spec::ReportSpec;

/// Curves of so many features are drawn.
const CURVES: usize = 6;
/// How wide such a picture is: three of them stand side by side.
const CURVE: f64 = 460.0;
/// Leaves and folded subtrees of the tree's picture, and its depth: what a sheet of paper holds.
const PICTURE: (usize, u32) = (12, 3);
/// The pairs of so many features are drawn.
const PAIRED: usize = 12;
/// At most so many features are selected, each of which tells more than chance so often.
const SELECTED: usize = 10;
const ALPHA: f64 = 0.05;

impl Tree {
    /// A page on the tree and a frame that holds its target: the figures that matter, how good
    /// the tree's predictions are (confusion, precision and recall of each class; ROC, precision and
    /// calibration of the rarer of two; or residuals), the path of the row of most loss and what would
    /// change its answer, the tree to fold and search, importances, what each feature alone tells, the
    /// curves of the six best features, what the twelve best tell about each other, which few features
    /// tell most together, the columns (distribution, extremes, missing shares, and notes on constant ones, ids
    /// and ones that give the target away), and the rules. One HTML file that needs no network; the
    /// same tree and frame give the same bytes.
    ///
    /// Features of the tree that the frame lacks, and that no rule uses, are left out, as is
    /// the tree's weight column where the frame lacks it.
    ///
    /// # Errors
    /// As [`Tree::evaluate`].
    pub fn report(&self, df: &DataFrame) -> Result<String> {
        self.report_with(df, &ReportSpec::default())
    }

    /// The [`report`](Self::report) about a class or a row that the spec names.
    ///
    /// # Errors
    /// As [`Tree::evaluate`]; an event that is no class of the target, and a row that is not there.
    pub fn report_with(&self, df: &DataFrame, spec: &ReportSpec) -> Result<String> {
        in_pool(spec.threads, || self.report_page(df, spec))
    }

    fn report_page(&self, df: &DataFrame, spec: &ReportSpec) -> Result<String> {
        let judged = EvalSpec { event: spec.event.clone(), ..EvalSpec::default() };
        let event = self.checked_event(&judged)?;
        let (quality, routes) = self.quality(df, &judged)?;
        let schema = self.schema();
        let known = |name: &str| df.column(name).ok();
        let notes = quality.evaluation().notes();
        let mut remarks: Vec<String> = notes.iter().map(|note| sentence(note)).collect();
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
        let table = request.table(df, &features)?;
        let row = self.chosen_row(df, &table, &routes, spec.row)?;
        let sides = self.sides(df, (&quality, &routes), spec, &judged)?;
        let picture = TreePicture::default().max_leaves(PICTURE.0).max_depth(PICTURE.1);
        let mut findings = FrameReport {
            rows: df.height() as u64,
            event,
            source: spec.source.clone(),
            picture: self.picture_of(&table, &routes, &picture, event),
            ranking: Vec::new(),
            curves: Vec::new(),
            pairs: None,
            selection: None,
            quality,
            sides,
            row,
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
    }

    /// What the page holds its tree and rows against.
    fn sides(
        &self,
        df: &DataFrame,
        (quality, routes): (&Quality, &Routes),
        spec: &ReportSpec,
        judged: &EvalSpec,
    ) -> Result<Vec<SideBySide>> {
        let mut sides = Vec::new();
        if let Some((others, name)) = &spec.beside {
            let these = spec.source.clone().unwrap_or_else(|| "these rows".to_string());
            let others = (others, [these, name.clone()]);
            sides.push(self.beside(df, quality.evaluation(), others, judged)?);
        }
        if let Some((other, name)) = &spec.against {
            let this = spec.name.clone().unwrap_or_else(|| "this tree".to_string());
            let other = (other, [this, name.clone()]);
            sides.push(self.against(df, (quality, routes), other, judged)?);
        }
        Ok(sides)
    }

    /// The tree's picture, with the distributions of a table's rows.
    fn picture_of(
        &self,
        table: &Table,
        routes: &Routes,
        options: &TreePicture,
        event: Option<usize>,
    ) -> Drawing {
        let rows = ShownRows {
            columns: &table.columns,
            target: &table.target,
            classes: self.classes_of(table),
            leaves: match &table.context.kept {
                Some(kept) => kept.iter().map(|&row| routes.nodes[row as usize]).collect(),
                None => routes.nodes.clone(),
            },
        };
        tree_drawing(self, options, event, Some(&rows))
    }

    /// Adds the ranking, the curves and the notes on columns.
    fn add_columns(&self, table: &Table, findings: &mut FrameReport) -> Result<()> {
        let base = self.spec().log_base;
        let palette = Palette::of_tree(self, findings.event).reordered(&self.classes_of(table));
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
        let line = |&at: &usize| {
            let (gain, ratio) = figures(at);
            let column = &table.columns[at];
            RankedFeature {
                feature: column.name().to_string(),
                is_float: column.dtype().is_float(),
                gain,
                ratio,
                split: match column.kind() {
                    Kind::Ordered => "best cut".to_string(),
                    Kind::Nominal => format!("{} levels", best[at].n_levels),
                },
                rule: best[at].rule.clone(),
                rule_gain: best[at].rule_gain.unwrap_or(0.0),
            }
        };
        findings.ranking = order.iter().map(line).collect();
        let drawn: Vec<usize> =
            order.iter().copied().filter(|&at| figures(at).0 > 0.0).take(CURVES).collect();
        let curve =
            |&at: &usize| feature::drawing_in(&table.with_only(at), base, Some(&palette), CURVE);
        findings.curves = drawn.par_iter().map(curve).collect::<Result<_>>()?;
        findings.pairs = pairs(table, &order[..order.len().min(PAIRED)], base);
        // All cuts that pay show what a column gives away; of numbers there is the best one.
        let all = if self.is_regression() { best } else { gains(Cuts::Mdl) };
        let described = |(at, gain): (usize, &FeatureGain)| {
            let column = &table.columns[at];
            ColumnNotes {
                name: column.name().to_string(),
                dtype: column.dtype().to_string(),
                is_float: column.dtype().is_float(),
                kind: column.kind().to_string(),
                n_levels: gain.n_levels,
                n_known: gain.n - gain.n_missing,
                missing: gain.n_missing as f64 / (gain.n.max(1)) as f64,
                summary: ColumnSummary::new(column, &table.target, &palette),
                notes: notes(&table.with_only(at), column, gain, base),
            }
        };
        findings.columns = all.par_iter().enumerate().map(described).collect();
        Ok(())
    }

    fn quality(&self, df: &DataFrame, spec: &EvalSpec) -> Result<(Quality, Routes)> {
        if df.height() == 0 {
            return Err(Error::data("no rows to report on: pass a frame with rows"));
        }
        if !self.is_regression() {
            let Labelled { actual, routes } = self.label_classes(df)?;
            let evaluation = self.prepared().evaluate_classes(&routes, &actual, spec)?;
            return Ok((Quality::Classes { evaluation }, routes));
        }
        let Labelled { actual, routes } = self.label_numbers(df)?;
        // In the target's own width, as they are shown.
        let predicted = self.predictions("prediction", &routes)?.0;
        let predicted = predicted.cast(&DataType::Float64)?;
        let predicted = predicted.f64()?;
        let evaluation = self.prepared().evaluate_numbers(&routes, &actual, spec)?;
        let mut pairs: Vec<(f64, f64)> =
            actual.into_iter().zip(predicted.into_no_null_iter()).collect();
        pairs.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.total_cmp(&b.0)));
        Ok((Quality::Numbers { evaluation, pairs }, routes))
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
