//! Pairs of columns.

use std::collections::HashSet;

use super::frame::{Frame, NamedColumns, Needed, find};
use super::table::ResultTable;
use crate::data::column::Column;
use crate::data::column_data::Source;
use crate::encode::table::Kinds;
use crate::error::{Error, Result};
use crate::rank::pairs::{PairGain, pair_gains, redundant_columns};
use crate::spec::{MatrixForm, MatrixSpec, Task};
use crate::util::monitoring::check_interrupt;
use crate::util::parallel;

/// Finds how much the columns tell about each other: the symmetric uncertainty of all pairs.
///
/// Returns one row per pair, the closest first: `feature_1 str, feature_2 str, n u64, entropy_1 f64,
/// entropy_2 f64, info_gain f64, symmetric_uncertainty f64`. In the
/// [wide form](crate::MatrixForm::Wide), one row per column: `feature str`, and an `f64` per
/// column, with 1 in the diagonal (0 of a constant column).
///
/// Nominal columns are taken by their levels. An ordered column is taken by its levels too, or by
/// as many intervals of about as many rows as `bins` says, if it has more levels. A pair is
/// compared over the rows where both have a value. Columns of a dtype that cannot be compared are
/// left out, unless they are named.
///
/// ```
/// # use gaintree::prelude::*;
/// # use polars::prelude::*;
/// let df = df![
///     "city" => ["Bern", "Bern", "Rome", "Rome"],
///     "land" => ["CH", "CH", "IT", "IT"],
///     "size" => [1, 2, 1, 2],
/// ]?;
/// let pairs = df.gain_matrix(&MatrixSpec::default())?;
/// assert_eq!(pairs.column("feature_2")?.str()?.get(0), Some("land"));
/// let wide = df.gain_matrix(&MatrixSpec::default().form(MatrixForm::Wide))?;
/// assert_eq!(wide.column("land")?.f64()?.to_vec(), [Some(1.0), Some(1.0), Some(0.0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error for a column that does not exist, a named one whose dtype cannot be compared,
/// fewer than two columns and fewer than two bins.
pub fn gain_matrix<F: Frame + ?Sized>(frame: &F, spec: &MatrixSpec) -> Result<F::Table> {
    let columns = frame.columns(&needed(spec))?;
    F::in_pool(spec.threads, || matrix(&columns, spec))
}

/// Groups the columns that tell the same: columns that share at least `threshold`, as a symmetric
/// uncertainty, with another one of their group.
///
/// Returns one row per column that has such another one, group by group, in the order of the columns:
/// `group u32, feature str, nearest str, symmetric_uncertainty f64, least_in_group f64`. `nearest` is
/// the column of the group that it shares most with, and `symmetric_uncertainty` that of the two. A
/// chain of such pairs makes one group, so that two columns of it may share less: `least_in_group` is
/// the least. Columns that share with none are not there. One of each group may do; which one is told by
/// a [ranking](crate::rank_gain).
///
/// Columns are compared as in [`gain_matrix`]. An ordered column of more levels than `bins` is cut into
/// intervals: with more bins it shares more with a nominal column that says the same.
///
/// ```
/// # use gaintree::prelude::*;
/// # use polars::prelude::*;
/// let df = df![
///     "city" => ["Bern", "Bern", "Rome", "Rome"],
///     "land" => ["CH", "CH", "IT", "IT"],
///     "size" => [1, 2, 1, 2],
/// ]?;
/// let groups = df.redundant_groups(0.9, &MatrixSpec::default())?;
/// assert_eq!(groups.column("feature")?, &Column::new("feature".into(), ["city", "land"]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`gain_matrix`], and a threshold that is not above 0 or is above 1.
pub fn redundant_groups<F: Frame + ?Sized>(
    frame: &F,
    threshold: f64,
    spec: &MatrixSpec,
) -> Result<F::Table> {
    let columns = frame.columns(&needed(spec))?;
    F::in_pool(spec.threads, || redundant(&columns, threshold, spec))
}

/// The columns that are compared, and the names that must be columns.
fn needed(spec: &MatrixSpec) -> Needed<'_> {
    let Some(columns) = &spec.columns else { return Needed::All };
    let names = columns.iter().chain(&spec.exclude);
    Needed::Named(names.map(|name| ("column", name.as_str())).collect())
}

/// Columns that were compared in pairs.
struct Compared<C> {
    sources: Vec<C>,
    columns: Vec<Column>,
    pairs: Vec<PairGain>,
}

/// Compares the columns in pairs, in the current pool.
fn matrix<F: NamedColumns>(frame: &F, spec: &MatrixSpec) -> Result<F::Table> {
    let Compared { sources, columns, pairs } = compared(frame, spec)?;
    let names = names_of(&sources);
    match spec.form {
        MatrixForm::Long => long(&names, pairs).into_table(),
        MatrixForm::Wide => wide(&names, &columns, &pairs)?.into_table(),
    }
}

