//! The report page on a model and a frame: the frame's columns, and the model's quality there.

pub(crate) use super::column_findings::ColumnFindings;
pub(crate) use super::columns::ColumnNotes;
use super::comparison::comparison;
pub(crate) use super::comparison::{Difference, SideBySide};
pub(crate) use super::forest_sections::{SomeContributions, SomeImportances};
use super::forest_sections::{contributions, curve, first_tree, permuted};
use super::header::Tile;
pub(crate) use super::moved::Moved;
use super::moved::moved;
use super::one_row::one_row;
pub(crate) use super::one_row::{OneRow, Why};
pub(crate) use super::quality::Quality;
use super::quality::{quality, target};
use super::screen::screen;
pub(crate) use super::subject::Subject;
use super::tree_sections::{importances, rules, tree_section};
use super::{PageSection, SectionRows, page};
use crate::plot::elements::drawing::Drawing;
use crate::plot::elements::text::counted;
use crate::plot::screen::ScreenLine;
use crate::tree::TreeData;

/// Columns of dates whose ranges head the page.
const DATES: usize = 2;

pub(crate) struct Report<'a> {
    pub(crate) subject: Subject<'a>,
    pub(crate) rows: u64,
    /// The class that the page is about, by its index.
    pub(crate) event: Option<usize>,
    /// What the frame is called, as its file.
    pub(crate) source: Option<String>,
    /// Remarks on the whole frame, a sentence each.
    pub(crate) remarks: Vec<String>,
    /// The rows that are answered out of bag, if they are; else the whole model answers all rows.
    pub(crate) out_of_bag: Option<u64>,
    pub(crate) quality: Quality,
    /// What the page holds its tree and rows against.
    pub(crate) sides: Vec<SideBySide>,
    /// How far the rows are from a reference.
    pub(crate) moved: Option<Moved>,
    /// A row to explain.
    pub(crate) row: Option<OneRow>,
    /// The tree, or the first tree of a forest.
    pub(crate) tree: &'a TreeData,
    /// Of a tree with the distributions of the page's rows.
    pub(crate) picture: Drawing,
    /// What the page of a forest says more.
    pub(crate) forest: Option<ForestFindings>,
    /// What each feature is; none where the target is none to screen by.
    pub(crate) screen: Vec<ScreenLine>,
    pub(crate) columns: ColumnFindings<'a>,
}

/// What a page says of a forest alone.
pub(crate) struct ForestFindings {
    pub(crate) n_trees: u64,
    /// The error by the number of trees, of rows out of bag.
    pub(crate) curve: Option<Drawing>,
    pub(crate) importances: SomeImportances,
    /// None without an event, where there are more than two classes.
    pub(crate) contributions: Option<SomeContributions>,
}

impl Report<'_> {
    pub(crate) fn page(&self) -> String {
        let Report { subject, tree, forest, columns, .. } = self;
        let rows = SectionRows::OfPage(self.rows);
        let answered = self.out_of_bag.map_or(rows, SectionRows::OutOfBag);
        let mut sections = vec![quality(subject, &self.quality, answered)];
        sections.extend(self.sides.iter().map(|sides| comparison(sides, rows)));
        sections.extend(self.moved.as_ref().map(|findings| moved(findings, rows)));
        let target = subject.is_regression().then(|| target(subject, &self.quality.pairs, rows));
        let row = self.row.as_ref().map(|row| one_row(tree, row, self.event, answered));
        let mut wide: Vec<PageSection> = row.into_iter().collect();
        let mut narrow: Vec<PageSection> = target.into_iter().collect();
        // The importances of a tree of numbers have a line of their own below it.
        let mut below = None;
        if let Some(forest) = forest {
            narrow.extend(forest.curve.as_ref().map(|drawing| curve(drawing, answered)));
            narrow.push(permuted(&forest.importances, self.rows, self.out_of_bag.is_some()));
            wide.extend(forest.contributions.as_ref().map(|some| contributions(some, self.rows)));
        } else if narrow.is_empty() {
            narrow.push(PageSection { span: 5, ..importances(tree) });
        } else {
            below = Some(importances(tree));
        }
        sections.extend(side_by_side(wide, narrow));
        let picture = tree_section(tree, &self.picture, self.event);
        sections.push(match forest {
            Some(forest) => first_tree(forest.n_trees, picture),
            None => picture,
        });
        sections.extend(below);
        if !self.screen.is_empty() {
            sections.push(screen(&self.screen, rows));
        }
        sections.extend(columns.sections(subject, rows));
        if forest.is_none() {
            sections.push(rules(tree, self.event));
        }
        page(subject, &self.tiles(), &self.remarks, sections)
    }

    /// The figures at the head of the page.
    fn tiles(&self) -> Vec<Tile> {
        let source = self.source.clone().unwrap_or_default();
        let mut tiles = vec![Tile::new("This page is on", counted(self.rows, "row"), source)];
        tiles.extend(self.quality.tiles(&self.subject));
        tiles.extend(self.columns.notes.iter().filter_map(ColumnNotes::dates).take(DATES));
        tiles
    }
}

/// A narrow section beside each wide one. Sections of the kind that there are more of stand alone.
fn side_by_side(wide: Vec<PageSection>, narrow: Vec<PageSection>) -> Vec<PageSection> {
    let pairs = wide.len().min(narrow.len());
    let (mut wide, mut narrow) = (wide.into_iter(), narrow.into_iter());
    let paired = wide.by_ref().zip(narrow.by_ref()).take(pairs).flat_map(|(a, b)| [a, b]);
    let mut sections: Vec<PageSection> = paired.collect();
    sections.extend(wide.chain(narrow).map(|section| PageSection { span: 12, ..section }));
    sections
}
