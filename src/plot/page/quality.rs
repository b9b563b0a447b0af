//! The sections on the quality of a model's predictions, and on the distribution of a numeric target.

use maud::{Markup, html};

use super::confusion::{UPRIGHT, class_table, matrix, mistakes};
use super::header::Tile;
use super::subject::Subject;
use super::{PageSection, SectionRows};
use crate::data::dtype::DType;
use crate::evaluation::{CalibrationBin, Evaluation, Threshold, most_frequent};
use crate::plot::elements::axis::Axis;
use crate::plot::elements::colors::{BAR, FAINT, INK};
use crate::plot::elements::drawing::Drawing;
use crate::plot::elements::panels::{self, Panel, PanelBar, PanelLine, Stroke};
use crate::plot::elements::text::{clean, count, figure, percent, rate};

/// The shares of the rows whose thresholds are listed.
const SHARES: [f64; 5] = [0.01, 0.05, 0.1, 0.2, 0.5];
/// Bars of a histogram.
const BINS: usize = 41;
/// Predicted numbers that have a point each, and points where there are more.
const MAX_PREDICTED: usize = 100;
const NEIGHBOURS: usize = 25;
/// The width of a chart: three stand side by side.
pub(super) const CHART: f64 = 360.0;

pub(crate) struct Quality {
    pub(crate) evaluation: Evaluation,
    /// Actual numbers and their predictions, in order of the predictions; none of classes.
    pub(super) pairs: Vec<(f64, f64)>,
}

impl Quality {
    /// `pairs` are actual numbers and their predictions.
    pub(crate) fn new(evaluation: Evaluation, mut pairs: Vec<(f64, f64)>) -> Quality {
        pairs.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.total_cmp(&b.0)));
        Quality { evaluation, pairs }
    }

    /// The figures for the head of the page.
    pub(super) fn tiles(&self, subject: &Subject) -> Vec<Tile> {
        match &self.evaluation {
            Evaluation::Classes {
                accuracy,
                majority_accuracy,
                log_loss,
                roc_auc,
                average_precision,
                event,
                thresholds,
                by_class,
                ..
            } => {
                let majority = subject.schema.class_text(most_frequent(by_class));
                let mut tiles = vec![Tile::new(
                    "Accuracy",
                    percent(*accuracy),
                    format!("{} by always answering {majority}", percent(*majority_accuracy)),
                )];
                if let Some(area) = roc_auc {
                    tiles.push(Tile::new("ROC AUC", figure(*area, 4), "0.5 by chance".into()));
                }
                if let (Some(precision), Some(event)) = (average_precision, event) {
                    // Chance is as precise as taking all rows.
                    let share = thresholds.last().and_then(|all| all.precision).unwrap_or_default();
                    let note = format!("of {event}; {} by chance", figure(share, 4));
                    tiles.push(Tile::new("Average precision", figure(*precision, 4), note));
                }
                tiles.push(Tile::new("Log loss", figure(*log_loss, 4), "0 is best".into()));
                tiles
            }
            Evaluation::Numbers { rmse, mae, r2, .. } => vec![
                Tile::new("R²", figure(*r2, 4), "0 by always answering the mean".into()),
                Tile::new("RMSE", figure(*rmse, 4), self.deviation()),
                Tile::new("MAE", figure(*mae, 4), "mean absolute error".into()),
            ],
        }
    }

    /// The deviation of the actual numbers, which an RMSE is held against.
    fn deviation(&self) -> String {
        let n = self.pairs.len() as f64;
        let mean: f64 = self.pairs.iter().map(|pair| pair.0 / n).sum();
        let variance: f64 =
            self.pairs.iter().map(|pair| (pair.0 - mean) * ((pair.0 - mean) / n)).sum();
        format!("{} by always answering the mean", figure(variance.sqrt(), 4))
    }
}

pub(super) fn quality(subject: &Subject, quality: &Quality, rows: SectionRows) -> PageSection {
    let body = match subject.is_regression() {
        true => numbers(&quality.pairs),
        false => classes(subject, &quality.evaluation),
    };
    PageSection { id: "quality", heading: "Quality", rows, span: 12, body }
}

