//! Made-up frames of 20 columns, and trees that use them all: deep ones of some 5,000 nodes.

use std::fmt;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use gaintree::{FrameVerbs, Tree, TreeSpec};
use polars::prelude::*;
use tempfile::TempDir;

const COLUMNS: usize = 20;
/// Rows the trees are grown from.
const TRAINED: usize = 60_000;

/// The rows to score.
pub fn rows() -> usize {
    std::env::var("ROWS").ok().and_then(|rows| rows.parse().ok()).unwrap_or(200_000)
}

/// What the columns hold.
#[derive(Clone, Copy, PartialEq)]
pub enum Sort {
    Ordered,
    Nominal,
}

/// A tree and the rows it scores.
#[derive(Clone, Copy)]
pub struct Case {
    sort: Sort,
    depth: u32,
    nulls: bool,
}

impl Case {
    pub const ALL: [Case; 8] = [
        Case::deep(Sort::Ordered),
        Case::deep(Sort::Ordered).with_nulls(),
        Case::deep(Sort::Nominal),
        Case::deep(Sort::Nominal).with_nulls(),
        Case::shallow(Sort::Ordered),
        Case::shallow(Sort::Ordered).with_nulls(),
        Case::shallow(Sort::Nominal),
        Case::shallow(Sort::Nominal).with_nulls(),
    ];

    pub const fn deep(sort: Sort) -> Case {
        Case { sort, depth: 12, nulls: false }
    }

    const fn shallow(sort: Sort) -> Case {
        Case { sort, depth: 4, nulls: false }
    }

    const fn with_nulls(self) -> Case {
        Case { nulls: true, ..self }
    }

    pub fn tree(self) -> Tree {
        let df = self.frame(TRAINED, 1);
        df.fit_tree("y", &TreeSpec::cart().max_depth(self.depth)).expect("fits").tree
    }

    /// Rows with a target, which a tree does not look at.
    pub fn frame(self, rows: usize, seed: u64) -> DataFrame {
        let column = |c: usize| self.column(c, rows, seed);
        let mut columns: Vec<Column> = (0..COLUMNS).map(column).collect();
        columns.push(Column::new("y".into(), target(rows, seed)));
        DataFrame::new(rows, columns).expect("a frame")
    }

    fn column(self, c: usize, rows: usize, seed: u64) -> Column {
        let name: PlSmallStr = format!("x{c:02}").into();
        let mut numbers = Random::new(seed, c as u64);
        let known = |x: f64| !self.nulls || x >= 0.05;
        match self.sort {
            Sort::Ordered if !self.nulls => {
                Column::new(name, numbers.numbers(rows).collect::<Vec<_>>())
            }
            Sort::Ordered => {
                let values = numbers.numbers(rows).map(|x| known(x).then_some(x));
                Column::new(name, values.collect::<Vec<_>>())
            }
            Sort::Nominal => {
                let levels: Vec<String> = (0..40).map(|level| format!("level {level}")).collect();
                let level = |x: f64| known(x).then(|| levels[(x * 40.0) as usize].as_str());
                Column::new(name, numbers.numbers(rows).map(level).collect::<Vec<_>>())
            }
        }
    }
}

/// Classes that every column has a part in, in waves, so that a tree goes on asking and its branches
/// are of like sizes; a little is chance.
fn target(rows: usize, seed: u64) -> Vec<i64> {
    let mut sums: Vec<f64> = Random::new(seed, 999).numbers(rows).map(|x| 2.0 * x - 1.0).collect();
    for c in 0..COLUMNS {
        let mut numbers = Random::new(seed, c as u64);
        let wave = |x: f64| (x * (3.0 + 0.7 * c as f64)).sin();
        sums.iter_mut().zip(numbers.numbers(rows)).for_each(|(sum, x)| *sum += wave(x));
    }
    sums.into_iter().map(|sum| i64::from(sum >= 3.0) + i64::from(sum >= 6.0)).collect()
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let sort = if self.sort == Sort::Ordered { "ordered" } else { "nominal" };
        let nulls = if self.nulls { ", 5 % null" } else { "" };
        write!(f, "{sort}, depth {}{nulls}", self.depth)
    }
}

/// A parquet file of 20 columns of floats, and a place for what is made of it.
pub struct Files {
    _folder: TempDir,
    pub input: PathBuf,
    pub output: PathBuf,
}

impl Files {
    pub fn new() -> Files {
        let folder = tempfile::tempdir().expect("a folder");
        let [input, output] = ["in.parquet", "out.parquet"].map(|name| folder.path().join(name));
        let mut df = Case::deep(Sort::Ordered).frame(rows(), 2).drop("y").expect("there");
        let file = File::create(&input).expect("a file");
        ParquetWriter::new(file).finish(&mut df).expect("written");
        Files { _folder: folder, input, output }
    }

    pub fn scan(&self) -> LazyFrame {
        let path = PlRefPath::try_from_path(&self.input).expect("a path");
        LazyFrame::scan_parquet(path, ScanArgsParquet::default()).expect("scans")
    }

    pub fn columns(&self) -> Vec<Expr> {
        (0..COLUMNS).map(|c| col(format!("x{c:02}"))).collect()
    }

    pub fn sink(&self, query: LazyFrame) {
        let path = PlRefPath::try_from_path(&self.output).expect("a path");
        let sink = SinkDestination::File { target: SinkTarget::Path(path) };
        let format = FileWriteFormat::Parquet(Arc::default());
        let sink = query.sink(sink, format, UnifiedSinkArgs::default()).expect("a plan");
        sink.collect_with_engine(Engine::Streaming).expect("runs");
    }
}

/// Numbers from 0 to 1 that look like chance (xorshift64*).
struct Random(u64);

impl Random {
    fn new(seed: u64, stream: u64) -> Random {
        Random((seed * 1_000 + stream + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn numbers(&mut self, n: usize) -> impl Iterator<Item = f64> + '_ {
        (0..n).map(|_| {
            self.0 ^= self.0 >> 12;
            self.0 ^= self.0 << 25;
            self.0 ^= self.0 >> 27;
            (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1u64 << 53) as f64
        })
    }
}
