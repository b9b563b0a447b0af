//! The section that holds a tree and rows against others: the same tree on other rows, or another
//! tree on the same rows.

use maud::{Markup, html};

use super::quality::roc_chart;
use super::{PageSection, SectionRows, meter, unbroken};
use crate::evaluation::Evaluation;
use crate::plot::elements::text::{clean, count, figure, percent, rounded_bounds};
use crate::rank::drift::{DriftLine, FeatureDrift};

/// Figures in the order of the section, and what they are called in it.
const FIGURES: [(&str, &str); 10] = [
    ("rows", "rows"),
    ("accuracy", "accuracy"),
    ("majority_accuracy", "accuracy of the majority"),
    ("roc_auc", "ROC AUC"),
    ("average_precision", "average precision"),
    ("log_loss", "log loss"),
    ("brier", "Brier score"),
    ("r2", "R²"),
    ("rmse", "RMSE"),
    ("mae", "MAE"),
];
/// Columns whose drift is listed.
const DRIFTS: usize = 20;
/// Features whose importances are listed.
const FEATURES: usize = 30;

pub(crate) struct SideBySide {
    /// What the page's side is called, and the other.
    pub(crate) names: [String; 2],
    pub(crate) evaluations: [Evaluation; 2],
    pub(crate) differs_in: Difference,
}

/// What the two sides do not share.
pub(crate) enum Difference {
    /// The rows; how far each column has moved, the farthest first.
    Rows(Vec<DriftLine>),
    /// The tree.
    Tree {
        /// For classes: the rows that both trees predict correctly, the page's alone, the other
        /// alone, and neither.
        correct: Option<[u64; 4]>,
        /// The chance of so uneven a split of the rows that one alone predicts correctly, were the
        /// trees as good.
        p_value: Option<f64>,
        /// Features and their importances in the two trees, the greatest first.
        importances: Vec<(String, [Option<f64>; 2])>,
    },
}

pub(super) fn comparison(sides: &SideBySide, rows: SectionRows) -> PageSection {
    let [page, other] = [&sides.names[0], &sides.names[1]].map(|name| clean(name));
    let (id, heading) = match &sides.differs_in {
        Difference::Rows(_) => ("beside", "Beside other rows"),
        Difference::Tree { .. } => ("against", "Against another tree"),
    };
    let body = html! {
        p.faint { (about(&sides.differs_in, &page, &other)) }
        div.parts.sides {
            div { table {
                thead { tr { th {} th.n { bdi { (page) } } th.n { bdi { (other) } } th.n { "difference" } } }
                tbody { @for (name, [a, b]) in figures(&sides.evaluations) { tr {
                    td { (name) }
                    td.n { (shown(a)) } td.n { (shown(b)) }
                    td.n { @if name != "rows" { (shown(a.zip(b).map(|(a, b)| a - b))) } }
                } } }
            } }
            @match &sides.differs_in {
                Difference::Rows(columns) => { (drifts(columns, &page, &other)) }
                Difference::Tree { correct, p_value, importances } => {
                    @if let Some(correct) = correct { (agreement(correct, *p_value, &page, &other)) }
                    (both_importances(importances, &page, &other))
                }
            }
            @if let Some(chart) = roc(&sides.evaluations) { figure.chart { (chart) } }
        }
    };
    PageSection { id, heading, rows, span: 12, body }
}

fn about(difference: &Difference, page: &str, other: &str) -> String {
    match difference {
        Difference::Rows(_) => format!(
            "The tree on {page} and on {other}. Where it was fitted on one of the two, and its \
             figures are much better there, it overfits."
        ),
        Difference::Tree { .. } => {
            format!("The tree of this page, {page}, and {other}, on the same rows.")
        }
    }
}

