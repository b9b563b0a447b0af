//! The one place that turns a target and its weights into a stat.

use crate::data::target::{Target, TargetValues};
use crate::data::weights::Weights;
use crate::spec::{Criterion, LogBase};
use crate::stat::{ClassStat, Count, LogTable, NumberStat, Rating};

/// Partition that is the same for every stat, but for what its kind of target has to say.
pub(crate) trait StatWork: Sized {
    type Out;

    /// Counts whose logarithms are tabled; larger ones are few (only the largest nodes have them)
    /// and are computed.
    const TABLED: usize = 1 << 20;

    fn of_classes<N: Count>(self, stat: ClassStat<N>) -> Self::Out;

    fn of_numbers(self, stat: NumberStat) -> Self::Out;

    /// Does the work with the stat of a target; `criterion` is of classes.
    fn on(
        self,
        target: &Target,
        weights: Option<&Weights>,
        criterion: Criterion,
        base: LogBase,
    ) -> Self::Out {
        let (labels, codes) = match &target.values {
            TargetValues::Numbers(numbers) => {
                return self.of_numbers(NumberStat::new(numbers, weights, base));
            }
            TargetValues::Classes { labels, codes } => (labels, codes),
        };
        // Only the entropy of counts of rows is looked up.
        let is_tabled = criterion == Criterion::Entropy && weights.is_none();
        let logs = LogTable::up_to(if is_tabled { codes.len().min(Self::TABLED) } else { 0 });
        let rating = Rating::new(criterion, base, weights, &logs);
        match weights {
            None => self.of_classes(ClassStat::<u32>::new(codes, None, labels.len(), rating)),
            Some(w) => {
                self.of_classes(ClassStat::<u64>::new(codes, Some(&w.units), labels.len(), rating))
            }
        }
    }
}
