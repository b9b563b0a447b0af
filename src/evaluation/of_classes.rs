//! How good predictions of classes are.

use std::ops::Range;

use super::binary_figures::{Run, average_precision, roc_auc};
use super::bootstrap::{drawn_counts, intervals};
use super::calibration::calibration;
use super::class_cells::ClassCells;
use super::class_score::{ClassScore, Confusion, most_frequent};
use super::figures::Evaluation;
use super::thresholds::thresholds;
use crate::error::Result;
use crate::score::{LEAST_PROBABILITY, PreparedTree, Routes};
use crate::spec::EvalSpec;

/// Ways in order of a class's probability, which falls.
struct Order {
    paths: Vec<u32>,
    probabilities: Vec<f64>,
}

impl Order {
    fn new(of_paths: &[f64]) -> Order {
        let mut paths: Vec<u32> = (0..of_paths.len() as u32).collect();
        let probability = |path: &u32| of_paths[*path as usize];
        paths.sort_unstable_by(|a, b| probability(b).total_cmp(&probability(a)).then(a.cmp(b)));
        let probabilities = paths.iter().map(probability).collect();
        Order { paths, probabilities }
    }
}

/// Cells, and what of the tree they are judged by.
struct JudgedCells<'t> {
    cells: ClassCells<'t>,
    /// Of each cell, the probability of its own class; 0 of a class never trained.
    own: Vec<f64>,
    /// Of each path, the sum of the squared probabilities.
    squares: Vec<f64>,
    /// Of each class.
    orders: Vec<Order>,
    /// The classes that the areas are about, each against the rest: the event, or all.
    ranked: Range<usize>,
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

impl PreparedTree<'_> {
    /// Compares predictions with actual classes, of which there are some; `None` is a class the tree was
    /// never trained on, and counts as wrong. `O(classes x leaves log leaves)` beside the rows.
    pub(crate) fn evaluate_classes(
        self,
        routes: &Routes,
        actual: &[Option<u32>],
        spec: &EvalSpec,
    ) -> Result<Evaluation> {
        let event = self.data.checked_event(spec)?;
        let judged = JudgedCells::new(ClassCells::new(self, routes, actual), event);
        let counts: Vec<u64> = judged.cells.cells.iter().map(|cell| cell.n).collect();
        let of_paths = judged.of_paths(&counts);
        let by_class = judged.by_class(&counts, &of_paths);
        let figures = judged.figures(&counts);
        let mut runs =
            event.map(|event| judged.runs(event, &counts, &of_paths)).unwrap_or_default();
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
            event: event.map(|event| event as u32),
            calibration: calibration(&runs, spec.bins),
            thresholds,
            by_class,
            confusion: judged.cells.confusion(),
            intervals,
            absent_levels: routes.absent_levels,
            looks_like_training: self.data.classes_look_like_training(routes, actual),
        })
    }

    /// The pairs of actual and predicted class that occur.
    pub(crate) fn confusion(self, routes: &Routes, actual: &[Option<u32>]) -> Vec<Confusion> {
        ClassCells::new(self, routes, actual).confusion()
    }
}

impl<'t> JudgedCells<'t> {
    fn new(cells: ClassCells<'t>, event: Option<usize>) -> Self {
        let k = cells.n_classes();
        let mut own = vec![0.0; cells.cells.len()];
        let mut squares = vec![0.0; cells.paths.nodes.len()];
        let mut orders = Vec::with_capacity(k);
        for class in 0..k {
            let of_paths = cells.tree.probabilities(&cells.paths, class);
            squares.iter_mut().zip(&of_paths).for_each(|(sum, p)| *sum += p * p);
            for at in cells.of_class(class) {
                own[at] = of_paths[cells.cells[at].path as usize];
            }
            orders.push(Order::new(&of_paths));
        }
        let ranked = event.map_or(0..k, |event| event..event + 1);
        JudgedCells { cells, own, squares, orders, ranked }
    }

    /// Rows of each path.
    fn of_paths(&self, counts: &[u64]) -> Vec<u64> {
        let mut of_paths = vec![0; self.squares.len()];
        let cells = self.cells.cells.iter().zip(counts);
        cells.for_each(|(cell, n)| of_paths[cell.path as usize] += n);
        of_paths
    }

