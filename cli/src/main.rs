//! The command line: arguments are parsed (`args`), resolved to files and specs (`input`,
//! `output`), and run (`commands`) to an exit code.
//!
//! Exit 0: done. 1: the work failed. 2: the arguments were wrong. 3: `drift`
//! found more than it may. Results go to standard output or
//! the file named; progress, notes and the one line of a failure go to standard error.

mod args;
mod commands;
mod input;
mod output;
mod process;
mod terminal;

use std::process::ExitCode;

use process::Failure;

fn main() -> ExitCode {
    process::keep_freed_memory();
    let (command, threads) = match commands::Cli::read() {
        Ok(read) => read,
        Err(e) => return commands::refused(&e),
    };
    process::read_more_dtypes();
    if let Some(threads) = threads {
        process::bound_threads(threads);
    }
    process::watch_signals();
    let done = process::catch_panic(|| commands::run(command)).unwrap_or_else(|panic| {
        let (what, location) = (panic.message, panic.location);
        Err(Failure::work(format!("internal error, please report it: {what} ({location})")))
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.exit(),
    }
}
