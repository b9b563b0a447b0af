//! Large tasks, shared out among threads.

use rayon::iter::{IndexedParallelIterator, MaxLen};

/// Tasks of which few are many.
pub(crate) trait Tasks: IndexedParallelIterator {
    /// Each by itself, whoever is free. Left to itself rayon may give a thread several at a time,
    /// which no other takes off it once begun, and then waits in the end. Answers to five million
    /// rows, in short runs, took half as long.
    fn one_by_one(self) -> MaxLen<Self> {
        self.with_max_len(1)
    }
}

impl<I: IndexedParallelIterator> Tasks for I {}
