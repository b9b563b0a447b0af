//! The branch of each row of a node while the node is split, and the stable partitions that
//! follow it.

#[cfg(target_arch = "x86_64")]
use super::avx2::{LANES, partition_avx2};
use crate::data::column::EntryLayout;
use crate::grow::scratch::ThreadScratch;
use crate::stat::Num;
use crate::util::parallel::{self, part_of};
use crate::util::scratch_pool::ScratchPool;

/// Where the rows of a node go.
pub(crate) struct BranchMap {
    /// Two-way splits: a bit a row, set if the row goes right. It is accessed at random, and
    /// small enough to stay in the cache.
    right: Vec<u64>,
    /// Multiway splits: a branch a row; empty until there is one.
    branches: Vec<u32>,
    n_rows: usize,
    is_two_way: bool,
}

const WORD: usize = u64::BITS as usize;

impl BranchMap {
    pub(crate) fn new(n_rows: usize) -> Self {
        let right = vec![0; n_rows.div_ceil(WORD)];
        BranchMap { right, branches: Vec::new(), n_rows, is_two_way: true }
    }

    /// Records the branch of some rows.
    pub(crate) fn record(&mut self, arity: usize, rows: impl Iterator<Item = (u32, u32)>) {
        self.is_two_way = arity == 2;
        if self.is_two_way {
            rows.for_each(|(row, branch)| set_bit(&mut self.right, row, branch == 1));
        } else {
            self.branches.resize(self.n_rows, 0);
            rows.for_each(|(row, branch)| self.branches[row as usize] = branch);
        }
    }

    /// Records the side of each of some rows, which ascend, and moves the rows that go right behind
    /// the others. Returns how many go right.
    pub(crate) fn route<N: Num>(
        &mut self,
        rows: &mut [u32],
        pool: &ScratchPool<ThreadScratch<N>>,
        goes_right: impl Fn(u32) -> bool + Sync,
    ) -> usize {
        self.is_two_way = true;
        let sides = SidesFrom { right: &mut self.right, first: 0 };
        partition_parallel(rows, Some(sides), pool, &goes_right)
    }

    /// Records that a column's entries from `at` on go right. In a node of many rows all bits are
    /// set to one side first and only the smaller side is visited; that overwrites the bits of
    /// other nodes, which nobody reads.
    pub(crate) fn record_cut(&mut self, entries: &[u32], at: usize, layout: EntryLayout) {
        let (left, right) = entries.split_at(at);
        if entries.len() < self.right.len() {
            let rows = [(left, 0), (right, 1)].into_iter().flat_map(|(side, branch)| {
                side.iter().map(move |&entry| (layout.row(entry), branch))
            });
            return self.record(2, rows);
        }
        self.is_two_way = true;
        let (most, fewer) = if at <= right.len() { (u64::MAX, left) } else { (0, right) };
        self.right.fill(most);
        for row in fewer.iter().map(|&entry| layout.row(entry) as usize) {
            self.right[row / WORD] ^= 1 << (row % WORD);
        }
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.n_rows
    }

    pub(crate) fn branch(&self, row: u32) -> u32 {
        if self.is_two_way { self.is_right(row).into() } else { self.branches[row as usize] }
    }

    #[inline]
    fn is_right(&self, row: u32) -> bool {
        self.right[row as usize / WORD] >> (row as usize % WORD) & 1 == 1
    }

    /// Partitions entries by their row's branch, stably and in linear time. `starts` are the
    /// branches' first indices; a two-way split needs none.
    pub(crate) fn partition(
        &self,
        entries: &mut [u32],
        spill: &mut Vec<u32>,
        starts: &[usize],
        layout: EntryLayout,
    ) {
        if self.is_two_way {
            self.partition_two_way(entries, spill, layout);
            return;
        }
        let spill = buffer(spill, entries.len());
        let mut next = starts.to_vec();
        for &entry in entries.iter() {
            let slot = &mut next[self.branches[layout.row(entry) as usize] as usize];
            spill[*slot] = entry;
            *slot += 1;
        }
        entries.copy_from_slice(spill);
    }

