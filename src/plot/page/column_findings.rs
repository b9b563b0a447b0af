//! What a page says of the columns of a frame, whatever its model is.

use maud::html;

use super::columns::{ColumnNotes, columns};
use super::subject::Subject;
use super::{PageSection, SectionRows, meter, unbroken};
use crate::plot::elements::drawing::Drawing;
use crate::plot::elements::text::{clean, figure, short};
use crate::spec::LogBase;

/// What a page says of a frame's columns.
#[derive(Default)]
pub(crate) struct ColumnFindings {
    /// Best first.
    pub(crate) ranking: Vec<RankedFeature>,
    pub(crate) curves: Vec<Drawing>,
    /// What the best features tell about each other; there are two at least.
    pub(crate) pairs: Option<Drawing>,
    /// The features that tell most together, if any tells more than chance.
    pub(crate) selection: Option<Drawing>,
    pub(crate) notes: Vec<ColumnNotes>,
}

/// A line of the ranking.
pub(crate) struct RankedFeature {
    pub(crate) feature: String,
    /// Information gain, or variance reduction.
    pub(crate) gain: f64,
    pub(crate) is_float: bool,
    /// The gain ratio; numbers have none.
    pub(crate) ratio: Option<f64>,
    /// What the gain is of: a cut, or a branch for each of a number of levels.
    pub(crate) split: String,
    pub(crate) rule: String,
    /// The rule's own gain.
    pub(crate) rule_gain: f64,
}

impl ColumnFindings {
    /// The sections on the columns, in order.
    pub(super) fn sections(&self, subject: &Subject, rows: SectionRows) -> Vec<PageSection> {
        let mut sections = vec![ranking(subject, &self.ranking, rows), curves(&self.curves, rows)];
        sections.extend(self.pairs.as_ref().map(|drawing| pairs(drawing, rows)));
        let steps = self.selection.as_ref();
        sections.extend(steps.map(|drawing| selection(subject.is_regression(), drawing, rows)));
        sections.push(columns(&self.notes, rows));
        sections
    }
}

fn ranking(subject: &Subject, ranking: &[RankedFeature], rows: SectionRows) -> PageSection {
    let most = ranking.iter().map(|line| line.gain).fold(0.0, f64::max);
    let of_numbers = subject.is_regression();
    let unit = if subject.log_base == LogBase::Two { "bits" } else { "nats" };
    let body = html! {
        p.faint {
            @if of_numbers { "What each feature alone takes off the variance, over the rows whose value is known." }
            @else { "What each feature alone tells about the class, over the rows whose value is known." }
        }
        div.wide { table.filled {
            thead { tr {
                th { "feature" }
                th.opt.bars {}
                th.n { @if of_numbers { "variance reduction" } @else { "information gain, " (unit) } }
                @if !of_numbers { th.n.opt { "gain ratio" } }
                th.opt { "split" }
                th { "best two-way rule" }
                th.n.opt { "gain of the rule" }
            } }
            tbody { @for line in ranking { tr {
                td { bdi { (clean(&line.feature)) } }
                td.opt { (meter(line.gain / most)) }
                td.n { (figure(line.gain, 4)) }
                @if let Some(ratio) = line.ratio { td.n.opt { (figure(ratio, 4)) } }
                td.opt { (line.split) }
                td title=(clean(&line.rule)) { bdi dir="ltr" { (unbroken(&if line.is_float { short(&line.rule) } else { clean(&line.rule) })) } }
                td.n.opt { (figure(line.rule_gain, 4)) }
            } } }
        } }
    };
    PageSection { id: "ranking", heading: "Ranking", rows, span: 12, body }
}

fn curves(curves: &[Drawing], rows: SectionRows) -> PageSection {
    let body = html! {
        @if curves.is_empty() { p { "No feature gains anything." } }
        div.charts { @for curve in curves { figure.chart { (curve.inline()) } } }
    };
    PageSection { id: "curves", heading: "Cuts of the top features", rows, span: 12, body }
}

fn selection(of_numbers: bool, drawing: &Drawing, rows: SectionRows) -> PageSection {
    let body = html! {
        p.faint {
            "Each step adds the feature that tells most beside those above it, of those that tell more "
            "than chance. Numbers are taken by ten intervals of about as many rows"
            @if of_numbers { ", the target too" }
            "."
        }
        figure.wide { (drawing.inline()) }
    };
    PageSection { id: "selection", heading: "Features one after the other", rows, span: 12, body }
}

fn pairs(drawing: &Drawing, rows: SectionRows) -> PageSection {
    let body = html! {
        p.faint {
            "0: neither feature tells the other. 1: each tells the other, so that one of them is enough."
         }
        figure.wide { (drawing.inline()) }
    };
    PageSection { id: "pairs", heading: "Pairs of the top features", rows, span: 12, body }
}
