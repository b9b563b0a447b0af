//! A frame in memory, scored whenever another process asks: so it is measured in turns with
//! learners that are not of this language.

use std::io::{BufRead, stdin};
use std::time::Instant;

use gaintree::{ModelVerbs, ScoreSpec, Tree};
use polars::prelude::*;

/// Scores the frame once a line of standard input; the seconds go to standard output.
pub fn serve(model: &str, frame: &str) -> Result<(), Box<dyn std::error::Error>> {
    let tree = Tree::load(model)?;
    let df = LazyFrame::scan_parquet(frame.into(), ScanArgsParquet::default())?.collect()?;
    let alone = ScoreSpec::default().keep(Vec::<String>::new());
    for _ in stdin().lock().lines() {
        let start = Instant::now();
        let scored = tree.score_with(&df, &alone)?;
        println!("{}", start.elapsed().as_secs_f64());
        drop(scored);
    }
    Ok(())
}
