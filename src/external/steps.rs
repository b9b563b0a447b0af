//! Bins in even steps: the bin of a value is computed, without comparing the value with each start.

use super::key_range::KeyRange;
use crate::data::dtype::{DType, Value, key_after, value_of_key};

/// Intervals of a column of numbers, in runs of even steps between exact borders.
///
/// The step of a number is `floor((x - origin) * scale)`. Each operation is rounded as IEEE 754 says, so
/// every engine computes the same step, and a greater `x` never has a lower step. So the steps divide
/// the keys into intervals. The starts of the intervals are computed here.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    runs: Vec<StepRun>,
    starts: Vec<i128>,
}

/// Bins that follow each other, up to the first key of the next run.
#[derive(Clone, Debug, PartialEq)]
pub struct StepRun {
    /// The lowest key. In the first run it is below all keys, and is not looked at.
    pub first: i128,
    /// The number of its first bin.
    pub bin: u32,
    /// The steps; `None` if it is one bin.
    pub steps: Option<EvenSteps>,
}

/// Even steps of numbers, numbered from 0 on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvenSteps {
    /// Where the first one starts.
    pub origin: f64,
    /// One over their width.
    pub scale: f64,
}

/// A bin is crowded if it has several values and more than this many times its share of the rows.
const CROWDED: usize = 3;

/// A run with a crowded bin is divided, and its parts again, at most this many times.
const MAX_DIVISIONS: u32 = 3;

impl Steps {
    /// About `n_bins` bins within each of some ranges, and one bin between each two ranges. The ranges
    /// ascend, and so do the keys, which some rows have.
    pub fn new(dtype: &DType, keys: &[i128], ranges: &[KeyRange], n_bins: usize) -> Steps {
        let mut builder = StepsBuilder { dtype, runs: Vec::new(), starts: Vec::new() };
        let mut next = Some(i128::MIN);
        for &range in ranges {
            if let Some(between) = next.filter(|&next| next < range.first) {
                builder.one(between);
            }
            let from = keys.partition_point(|&key| key < range.first);
            let to = keys.partition_point(|&key| key <= range.last);
            builder.range(&keys[from..to], range, n_bins, MAX_DIVISIONS);
            next = range.last.checked_add(1);
        }
        if let Some(rest) = next {
            builder.one(rest);
        }
        Steps { runs: builder.runs, starts: builder.starts }
    }

    /// The runs, ascending.
    pub fn runs(&self) -> &[StepRun] {
        &self.runs
    }

    /// The first key of each bin but the first, ascending. A bin that no key falls into has the same
    /// start as the next bin.
    pub fn starts(&self) -> &[i128] {
        &self.starts
    }
}

impl EvenSteps {
    /// About `n_steps` steps between two numbers. `None` if no float can be the scale, or if engines
    /// may not read the lower number.
    fn between(low: f64, high: f64, n_steps: usize) -> Option<EvenSteps> {
        // The steps end a little above `high`, so that `high` has no step of its own.
        const WHOLE: f64 = 1.0 - 1e-9;
        let scale = n_steps as f64 * WHOLE / (high - low);
        // Not every engine reads numbers below the normal ones.
        let is_read = |x: f64| x.is_normal() || x == 0.0;
        let tells = scale.is_normal() && high > low && is_read(low);
        tells.then_some(EvenSteps { origin: low, scale })
    }

    /// The step of a number. The number is at least the origin.
    pub fn step(self, x: f64) -> u32 {
        ((x - self.origin) * self.scale).floor() as u32
    }
}

/// The number of a key, as engines compute it. A decimal is divided by its power of ten: up to 15 digits
/// the quotient is the nearest float.
fn number_of_key(dtype: &DType, key: i128) -> f64 {
    match (dtype, value_of_key(dtype, key)) {
        (DType::Decimal { scale, .. }, Value::Int(units)) => {
            units as f64 / 10f64.powi(*scale as i32)
        }
        (_, value) => value.nearest_f64(),
    }
}

struct StepsBuilder<'d> {
    dtype: &'d DType,
    runs: Vec<StepRun>,
    starts: Vec<i128>,
}