/// The distribution of a numeric target. `pairs` are actual numbers and their predictions.
pub(super) fn target(subject: &Subject, pairs: &[(f64, f64)], rows: SectionRows) -> PageSection {
    let mut actual: Vec<f64> = pairs.iter().map(|pair| pair.0).collect();
    actual.sort_by(f64::total_cmp);
    let ends = actual.first().copied().zip(actual.last().copied()).unwrap_or_default();
    let name = clean(&subject.schema.target);
    let trained = subject.mean;
    let body = html! {
        p.faint { "Upright: the mean of the rows the " (subject.kind) " was fitted on, " (figure(trained, 5)) "." }
        div.parts {
            figure.chart { (histogram(&format!("{name}, rows"), &actual, ends, trained)) }
            div { (quantiles(&name, &actual)) }
        }
    };
    PageSection { id: "target", heading: "Target", rows, span: 5, body }
}

fn classes(subject: &Subject, evaluation: &Evaluation) -> Markup {
    let Evaluation::Classes { calibration, thresholds, event, confusion, by_class, .. } =
        evaluation
    else {
        return html! {};
    };
    let event = event.as_deref().map(clean);
    html! {
        div.parts {
            (matrix(subject, confusion))
            (class_table(subject, by_class, confusion))
            @if by_class.len() > UPRIGHT { (mistakes(subject, confusion)) }
            @if let Some(event) = &event { (threshold_table(event, thresholds)) }
        }
        @if let Some(event) = event {
            div.charts {
                figure.chart { (roc_chart(&event, thresholds, None)) }
                figure.chart { (precision_chart(&event, thresholds)) }
                figure.chart { (calibration_chart(&event, calibration)) }
            }
        }
    }
}

/// What the rows of highest probability hold: the thresholds that take at most some shares of the
/// rows.
fn threshold_table(event: &str, thresholds: &[Threshold]) -> Markup {
    let rows = thresholds.last().map_or(0, |all| all.predicted);
    let share = |row: &Threshold| row.predicted as f64 / rows.max(1) as f64;
    let up_to = |most| thresholds.iter().rfind(|row| row.predicted > 0 && share(row) <= most);
    let mut listed: Vec<&Threshold> = SHARES.iter().filter_map(|&most| up_to(most)).collect();
    listed.dedup_by_key(|row| row.predicted);
    let ratio = |share: Option<f64>| share.map_or("-".to_string(), percent);
    html! {
        @if !listed.is_empty() { div { table {
            caption { "The rows most likely to be " (event) }
            thead { tr {
                th.n { "probability from" } th.n { "rows" } th.n.opt { "share" }
                th.n { "precision" } th.n { "recall" } th.n { "lift" }
            } }
            tbody { @for row in listed { tr {
                td.n { (row.threshold) }
                td.n { (count(row.predicted)) }
                td.n.opt { (rate(share(row))) }
                td.n { (ratio(row.precision)) }
                td.n { (ratio(row.recall)) }
                td.n { (row.lift.map_or("-".to_string(), |lift| figure(lift, 3))) }
            } } }
        } } }
    }
}

/// The ROC curve of an event; the curves of other classes are dashed.
pub(super) fn roc_chart(
    event: &str,
    thresholds: &[Threshold],
    others: Option<&[Threshold]>,
) -> Markup {
    let axis = Axis::of_values(&DType::F64, 0.0, 1.0, panels::plot_width(CHART));
    let point = |row: &Threshold| row.false_positive_rate.zip(row.recall);
    let mut lines = vec![diagonal(&axis), thick(thresholds.iter().filter_map(point).collect())];
    let mut title = format!("ROC of {event}: true by false positive rate");
    if let Some(others) = others {
        let points = others.iter().filter_map(point).collect();
        lines.push(PanelLine { points, color: BAR, stroke: Stroke::Dashed });
        title = format!("ROC of {event}; dashed, blue: the other");
    }
    chart(&title, &[Panel::of_lines(title.clone(), lines, true).tall()], &axis, None)
}

/// How many of the rows that are taken for the event are, as more of its rows are found.
fn precision_chart(event: &str, thresholds: &[Threshold]) -> Markup {
    let axis = Axis::of_values(&DType::F64, 0.0, 1.0, panels::plot_width(CHART));
    let point = |row: &Threshold| row.recall.zip(row.precision);
    let lines = vec![thick(thresholds.iter().filter_map(point).collect())];
    let title = format!("precision of {event} by its recall");
    chart(&title, &[Panel::of_lines(title.clone(), lines, true).tall()], &axis, None)
}

