//! Fitting a forest on a frame.

use std::time::Instant;

use super::fit::Timing;
use super::frame::{Frame, NamedColumns};
use super::notes::{fit_notes, forest_notes};
use super::out_of_bag::OutOfBag;
use super::table::FaceTable;
use crate::error::Result;
use crate::fitted::{Forest, grow_forest};
use crate::grow::SharedTable;
use crate::score::Voting;
use crate::spec::{EvalSpec, ForestSpec};

/// A fitted forest and what its features did.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ForestFit<T = FaceTable> {
    /// The forest.
    pub forest: Forest,
    /// Its feature importances, most important first; see [`Forest::importance`].
    pub importance: T,
    /// What it says of the training rows, each by the trees that left it out; see
    /// [`Forest::out_of_bag`]. `None` where each tree has all rows, and where the spec asks for none.
    pub out_of_bag: Option<OutOfBag<T>>,
    /// What to know about it, a sentence each: a target of many integers that was taken for classes
    /// (or of few whole floats for numbers), features that are like ids or give the target away, and
    /// rows that every tree drew.
    pub notes: Vec<String>,
    /// How long it took.
    pub timing: Timing,
}

/// Fits a forest that predicts `target` from the other columns.
///
/// The columns are encoded once, for all trees. Each tree then takes the time of a
/// [`fit_tree`](crate::fit_tree) without its encoding; trees grow at the same time in Polars' pool. The
/// same seed gives the same forest on any number of threads. The rows are then
/// [answered out of bag](Forest::out_of_bag), unless the spec says otherwise.
///
/// ```
/// use gaintree::prelude::*;
/// use polars::prelude::*;
///
/// let df = df![
///     "size"   => [1.0, 2.0, 2.5, 6.0, 7.5, 9.0],
///     "colour" => ["green", "green", "red", "red", "red", "green"],
///     "ripe"   => [false, false, false, true, true, true],
/// ]?;
/// let fit = df.fit_forest("ripe", &ForestSpec::default().trees(50).seed(1))?;
/// assert_eq!(fit.forest.n_trees(), 50);
/// assert_eq!(fit.importance.column("feature")?.str()?.get(0), Some("size"));
/// let scored = fit.forest.score_with(&df, &ScoreSpec::default().probability(true))?;
/// let out_of_bag = fit.out_of_bag.expect("a bootstrap leaves rows out");
/// assert_eq!(out_of_bag.predictions.height(), df.height());
/// assert!(scored.column("prediction").is_ok() && scored.column("probability_true").is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`fit_tree`](crate::fit_tree); no tree, more features a node than there are, shares out of
/// range, and pruning.
pub fn fit_forest<F: Frame + ?Sized>(
    frame: &F,
    target: &str,
    spec: &ForestSpec,
) -> Result<ForestFit<F::Table>> {
    let request = spec.tree.request(target);
    let columns = frame.columns(&request.needed())?;
    F::in_pool(spec.tree.threads, || {
        let start = Instant::now();
        let table = request.training_table(&columns)?;
        let encode = start.elapsed();
        let mut notes = fit_notes(&table, &spec.tree);
        let forest = grow_forest(&SharedTable::new(table), spec)?;
        notes.extend(forest_notes(&forest, &notes));
        let grow = start.elapsed() - encode;
        let judging = EvalSpec { monitor: spec.tree.monitor.clone(), ..EvalSpec::default() };
        let judge = || forest.judge_out_of_bag(&columns, Voting::Soft, &judging);
        let out_of_bag = (spec.out_of_bag && !spec.takes_all_rows()).then(judge).transpose()?;
        let always_drawn = out_of_bag.as_ref().map_or(0, |out_of_bag| out_of_bag.always_drawn);
        notes.extend(always_drawn_note(always_drawn, columns.n_rows()));
        let importance = forest.importance_table().into_table()?;
        let timing = Timing { encode, grow, out_of_bag: start.elapsed() - encode - grow };
        Ok(ForestFit { forest, importance, out_of_bag, notes, timing })
    })
}

fn always_drawn_note(always_drawn: u64, n_rows: usize) -> Option<String> {
    let (rows, n) = match always_drawn {
        0 => return None,
        1 => ("row was", 1),
        n => ("rows were", n),
    };
    Some(format!(
        "{n} of {n_rows} {rows} drawn for every tree, and no tree can answer for them out of bag: more \
         trees leave more rows out"
    ))
}
