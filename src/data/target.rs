//! The column to predict.

use crate::data::dtype::{DType, Value};
use crate::data::number_scale::NumberScale;
use crate::data::weights::Weights;
use crate::error::{Error, Result, listed};
#[cfg(any(feature = "polars", feature = "arrow"))]
use crate::spec::Task;

pub(crate) const MAX_CLASSES: usize = u16::MAX as usize;

/// A target of more values is hardly of classes, and one of fewer hardly a number.
#[cfg(any(feature = "polars", feature = "arrow"))]
const FEW_VALUES: usize = 20;

/// The target: a class or a number per row.
#[derive(Clone, Debug)]
pub struct Target {
    pub(crate) name: String,
    pub(crate) dtype: DType,
    pub(crate) values: TargetValues,
}

#[derive(Clone, Debug)]
pub(crate) enum TargetValues {
    /// Indices into `labels`, which are in target order: numbers by value, text by text, an enum
    /// as declared.
    Classes { labels: Vec<Value>, codes: Vec<u16> },
    /// Finite numbers, and how they become integers. `distances` are given where there are integers
    /// beyond 2^53, as `numbers` are then rounded; else the distances follow from the numbers.
    Numbers { numbers: Vec<f64>, distances: Option<Vec<i64>>, scale: NumberScale },
}

/// The rarer of two classes, by the weight of each; the later of equals. `None` for more, or for
/// none.
pub(crate) fn rarer_class(class_totals: &[f64]) -> Option<usize> {
    match class_totals {
        [first, second] => Some(usize::from(second <= first)),
        _ => None,
    }
}

/// The class that an event names, by its index. `target` is the target's name for a message.
pub(crate) fn event_class(event: &str, target: &str, classes: &[String]) -> Result<usize> {
    classes.iter().position(|class| class == event).ok_or_else(|| {
        Error::spec(format!(
            "event `{event}` is no class of {target}: they are {}",
            listed(classes)
        ))
    })
}

impl Target {
    /// The target's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        match &self.values {
            TargetValues::Classes { codes, .. } => codes.len(),
            TargetValues::Numbers { numbers, .. } => numbers.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The classes; empty for a numeric target.
    pub fn labels(&self) -> &[Value] {
        match &self.values {
            TargetValues::Classes { labels, .. } => labels,
            TargetValues::Numbers { .. } => &[],
        }
    }

    /// The classes as text; none of a numeric target.
    pub(crate) fn class_texts(&self) -> Vec<String> {
        self.labels().iter().map(|label| self.dtype.show(label)).collect()
    }

    pub(crate) fn class_text(&self, class: usize) -> String {
        self.dtype.show(&self.labels()[class])
    }

    /// How the target was taken, where that was left to its dtype and its values speak against it:
    /// integers of many values, or whole numbers of few.
    #[cfg(any(feature = "polars", feature = "arrow"))]
    pub(crate) fn note(&self, task: Task) -> Option<String> {
        if task != Task::Auto || !self.dtype.may_be_number() {
            return None;
        }
        let (name, dtype) = (&self.name, &self.dtype);
        match &self.values {
            TargetValues::Classes { labels, .. } if labels.len() > FEW_VALUES => Some(format!(
                "target `{name}` ({dtype}) holds integers, so each of its {} values is a class; \
                 task = regress (--task regress) takes it as a number",
                labels.len()
            )),
            TargetValues::Numbers { numbers, .. } if are_few_and_whole(numbers) => Some(format!(
                "target `{name}` ({dtype}) is taken as a number, though all its values are whole \
                 and few; task = classify (--task classify) makes each value a class"
            )),
            TargetValues::Classes { .. } | TargetValues::Numbers { .. } => None,
        }
    }

    /// The class of each row; `None` for a numeric target.
    pub(crate) fn codes(&self) -> Option<&[u16]> {
        match &self.values {
            TargetValues::Classes { codes, .. } => Some(codes),
            TargetValues::Numbers { .. } => None,
        }
    }

    /// The weight of each class in rows that weigh 1, or as `weights` say; empty for a numeric
    /// target.
    pub(crate) fn class_totals(&self, weights: Option<&Weights>) -> Vec<f64> {
        let mut units = vec![0u64; self.labels().len()];
        for (row, code) in self.codes().unwrap_or_default().iter().enumerate() {
            units[usize::from(*code)] += weights.map_or(1, |weights| weights.units[row]);
        }
        let unit = weights.map_or(1.0, |weights| weights.unit);
        units.into_iter().map(|units| units as f64 * unit).collect()
    }

    /// Checks that there are rows, and at least two classes.
    pub(crate) fn check(&self) -> Result<()> {
        self.check_rows(self.len() as u64)
    }

    /// [`check`](Self::check) of a target with this number of rows, wherever they are.
    pub(crate) fn check_rows(&self, n_rows: u64) -> Result<()> {
        if n_rows == 0 {
            return Err(has_no_rows(&self.name, &self.dtype));
        }
        match &self.values {
            TargetValues::Classes { labels, .. } if labels.len() < 2 => {
                Err(self.has_one_class(&labels[0]))
            }
            _ => Ok(()),
        }
    }

    /// Checks that some rows are of two classes at least.
    pub(crate) fn check_classes_of(&self, rows: &[u32]) -> Result<()> {
        let TargetValues::Classes { labels, codes } = &self.values else { return Ok(()) };
        let mut codes = rows.iter().map(|&row| codes[row as usize]);
        match codes.next() {
            Some(first) if codes.all(|code| code == first) => {
                Err(self.has_one_class(&labels[usize::from(first)]))
            }
            _ => Ok(()),
        }
    }

    fn has_one_class(&self, label: &Value) -> Error {
        Error::data(format!(
            "target `{}` ({}) has one class, {:?}; at least two are needed: choose another target \
             or keep rows of other classes",
            self.name,
            self.dtype,
            self.dtype.show(label),
        ))
    }
}

/// Whether numbers may be the names of classes.
#[cfg(any(feature = "polars", feature = "arrow"))]
fn are_few_and_whole(numbers: &[f64]) -> bool {
    let mut distinct: Vec<f64> = Vec::with_capacity(FEW_VALUES);
    for x in numbers {
        if !distinct.contains(x) {
            distinct.push(*x);
        }
        if x.fract() != 0.0 || distinct.len() > FEW_VALUES {
            return false;
        }
    }
    true
}

/// The error of a target without rows that count.
pub(crate) fn has_no_rows(name: &str, dtype: &DType) -> Error {
    Error::data(format!(
        "target `{name}` ({dtype}) has no rows of positive weight; pass a table with rows"
    ))
}
