//! The report on a tree and a frame: what its page is made of.

mod chosen_row;
mod columns;
mod forest_page;
mod moved;
mod report_spec;
mod side_by_side;

use std::collections::HashMap;

use polars::prelude::{DataFrame, DataType};

use crate::adapters::frame::columns::dtypes::dtype_of;
use crate::adapters::frame::columns::frame_column::FrameColumn;
use crate::adapters::frame::in_pool;
use crate::encode::table::Table;
use crate::error::{Error, Result};
use crate::evaluation::Evaluation;
use crate::fitted::{Model, Tree};
use crate::plot::report::{FrameReport, Quality, SideBySide, report};
use crate::plot::{Drawing, Palette, ShownRows, TreePicture, tree_drawing};
use crate::score::Routes;
use crate::spec::{EvalSpec, TreeSpec};
use crate::tree::Schema;
use crate::verbs::evaluate::Labelled;
use crate::verbs::request::{Request, like_training, usable};
use columns::column_findings;
pub use report_spec::ReportSpec;

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
    /// As [`evaluate`](crate::ModelVerbs::evaluate).
    pub fn report(&self, df: &DataFrame) -> Result<String> {
        self.report_with(df, &ReportSpec::default())
    }

    /// The [`report`](Self::report) about a class or a row that the spec names.
    ///
    /// # Errors
    /// As [`evaluate`](crate::ModelVerbs::evaluate); an event that is no class of the target, a row that is not there, and a
    /// reference without rows or that cannot be scored.
    pub fn report_with(&self, df: &DataFrame, spec: &ReportSpec) -> Result<String> {
        in_pool(spec.threads, || self.report_page(df, spec))
    }

    fn report_page(&self, df: &DataFrame, spec: &ReportSpec) -> Result<String> {
        if spec.out_of_bag {
            return Err(Error::spec(
                "the model is one tree, and out of bag is of a forest: leave it out",
            ));
        }
        let mut judged = spec.judged();
        let event = self.checked_event(&judged)?;
        let schema = self.schema();
        // The page may judge a second tree. It is judged by this tree's event, though the rarer class
        // of its own training rows may be the other one.
        judged.event = event.map(|class| schema.class_text(class));
        let (quality, routes) = self.quality(df, &judged)?;
        let mut remarks = remarks(df, schema, self.spec(), quality.evaluation());
        let (request, features) = known_columns(df, schema, self.spec(), spec)?;
        let table = request.table(df, &features)?;
        let row = self.chosen_row(df, &table, &routes, spec.row, event)?;
        let sides = self.sides(df, (&quality, &routes), spec, &judged)?;
        let palette = Palette::of_tree(self, event).reordered(&classes_of(schema, &table));
        let (kinds, base) = (request.kinds(), self.spec().log_base);
        let columns = column_findings(&table, &features, kinds, base, &palette, &mut remarks)?;
        let findings = FrameReport {
            rows: df.height() as u64,
            event,
            source: spec.source.clone(),
            picture: self.picture_of(&table, &routes, &picture_of_page(), event),
            quality,
            sides,
            moved: self.moved(df, spec)?,
            row,
            columns,
            remarks,
        };
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
            classes: classes_of(self.schema(), table),
            leaves: match &table.context.kept {
                Some(kept) => kept.iter().map(|&row| routes.nodes[row as usize]).collect(),
                None => routes.nodes.clone(),
            },
        };
        tree_drawing(self, options, event, Some(&rows))
    }

    fn quality(&self, df: &DataFrame, spec: &EvalSpec) -> Result<(Quality, Routes)> {
        if df.height() == 0 {
            return Err(no_rows_to_report());
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
        let pairs = actual.into_iter().zip(predicted.into_no_null_iter());
        Ok((Quality::of_numbers(evaluation, pairs), routes))
    }
}

impl Model {
    /// The report on a tree, [`Tree::report`], or on a forest, [`Forest::report`](crate::Forest::report).
    ///
    /// # Errors
    /// As these.
    pub fn report(&self, df: &DataFrame) -> Result<String> {
        self.report_with(df, &ReportSpec::default())
    }

    /// The [`report`](Self::report) with what the spec names.
    ///
    /// # Errors
    /// As [`Tree::report_with`] and [`Forest::report_with`](crate::Forest::report_with).
    pub fn report_with(&self, df: &DataFrame, spec: &ReportSpec) -> Result<String> {
        match self {
            Model::Tree(tree) => tree.report_with(df, spec),
            Model::Forest(forest) => forest.report_with(df, spec),
        }
    }
}

/// How much of a tree the picture of a page shows: what a sheet of paper holds.
fn picture_of_page() -> TreePicture {
    TreePicture::default().max_leaves(12).max_depth(3)
}

/// The request for the columns that a model knows and a frame has, and the features among them.
fn known_columns(
    df: &DataFrame,
    schema: &Schema,
    tree_spec: &TreeSpec,
    spec: &ReportSpec,
) -> Result<(Request, Vec<FrameColumn>)> {
    let known = |name: &str| df.column(name).ok();
    let mut request = like_training(schema, tree_spec);
    request.monitor = spec.monitor.clone();
    request.retain(|name| known(name).is_some_and(|c| dtype_of(c.dtype()).is_some()));
    request.weight = request.weight.filter(|name| known(name).is_some());
    let features = usable(request.features(df)?)?;
    Ok((request, features))
}

/// What to know about the rows of a page, a sentence each.
fn remarks(
    df: &DataFrame,
    schema: &Schema,
    spec: &TreeSpec,
    evaluation: &Evaluation,
) -> Vec<String> {
    let is_lacking = |name: &str| df.column(name).is_err();
    let notes = evaluation.notes();
    let mut remarks: Vec<String> = notes.iter().map(|note| sentence(note)).collect();
    let lacking = schema.features.iter().map(|f| f.name.as_str()).filter(|name| is_lacking(name));
    let lacking: Vec<&str> = lacking.collect();
    if !lacking.is_empty() {
        remarks.push(format!("Features that are not in these rows: {}.", lacking.join(", ")));
    }
    if let Some(name) = spec.weight.as_ref().filter(|name| is_lacking(name)) {
        remarks.push(format!("The weight {name} is not in these rows: each weighs the same."));
    }
    remarks
}

fn no_rows_to_report() -> Error {
    Error::data("no rows to report on: pass a frame with rows")
}

/// The model's class of each label of a table's target; `None` is one never trained.
fn classes_of(schema: &Schema, table: &Table) -> Vec<Option<usize>> {
    let n = schema.classes.len();
    let trained: HashMap<String, usize> =
        (0..n).map(|class| (schema.class_text(class), class)).collect();
    let labels = table.target.labels().iter();
    labels.map(|label| trained.get(&table.target.dtype.show(label)).copied()).collect()
}

/// A note as a sentence of its own.
fn sentence(note: &str) -> String {
    let mut rest = note.chars();
    rest.next()
        .map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), rest.as_str()))
}
