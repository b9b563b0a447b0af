//! The report page on a tree and a frame: the frame's columns, and the tree's quality there.

use maud::html;

pub(crate) use super::quality::Quality;
use super::quality::quality;
use super::tree_sections::{importances, rules, tree_section};
use super::{PageSection, SectionRows, meter, page};
use crate::error::Result;
use crate::plot::elements::drawing::Drawing;
use crate::plot::elements::text::{clean, count, counted, figure, percent};
use crate::plot::tree_picture::TreePicture;
use crate::spec::LogBase;
use crate::tree::TreeData;

/// Leaves and folded subtrees of the picture, and its depth: what a sheet of paper holds. The
/// tree that folds is below it.
const PICTURE: (usize, u32) = (12, 3);
/// What a page says of a frame.
pub(crate) struct FrameReport {
    pub(crate) rows: u64,
    /// Best first.
    pub(crate) ranking: Vec<RankedFeature>,
    pub(crate) curves: Vec<Drawing>,
    pub(crate) quality: Quality,
    pub(crate) columns: Vec<ColumnNotes>,
    /// Remarks on the whole frame, a sentence each.
    pub(crate) remarks: Vec<String>,
}

/// A line of the ranking.
pub(crate) struct RankedFeature {
    pub(crate) feature: String,
    /// Information gain, or variance reduction.
    pub(crate) gain: f64,
    /// The gain ratio; numbers have none.
    pub(crate) ratio: Option<f64>,
    /// What the gain is of: a cut, or a branch for each of so many levels.
    pub(crate) split: String,
    pub(crate) rule: String,
    /// The rule's own gain.
    pub(crate) rule_gain: f64,
}

/// A column of the frame.
pub(crate) struct ColumnNotes {
    pub(crate) name: String,
    pub(crate) dtype: String,
    pub(crate) kind: String,
    pub(crate) n_levels: u64,
    pub(crate) missing: f64,
    pub(crate) notes: Vec<String>,
}

pub(crate) fn report(tree: &TreeData, findings: &FrameReport) -> Result<String> {
    let mut about = vec![format!("This page is on {}.", counted(findings.rows, "row"))];
    about.extend(findings.remarks.iter().cloned());
    let rows = SectionRows::OfPage(findings.rows);
    let sections = vec![
        quality(tree, &findings.quality, rows)?,
        ranking(tree, &findings.ranking, rows),
        importances(tree),
        tree_section(tree, &TreePicture::default().max_leaves(PICTURE.0).max_depth(PICTURE.1)),
        curves(&findings.curves, rows),
        rules(tree),
        columns(&findings.columns, rows),
    ];
    Ok(page(tree, &about, sections))
}

fn ranking(tree: &TreeData, ranking: &[RankedFeature], rows: SectionRows) -> PageSection {
    let most = ranking.iter().map(|line| line.gain).fold(0.0, f64::max);
    let of_numbers = tree.is_regression();
    let unit = if tree.spec().log_base == LogBase::Two { "bits" } else { "nats" };
    let body = html! {
        p.faint {
            @if of_numbers { "What each feature alone takes off the variance, over the rows whose value is known." }
            @else { "What each feature alone tells about the class, over the rows whose value is known." }
        }
        div.wide { table {
            thead { tr {
                th { "feature" }
                th { @if of_numbers { "variance reduction" } @else { "information gain, " (unit) } }
                th {}
                @if !of_numbers { th.n { "gain ratio" } }
                th { "of" }
                th { "best two-way rule" }
                th.n { "its gain" }
            } }
            tbody { @for line in ranking { tr {
                td { bdi { (clean(&line.feature)) } }
                td { (meter(line.gain / most)) }
                td.n { (figure(line.gain, 4)) }
                @if let Some(ratio) = line.ratio { td.n { (figure(ratio, 4)) } }
                td { (line.split) }
                td { bdi dir="ltr" { (clean(&line.rule)) } }
                td.n { (figure(line.rule_gain, 4)) }
            } } }
        } }
    };
    PageSection { id: "ranking", heading: "Ranking", rows, body }
}

fn curves(curves: &[Drawing], rows: SectionRows) -> PageSection {
    let body = html! {
        @if curves.is_empty() { p { "No feature gains anything." } }
        @for curve in curves { figure.wide style="margin: 0 0 1.5rem" { (curve.inline()) } }
    };
    PageSection { id: "curves", heading: "Cuts of the top features", rows, body }
}

fn columns(columns: &[ColumnNotes], rows: SectionRows) -> PageSection {
    let body = html! {
        div.wide { table {
            thead { tr {
                th { "column" } th { "dtype" } th { "kind" } th.n { "levels" } th.n { "missing" }
                th { "notes" }
            } }
            tbody { @for column in columns { tr {
                td { bdi { (clean(&column.name)) } }
                td { (clean(&column.dtype)) }
                td { (column.kind) }
                td.n { (count(column.n_levels)) }
                td.n { (percent(column.missing)) }
                td.note { (column.notes.join("; ")) }
            } } }
        } }
    };
    PageSection { id: "data", heading: "Data", rows, body }
}
