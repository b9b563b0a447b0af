//! What each column of a table is: a line a column, grouped by verdict.

use maud::{Markup, html};

use super::elements::colors::{BAR, FAINT, INK, MARK, OTHER, PALETTE, RAIL};
use super::elements::drawing::{Drawing, heading, px};
use super::elements::text::{clean, count, counted, fit, isolated, percent, rounded_bounds, width};

const WIDTH: f64 = 940.0;
const MARGIN: f64 = 8.0;
const SIZE: f64 = 12.5;
const LINE: f64 = 22.0;
/// Between two verdicts.
const GAP: f64 = 10.0;
const TOP: f64 = 76.0;
/// Where names begin, and the widest one.
const NAMES: f64 = MARGIN + 96.0;
const NAME_WIDTH: f64 = 260.0;
/// The bar of a column that tells all of the target, and the space for a figure after it.
const LENGTH: f64 = 150.0;
const FIGURE: f64 = 80.0;
const MAX_LINES: usize = 60;

/// A column of a screen.
pub(crate) struct ScreenLine {
    pub(crate) verdict: &'static VerdictNotes,
    pub(crate) feature: String,
    pub(crate) share: Option<f64>,
    pub(crate) q_value: Option<f64>,
    pub(crate) missing: Option<f64>,
    pub(crate) n_levels: Option<u64>,
    pub(crate) rule: Option<String>,
    pub(crate) why: String,
}

/// A verdict, and what to do about it.
#[derive(PartialEq)]
pub(crate) struct VerdictNotes {
    pub(crate) name: &'static str,
    pub(crate) color: &'static str,
    pub(crate) about: &'static str,
}

/// Verdicts to act on have the warm colours.
const VERDICTS: [VerdictNotes; 8] = [
    VerdictNotes {
        name: "leak",
        color: MARK,
        about: "A leak gives the target away. Ask when its value is known: if only after the target, leave it out.",
    },
    VerdictNotes {
        name: "id",
        color: PALETTE[1],
        about: "An id names the rows, and tells of no others. Leave it out.",
    },
    VerdictNotes {
        name: "twin",
        color: PALETTE[3],
        about: "A twin is told by another column. Leave it out, or take it in place of the other.",
    },
    VerdictNotes {
        name: "useful",
        color: BAR,
        about: "A useful column tells of the target: take it. They are in order of what each tells \
                beside the ones above it.",
    },
    VerdictNotes {
        name: "weak",
        color: PALETTE[4],
        about: "A weak column tells of the target, but little.",
    },
    VerdictNotes {
        name: "chance",
        color: OTHER,
        about: "Such a column tells no more than chance. Leave it out, or collect more rows.",
    },
    VerdictNotes {
        name: "constant",
        color: OTHER,
        about: "A constant column has one value. Leave it out.",
    },
    VerdictNotes {
        name: "unusable",
        color: OTHER,
        about: "An unusable column has no order and no levels. Cast or unnest it, or leave it out.",
    },
];

impl VerdictNotes {
    pub(crate) fn of(name: &str) -> Option<&'static VerdictNotes> {
        VERDICTS.iter().find(|verdict| verdict.name == name)
    }
}

impl ScreenLine {
    /// The share as a length and as a figure. What is below chance tells nothing.
    pub(crate) fn share_told(&self) -> Option<(f64, String)> {
        let share = self.share?.clamp(0.0, 1.0);
        Some((share, percent(share)))
    }

    /// The reason, with bounds of few digits.
    pub(crate) fn reason(&self) -> String {
        clean(&rounded_bounds(&self.why))
    }
}

/// The lines of each verdict, in the order of the lines.
pub(crate) fn by_verdict(lines: &[ScreenLine]) -> impl Iterator<Item = &[ScreenLine]> {
    lines.chunk_by(|a, b| a.verdict == b.verdict)
}

