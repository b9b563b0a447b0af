//! Rankings of rows whose columns are read a few at a time.

use std::collections::HashSet;

use super::frame_reader::FrameReader;
use super::rank_in_batches::{StreamedRanking, rank_gain_in_batches};
use crate::data::column_data::{ColumnData, Source};
use crate::data::dtype::DType;
use crate::error::Result;
use crate::external::{ColumnRoom, needs_rows};
use crate::spec::{Budget, RankSpec};
use crate::util::monitoring::check_interrupt;
use crate::verbs::frame::{Frame, NamedColumns, Needed, features_of};
use crate::verbs::rank_outline::RankOutline;

/// Ranks the features of a table: the table that [`rank_gain`](crate::rank_gain) gives of the same
/// rows. A few columns are read at a time, each once. Where the budget has no room for the target and
/// one column, all are read in batches instead, and counted in several passes.
///
/// # Errors
/// As [`rank_gain`](crate::rank_gain), and what the reader says; rows that change between two
/// readings; chance, given columns or MDL cuts, where the budget has no room for the target
/// and one column.
pub fn rank_gain_in_parts<F: Frame>(
    columns: &mut dyn FrameReader<Frame = F>,
    target: &str,
    spec: &RankSpec,
    budget: &Budget,
) -> Result<StreamedRanking<F::Table>> {
    let empty = columns.empty().outline()?;
    let outline = RankOutline::new(&empty, target, spec)?;
    outline.check_roles(&empty)?;
    let rated = outline.rated();
    let n_rows = columns.n_rows()?;
    let threads = F::in_pool(spec.threads, || Ok(rayon::current_num_threads()))?;
    let distinct = distinct_texts(columns, &rated)?;
    let room = ColumnRoom::new(n_rows, &rated, &distinct, spec, budget.memory, threads);
    if let Some(lack) = room.lack(&rated) {
        return match needs_rows(spec) {
            Some(what) => Err(lack.of(what)),
            None => rank_gain_in_batches(columns, outline, spec, budget),
        };
    }
    let mut readings = 1;
    let with_roles = columns.read(&outline.reserved(), None)?.columns(&Needed::All)?;
    let (table, groups) = F::in_pool(spec.threads, || {
        let table = outline.table(&with_roles)?;
        let groups = outline.groups(&with_roles, &table)?;
        Ok((table, groups))
    })?;
    let ranker = F::in_pool(spec.threads, || outline.column_ranking(&table, &groups, &with_roles))?;
    let note = table.target.note(spec.task);
    drop(with_roles);
    let (mut gains, mut peak) = (Vec::new(), 0);
    while gains.len() < rated.len() {
        let (count, bytes) = room.next(gains.len());
        peak = peak.max(bytes);
        let names: Vec<&str> =
            rated[gains.len()..][..count].iter().map(|(name, _)| *name).collect();
        check_interrupt(spec.monitor.as_ref())?;
        readings += 1;
        let read = columns.read(&names, None)?.columns(&Needed::All)?;
        let sources = features_of(&read, &names)?;
        gains.extend(F::in_pool(spec.threads, || ranker.rank(&sources))?);
    }
    drop(ranker);
    let rows = table.n_rows() as u64;
    let peak_bytes = room.with_roles(peak);
    let ranking = outline.ranking(&table.target, groups, gains).table::<F::Columns>()?;
    Ok(StreamedRanking { ranking, note, rows, readings, peak_bytes })
}

/// Of each feature of texts, the distinct texts among a few rows, and the number of those rows.
fn distinct_texts<F: Frame>(
    columns: &mut dyn FrameReader<Frame = F>,
    rated: &[(&str, &DType)],
) -> Result<Vec<(u64, u64)>> {
    let texts: Vec<&str> =
        rated.iter().filter(|(_, dtype)| dtype.is_text()).map(|(name, _)| *name).collect();
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let rows = columns.read(&texts, Some(FEW_ROWS))?.columns(&Needed::All)?;
    let sources = features_of(&rows, &texts)?;
    Ok(sources.iter().map(|source| (n_distinct(&source.cells()), rows.n_rows() as u64)).collect())
}

/// The distinct texts of cells; a missing one is one more.
fn n_distinct(cells: &ColumnData) -> u64 {
    match cells {
        ColumnData::Text(ids, texts) => {
            let text = |&id: &u32| texts.get(id as usize);
            ids.iter().map(text).collect::<HashSet<_>>().len() as u64
        }
        others => u64::from(!others.is_empty()),
    }
}

/// The rows that say how many texts are distinct.
const FEW_ROWS: u32 = 10_000;
