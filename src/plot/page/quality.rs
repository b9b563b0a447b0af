//! The section on the quality of a tree's predictions: confusion, or residuals.

use maud::{Markup, html};

use super::{PageSection, SectionRows, part};
use crate::data::dtype::DType;
use crate::error::Result;
use crate::plot::elements::axis::Axis;
use crate::plot::elements::colors::BAR;
use crate::plot::elements::drawing::Drawing;
use crate::plot::elements::panels::{self, Panel, PanelBar};
use crate::plot::elements::text::{clean, count, figure, percent};
use crate::plot::feature::WIDTH;
use crate::score::evaluation::{ClassScore, Confusion, Evaluation};
use crate::tree::TreeData;

/// Classes whose confusion is drawn as a matrix.
const MATRIX: usize = 20;
/// Bars of a histogram of residuals.
const BINS: usize = 41;

pub(crate) enum Quality {
    Classes(Evaluation),
    Numbers {
        rmse: f64,
        mae: f64,
        r2: f64,
        /// Actual less predicted, ascending.
        residuals: Vec<f64>,
    },
}

pub(super) fn quality(
    tree: &TreeData,
    quality: &Quality,
    rows: SectionRows,
) -> Result<PageSection> {
    let body = match quality {
        Quality::Classes(evaluation) => classes(tree, evaluation),
        Quality::Numbers { rmse, mae, r2, residuals } => html! {
            p {
                "RMSE " strong { (figure(*rmse, 5)) } ", MAE " strong { (figure(*mae, 5)) }
                ", R² " strong { (figure(*r2, 4)) }
            }
            figure.wide style="margin: 0" { (residual_chart(residuals)?) }
            (quantiles(residuals))
        },
    };
    Ok(PageSection { id: "quality", heading: "Quality", rows, body })
}

fn classes(tree: &TreeData, evaluation: &Evaluation) -> Markup {
    let Evaluation::Classes {
        accuracy,
        majority_accuracy,
        log_loss,
        roc_auc,
        confusion,
        by_class,
        ..
    } = evaluation
    else {
        return html! {};
    };
    html! {
        p {
            "Accuracy " strong { (figure(*accuracy, 5)) }
            " (" (figure(*majority_accuracy, 5)) " by always answering "
            bdi { (clean(&tree.answer_text(0))) } "), log loss " strong { (figure(*log_loss, 4)) }
            @if let Some(area) = roc_auc { ", ROC AUC " strong { (figure(*area, 4)) } }
        }
        (matrix(tree, confusion))
        (class_table(tree, by_class))
    }
}

/// Actual classes down, predicted ones across, each cell as dark as its share of its row.
fn matrix(tree: &TreeData, confusion: &[Confusion]) -> Markup {
    let k = tree.schema().classes.len();
    if k > MATRIX {
        return html! {};
    }
    let unknown = confusion.iter().any(|pair| pair.actual.is_none());
    let mut counts = vec![0; (k + usize::from(unknown)) * k];
    for pair in confusion {
        let row = pair.actual.map_or(k, |class| class as usize);
        counts[row * k + pair.predicted as usize] = pair.n;
    }
    let name = |class: usize| match class < k {
        true => clean(&tree.schema().class_text(class)),
        false => "(never trained)".to_string(),
    };
    html! {
        div.wide { table {
            thead { tr {
                th { "actual \\ predicted" }
                @for class in 0..k { th.n { bdi { (name(class)) } } }
            } }
            tbody { @for (actual, counts) in counts.chunks(k).enumerate() {
                @let sum = counts.iter().sum::<u64>().max(1) as f64;
                tr {
                    th { bdi { (name(actual)) } }
                    @for &n in counts {
                        td.n.share style={ "--part:" (part(0.7 * n as f64 / sum)) } { (count(n)) }
                    }
                }
            } }
        } }
    }
}

/// Precision, recall and F1 of each class.
fn class_table(tree: &TreeData, by_class: &[ClassScore]) -> Markup {
    let shown = by_class.len().min(100);
    let ratio = |share: Option<f64>| share.map_or("-".to_string(), percent);
    html! {
        div.wide style="margin-top: 1rem" { table {
            thead { tr {
                th { "class" } th.n { "precision" } th.n { "recall" } th.n { "F1" }
                th.n { "actual rows" } th.n { "predicted rows" }
            } }
            tbody { @for (class, score) in by_class.iter().take(shown).enumerate() { tr {
                td { bdi { (clean(&tree.schema().class_text(class))) } }
                td.n { (ratio(score.precision())) }
                td.n { (ratio(score.recall())) }
                td.n { (ratio(score.f1())) }
                td.n { (count(score.n)) }
                td.n { (count(score.predicted)) }
            } } }
        } }
        @if by_class.len() > shown { p.faint { "and " (by_class.len() - shown) " more classes" } }
    }
}

fn residual_chart(residuals: &[f64]) -> Result<Markup> {
    let (Some(&lo), Some(&hi)) = (residuals.first(), residuals.last()) else {
        return Ok(html! {});
    };
    // As far to the left of 0 as to the right, so that a lean is seen.
    let far = lo.abs().max(hi.abs());
    let axis = Axis::of_values(&DType::F64, -far, far, panels::plot_width(WIDTH));
    let mut bins = vec![0u64; BINS];
    for &residual in residuals {
        let bin = (axis.place(residual) * BINS as f64) as usize;
        bins[bin.min(BINS - 1)] += 1;
    }
    let width = 1.0 / BINS as f64;
    let bars = bins.iter().enumerate().map(|(at, &n)| {
        let from = at as f64 * width;
        let place = (from + 0.05 * width, from + 0.95 * width);
        PanelBar { place, height: (0.0, n as f64), color: BAR }
    });
    let panel = Panel::of_bars("residuals (actual less predicted), rows", bars.collect());
    let body = panels::panels(&[panel], &axis, Some(0.5), WIDTH)?;
    let drawing =
        Drawing { width: WIDTH, height: panels::height(1), title: "residuals".into(), body };
    Ok(drawing.inline())
}

fn quantiles(residuals: &[f64]) -> Markup {
    if residuals.is_empty() {
        return html! {};
    }
    let at = |q: f64| residuals[((residuals.len() - 1) as f64 * q).round() as usize];
    let shown = [
        ("least", 0.0),
        ("5 %", 0.05),
        ("25 %", 0.25),
        ("median", 0.5),
        ("75 %", 0.75),
        ("95 %", 0.95),
        ("greatest", 1.0),
    ];
    html! {
        div.wide { table {
            thead { tr { th { "residual" } @for (name, _) in shown { th.n { (name) } } } }
            tbody { tr { td {} @for (_, q) in shown { td.n { (figure(at(q), 4)) } } } }
        } }
    }
}
