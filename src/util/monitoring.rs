//! What long work says to its monitor, if it has one.

use crate::error::{Error, Result};
use crate::spec::Monitor;

/// Ends the work where that was asked for.
pub(crate) fn check_interrupt(monitor: Option<&Monitor>) -> Result<()> {
    match monitor.is_some_and(Monitor::is_interrupted) {
        true => Err(Error::interrupted()),
        false => Ok(()),
    }
}

pub(crate) fn begin_stage(monitor: Option<&Monitor>, name: &'static str, total: usize) {
    if let Some(monitor) = monitor {
        monitor.begin(name, total as u64);
    }
}

/// Says that more of the stage is done.
pub(crate) fn advance(monitor: Option<&Monitor>, by: usize) {
    if let Some(monitor) = monitor {
        monitor.advance(by as u64);
    }
}
