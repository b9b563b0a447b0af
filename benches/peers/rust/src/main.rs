//! One fit by one Rust peer, in a process of its own; prints one line of JSON.
//!
//! `rust-peers LEARNER FILE [--depth N] [--rate]`

mod learners;
mod table;

use std::time::Instant;

use learners::{Job, fit};
use table::Table;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let learner = args.next().ok_or("which learner?")?;
    let path = args.next().ok_or("which file?")?;
    let mut job = Job { depth: None, rate: false };
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--depth" => job.depth = Some(args.next().ok_or("how deep?")?.parse()?),
            "--rate" => job.rate = true,
            _ => return Err(format!("what is {arg}?").into()),
        }
    }
    let start = Instant::now();
    let table = Table::read(&path)?;
    let read = start.elapsed();
    let done = fit(&learner, table, job)?;
    let line = serde_json::json!({
        "read_s": read.as_secs_f64(),
        "prepare_s": done.prepare.as_secs_f64(),
        "fit_s": done.fit.as_secs_f64(),
        "peak_kb": done.peak_kb,
        "nodes": done.nodes,
        "accuracy": done.accuracy,
    });
    println!("{line}");
    Ok(())
}
