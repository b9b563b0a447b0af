//! Tables of the corners. Targets follow a few of the columns, but for some rows.

use gaintree::Task;
use gaintree::engine::dtype::DType;
use gaintree::engine::{Kinds, Table};

use crate::random::Random;
use crate::raw::Raw;

/// A table before it is encoded.
pub struct RawTable {
    features: Vec<Raw>,
    target: Raw,
    weights: Option<Vec<f64>>,
    task: Task,
}

/// How the values of a column are made from a draw of `[0, 1)`.
#[derive(Clone, Copy)]
pub enum Values {
    /// Floats, no two alike.
    Distinct,
    /// The same, and this share of them is missing.
    Holes(f64),
    /// This many whole numbers.
    Levels(u32),
    /// This many floats and large integers. A few of them are most of the rows.
    Skewed(u32),
    LargeIntegers(u32),
    /// This many texts.
    Texts(u32),
}

impl Values {
    /// A value, and how much it speaks for a high class.
    fn cell(self, draw: f64) -> (f64, f64) {
        let level = |levels: u32| (draw * f64::from(levels)).floor();
        let scattered = |level: f64| (level * 0.618_034).fract();
        match self {
            Values::Distinct => (draw, 0.5 + 0.5 * (9.0 * draw).sin()),
            Values::Holes(share) if (draw * 1e6).fract() < share => (f64::NAN, 0.5),
            Values::Holes(_) => Values::Distinct.cell(draw),
            Values::Levels(levels) => (level(levels), level(levels) / f64::from(levels)),
            Values::Skewed(levels) | Values::LargeIntegers(levels) => {
                let level = (draw.powi(6) * f64::from(levels)).floor();
                let value =
                    if let Values::Skewed(_) = self { level / 128.0 } else { level * 4_099.0 };
                (value, scattered(level))
            }
            Values::Texts(levels) => (level(levels), scattered(level(levels))),
        }
    }

    fn dtype(self) -> DType {
        match self {
            Values::Levels(_) | Values::LargeIntegers(_) => DType::I64,
            Values::Texts(_) => DType::String,
            Values::Distinct | Values::Holes(_) | Values::Skewed(_) => DType::F64,
        }
    }
}

/// What the target is.
#[derive(Clone, Copy)]
pub enum Answer {
    /// Classes by a score of the first columns, one row in ten at random.
    Classes(u32),
    /// The score itself.
    Number,
    /// Classes that no column tells, rarer and rarer, as hands of cards are.
    Hands(u32),
}

impl RawTable {
    pub fn new(rows: usize, columns: &[Values], answer: Answer) -> RawTable {
        let mut random = Random(1);
        let mut score = vec![0.0; rows];
        let telling = columns.len().min(4);
        let feature = |(place, &values): (usize, &Values)| {
            let cell = |score: &mut f64| {
                let (value, speaks) = values.cell(random.unit());
                *score += if place < telling { speaks / telling as f64 } else { 0.0 };
                value
            };
            let values_of_rows = score.iter_mut().map(cell).collect();
            Raw { name: format!("x{place}"), dtype: values.dtype(), values: values_of_rows }
        };
        let features = columns.iter().enumerate().map(feature).collect();
        let class =
            |of: f64, classes: u32| (of * f64::from(classes)).floor().min(f64::from(classes) - 1.0);
        let target = score.into_iter().map(|score| {
            let (draw, other) = (random.unit(), random.unit());
            let score = if draw < 0.1 { other } else { score };
            match answer {
                Answer::Number => score,
                Answer::Classes(classes) => class(score, classes),
                Answer::Hands(classes) => class(other.powi(4) * 0.8 + score * 0.2, classes),
            }
        });
        let is_number = matches!(answer, Answer::Number);
        let dtype = if is_number { DType::F64 } else { DType::I64 };
        let target = Raw { name: "y".to_string(), dtype, values: target.collect() };
        let task = if is_number { Task::Regress } else { Task::Classify };
        RawTable { features, target, weights: None, task }
    }

    /// With a weight for each row, made from a draw.
    pub fn weighted(mut self, weight: impl Fn(f64) -> f64) -> RawTable {
        let mut random = Random(2);
        self.weights = Some(self.target.values.iter().map(|_| weight(random.unit())).collect());
        self
    }

    pub fn encode(&self) -> Table {
        self.with(&self.features)
    }

    /// The target alone, for a ranking that encodes the features itself.
    pub fn target(&self) -> Table {
        self.with(&[])
    }

    pub fn features(&self) -> &[Raw] {
        &self.features
    }

    fn with(&self, features: &[Raw]) -> Table {
        let kinds = Kinds { task: self.task, ..Kinds::default() };
        Table::encode(features, &self.target, self.weights.clone(), kinds)
            .expect("a table that can be learnt from")
    }
}
