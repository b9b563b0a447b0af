//! HTML pages in one file, with their style and script, that load nothing from a network.

mod collapsible_tree;
mod column_findings;
mod columns;
mod comparison;
mod confusion;
mod forest_sections;
mod header;
mod moved;
mod one_row;
mod quality;
pub(crate) mod report;
mod screen;
mod subject;
mod tree_sections;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::elements::drawing::Drawing;
use super::elements::text::{clean, counted};
use super::tree_picture::{TreePicture, drawing};
use crate::error::Result;
use crate::tree::TreeData;
use header::{Tile, header};
pub(crate) use screen::screen_page;
use subject::Subject;
use tree_sections::{importances, rules, tree_section};

const STYLE: &str = include_str!("page.css");
/// Characters of a date and a comma.
const DATE: usize = 12;
const SCRIPT: &str = include_str!("page.js");

/// A section of a page: its anchor, its heading and what is in it.
struct PageSection {
    id: &'static str,
    heading: &'static str,
    rows: SectionRows,
    /// Columns of the twelve that a wide window has.
    span: u8,
    body: Markup,
}

/// The rows that the figures of a section are of.
#[derive(Clone, Copy)]
enum SectionRows {
    /// The rows that the tree was fitted on.
    Fitted,
    /// All rows of the page, and their number.
    OfPage(u64),
    /// All rows of the page, and their number; trees of a forest that did not draw a row answer it.
    OutOfBag(u64),
    /// This many rows of the page, evenly spaced.
    Spaced(u64),
}

impl TreeData {
    /// The tree as a page of its own: the picture, the tree to fold, unfold and search, the
    /// features' importances and the rules. One file that needs no network; the same tree gives the
    /// same bytes. If a tree has more than 3,000 leaves, the page holds the splits that gain most,
    /// and a thousand of its rules: the rules of the event's highest share if there is an event,
    /// else of most rows.
    ///
    /// # Errors
    /// An event that is no class of the target.
    pub fn to_html(&self, options: &TreePicture) -> Result<String> {
        let event = options.event_of(self)?;
        let picture = drawing(self, options, event, None);
        let sections =
            vec![tree_section(self, &picture, event), importances(self), rules(self, event)];
        Ok(page(&Subject::of_tree(self), &[], &[], sections))
    }
}

/// The whole page. `tiles` are figures beside the size of the model, and remarks are on the rows.
fn page(
    subject: &Subject,
    tiles: &[Tile],
    remarks: &[String],
    sections: Vec<PageSection>,
) -> String {
    let (target, name) = (clean(&subject.schema.target), &subject.name);
    let body = html! {
        h1 { (name) " of " bdi { (target) } }
        (header(tiles.iter().chain([&subject.size]), &subject.spec, remarks))
        nav { @for s in &sections { a href={ "#" (s.id) } { (s.heading) } } }
        main {
            @for s in &sections {
                section id=(s.id) class={ "span" (s.span) } {
                    h2 { (s.heading) }
                    p.faint { @match s.rows {
                        SectionRows::Fitted => {
                            "Of the "
                            @if let Some(n) = subject.n_rows { (counted(n, "row")) }
                            @else { "rows" }
                            " the " (subject.kind) " was fitted on."
                        }
                        SectionRows::OfPage(n) => {
                            "Of the " (counted(n, "row")) " of this page."
                        }
                        SectionRows::OutOfBag(n) => {
                            "Of the " (counted(n, "row"))
                            " of this page, each answered by the trees that did not draw it."
                        }
                        SectionRows::Spaced(n) => {
                            "Of " (counted(n, "row")) " of this page, evenly spaced."
                        }
                    } }
                    (s.body)
                }
            }
        }
        script { (PreEscaped(SCRIPT)) }
    };
    document(&format!("{name} of {target}"), &body)
}

/// A page in one file, with its style.
fn document(title: &str, body: &Markup) -> String {
    let head = "<meta charset=\"utf-8\"/>\
                <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>";
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                (PreEscaped(head))
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { (body) }
        }
    };
    page.into_string()
}

/// A section of a picture, and what to know of it.
fn picture_section(
    [id, heading]: [&'static str; 2],
    about: &str,
    drawing: &Drawing,
    rows: SectionRows,
    span: u8,
) -> PageSection {
    let body = html! {
        p.faint { (about) }
        figure.wide { (drawing.inline()) }
    };
    PageSection { id, heading, rows, span, body }
}

/// A bar of a share.
fn meter(share: f64) -> Markup {
    html! { span.meter style={ "--part:" (part(share)) " 100%" } {} }
}

/// A text whose dates stay on one line: browsers break them at their hyphens.
fn unbroken(text: &str) -> Markup {
    let text = clean(text).replace(" %", "\u{a0}%");
    let is_date = |word: &&str| word.contains('-') && word.len() <= DATE;
    html! {
        @for (at, word) in text.split(' ').enumerate() {
            @if at > 0 { " " }
            @if is_date(&word) { span.nb { (word) } } @else { (word) }
        }
    }
}

/// A share of 1 as CSS writes it.
fn part(share: f64) -> String {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    format!("{:.1}%", 100.0 * share)
}
