//! The report page on a tree and a frame: the frame's columns, and the tree's quality there.

use super::column_findings::tiles;
pub(crate) use super::column_findings::{ColumnFindings, RankedFeature};
pub(crate) use super::columns::ColumnNotes;
use super::comparison::comparison;
pub(crate) use super::comparison::{Difference, SideBySide};
pub(crate) use super::forest_report::{
    FirstTree, ForestReport, OneForestRow, SomeContributions, SomeImportances, forest_report,
};
use super::header::Header;
use super::moved::moved;
pub(crate) use super::moved::{Moved, MovedColumn, MovedFigures};
pub(crate) use super::one_row::OneRow;
use super::one_row::one_row;
pub(crate) use super::quality::Quality;
use super::quality::quality;
use super::subject::Subject;
use super::target::target;
use super::tree_sections::{importances, rules, tree_section};
use super::{PageSection, SectionRows, page};
use crate::plot::elements::drawing::Drawing;
use crate::tree::TreeData;

/// What a page says of a frame.
pub(crate) struct FrameReport {
    pub(crate) rows: u64,
    /// The class that the page is about, by its index.
    pub(crate) event: Option<usize>,
    /// What the frame is called, as its file.
    pub(crate) source: Option<String>,
    /// The tree, with the distributions of the page's rows.
    pub(crate) picture: Drawing,
    pub(crate) quality: Quality,
    /// What the page holds its tree and rows against.
    pub(crate) sides: Vec<SideBySide>,
    /// How far they are from a reference.
    pub(crate) moved: Option<Moved>,
    /// A row to explain.
    pub(crate) row: Option<OneRow>,
    pub(crate) columns: ColumnFindings,
    /// Remarks on the whole frame, a sentence each.
    pub(crate) remarks: Vec<String>,
}

pub(crate) fn report(tree: &TreeData, findings: &FrameReport) -> String {
    let subject = Subject::of_tree(tree);
    let header = Header {
        tiles: tiles(
            &subject,
            &findings.quality,
            &findings.columns,
            findings.source.clone(),
            findings.rows,
        ),
        remarks: findings.remarks.clone(),
    };
    let rows = SectionRows::OfPage(findings.rows);
    let mut sections = vec![quality(&subject, &findings.quality, rows)];
    sections.extend(findings.sides.iter().map(|sides| comparison(sides, rows)));
    sections.extend(findings.moved.as_ref().map(|findings| moved(findings, rows)));
    sections.extend(findings.row.as_ref().map(|row| one_row(tree, row, findings.event, rows)));
    sections.push(match &findings.quality {
        Quality::Numbers { pairs, .. } => target(&subject, pairs, rows),
        Quality::Classes { .. } => PageSection { span: 5, ..importances(tree) },
    });
    sections.push(tree_section(tree, &findings.picture, findings.event));
    if tree.is_regression() {
        sections.push(importances(tree));
    }
    sections.extend(findings.columns.sections(&subject, rows));
    sections.push(rules(tree, findings.event));
    page(&subject, &header, sections)
}
