//! The one place where a target and its weights become rows to count.

use super::class_rating::ClassRating;
use super::count::LogTable;
use super::{ClassRows, Count, NumberRows};
use crate::data::target::{Target, TargetValues};
use crate::data::weights::Weights;
use crate::spec::{Criterion, LogBase};

/// The numbers of a stat of this target. Without rows it has no class, and a stat one number.
pub(crate) fn stat_width(target: &Target) -> usize {
    match &target.values {
        TargetValues::Classes { labels, .. } => labels.len().max(1),
        TargetValues::Numbers { .. } => 2,
    }
}

/// Work on the rows of a target, whatever its kind and however its rows are counted.
pub(crate) trait TargetVisitor: Sized {
    type Output;

    /// The largest count whose logarithm is tabled. Only the largest nodes have larger counts.
    const LARGEST_TABLED: usize = 1 << 20;

    fn classes<N: Count>(self, rows: ClassRows<N>) -> Self::Output;

    fn numbers(self, rows: NumberRows) -> Self::Output;

    /// Calls the method of the target's kind; `criterion` is for classes.
    fn visit(
        self,
        target: &Target,
        weights: Option<&Weights>,
        criterion: Criterion,
        base: LogBase,
    ) -> Self::Output {
        let (labels, codes) = match &target.values {
            TargetValues::Numbers { numbers, distances, scale } => {
                let distances = distances.as_deref();
                return self.numbers(NumberRows::new(numbers, distances, *scale, weights, base));
            }
            TargetValues::Classes { labels, codes } => (labels, codes),
        };
        // Only the entropy of counts of rows looks logarithms up.
        let is_tabled = criterion == Criterion::Entropy && weights.is_none();
        let largest = if is_tabled { codes.len().min(Self::LARGEST_TABLED) } else { 0 };
        let logs = LogTable::up_to(largest);
        let n_classes = labels.len();
        match weights {
            None => {
                let rating = ClassRating::<u32>::new(criterion, base, n_classes, None, &logs);
                self.classes(ClassRows::new(codes, None, rating))
            }
            Some(w) => {
                let rating = ClassRating::<u64>::new(criterion, base, n_classes, weights, &logs);
                self.classes(ClassRows::new(codes, Some(&w.units), rating))
            }
        }
    }
}
