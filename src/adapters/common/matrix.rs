//! The tables of `gain_matrix`, for columns of either face.

use std::borrow::Cow;
use std::collections::HashSet;

use super::request::{NamedColumns, find};
use super::tables::ResultTable;
use crate::data::column::Column;
use crate::data::column_data::Source;
use crate::encode::table::Kinds;
use crate::error::{Error, Result};
use crate::rank::pairs::{PairGain, pair_gains, redundant_columns};
use crate::spec::{MatrixForm, MatrixSpec, Task};
use crate::util::monitoring::check_interrupt;
use crate::util::parallel;

/// Columns that were compared in pairs.
struct Compared<C> {
    sources: Vec<C>,
    columns: Vec<Column>,
    pairs: Vec<PairGain>,
}

/// Compares the columns of a frame in pairs, in the current pool.
pub(crate) fn matrix<F: NamedColumns>(frame: &F, spec: &MatrixSpec) -> Result<ResultTable> {
    let Compared { sources, columns, pairs } = compared(frame, spec)?;
    let names = names_of(&sources);
    match spec.form {
        MatrixForm::Long => Ok(long(&names, pairs)),
        MatrixForm::Wide => wide(&names, &columns, &pairs),
    }
}

/// Groups the columns of a frame that share at least `threshold`, in the current pool.
pub(crate) fn redundant<F: NamedColumns>(
    frame: &F,
    threshold: f64,
    spec: &MatrixSpec,
) -> Result<ResultTable> {
    if !(threshold > 0.0 && threshold <= 1.0) {
        return Err(Error::spec(format!(
            "threshold is {threshold}; a symmetric uncertainty is above 0 where columns tell of each \
             other, and at most 1: ask for 0.9, say"
        )));
    }
    let Compared { sources, pairs, .. } = compared(frame, spec)?;
    let (names, members) = (names_of(&sources), redundant_columns(&pairs, threshold));
    let name = |column: usize| Cow::from(names[column].to_string());
    Ok(ResultTable::default()
        .add("group", members.iter().map(|member| member.group))
        .add("feature", members.iter().map(|member| name(member.column)))
        .add("nearest", members.iter().map(|member| name(member.nearest)))
        .add("symmetric_uncertainty", members.iter().map(|member| member.greatest))
        .add("least_in_group", members.iter().map(|member| member.least)))
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
fn long(names: &[&str], mut pairs: Vec<PairGain>) -> ResultTable {
    pairs.sort_by(|a, b| b.symmetric_uncertainty.total_cmp(&a.symmetric_uncertainty));
    let name =
        |side: usize| pairs.iter().map(move |pair| names[pair.columns[side]].to_string().into());
    ResultTable::default()
        .add::<Cow<str>>("feature_1", name(0))
        .add::<Cow<str>>("feature_2", name(1))
        .add("n", pairs.iter().map(|pair| pair.n))
        .add("entropy_1", pairs.iter().map(|pair| pair.entropies[0]))
        .add("entropy_2", pairs.iter().map(|pair| pair.entropies[1]))
        .add("info_gain", pairs.iter().map(|pair| pair.info_gain))
        .add("symmetric_uncertainty", pairs.iter().map(|pair| pair.symmetric_uncertainty))
}

/// A line and a column for each column. A column tells all of itself, if it varies.
fn wide(names: &[&str], columns: &[Column], pairs: &[PairGain]) -> Result<ResultTable> {
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
    let lines = names.iter().map(|name| Cow::from(name.to_string()));
    let table = ResultTable::default().add("feature", lines);
    let of_columns = names.iter().zip(of_pairs.chunks(names.len()));
    Ok(of_columns.fold(table, |table, (name, values)| table.add(name, values.iter().copied())))
}