/// The figures of both sides, by what they are called here.
fn figures(evaluations: &[Evaluation; 2]) -> Vec<(&'static str, [Option<f64>; 2])> {
    let named = evaluations.each_ref().map(|evaluation| {
        let (Evaluation::Classes { rows, .. } | Evaluation::Numbers { rows, .. }) = evaluation;
        [vec![("rows", Some(*rows as f64))], evaluation.figures()].concat()
    });
    let of =
        |side: &[(&str, Option<f64>)], name| Some(side.iter().find(|figure| figure.0 == name)?.1);
    let both = |(name, label)| Some((label, [of(&named[0], name)?, of(&named[1], name)?]));
    FIGURES.into_iter().filter_map(both).collect()
}

fn shown(x: Option<f64>) -> String {
    match x {
        Some(n) if n.fract() == 0.0 && (1.0..1e15).contains(&n) => count(n as u64),
        Some(x) => figure(x, 4),
        None => "-".to_string(),
    }
}

fn drifts(columns: &[DriftLine], page: &str, other: &str) -> Markup {
    let compared = columns.iter().filter_map(|line| Some((&line.feature, line.drift()?)));
    let compared: Vec<(&String, &FeatureDrift)> = compared.take(DRIFTS).collect();
    html! {
        @if !compared.is_empty() { div { table {
            caption { "How far the columns are apart (PSI), and the bin where most" }
            thead { tr {
                th { "column" } th.n { "PSI" } th.opt { "bin" }
                th.n.opt { bdi { (page) } } th.n.opt { bdi { (other) } }
            } }
            tbody { @for (column, drift) in compared { tr {
                td { bdi { (clean(column)) } }
                td.n { (figure(drift.psi, 3)) }
                td.opt { (unbroken(&rounded_bounds(&drift.worst.rule))) }
                td.n.opt { (percent(drift.worst.share[1])) }
                td.n.opt { (percent(drift.worst.share[0])) }
            } } }
        } } }
    }
}

fn agreement(correct: &[u64; 4], p_value: Option<f64>, page: &str, other: &str) -> Markup {
    let [both, page_alone, other_alone, neither] = correct.map(count);
    html! {
        div {
            table {
                caption { "Rows predicted correctly" }
                tbody {
                    tr { td { "by both" } td.n { (both) } }
                    tr { td { "by " bdi { (page) } " alone" } td.n { (page_alone) } }
                    tr { td { "by " bdi { (other) } " alone" } td.n { (other_alone) } }
                    tr { td { "by neither" } td.n { (neither) } }
                }
            }
            @if let Some(p) = p_value {
                p.faint { "Were the two as good, so uneven a split had the chance " (figure(p, 2)) " (McNemar)." }
            }
        }
    }
}

fn both_importances(importances: &[(String, [Option<f64>; 2])], page: &str, other: &str) -> Markup {
    let cell = |importance: Option<f64>| importance.map_or("-".to_string(), |x| figure(x, 3));
    html! {
        div { table {
            caption { "Importances" }
            thead { tr {
                th { "feature" } th.n { bdi { (page) } } th.opt {} th.n { bdi { (other) } } th.opt {}
            } }
            tbody { @for (feature, [a, b]) in importances.iter().take(FEATURES) { tr {
                td { bdi { (clean(feature)) } }
                td.n { (cell(*a)) } td.opt { (meter(a.unwrap_or_default())) }
                td.n { (cell(*b)) } td.opt { (meter(b.unwrap_or_default())) }
            } } }
        } }
    }
}

/// Both ROC curves, where both are of an event.
fn roc(evaluations: &[Evaluation; 2]) -> Option<Markup> {
    let thresholds = evaluations.each_ref().map(|evaluation| match evaluation {
        Evaluation::Classes { thresholds, event: Some(event), .. } => Some((thresholds, event)),
        Evaluation::Classes { .. } | Evaluation::Numbers { .. } => None,
    });
    let [Some((page, event)), Some((other, _))] = thresholds else { return None };
    Some(roc_chart(&clean(event), page, Some(other)))
}
