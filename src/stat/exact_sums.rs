//! Sums of distances and of their squares, exact in any order.

/// A sum of distances. Their upper and lower halves are added apart, as 64 bits cannot overflow
/// then, and are faster than 128.
#[inline]
pub(super) fn sum_of(distances: impl Iterator<Item = i64>) -> i128 {
    let (high, low) = distances.fold((0i64, 0u64), |(high, low), distance| {
        (high + (distance >> u32::BITS), low + u64::from(distance as u32))
    });
    (i128::from(high) << u32::BITS) + i128::from(low)
}

/// A sum of weight units times squared distances, exact in any order.
///
/// A square of 128 bits times a weight of 63 bits fits no integer type, so the upper and the
/// lower half of each square are summed apart; neither sum can overflow while the weight units
/// add up to less than 2^63.
#[derive(Default)]
pub(super) struct Squares {
    high: u128,
    low: u128,
}

impl Squares {
    #[inline(always)]
    pub(super) fn about(centre: i64, rows: impl Iterator<Item = (i64, u64)>) -> Squares {
        let mut squares = Squares::default();
        for (distance, units) in rows {
            let apart = u128::from(distance.abs_diff(centre));
            let (square, units) = (apart * apart, u128::from(units));
            squares.high += u128::from((square >> u64::BITS) as u64) * units;
            squares.low += u128::from(square as u64) * units;
        }
        squares
    }

    /// Sums of the upper and the lower halves.
    pub(super) fn of_halves(high: u128, low: u128) -> Squares {
        Squares { high, low }
    }

    pub(super) fn sum(&self) -> f64 {
        self.high as f64 * 2f64.powi(64) + self.low as f64
    }
}
