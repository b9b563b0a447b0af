//! How good predictions of classes are.

use std::ops::Range;

use super::bootstrap::{drawn_counts, intervals};
use super::calibration::calibration;
use super::class_score::{ClassScore, Confusion, most_frequent};
use super::figures::Evaluation;
use super::thresholds::thresholds;
use crate::error::Result;
use crate::score::ClassAnswers;
use crate::spec::EvalSpec;
use crate::stat::{Run, average_precision, log_loss, roc_auc};
use crate::tree::Schema;

/// Rows of one answer and of one actual class. `class` is the number of classes for one the model was
/// never trained on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ClassCell {
    class: u32,
    answer: u32,
    n: u64,
}

/// The answers in which a class's probability is not 0, and the probability, which falls.
type Order = Vec<(u32, f64)>;

/// Cells, and the probabilities of their answers that figures are made of.
struct JudgedCells {
    cells: Vec<ClassCell>,
    /// The class of each answer.
    predicted: Vec<u32>,
    /// Each cell's probability of its own class; 0 for a class never trained.
    own: Vec<f64>,
    /// Each answer's sum of the squared probabilities.
    squares: Vec<f64>,
    /// Of each class.
    orders: Vec<Order>,
    /// The classes that the areas are about, each against the rest: the event, or all.
    ranked: Range<usize>,
}

/// Numbers of rows.
struct AnswerRows {
    of_answers: Vec<u64>,
    all: u64,
}

/// Figures of some numbers of rows in the cells.
struct Figures {
    accuracy: f64,
    log_loss: f64,
    brier: f64,
    roc_auc: Option<f64>,
    average_precision: Option<f64>,
}

impl Figures {
    const NAMES: [&'static str; 5] =
        ["accuracy", "log_loss", "brier", "roc_auc", "average_precision"];

    fn values(&self) -> [Option<f64>; 5] {
        let Figures { accuracy, log_loss, brier, roc_auc, average_precision } = *self;
        [Some(accuracy), Some(log_loss), Some(brier), roc_auc, average_precision]
    }
}

/// What rows are judged by beside the answers.
pub(crate) struct Judging<'a> {
    /// The class that figures are about, if they are about one.
    pub(crate) event: Option<usize>,
    pub(crate) schema: &'a Schema,
    pub(crate) spec: &'a EvalSpec,
    /// Whether the rows look like the training rows of the model.
    pub(crate) looks_like_training: bool,
}

/// Compares answers with actual classes; there is at least one row. `None` is a class the model was
/// never trained on, and counts as wrong. `O(n log n)` in the probabilities that are not 0, beside
/// the rows.
pub(crate) fn evaluate_classes(
    answers: ClassAnswers,
    actual: &[Option<u32>],
    judging: Judging,
) -> Result<Evaluation> {
    let Judging { event, schema, spec, looks_like_training } = judging;
    let absent_levels = answers.absent_levels;
    let judged = JudgedCells::new(answers, actual, event);
    let counts: Vec<u64> = judged.cells.iter().map(|cell| cell.n).collect();
    let of_answers = judged.of_answers(&counts);
    let by_class = judged.by_class(&counts, &of_answers);
    let figures = judged.figures(&counts);
    let mut runs = event.map(|event| judged.runs(event, &counts, &of_answers)).unwrap_or_default();
    let thresholds = event.map(|_| thresholds(&runs, spec)).unwrap_or_default();
    runs.reverse();
    let rows = actual.len() as u64;
    let draw = |random: &mut _| {
        let counts = drawn_counts(&counts, random);
        judged.figures(&counts).values().to_vec()
    };
    let intervals = intervals(&Figures::NAMES, &figures.values(), draw, spec)?;
    Ok(Evaluation::Classes {
        rows,
        accuracy: figures.accuracy,
        majority_accuracy: by_class[most_frequent(&by_class)].n as f64 / rows as f64,
        log_loss: figures.log_loss,
        brier: figures.brier,
        roc_auc: figures.roc_auc,
        average_precision: figures.average_precision,
        event: event.map(|event| schema.class_text(event)),
        calibration: calibration(&runs, spec.bins),
        thresholds,
        by_class,
        confusion: pairs(&judged.cells, &judged.predicted, judged.n_classes()),
        intervals,
        absent_levels,
        looks_like_training,
    })
}

