//! How well classes are told: each by itself, and one taken for another.

/// How good the predictions of one class are; a quotient without rows is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClassScore {
    /// Rows of the class.
    pub n: u64,
    /// Rows predicted to be of it.
    pub predicted: u64,
    /// Rows that are both.
    pub right: u64,
    /// The area under the ROC curve of the class against the rest.
    pub roc_auc: Option<f64>,
    /// The average precision of the class against the rest.
    pub average_precision: Option<f64>,
}

/// How often a class was taken for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confusion {
    /// An index into the schema's classes; `None` is a class the tree was never trained on.
    pub actual: Option<u32>,
    /// An index into the schema's classes.
    pub predicted: u32,
    /// Rows.
    pub n: u64,
}

impl ClassScore {
    /// The share of the rows predicted to be of the class that are.
    pub fn precision(&self) -> Option<f64> {
        share(self.right, self.predicted)
    }

    /// The share of the rows of the class that are predicted to be.
    pub fn recall(&self) -> Option<f64> {
        share(self.right, self.n)
    }

    /// The harmonic mean of precision and recall.
    pub fn f1(&self) -> Option<f64> {
        share(2 * self.right, self.n + self.predicted)
    }
}

/// The class of most rows, the lower of equals.
pub(crate) fn most_frequent(by_class: &[ClassScore]) -> usize {
    (0..by_class.len()).rev().max_by_key(|&class| by_class[class].n).unwrap_or(0)
}

pub(super) fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// The share of the event in some rows over its share in all. Each pair is the number of rows and
/// the number of events. `None` where either has none.
pub(super) fn lift(some: (u64, u64), all: (u64, u64)) -> Option<f64> {
    let share = |(n, events): (u64, u64)| share(events, n);
    share(some).zip(share(all).filter(|&base| base > 0.0)).map(|(here, base)| here / base)
}
