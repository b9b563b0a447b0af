//! How far long work is, and a request to end it, from another thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// Watches long work. A copy of it goes into a spec; another thread, or a signal handler, asks how
/// far the work is, or ends it. The work then ends with an error that
/// [`is_interrupted`](crate::Error::is_interrupted) as soon as the columns and nodes in hand are
/// done.
///
/// ```
/// use gaintree::{Monitor, TreeSpec};
/// let monitor = Monitor::default();
/// let spec = TreeSpec::cart().monitor(monitor.clone());
/// assert_eq!(monitor.stage(), None);
/// monitor.interrupt();
/// assert!(spec.monitor.is_some_and(|monitor| monitor.is_interrupted()));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Monitor(Arc<Watched>);

#[derive(Debug, Default)]
struct Watched {
    is_interrupted: AtomicBool,
    /// The name and the total of the stage.
    stage: Mutex<Option<(&'static str, u64)>>,
    done: AtomicU64,
}

/// A stage of long work, and how far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stage {
    /// What is being done, as "growing trees".
    pub name: &'static str,
    /// How much of it is done. The unit is the stage's own: only the share counts.
    pub done: u64,
    /// All there is to do, at least 1. A stage may end before all is done.
    pub total: u64,
}

impl Monitor {
    /// Asks for the end of the work.
    pub fn interrupt(&self) {
        self.0.is_interrupted.store(true, Relaxed);
    }

    /// Whether the end was asked for.
    pub fn is_interrupted(&self) -> bool {
        self.0.is_interrupted.load(Relaxed)
    }

    /// The stage that the work is in, or was in at its end. `None` before the first one, and of work
    /// that has no stages.
    pub fn stage(&self) -> Option<Stage> {
        // Held until `done` is read too: they are of one stage.
        let stage = self.0.stage.lock().unwrap_or_else(PoisonError::into_inner);
        stage.map(|(name, total)| Stage { name, done: self.0.done.load(Relaxed), total })
    }

    /// Begins a stage; one without anything to do is left out.
    pub(crate) fn begin(&self, name: &'static str, total: u64) {
        if total > 0 {
            let mut stage = self.0.stage.lock().unwrap_or_else(PoisonError::into_inner);
            self.0.done.store(0, Relaxed);
            *stage = Some((name, total));
        }
    }

    /// Says that more of the stage is done.
    pub(crate) fn advance(&self, by: u64) {
        self.0.done.fetch_add(by, Relaxed);
    }
}

/// Two copies of one monitor are equal.
impl PartialEq for Monitor {
    fn eq(&self, other: &Monitor) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
