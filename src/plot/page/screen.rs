//! What each column is: a section of a report, and a page of its own.

use maud::{Markup, html};

use super::header::{Tile, header};
use super::{PageSection, SectionRows, document, part, unbroken};
use crate::plot::elements::text::{clean, count, counted, figure, percent, rounded_bounds};
use crate::plot::screen::{ScreenLine, by_verdict};

const ID: &str = "screen";
/// A lesser probability is not written in digits.
const LEAST: f64 = 0.0001;
const HEADING: &str = "What each column is";

pub(super) fn screen(lines: &[ScreenLine], rows: SectionRows) -> PageSection {
    PageSection { id: ID, heading: HEADING, rows, span: 12, body: screen_table(lines) }
}

/// The page on the columns beside a target; the number of rows may not be known.
pub(crate) fn screen_page(target: &str, lines: &[ScreenLine], n_rows: Option<u64>) -> String {
    let target = clean(target);
    let columns = |n: usize| if n == 1 { "column" } else { "columns" }.to_string();
    let of_rows = n_rows.map_or_else(String::new, |n| format!("on {}", counted(n, "row")));
    let all = Tile::new("Columns", count(lines.len() as u64), of_rows);
    let tile =
        |of: &[ScreenLine]| Tile::new(of[0].verdict.name, of.len().to_string(), columns(of.len()));
    let tiles: Vec<Tile> = [all].into_iter().chain(by_verdict(lines).map(tile)).collect();
    let body = html! {
        h1 { "What each column tells of " bdi { (target) } }
        (header(tiles.iter(), &html! {}, &[]))
        main { section id=(ID) class="span12" { h2 { (HEADING) } (screen_table(lines)) } }
    };
    document(&format!("Screen of {target}"), &body)
}

fn screen_table(lines: &[ScreenLine]) -> Markup {
    let has_rules = lines.iter().any(|line| line.rule.is_some());
    html! {
        p.faint {
            "The bar is the share of the target that a column tells, less what chance tells. q is the false \
             discovery rate: of all columns with as low a value, at most this share tell nothing."
        }
        div.wide { table.filled.screen {
            thead { tr {
                th { "column" } th.opt.bars {} th.n { "tells" } th.n.opt { "q" } th.n.opt { "missing" }
                th.n.opt { "levels" } th { "why" } @if has_rules { th.opt { "best rule" } }
            } }
            @for of in by_verdict(lines) {
                @let verdict = of[0].verdict;
                tbody style={ "--accent:" (verdict.color) } {
                    tr.verdict { th colspan=(if has_rules { "8" } else { "7" }) {
                        strong { (verdict.name) } " " (counted(of.len() as u64, "column"))
                        div.faint { (verdict.about) }
                    } }
                    @for line in of { (row(line, has_rules)) }
                }
            }
        } }
    }
}

fn row(line: &ScreenLine, has_rules: bool) -> Markup {
    let told = line.share_told();
    let cell = |text: Option<String>| html! { td.n.opt { (text.unwrap_or_else(|| "-".into())) } };
    // Of columns that tell, the reason is the best rule.
    let rule = line.rule.as_ref().filter(|rule| **rule != line.why);
    let span = if has_rules && rule.is_none() { "2" } else { "1" };
    html! {
        tr {
            td { bdi { (clean(&line.feature)) } }
            td.opt {
                @if let Some((share, _)) = told {
                    span.meter style={ "--part:" (part(share)) " 100%" } {}
                }
            }
            td.n { @if let Some((_, figure)) = &told { (figure) } @else { "-" } }
            (cell(line.q_value.map(probability)))
            (cell(line.missing.map(percent)))
            (cell(line.n_levels.map(count)))
            td colspan=(span) title=(clean(&line.why)) { bdi dir="ltr" { (unbroken(&line.reason())) } }
            @if let Some(rule) = rule {
                td.opt title=(clean(rule)) { bdi dir="ltr" { (unbroken(&rounded_bounds(rule))) } }
            }
        }
    }
}

/// As many digits as tell one probability from another.
fn probability(p: f64) -> String {
    if 0.0 < p && p < LEAST { format!("< {LEAST}") } else { figure(p, 2) }
}
