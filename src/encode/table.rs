//! A training table: features, target and weights, encoded once.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::data::column::Column;
use crate::data::column_data::{ColumnData, Source};
use crate::data::dtype::{DType, Kind};
use crate::data::target::Target;
use crate::data::weights::{Weights, check_weights};
use crate::error::{Error, Result, no_such_column};
use crate::spec::{Monitor, Task};
use crate::util::monitoring::check_interrupt;
use crate::util::parallel;

use super::raw_column::RawColumn;

/// A table to learn from.
#[derive(Clone, Debug)]
pub struct Table {
    pub(crate) columns: Vec<Column>,
    pub(crate) target: Target,
    pub(crate) weights: Option<Weights>,
    pub(crate) context: EncodeContext,
}

/// What columns are encoded with: which of the given rows count, and what messages say of them.
#[derive(Clone, Debug)]
pub(crate) struct EncodeContext {
    /// The target's name, for messages.
    pub(crate) target: String,
    pub(crate) n_given: usize,
    /// The rows of positive weight; `None` if all are.
    pub(crate) kept: Option<Vec<u32>>,
    /// Stops the encoding of columns.
    pub(crate) monitor: Option<Monitor>,
}

/// Overrides of what the columns' dtypes say: whether they are classes or numbers, ordered or
/// nominal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kinds<'a> {
    /// The kind of target.
    pub task: Task,
    /// Features taken as ordered.
    pub ordered: &'a [String],
    /// Features taken as nominal.
    pub nominal: &'a [String],
}

/// What [`Kinds`] says of each of many features.
#[derive(Debug)]
pub(crate) struct FeatureKinds<'a>(HashMap<&'a str, Kind>);

impl<'a> Kinds<'a> {
    /// Checks that each named column is a feature and is named once.
    pub(crate) fn check(&self, features: &[&str]) -> Result<()> {
        let known: HashSet<&str> = features.iter().copied().collect();
        for name in self.ordered.iter().chain(self.nominal) {
            if !known.contains(name.as_str()) {
                return Err(no_such_column("feature taken as ordered or nominal", name, features));
            }
        }
        let nominal: HashSet<&String> = self.nominal.iter().collect();
        match self.ordered.iter().find(|name| nominal.contains(name)) {
            Some(name) => Err(Error::spec(format!(
                "feature `{name}` is to be both ordered and nominal: choose one"
            ))),
            None => Ok(()),
        }
    }

    /// The kinds by the names of the features.
    pub(crate) fn by_name(self) -> FeatureKinds<'a> {
        let nominal = self.nominal.iter().map(|name| (name.as_str(), Kind::Nominal));
        let ordered = self.ordered.iter().map(|name| (name.as_str(), Kind::Ordered));
        FeatureKinds(nominal.chain(ordered).collect())
    }
}

impl FeatureKinds<'_> {
    pub(crate) fn of(&self, name: &str, dtype: &DType) -> Kind {
        self.0.get(name).copied().unwrap_or_else(|| dtype.kind())
    }
}

impl Table {
    /// Encodes a table, columns in parallel in the current rayon pool. Rows of weight 0 are left
    /// out.
    ///
    /// # Errors
    /// A target with missing values, columns of different lengths, more than 2^32 - 2 rows, or
    /// weights that are negative, not finite, or add up to infinity.
    pub fn encode<S: Source>(
        features: &[S],
        target: &S,
        weights: Option<Vec<f64>>,
        kinds: Kinds,
    ) -> Result<Table> {
        Table::encode_until(features, target, weights, kinds, None)
    }

