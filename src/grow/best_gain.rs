//! The best gain of a node's columns while they are searched.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::split::Candidate;

/// The best gain of a node's columns so far, where no other than the highest gain can be chosen.
/// A column whose proxies stay below it is skipped. This changes how much is looked at, never
/// what is found.
pub(super) struct BestGain {
    pub(super) applies: bool,
    /// Whether columns are searched in order, so that a later column of equal gain cannot be
    /// chosen either.
    pub(super) in_order: bool,
    /// The bits of the gain. Gains are not negative, so bits order as gains do.
    bits: AtomicU64,
}

impl BestGain {
    pub(super) fn new(applies: bool, in_order: bool) -> BestGain {
        BestGain { applies, in_order, bits: AtomicU64::new(0) }
    }

    pub(super) fn get(&self) -> f64 {
        f64::from_bits(self.bits.load(Relaxed))
    }

    pub(super) fn raise(&self, candidate: &Option<Candidate>) {
        if let Some(candidate) = candidate
            && self.applies
        {
            let gain = if self.in_order { candidate.gain.next_up() } else { candidate.gain };
            self.bits.fetch_max(gain.to_bits(), Relaxed);
        }
    }

    /// Whether no remaining column can be chosen, where none gains more than `highest`: a node
    /// that a rule makes pure is done at that rule's column.
    pub(super) fn ends_search(&self, highest: f64) -> bool {
        self.in_order && self.get() > highest
    }
}