/// What was said to be likely, and how often it was so.
fn calibration_chart(event: &str, bins: &[CalibrationBin]) -> Markup {
    let most = bins.iter().map(|bin| bin.mean_probability.max(bin.actual_share));
    let most = (1.1 * most.fold(0.0, f64::max)).min(1.0);
    let axis = Axis::of_values(&DType::F64, 0.0, most, panels::plot_width(CHART));
    let at = |bin: &CalibrationBin| axis.position(bin.mean_probability);
    let points = bins.iter().map(|bin| (at(bin), bin.actual_share)).collect();
    let bars = bins.iter().map(|bin| PanelBar {
        position: ((at(bin) - 0.005).max(0.0), (at(bin) + 0.005).min(1.0)),
        height: (0.0, bin.n as f64),
        color: FAINT,
    });
    let title = format!("share of {event} by its probability");
    let lines = Panel::of_lines(title.clone(), vec![diagonal(&axis), thick(points)], true);
    chart(&title, &[lines, Panel::of_bars("rows", bars.collect())], &axis, None)
}

fn numbers(pairs: &[(f64, f64)]) -> Markup {
    let mut residuals: Vec<f64> =
        pairs.iter().map(|(actual, predicted)| actual - predicted).collect();
    residuals.sort_by(f64::total_cmp);
    let far = residuals
        .first()
        .map_or(0.0, |lo| lo.abs())
        .max(residuals.last().map_or(0.0, |hi| hi.abs()));
    html! {
        div.parts {
            figure.chart { (histogram("residuals (actual less predicted), rows", &residuals, (-far, far), 0.0)) }
            figure.chart { (agreement_chart(pairs)) }
            div { (quantiles("residual", &residuals)) }
        }
    }
}

/// The mean of the actual numbers by the predicted one. A tree predicts few numbers; where there
/// are many, neighbouring ones are taken together.
fn agreement_chart(pairs: &[(f64, f64)]) -> Markup {
    let (Some(first), Some(last)) = (pairs.first(), pairs.last()) else { return html! {} };
    let axis = Axis::of_values(&DType::F64, first.1, last.1, panels::plot_width(CHART));
    let mut groups: Vec<&[(f64, f64)]> = pairs.chunk_by(|a, b| a.1 == b.1).collect();
    if groups.len() > MAX_PREDICTED {
        groups = pairs.chunks(pairs.len().div_ceil(NEIGHBOURS)).collect();
    }
    let means = groups.iter().map(|group| {
        let n = group.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| group.iter().map(|pair| of(pair) / n).sum::<f64>();
        (axis.position(mean(|pair| pair.1)), mean(|pair| pair.0))
    });
    let lines = vec![diagonal(&axis), thick(means.collect())];
    let title = "mean actual number by the predicted one";
    chart(title, &[Panel::of_lines(title.into(), lines, false).tall()], &axis, None)
}

/// Bars of sorted numbers, with a mark.
fn histogram(title: &str, sorted: &[f64], (lo, hi): (f64, f64), mark: f64) -> Markup {
    let axis = Axis::of_values(&DType::F64, lo, hi, panels::plot_width(CHART));
    let mut bins = vec![0u64; BINS];
    for &x in sorted {
        let bin = (axis.position(x) * BINS as f64) as usize;
        bins[bin.min(BINS - 1)] += 1;
    }
    let width = 1.0 / BINS as f64;
    let bars = bins.iter().enumerate().map(|(at, &n)| {
        let from = at as f64 * width;
        let position = (from + 0.05 * width, from + 0.95 * width);
        PanelBar { position, height: (0.0, n as f64), color: BAR }
    });
    let mark = Some(axis.position(mark)).filter(|at| (0.0..=1.0).contains(at));
    chart(title, &[Panel::of_bars(title, bars.collect()).tall()], &axis, mark)
}

fn quantiles(of: &str, sorted: &[f64]) -> Markup {
    if sorted.is_empty() {
        return html! {};
    }
    let at = |q: f64| sorted[((sorted.len() - 1) as f64 * q).round() as usize];
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
        table {
            thead { tr { th {} th.n { (of) } } }
            tbody { @for (name, q) in shown { tr { td { (name) } td.n { (figure(at(q), 4)) } } } }
        }
    }
}

/// Where a perfect answer is.
fn diagonal(axis: &Axis) -> PanelLine {
    PanelLine { points: vec![(0.0, axis.lo), (1.0, axis.hi)], color: FAINT, stroke: Stroke::Dashed }
}

fn thick(points: Vec<(f64, f64)>) -> PanelLine {
    PanelLine { points, color: INK, stroke: Stroke::Thick }
}

fn chart(title: &str, all: &[Panel], axis: &Axis, mark: Option<f64>) -> Markup {
    let body = panels::panels(all, axis, mark, CHART);
    let height = panels::height(all);
    Drawing { width: CHART, height, title: title.into(), body }.inline()
}
