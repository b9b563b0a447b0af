//! Work in parallel.
//!
//! Rayon's parallel iterators are compiled again for each closure. Here rayon gets a `dyn Fn`, so that its code
//! is compiled once for all callers.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::error::Result;

/// The least number of rows that justifies a task of its own.
pub(crate) const PART: usize = 1 << 13;

/// Rows per task: an even share per thread, but at least [`PART`].
pub(crate) fn part_of(n_rows: usize) -> usize {
    n_rows.div_ceil(rayon::current_num_threads()).max(PART)
}

/// What `of` makes of each item, in order. Each item is a task of its own, so there should be
/// some work in it: give rows in parts.
pub(crate) fn map<T: Send, U: Send>(
    items: impl IntoIterator<Item = T>,
    of: impl Fn(T) -> U + Sync,
) -> Vec<U> {
    enum Task<T, U> {
        Waiting(T),
        Running,
        Done(U),
    }
    // Loops compile faster than chains of iterators, and there are many callers.
    let items = items.into_iter();
    let mut tasks = Vec::with_capacity(items.size_hint().0);
    for item in items {
        tasks.push(Mutex::new(Task::Waiting(item)));
    }
    run(tasks.len(), &|at| {
        // No lock is held while `of` runs.
        let set = |task| {
            std::mem::replace(&mut *tasks[at].lock().unwrap_or_else(PoisonError::into_inner), task)
        };
        if let Task::Waiting(item) = set(Task::Running) {
            set(Task::Done(of(item)));
        }
    });
    let mut values = Vec::with_capacity(tasks.len());
    for task in tasks {
        if let Task::Done(value) = task.into_inner().unwrap_or_else(PoisonError::into_inner) {
            values.push(value);
        }
    }
    values
}

/// [`map`], or in the calling thread alone.
pub(crate) fn map_if<T: Send, U: Send>(
    in_parallel: bool,
    items: impl IntoIterator<Item = T>,
    of: impl Fn(T) -> U + Sync,
) -> Vec<U> {
    match in_parallel {
        true => map(items, of),
        false => items.into_iter().map(of).collect(),
    }
}

/// [`map`] of work that can fail. No task begins after an earlier item has failed; of several errors the
/// first item's is returned, whatever the number of threads.
pub(crate) fn try_map<T: Send, U: Send>(
    items: impl IntoIterator<Item = T>,
    of: impl Fn(T) -> Result<U> + Sync,
) -> Result<Vec<U>> {
    let failed = AtomicUsize::new(usize::MAX);
    let results = map(items.into_iter().enumerate(), |(at, item)| {
        if at > failed.load(Relaxed) {
            return None;
        }
        let result = of(item);
        if result.is_err() {
            failed.fetch_min(at, Relaxed);
        }
        Some(result)
    });
    let mut values = Vec::with_capacity(results.len());
    for result in results.into_iter().flatten() {
        values.push(result?);
    }
    Ok(values)
}

/// [`map`] of work that returns nothing.
pub(crate) fn for_each<T: Send>(items: impl IntoIterator<Item = T>, of: impl Fn(T) + Sync) {
    map(items, of);
}

/// Reduces rows to one value, in parallel if they are many. `add` must be exact, as it is for
/// stats, so that the number of threads does not change the result.
pub(crate) fn reduce<T: Send>(
    rows: &[u32],
    of: impl Fn(&[u32]) -> T + Sync,
    add: impl Fn(T, T) -> T,
) -> T {
    let part = part_of(rows.len());
    if rows.len() <= part {
        return of(rows);
    }
    map(rows.chunks(part), &of).into_iter().reduce(add).unwrap_or_else(|| of(rows))
}

fn run(n_tasks: usize, task: &(dyn Fn(usize) + Sync)) {
    // By default rayon may give one thread several items, which other threads cannot steal
    // once it has started on them.
    (0..n_tasks).into_par_iter().with_max_len(1).for_each(task);
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::error::Error;

    /// Values come in the order of their items. Among several errors the first item's is returned,
    /// though the other came first.
    #[test]
    fn order_is_that_of_the_items() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
        pool.install(|| {
            let texts = map(["a", "b", "c"].map(String::from), |text| text + "!");
            assert_eq!(texts, ["a!", "b!", "c!"]);
            let second_failed = AtomicBool::new(false);
            let result: Result<Vec<()>> = try_map(0..2, |item| {
                while item == 0 && !second_failed.load(Relaxed) {
                    rayon::yield_now();
                }
                second_failed.store(true, Relaxed);
                Err(Error::data(format!("item {item}")))
            });
            assert_eq!(result.unwrap_err().to_string(), "item 0");
            let began = AtomicUsize::new(0);
            let failing = |item| {
                began.fetch_add(1, Relaxed);
                if item < 3 { Ok(item) } else { Err(Error::data("failed")) }
            };
            assert_eq!(try_map(0..3, failing).expect("no error"), [0, 1, 2]);
            let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
            began.store(0, Relaxed);
            one.install(|| try_map(0..100, failing)).unwrap_err();
            assert_eq!(began.into_inner(), 4, "no task begins after an error");
        });
    }
}
