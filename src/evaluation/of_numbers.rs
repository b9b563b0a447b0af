//! How good predictions of numbers are.

use super::bootstrap::intervals;
use super::figures::Evaluation;
use super::of_classes::Judging;
use crate::error::Result;
use crate::util::random::Random;

const NAMES: [&str; 3] = ["rmse", "mae", "r2"];

/// The figures of `n` rows, in the order of [`NAMES`]. The iterator gives the actual and the predicted
/// number of each row.
fn figures(n: usize, rows: impl Iterator<Item = (f64, f64)> + Clone) -> [f64; 3] {
    let n = n as f64;
    let mean = rows.clone().map(|(actual, _)| actual / n).sum::<f64>();
    let (mut squares, mut distances, mut total_squares) = (0.0, 0.0, 0.0);
    for (actual, predicted) in rows {
        let error = actual - predicted;
        squares += error * error;
        distances += error.abs();
        total_squares += (actual - mean) * (actual - mean);
    }
    let r2 = if total_squares > 0.0 { 1.0 - squares / total_squares } else { 0.0 };
    [(squares / n).sqrt(), distances / n, r2]
}

/// Compares the predicted means with actual numbers; there is at least one row.
pub(crate) fn evaluate_numbers(
    (means, absent_levels): (&[f64], u64),
    actual: &[f64],
    judging: Judging,
) -> Result<Evaluation> {
    let n = actual.len();
    let row = |at: usize| (actual[at], means[at]);
    let [rmse, mae, r2] = figures(n, (0..n).map(row));
    let draw = |random: &mut Random| {
        let drawn: Vec<u32> = (0..n).map(|_| random.below(n) as u32).collect();
        figures(n, drawn.iter().map(|&at| row(at as usize))).map(Some).to_vec()
    };
    let intervals = intervals(&NAMES, &[rmse, mae, r2].map(Some), draw, judging.spec)?;
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
