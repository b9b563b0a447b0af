//! How good predictions of numbers are.

use super::bootstrap::intervals;
use super::figures::Evaluation;
use super::of_classes::Judging;
use crate::error::Result;
use crate::util::random::Random;

const NAMES: [&str; 3] = ["rmse", "mae", "r2"];

/// Figures of some rows.
struct Figures {
    rmse: f64,
    mae: f64,
    r2: f64,
}

impl Figures {
    /// Of `n` rows. The iterator gives the actual and the predicted number of each.
    fn of(n: usize, rows: impl Iterator<Item = (f64, f64)> + Clone) -> Figures {
        let n = n as f64;
        let mean = rows.clone().map(|(actual, _)| actual / n).sum::<f64>();
        let (mut squares, mut distances, mut total_squares) = (0.0, 0.0, 0.0);
        for (actual, predicted) in rows {
            let error = actual - predicted;
            squares += error * error;
            distances += error.abs();
            total_squares += (actual - mean) * (actual - mean);
        }
        Figures {
            rmse: (squares / n).sqrt(),
            mae: distances / n,
            r2: if total_squares > 0.0 { 1.0 - squares / total_squares } else { 0.0 },
        }
    }

    fn values(&self) -> [Option<f64>; 3] {
        [self.rmse, self.mae, self.r2].map(Some)
    }
}

/// Compares the predicted means with actual numbers; there is at least one row.
pub(crate) fn evaluate_numbers(
    (means, absent_levels): (&[f64], u64),
    actual: &[f64],
    judging: Judging,
) -> Result<Evaluation> {
    let n = actual.len();
    let row = |at: usize| (actual[at], means[at]);
    let figures = Figures::of(n, (0..n).map(row));
    let draw = |random: &mut Random| {
        let drawn: Vec<u32> = (0..n).map(|_| random.below(n) as u32).collect();
        Figures::of(n, drawn.iter().map(|&at| row(at as usize))).values().to_vec()
    };
    let intervals = intervals(&NAMES, &figures.values(), draw, judging.spec)?;
    let Figures { rmse, mae, r2 } = figures;
    Ok(Evaluation::Numbers {
        rows: n as u64,
        rmse,
        mae,
        r2,
        intervals,
        absent_levels,
        looks_like_training: judging.looks_like_training,
    })
}