    fn partition_two_way(&self, entries: &mut [u32], spill: &mut Vec<u32>, layout: EntryLayout) {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
        let mut taken = (0, 0);
        #[cfg(target_arch = "x86_64")]
        if entries.len() >= LANES
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("popcnt")
        {
            let (spill, row_mask) = (buffer(spill, entries.len()), layout.row(u32::MAX));
            // SAFETY: the processor has the features it is compiled for.
            #[expect(unsafe_code)]
            unsafe {
                taken = partition_avx2(entries, spill, &self.right, row_mask);
            }
        }
        let spill = buffer(spill, entries.len());
        partition_from(entries, spill, taken, |entry| self.is_right(layout.row(entry)));
    }
}

#[inline]
fn set_bit(words: &mut [u64], bit: u32, value: bool) {
    let (word, bit) = (&mut words[bit as usize / WORD], bit as usize % WORD);
    *word = *word & !(1 << bit) | u64::from(value) << bit;
}

/// The bits of rows from `first` on, which begins a word.
pub(crate) struct SidesFrom<'a> {
    right: &'a mut [u64],
    first: u32,
}

/// Records the side of each of some rows, which ascend, in `sides` if given, and moves the rows
/// that go right behind the others, stably. Returns how many go right. Threads take a part each.
pub(crate) fn partition_parallel<N: Num>(
    rows: &mut [u32],
    sides: Option<SidesFrom>,
    pool: &ScratchPool<ThreadScratch<N>>,
    goes_right: &(impl Fn(u32) -> bool + Sync),
) -> usize {
    debug_assert!(rows.is_sorted());
    partition_parts(rows, sides, part_of(rows.len()), pool, goes_right)
}

/// [`partition_parallel`] in parts of about `part` rows.
fn partition_parts<N: Num>(
    rows: &mut [u32],
    sides: Option<SidesFrom>,
    part: usize,
    pool: &ScratchPool<ThreadScratch<N>>,
    goes_right: &(impl Fn(u32) -> bool + Sync),
) -> usize {
    if rows.len() <= part + WORD {
        return pool.with(|scratch| {
            let spill = buffer(&mut scratch.spill, rows.len());
            match sides {
                None => partition_from(rows, spill, (0, 0), goes_right),
                Some(sides) => partition_from(rows, spill, (0, 0), |row| {
                    let is_right = goes_right(row);
                    set_bit(sides.right, row - sides.first, is_right);
                    is_right
                }),
            }
        });
    }
    // Parts end with words, so that two threads never write to one.
    let middle = rows[rows.len() / 2] / WORD as u32 * WORD as u32;
    let at = rows.partition_point(|&row| row < middle);
    let (before, after) = rows.split_at_mut(at);
    let (sides_before, sides_after) = match sides {
        None => (None, None),
        Some(SidesFrom { right, first }) => {
            let (before, after) = right.split_at_mut((middle - first) as usize / WORD);
            let after = SidesFrom { right: after, first: middle };
            (Some(SidesFrom { right: before, first }), Some(after))
        }
    };
    let n_after = after.len();
    let halves = [(before, sides_before), (after, sides_after)];
    let go_right =
        parallel::map(halves, |(rows, sides)| partition_parts(rows, sides, part, pool, goes_right));
    let (right_before, right_after) = (go_right[0], go_right[1]);
    // [left right | left right] becomes [left left | right right].
    rows[at - right_before..at + n_after - right_after].rotate_left(right_before);
    right_before + right_after
}

