//! What a page says of the columns of a frame, whatever its model is.

use maud::html;

use super::columns::{ColumnNotes, columns};
use super::subject::Subject;
use super::{PageSection, SectionRows, meter, picture_section, unbroken};
use crate::data::column::Column;
use crate::data::dtype::Kind;
use crate::plot::elements::drawing::Drawing;
use crate::plot::elements::text::{clean, figure, short};
use crate::rank::{FeatureGain, Measures};
use crate::spec::LogBase;

#[derive(Default)]
pub(crate) struct ColumnFindings<'a> {
    /// The columns by what each gains, best first.
    pub(crate) ranking: Vec<(&'a Column, FeatureGain)>,
    pub(crate) curves: Vec<Drawing>,
    /// What the best features tell about each other; there are two at least.
    pub(crate) pairs: Option<Drawing>,
    /// The features that tell most together, if any tells more than chance.
    pub(crate) selection: Option<Drawing>,
    pub(crate) notes: Vec<ColumnNotes<'a>>,
}

impl ColumnFindings<'_> {
    pub(super) fn sections(&self, subject: &Subject, rows: SectionRows) -> Vec<PageSection> {
        let mut sections = vec![ranking(subject, &self.ranking, rows), curves(&self.curves, rows)];
        sections.extend(self.pairs.as_ref().map(|drawing| pairs(drawing, rows)));
        let steps = self.selection.as_ref();
        sections.extend(steps.map(|drawing| selection(subject.is_regression(), drawing, rows)));
        sections.push(columns(&self.notes, rows));
        sections
    }
}

fn ranking(
    subject: &Subject,
    ranking: &[(&Column, FeatureGain)],
    rows: SectionRows,
) -> PageSection {
    let most = ranking.iter().map(|(_, gain)| gain.gain()).fold(0.0, f64::max);
    let rule =
        |column: &Column, rule| if column.dtype().is_float() { short(rule) } else { clean(rule) };
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
            tbody { @for (column, gain) in ranking { tr {
                td { bdi { (clean(column.name())) } }
                td.opt { (meter(gain.gain() / most)) }
                td.n { (figure(gain.gain(), 4)) }
                @if let Measures::Classes(m) = &gain.measures { td.n.opt { (figure(m.gain_ratio, 4)) } }
                td.opt {
                    @match column.kind() {
                        Kind::Ordered => "best cut",
                        Kind::Nominal => { (gain.n_levels) " levels" }
                    }
                }
                td title=(clean(&gain.rule)) { bdi dir="ltr" { (unbroken(&rule(column, &gain.rule))) } }
                td.n.opt { (figure(gain.rule_gain.unwrap_or(0.0), 4)) }
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
    let names = ["selection", "Features one after the other"];
    let target = if of_numbers { ", the target too" } else { "" };
    let about = format!(
        "Each step looks at the features that tell more than chance, and adds the one that tells most \
         beside the features above it. Numbers are taken by ten intervals of about as many rows{target}."
    );
    picture_section(names, &about, drawing, rows, 12)
}

fn pairs(drawing: &Drawing, rows: SectionRows) -> PageSection {
    let names = ["pairs", "Pairs of the top features"];
    let about = "0: neither feature tells the other. 1: each tells the other, so that one of them is enough.";
    picture_section(names, about, drawing, rows, 12)
}
