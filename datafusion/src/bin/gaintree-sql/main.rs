//! The command `gaintree-sql`: ranks, trains and scores the rows of a query, in this process or on
//! a Ballista cluster.

mod args;
mod commands;
mod session;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};

/// What a command ends with: nothing, or an error for people.
type Outcome = Result<(), Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let run = async {
        match &cli.command {
            Command::Fit(args) => commands::fit(args).await,
            Command::Rank(args) => commands::rank(args).await,
            Command::Score(args) => commands::score(args).await,
        }
    };
    // Plans of deep expressions are walked by recursion, so threads have room for it.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_stack_size(16 << 20)
        .build();
    let outcome: Outcome = match runtime {
        Ok(runtime) => runtime.block_on(run),
        Err(error) => Err(error.into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("gaintree-sql: {error}");
            ExitCode::FAILURE
        }
    }
}