/// The pairs of actual and predicted class that occur, given the class that is predicted for each row.
pub(crate) fn confusion(
    predicted: &[u32],
    actual: &[Option<u32>],
    n_classes: usize,
) -> Vec<Confusion> {
    // A class is an answer: itself.
    let classes: Vec<u32> = (0..n_classes as u32).collect();
    pairs(&cells_of(predicted, n_classes, actual, n_classes), &classes, n_classes)
}

/// The rows of each answer and class, in order of class, then answer. A pair without rows is left
/// out. `O(n)`, or `O(n log n)` where classes times answers are more than the rows.
fn cells_of(
    answer_of_row: &[u32],
    n_answers: usize,
    actual: &[Option<u32>],
    n_classes: usize,
) -> Vec<ClassCell> {
    let cell = |(class, answer): (&Option<u32>, &u32)| {
        class.map_or(n_classes, |class| class as usize) * n_answers + *answer as usize
    };
    let keys = actual.iter().zip(answer_of_row).map(cell);
    let of_key = |(key, n): (usize, u64)| ClassCell {
        class: (key / n_answers) as u32,
        answer: (key % n_answers) as u32,
        n,
    };
    if (n_classes + 1).saturating_mul(n_answers) <= actual.len().max(1 << 10) {
        let mut counts = vec![0u64; (n_classes + 1) * n_answers];
        keys.for_each(|key| counts[key] += 1);
        counts.into_iter().enumerate().filter(|(_, n)| *n > 0).map(of_key).collect()
    } else {
        let mut keys: Vec<usize> = keys.collect();
        keys.sort_unstable();
        let runs = keys.chunk_by(|a, b| a == b);
        runs.map(|run| of_key((run[0], run.len() as u64))).collect()
    }
}

/// The range of a class's cells.
fn cells_of_class(cells: &[ClassCell], class: usize) -> Range<usize> {
    let start = |class: usize| cells.partition_point(|cell| (cell.class as usize) < class);
    start(class)..start(class + 1)
}

/// The pairs of actual and predicted class among cells.
fn pairs(cells: &[ClassCell], predicted: &[u32], n_classes: usize) -> Vec<Confusion> {
    let pair = |cell: &ClassCell| (cell.class, predicted[cell.answer as usize], cell.n);
    let mut pairs: Vec<(u32, u32, u64)> = cells.iter().map(pair).collect();
    pairs.sort_unstable();
    let same = |a: &(u32, u32, u64), b: &(u32, u32, u64)| (a.0, a.1) == (b.0, b.1);
    let runs = pairs.chunk_by(same);
    runs.map(|run| Confusion {
        actual: Some(run[0].0).filter(|&class| (class as usize) < n_classes),
        predicted: run[0].1,
        n: run.iter().map(|pair| pair.2).sum(),
    })
    .collect()
}

impl JudgedCells {
    fn new(answers: ClassAnswers, actual: &[Option<u32>], event: Option<usize>) -> Self {
        let ClassAnswers { of_row, predicted, probabilities, .. } = answers;
        let (n_answers, k) = (predicted.len(), probabilities.len());
        let cells = cells_of(&of_row, n_answers, actual, k);
        let mut own = vec![0.0; cells.len()];
        let mut squares = vec![0.0; n_answers];
        let mut orders = Vec::with_capacity(k);
        for (class, mut order) in probabilities.into_iter().enumerate() {
            order.iter().for_each(|&(answer, p)| squares[answer as usize] += p * p);
            for at in cells_of_class(&cells, class) {
                if let Ok(found) = order.binary_search_by_key(&cells[at].answer, |of| of.0) {
                    own[at] = order[found].1;
                }
            }
            order.sort_by(|a, b| b.1.total_cmp(&a.1));
            orders.push(order);
        }
        let ranked = event.map_or(0..k, |event| event..event + 1);
        JudgedCells { cells, predicted, own, squares, orders, ranked }
    }

