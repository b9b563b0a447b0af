//! The report page on a forest and a frame.

use maud::html;

use super::column_findings::{ColumnFindings, tiles};
use super::header::Header;
use super::moved::{Moved, moved};
use super::quality::{Quality, quality};
use super::subject::Subject;
use super::target::target;
use super::tree_sections::tree_section;
use super::{PageSection, SectionRows, page};
use crate::plot::elements::drawing::Drawing;
use crate::plot::elements::text::{clean, count, percent, short};
use crate::tree::TreeData;
use crate::tree::forest_data::ForestData;

/// What a page says of a forest and a frame.
pub(crate) struct ForestReport<'a> {
    pub(crate) rows: u64,
    /// The rows that are answered out of bag, if they are; else all are answered by all trees.
    pub(crate) out_of_bag: Option<u64>,
    /// What the frame is called, as its file.
    pub(crate) source: Option<String>,
    /// The error by the number of trees, of rows out of bag.
    pub(crate) curve: Option<Drawing>,
    pub(crate) quality: Quality,
    /// How far the rows are from a reference.
    pub(crate) moved: Option<Moved>,
    pub(crate) row: OneForestRow,
    pub(crate) importance: SomeImportances,
    /// None without an event, where there are more than two classes.
    pub(crate) contributions: Option<SomeContributions>,
    pub(crate) tree: FirstTree<'a>,
    pub(crate) columns: ColumnFindings,
    /// Remarks on the whole frame, a sentence each.
    pub(crate) remarks: Vec<String>,
}

/// The first tree of the forest, with its picture.
pub(crate) struct FirstTree<'a> {
    pub(crate) data: &'a TreeData,
    pub(crate) picture: Drawing,
    /// The class that it is coloured by, by its index.
    pub(crate) event: Option<usize>,
}

/// The contributions to the answers for some rows.
pub(crate) struct SomeContributions {
    pub(crate) drawing: Drawing,
    pub(crate) rows: u64,
}

/// The importance of the features by permutation, of some rows.
pub(crate) struct SomeImportances {
    pub(crate) drawing: Drawing,
    pub(crate) rows: u64,
    /// What they measure, as in `Brier score rises`.
    pub(crate) loss: &'static str,
}

/// A row of the page and what contributes to the forest's answer.
pub(crate) struct OneForestRow {
    /// Counted from 1.
    pub(crate) number: u64,
    /// Whether it was asked for; else it is the row of most loss.
    pub(crate) is_chosen: bool,
    pub(crate) actual: String,
    /// The class with its probability, or the number, that the page judges; `None` for a row out of
    /// bag that every tree drew.
    pub(crate) answer: Option<(String, Option<f64>)>,
    pub(crate) waterfall: Drawing,
}

pub(crate) fn forest_report(forest: &ForestData, findings: &ForestReport) -> String {
    let subject = Subject::of_forest(forest);
    let (all, source) = (findings.rows, findings.source.clone());
    let header = Header {
        tiles: tiles(&subject, &findings.quality, &findings.columns, source, all),
        remarks: findings.remarks.clone(),
    };
    let rows = SectionRows::OfPage(all);
    let answered = findings.out_of_bag.map_or(rows, SectionRows::OutOfBag);
    let mut sections = vec![quality(&subject, &findings.quality, answered)];
    sections.extend(findings.moved.as_ref().map(|findings| moved(findings, rows)));
    // A narrow section stands beside each wide one, and alone where wide ones are fewer.
    let narrow = match &findings.quality {
        Quality::Numbers { pairs, .. } => Some(target(&subject, pairs, rows)),
        Quality::Classes { .. } => None,
    };
    let curve = findings.curve.as_ref().map(|drawing| curve(drawing, answered));
    let narrow = narrow.into_iter().chain(curve).chain([importance(findings)]);
    let some = findings.contributions.as_ref().map(|some| contributions(some, all));
    let mut wide = [one_row(&findings.row, answered)].into_iter().chain(some);
    for beside in narrow {
        match wide.next() {
            Some(section) => sections.extend([section, beside]),
            None => sections.push(PageSection { span: 12, ..beside }),
        }
    }
    sections.extend(wide.map(|section| PageSection { span: 12, ..section }));
    sections.push(one_tree(forest.n_trees(), &findings.tree));
    sections.extend(findings.columns.sections(&subject, rows));
    page(&subject, &header, sections)
}

fn one_row(row: &OneForestRow, rows: SectionRows) -> PageSection {
    let body = html! {
        p {
            "Row " (count(row.number)) ": "
            @match &row.answer {
                Some((class, Some(share))) => {
                    "the forest predicts " strong { bdi { (clean(class)) } } " (" (percent(*share)) ")"
                }
                Some((number, None)) => { "the forest answers " strong { bdi { (short(number)) } } }
                None => "every tree drew it, so that none answers for it here"
            }
            "; it is " strong { bdi { (short(&row.actual)) } } "."
            @if !row.is_chosen { " It is the row of most loss." }
        }
        @if let SectionRows::OutOfBag(_) = rows {
            p.faint { "How all trees together, also those that drew it, answer for it:" }
        }
        figure.wide { (row.waterfall.inline()) }
    };
    PageSection { id: "row", heading: "One row explained", rows, span: 7, body }
}

fn curve(drawing: &Drawing, rows: SectionRows) -> PageSection {
    let body = html! {
        p.faint { "Where it is flat, more trees change little." }
        figure.chart { (drawing.inline()) }
    };
    PageSection { id: "error-curve", heading: "Error by trees", rows, span: 5, body }
}

fn importance(findings: &ForestReport) -> PageSection {
    let SomeImportances { drawing, rows, loss } = &findings.importance;
    let body = html! {
        p.faint {
            "How much the " (loss) " where a feature's values are permuted among the rows. Of "
            "features that tell the same, each seems to matter little."
        }
        figure.wide { (drawing.inline()) }
    };
    let rows = match findings.out_of_bag {
        Some(_) => SectionRows::OutOfBag(*rows),
        None => some_rows(*rows, findings.rows),
    };
    PageSection { id: "importance", heading: "Importance by permutation", rows, span: 5, body }
}

/// Some of the rows of the page, or all of them.
fn some_rows(some: u64, all: u64) -> SectionRows {
    if some < all { SectionRows::Spaced(some) } else { SectionRows::OfPage(all) }
}

fn contributions(some: &SomeContributions, all: u64) -> PageSection {
    let rows = some_rows(some.rows, all);
    let body = html! {
        p.faint { "How far each feature moves the answers, and whether its low or its high values do." }
        figure.wide { (some.drawing.inline()) }
    };
    PageSection { id: "contributions", heading: "Contributions", rows, span: 7, body }
}

fn one_tree(n_trees: usize, tree: &FirstTree) -> PageSection {
    let section = tree_section(tree.data, &tree.picture, tree.event);
    let body = html! {
        p.faint {
            "The first of " (count(n_trees as u64)) ", with its counts of the rows it drew. "
            code { "gaintree show MODEL --tree N" } " shows any of them."
        }
        (section.body)
    };
    PageSection { heading: "One tree", body, ..section }
}
