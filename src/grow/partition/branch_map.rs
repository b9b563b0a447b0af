//! The way the rows of a node go while it is being split.

use crate::data::column::EntryLayout;
use crate::grow::partition::ThreadScratch;
#[cfg(target_arch = "x86_64")]
use crate::grow::partition::avx2::{ABREAST, part_by_eights};
use crate::stat::Num;
use crate::util::parallel::part_of;
use crate::util::scratch_pool::ScratchPool;

/// The branch each row of a node is sent down, while the node is being split.
pub(crate) struct BranchMap {
    /// Of a two-way split, a bit a row: it is asked at random, and so stays in the cache.
    right: Vec<u64>,
    /// Of a multiway split; empty until there is one.
    branches: Vec<u32>,
    n_rows: usize,
    is_two_way: bool,
}

impl BranchMap {
    pub(crate) fn new(n_rows: usize) -> Self {
        let right = vec![0; n_rows.div_ceil(64)];
        BranchMap { right, branches: Vec::new(), n_rows, is_two_way: true }
    }

    pub(crate) fn note(&mut self, arity: usize, sent: impl Iterator<Item = (u32, u32)>) {
        self.is_two_way = arity == 2;
        if self.is_two_way {
            sent.for_each(|(row, branch)| {
                let (word, bit) = (&mut self.right[row as usize / 64], row % 64);
                *word = *word & !(1 << bit) | u64::from(branch) << bit;
            });
        } else {
            self.branches.resize(self.n_rows, 0);
            sent.for_each(|(row, branch)| self.branches[row as usize] = branch);
        }
    }

    /// Notes the side of each of some rows, which ascend, and puts those that go right last; how
    /// many do.
    pub(crate) fn send<N: Num>(
        &mut self,
        rows: &mut [u32],
        benches: &ScratchPool<ThreadScratch<N>>,
        goes_right: impl Fn(u32) -> bool + Sync,
    ) -> usize {
        self.is_two_way = true;
        let sides = Sides { right: &mut self.right, first: 0 };
        part_by_all(rows, Some(sides), benches, &goes_right)
    }

    /// Notes that those of a column's entries go right that stand at `at` or after it. Of a node
    /// of many rows the side of all is set, and that of the fewer entries then turned: half the
    /// time. What is said of other nodes' rows by that is asked of none.
    pub(crate) fn note_cut(&mut self, entries: &[u32], at: usize, packing: EntryLayout) {
        let (left, right) = entries.split_at(at);
        if entries.len() < self.right.len() {
            let sent = [(left, 0), (right, 1)].into_iter().flat_map(|(side, branch)| {
                side.iter().map(move |&entry| (packing.row(entry), branch))
            });
            return self.note(2, sent);
        }
        self.is_two_way = true;
        let (most, fewer) = if at <= right.len() { (u64::MAX, left) } else { (0, right) };
        self.right.fill(most);
        for row in fewer.iter().map(|&entry| packing.row(entry) as usize) {
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
        self.right[row as usize / 64] >> (row % 64) & 1 == 1
    }

    /// Stable partition of entries by their row's branch, in time linear in them.
    pub(crate) fn partition(
        &self,
        entries: &mut [u32],
        spill: &mut Vec<u32>,
        starts: &[usize],
        packing: EntryLayout,
    ) {
        if self.is_two_way {
            self.part_in_two(entries, spill, packing);
            return;
        }
        let spill = room(spill, entries.len());
        let mut next = starts.to_vec();
        for &entry in entries.iter() {
            let slot = &mut next[self.branches[packing.row(entry) as usize] as usize];
            spill[*slot] = entry;
            *slot += 1;
        }
        entries.copy_from_slice(spill);
    }

    /// The same of a two-way split.
    fn part_in_two(&self, entries: &mut [u32], spill: &mut Vec<u32>, packing: EntryLayout) {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
        let mut taken = (0, 0);
        #[cfg(target_arch = "x86_64")]
        if entries.len() >= ABREAST
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("popcnt")
        {
            let (spill, row_mask) = (room(spill, entries.len()), packing.row(u32::MAX));
            // SAFETY: the processor has what it is compiled for.
            #[expect(unsafe_code)]
            unsafe {
                taken = part_by_eights(entries, spill, &self.right, row_mask);
            }
        }
        part(entries, spill, taken, |entry| self.is_right(packing.row(entry)));
    }
}

/// The sides of some rows, from the first row of a word on.
pub(crate) struct Sides<'a> {
    right: &'a mut [u64],
    first: u32,
}

impl Sides<'_> {
    #[inline]
    fn note(&mut self, row: u32, is_right: bool) {
        let at = row - self.first;
        let (word, bit) = (&mut self.right[at as usize / WORD], at as usize % WORD);
        *word = *word & !(1 << bit) | u64::from(is_right) << bit;
    }
}

/// Rows of a word of sides.
const WORD: usize = u64::BITS as usize;

/// Notes the side of each of some rows, which ascend, where that is asked for, and puts those that
/// go right last, in their order; how many do. Threads take a part of the rows each.
pub(crate) fn part_by_all<N: Num>(
    rows: &mut [u32],
    sides: Option<Sides>,
    benches: &ScratchPool<ThreadScratch<N>>,
    goes_right: &(impl Fn(u32) -> bool + Sync),
) -> usize {
    debug_assert!(rows.is_sorted());
    part_in_parts(rows, sides, part_of(rows.len()), benches, goes_right)
}

