//! A request to stop, from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A flag that stops long work. A copy of it goes into a spec; another thread, or a signal handler,
/// raises it. The work then ends with an error that [`is_interrupted`](crate::Error::is_interrupted)
/// as soon as the columns and nodes in hand are done.
///
/// ```
/// use gaintree::{Interrupt, TreeSpec};
/// let interrupt = Interrupt::default();
/// let spec = TreeSpec::cart().interrupt(interrupt.clone());
/// interrupt.raise();
/// assert!(spec.interrupt.is_some_and(|interrupt| interrupt.is_raised()));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Asks for the end of the work.
    pub fn raise(&self) {
        self.0.store(true, Relaxed);
    }

    /// Whether the end was asked for.
    pub fn is_raised(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// Two copies of one flag are equal.
impl PartialEq for Interrupt {
    fn eq(&self, other: &Interrupt) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