/// Groups the columns that share at least `threshold`, in the current pool.
fn redundant<F: NamedColumns>(frame: &F, threshold: f64, spec: &MatrixSpec) -> Result<F::Table> {
    if !(threshold > 0.0 && threshold <= 1.0) {
        return Err(Error::spec(format!(
            "threshold is {threshold}; a symmetric uncertainty is above 0 where columns tell of each \
             other, and at most 1: ask for 0.9, say"
        )));
    }
    let Compared { sources, pairs, .. } = compared(frame, spec)?;
    let (names, members) = (names_of(&sources), redundant_columns(&pairs, threshold));
    ResultTable::default()
        .add("group", members.iter().map(|member| member.group))
        .add("feature", members.iter().map(|member| names[member.column]))
        .add("nearest", members.iter().map(|member| names[member.nearest]))
        .add("symmetric_uncertainty", members.iter().map(|member| member.greatest))
        .add("least_in_group", members.iter().map(|member| member.least))
        .into_table()
}

fn compared<F: NamedColumns>(frame: &F, spec: &MatrixSpec) -> Result<Compared<F::Column>> {
    if spec.bins < 2 {
        return Err(Error::spec(format!(
            "bins is {}; an ordered column needs at least 2 intervals: ask for 10, say",
            spec.bins
        )));
    }
    let sources = sources(frame, spec)?;
    let names = names_of(&sources);
    if names.len() < 2 {
        return Err(Error::data(format!(
            "a matrix compares at least 2 columns, and there are {}: name more, or leave fewer out",
            names.len()
        )));
    }
    let kinds = Kinds { task: Task::Auto, ordered: &spec.ordered, nominal: &spec.nominal };
    kinds.check(&names)?;
    let kinds = kinds.by_name();
    let monitor = spec.monitor.as_ref();
    let columns = parallel::try_map(&sources, |source| {
        check_interrupt(monitor)?;
        let (name, dtype) = (source.name(), source.dtype());
        Column::encode(name, dtype.clone(), kinds.of(name, dtype), source.cells())
    })?;
    let pairs = pair_gains(&columns, spec.bins, spec.log_base, monitor);
    check_interrupt(monitor)?;
    Ok(Compared { sources, columns, pairs })
}

/// The columns that are compared.
fn sources<F: NamedColumns>(frame: &F, spec: &MatrixSpec) -> Result<Vec<F::Column>> {
    for name in &spec.exclude {
        find(frame, "column to exclude", name)?;
    }
    let excluded: HashSet<&str> = spec.exclude.iter().map(String::as_str).collect();
    let is_wanted = |name: &&str| !excluded.contains(name);
    let Some(named) = &spec.columns else {
        let wanted = frame.names().into_iter().filter(is_wanted);
        return Ok(wanted.filter_map(|name| frame.column_or_reason(name)?.column()).collect());
    };
    let mut seen = HashSet::new();
    if let Some(name) = named.iter().find(|name| !seen.insert(*name)) {
        return Err(Error::spec(format!("column `{name}` is named twice: name it once")));
    }
    let wanted = named.iter().map(String::as_str).filter(is_wanted);
    wanted.map(|name| find(frame, "column", name)?.usable("column")).collect()
}

fn names_of<C: Source>(columns: &[C]) -> Vec<&str> {
    columns.iter().map(Source::name).collect()
}

/// A line for each pair, the closest first; ties stay in column order.
fn long<'a>(names: &[&'a str], mut pairs: Vec<PairGain>) -> ResultTable<'a> {
    pairs.sort_by(|a, b| b.symmetric_uncertainty.total_cmp(&a.symmetric_uncertainty));
    ResultTable::default()
        .add("feature_1", pairs.iter().map(|pair| names[pair.columns[0]]))
        .add("feature_2", pairs.iter().map(|pair| names[pair.columns[1]]))
        .add("n", pairs.iter().map(|pair| pair.n))
        .add("entropy_1", pairs.iter().map(|pair| pair.entropies[0]))
        .add("entropy_2", pairs.iter().map(|pair| pair.entropies[1]))
        .add("info_gain", pairs.iter().map(|pair| pair.info_gain))
        .add("symmetric_uncertainty", pairs.iter().map(|pair| pair.symmetric_uncertainty))
}

/// A line and a column for each column. A column tells all of itself, if it varies.
fn wide<'a>(names: &[&'a str], columns: &[Column], pairs: &[PairGain]) -> Result<ResultTable<'a>> {
    if names.contains(&"feature") {
        return Err(Error::spec(
            "column `feature` has the name of the first column of a wide matrix: rename it, or \
             ask for the long form",
        ));
    }
    let mut of_pairs = vec![0.0; names.len() * names.len()];
    for (at, column) in columns.iter().enumerate() {
        of_pairs[at * names.len() + at] = f64::from(u8::from(column.n_levels() > 1));
    }
    for PairGain { columns: [a, b], symmetric_uncertainty, .. } in pairs {
        of_pairs[a * names.len() + b] = *symmetric_uncertainty;
        of_pairs[b * names.len() + a] = *symmetric_uncertainty;
    }
    let table = ResultTable::default().add("feature", names.iter().copied());
    let of_columns = names.iter().zip(of_pairs.chunks(names.len()));
    Ok(of_columns.fold(table, |table, (name, values)| table.add(*name, values.iter().copied())))
}
