//! The report on a model and a frame: what its page is made of.

mod answered_rows;
mod columns;
mod forest;
mod moved;
mod report_spec;
mod screen;
mod side_by_side;

use std::collections::{HashMap, HashSet};

use super::frame::{ColumnOrReason, Frame, NamedColumns, Needed};
use super::model_ref::ModelRef;
use super::request::usable;
use super::screen::FeatureScreen;
use crate::encode::table::Table;
use crate::error::{Error, Result};
use crate::evaluation::Evaluation;
use crate::plot::report::{Report, Subject};
use crate::plot::{Palette, ShownRows, TreePicture, tree_drawing};
use crate::tree::{Schema, TreeData};
use answered_rows::AnsweredRows;
use columns::column_findings;
pub use report_spec::ReportSpec;
use screen::lines;

impl ModelRef<'_> {
    /// The columns of a frame that its report is on.
    pub(super) fn reported_columns<F: Frame + ?Sized>(self, frame: &F) -> Result<F::Columns> {
        let outline = frame.outline()?;
        let there: HashSet<&str> = outline.names().into_iter().collect();
        let features = self.schema().features.iter().map(|feature| feature.name.as_str());
        let weight = self.tree_data().spec().weight.as_deref();
        let known = features.chain([self.schema().target.as_str()]).chain(weight);
        frame.columns(&Needed::Checked(known.filter(|name| there.contains(name)).collect()))
    }

    /// The page of a report, in the current pool.
    pub(super) fn report_page<F: NamedColumns>(
        self,
        frame: &F,
        spec: &ReportSpec<F>,
    ) -> Result<String> {
        spec.check(self)?;
        let mut judged = spec.judged();
        let tree = self.tree_data();
        let event = tree.checked_event(&judged)?;
        if frame.n_rows() == 0 {
            return Err(Error::data("no rows to report on: pass a frame with rows"));
        }
        let schema = self.schema();
        // The page may judge a second tree. It is judged by this tree's event, though the rarer class
        // of its own training rows may be the other one.
        judged.event = event.map(|class| schema.class_text(class));
        let mut answered = AnsweredRows::new(self, frame, spec)?;
        let quality = answered.quality(&judged)?;
        let mut remarks = remarks(frame, tree, &quality.evaluation);
        let mut request = tree.request();
        request.monitor = spec.monitor.clone();
        let column = |name: &String| frame.column_or_reason(name);
        request.retain(|name| matches!(column(name), Some(ColumnOrReason::Usable(_))));
        request.weight = request.weight.filter(|name| column(name).is_some());
        let features = usable(request.features(frame)?)?;
        let table = request.table(frame, &features)?;
        let classes = classes_of(schema, &table);
        let row = answered.explained_row(frame, &table, spec, event)?;
        let sides = answered.sides(frame, spec, (&quality, &judged))?;
        let (shown, forest) = match &mut answered {
            AnsweredRows::Tree(_, rows) => {
                let nodes = &rows.routes.nodes;
                let leaves = match &table.context.kept {
                    Some(kept) => kept.iter().map(|&row| nodes[row as usize]).collect(),
                    None => nodes.clone(),
                };
                let (columns, target, classes) =
                    (&table.columns[..], &table.target, classes.clone());
                (Some(ShownRows { columns, target, classes, leaves }), None)
            }
            AnsweredRows::Forest(forest, rows) => {
                (None, Some(forest.findings(frame, rows, (spec, event), &mut remarks)?))
            }
        };
        let palette = Palette::of_totals(&tree.class_totals(), event).reordered(&classes);
        let kinds = (request.kinds(), tree.spec().log_base);
        let of_features = || FeatureScreen::of(&table, &features, request.kinds());
        let found = table.target.check().is_ok().then(of_features).transpose()?;
        let lines = |found| lines::<F>(&features, found, &table.target);
        let screen = found.as_ref().map(lines).transpose()?.unwrap_or_default();
        let reasons = found.as_ref().map_or(&[][..], |found| &found.reasons);
        let columns = column_findings(&table, (&features, reasons), kinds, &palette, &mut remarks)?;
        // What a sheet of paper holds.
        let options = TreePicture::default().max_leaves(12).max_depth(3);
        let report = Report {
            subject: match self {
                ModelRef::Tree(tree) => Subject::of_tree(tree),
                ModelRef::Forest(forest) => Subject::of_forest(forest),
            },
            rows: frame.n_rows() as u64,
            event,
            source: spec.source.clone(),
            remarks,
            out_of_bag: answered.out_of_bag(spec),
            sides,
            quality,
            moved: self.moved(frame, spec)?,
            row,
            tree,
            picture: tree_drawing(tree, &options, event, shown.as_ref()),
            forest,
            screen,
            columns,
        };
        Ok(report.page())
    }
}

/// What to know about the rows of a page, a sentence each.
fn remarks<F: NamedColumns>(frame: &F, tree: &TreeData, evaluation: &Evaluation) -> Vec<String> {
    let is_lacking = |name: &str| frame.column_or_reason(name).is_none();
    let notes = evaluation.notes();
    let mut remarks: Vec<String> = notes.iter().map(|note| sentence(note)).collect();
    let features = tree.schema().features.iter().map(|f| f.name.as_str());
    let lacking: Vec<&str> = features.filter(|name| is_lacking(name)).collect();
    if !lacking.is_empty() {
        remarks.push(format!("Features that are not in these rows: {}.", lacking.join(", ")));
    }
    if let Some(name) = tree.spec().weight.as_ref().filter(|name| is_lacking(name)) {
        remarks.push(format!("The weight {name} is not in these rows: each weighs the same."));
    }
    remarks
}

/// The model's class of each label of a table's target; `None` is one never trained.
fn classes_of(schema: &Schema, table: &Table) -> Vec<Option<usize>> {
    let n = schema.classes.len();
    let trained: HashMap<String, usize> =
        (0..n).map(|class| (schema.class_text(class), class)).collect();
    let labels = table.target.labels().iter();
    labels.map(|label| trained.get(&table.target.dtype.show(label)).copied()).collect()
}

/// The row of most loss, the first of equals.
fn first_of_most(rows: impl Iterator<Item = usize>, loss: impl Fn(usize) -> f64) -> Option<usize> {
    let mut most: Option<(usize, f64)> = None;
    for row in rows {
        let loss = loss(row);
        if most.is_none_or(|(_, before)| loss > before) {
            most = Some((row, loss));
        }
    }
    most.map(|(row, _)| row)
}

/// A note as a sentence of its own.
fn sentence(note: &str) -> String {
    let mut rest = note.chars();
    rest.next()
        .map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), rest.as_str()))
}
