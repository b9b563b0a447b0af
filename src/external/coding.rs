//! How rows are counted: classes, numbers, weights and levels as integers. It is fixed before the
//! first count and stays.

use crate::data::number_scale::NumberScale;
use crate::data::weights::units_of;

/// How rows are counted.
#[derive(Clone, Debug)]
pub struct Coding {
    /// The target.
    pub target: TargetCoding,
    /// The weights; `None` if every row counts one.
    pub units: Option<UnitCoding>,
    /// For each feature that has levels, the code of each value that the store's summary listed,
    /// in that order; `None` for a feature of keys.
    pub level_codes: Vec<Option<Vec<u32>>>,
    /// For each feature the number of its levels; 0 for a feature of keys.
    pub n_levels: Vec<u32>,
}

/// How a target is counted.
#[derive(Clone, Debug)]
pub enum TargetCoding {
    /// The class of each value that the store's summary listed, in that order, and the number of
    /// classes.
    Classes {
        /// By the value's index in the summary.
        class_of: Vec<u16>,
        /// Classes.
        n_classes: usize,
    },
    /// A number is its whole distance from a centre: `round(y * 2^shift) - centre`, halves away
    /// from zero.
    Numbers(NumberScale),
}

/// How a row's weight is counted.
#[derive(Clone, Debug, Default)]
pub struct UnitCoding {
    /// A weight w of the weight column counts as `max(1, round(w / row_unit))` units; `None` if there
    /// is no weight column, and each row weighs 1.
    pub row_unit: Option<f64>,
    /// The factor of each class; empty if all are 1.
    pub of_class: Vec<f64>,
    /// The weight so far counts as `max(1, round(w / unit))` units; `None` where the units of the
    /// first step are counted as they are.
    pub unit: Option<f64>,
}

impl UnitCoding {
    /// The weight of a row before the last rounding. `class` does not matter where the target is a
    /// number.
    pub fn weight(&self, weight: f64, class: usize) -> f64 {
        let weight = match self.row_unit {
            Some(unit) => unit * units_of(weight, unit) as f64,
            None => weight,
        };
        self.of_class.get(class).map_or(weight, |factor| weight * factor)
    }

    /// The units of a row. A row weighs 1 where there is no weight column.
    pub fn units(&self, weight: f64, class: usize) -> u64 {
        match (self.unit, self.row_unit) {
            (Some(unit), _) => units_of(self.weight(weight, class), unit),
            (None, Some(unit)) => units_of(weight, unit),
            (None, None) => 1,
        }
    }
}

impl TargetCoding {
    /// Integers in a stat: a count per class, or the weight and the sum of distances.
    pub fn width(&self) -> usize {
        match self {
            TargetCoding::Classes { n_classes, .. } => (*n_classes).max(1),
            TargetCoding::Numbers(_) => 2,
        }
    }
}
