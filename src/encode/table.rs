//! A training table: features, target and weights, encoded once.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;

use crate::data::column::Column;
use crate::data::column_data::ColumnData;
use crate::data::dtype::{DType, Kind};
use crate::data::target::{Target, Weights, check_weights};
use crate::encode::RawColumn;
use crate::error::{Error, Result, no_such_column};
use crate::spec::Task;
use crate::util::parallel::Tasks;

/// A column as an adapter offers it: read only when its turn to be encoded comes, so that not
/// all columns are held twice at once.
pub trait Source: Sync {
    /// The column's name.
    fn name(&self) -> &str;
    /// Its dtype.
    fn dtype(&self) -> &DType;
    /// Its values.
    fn cells(&self) -> ColumnData;

    /// Its rows. Counted among its values, unless the column knows.
    fn n_rows(&self) -> usize {
        self.cells().len()
    }

    /// The numbers of some rows as scoring compares them, without the way over [`ColumnData`]: a
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
    pub(crate) rows: Rows,
}

/// The rows a table was given, and those it took.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    /// The target's name, for messages.
    target: String,
    n_given: usize,
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

    pub(crate) fn of(&self, name: &str, dtype: &DType) -> Kind {
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
        kinds.check(&features.iter().map(|f| f.name()).collect::<Vec<_>>())?;
        let rows = Rows::of(target, weights.as_deref())?;
        // A wrong target is told of before a wrong column, and without waiting for them all.
        let is_wrong = AtomicBool::new(false);
        let column = |feature| {
            let is_wanted = !is_wrong.load(Relaxed);
            is_wanted.then(|| rows.raw_column(feature, kinds).map(RawColumn::encode))
        };
        let (target, columns) = rayon::join(
            || {
                let target = rows.target(target, kinds.task);
                target.inspect_err(|_| is_wrong.store(true, Relaxed))
            },
            || {
                let columns = features.par_iter().one_item_per_task().map(column);
                columns.while_some().collect::<Result<_>>()
            },
        );
        Ok(Table { target: target?, columns: columns?, weights: positive(weights)?, rows })
    }

    /// A table without features, for a ranking that encodes them
    /// [in turn](crate::rank_in_turn).
    ///
    /// # Errors
    /// As [`Table::encode`] of target and weights.
    pub fn of_target(target: &impl Source, weights: Option<Vec<f64>>, task: Task) -> Result<Table> {
        let rows = Rows::of(target, weights.as_deref())?;
        let target = rows.target(target, task)?;
        Ok(Table { columns: Vec::new(), target, weights: positive(weights)?, rows })
    }

    /// A table of one of its features.
    #[cfg(all(feature = "polars", feature = "plot"))]
    pub(crate) fn with_only(&self, feature: usize) -> Table {
        Table {
            columns: vec![self.columns[feature].clone()],
            target: self.target.clone(),
            weights: self.weights.clone(),
            rows: self.rows.clone(),
        }
    }

    /// Rows of positive weight.
    pub fn n_rows(&self) -> usize {
        self.target.len()
    }

    pub(crate) fn all_rows(&self) -> Vec<u32> {
        (0..self.n_rows() as u32).collect()
    }

    /// The features.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }
}

impl Rows {
    fn of(target: &impl Source, weights: Option<&[f64]>) -> Result<Rows> {
        let (target, n_given) = (target.name().to_string(), target.n_rows());
        let mut kept = None;
        if let Some(weights) = weights {
            check_rows("the weight", weights.len(), &target, n_given)?;
            check_weights("of the rows", "f64", weights.iter().map(|&w| Some(w)))?;
            let positive = |row: &u32| weights[*row as usize] > 0.0;
            let has_zero = weights.contains(&0.0);
            kept = has_zero.then(|| (0..n_given as u32).filter(positive).collect::<Vec<u32>>());
        }
        Ok(Rows { target, n_given, kept })
    }

    fn target(&self, target: &impl Source, task: Task) -> Result<Target> {
        let (name, dtype) = (target.name(), target.dtype().clone());
        let cells = self.cells("target", target)?;
        Target::encode(name, dtype, task, cells, self.kept.as_deref())
    }

    /// A feature, of the rows the table kept.
    pub(crate) fn raw_column(&self, feature: &impl Source, kinds: Kinds) -> Result<RawColumn> {
        let (name, dtype) = (feature.name().to_string(), feature.dtype().clone());
        let kind = kinds.of(&name, &dtype);
        RawColumn::new(name, dtype, kind, self.cells("feature", feature)?)
    }

    fn cells(&self, role: &str, source: &impl Source) -> Result<ColumnData> {
        let cells = source.cells();
        cells.check(source.name(), source.dtype())?;
        let what = format!("{role} `{}`", source.name());
        check_rows(&what, cells.len(), &self.target, self.n_given)?;
        Ok(match &self.kept {
            Some(rows) => cells.take(rows),
            None => cells,
        })
    }
}

/// The weights of the rows that have one.
fn positive(weights: Option<Vec<f64>>) -> Result<Option<Weights>> {
    let positive = |mut weights: Vec<f64>| {
        weights.retain(|&w| w > 0.0);
        Weights::new(&weights)
    };
    weights.map(positive).transpose()
}

fn check_rows(what: &str, n: usize, target: &str, n_rows: usize) -> Result<()> {
    if n == n_rows {
        return Ok(());
    }
    Err(Error::data(format!(
        "{what} has {n} rows and target `{target}` {n_rows}; they must be of one table"
    )))
}