impl StepsBuilder<'_> {
    fn run(&mut self, first: i128, steps: Option<EvenSteps>) {
        if !self.runs.is_empty() {
            self.starts.push(first);
        }
        self.runs.push(StepRun { first, bin: self.starts.len() as u32, steps });
    }

    fn one(&mut self, first: i128) {
        self.run(first, None);
    }

    /// Divides a range into about `n_bins` bins. They are even steps over the whole range, unless a bin is
    /// crowded: then the steps begin at the first of the keys and end at the last one.
    fn range(&mut self, keys: &[i128], range: KeyRange, n_bins: usize, divisions: u32) {
        let KeyRange { first, last } = range;
        if let Some(steps) = self.steps(first, last, n_bins)
            && self.most_crowded(keys, Some(steps), n_bins).is_none()
        {
            return self.even(first, last, steps);
        }
        // Infinities have no distance: they are in the outermost bins.
        let number = |key: &i128| number_of_key(self.dtype, *key);
        let finite = keys.partition_point(|key| number(key) == f64::NEG_INFINITY)
            ..keys.partition_point(|key| number(key) < f64::INFINITY);
        let keys = keys.get(finite).unwrap_or_default();
        let (Some(&low), Some(&high)) = (keys.first(), keys.last()) else {
            return self.one(first);
        };
        if first < low {
            self.one(first);
        }
        self.spanned(keys, n_bins, divisions);
        if let Some(after) = key_after(self.dtype, high).filter(|&after| after <= last) {
            self.one(after);
        }
    }

    /// Divides the span from the first key to the last one into about `n_bins` bins.
    fn spanned(&mut self, keys: &[i128], n_bins: usize, divisions: u32) {
        let (low, high) = (keys[0], keys[keys.len() - 1]);
        let steps = self.steps(low, high, n_bins);
        if low < high
            && n_bins > 1
            && divisions > 0
            && let Some(crowded) = self.most_crowded(keys, steps, n_bins)
        {
            return self.divide(keys, crowded, n_bins, divisions - 1);
        }
        match steps {
            Some(steps) => self.even(low, high, steps),
            None => self.one(low),
        }
    }

    /// About `n_bins` even steps between two keys, where [`EvenSteps::between`] finds some.
    fn steps(&self, first: i128, last: i128, n_bins: usize) -> Option<EvenSteps> {
        // The ends of an open range are no values.
        let is_open = first == i128::MIN || last == i128::MAX;
        if is_open || n_bins < 2 {
            return None;
        }
        let number = |key| number_of_key(self.dtype, key);
        EvenSteps::between(number(first), number(last), n_bins)
    }

    fn even(&mut self, first: i128, last: i128, steps: EvenSteps) {
        let step_of = |key| steps.step(number_of_key(self.dtype, key));
        let n_steps = step_of(last);
        let mut start = first;
        let starts = (1..=n_steps).map(|step| {
            start = first_key(start, last, |key| step_of(key) >= step);
            start
        });
        let starts: Vec<i128> = starts.collect();
        self.run(first, Some(steps));
        self.starts.extend(starts);
    }

    /// The keys of the bin that has the most of them, if it is crowded. Without steps all are in one.
    fn most_crowded<'k>(
        &self,
        keys: &'k [i128],
        steps: Option<EvenSteps>,
        n_bins: usize,
    ) -> Option<&'k [i128]> {
        let step = |key: &i128| steps.map(|steps| steps.step(number_of_key(self.dtype, *key)));
        let bins = keys.chunk_by(|a, b| step(a) == step(b));
        let crowded = bins.filter(|bin| bin.len() * n_bins > CROWDED * keys.len());
        crowded.filter(|bin| bin.first() != bin.last()).max_by_key(|bin| bin.len())
    }

    /// Divides the span of some keys: around a key that fills half of the crowded bin, around the crowded
    /// bin if it has many of the keys, or at the middle key.
    fn divide(&mut self, keys: &[i128], crowded: &[i128], n_bins: usize, divisions: u32) {
        let up_to = |key: i128| keys.partition_point(|&of| of <= key);
        let [first, last] = [keys[0], keys[keys.len() - 1]];
        let heavy = crowded[crowded.len() / 2];
        let is_heavy = 2 * crowded.iter().filter(|&&key| key == heavy).count() > crowded.len();
        let part = match crowded.len() {
            _ if is_heavy => KeyRange { first: heavy, last: heavy },
            many if many * 4 > keys.len() && many < keys.len() => {
                KeyRange { first: crowded[0], last: crowded[many - 1] }
            }
            _ => {
                let middle = keys[keys.len() / 2];
                // The first key has nothing below.
                let first = if middle == first { keys[up_to(middle)] } else { middle };
                KeyRange { first, last }
            }
        };
        let after = key_after(self.dtype, part.last).filter(|&after| after <= last);
        let parts = [
            (first < part.first).then(|| KeyRange { first, last: part.first - 1 }),
            Some(part),
            after.map(|first| KeyRange { first, last }),
        ];
        for range in parts.into_iter().flatten() {
            let of_part = &keys[up_to(range.first - 1)..up_to(range.last)];
            let share = (n_bins * of_part.len()).div_ceil(keys.len());
            match range.first == range.last {
                true => self.one(range.first),
                false => self.range(of_part, range, share, divisions),
            }
        }
    }
}