/// A line a column: its name, a bar of the share of the target that it tells, and the reason.
pub(crate) fn drawing(lines: &[ScreenLine]) -> Drawing {
    let title = "What each column is";
    let counts = by_verdict(lines).map(|of| format!("{} {}", of[0].verdict.name, of.len()));
    let columns = counted(lines.len() as u64, "column");
    let about = format!("{columns}: {}", counts.collect::<Vec<_>>().join(", "));
    let names = lines.iter().map(|line| width(&clean(&line.feature), SIZE));
    // Where bars begin.
    let start = NAMES + names.fold(80.0, f64::max).min(NAME_WIDTH) + 16.0;
    let left_out = lines.len().saturating_sub(MAX_LINES);
    let mut height = TOP;
    let mut groups = Vec::new();
    for of in by_verdict(&lines[..lines.len() - left_out]) {
        groups.push(group(of, height, start));
        height += of.len() as f64 * LINE + GAP;
    }
    let headings =
        [(NAMES, "column"), (start, "tells of the target"), (start + LENGTH + FIGURE, "why")];
    let body = html! {
        (heading(title, &about, MARGIN, WIDTH))
        g font-size="11" fill=(FAINT) {
            @for (x, text) in headings { text x=(px(x)) y="64" { (text) } }
        }
        g font-size=(SIZE) {
            @for group in groups { (group) }
            @if left_out > 0 {
                text x=(px(NAMES)) y=(px(height + 14.0)) fill=(FAINT) {
                    "and " (count(left_out as u64)) " more"
                }
            }
        }
    };
    height += if left_out > 0 { LINE } else { 0.0 };
    Drawing { width: WIDTH, height, title: format!("{title}: {about}"), body }
}

/// The columns of a verdict, from `top` down; their bars begin at `start`.
fn group(lines: &[ScreenLine], top: f64, start: f64) -> Markup {
    let VerdictNotes { name, color, about } = lines[0].verdict;
    let bottom = lines.len() as f64 * LINE;
    html! {
        g transform={ "translate(0 " (px(top)) ")" } {
            line x1=(MARGIN) x2=(px(WIDTH - MARGIN)) y1=(px(-GAP / 2.0)) y2=(px(-GAP / 2.0)) stroke=(RAIL)
                stroke-width="0.5" {}
            rect x=(MARGIN) y="2" width="4" height=(px(bottom - 4.0)) rx="2" fill=(color) {}
            text x=(px(MARGIN + 12.0)) y="15" font-weight="bold" fill=(INK) {
                title { (about) }
                (name)
            }
            @for (at, of) in lines.iter().enumerate() { (line(at, of, start)) }
        }
    }
}

fn line(at: usize, line: &ScreenLine, start: f64) -> Markup {
    let (name, why) = (clean(&line.feature), line.reason());
    let reasons = start + LENGTH + FIGURE;
    html! {
        g transform={ "translate(0 " (px(at as f64 * LINE)) ")" } {
            title {
                (name) ": " (line.verdict.name) ", " (clean(&line.why))
                @if let Some(missing) = line.missing { "; missing " (percent(missing)) }
                @if let Some(n) = line.n_levels { "; levels " (count(n)) }
            }
            text x=(px(NAMES)) y="15" fill=(INK) { (isolated(&fit(&name, NAME_WIDTH, SIZE))) }
            @if let Some((share, figure)) = line.share_told() {
                rect x=(px(start)) y="5" width=(px(LENGTH)) height="12" rx="2" fill=(RAIL)
                    fill-opacity="0.35" {}
                rect x=(px(start)) y="5" width=(px(LENGTH * share)) height="12" rx="2"
                    fill=(line.verdict.color) {}
                text x=(px(start + LENGTH + 8.0)) y="15" fill=(INK) { (figure) }
            }
            text x=(px(reasons)) y="15" fill=(FAINT) {
                (isolated(&fit(&why, WIDTH - MARGIN - reasons, SIZE)))
            }
        }
    }
}
