//! The impurity a split removes, without cancellation.

use crate::spec::Criterion;
use crate::tree::{Split, TreeData};

impl TreeData {
    /// A node's share of the root's weight.
    pub(super) fn share(&self, node: usize) -> f64 {
        self.weight(node as u32) / self.weight(0)
    }

    /// `R(t)` minus the `R` of t's branches.
    ///
    /// It is summed from the differences between each branch and its parent, so that no digits
    /// cancel, and is 0 if and only if the split changes nothing (of counts: all branches are
    /// exactly proportional to the parent, and so have its majority).
    pub(super) fn impurity_drop(&self, node: usize, split: &Split) -> f64 {
        let branches = || split.branches.iter().map(|&b| (b, self.share(b as usize)));
        if let Some(mean) = self.mean(node as u32) {
            let distance = |b: u32| self.mean(b).unwrap_or(mean) - mean;
            let drop: f64 = branches().map(|(b, share)| share * distance(b) * distance(b)).sum();
            // Below this the drop of a numeric target is rounding error.
            let least = 1e-12 * self.share(node) * self.nodes[node].impurity;
            return if drop < least { 0.0 } else { drop };
        }
        let drop: f64 = branches().map(|(b, share)| share * self.divergence(node as u32, b)).sum();
        let majority = self.majority(node as u32);
        let same = split.branches.iter().all(|&b| self.majority(b) == majority);
        // A split whose branches predict different classes gains something, however little.
        if drop > 0.0 || same { drop } else { f64::MIN_POSITIVE }
    }

    /// The impurity lost on a branch's rows: the relative entropy of its class shares to its
    /// parent's, or their squared distance for Gini.
    fn divergence(&self, parent: u32, branch: u32) -> f64 {
        let (whole, part) = (self.weight(parent), self.weight(branch));
        let log_unit = self.spec.log_base.log(std::f64::consts::E);
        let shares = self.class_counts(parent).iter().zip(self.class_counts(branch));
        shares
            .filter(|&(&p, _)| p > 0.0)
            .map(|(&p, &b)| {
                let (over, expected) = (cross(b, whole, p, part), p * part);
                match self.spec.criterion {
                    Criterion::Entropy => p / whole * log_unit * entropy_term(over / expected),
                    Criterion::Gini | Criterion::Variance => {
                        let distance = over / whole / part;
                        distance * distance
                    }
                }
            })
            .sum()
    }
}

/// `b * whole - p * part`, which is 0 if the branch's share of a class is the parent's: exactly for
/// counts, within 1e-12 for weights that are no integers.
fn cross(b: f64, whole: f64, p: f64, part: f64) -> f64 {
    const EXACT: f64 = (1u64 << f64::MANTISSA_DIGITS) as f64;
    if [b, whole, p, part].iter().all(|x| x.fract() == 0.0 && *x <= EXACT) {
        let product = |x: f64, y: f64| x as i128 * y as i128;
        return (product(b, whole) - product(p, part)) as f64;
    }
    let over = b * whole - p * part;
    if over.abs() <= 1e-12 * p * part { 0.0 } else { over }
}

/// `(1 + r) ln(1 + r) - r` for r >= -1: the term of relative entropy of a class whose share is
/// `1 + r` times its parent's. Never negative, and 0 only at 0.
fn entropy_term(r: f64) -> f64 {
    if r.abs() < 1e-3 {
        // The closed form would cancel; the next term of the series is below 1e-13 of the sum.
        let series = 1.0 / 2.0 - r * (1.0 / 6.0 - r * (1.0 / 12.0 - r * (1.0 / 20.0 - r / 30.0)));
        r * r * series
    } else if r <= -1.0 {
        1.0
    } else {
        (1.0 + r) * r.ln_1p() - r
    }
}
