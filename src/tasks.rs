//! Large tasks, shared out among threads.

use rayon::iter::{IndexedParallelIterator, MaxLen};

/// Tasks of which few are many.
pub(crate) trait Tasks: IndexedParallelIterator {
    /// Each by itself, whoever is free. Left to itself rayon gives a thread several at a time, and
    /// what a thread has begun no other takes off it: of ten columns two threads shared out, one
    /// was idle for two or three in the end.
    fn one_by_one(self) -> MaxLen<Self> {
        self.with_max_len(1)
    }
}

impl<I: IndexedParallelIterator> Tasks for I {}
