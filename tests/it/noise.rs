//! Columns of noise, the same everywhere.

use gaintree::engine::dtype::{DType, Kind, Value};

use crate::frames::Column;

/// A small generator, so that the frames are the same everywhere.
pub struct Noise(pub u64);

impl Noise {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    pub fn ints(&mut self, n: usize, k: u64) -> Vec<i128> {
        (0..n).map(|_| self.below(k).into()).collect()
    }

    pub fn column(&mut self, kind: Kind, n: usize, k: u64, missing_in_ten: u64) -> Column {
        let cells = self.ints(n, k).into_iter();
        let cells: Vec<_> =
            cells.map(|x| (self.below(10) >= missing_in_ten).then_some(Value::Int(x))).collect();
        Column { kind, ..Column::new(&format!("x{k}{missing_in_ten}{kind}"), DType::I64, cells) }
    }
}
