//! The Rust peers: how each fits, and what came out.

use std::error::Error;
use std::time::{Duration, Instant};

use biosphere::{DecisionTree as BiosphereTree, DecisionTreeParameters as BiosphereParameters};
use linfa::prelude::{Dataset, Fit, Predict};
use linfa_trees::{DecisionTree as LinfaTree, SplitQuality};
use ndarray::{Array1, Array2, ShapeBuilder};
use ndarray_of_linfa as linfa_array;
use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::tree::decision_tree_classifier::{
    DecisionTreeClassifier, DecisionTreeClassifierParameters,
};

use crate::table::Table;

/// What is asked for.
#[derive(Clone, Copy)]
pub struct Job {
    pub depth: Option<u16>,
    /// Nodes and train accuracy too.
    pub rate: bool,
}

/// What came out.
pub struct Done {
    /// To bring the columns into the peer's form.
    pub prepare: Duration,
    pub fit: Duration,
    /// The most memory the process had by the end of the fit.
    pub peak_kb: Option<u64>,
    pub nodes: Option<usize>,
    pub accuracy: Option<f64>,
}

pub fn fit(learner: &str, table: Table, job: Job) -> Result<Done, Box<dyn Error>> {
    match learner {
        "linfa" => linfa(table, job),
        "smartcore" => smartcore(table, job),
        "biosphere" => biosphere(table, job),
        _ => Err(format!("no learner is called {learner}").into()),
    }
}

fn linfa(table: Table, job: Job) -> Result<Done, Box<dyn Error>> {
    let start = Instant::now();
    let shape = linfa_array::ShapeBuilder::f((table.rows, table.n_columns));
    let features = linfa_array::Array2::from_shape_vec(shape, table.by_column)?;
    let data = Dataset::new(features, linfa_array::Array1::from_vec(table.target));
    let prepare = start.elapsed();
    let tree = LinfaTree::params()
        .split_quality(SplitQuality::Gini)
        .max_depth(job.depth.map(usize::from))
        // The least it allows.
        .min_impurity_decrease(f64::EPSILON)
        .fit(&data)?;
    let fit = start.elapsed() - prepare;
    let peak_kb = peak_kb();
    let nodes = job.rate.then(|| tree.iter_nodes().count());
    let accuracy = job.rate.then(|| {
        let found: linfa_array::Array1<usize> = tree.predict(&data.records);
        share(found.iter().zip(&data.targets).map(|(found, class)| found == class))
    });
    Ok(Done { prepare, fit, peak_kb, nodes, accuracy })
}

fn smartcore(table: Table, job: Job) -> Result<Done, Box<dyn Error>> {
    let start = Instant::now();
    let features = DenseMatrix::new(table.rows, table.n_columns, table.by_column, true)?;
    let target: Vec<u32> = table.target.iter().map(|&c| c as u32).collect();
    let prepare = start.elapsed();
    let mut parameters = DecisionTreeClassifierParameters::default();
    parameters.max_depth = job.depth;
    parameters.seed = Some(0);
    let tree = DecisionTreeClassifier::fit(&features, &target, parameters)?;
    let fit = start.elapsed() - prepare;
    let peak_kb = peak_kb();
    // It keeps its nodes to itself, but for its debug text.
    let nodes = job.rate.then(|| format!("{tree:?}").matches("Node {").count());
    let found = if job.rate { Some(tree.predict(&features)?) } else { None };
    let accuracy = found.map(|f| share(f.iter().zip(&target).map(|(found, class)| found == class)));
    Ok(Done { prepare, fit, peak_kb, nodes, accuracy })
}

/// It grows trees of numbers: for two classes, 0 and 1, the variance is half the Gini impurity.
fn biosphere(table: Table, job: Job) -> Result<Done, Box<dyn Error>> {
    if table.n_classes() > 2 {
        return Err("it has no classes: only a target of 0 and 1 is the same problem".into());
    }
    let start = Instant::now();
    let shape = (table.rows, table.n_columns).f();
    let features = Array2::from_shape_vec(shape, table.by_column)?;
    let target: Array1<f64> = table.target.iter().map(|&c| c as f64).collect();
    let prepare = start.elapsed();
    let parameters = BiosphereParameters::default().with_max_depth(job.depth.map(usize::from));
    let mut tree = BiosphereTree::new(parameters);
    tree.fit(&features.view(), &target.view());
    let fit = start.elapsed() - prepare;
    let peak_kb = peak_kb();
    let accuracy = job.rate.then(|| {
        let found = tree.predict(&features.view());
        share(found.iter().zip(&target).map(|(found, class)| (*found > 0.5) == (*class > 0.5)))
    });
    Ok(Done { prepare, fit, peak_kb, nodes: None, accuracy })
}

/// The share of true.
fn share(right: impl Iterator<Item = bool>) -> f64 {
    let (n, hits) = right.fold((0u32, 0u32), |(n, hits), right| (n + 1, hits + u32::from(right)));
    f64::from(hits) / f64::from(n)
}

/// As Linux tells it.
fn peak_kb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
