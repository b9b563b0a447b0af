//! Splits that are drawn, from the numbers of a seed, by values alone.

use std::cmp::Ordering;

use gaintree::Grouping;
use gaintree::engine::dtype::{DType, Kind, Value};
use half::f16;

use crate::frames::Column;
use crate::oracle::{Ask, neighbour, text};

/// SplitMix64 (Steele, Lea & Flood 2014).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        share_of(n as u128, self.next()) as usize
    }
}

/// `n * number / 2^64`, bit by bit of the number from the lowest one.
fn share_of(n: u128, number: u64) -> u128 {
    (0..64).fold(0, |share: u128, bit| match number >> bit & 1 {
        0 => share / 2,
        _ => share / 2 + n / 2 + (share & n & 1),
    })
}

/// The test that is drawn of an ordered column, or of a nominal one that is no multiway one, whose
/// levels in the node are these, ascending; `None` if they are fewer than two. `is_lower` tells that one
/// set of levels has a lower share or mean than another, where levels have such an order.
pub fn ask(
    column: &Column,
    grouping: Grouping,
    levels: &[&Value],
    seed: u64,
    is_lower: impl Fn(&[usize], &[usize]) -> bool,
) -> Option<Ask> {
    let mut numbers = Numbers(seed);
    let (n, texts) = (levels.len(), |set: &[usize]| -> Vec<String> {
        set.iter().map(|&at| text(&column.dtype, levels[at]).into_owned()).collect()
    });
    if n < 2 {
        return None;
    }
    Some(match (column.kind, grouping) {
        (Kind::Ordered, _) => Ask::AtLeast(match place(&column.dtype, levels[0], levels[n - 1]) {
            Some(place) => place(numbers.next()),
            None => levels[1 + numbers.below(n - 1)].clone(),
        }),
        (Kind::Nominal, Grouping::Subset) => {
            let (mut right, mut left): (Vec<usize>, Vec<usize>) = (vec![], vec![]);
            while right.is_empty() || left.is_empty() {
                (right, left) = (0..n).partition(|_| numbers.below(2) == 1);
            }
            if right[0] == 0 {
                std::mem::swap(&mut right, &mut left);
            }
            if is_lower(&right, &left) {
                std::mem::swap(&mut right, &mut left);
            }
            Ask::In { right: texts(&right), left: texts(&left) }
        }
        (Kind::Nominal, _) => Ask::Equals(texts(&[numbers.below(n)]).remove(0)),
    })
}

/// The place between two values that a number stands for; `None` for text, which has no places.
fn place<'a>(
    dtype: &'a DType,
    lo: &'a Value,
    hi: &'a Value,
) -> Option<Box<dyn Fn(u64) -> Value + 'a>> {
    Some(match (lo, hi) {
        (&Value::Float(lo), &Value::Float(hi)) => {
            Box::new(move |number| Value::Float(float_place(dtype, lo, hi, number)))
        }
        (&Value::Int(lo), &Value::Int(hi)) => Box::new(move |number| {
            let above = share_of(hi.wrapping_sub(lo) as u128, number);
            Value::Int(lo.wrapping_add(above as i128).wrapping_add(1))
        }),
        (&Value::Unsigned(lo), &Value::Unsigned(hi)) => {
            Box::new(move |number| Value::Unsigned(lo + share_of(hi - lo, number) + 1))
        }
        _ => return None,
    })
}

fn float_place(dtype: &DType, lo: f64, hi: f64, number: u64) -> f64 {
    let largest = match dtype {
        DType::F16 => f16::MAX.to_f64(),
        DType::F32 => f32::MAX.into(),
        _ => f64::MAX,
    };
    let share = (number >> 11) as f64 / 2f64.powi(53);
    let (a, b) = (lo.max(-largest), hi.min(largest));
    let place = match b - a {
        f64::INFINITY => 2.0 * (a / 2.0 + share * (b / 2.0 - a / 2.0)),
        span => a + share * span,
    };
    let place = match dtype {
        DType::F16 => f16::from_f64(place).to_f64(),
        DType::F32 => f64::from(place as f32),
        _ => place,
    };
    // Both ends have rows on their sides.
    match place.partial_cmp(&lo) {
        Some(Ordering::Greater) if place <= hi => place,
        Some(Ordering::Greater) => hi,
        _ => neighbour(dtype, lo, true) + 0.0,
    }
}