    /// The rows by a class's probability, which falls, and those of the class among them.
    fn runs(&self, class: usize, counts: &[u64], of_paths: &[u64]) -> Vec<Run> {
        let order = &self.orders[class];
        let mut events = vec![0u64; of_paths.len()];
        for at in self.cells.of_class(class) {
            events[self.cells.cells[at].path as usize] += counts[at];
        }
        let mut runs: Vec<Run> = Vec::new();
        for (&path, &probability) in order.paths.iter().zip(&order.probabilities) {
            let (n, events) = (of_paths[path as usize], events[path as usize]);
            match runs.last_mut() {
                _ if n == 0 => {}
                Some(run) if run.probability == probability => {
                    run.n += n;
                    run.events += events;
                }
                _ => runs.push(Run { probability, n, events }),
            }
        }
        runs
    }

    fn figures(&self, counts: &[u64]) -> Figures {
        let cells = &self.cells.cells;
        let n = counts.iter().sum::<u64>() as f64;
        let (mut right, mut loss, mut squares) = (0u64, 0.0, 0.0);
        for ((cell, &count), &own) in cells.iter().zip(counts).zip(&self.own) {
            let rows = count as f64;
            right += if self.cells.predicted[cell.path as usize] == cell.class { count } else { 0 };
            loss -= rows * own.clamp(LEAST_PROBABILITY, 1.0).ln();
            // Σ (p_c - y_c)², where y is 1 of the row's own class and else 0.
            squares += rows * (self.squares[cell.path as usize] - 2.0 * own + 1.0).max(0.0);
        }
        let of_paths = self.of_paths(counts);
        let mut means = [Mean::default(); 2];
        for class in self.ranked.clone() {
            let runs = self.runs(class, counts, &of_paths);
            means[0].add(roc_auc(&runs));
            means[1].add(average_precision(&runs));
        }
        // Of two classes the square of either is the same.
        let halves = if self.cells.n_classes() == 2 { 2.0 } else { 1.0 };
        Figures {
            accuracy: right as f64 / n,
            log_loss: loss / n + 0.0, // not -0
            brier: squares / n / halves,
            roc_auc: means[0].get(),
            average_precision: means[1].get(),
        }
    }

    fn by_class(&self, counts: &[u64], of_paths: &[u64]) -> Vec<ClassScore> {
        let k = self.cells.n_classes();
        let mut scores = vec![ClassScore::default(); k];
        for (cell, &n) in self.cells.cells.iter().zip(counts) {
            let predicted = self.cells.predicted[cell.path as usize];
            scores[predicted as usize].predicted += n;
            if let Some(score) = scores.get_mut(cell.class as usize) {
                score.n += n;
                score.right += if predicted == cell.class { n } else { 0 };
            }
        }
        for (class, score) in scores.iter_mut().enumerate() {
            let runs = self.runs(class, counts, of_paths);
            score.roc_auc = roc_auc(&runs);
            score.average_precision = average_precision(&runs);
        }
        scores
    }
}

impl ClassCells<'_> {
    fn confusion(&self) -> Vec<Confusion> {
        let k = self.n_classes();
        let mut pairs: Vec<(u32, u32, u64)> = self
            .cells
            .iter()
            .map(|cell| (cell.class, self.predicted[cell.path as usize], cell.n))
            .collect();
        pairs.sort_unstable();
        let same = |a: &(u32, u32, u64), b: &(u32, u32, u64)| (a.0, a.1) == (b.0, b.1);
        let runs = pairs.chunk_by(same);
        runs.map(|run| Confusion {
            actual: Some(run[0].0).filter(|&class| (class as usize) < k),
            predicted: run[0].1,
            n: run.iter().map(|pair| pair.2).sum(),
        })
        .collect()
    }
}

/// The mean of those that are there.
#[derive(Clone, Copy, Default)]
struct Mean {
    sum: f64,
    n: u32,
}

impl Mean {
    fn add(&mut self, value: Option<f64>) {
        if let Some(value) = value {
            self.sum += value;
            self.n += 1;
        }
    }

    fn get(self) -> Option<f64> {
        (self.n > 0).then(|| self.sum / f64::from(self.n))
    }
}
