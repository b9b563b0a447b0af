//! The page on a tree and a frame: what the frame's columns tell, and how good the tree is there.

use maud::{Markup, html};

use super::axis::Axis;
use super::chart::{self, Bar, PackedColumns};
use super::colors::BAR;
use super::curve::WIDTH;
use super::measure::{clean, count, counted, figure, percent};
use super::page::{Section, importances, meter, page, part, rules, tree_section};
use super::svg::Drawing;
use super::tree::TreePicture;
use crate::data::dtype::DType;
use crate::error::Result;
use crate::spec::LogBase;
use crate::tree::TreeData;

/// Classes whose confusion is drawn as a matrix.
const MATRIX: usize = 20;
/// Leaves and folded subtrees of the picture, and its depth: what a sheet of paper holds. The
/// tree that folds is below it.
const PICTURE: (usize, u32) = (12, 3);
/// Bars of a histogram of residuals.
const BINS: usize = 41;

/// What a page says of a frame.
pub(crate) struct Findings {
    pub(crate) rows: u64,
    /// Best first.
    pub(crate) ranking: Vec<Ranked>,
    pub(crate) curves: Vec<Drawing>,
    pub(crate) quality: Quality,
    pub(crate) columns: Vec<ColumnNotes>,
    /// What is to be known of the whole, a sentence each.
    pub(crate) remarks: Vec<String>,
}

/// A line of the ranking.
pub(crate) struct Ranked {
    pub(crate) feature: String,
    /// Information gain, or variance reduction.
    pub(crate) gain: f64,
    /// The gain ratio; numbers have none.
    pub(crate) ratio: Option<f64>,
    pub(crate) rule: String,
}

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

/// What is to be known of a column.
pub(crate) struct ColumnNotes {
    pub(crate) name: String,
    pub(crate) dtype: String,
    pub(crate) kind: String,
    pub(crate) n_levels: u64,
    pub(crate) missing: f64,
    pub(crate) notes: Vec<String>,
}

pub(crate) fn report(tree: &TreeData, findings: &Findings) -> Result<String> {
    let mut about = vec![format!("This page is on {}.", counted(findings.rows, "row"))];
    about.extend(findings.remarks.iter().cloned());
    let sections = vec![
        quality(tree, &findings.quality)?,
        ranking(tree, &findings.ranking),
        importances(tree),
        tree_section(tree, &TreePicture::default().max_leaves(PICTURE.0).max_depth(PICTURE.1)),
        curves(&findings.curves),
        rules(tree),
        columns(&findings.columns),
    ];
    Ok(page(tree, &about, sections))
}

fn ranking(tree: &TreeData, ranking: &[Ranked]) -> Section {
    let most = ranking.iter().map(|line| line.gain).fold(0.0, f64::max);
    let of_numbers = tree.is_regression();
    let unit = if tree.spec().log_base == LogBase::Two { "bits" } else { "nats" };
    let body = html! {
        p.faint {
            @if of_numbers { "What each feature's best rule alone takes off the variance." }
            @else { "What each feature alone tells about the class, over the rows whose value is known." }
        }
        div.wide { table {
            thead { tr {
                th { "feature" }
                th { @if of_numbers { "variance reduction" } @else { "information gain, " (unit) } }
                th {}
                @if !of_numbers { th.n { "gain ratio" } }
                th { "best rule" }
            } }
            tbody { @for line in ranking { tr {
                td { bdi { (clean(&line.feature)) } }
                td { (meter(line.gain / most)) }
                td.n { (figure(line.gain, 4)) }
                @if let Some(ratio) = line.ratio { td.n { (figure(ratio, 4)) } }
                td { bdi dir="ltr" { (clean(&line.rule)) } }
            } } }
        } }
    };
    Section { id: "ranking", heading: "Ranking", body }
}

fn curves(curves: &[Drawing]) -> Section {
    let body = html! {
        @if curves.is_empty() { p { "No feature gains anything." } }
        @for curve in curves { figure.wide style="margin: 0 0 1.5rem" { (curve.inline()) } }
    };
    Section { id: "curves", heading: "Cuts of the top features", body }
}

fn quality(tree: &TreeData, quality: &Quality) -> Result<Section> {
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
    Ok(Section { id: "quality", heading: "Quality", body })
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
    let axis = Axis::of_values(&DType::F64, -far, far, chart::room(WIDTH));
    let mut bins = vec![0u64; BINS];
    for &residual in residuals {
        let bin = (axis.place(residual) * BINS as f64) as usize;
        bins[bin.min(BINS - 1)] += 1;
    }
    let width = 1.0 / BINS as f64;
    let bars = bins.iter().enumerate().map(|(at, &n)| {
        let from = at as f64 * width;
        let place = (from + 0.05 * width, from + 0.95 * width);
        Bar { place, height: (0.0, n as f64), color: BAR }
    });
    let panel = PackedColumns {
        title: "residuals (actual less predicted), rows".into(),
        lines: vec![],
        bars: bars.collect(),
        from_zero: true,
    };
    let body = chart::panels(&[panel], &axis, Some(0.5), WIDTH)?;
    let drawing =
        Drawing { width: WIDTH, height: chart::height(1), title: "residuals".into(), body };
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

fn columns(columns: &[ColumnNotes]) -> Section {
    let body = html! {
        div.wide { table {
            thead { tr {
                th { "column" } th { "dtype" } th { "kind" } th.n { "levels" } th.n { "missing" }
                th { "notes" }
            } }
            tbody { @for column in columns { tr {
                td { bdi { (clean(&column.name)) } }
                td { (clean(&column.dtype)) }
                td { (column.kind) }
                td.n { (count(column.n_levels)) }
                td.n { (percent(column.missing)) }
                td.note { (column.notes.join("; ")) }
            } } }
        } }
    };
    Section { id: "data", heading: "Data", body }
}
