//! Rankings of rows whose columns are read a few at a time.

use polars::prelude::DataFrame;

use super::rank_in_batches::rank_gain_in_batches;
use super::streamed_ranking::StreamedRanking;
use crate::adapters::frame::frame_reader::FrameReader;
use crate::adapters::frame::in_pool;
use crate::data::dtype::DType;
use crate::error::{Error, Result};
use crate::external::needs_rows;
use crate::spec::{Budget, RankSpec};
use crate::util::monitoring::check_interrupt;
use crate::verbs::rank_outline::RankOutline;

/// Ranks the features of a table: the table that [`rank_gain`](crate::rank_gain) gives of the same
/// rows. A few columns are read at a time, each once. Where the budget has no room for the target and
/// one column, all are read in batches instead, and counted in several passes.
///
/// # Errors
/// As [`rank_gain`](crate::rank_gain), and what the reader says; rows that change between two
/// readings; chance, given columns or MDL cuts, where the budget has no room for the target
/// and one column.
pub fn rank_gain_in_parts(
    columns: &mut dyn FrameReader,
    target: &str,
    spec: &RankSpec,
    budget: &Budget,
) -> Result<StreamedRanking> {
    let empty = columns.empty();
    let outline = RankOutline::new(&empty, target, spec)?;
    outline.check_roles(&empty)?;
    let rated = outline.rated();
    let room = Room::new(columns, &rated, spec, budget)?;
    if let Some(lack) = room.lack(&rated) {
        return match needs_rows(spec) {
            Some(what) => Err(lack.of(what)),
            None => rank_gain_in_batches(columns, outline, spec, budget),
        };
    }
    let mut readings = 1;
    let with_roles = columns.read(&outline.reserved(), None)?;
    let (table, groups) = in_pool(spec.threads, || {
        let table = outline.table(&with_roles)?;
        let groups = outline.groups(&with_roles, &table)?;
        Ok((table, groups))
    })?;
    let ranker = in_pool(spec.threads, || outline.column_ranking(&table, &groups, &with_roles))?;
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
        let read = columns.read(&names, None)?;
        let sources = outline.columns_of(&read, &names)?;
        gains.extend(in_pool(spec.threads, || ranker.rank(&sources))?);
    }
    drop(ranker);
    let rows = table.n_rows() as u64;
    let peak_bytes = room.roles_as_read.max(room.roles + peak);
    let n_classes = table.target.labels().len();
    let ranking = outline.ranking(n_classes, groups, gains).table::<DataFrame>()?;
    Ok(StreamedRanking { ranking, note, rows, readings, peak_bytes })
}

/// The memory that there is, in bytes.
struct Room {
    n_rows: u64,
    /// What target, weights, groups and given columns take while they are read.
    roles_as_read: u64,
    /// What they take afterwards.
    roles: u64,
    /// What each feature takes while it is ranked.
    features: Vec<u64>,
    budget: u64,
    threads: usize,
}

impl Room {
    /// What columns take by their dtype, texts by how many of a few rows' texts are distinct.
    fn new(
        columns: &mut dyn FrameReader,
        rated: &[(&str, &DType)],
        spec: &RankSpec,
        budget: &Budget,
    ) -> Result<Room> {
        let n_rows = columns.n_rows()?;
        let texts: Vec<&str> =
            rated.iter().filter(|(_, dtype)| dtype.is_text()).map(|(name, _)| *name).collect();
        let few_rows = match texts.is_empty() {
            true => DataFrame::empty(),
            false => columns.read(&texts, Some(FEW_ROWS))?,
        };
        let bytes = |&(name, dtype): &(&str, &DType)| -> Result<u64> {
            let of_row = match dtype {
                dtype if dtype.is_text() => {
                    let texts = few_rows.column(name)?.n_unique()? as u64;
                    TEXT_ID_BYTES + TEXT_BYTES * texts / few_rows.height().max(1) as u64
                }
                dtype if dtype.is_wide() => WIDE_KEY_BYTES,
                _ => KEY_BYTES,
            };
            Ok(n_rows * of_row)
        };
        let features: Vec<u64> = rated.iter().map(bytes).collect::<Result<_>>()?;
        let roles = 1 + usize::from(spec.weight.is_some()) + spec.by.len() + spec.given.len();
        let [roles_as_read, roles] =
            [READ_ROLE_BYTES, ROLE_BYTES].map(|of_row| n_rows * of_row * roles as u64);
        let threads = in_pool(spec.threads, || Ok(rayon::current_num_threads()))?;
        let budget = budget.memory;
        Ok(Room { n_rows, roles_as_read, roles, features, budget, threads })
    }

    /// The feature that needs most, if the budget has no room for it and the target.
    fn lack(&self, rated: &[(&str, &DType)]) -> Option<Lack> {
        let Room { n_rows, roles_as_read, roles, budget, .. } = *self;
        let needed = self.features.iter().map(|bytes| bytes + roles);
        let ((name, dtype), bytes) = rated.iter().zip(needed).max_by_key(|(_, bytes)| *bytes)?;
        let (feature, needed) = (format!("`{name}` ({dtype})"), bytes.max(roles_as_read));
        (needed > budget).then_some(Lack { feature, n_rows, needed, budget })
    }

    /// How many features from the `first` on there is room for, one a thread at the most, and their
    /// bytes.
    fn next(&self, first: usize) -> (usize, u64) {
        let (mut count, mut bytes) = (0, 0);
        for more in self.features[first..].iter().take(self.threads) {
            if count > 0 && self.roles + bytes + more > self.budget {
                break;
            }
            (count, bytes) = (count + 1, bytes + more);
        }
        (count, bytes)
    }
}

/// What a feature needs that has no room.
struct Lack {
    feature: String,
    n_rows: u64,
    needed: u64,
    budget: u64,
}

impl Lack {
    /// The error of a ranking that cannot do without.
    fn of(self, ranking: &str) -> Error {
        let Lack { feature, n_rows, needed, budget } = self;
        Error::spec(format!(
            "{ranking} has each feature in memory; feature {feature} of {n_rows} rows takes about \
             {} MiB, and the memory budget is {} MiB: allow more memory",
            needed.div_ceil(1 << 20),
            budget >> 20
        ))
    }
}

// Bytes of a row.

/// Of a column with another role, while it is read and encoded.
const READ_ROLE_BYTES: u64 = 24;
/// Of a column with another role, while others are ranked.
const ROLE_BYTES: u64 = 8;
/// Of a column of keys: as it is read, its key, the key's place while it is sorted, and the entry.
const KEY_BYTES: u64 = 32;
/// Of a column of 128-bit keys.
const WIDE_KEY_BYTES: u64 = 80;
/// Of a column of texts, the texts themselves apart.
const TEXT_ID_BYTES: u64 = 40;
/// Of each distinct text.
const TEXT_BYTES: u64 = 160;

/// The rows that say how many texts are distinct.
const FEW_ROWS: u32 = 10_000;