    fn n_classes(&self) -> usize {
        self.orders.len()
    }

    fn of_answers(&self, counts: &[u64]) -> AnswerRows {
        let mut of_answers = vec![0; self.squares.len()];
        let cells = self.cells.iter().zip(counts);
        cells.for_each(|(cell, n)| of_answers[cell.answer as usize] += n);
        AnswerRows { of_answers, all: counts.iter().sum() }
    }

    /// Runs of rows by falling probability of a class, and how many of their rows are of the class.
    fn runs(&self, class: usize, counts: &[u64], rows: &AnswerRows) -> Vec<Run> {
        let of_class = cells_of_class(&self.cells, class);
        let (cells, counts) = (&self.cells[of_class.clone()], &counts[of_class]);
        let events = |answer: u32| {
            let found = cells.binary_search_by_key(&answer, |cell| cell.answer);
            found.map_or(0, |at| counts[at])
        };
        let mut others = Run { probability: 0.0, n: rows.all, events: counts.iter().sum() };
        let mut runs: Vec<Run> = Vec::new();
        for &(answer, probability) in &self.orders[class] {
            let (n, events) = (rows.of_answers[answer as usize], events(answer));
            others.n -= n;
            others.events -= events;
            match runs.last_mut() {
                _ if n == 0 => {}
                Some(run) if run.probability == probability => {
                    run.n += n;
                    run.events += events;
                }
                _ => runs.push(Run { probability, n, events }),
            }
        }
        runs.extend((others.n > 0).then_some(others));
        runs
    }

    fn figures(&self, counts: &[u64]) -> Figures {
        let cells = &self.cells;
        let n = counts.iter().sum::<u64>() as f64;
        let (mut right, mut loss, mut squares) = (0u64, 0.0, 0.0);
        for ((cell, &count), &own) in cells.iter().zip(counts).zip(&self.own) {
            let rows = count as f64;
            right += if self.predicted[cell.answer as usize] == cell.class { count } else { 0 };
            loss += rows * log_loss(own);
            // Σ (p_c - y_c)², where y is 1 for the row's own class and 0 otherwise.
            squares += rows * (self.squares[cell.answer as usize] - 2.0 * own + 1.0).max(0.0);
        }
        let of_answers = self.of_answers(counts);
        let of_class = |class: usize| {
            let runs = self.runs(class, counts, &of_answers);
            (roc_auc(&runs), average_precision(&runs))
        };
        let (areas, precisions): (Vec<_>, Vec<_>) = self.ranked.clone().map(of_class).unzip();
        // The square of either of two classes is the same.
        let halves = if self.n_classes() == 2 { 2.0 } else { 1.0 };
        Figures {
            accuracy: right as f64 / n,
            log_loss: loss / n,
            brier: squares / n / halves,
            roc_auc: mean(areas),
            average_precision: mean(precisions),
        }
    }

    fn by_class(&self, counts: &[u64], of_answers: &AnswerRows) -> Vec<ClassScore> {
        let k = self.n_classes();
        let mut scores = vec![ClassScore::default(); k];
        for (cell, &n) in self.cells.iter().zip(counts) {
            let predicted = self.predicted[cell.answer as usize];
            scores[predicted as usize].predicted += n;
            if let Some(score) = scores.get_mut(cell.class as usize) {
                score.n += n;
                score.right += if predicted == cell.class { n } else { 0 };
            }
        }
        for (class, score) in scores.iter_mut().enumerate() {
            let runs = self.runs(class, counts, of_answers);
            score.roc_auc = roc_auc(&runs);
            score.average_precision = average_precision(&runs);
        }
        scores
    }
}

/// The mean of the numbers that are there.
fn mean(numbers: Vec<Option<f64>>) -> Option<f64> {
    let known: Vec<f64> = numbers.into_iter().flatten().collect();
    (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
}
