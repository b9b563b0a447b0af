//! Which cuts of an ordered feature pay for themselves: recursive entropy discretisation with
//! the stop by minimum description length (Fayyad & Irani 1993, "Multi-interval discretization
//! of continuous-valued attributes for classification learning", IJCAI).
//!
//! An interval S of N rows is cut at its boundary of highest gain into S1 and S2 if
//!
//! ```text
//! gain > log2(N - 1) / N + delta / N
//! delta = log2(3^k - 2) - (k H(S) - k1 H(S1) - k2 H(S2))
//! ```
//!
//! where `k`, `k1` and `k2` are the classes present; then S1 and S2 are cut in turn. All terms
//! are in bits, whatever unit gains are shown in.

use crate::spec::{LogBase, Missing};
use crate::split::{BinarySplits, Buckets, CodeCut, CodeTest, SplitPolicy, ordered};
use crate::stat::{ClassRating, Count, Rating, difference};

/// Intervals of fewer classes keep all classes in their stats: two are rated by functions of their own,
/// whose last digits may be others.
const FEW_CLASSES: usize = 3;

/// An accepted cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Accepted {
    /// The first bucket above it.
    pub(super) start: usize,
    /// Rows of the interval it splits.
    pub(super) rows: u32,
    /// The gain within that interval, in the rating's unit.
    pub(super) gain: f64,
}

/// The accepted cuts, ascending, over the rows whose value is known. Linear in the buckets, times the
/// classes that an interval has, per level of the recursion.
pub(super) fn accepted<N: Count>(rating: &ClassRating<N>, buckets: &Buckets<N>) -> Vec<Accepted> {
    let policy = SplitPolicy::unlimited(Missing::Majority, 0.0);
    let mut accepted = Vec::new();
    let mut open = vec![(0, buckets.part(0..buckets.len()))];
    while let Some((from, part)) = open.pop() {
        let rating = rating.narrowed(part.width);
        let in_bits = rating.in_base(LogBase::Two);
        let splits = BinarySplits::new(&policy, &in_bits, &part);
        let Some(best) = ordered::best_cut(&splits) else { continue };
        let CodeTest::AtLeast(CodeCut { hi, .. }) = best.test else { continue };
        let below = part.index_of(hi);
        let left = part.part(0..below).known();
        let right = difference(&splits.parent, &left);
        if pays(&in_bits, &splits.parent, [&left, &right], best.gain) {
            let start = from + below;
            let gain = rating.gain(&splits.parent, &[&left, &right]);
            accepted.push(Accepted { start, rows: part.known_rows(), gain });
            // One absent class stays, so that no entropy is held to the logarithm of the present ones.
            let of_present = |buckets| part.part(buckets).of_present(FEW_CLASSES);
            open.extend([(from, of_present(0..below)), (start, of_present(below..part.len()))]);
        }
    }
    accepted.sort_by_key(|cut| cut.start);
    accepted
}

/// The buckets merged between accepted cuts; `None` if no cut is accepted.
pub(super) fn intervals<N: Count>(
    rating: &ClassRating<N>,
    buckets: &Buckets<N>,
) -> Option<Buckets<N>> {
    let starts: Vec<usize> = accepted(rating, buckets).iter().map(|cut| cut.start).collect();
    (!starts.is_empty()).then(|| buckets.merged(&starts))
}

/// Whether a cut saves more bits than its description takes.
fn pays<N: Count>(rating: &ClassRating<N>, whole: &[N], parts: [&[N]; 2], gain: f64) -> bool {
    let n = rating.weight(rating.units(whole));
    let classes = |stat: &[N]| stat.iter().filter(|&&count| count > N::default()).count();
    let told = |part: &[N]| classes(part) as f64 * rating.impurity(part);
    let [left, right] = parts;
    let delta = partitions(classes(whole)) - (told(whole) - told(left) - told(right));
    // With a total weight below 2, the cut's position would have a negative cost.
    gain > ((n - 1.0).max(1.0).log2() + delta) / n
}

/// `log2(3^k - 2)`; past 33 classes the 2 is below a float's precision.
fn partitions(classes: usize) -> f64 {
    let k = classes as f64;
    if classes <= 33 { (3f64.powf(k) - 2.0).log2() } else { k * 3f64.log2() }
}
