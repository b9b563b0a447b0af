//! The section on the target: its distribution.

use maud::{Markup, html};

use super::quality::{Quality, histogram, quantiles};
use super::{PageSection, SectionRows};
use crate::evaluation::{ClassScore, Confusion, Evaluation};
use crate::plot::elements::colors::Palette;
use crate::plot::elements::text::{clean, count, figure, percent};
use crate::tree::TreeData;

/// Classes that are listed; of more, those of most rows.
const CLASSES: usize = 30;

pub(super) fn target(tree: &TreeData, quality: &Quality, rows: SectionRows) -> PageSection {
    let body = match quality {
        Quality::Classes {
            evaluation: Evaluation::Classes { by_class, confusion, .. }, ..
        } => classes(tree, by_class, confusion),
        Quality::Classes { .. } => html! {},
        Quality::Numbers { pairs, .. } => {
            let mut actual: Vec<f64> = pairs.iter().map(|pair| pair.0).collect();
            actual.sort_by(f64::total_cmp);
            let ends = actual.first().copied().zip(actual.last().copied()).unwrap_or_default();
            let name = clean(&tree.schema().target);
            let trained = tree.mean(0).unwrap_or_default();
            html! {
                p.faint { "Upright: the mean of the rows the tree was fitted on, " (figure(trained, 5)) "." }
                div.parts {
                    figure.wide { (histogram(&format!("{name}, rows"), &actual, ends, trained)) }
                    div { (quantiles(&name, &actual)) }
                }
            }
        }
    };
    PageSection { id: "target", heading: "Target", rows, span: 5, body }
}

fn classes(tree: &TreeData, by_class: &[ClassScore], confusion: &[Confusion]) -> Markup {
    let unknown: u64 =
        confusion.iter().filter(|pair| pair.actual.is_none()).map(|pair| pair.n).sum();
    let rows = (by_class.iter().map(|score| score.n).sum::<u64>() + unknown).max(1) as f64;
    let most = by_class.iter().map(|score| score.n).max().unwrap_or(0).max(unknown).max(1) as f64;
    let palette = Palette::of_tree(tree);
    let mut order: Vec<usize> = (0..by_class.len()).collect();
    if order.len() > CLASSES {
        order.sort_by_key(|&class| std::cmp::Reverse(by_class[class].n));
        order.truncate(CLASSES);
    }
    html! {
        div.box { table {
            thead { tr {
                th { "class" } th {} th.n { "rows" } th.n { "share" } th.n { "share in training" }
            } }
            tbody {
                @for class in order {
                    @let n = by_class[class].n;
                    tr {
                        td { bdi { (clean(&tree.schema().class_text(class))) } }
                        td { span.meter style={
                            "--part:" (super::part(n as f64 / most)) " 100%;--accent:" (palette.color(class))
                        } {} }
                        td.n { (count(n)) }
                        td.n { (percent(n as f64 / rows)) }
                        td.n { (percent(tree.probability(0, class))) }
                    }
                }
                @if unknown > 0 { tr {
                    td { "(never trained)" } td { (super::meter(unknown as f64 / most)) }
                    td.n { (count(unknown)) } td.n { (percent(unknown as f64 / rows)) } td.n { "-" }
                } }
            }
        } }
        @if by_class.len() > CLASSES { p.faint { "and " (by_class.len() - CLASSES) " more classes" } }
    }
}
