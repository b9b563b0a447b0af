//! Whether work goes on.

use crate::error::{Error, Result};
use crate::spec::Interrupt;

/// Ends the work once its flag, if it has one, is raised.
pub(crate) fn check_interrupt(interrupt: Option<&Interrupt>) -> Result<()> {
    match interrupt.is_some_and(Interrupt::is_raised) {
        true => Err(Error::interrupted()),
        false => Ok(()),
    }
}
