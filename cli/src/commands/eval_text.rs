//! What `gaintree eval` prints beside the figures.

use gaintree::engine::Schema;
use gaintree::{CalibrationBin, ClassScore, Confusion, Evaluation, FigureInterval, Threshold};

use crate::terminal::cells;

const MATRIX_CLASSES: usize = 20;
/// More thresholds are printed only where the recall reaches the next tenth.
const ALL_THRESHOLDS: usize = 13;

/// Intervals if there are some, each class's figures, how often classes were taken for each other,
/// how far the event's probabilities can be trusted, and what thresholds on them would do.
pub fn details(evaluation: &Evaluation, schema: &Schema) -> Vec<String> {
    let mut parts = Vec::new();
    if !evaluation.intervals().is_empty() {
        parts.push(intervals_text(evaluation.intervals()));
    }
    let Evaluation::Classes { by_class, confusion, calibration, thresholds, event, .. } =
        evaluation
    else {
        return parts;
    };
    let classes: Vec<String> = (0..by_class.len()).map(|c| schema.class_text(c)).collect();
    parts.push(classes_text(by_class, &classes));
    parts.push(confusion_text(confusion, &classes));
    if let Some(event) = event {
        parts.push(calibration_text(calibration, event));
        parts.push(thresholds_text(thresholds, event));
    }
    parts
}

fn decimals(x: f64) -> String {
    format!("{x:.6}")
}

/// A number with its decimals, or with all of its digits if it has more.
fn whole(x: f64) -> String {
    Some(decimals(x)).filter(|text| text.parse() == Ok(x)).unwrap_or_else(|| x.to_string())
}

fn or_dash(x: Option<f64>) -> String {
    x.map_or_else(|| "-".to_string(), decimals)
}

fn intervals_text(intervals: &[FigureInterval]) -> String {
    let rows = intervals.iter().map(|of| {
        let shares = [of.value, of.low, of.high].map(or_dash);
        [vec![of.figure.clone()], shares.to_vec()].concat()
    });
    cells(&["figure", "value", "low", "high"], rows)
}

fn classes_text(by_class: &[ClassScore], classes: &[String]) -> String {
    let rows = by_class.iter().zip(classes).map(|(score, class)| {
        let counts = [score.n, score.predicted].map(|n| n.to_string());
        let shares =
            [score.precision(), score.recall(), score.f1(), score.roc_auc, score.average_precision];
        [vec![class.clone()], counts.to_vec(), shares.map(or_dash).to_vec()].concat()
    });
    let heading =
        ["class", "n", "predicted", "precision", "recall", "f1", "roc_auc", "average_precision"];
    cells(&heading, rows)
}

/// Actual classes down, predicted ones across; of many classes the pairs that occur.
fn confusion_text(confusion: &[Confusion], classes: &[String]) -> String {
    let k = classes.len();
    let actual = |class: Option<u32>| match class {
        Some(class) => classes[class as usize].clone(),
        None => "(never trained)".to_string(),
    };
    if k > MATRIX_CLASSES {
        let rows = confusion.iter().map(|pair| {
            vec![actual(pair.actual), classes[pair.predicted as usize].clone(), pair.n.to_string()]
        });
        return cells(&["actual", "predicted", "n"], rows);
    }
    let unknown = confusion.iter().any(|pair| pair.actual.is_none()).then_some(None);
    let rows = (0..k as u32).map(Some).chain(unknown).map(|class| {
        let mut counts = vec![0; k];
        for pair in confusion.iter().filter(|pair| pair.actual == class) {
            counts[pair.predicted as usize] = pair.n;
        }
        [actual(class)].into_iter().chain(counts.iter().map(u64::to_string)).collect()
    });
    let heading = ["actual \\ predicted"].into_iter().chain(classes.iter().map(String::as_str));
    cells(&heading.collect::<Vec<_>>(), rows)
}

fn calibration_text(bins: &[CalibrationBin], event: &str) -> String {
    let rows = bins.iter().map(|bin| {
        let ends = match bin.at_least == bin.at_most {
            true => decimals(bin.at_least),
            false => format!("{} to {}", decimals(bin.at_least), decimals(bin.at_most)),
        };
        let shares = [Some(bin.mean_probability), Some(bin.actual_share), bin.lift].map(or_dash);
        [vec![ends, bin.n.to_string()], shares.to_vec()].concat()
    });
    let heading = format!("probability of {event}");
    cells(&[&heading, "n", "mean_probability", "actual_share", "lift"], rows)
}

/// Where the recall reaches the next tenth, and the best one; all if there are few.
fn thresholds_text(thresholds: &[Threshold], event: &str) -> String {
    let mut next = 0.0;
    let mut is_shown = |row: &&Threshold| {
        let recall = row.recall.unwrap_or(0.0);
        let reaches = recall >= next;
        while recall >= next {
            next += 0.1;
        }
        reaches || row.is_best
    };
    let all = thresholds.len() <= ALL_THRESHOLDS;
    let rows = thresholds.iter().filter(|row| all || is_shown(row)).map(|row| {
        let mark = if row.is_best { "least cost" } else { "" };
        let counts = [row.predicted, row.true_positives].map(|n| n.to_string());
        let shares = [row.precision, row.recall, row.lift, Some(row.cost)].map(or_dash);
        let first = match row.threshold == f64::INFINITY {
            true => "(none)".to_string(),
            false => whole(row.threshold),
        };
        [vec![first], counts.to_vec(), shares.to_vec(), vec![mark.to_string()]].concat()
    });
    let heading = format!("{event} if at least");
    let heading =
        [&heading, "predicted", "true_positives", "precision", "recall", "lift", "cost", ""];
    cells(&heading, rows)
}
