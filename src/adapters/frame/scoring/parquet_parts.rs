//! A Parquet file read part by part.
//!
//! Polars maps a whole file into memory to read it, and what was read stays there until the query
//! ends: memory grows with the file. A part is read by a scan of its own, which unmaps the file
//! when the part is done. Each part allocates its buffers anew, so parts are not small.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use polars::error::PolarsResult;
use polars::io::HiveOptions;
use polars::prelude::{
    IdxSize, LazyFrame, ParquetReader, PlSmallStr, PolarsError, ScanArgsParquet, ScanSources,
    SerReader, UnionArgs, concat,
};

use super::int96::{checked, int96_columns};
use crate::error::{Error, Result};
use crate::spec::Budget;

/// Bytes of a part before compression; a part is at least one row group.
const PART_BYTES: usize = 256 << 20;

/// The most parts of a file. Each reads the footer anew, so a large file has larger parts.
const MAX_PARTS: usize = 64;

/// The most parts of a file that is read within a budget, however small that is.
const MAX_SMALL_PARTS: usize = 1024;

/// A query for the rows of a Parquet file, in order. If the rest of the query streams, as
/// [`score_lazy`](crate::PolarsScoring::score_lazy) does, its memory is bounded by row groups; Polars' own
/// scan keeps what it has read of a file in memory until the query ends. All parts are of the
/// file that has the name now.
///
/// ```no_run
/// # use gaintree::{PolarsScoring, ScoreSpec, Tree, scan_parquet_in_parts};
/// let tree = Tree::load("churn.tree.json")?;
/// let rows = scan_parquet_in_parts("customers.parquet")?;
/// let scored = tree.score_lazy(rows, &ScoreSpec::default())?.frame;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As of Polars: a file that cannot be opened or is not parquet. When the query runs, a column of
/// INT96 timestamps that nanoseconds do not reach, as years after 2262: Polars would read one moment
/// for all.
pub fn scan_parquet_in_parts(path: impl AsRef<Path>) -> PolarsResult<LazyFrame> {
    in_parts(&File::open(path)?, PART_BYTES)
}

/// Queries for the rows of a Parquet file, in order, of so few row groups each that a reading of one
/// after the other stays within a budget.
///
/// # Errors
/// A file that cannot be opened or is not parquet; a row group that is too large for the budget.
pub fn scan_parquet_within(path: impl AsRef<Path>, budget: &Budget) -> Result<Vec<LazyFrame>> {
    let path = path.as_ref();
    let read = |e| read_error(path, e);
    let file = File::open(path).map_err(|e| read(e.into()))?;
    let Footer { groups, int96 } = Footer::of(&file).map_err(read)?;
    let largest = groups.iter().max_by_key(|group| group.bytes);
    let most = usize::try_from(budget.memory / 4).unwrap_or(usize::MAX);
    if let Some(group) = largest.filter(|group| group.bytes > most) {
        return Err(Error::spec(format!(
            "`{}` has a row group of {} rows and {} MiB, and a memory budget of {} MiB has room for \
             {} MiB at a time: write the file with smaller row groups, or allow more memory",
            path.display(),
            group.rows,
            group.bytes >> 20,
            budget.memory >> 20,
            most >> 20
        )));
    }
    let starts = starts(&groups, most / 8, MAX_SMALL_PARTS);
    parts(&file, &starts, &int96).map_err(read)
}

/// The number of rows of a file, as its footer says.
pub(super) fn n_rows(path: &Path) -> PolarsResult<usize> {
    Ok(Footer::of(&File::open(path)?)?.groups.iter().map(|group| group.rows).sum())
}

/// A query for the rows of a file, in parts of at least `part_bytes`.
fn in_parts(file: &File, part_bytes: usize) -> PolarsResult<LazyFrame> {
    let Footer { groups, int96 } = Footer::of(file)?;
    let starts = starts(&groups, part_bytes, MAX_PARTS);
    let mut parts = parts(file, &starts, &int96)?;
    match parts.len() {
        1 => Ok(parts.remove(0)),
        _ => concat(parts, UnionArgs { maintain_order: true, ..Default::default() }),
    }
}

/// A query for each part, by the first rows of the parts.
fn parts(file: &File, starts: &[usize], int96: &[PlSmallStr]) -> PolarsResult<Vec<LazyFrame>> {
    if starts.len() < 2 {
        return Ok(vec![checked(scan(file)?, int96)]);
    }
    let part = |(i, &start): (usize, &usize)| {
        // The last part takes whatever follows.
        let rows = starts.get(i + 1).map(|next| next - start);
        let rows = rows.and_then(|rows| IdxSize::try_from(rows).ok()).unwrap_or(IdxSize::MAX);
        Ok(checked(scan(file)?.slice(start as i64, rows), int96))
    };
    starts.iter().enumerate().map(part).collect()
}

