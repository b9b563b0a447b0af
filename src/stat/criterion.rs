//! Impurities and gains: pure functions of class counts, which may be weights.
//!
//! `H(D) = -Σ p log p` (Shannon 1948), `gini(D) = 1 - Σ p²` (Breiman et al. 1984); gain, split
//! info and gain ratio are Quinlan's (1986, 1993). Every sum runs in the order given, and a
//! two-way split scores the same whichever branch comes first. A quotient 0/0 is 0.
//!
//! ```
//! use gaintree::criterion::{entropy, gain_ratio, information_gain, split_info};
//! use gaintree::LogBase::Two;
//!
//! // Quinlan's weather table by outlook: overcast, rainy, sunny; counts are no, yes.
//! let play = [5.0, 9.0];
//! let outlook = [[0.0, 4.0], [2.0, 3.0], [3.0, 2.0]];
//! assert_eq!(format!("{:.6}", entropy(&play, Two)), "0.940286");
//! assert_eq!(format!("{:.6}", information_gain(&play, &outlook, Two)), "0.246750");
//! assert_eq!(format!("{:.6}", split_info(&[4.0, 5.0, 5.0], Two)), "1.577406");
//! assert_eq!(format!("{:.6}", gain_ratio(&play, &outlook, Two)), "0.156428");
//! ```

use crate::spec::{Criterion, LogBase};

impl LogBase {
    /// Logarithm in this base.
    #[inline]
    pub fn log(self, x: f64) -> f64 {
        match self {
            LogBase::Two => x.log2(),
            LogBase::E => x.ln(),
        }
    }
}

impl Criterion {
    /// The impurity of a stat.
    pub fn impurity(self, counts: &[f64], base: LogBase) -> f64 {
        self.impurity_of(counts.iter().copied(), base)
    }

    /// The parent's impurity less the branches' weighted impurity; never negative.
    pub fn gain<B: AsRef<[f64]>>(self, parent: &[f64], branches: &[B], base: LogBase) -> f64 {
        self.gain_of(parent.iter().copied(), slices(branches), base)
    }

    /// [`impurity`](Self::impurity) of counts that are no slice.
    pub(crate) fn impurity_of(self, counts: impl ClassCounts, base: LogBase) -> f64 {
        let n = total(counts.clone());
        self.impurity_among(counts, n, base)
    }

    /// [`impurity`](Self::impurity) of counts that add up to `n`.
    fn impurity_among(self, counts: impl ClassCounts, n: f64, base: LogBase) -> f64 {
        match self {
            Criterion::Entropy => entropy_among(counts, n, base),
            // The variances of the class indicators, p (1 - p), add up to Gini.
            Criterion::Gini | Criterion::Variance => gini_among(counts, n),
        }
    }

    /// [`gain`](Self::gain) of counts that are no slices.
    #[inline]
    pub(crate) fn gain_of<B: ClassCounts>(
        self,
        parent: impl ClassCounts,
        branches: impl Iterator<Item = B>,
        base: LogBase,
    ) -> f64 {
        let n = total(parent.clone());
        let impurity = |counts, n| self.impurity_among(counts, n, base);
        (self.impurity_among(parent, n, base) - weighted(n, branches, impurity)).max(0.0)
    }
}

/// Counts or weights of classes or of branches, which are summed more than once.
pub(crate) trait ClassCounts: ExactSizeIterator<Item = f64> + Clone {}

impl<I: ExactSizeIterator<Item = f64> + Clone> ClassCounts for I {}

fn slices<B: AsRef<[f64]>>(branches: &[B]) -> impl Iterator<Item = impl ClassCounts> {
    branches.iter().map(|b| b.as_ref().iter().copied())
}

fn total(counts: impl ClassCounts) -> f64 {
    counts.sum()
}

/// `Σ |Di|/|D| impurity(Di)` of a parent of weight `n`.
fn weighted<B: ClassCounts>(
    n: f64,
    branches: impl Iterator<Item = B>,
    impurity: impl Fn(B, f64) -> f64,
) -> f64 {
    let part = |b: B| {
        let w = total(b.clone());
        if w > 0.0 { w / n * impurity(b, w) } else { 0.0 }
    };
    branches.map(part).sum()
}

/// `H(D)`, from 0 to `log k`, in bits or nats; 0 for no rows.
pub fn entropy(counts: &[f64], base: LogBase) -> f64 {
    entropy_of(counts.iter().copied(), base)
}

/// [`entropy`] of counts that are no slice.
pub(crate) fn entropy_of(counts: impl ClassCounts, base: LogBase) -> f64 {
    let n = total(counts.clone());
    entropy_among(counts, n, base)
}

/// [`entropy`] of counts that add up to `n`.
fn entropy_among(counts: impl ClassCounts, n: f64, base: LogBase) -> f64 {
    let k = counts.len();
    let term = |c: f64| {
        let p = c / n;
        p * base.log(p)
    };
    let sum: f64 = counts.filter(|&c| c > 0.0).map(term).sum();
    // Not `-sum`, which is -0.0 of a pure stat.
    (0.0 - sum).clamp(0.0, base.log(k.max(1) as f64))
}

/// `1 - Σ p²`, from 0 to `1 - 1/k`; 0 for no rows.
pub fn gini(counts: &[f64]) -> f64 {
    gini_among(counts.iter().copied(), total(counts.iter().copied()))
}

/// [`gini`] of counts that add up to `n`.
fn gini_among(counts: impl ClassCounts, n: f64) -> f64 {
    if n > 0.0 { (1.0 - counts.map(|c| (c / n) * (c / n)).sum::<f64>()).max(0.0) } else { 0.0 }
}

/// `H(D|A) = Σ |Di|/|D| H(Di)`, from 0 to `H(D)`.
pub fn conditional_entropy<B: AsRef<[f64]>>(parent: &[f64], branches: &[B], base: LogBase) -> f64 {
    weighted(parent.iter().sum(), slices(branches), |b, n| entropy_among(b, n, base))
}

/// `H(D) - H(D|A)`, the mutual information of class and branch, from 0 to `H(D)`.
pub fn information_gain<B: AsRef<[f64]>>(parent: &[f64], branches: &[B], base: LogBase) -> f64 {
    Criterion::Entropy.gain(parent, branches, base)
}

/// `Σ |Di|/|D| gini(Di)`.
pub fn gini_split<B: AsRef<[f64]>>(parent: &[f64], branches: &[B]) -> f64 {
    weighted(parent.iter().sum(), slices(branches), gini_among)
}

/// `gini(D) - gini_split`; never negative.
pub fn gini_gain<B: AsRef<[f64]>>(parent: &[f64], branches: &[B]) -> f64 {
    Criterion::Gini.gain(parent, branches, LogBase::Two)
}

/// `H_A(D)`, the entropy of the branches' weights themselves.
pub fn split_info(weights: &[f64], base: LogBase) -> f64 {
    entropy(weights, base)
}

/// Information gain over split info.
pub fn gain_ratio<B: AsRef<[f64]>>(parent: &[f64], branches: &[B], base: LogBase) -> f64 {
    let weights: Vec<f64> = slices(branches).map(total).collect();
    quotient(information_gain(parent, branches, base), split_info(&weights, base))
}

/// `2 gain / (H(D) + H_A(D))`, from 0 to 1.
pub fn symmetric_uncertainty(gain: f64, entropy: f64, split_info: f64) -> f64 {
    quotient(2.0 * gain, entropy + split_info)
}

/// `a / b`, where 0/0 is 0.
pub(crate) fn quotient(a: f64, b: f64) -> f64 {
    if a == 0.0 { 0.0 } else { a / b }
}
