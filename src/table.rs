//! A training table: features, target and weights, encoded once.

use std::ops::Range;

use rayon::prelude::*;

use crate::column::Column;
use crate::dtype::{DType, Kind};
use crate::encode::Cells;
use crate::error::{Error, Result, no_such_column};
use crate::spec::Task;
use crate::target::{Target, Weights, check_weights};

/// A column as an adapter offers it: read only when its turn to be encoded comes, so that not
/// all columns are held twice at once.
pub trait Source: Sync {
    /// The column's name.
    fn name(&self) -> &str;
    /// Its dtype.
    fn dtype(&self) -> &DType;
    /// Its values.
    fn cells(&self) -> Cells;

    /// The numbers of some rows as scoring compares them, without the way over [`Cells`]: a
    /// float widened, the integer of up to 64 bits behind an integer, a date or a time as the
    /// nearest `f64`, NaN where missing. Borrowed where they lie in memory so, else written to
    /// `room`; `None` where the column has no such numbers, whatever the rows.
    fn numbers<'a>(&'a self, rows: Range<usize>, room: &'a mut Vec<f64>) -> Option<&'a [f64]> {
        let _ = (rows, room);
        None
    }
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
    /// number, or weights that are negative, not finite, or add up to infinity.
    pub fn encode<S: Source>(
        features: &[S],
        target: &S,
        weights: Option<Vec<f64>>,
        kinds: Kinds,
    ) -> Result<Table> {
        let names: Vec<&str> = features.iter().map(|f| f.name()).collect();
        kinds.check(&names)?;
        let target_cells = target.cells();
        let n_rows = target_cells.len();
        let unlike = |what: &str, n: usize| {
            Error::data(format!(
                "{what} has {n} rows and target `{}` {n_rows}; they must be of one table",
                target.name()
            ))
        };
        if let Some(weights) = &weights {
            if weights.len() != n_rows {
                return Err(unlike("the weight", weights.len()));
            }
            check_weights("of the rows", "f64", weights.iter().map(|&w| Some(w)))?;
        }
        let kept: Option<Vec<u32>> = weights
            .as_ref()
            .filter(|w| w.contains(&0.0))
            .map(|w| (0..w.len() as u32).filter(|&row| w[row as usize] > 0.0).collect());
        let keep = |cells: Cells| match &kept {
            Some(rows) => cells.take(rows),
            None => cells,
        };
        let (name, dtype) = (target.name(), target.dtype().clone());
        let encoded = Target::encode(name, dtype, kinds.task, keep(target_cells), kept.as_deref())?;
        let columns: Vec<Column> = features
            .par_iter()
            .map(|f| {
                let dtype = f.dtype().clone();
                let kind = kinds.of(f.name(), &dtype);
                let cells = f.cells();
                if cells.len() != n_rows {
                    return Err(unlike(&format!("feature `{}`", f.name()), cells.len()));
                }
                Column::encode(f.name(), dtype, kind, keep(cells))
            })
            .collect::<Result<_>>()?;
        let weights = match weights {
            None => None,
            Some(mut weights) => {
                weights.retain(|&w| w > 0.0);
                Some(Weights::new(&weights)?)
            }
        };
        Ok(Table { columns, target: encoded, weights, kept })
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