/// The least key from `low` to `high` for which a condition holds. It holds for all keys above that
/// one, and for `high`.
fn first_key(low: i128, high: i128, holds: impl Fn(i128) -> bool) -> i128 {
    let (mut low, mut high) = (low, high);
    while low < high {
        let middle = low + (high - low) / 2;
        match holds(middle) {
            true => high = middle,
            false => low = middle + 1,
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::dtype::key_of_value;
    use proptest::prelude::*;

    const ALL: KeyRange = KeyRange { first: i128::MIN, last: i128::MAX };

    fn bin_of(steps: &Steps, dtype: &DType, key: i128) -> usize {
        let after = steps.runs().partition_point(|run| run.first <= key);
        let run = &steps.runs()[after.max(1) - 1];
        let step = run.steps.map_or(0, |even| even.step(number_of_key(dtype, key)));
        (run.bin + step) as usize
    }

    fn sorted_keys(dtype: &DType, values: impl IntoIterator<Item = Value>) -> Vec<i128> {
        let mut keys: Vec<i128> =
            values.into_iter().filter_map(|value| key_of_value(dtype, &value)).collect();
        keys.sort_unstable();
        keys
    }

    fn columns() -> impl Strategy<Value = (DType, Vec<Value>)> {
        let extremes = [0.0, -0.0, 5e-324, -5e-324, 1e-300, f64::MAX, f64::MIN];
        let infinities = [f64::INFINITY, f64::NEG_INFINITY];
        let odd = prop::sample::select([&extremes[..], &infinities].concat());
        let float =
            prop_oneof![-1.0..1.0f64, 1e9..1e9 + 4.0f64, odd, any::<i8>().prop_map(f64::from)];
        let integer = prop_oneof![-9..9i64, any::<i64>(), i64::MAX - 9..i64::MAX];
        let decimal = DType::Decimal { precision: 15, scale: 3 };
        let integers = prop::sample::select(vec![DType::I64, DType::Date, decimal]);
        let value = |x: i64| Value::Int(x.into());
        prop_oneof![
            prop::collection::vec(float.prop_map(Value::Float), 1..300)
                .prop_map(|v| (DType::F64, v)),
            (integers, prop::collection::vec(integer.prop_map(value), 1..300)),
        ]
    }

    proptest! {
        /// The step of a value leads to the bin that the starts at or below the value tell.
        #[test]
        fn steps_part_the_keys_at_their_starts(
            (dtype, values) in columns(),
            n_bins in 2usize..40,
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        ) {
            let keys = sorted_keys(&dtype, values);
            let mut ends: Vec<i128> = cuts.iter().map(|cut| *cut.get(&keys)).collect();
            ends.sort_unstable();
            ends.dedup();
            let within: Vec<KeyRange> = ends
                .chunks_exact(2)
                .map(|ends| KeyRange { first: ends[0], last: ends[1] - 1 })
                .collect();
            for ranges in [&[ALL][..], &within] {
                let steps = Steps::new(&dtype, &keys, ranges, n_bins);
                let starts = steps.starts();
                prop_assert!(starts.is_sorted());
                let at_starts = starts.iter().flat_map(|&start| [start, start - 1]);
                // Not every key has a value.
                let at_starts = at_starts.filter(|&key| {
                    key_of_value(&dtype, &value_of_key(&dtype, key)) == Some(key)
                });
                for key in keys.iter().copied().chain(at_starts) {
                    let wanted = starts.partition_point(|&start| start <= key);
                    prop_assert_eq!(bin_of(&steps, &dtype, key), wanted);
                }
                for range in ranges.iter().filter(|range| **range != ALL) {
                    prop_assert!(starts.contains(&range.first) || range.first == i128::MIN);
                    prop_assert!(starts.contains(&(range.last + 1)));
                }
            }
        }
    }

    /// Where values lie unevenly, a bin of several values has few of them.
    #[test]
    fn no_bin_is_far_too_full() {
        let uneven: [fn(f64) -> f64; 5] = [
            |u| u,
            |u| (-(1.0 - u).ln()).powi(3),
            |u| (std::f64::consts::PI * (u - 0.5)).tan(),
            |u| if u < 0.8 { 0.0 } else { 1e6 + u },
            |u| (u * 20.0).floor() * 1e3 + u,
        ];
        for of in uneven {
            let numbers = (0..8192).map(|at| Value::Float(of((f64::from(at) + 0.5) / 8192.0)));
            let keys = sorted_keys(&DType::F64, numbers);
            let steps = Steps::new(&DType::F64, &keys, &[ALL], 256);
            let bins = keys.chunk_by(|a, b| {
                bin_of(&steps, &DType::F64, *a) == bin_of(&steps, &DType::F64, *b)
            });
            let several = bins.filter(|bin| bin.first() != bin.last());
            let fullest = several.map(<[i128]>::len).max().unwrap_or(0);
            assert!(fullest <= 8192 / 12, "{fullest}");
            assert!(steps.starts().len() < 320 && steps.runs().len() < 32, "{:?}", steps.runs());
        }
    }
}
