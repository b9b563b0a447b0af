//! Pruning by cross-validation.

use std::ops::Range;

use polars::prelude::{DataFrame, IdxCa};

use crate::adapters::common::request::all_usable;
use crate::adapters::frame::columns::find;
use crate::adapters::frame::columns::frame_column::FrameColumn;
use crate::adapters::frame::tables::Columns;
use crate::adapters::frame::{in_pool, polars_error};
use crate::error::{Error, Result};
use crate::fitted::Tree;
use crate::fitted::grow;
use crate::prune::WeakestLinks;
use crate::score::Part;
use crate::spec::{Pruning, Task, TreeSpec};

/// How pruning is cross-validated.
///
/// ```
/// use gaintree::CvSpec;
/// let spec = CvSpec::default().folds(5).one_standard_error(false);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CvSpec {
    /// Parts the rows are dealt into; each is held out once. 10 unless said otherwise.
    pub folds: usize,
    /// Choose the smallest tree whose error is within one standard error of the least (Breiman
    /// et al. 1984, section 3.4.3), rather than the one of least error. On unless said otherwise.
    pub one_standard_error: bool,
}

impl Default for CvSpec {
    fn default() -> Self {
        CvSpec { folds: 10, one_standard_error: true }
    }
}

impl CvSpec {
    /// Sets the parts the rows are dealt into.
    #[must_use]
    pub fn folds(mut self, folds: usize) -> Self {
        self.folds = folds;
        self
    }

    /// Allows an error one standard error above the least, or not.
    #[must_use]
    pub fn one_standard_error(mut self, allowed: bool) -> Self {
        self.one_standard_error = allowed;
        self
    }
}

/// A tree pruned by cross-validation, and what that saw.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PruningCv {
    /// The tree of all rows, pruned to the chosen alpha; its spec says so.
    pub tree: Tree,
    /// A line for each subtree of the sequence, from the whole tree to the root: `alpha f64,
    /// leaves u32, mean_error f64, standard_error f64, chosen bool`.
    pub cv: DataFrame,
}

/// Fits a tree and prunes it to the alpha that cross-validation chooses (Breiman et al. 1984,
/// section 3.4.2). The spec's own pruning is put aside.
///
/// Rows are dealt into folds in order of class (or of number), equals in row order: stratified,
/// and the same each time. A tree is grown without each fold; it is pruned to the geometric mean
/// of every two neighbouring alphas of the whole tree's sequence (to the root for the last), and
/// its errors on the fold are counted: wrong classes, or squared distances, by the rows' weight.
/// `standard_error` is that of their mean over the rows. Of equal errors the smallest tree is
/// chosen. It takes the time of `folds + 1` fits.
///
/// # Errors
/// As [`fit_tree`](crate::fit_tree), for all rows and for those outside each fold; folds fewer
/// than 2 or more than the rows of positive weight.
pub fn cross_validate_pruning(
    df: &DataFrame,
    target: &str,
    spec: &TreeSpec,
    cv: &CvSpec,
) -> Result<PruningCv> {
    let spec = spec.clone().pruning(Pruning::None);
    let (df, weights) = weighed_rows(df, target, &spec)?;
    in_pool(spec.threads, || {
        let tree = fit(&df, target, &spec)?;
        validated(tree, &df, &weights, &spec, cv)
    })
}

impl Tree {
    /// This tree pruned to the alpha that cross-validation over a frame chooses, as
    /// [`cross_validate_pruning`] does, which fits the tree too: given the rows the tree was
    /// fitted on, and before other pruning, the two are the same. The folds' trees are grown by
    /// this tree's spec on its features. It takes the time of as many fits as folds.
    ///
    /// # Errors
    /// As [`cross_validate_pruning`], and a frame whose columns are not of the tree's dtypes.
    pub fn prune_cross_validated(&self, df: &DataFrame, cv: &CvSpec) -> Result<PruningCv> {
        let features = self.schema().features.iter().map(|f| f.name.as_str());
        let task = if self.is_regression() { Task::Regress } else { Task::Classify };
        let spec = self.spec.clone().pruning(Pruning::None).features(features).task(task);
        let target = self.schema().target.as_str();
        self.sources(&spec.request(target), df)?;
        let (df, weights) = weighed_rows(df, target, &spec)?;
        in_pool(spec.threads, || validated(self.clone(), &df, &weights, &spec, cv))
    }
}

/// The rows that weigh something, and what they weigh: the others are as if absent.
fn weighed_rows(df: &DataFrame, target: &str, spec: &TreeSpec) -> Result<(DataFrame, Vec<f64>)> {
    let Some(mut weights) = spec.request(target).weights(df)? else {
        return Ok((df.clone(), vec![1.0; df.height()]));
    };
    let rows = (0..).zip(&weights).filter(|&(_, &weight)| weight > 0.0).map(|(row, _)| row);
    let df = if weights.contains(&0.0) { take(df, rows.collect())? } else { df.clone() };
    weights.retain(|&weight| weight > 0.0);
    Ok((df, weights))
}

