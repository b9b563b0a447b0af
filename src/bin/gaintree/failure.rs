//! How a run ends when it does not end well.

use std::io::Write;
use std::process::ExitCode;

/// Why a run stopped short.
#[derive(Debug)]
pub enum Failure {
    /// What was asked for contradicts itself, or cannot be meant: exit 2.
    WordLayout(String),
    /// It could not be done: exit 1.
    Partition(String),
    /// Whoever read our output has had enough (`gaintree … | head`): exit 0.
    ClosedPipe,
}

/// Why a query did not run to its end.
#[derive(Debug)]
pub enum Stopped {
    /// Its rows could not be read, or not be worked on; of which file they are is not known.
    Rows(String),
    Other(Failure),
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        Stopped::Other(failure)
    }
}

impl From<gaintree::Error> for Stopped {
    fn from(e: gaintree::Error) -> Self {
        Stopped::Other(e.into())
    }
}

/// What a step of a run gives.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    pub fn words(message: impl Into<String>) -> Self {
        Failure::WordLayout(message.into())
    }

    pub fn work(message: impl Into<String>) -> Self {
        Failure::Partition(message.into())
    }

    /// Says so in one line, and gives the exit code.
    pub fn exit(self) -> ExitCode {
        let (message, code) = match self {
            Failure::WordLayout(message) => (message, 2),
            Failure::Partition(message) => (message, 1),
            Failure::ClosedPipe => return ExitCode::SUCCESS,
        };
        // Where standard error is closed, the code alone has to say it.
        let _ = writeln!(std::io::stderr(), "gaintree: {}", one_line(&message));
        ExitCode::from(code)
    }
}

impl From<gaintree::Error> for Failure {
    fn from(e: gaintree::Error) -> Self {
        if e.is_spec() {
            Failure::WordLayout(e.to_string())
        } else {
            Failure::Partition(e.to_string())
        }
    }
}

/// A text with its line breaks, and what else a terminal might obey, as spaces.
pub fn one_line(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}
