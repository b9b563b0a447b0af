//! A training table: features, target and weights, encoded once.

use rayon::prelude::*;

use crate::column::Column;
use crate::dtype::{DType, Kind};
use crate::encode::Cells;
use crate::error::{Error, Result, no_such_column};
use crate::spec::Task;
use crate::target::{Target, Weights};

/// A column as an adapter offers it: read only when its turn to be encoded comes, so that not
/// all columns are held twice at once.
pub trait Source: Sync {
    /// The column's name.
    fn name(&self) -> &str;
    /// Its dtype.
    fn dtype(&self) -> &DType;
    /// Its values.
    fn cells(&self) -> Cells;
}

/// What the engine learns from.
#[derive(Clone, Debug)]
pub struct Table {
    pub(crate) columns: Vec<Column>,
    pub(crate) target: Target,
    pub(crate) weights: Option<Weights>,
    /// The rows of positive weight, where some had none.
    pub(crate) kept: Option<Vec<u32>>,
}

/// Which columns are not taken as their dtype suggests.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kinds<'a> {
    /// How the target is taken.
    pub task: Task,
    /// Taken as ordered.
    pub ordered: &'a [String],
    /// Taken as nominal.
    pub nominal: &'a [String],
}

impl Kinds<'_> {
    /// Each named column is a feature, and is named once.
    pub(crate) fn check(&self, features: &[&str]) -> Result<()> {
        for name in self.ordered.iter().chain(self.nominal) {
            if !features.contains(&name.as_str()) {
                return Err(no_such_column("feature taken as ordered or nominal", name, features));
            }
        }
        match self.ordered.iter().find(|name| self.nominal.contains(name)) {
            Some(name) => Err(Error::spec(format!(
                "feature `{name}` is to be both ordered and nominal: choose one"
            ))),
            None => Ok(()),
        }
    }

    fn of(&self, name: &str, dtype: &DType) -> Kind {
        if self.ordered.iter().any(|n| n == name) {
            Kind::Ordered
        } else if self.nominal.iter().any(|n| n == name) {
            Kind::Nominal
        } else {
            dtype.kind()
        }
    }
}

impl Table {
    /// Encodes a table, columns in parallel in the current pool. Rows of weight 0 are as if
    /// absent; `weights` are finite and not negative.
    ///
    /// # Errors
    /// A target that is missing somewhere, columns of unlike lengths, more rows than 32 bits
    /// number, or weights that add up to infinity.
    pub fn encode<S: Source>(
        features: &[S],
        target: &S,
        weights: Option<Vec<f64>>,
        kinds: Kinds,
    ) -> Result<Table> {
        let names: Vec<&str> = features.iter().map(|f| f.name()).collect();
        kinds.check(&names)?;
        let kept: Option<Vec<u32>> = weights
            .as_ref()
            .filter(|w| w.contains(&0.0))
            .map(|w| (0..w.len() as u32).filter(|&row| w[row as usize] > 0.0).collect());
        let cells = |source: &S| match &kept {
            Some(rows) => source.cells().take(rows),
            None => source.cells(),
        };
        let target =
            Target::encode(target.name(), target.dtype().clone(), kinds.task, cells(target))?;
        let columns: Vec<Column> = features
            .par_iter()
            .map(|f| {
                let dtype = f.dtype().clone();
                let kind = kinds.of(f.name(), &dtype);
                Column::encode(f.name(), dtype, kind, cells(f))
            })
            .collect::<Result<_>>()?;
        if let Some(column) = columns.iter().find(|c| c.len() != target.len()) {
            return Err(Error::data(format!(
                "feature `{}` has {} rows and target `{}` {}; they must be of one table",
                column.name,
                column.len(),
                target.name,
                target.len()
            )));
        }
        let weights = match weights {
            None => None,
            Some(mut weights) => {
                weights.retain(|&w| w > 0.0);
                Some(Weights::new(&weights)?)
            }
        };
        Ok(Table { columns, target, weights, kept })
    }

    /// Rows of positive weight.
    pub fn n_rows(&self) -> usize {
        self.target.len()
    }

    /// The features.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }
}
