//! What is printed where clap did not return arguments: help, the version, or an error.

use std::error::Error;
use std::io::Write;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};
use std::process::ExitCode;

use clap::CommandFactory;
use clap::error::ErrorKind;

use super::Cli;
use crate::process::Failure;

/// Prints what `--help` and `--version` ask for, or in one line what is wrong.
pub fn refused(e: &clap::Error) -> ExitCode {
    match e.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // A closed pipe is no failure.
            let _ = e.print();
            ExitCode::SUCCESS
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = write!(std::io::stderr(), "{}", e.render());
            ExitCode::from(2)
        }
        _ => Failure::usage(condensed(&explained(e))).exit(),
    }
}

/// Clap's words; of a value that is no number they say what is wanted.
fn explained(e: &clap::Error) -> String {
    let rendered = e.render().to_string();
    let Some(source) = e.source() else { return rendered };
    let wanted = match source.downcast_ref::<ParseIntError>().map(ParseIntError::kind) {
        Some(IntErrorKind::Empty | IntErrorKind::InvalidDigit) => "it has to be a whole number",
        None if source.is::<ParseFloatError>() => "it has to be a number",
        _ => return rendered,
    };
    rendered.replace(&source.to_string(), wanted)
}

/// Clap's paragraphs as one line: the error, its tips, and where help is.
fn condensed(rendered: &str) -> String {
    let error = rendered.split("Usage:").next().unwrap_or_default();
    let error = error.split("For more information").next().unwrap_or_default();
    let paragraphs = error.trim().trim_start_matches("error: ").split("\n\n");
    let line = paragraphs.map(str::trim).filter(|p| !p.is_empty()).collect::<Vec<_>>().join("; ");
    let first = std::env::args().nth(1);
    let subcommand = first.filter(|word| Cli::command().find_subcommand(word).is_some());
    let help = subcommand.map_or("gaintree".to_string(), |name| format!("gaintree {name}"));
    format!("{line}; see {help} --help")
}