struct RowGroup {
    rows: usize,
    /// Before compression.
    bytes: usize,
}

/// What the footer says. A damaged one may claim any sizes, which reading the rows will report.
struct Footer {
    groups: Vec<RowGroup>,
    /// Columns of timestamps as INT96.
    int96: Vec<PlSmallStr>,
}

impl Footer {
    fn of(file: &File) -> PolarsResult<Footer> {
        let mut reader = ParquetReader::new(file.try_clone()?);
        let int96 = int96_columns(&mut reader)?;
        let groups = reader.get_metadata()?.row_groups.iter();
        let group = groups.map(|of| RowGroup { rows: of.num_rows(), bytes: of.total_byte_size() });
        Ok(Footer { groups: group.collect(), int96 })
    }
}

/// The first row of each part. A part has at least `part_bytes`, and there are at most `most` parts.
fn starts(groups: &[RowGroup], part_bytes: usize, most: usize) -> Vec<usize> {
    let whole = groups.iter().fold(0usize, |sum, group| sum.saturating_add(group.bytes));
    let enough = part_bytes.max(whole / most);
    let (mut starts, mut rows, mut bytes) = (Vec::new(), 0usize, enough);
    for group in groups {
        if bytes >= enough {
            starts.push(rows);
            bytes = 0;
        }
        rows = rows.saturating_add(group.rows);
        bytes = bytes.saturating_add(group.bytes);
    }
    starts
}

/// A scan of the open file: a path might be a pattern, a URL, or another file by now.
fn scan(file: &File) -> PolarsResult<LazyFrame> {
    // Folders named `key=value` add no column.
    let hive_options = HiveOptions::new_disabled();
    let args = ScanArgsParquet { hive_options, ..Default::default() };
    LazyFrame::scan_parquet_sources(ScanSources::Files(Arc::new([file.try_clone()?])), args)
}

pub(super) fn read_error(path: &Path, e: PolarsError) -> Error {
    let e = Error::from(e);
    Error::io(format!("cannot read `{}`: {e}", path.display())).caused_by(e)
}

#[cfg(test)]
mod tests {
    use polars::prelude::{Engine, IntoLazy, ParquetWriter, PolarsResult, col, df};

    use super::{File, Footer, in_parts, starts};

    #[test]
    fn parts_are_the_file_in_order() -> PolarsResult<()> {
        for (rows, group) in [(0, 10), (1, 10), (10, 10), (1_000, 10), (1_003, 97)] {
            let numbers: Vec<i64> = (0..rows).collect();
            let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            let mut whole = df!["n" => numbers, "t" => texts]?;
            let mut file = tempfile::tempfile()?;
            ParquetWriter::new(&mut file).with_row_group_size(Some(group)).finish(&mut whole)?;
            for bytes in [1, 1_000, usize::MAX] {
                let parts = starts(&Footer::of(&file)?.groups, bytes, 1_000).len();
                assert_eq!(parts > 1, rows > 10 && bytes < usize::MAX, "{rows} {bytes} {parts}");
                let read = in_parts(&file, bytes)?.collect_with_engine(Engine::Streaming)?;
                assert!(read.unwrap_single().equals(&whole), "{rows} rows, {bytes} bytes");
                let numbers = in_parts(&file, bytes)?.select([col("n") + col("n")]);
                let twice = whole.clone().lazy().select([col("n") + col("n")]).collect()?;
                assert!(numbers.collect()?.equals(&twice));
            }
        }
        Ok(())
    }

    #[test]
    fn a_file_put_in_its_place_later_is_another() -> PolarsResult<()> {
        let folder = tempfile::tempdir()?;
        let path = |name: &str| folder.path().join(name);
        for (name, n) in [("rows.parquet", 1_000), ("others.parquet", 10)] {
            let file = File::create(path(name))?;
            let writer = ParquetWriter::new(file).with_row_group_size(Some(100));
            writer.finish(&mut df!["n" => (0..n).collect::<Vec<i64>>()]?)?;
        }
        let rows = in_parts(&File::open(path("rows.parquet"))?, 1)?;
        std::fs::rename(path("others.parquet"), path("rows.parquet"))?;
        assert_eq!(rows.collect_with_engine(Engine::Streaming)?.unwrap_single().height(), 1_000);
        Ok(())
    }
}
