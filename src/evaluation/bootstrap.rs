//! How far figures would go if other rows of the same kind were drawn.

use rand_distr::{Binomial, Distribution};

use crate::error::Result;
use crate::spec::{Bootstrap, EvalSpec};
use crate::util::monitoring::{advance, begin_stage, check_interrupt};
use crate::util::parallel;
use crate::util::random::Random;

/// A figure, and the values between which it lies in the middle share of the draws. Both are `None`
/// where no draw has the figure, such as an area under the ROC curve of one class.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields are the columns of the table `intervals`
pub struct FigureInterval {
    pub figure: String,
    pub value: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
}

/// The percentile intervals of some figures, if the spec asks for them (Efron & Tibshirani 1993,
/// chapter 13). `draw` gives the figures of rows drawn anew. The draws are the same whatever the
/// threads.
///
/// # Errors
/// An interrupt.
pub(super) fn intervals(
    names: &[&str],
    values: &[Option<f64>],
    draw: impl Fn(&mut Random) -> Vec<Option<f64>> + Sync,
    spec: &EvalSpec,
) -> Result<Vec<FigureInterval>> {
    let Some(Bootstrap { resamples, confidence, seed }) = spec.bootstrap else {
        return Ok(Vec::new());
    };
    let monitor = spec.monitor.as_ref();
    begin_stage(monitor, "drawing rows", resamples as usize);
    let drawn = parallel::try_map(0..u64::from(resamples), |at| {
        check_interrupt(monitor)?;
        advance(monitor, 1);
        Ok(draw(&mut Random::of_stream(seed, [0, at])))
    })?;
    let interval = |(figure, (name, &value)): (usize, (&&str, &Option<f64>))| {
        let mut drawn: Vec<f64> = drawn.iter().filter_map(|figures| figures[figure]).collect();
        drawn.sort_unstable_by(f64::total_cmp);
        let outside = (1.0 - confidence) / 2.0;
        FigureInterval {
            figure: name.to_string(),
            value,
            low: quantile(&drawn, outside),
            high: quantile(&drawn, 1.0 - outside),
        }
    };
    Ok(names.iter().zip(values).enumerate().map(interval).collect())
}

/// The quantile of sorted numbers, linear between two of them.
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let at = (sorted.len().checked_sub(1)?) as f64 * share;
    let (below, above) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    Some(below + (above - below) * at.fract())
}

/// As many rows as there are, drawn with replacement: how many fall into each cell. One number of each
/// cell is drawn, whatever its rows.
pub(super) fn drawn_counts(counts: &[u64], random: &mut Random) -> Vec<u64> {
    let mut rows = counts.iter().sum::<u64>();
    let mut draws = rows;
    let drawn = |&n: &u64| {
        let share = n as f64 / rows.max(1) as f64;
        // The last cell with rows takes what is left. A share is from 0 to 1, so it has a distribution.
        let drawn = match Binomial::new(draws, share) {
            Ok(binomial) if n < rows => binomial.sample(random),
            _ if n == 0 => 0,
            _ => draws,
        };
        rows -= n;
        draws -= drawn;
        drawn
    };
    counts.iter().map(drawn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_drawn_by_their_share_and_none_is_lost() {
        let counts = [600u64, 0, 300, 100, 0];
        let mut sums = [0u64; 5];
        for stream in 0..2000 {
            let drawn = drawn_counts(&counts, &mut Random::of_stream(3, [0, stream]));
            assert_eq!(drawn.iter().sum::<u64>(), 1000);
            sums.iter_mut().zip(drawn).for_each(|(sum, n)| *sum += n);
        }
        // Four deviations of a mean of 2,000 draws are below 1.4 rows.
        for (sum, n) in sums.iter().zip(counts) {
            assert!((*sum as f64 / 2000.0 - n as f64).abs() < 1.4, "{sums:?}");
        }
    }

    #[test]
    fn quantiles_are_linear() {
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.5), Some(2.0));
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.75), Some(3.0));
        assert_eq!(quantile(&[], 0.5), None);
    }
}