fn part_in_parts<N: Num>(
    rows: &mut [u32],
    sides: Option<Sides>,
    n: usize,
    benches: &ScratchPool<ThreadScratch<N>>,
    goes_right: &(impl Fn(u32) -> bool + Sync),
) -> usize {
    if rows.len() <= n + WORD {
        return benches.with(|bench| match sides {
            None => part(rows, &mut bench.spill, (0, 0), goes_right),
            Some(mut sides) => part(rows, &mut bench.spill, (0, 0), |row| {
                let is_right = goes_right(row);
                sides.note(row, is_right);
                is_right
            }),
        });
    }
    // Two threads never write to one word.
    let middle = rows[rows.len() / 2] / WORD as u32 * WORD as u32;
    let at = rows.partition_point(|&row| row < middle);
    let (before, after) = rows.split_at_mut(at);
    let (sides_before, sides_after) = match sides {
        None => (None, None),
        Some(Sides { right, first }) => {
            let (before, after) = right.split_at_mut((middle - first) as usize / WORD);
            (Some(Sides { right: before, first }), Some(Sides { right: after, first: middle }))
        }
    };
    let n_after = after.len();
    let (right_before, right_after) = rayon::join(
        || part_in_parts(before, sides_before, n, benches, goes_right),
        || part_in_parts(after, sides_after, n, benches, goes_right),
    );
    // Left and right, left and right: the inner two change places.
    rows[at - right_before..at + n_after - right_after].rotate_left(right_before);
    right_before + right_after
}

/// Puts the entries that go right last, in their order; how many do. Some may have been taken
/// already, and of these some to the spill.
#[inline]
fn part(
    entries: &mut [u32],
    spill: &mut Vec<u32>,
    (taken, mut to_right): (usize, usize),
    mut goes_right: impl FnMut(u32) -> bool,
) -> usize {
    let n = entries.len();
    let spill = room(spill, n);
    // Without a jump: each entry is written to both sides, and only the side it belongs to moves
    // on.
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

/// The first so many numbers of a spill.
fn room(spill: &mut Vec<u32>, n: usize) -> &mut [u32] {
    if spill.len() < n {
        spill.resize(n, 0);
    }
    &mut spill[..n]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::sample::Index;

    proptest! {
        /// Entries are parted as each by itself, whatever their tags.
        #[test]
        fn parts_as_one_by_one(
            sides in prop::collection::vec(any::<bool>(), 1..300),
            drawn in prop::collection::vec((any::<Index>(), 0u32..8), 0..100),
            tag_bits in 0u32..4,
        ) {
            let packing = EntryLayout::new(sides.len(), tag_bits);
            let mut sent = BranchMap::new(sides.len());
            sent.note(2, (0..).zip(sides.iter().map(|&side| side.into())));
            let entry = |(row, tag): (Index, u32)| {
                packing.entry(row.index(sides.len()) as u32, tag & ((1 << tag_bits) - 1))
            };
            let mut entries: Vec<u32> = drawn.into_iter().map(entry).collect();
            let goes_right = |entry: &u32| sides[packing.row(*entry) as usize];
            let (right, left): (Vec<u32>, Vec<u32>) = entries.iter().partition(|e| goes_right(e));
            sent.partition(&mut entries, &mut Vec::new(), &[], packing);
            prop_assert_eq!(entries, [left, right].concat());
        }
    }

    /// However many threads take a part, the rows of each side stay in order, and each side is
    /// noted: of rows that are there, and of no others.
    #[test]
    fn threads_send_rows_as_one_does() {
        let n = 150_000;
        let goes_right = |row: u32| row.wrapping_mul(0x9E37_79B9) >> 30 == 1;
        let is_there = |row: &u32| row.wrapping_mul(0x85EB_CA6B) >> 29 != 2;
        let given: Vec<u32> = (0..n).filter(is_there).collect();
        let (right, left): (Vec<u32>, Vec<u32>) = given.iter().partition(|&&row| goes_right(row));
        for threads in [1, 2, 5] {
            let mut rows = given.clone();
            let mut sent = BranchMap::new(n as usize);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let n_right = pool.expect("threads").install(|| {
                sent.send(&mut rows, &ScratchPool::<ThreadScratch<u32>>::default(), goes_right)
            });
            assert_eq!(rows, [left.as_slice(), &right].concat(), "{threads} threads");
            assert_eq!(n_right, right.len());
            let noted = (0..n).filter(|&row| sent.branch(row) == 1);
            assert!(noted.eq(right.iter().copied()));
        }
    }

    /// A cut is noted alike where sides are set at once and where row by row, and whichever side
    /// has fewer.
    #[test]
    fn a_cut_is_noted_in_nodes_of_many_rows_and_of_few() {
        let n = 10_000;
        let packing = EntryLayout::new(n, 0);
        let entries: Vec<u32> = (0..n as u32).map(|row| row * 7919 % n as u32).collect();
        let mut sent = BranchMap::new(n);
        for (node, cuts) in [(0..n, [1, 2_500, 9_999]), (40..120, [1, 40, 79])] {
            let entries = &entries[node];
            for at in cuts {
                sent.note_cut(entries, at, packing);
                let went: Vec<u32> = entries.iter().map(|&row| sent.branch(row)).collect();
                let right = (0..entries.len()).map(|place| u32::from(place >= at));
                assert!(went.into_iter().eq(right), "{at} of {}", entries.len());
            }
        }
    }
}
