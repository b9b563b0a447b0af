//! The actual target of rows, to compare predictions with.

use crate::data::column_data::{MISSING, Source};
use crate::data::dtype::Kind;
use crate::data::target::{Target, TargetValues};
use crate::error::{Error, Result};
use crate::score::cells::{UNSEEN, level_indices};
use crate::spec::Task;
use crate::tree::{Feature, Schema, TreeData};

#[cfg(any(feature = "polars", feature = "arrow"))]
#[derive(Clone)]
pub(crate) enum Actual {
    /// `None` is a class the model was never trained on.
    Classes(Vec<Option<u32>>),
    Numbers(Vec<f64>),
}

#[cfg(any(feature = "polars", feature = "arrow"))]
impl Actual {
    pub(crate) fn len(&self) -> usize {
        match self {
            Actual::Classes(classes) => classes.len(),
            Actual::Numbers(numbers) => numbers.len(),
        }
    }
}

impl TreeData {
    /// The class of each row of a column of actual classes; `None` for one the tree was never
    /// trained on.
    ///
    /// # Errors
    /// A column of another dtype than the target's, a missing value in it, or a numeric target.
    pub fn actual_classes(&self, source: &impl Source) -> Result<Vec<Option<u32>>> {
        self.schema.actual_classes(source)
    }

    /// The number of each row of a column of actual numbers.
    ///
    /// # Errors
    /// A column that holds no numbers, or a number that is missing or infinite.
    pub fn actual_numbers(&self, source: &impl Source) -> Result<Vec<f64>> {
        self.schema.actual_numbers(source)
    }
}

impl Schema {
    /// [`TreeData::actual_classes`].
    pub(crate) fn actual_classes(&self, source: &impl Source) -> Result<Vec<Option<u32>>> {
        if self.classes.is_empty() {
            return Err(self.not_of_classes());
        }
        let levels = self.classes.iter().map(|c| self.target_dtype.write(c)).collect();
        let target = Feature {
            name: self.target.clone(),
            dtype: self.target_dtype.clone(),
            kind: Kind::Nominal,
            has_missing: false,
            levels,
        };
        target.check(source.dtype())?;
        let classes = level_indices(&target, source.dtype(), source.cells())?;
        if let Some(row) = classes.iter().position(|&class| class == MISSING) {
            return Err(Error::data_in_row(
                format!("target `{}` ({}) is missing in", target.name, source.dtype()),
                row,
                "; a row without its class cannot be judged: fill it or drop the row \
                 (--drop-null-target)",
            ));
        }
        Ok(classes.into_iter().map(|class| (class != UNSEEN).then_some(class)).collect())
    }

    /// The target of each row of a column.
    ///
    /// # Errors
    /// As [`TreeData::actual_classes`] or [`TreeData::actual_numbers`].
    #[cfg(any(feature = "polars", feature = "arrow"))]
    pub(crate) fn actual(&self, source: &impl Source) -> Result<Actual> {
        match self.classes.is_empty() {
            true => self.actual_numbers(source).map(Actual::Numbers),
            false => self.actual_classes(source).map(Actual::Classes),
        }
    }

    /// [`TreeData::actual_numbers`].
    pub(crate) fn actual_numbers(&self, source: &impl Source) -> Result<Vec<f64>> {
        let (name, dtype) = (&self.target, source.dtype().clone());
        let target = Target::encode(name.as_str(), dtype, Task::Regress, source.cells(), None)?;
        Ok(match target.values {
            TargetValues::Numbers { numbers, .. } => numbers,
            TargetValues::Classes { .. } => Vec::new(), // not of a regression
        })
    }
}