    /// [`encode`](Self::encode) that can be interrupted.
    pub(crate) fn encode_until<S: Source>(
        features: &[S],
        target: &S,
        weights: Option<Vec<f64>>,
        kinds: Kinds,
        monitor: Option<&Monitor>,
    ) -> Result<Table> {
        kinds.check(&features.iter().map(|f| f.name()).collect::<Vec<_>>())?;
        let context = EncodeContext::new(target, weights.as_deref(), monitor.cloned())?;
        let named = kinds.by_name();
        // An invalid target is reported before an invalid column, and stops their encoding.
        let target_failed = AtomicBool::new(false);
        let column = |feature| {
            let is_wanted = !target_failed.load(Relaxed);
            let encoded = || context.raw_column(feature, &named).map(RawColumn::encode);
            is_wanted.then(encoded).transpose()
        };
        let (target, columns) = rayon::join(
            || {
                let target = context.target(target, kinds.task);
                target.inspect_err(|_| target_failed.store(true, Relaxed))
            },
            || parallel::try_map(features, column),
        );
        let (target, columns) = (target?, columns?.into_iter().flatten().collect());
        Ok(Table { target, columns, weights: positive(weights)?, context })
    }

    /// A table without features, for [`rank_in_turn`](crate::engine::rank_in_turn), which encodes them
    /// itself.
    ///
    /// # Errors
    /// As [`Table::encode`] for target and weights.
    pub fn of_target(target: &impl Source, weights: Option<Vec<f64>>, task: Task) -> Result<Table> {
        Table::encode(&[], target, weights, Kinds { task, ..Kinds::default() })
    }

    /// This table with other features, of the same rows.
    pub(crate) fn with_columns(&self, columns: Vec<Column>) -> Table {
        Table {
            columns,
            target: self.target.clone(),
            weights: self.weights.clone(),
            context: self.context.clone(),
        }
    }

    /// The number of rows of positive weight.
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

impl EncodeContext {
    fn new(
        target: &impl Source,
        weights: Option<&[f64]>,
        monitor: Option<Monitor>,
    ) -> Result<EncodeContext> {
        let (target, n_given) = (target.name().to_string(), target.n_rows());
        let mut kept = None;
        if let Some(weights) = weights {
            check_rows("the weight", weights.len(), &target, n_given)?;
            check_weights("of the rows", "f64", weights.iter().map(|&w| Some(w)))?;
            let positive = |row: &u32| weights[*row as usize] > 0.0;
            let has_zero = weights.contains(&0.0);
            kept = has_zero.then(|| (0..n_given as u32).filter(positive).collect::<Vec<u32>>());
        }
        Ok(EncodeContext { target, n_given, kept, monitor })
    }

    fn target(&self, target: &impl Source, task: Task) -> Result<Target> {
        let (name, dtype) = (target.name(), target.dtype().clone());
        let cells = self.cells("target", target)?;
        Target::encode(name, dtype, task, cells, self.kept.as_deref())
    }

    /// The kept rows of a feature.
    pub(crate) fn raw_column(
        &self,
        feature: &impl Source,
        kinds: &FeatureKinds,
    ) -> Result<RawColumn> {
        let (name, dtype) = (feature.name().to_string(), feature.dtype().clone());
        let kind = kinds.of(&name, &dtype);
        RawColumn::new(name, dtype, kind, self.cells("feature", feature)?)
    }

    /// An error if the work is to stop.
    pub(crate) fn check_interrupt(&self) -> Result<()> {
        check_interrupt(self.monitor.as_ref())
    }

    fn cells(&self, role: &str, source: &impl Source) -> Result<ColumnData> {
        self.check_interrupt()?;
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

/// The weights of the kept rows.
fn positive(weights: Option<Vec<f64>>) -> Result<Option<Weights>> {
    let Some(mut weights) = weights else { return Ok(None) };
    weights.retain(|&w| w > 0.0);
    Weights::new(&weights).map(Some)
}

fn check_rows(what: &str, n: usize, target: &str, n_rows: usize) -> Result<()> {
    if n == n_rows {
        return Ok(());
    }
    Err(Error::data(format!(
        "{what} has {n} rows and target `{target}` {n_rows}; they must be of one table"
    )))
}
