//! Proxies of numbers: the variance that a split takes away.

/// The mean distance of some rows, in units.
#[derive(Clone, Copy)]
pub(in crate::stat) struct Mean {
    /// Rounded down.
    pub(in crate::stat) whole: i128,
    /// From 0 to 1.
    pub(in crate::stat) fraction: f64,
}

impl Mean {
    /// The mean of a stat with rows.
    #[inline]
    pub(in crate::stat) fn of(stat: &[i128]) -> Mean {
        // A stat without rows has no mean; any number does.
        let (weight, sum) = (stat[0].max(1), stat[1]);
        // Most sums have 64 bits, which the processor divides itself.
        let whole = match (i64::try_from(sum), i64::try_from(weight)) {
            (Ok(sum), Ok(weight)) => sum.div_euclid(weight).into(),
            _ => {
                // One division, where `div_euclid` takes two.
                let whole = sum / weight;
                whole - i128::from(sum < whole * weight)
            }
        };
        Mean { whole, fraction: float(sum - whole * weight) / float(weight) }
    }

    #[inline]
    pub(in crate::stat) fn minus(self, other: Mean) -> f64 {
        float(self.whole - other.whole) + (self.fraction - other.fraction)
    }
}

/// Proxies of one parent: the variance a split takes away, in squared units. Sums are taken about
/// the whole part of the parent's mean, which is exact, so that they do not cancel.
pub(in crate::stat) struct Proxy {
    pub(in crate::stat) weight: f64,
    pub(in crate::stat) mean: Mean,
}

impl Proxy {
    #[inline]
    pub(in crate::stat) fn of(parent: &[i128]) -> Proxy {
        Proxy { weight: float(parent[0]), mean: Mean::of(parent) }
    }

    /// How far the sum of a side of weight `left` is above its share of the parent's sum, where
    /// `sum` is taken about the whole part of the mean.
    #[inline]
    pub(in crate::stat) fn above(&self, left: f64, sum: i128) -> f64 {
        float(sum) - self.mean.fraction * left
    }

    #[inline]
    pub(in crate::stat) fn above_at(&self, stat: &[i128]) -> [f64; 2] {
        let left = float(stat[0]);
        [left, self.above(left, stat[1] - self.mean.whole * stat[0])]
    }

    /// The proxy, from [`above`](Self::above).
    #[inline]
    pub(in crate::stat) fn at(&self, left: f64, above: f64) -> f64 {
        above * above / (left * (self.weight - left)).max(f64::MIN_POSITIVE)
    }
}

/// The nearest float. Most sums have 64 bits, which the processor converts itself.
#[inline]
pub(in crate::stat) fn float(sum: i128) -> f64 {
    match i64::try_from(sum) {
        Ok(sum) => sum as f64,
        Err(_) => float_of_wide(sum),
    }
}

/// Apart, as the compiler would take the two ways for one.
#[cold]
#[inline(never)]
fn float_of_wide(sum: i128) -> f64 {
    sum as f64
}
