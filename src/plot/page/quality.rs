//! The section on the quality of a tree's predictions: confusion, or residuals.

use maud::{Markup, html};

use super::{PageSection, part};
use crate::data::dtype::DType;
use crate::error::Result;
use crate::plot::elements::axis::Axis;
use crate::plot::elements::colors::BAR;
use crate::plot::elements::drawing::Drawing;
use crate::plot::elements::panels::{self, Panel, PanelBar};
use crate::plot::elements::text::{clean, count, figure, percent};
use crate::plot::feature::WIDTH;
use crate::tree::TreeData;

/// Classes whose confusion is drawn as a matrix.
const MATRIX: usize = 20;
/// Bars of a histogram of residuals.
const BINS: usize = 41;

pub(crate) enum Quality {
    Classes {
        accuracy: f64,
        log_loss: f64,
        /// Actual by predicted; a last row of classes the tree was never trained on, if any.
        confusion: Vec<u64>,
    },
    Numbers {
        rmse: f64,
        mae: f64,
        r2: f64,
        /// Actual less predicted, ascending.
        residuals: Vec<f64>,
    },
}

pub(super) fn quality(tree: &TreeData, quality: &Quality) -> Result<PageSection> {
    let body = match quality {
        Quality::Classes { accuracy, log_loss, confusion } => html! {
            p {
                "Accuracy " strong { (figure(*accuracy, 5)) } ", log loss " strong { (figure(*log_loss, 4)) }
            }
            (matrix(tree, confusion))
            (by_class(tree, confusion))
        },
        Quality::Numbers { rmse, mae, r2, residuals } => html! {
            p {
                "RMSE " strong { (figure(*rmse, 5)) } ", MAE " strong { (figure(*mae, 5)) }
                ", R² " strong { (figure(*r2, 4)) }
            }
            figure.wide style="margin: 0" { (residual_chart(residuals)?) }
            (quantiles(residuals))
        },
    };
    Ok(PageSection { id: "quality", heading: "Quality", body })
}

/// Actual classes down, predicted ones across, each cell as dark as its share of its row.
fn matrix(tree: &TreeData, confusion: &[u64]) -> Markup {
    let k = tree.schema().classes.len();
    if k > MATRIX {
        return html! {};
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
            tbody { @for (actual, counts) in confusion.chunks(k).enumerate() {
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

/// Precision and recall of each class.
fn by_class(tree: &TreeData, confusion: &[u64]) -> Markup {
    let k = tree.schema().classes.len();
    let shown = k.min(100);
    let ratio =
        |a: u64, b: u64| if b == 0 { "-".to_string() } else { percent(a as f64 / b as f64) };
    html! {
        div.wide style="margin-top: 1rem" { table {
            thead { tr {
                th { "class" } th.n { "precision" } th.n { "recall" } th.n { "actual rows" }
                th.n { "predicted rows" }
            } }
            tbody { @for class in 0..shown {
                @let right = confusion[class * k + class];
                @let actual: u64 = confusion[class * k..(class + 1) * k].iter().sum();
                @let predicted: u64 = confusion.iter().skip(class).step_by(k).sum();
                tr {
                    td { bdi { (clean(&tree.schema().class_text(class))) } }
                    td.n { (ratio(right, predicted)) }
                    td.n { (ratio(right, actual)) }
                    td.n { (count(actual)) }
                    td.n { (count(predicted)) }
                }
            } }
        } }
        @if k > shown { p.faint { "and " (k - shown) " more classes" } }
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
