//! What a tree was fitted on: its target and its features.

use crate::data::dtype::{DType, Kind, Value};
use crate::data::target::event_class;
use crate::error::{Error, Result};

/// What a tree was fitted on.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    /// The target's name.
    pub target: String,
    /// The target's dtype.
    pub target_dtype: DType,
    /// The classes in target order; empty where the target is a number.
    pub classes: Vec<Value>,
    /// By what the weights of each class's rows were multiplied, in class order; empty where the
    /// spec's `class_weights` are equal.
    pub class_weights: Vec<f64>,
    /// The weight of each class in the whole table, by the rows' own weights. Empty unless the trees of
    /// a forest grew on draws of it: otherwise the root has the same totals.
    pub class_totals: Vec<f64>,
    /// The features in column order, used or not.
    pub features: Vec<Feature>,
}

/// A feature of the schema.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    /// The column's name.
    pub name: String,
    /// Its dtype in the training frame.
    pub dtype: DType,
    /// Whether its values are ordered or nominal to the tree.
    pub kind: Kind,
    /// Whether the training frame had missing values in it.
    pub has_missing: bool,
    /// The levels in level order, if the feature is nominal and some rule uses it; else empty.
    pub levels: Vec<String>,
}

impl Schema {
    /// A class as text.
    pub fn class_text(&self, class: usize) -> String {
        self.target_dtype.show(&self.classes[class])
    }

    /// The class that an event names, by its index; an error if there is none.
    pub(crate) fn class_of_event(&self, event: &str) -> Result<usize> {
        if self.classes.is_empty() {
            return Err(self.not_of_classes());
        }
        let classes = (0..self.classes.len()).map(|class| self.class_text(class));
        let target = format!("the model's target `{}` ({})", self.target, self.target_dtype);
        event_class(event, &target, &classes.collect::<Vec<_>>())
    }

    /// The error of asking a model of numbers about classes.
    pub(crate) fn not_of_classes(&self) -> Error {
        Error::spec(format!(
            "the model's target `{}` is a number: it has no classes to compare",
            self.target
        ))
    }

    /// The error of asking for what classes alone have, where the target is a number.
    pub(crate) fn lacks(&self, what: &str) -> Error {
        Error::spec(format!(
            "the model's target `{}` is a number, which has no {what}: leave them out",
            self.target
        ))
    }
}

impl Feature {
    /// Whether the model can compare with values of a dtype.
    pub(crate) fn check(&self, dtype: &DType) -> Result<()> {
        if self.dtype.accepts(dtype) {
            return Ok(());
        }
        Err(Error::data(format!(
            "column `{}` is {dtype} here, but the model was fitted on {}: cast it to {}",
            self.name, self.dtype, self.dtype
        )))
    }
}
