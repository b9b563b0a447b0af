//! Classes of columns, and tables made of them.

use gaintree::Task;
use gaintree::engine::dtype::DType;
use gaintree::engine::{Kinds, Table};

use crate::random::Random;
use crate::raw::Raw;
use crate::shape::Shape;

/// What a column's values are like: what encoding and scanning cost depends on it.
#[derive(Clone, Copy, Debug)]
pub enum ColumnClass {
    /// Floats, no two alike.
    Distinct,
    /// 20 integers.
    FewLevels,
    /// Floats of 1,000 values, a few of them very frequent.
    HeavyTies,
    /// Text of 10 levels.
    Nominal10,
    /// Text of 10,000 levels.
    Nominal10k,
    /// Distinct floats, one in ten missing.
    Nulls,
    /// Distinct floats in ascending order.
    Sorted,
    /// One value.
    Constant,
}

impl ColumnClass {
    pub const ALL: [ColumnClass; 8] = [
        ColumnClass::Distinct,
        ColumnClass::FewLevels,
        ColumnClass::HeavyTies,
        ColumnClass::Nominal10,
        ColumnClass::Nominal10k,
        ColumnClass::Nulls,
        ColumnClass::Sorted,
        ColumnClass::Constant,
    ];

    /// One row's value and how much it speaks for a high class, both from a draw of `[0, 1)`.
    fn cell(self, draw: f64, row: f64) -> (f64, f64) {
        match self {
            ColumnClass::Distinct => (draw, wave(draw)),
            ColumnClass::FewLevels => level(draw, 20.0),
            ColumnClass::HeavyTies => level(draw * draw * draw, 1_000.0),
            ColumnClass::Nominal10 => level(draw, 10.0),
            ColumnClass::Nominal10k => level(draw, 10_000.0),
            ColumnClass::Nulls if draw < 0.1 => (f64::NAN, 0.5),
            ColumnClass::Nulls => (draw, wave(draw)),
            ColumnClass::Sorted => (row + draw, wave(draw)),
            ColumnClass::Constant => (7.0, 0.5),
        }
    }

    fn dtype(self) -> DType {
        match self {
            ColumnClass::FewLevels => DType::I64,
            ColumnClass::Nominal10 | ColumnClass::Nominal10k => DType::String,
            _ => DType::F64,
        }
    }
}

/// Not monotone, so that no single cut tells all.
fn wave(draw: f64) -> f64 {
    0.5 + 0.5 * (9.0 * draw).sin()
}

fn level(draw: f64, levels: f64) -> (f64, f64) {
    let level = (draw * levels).floor();
    // Neighbouring levels speak for different classes.
    (level, (level * 0.618_034).fract())
}

/// A table before it is encoded.
pub struct RawTable {
    features: Vec<Raw>,
    target: Raw,
    weights: Option<Vec<f64>>,
    task: Task,
}

impl RawTable {
    /// Columns of one class. The target follows the first four of them, but for one row in ten.
    pub fn new(class: ColumnClass, shape: Shape) -> RawTable {
        let mut random = Random(1);
        let mut score = vec![0.0; shape.rows];
        let features: Vec<Raw> = (0..shape.columns)
            .map(|column| {
                let values = score.iter_mut().enumerate().map(|(row, score)| {
                    let (value, speaks) = class.cell(random.unit(), row as f64);
                    *score += if column < 4 { speaks } else { 0.0 };
                    value
                });
                Raw { name: format!("x{column}"), dtype: class.dtype(), values: values.collect() }
            })
            .collect();
        let classes = shape.classes as f64;
        let full = shape.columns.min(4) as f64;
        let target = score.into_iter().map(|score| {
            let share = if random.unit() < 0.1 { random.unit() } else { score / full };
            // Without classes the target is a number.
            if shape.classes == 0 { share } else { (share * classes).floor().min(classes - 1.0) }
        });
        let dtype = if shape.classes == 0 { DType::F64 } else { DType::I64 };
        let target = Raw { name: "y".to_string(), dtype, values: target.collect() };
        let weights = shape
            .weights
            .then(|| (0..shape.rows).map(|_| 1.0 + (3.0 * random.unit()).floor()).collect());
        let task = if shape.classes == 0 { Task::Regress } else { Task::Classify };
        RawTable { features, target, weights, task }
    }

    pub fn encode(&self) -> Table {
        let kinds = Kinds { task: self.task, ..Kinds::default() };
        Table::encode(&self.features, &self.target, self.weights.clone(), kinds)
            .expect("a table that can be learnt from")
    }
}
