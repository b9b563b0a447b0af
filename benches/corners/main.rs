//! The corners of the engine, each a case of its name: what could be slow beside the first paths.
//!
//! ```text
//! cargo bench -p gaintree --no-default-features --bench corners                      # all, at 100,000 rows
//! ROWS=1000000 cargo bench -p gaintree --no-default-features --bench corners -- poker c45-full
//! ```
//!
//! For each case it prints the processor time of encoding and of the work (the least of `RUNS`, 3),
//! the nodes or lines of the result, and a hash of it: two versions that print the same hash found
//! the same. Processor time is the time of all threads; `THREADS` (1) is their number.

mod cases;
#[path = "../common/random.rs"]
mod random;
#[path = "../common/raw.rs"]
mod raw;
mod tables;

use std::hash::{DefaultHasher, Hash, Hasher};

use gaintree::LogBase;
use gaintree::engine::{Groups, Kinds, Table, curve, grow, rank, rank_in_turn};
use gaintree::{Cuts, RankMissing};
use rayon::ThreadPoolBuilder;

use cases::{Case, Work};
use tables::RawTable;

fn main() {
    // Cargo adds `--bench`.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let (rows, runs) = (number("ROWS", 100_000), number("RUNS", 3));
    let pool = ThreadPoolBuilder::new().num_threads(number("THREADS", 1)).build();
    let pool = pool.expect("threads");
    println!("| case | encoding | work | result | hash |\n| --- | --- | --- | --- | --- |");
    for case in cases::all().iter().filter(|c| wanted.is_empty() || wanted.contains(&c.name.into()))
    {
        let line = pool.install(|| measure(case, rows, runs));
        println!("| {} | {line} |", case.name);
    }
}

fn measure(case: &Case, rows: usize, runs: usize) -> String {
    let raw = (case.table)(rows);
    let (mut encoding, mut work, mut result) = (f64::INFINITY, f64::INFINITY, (0, 0));
    for _ in 0..runs.max(1) {
        let start = processor_time();
        let table = if let Work::RankInTurn = case.work { raw.target() } else { raw.encode() };
        let encoded = processor_time();
        let (size, text) = run(&case.work, &raw, table);
        work = work.min(processor_time() - encoded);
        encoding = encoding.min(encoded - start);
        let mut hasher = DefaultHasher::new();
        text().hash(&mut hasher);
        result = (size, hasher.finish());
    }
    format!("{encoding:.3} s | {work:.3} s | {} | {:016x}", result.0, result.1)
}

/// Does the work. Returns the size of its result, and what makes it a text.
fn run(work: &Work, raw: &RawTable, table: Table) -> (usize, Box<dyn Fn() -> String>) {
    match work {
        Work::Fit(spec) => {
            let tree = grow(table, spec).expect("a tree");
            (tree.n_nodes(), Box::new(move || tree.to_json()))
        }
        Work::Rank { rows_per_group } => {
            let n = table.n_rows();
            // Groups lie scattered, as keys do.
            let count = rows_per_group.map_or(1, |rows| n.div_ceil(rows));
            let of: Vec<u32> = (0..n).map(|row| (row * 7_919 % count) as u32).collect();
            let groups = rows_per_group.map(|_| Groups { of: &of, count });
            let gains = rank(&table, groups, LogBase::Two, RankMissing::Known, Cuts::Best);
            (gains.iter().map(Vec::len).sum(), Box::new(move || format!("{gains:?}")))
        }
        Work::RankInTurn => {
            let (base, missing, cuts) = (LogBase::Two, RankMissing::Known, Cuts::Best);
            let kinds = Kinds::default();
            let gains = rank_in_turn(&table, raw.features(), kinds, None, base, missing, cuts);
            let gains = gains.expect("features that can be ranked");
            (gains.iter().map(Vec::len).sum(), Box::new(move || format!("{gains:?}")))
        }
        Work::Curve => {
            let curve = curve(&table, LogBase::Two);
            (curve.len(), Box::new(move || format!("{curve:?}")))
        }
    }
}

/// Seconds of processor time of this process.
#[cfg(unix)]
fn processor_time() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes to the time alone.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    assert_eq!(failed, 0, "no clock of processor time");
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Seconds, where processor time cannot be asked for.
#[cfg(not(unix))]
fn processor_time() -> f64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0.0, |time| time.as_secs_f64())
}

fn number(name: &str, default: usize) -> usize {
    match std::env::var(name) {
        Err(_) => default,
        Ok(text) => text.parse().unwrap_or_else(|_| {
            eprintln!("{name}={text} is no whole number; it is {default} by default");
            std::process::exit(2)
        }),
    }
}
