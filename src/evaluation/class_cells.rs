//! The rows of one answer and one class.

use std::ops::Range;

/// Rows of one answer and of one actual class. `class` is the number of classes for one the model was
/// never trained on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClassCell {
    pub(super) class: u32,
    pub(super) answer: u32,
    pub(super) n: u64,
}

/// The rows of each answer and class, in order of class, then answer. A pair without rows is left
/// out. `O(n)`, or `O(n log n)` where classes times answers are more than the rows.
pub(super) fn cells_of(
    answer_of_row: &[u32],
    n_answers: usize,
    actual: &[Option<u32>],
    n_classes: usize,
) -> Vec<ClassCell> {
    let cell = |(class, answer): (&Option<u32>, &u32)| {
        class.map_or(n_classes, |class| class as usize) * n_answers + *answer as usize
    };
    let keys = actual.iter().zip(answer_of_row).map(cell);
    let of_key = |(key, n): (usize, u64)| ClassCell {
        class: (key / n_answers) as u32,
        answer: (key % n_answers) as u32,
        n,
    };
    if (n_classes + 1).saturating_mul(n_answers) <= actual.len().max(1 << 10) {
        let mut counts = vec![0u64; (n_classes + 1) * n_answers];
        keys.for_each(|key| counts[key] += 1);
        counts.into_iter().enumerate().filter(|(_, n)| *n > 0).map(of_key).collect()
    } else {
        let mut keys: Vec<usize> = keys.collect();
        keys.sort_unstable();
        let runs = keys.chunk_by(|a, b| a == b);
        runs.map(|run| of_key((run[0], run.len() as u64))).collect()
    }
}

/// The range of a class's cells.
pub(super) fn cells_of_class(cells: &[ClassCell], class: usize) -> Range<usize> {
    let start = |class: usize| cells.partition_point(|cell| (cell.class as usize) < class);
    start(class)..start(class + 1)
}
