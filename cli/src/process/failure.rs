//! Why a run failed, and its exit code.

use std::io::Write;
use std::process::ExitCode;

use polars::prelude::PolarsError;

#[derive(Debug)]
pub enum Failure {
    /// The arguments contradict each other or make no sense: exit 2.
    Usage(String),
    /// The work could not be done: exit 1.
    Work(String),
    /// The work is done, and what it found is above the limit: exit 3.
    Drift(String),
    /// The reader of standard output has gone (`gaintree … | head`): exit 0.
    ClosedPipe,
}

#[derive(Debug)]
pub enum QueryFailure {
    /// Rows could not be read or worked on; which file they are from is not known.
    Rows(String),
    Other(Failure),
}

pub type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    pub fn usage(message: impl Into<String>) -> Self {
        Failure::Usage(message.into())
    }

    pub fn work(message: impl Into<String>) -> Self {
        Failure::Work(message.into())
    }

    /// Prints the message in one line and gives the exit code.
    pub fn exit(self) -> ExitCode {
        let (message, code) = match self {
            Failure::Usage(message) => (message, 2),
            Failure::Work(message) => (message, 1),
            Failure::Drift(message) => (message, 3),
            Failure::ClosedPipe => return ExitCode::SUCCESS,
        };
        // Where standard error is closed, the exit code is all that can be said.
        let _ = writeln!(std::io::stderr(), "gaintree: {}", one_line(&message));
        ExitCode::from(code)
    }
}

impl From<gaintree::Error> for Failure {
    fn from(e: gaintree::Error) -> Self {
        if e.is_spec() { Failure::usage(e.to_string()) } else { Failure::work(e.to_string()) }
    }
}

impl From<PolarsError> for Failure {
    fn from(e: PolarsError) -> Self {
        Failure::work(e.to_string())
    }
}

impl From<Failure> for QueryFailure {
    fn from(failure: Failure) -> Self {
        QueryFailure::Other(failure)
    }
}

impl From<gaintree::Error> for QueryFailure {
    fn from(e: gaintree::Error) -> Self {
        QueryFailure::Other(e.into())
    }
}

/// A text with line breaks and other control characters as spaces.
pub fn one_line(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}