/// Prunes a tree of all rows by what trees without each fold make of it.
fn validated(
    tree: Tree,
    df: &DataFrame,
    weights: &[f64],
    spec: &TreeSpec,
    cv: &CvSpec,
) -> Result<PruningCv> {
    if cv.folds < 2 || cv.folds > df.height() {
        return Err(Error::spec(format!(
            "{} folds of {} rows; there are at least 2, and a row for each",
            cv.folds,
            df.height()
        )));
    }
    let steps = tree.cost_complexity_steps();
    let next = steps.iter().skip(1).map(|s| s.alpha).chain([f64::INFINITY]);
    // Of the square roots, so that small alphas do not vanish in their product.
    let alphas: Vec<f64> =
        steps.iter().zip(next).map(|(s, next)| s.alpha.sqrt() * next.sqrt()).collect();
    // The first is 0 times infinity where there is nothing to prune.
    let alphas: Vec<f64> =
        alphas.iter().map(|a| if a.is_nan() { f64::INFINITY } else { *a }).collect();

    let target = tree.schema().target.clone();
    let fold_of = deal(&tree, df, cv.folds)?;
    let mut errors = Errors::new(alphas.len());
    for fold in 0..cv.folds {
        let part = |held_out: bool| -> Vec<u32> {
            (0..).zip(&fold_of).filter(|(_, f)| (**f == fold) == held_out).map(|r| r.0).collect()
        };
        let rows = part(true);
        let held_out = take(df, rows.clone())?;
        let rest = fit(&take(df, part(false))?, &target, spec)?;
        let weights: Vec<f64> = rows.iter().map(|&row| weights[row as usize]).collect();
        errors.add(&rest, &held_out, &weights, &alphas)?;
    }
    let (means, standard_errors) = errors.means();

    let least = means.iter().copied().fold(f64::INFINITY, f64::min);
    let best = means.iter().rposition(|&mean| mean == least).unwrap_or(0);
    let allowed = least + if cv.one_standard_error { standard_errors[best] } else { 0.0 };
    let chosen = means.iter().rposition(|&mean| mean <= allowed).unwrap_or(best);
    let mut tree = tree.prune_cost_complexity(steps[chosen].alpha)?;
    tree.data.spec.pruning = Pruning::CostComplexity { alpha: steps[chosen].alpha };
    let cv = Columns::default()
        .add("alpha", steps.iter().map(|s| s.alpha).collect::<Vec<_>>())
        .add("leaves", steps.iter().map(|s| s.leaves).collect::<Vec<_>>())
        .add("mean_error", means)
        .add("standard_error", standard_errors)
        .add("chosen", (0..steps.len()).map(|step| step == chosen).collect::<Vec<_>>())
        .frame()?;
    Ok(PruningCv { tree, cv })
}

fn fit(df: &DataFrame, target: &str, spec: &TreeSpec) -> Result<Tree> {
    let request = spec.request(target);
    let features = all_usable(request.features(df)?, target)?;
    grow(request.table(df, &features)?, spec)
}

fn take(df: &DataFrame, rows: Vec<u32>) -> Result<DataFrame> {
    df.take(&IdxCa::from_vec("".into(), rows)).map_err(polars_error)
}

/// The column of actual answers.
fn answers(tree: &Tree, df: &DataFrame) -> Result<FrameColumn> {
    let target = &tree.schema().target;
    FrameColumn::new(find(df, "target", target)?)
        .ok_or_else(|| Error::data(format!("target `{target}` is neither classes nor a number")))
}

/// The fold of each row: the rows in order of class are dealt round.
fn deal(tree: &Tree, df: &DataFrame, folds: usize) -> Result<Vec<usize>> {
    let source = answers(tree, df)?;
    let mut order: Vec<usize> = (0..df.height()).collect();
    if tree.is_regression() {
        let numbers = tree.actual_numbers(&source)?;
        order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
    } else {
        let classes = tree.actual_classes(&source)?;
        order.sort_by_key(|&row| classes[row]);
    }
    let mut fold_of = vec![0; order.len()];
    for (at, row) in order.into_iter().enumerate() {
        fold_of[row] = at % folds;
    }
    Ok(fold_of)
}

/// Held-out rows and what they cost, at each of some alphas.
struct Errors {
    /// Sums over all rows of w, w², and at each alpha of w e, w² e, w² e²; the latter as changes
    /// from one alpha to the next while they are added up.
    weight: f64,
    squares: f64,
    changes: Vec<[f64; 3]>,
}

impl Errors {
    fn new(n_alphas: usize) -> Self {
        Errors { weight: 0.0, squares: 0.0, changes: vec![[0.0; 3]; n_alphas + 1] }
    }

