//! Pruning by cross-validation (Breiman et al. 1984, section 3.4).

use super::cost_complexity::{PruneStep, printed_alphas};
use super::held_out_errors::HeldOutErrors;
use super::loss::Loss;
use crate::data::target::{Target, TargetValues};
use crate::error::{Error, Result};
use crate::grow::{Sample, SharedTable};
use crate::score::{PreparedTree, Scorer};
use crate::spec::{PruneBy, Pruning, TreeSpec, spec};
use crate::tree::TreeData;
use crate::util::monitoring::{advance, begin_stage};
use std::sync::Arc;

spec! {
    /// How pruning is cross-validated.
    ///
    /// ```
    /// use gaintree::CvSpec;
    /// let spec = CvSpec::default().folds(5).one_standard_error(false);
    /// ```
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct CvSpec {
        /// Parts the rows are dealt into; each is held out once. 10 unless said otherwise.
        pub folds: usize = 10,
        /// Choose the smallest tree whose error is within one standard error of the least (Breiman
        /// et al. 1984, section 3.4.3), rather than the one of least error. On unless said
        /// otherwise.
        pub one_standard_error: bool = true,
        /// What counts as an error. The error rate unless said otherwise.
        pub prune_by: PruneBy,
    }
}

/// A subtree of the cost-complexity sequence, cross-validated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CvStep {
    /// The least alpha at which it is the subtree of least cost, rounded up as in
    /// [`cost_complexity_path`](crate::Tree::cost_complexity_path).
    pub alpha: f64,
    /// Leaves of the subtree.
    pub leaves: u32,
    /// The weighted mean error over all held-out rows, by [`CvSpec::prune_by`]: the share of wrong
    /// classes, log loss or Gini, or the mean squared error. A row's weight is its own times the
    /// weight of its class.
    pub mean_error: f64,
    /// The standard error of that mean.
    pub standard_error: f64,
    /// Whether the tree is pruned to this subtree.
    pub chosen: bool,
}

impl TreeData {
    /// Prunes a tree of a table by what trees without each fold of the table's rows make of it;
    /// `spec` grows those trees. Takes the time of as many growths as folds; nothing is encoded
    /// again.
    pub(crate) fn cross_validated(
        &self,
        table: &SharedTable,
        spec: &TreeSpec,
        cv: &CvSpec,
    ) -> Result<(TreeData, Vec<CvStep>)> {
        if cv.folds < 2 || cv.folds > table.n_rows() {
            return Err(Error::spec(format!(
                "{} folds of {} rows; there are at least 2, and a row for each",
                cv.folds,
                table.n_rows()
            )));
        }
        cv.prune_by.check(self)?;
        let steps = self.cost_complexity_steps();
        let alphas = geometric_means(&steps);
        let actual = &table.target().values;
        let fold_of = deal(table.target(), cv.folds);
        let (weights, _) = table.class_weighted(&spec.class_weights)?;
        let weight_of = |row: u32| weights.as_ref().map_or(1.0, |w| w.weight(row as usize));
        let mut errors = HeldOutErrors::new(alphas.len());
        let monitor = spec.monitor.as_ref();
        begin_stage(monitor, "cross-validating", cv.folds);
        for fold in 0..cv.folds {
            let (held_out, rest): (Vec<u32>, Vec<u32>) =
                (0..table.n_rows() as u32).partition(|&row| fold_of[row as usize] == fold);
            table.target().check_classes_of(&rest)?;
            let rest = Sample { rows: Some(&rest), ..Sample::default() };
            let (tree, _) = table.grow(&rest, spec)?;
            let scorer = Scorer::new(&tree);
            let prepared = PreparedTree { data: &tree, scorer: &scorer };
            let column = |name: &str| Ok(table.encoded_rows(name, &held_out));
            let routes = prepared.routes(held_out.len(), column, &[])?;
            let loss = Loss::new(&tree, cv.prune_by);
            errors.add(&loss, actual, (&held_out, &routes), weight_of, &alphas);
            advance(monitor, 1);
        }
        let (means, standard_errors) = errors.means();
        let least = means.iter().copied().fold(f64::INFINITY, f64::min);
        // Among equal errors the smallest tree.
        let best = means.iter().rposition(|&mean| mean == least).unwrap_or(0);
        let allowed = least + if cv.one_standard_error { standard_errors[best] } else { 0.0 };
        let chosen = means.iter().rposition(|&mean| mean <= allowed).unwrap_or(best);
        let printed = printed_alphas(&steps.iter().map(|step| step.alpha).collect::<Vec<_>>());
        let alpha = printed[chosen];
        let mut tree = self.prune_cost_complexity(alpha)?;
        Arc::make_mut(&mut tree.spec).pruning = Pruning::CostComplexity { alpha };
        let step = |(i, step): (usize, &PruneStep)| CvStep {
            alpha: printed[i],
            leaves: step.leaves,
            mean_error: means[i],
            standard_error: standard_errors[i],
            chosen: i == chosen,
        };
        Ok((tree, steps.iter().enumerate().map(step).collect()))
    }
}

/// The alpha that stands for each step: the geometric mean of its own and the next one's, and
/// infinity for the last.
fn geometric_means(steps: &[PruneStep]) -> Vec<f64> {
    let next = steps.iter().skip(1).map(|s| s.alpha).chain([f64::INFINITY]);
    // The mean of square roots, so that small alphas do not vanish in their product.
    let means = steps.iter().zip(next).map(|(s, next)| s.alpha.sqrt() * next.sqrt());
    // The first is 0 times infinity where there is nothing to prune.
    means.map(|alpha| if alpha.is_nan() { f64::INFINITY } else { alpha }).collect()
}

/// The fold of each row. Rows in order of class or number, equals in row order, are dealt round,
/// so folds are stratified and the same each time.
fn deal(target: &Target, folds: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..target.len()).collect();
    match &target.values {
        TargetValues::Classes { codes, .. } => order.sort_by_key(|&row| codes[row]),
        TargetValues::Numbers { numbers, .. } => {
            order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
        }
    }
    let mut fold_of = vec![0; order.len()];
    for (at, row) in order.into_iter().enumerate() {
        fold_of[row] = at % folds;
    }
    fold_of
}
