//! Fitting a forest on a frame.

use std::time::Instant;

use polars::prelude::DataFrame;

use super::fit::Timing;
use crate::adapters::common::notes::fit_notes;
use crate::adapters::common::request::all_usable;
use crate::adapters::frame::in_pool;
use crate::adapters::frame::scoring::OutOfBag;
use crate::adapters::frame::tables::frame;
use crate::error::Result;
use crate::fitted::{Forest, grow_forest};
use crate::grow::SharedTable;
use crate::score::Voting;
use crate::spec::{EvalSpec, ForestSpec};

/// A fitted forest and what its features did.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ForestFit {
    /// The forest.
    pub forest: Forest,
    /// Its feature importances, most important first; see [`Forest::importance`].
    pub importance: DataFrame,
    /// What it says of the training rows, each by the trees that left it out; see
    /// [`Forest::out_of_bag`]. `None` where each tree has all rows, and where the spec asks for none.
    pub out_of_bag: Option<OutOfBag>,
    /// What to know about it, a sentence each: a target of many integers that was taken for classes
    /// (or of few whole floats for numbers), features that are like ids, and rows that every tree drew.
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
pub fn fit_forest(df: &DataFrame, target: &str, spec: &ForestSpec) -> Result<ForestFit> {
    let request = spec.tree.request(target);
    let features = all_usable(request.features(df)?, target)?;
    in_pool(spec.tree.threads, || {
        let start = Instant::now();
        let table = request.table(df, &features)?;
        let encode = start.elapsed();
        let mut notes = fit_notes(&table, &spec.tree);
        let forest = grow_forest(&SharedTable::new(table), spec)?;
        let grow = start.elapsed() - encode;
        let judging = EvalSpec { monitor: spec.tree.monitor.clone(), ..EvalSpec::default() };
        let judge = || forest.judge_out_of_bag(df, Voting::Soft, &judging);
        let out_of_bag = (spec.out_of_bag && !spec.takes_all_rows()).then(judge).transpose()?;
        notes.extend(out_of_bag.as_ref().and_then(always_drawn_note));
        let importance = forest.importance()?;
        let timing = Timing { encode, grow, out_of_bag: start.elapsed() - encode - grow };
        Ok(ForestFit { forest, importance, out_of_bag, notes, timing })
    })
}

fn always_drawn_note(out_of_bag: &OutOfBag) -> Option<String> {
    let (rows, n) = match out_of_bag.always_drawn {
        0 => return None,
        1 => ("row was", 1),
        n => ("rows were", n),
    };
    Some(format!(
        "{n} of {} {rows} drawn for every tree, and no tree can answer for them out of bag: more \
         trees leave more rows out",
        out_of_bag.predictions.height()
    ))
}

impl Forest {
    /// What each feature did in the trees, most important first: `rank u32, feature str, importance
    /// f64, standard_error f64?, total_gain f64, n_splits u64, n_trees u32`.
    ///
    /// `total_gain` is the mean over the trees of the gains of the feature's rules, each weighted by
    /// its node's share of the rows; `importance` is its share of the sum over all features, and
    /// `standard_error` that of this share over the trees. Features that no tree uses are listed too.
    ///
    /// # Errors
    /// Whatever Polars says on building the frame.
    pub fn importance(&self) -> Result<DataFrame> {
        frame(self.importance_table())
    }
}