    /// Scores a fold by a tree pruned to every alpha, in one pass: of the nodes above the one a
    /// row ends in, each answers for a run of alphas, from where it becomes a leaf to where it
    /// is cut away.
    fn add(&mut self, tree: &Tree, df: &DataFrame, weights: &[f64], alphas: &[f64]) -> Result<()> {
        let source = answers(tree, df)?;
        let (classes, numbers) = if tree.is_regression() {
            (Vec::new(), tree.actual_numbers(&source)?)
        } else {
            (tree.actual_classes(&source)?, Vec::new())
        };
        let routes = tree.route_frame(df)?;
        let links = WeakestLinks::of(tree);
        let ids = 0..tree.n_nodes();
        let present: Vec<usize> = ids.clone().map(|id| links.present(alphas, id)).collect();
        let leaf_from: Vec<usize> = ids.map(|id| links.leaf_from(alphas, id)).collect();
        // The nearest node above that answers for some alpha.
        let mut above: Vec<Option<u32>> = vec![None; tree.n_nodes()];
        for (id, node) in tree.node_slice().iter().enumerate() {
            above[id] = node.parent.and_then(|parent| {
                let p = parent as usize;
                if leaf_from[p] < present[p] { Some(parent) } else { above[p] }
            });
        }
        // The nodes that answer a row that ends here, and the runs of alphas they do it for.
        let (present, leaf_from, above) = (&present, &leaf_from, &above);
        let answering = |end: u32| {
            // Where it ends a row is answered at once, be that a leaf or not.
            let (mut node, mut from) = (Some(end), 0);
            std::iter::from_fn(move || {
                let (id, start) = (node?, from);
                let to = present[id as usize];
                node = above[id as usize];
                from = node.map_or(to, |id| leaf_from[id as usize]);
                Some((id, start..to))
            })
        };
        let error = |row: usize, parts: &[Part]| match (tree.mixed_mean(parts), parts) {
            (Some(mean), _) => (numbers[row] - mean) * (numbers[row] - mean),
            (None, [one]) => wrong(classes[row], tree.majority(one.node)),
            (None, parts) => wrong(classes[row], tree.mixed_majority(parts)),
        };
        let mut mixed = routes.mixtures.iter().peekable();
        for (row, (&end, &weight)) in routes.nodes.iter().zip(weights).enumerate() {
            self.weight += weight;
            self.squares += weight * weight;
            let Some((_, parts)) = mixed.next_if(|(mixed, _)| *mixed as usize == row) else {
                for (node, alphas) in answering(end) {
                    self.charge(alphas, error(row, &[Part { node, share: 1.0 }]), weight);
                }
                continue;
            };
            // The answer changes wherever that of some part does.
            let runs: Vec<(Part, Range<usize>)> = parts
                .iter()
                .flat_map(|&Part { node, share }| {
                    answering(node).map(move |(node, alphas)| (Part { node, share }, alphas))
                })
                .collect();
            let mut starts: Vec<usize> = runs.iter().map(|(_, alphas)| alphas.start).collect();
            starts.sort_unstable();
            starts.dedup();
            for (i, &start) in starts.iter().enumerate() {
                let end = starts.get(i + 1).copied().unwrap_or(alphas.len());
                let here = runs.iter().filter(|(_, alphas)| alphas.contains(&start));
                let here: Vec<Part> = here.map(|(part, _)| *part).collect();
                self.charge(start..end, error(row, &here), weight);
            }
        }
        Ok(())
    }

    /// Adds the error of one row at a run of alphas.
    fn charge(&mut self, alphas: Range<usize>, error: f64, weight: f64) {
        let squared = weight * weight;
        for (i, sum) in
            [weight * error, squared * error, squared * error * error].iter().enumerate()
        {
            self.changes[alphas.start][i] += sum;
            self.changes[alphas.end][i] -= sum;
        }
    }

    /// The weighted mean error at each alpha, and its standard error:
    /// `sqrt(Σ w² (e - mean)²) / Σ w`.
    fn means(&self) -> (Vec<f64>, Vec<f64>) {
        let mut sums = [0.0; 3];
        let n_alphas = self.changes.len() - 1;
        let at = self.changes[..n_alphas].iter().map(|change| {
            sums.iter_mut().zip(change).for_each(|(sum, change)| *sum += change);
            let mean = sums[0] / self.weight;
            let spread = sums[2] - 2.0 * mean * sums[1] + mean * mean * self.squares;
            // Sums of rounded numbers may end a little below 0.
            (mean.max(0.0), spread.max(0.0).sqrt() / self.weight)
        });
        at.unzip()
    }
}

/// The error of an answer to a row of a class: 0 or 1.
fn wrong(actual: Option<u32>, answer: usize) -> f64 {
    f64::from(u8::from(actual != Some(answer as u32)))
}
