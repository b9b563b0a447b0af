//! The command line: words are parsed (`args`), resolved to files and specs (`input`, `output`,
//! `commands`), and run to an exit code.
//!
//! Exit 0: done. 1: the work failed. 2: the words were wrong. Results go to standard output or
//! the file named; progress, notes and the one line of a failure to standard error.

mod args;
mod commands;
mod crash;
mod ending;
mod failure;
mod format;
mod input;
mod json_text;
mod memory;
mod output;
mod picture;
mod progress;
mod report;
mod screen;
mod stream;
mod terminal;
mod words;

use std::process::ExitCode;

use clap::Parser;

use args::Cli;
use failure::Failure;

fn main() -> ExitCode {
    memory::keep_what_is_freed();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(e) => return words::refused(&e),
    };
    if let Some(threads) = cli.command.threads() {
        // SAFETY: no other thread runs yet, and none is started before Polars reads this.
        unsafe { std::env::set_var("POLARS_MAX_THREADS", threads.to_string()) };
    }
    ending::watch();
    let done = crash::caught(|| commands::run(cli.command)).unwrap_or_else(|crash| {
        let (what, place) = (crash.what, crash.place);
        Err(Failure::work(format!("internal error, please report it: {what} ({place})")))
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.exit(),
    }
}
