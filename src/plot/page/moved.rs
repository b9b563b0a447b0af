//! The section on how far the rows of a page are from a reference.

use maud::html;

use super::{PageSection, SectionRows, unbroken};
use crate::plot::elements::drawing::Drawing;
use crate::plot::elements::text::{clean, count, counted, figure, percent, rounded_bounds};
use crate::rank::drift::{DriftLine, FeatureDrift};
use crate::spec::DriftSpec;

/// Columns that are listed.
const LISTED: usize = 40;

pub(crate) struct Moved {
    /// What the page's rows are called, and the reference.
    pub(crate) names: [String; 2],
    /// The reference's rows.
    pub(crate) n_reference: u64,
    /// The farthest first; columns that cannot be compared are last.
    pub(crate) columns: Vec<DriftLine>,
    /// The bins of the first of them.
    pub(crate) drawings: Vec<Drawing>,
}

pub(super) fn moved(moved: &Moved, rows: SectionRows) -> PageSection {
    let [page, reference] = moved.names.each_ref().map(|name| clean(name));
    let body = html! {
        p.faint {
            "Beside the " (counted(moved.n_reference, "row")) " of the reference, " bdi { (reference) }
            ". A column has moved if its PSI is at least 0.1 above what chance makes of it, and q, the \
             false discovery rate, is at most 0.05. q is left out where there are too few rows for a test."
        }
        div { table {
            thead { tr {
                th { "column" } th.n { "PSI" } th.n { "by chance" } th.n { "q" } th { "verdict" } th.opt { "bin that moved most" }
                th.n { bdi { (reference) } } th.n { bdi { (page) } } th.opt { "" }
            } }
            tbody { @for line in moved.columns.iter().take(LISTED) { tr {
                td { bdi { (clean(&line.feature)) } }
                @match &line.compared {
                    Ok((_, _, f)) => {
                        td.n { (figure(f.psi, 3)) }
                        td.n { (figure(f.expected_psi, 3)) }
                        td.n { @if let Some(q) = f.q_value { (figure(q, 2)) } }
                        td { (f.verdict(&DriftSpec::default())) }
                        td.opt { (unbroken(&rounded_bounds(&f.worst.rule))) }
                        td.n { (percent(f.worst.share[0])) }
                        td.n { (percent(f.worst.share[1])) }
                        td.opt { (remarks(f).join("; ")) }
                    }
                    Err(reason) => { td.n {} td.n {} td.n {} td {} td.opt colspan="4" { (clean(reason)) } }
                }
            } } }
        } }
        @if moved.columns.len() > LISTED {
            p.faint { "And " (counted((moved.columns.len() - LISTED) as u64, "column")) " more." }
        }
        div.parts { @for drawing in &moved.drawings { figure.chart { (drawing.inline()) } } }
    };
    PageSection { id: "reference", heading: "Has it moved?", rows, span: 12, body }
}

/// What a line says beside its figures.
fn remarks(drift: &FeatureDrift) -> Vec<String> {
    let mut remarks = Vec::new();
    let [before, after] = drift.missing;
    if before != after {
        remarks.push(format!("{} missing, was {}", percent(after), percent(before)));
    }
    if let Some([new, vanished]) = drift.levels {
        let levels = [(new, "new"), (vanished, "gone")];
        let some = levels.into_iter().filter(|(n, _)| *n > 0);
        remarks.extend(some.map(|(n, what)| {
            format!("{} {} {what}", count(n), if n == 1 { "level" } else { "levels" })
        }));
    }
    remarks
}