/// Moves entries that go right behind the others, stably. Returns how many go right. The spill has
/// room for all. The first `taken` entries are done already; `to_right` of them are in the spill.
#[inline]
pub(crate) fn partition_from<E: Copy>(
    entries: &mut [E],
    spill: &mut [E],
    (taken, mut to_right): (usize, usize),
    mut goes_right: impl FnMut(E) -> bool,
) -> usize {
    let n = entries.len();
    let spill = &mut spill[..n];
    // Branchless: each entry is written to both sides, and only its own side advances.
    let mut to_left = taken - to_right;
    for i in taken..n {
        let entry = entries[i];
        entries[to_left] = entry;
        spill[to_right] = entry;
        to_right += usize::from(goes_right(entry));
        to_left = i + 1 - to_right;
    }
    entries[to_left..].copy_from_slice(&spill[..to_right]);
    to_right
}

/// The first `n` numbers of a buffer that grows as needed.
fn buffer(buffer: &mut Vec<u32>, n: usize) -> &mut [u32] {
    if buffer.len() < n {
        buffer.resize(n, 0);
    }
    &mut buffer[..n]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::sample::Index;

    proptest! {
        /// Entries go as each of them would alone, whatever their payloads.
        #[test]
        fn partitions_as_one_by_one(
            sides in prop::collection::vec(any::<bool>(), 1..300),
            drawn in prop::collection::vec((any::<Index>(), 0u32..8), 0..100),
            payload_bits in 0u32..4,
        ) {
            let layout = EntryLayout::new(sides.len(), payload_bits);
            let mut map = BranchMap::new(sides.len());
            map.record(2, (0..).zip(sides.iter().map(|&side| side.into())));
            let entry = |(row, payload): (Index, u32)| {
                layout.entry(row.index(sides.len()) as u32, payload & ((1 << payload_bits) - 1))
            };
            let mut entries: Vec<u32> = drawn.into_iter().map(entry).collect();
            let goes_right = |entry: &u32| sides[layout.row(*entry) as usize];
            let (right, left): (Vec<u32>, Vec<u32>) = entries.iter().partition(|e| goes_right(e));
            map.partition(&mut entries, &mut Vec::new(), &[], layout);
            prop_assert_eq!(entries, [left, right].concat());
        }
    }

    /// With any number of threads the rows of each side stay in order, and the sides of these rows
    /// and of no others are recorded.
    #[test]
    fn threads_route_rows_as_one_does() {
        let n = 150_000;
        let goes_right = |row: u32| row.wrapping_mul(0x9E37_79B9) >> 30 == 1;
        let is_there = |row: &u32| row.wrapping_mul(0x85EB_CA6B) >> 29 != 2;
        let given: Vec<u32> = (0..n).filter(is_there).collect();
        let (right, left): (Vec<u32>, Vec<u32>) = given.iter().partition(|&&row| goes_right(row));
        for threads in [1, 2, 5] {
            let mut rows = given.clone();
            let mut map = BranchMap::new(n as usize);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let n_right = pool.expect("threads").install(|| {
                map.route(&mut rows, &ScratchPool::<ThreadScratch<u32>>::default(), goes_right)
            });
            assert_eq!(rows, [left.as_slice(), &right].concat(), "{threads} threads");
            assert_eq!(n_right, right.len());
            let recorded = (0..n).filter(|&row| map.branch(row) == 1);
            assert!(recorded.eq(right.iter().copied()));
        }
    }

    /// A cut is recorded alike in nodes of many rows and of few, and whichever side is smaller.
    #[test]
    fn a_cut_is_recorded_in_nodes_of_many_rows_and_of_few() {
        let n = 10_000;
        let layout = EntryLayout::new(n, 0);
        let entries: Vec<u32> = (0..n as u32).map(|row| row * 7919 % n as u32).collect();
        let mut map = BranchMap::new(n);
        for (node, cuts) in [(0..n, [1, 2_500, 9_999]), (40..120, [1, 40, 79])] {
            let entries = &entries[node];
            for at in cuts {
                map.record_cut(entries, at, layout);
                let went: Vec<u32> = entries.iter().map(|&row| map.branch(row)).collect();
                let right = (0..entries.len()).map(|position| u32::from(position >= at));
                assert!(went.into_iter().eq(right), "{at} of {}", entries.len());
            }
        }
    }
}
