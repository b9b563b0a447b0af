//! The way the rows of a node go while it is being split.

use crate::column::Packing;

/// The branch each row of a node is sent down, while the node is being split.
pub(super) struct Sent {
    /// Of a two-way split, a bit a row: it is asked at random, and so stays in the cache.
    right: Vec<u64>,
    /// Of a multiway split; empty until there is one.
    branches: Vec<u32>,
    n_rows: usize,
    is_two_way: bool,
}

impl Sent {
    pub(super) fn new(n_rows: usize) -> Self {
        let right = vec![0; n_rows.div_ceil(64)];
        Sent { right, branches: Vec::new(), n_rows, is_two_way: true }
    }

    pub(super) fn note(&mut self, arity: usize, sent: impl Iterator<Item = (u32, u32)>) {
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

    /// Notes the side of each of some rows, and puts those that go right last; how many do.
    pub(super) fn send(
        &mut self,
        rows: &mut [u32],
        spill: &mut Vec<u32>,
        goes_right: impl Fn(u32) -> bool,
    ) -> usize {
        self.is_two_way = true;
        let right = &mut self.right;
        part(rows, spill, |row| {
            let is_right = goes_right(row);
            let (word, bit) = (&mut right[row as usize / 64], row % 64);
            *word = *word & !(1 << bit) | u64::from(is_right) << bit;
            is_right
        })
    }

    /// Notes that those of a column's entries go right that stand at `at` or after it.
    pub(super) fn note_cut(&mut self, entries: &[u32], at: usize, packing: Packing) {
        let (left, right) = entries.split_at(at);
        let sides = [(left, 0), (right, 1)];
        let sent = sides
            .into_iter()
            .flat_map(|(side, branch)| side.iter().map(move |&entry| (packing.row(entry), branch)));
        self.note(2, sent);
    }

    pub(super) fn n_rows(&self) -> usize {
        self.n_rows
    }

    pub(super) fn branch(&self, row: u32) -> u32 {
        if self.is_two_way { self.is_right(row).into() } else { self.branches[row as usize] }
    }

    #[inline]
    fn is_right(&self, row: u32) -> bool {
        self.right[row as usize / 64] >> (row % 64) & 1 == 1
    }

    /// Stable partition of entries by their row's branch, in time linear in them.
    pub(super) fn partition(
        &self,
        entries: &mut [u32],
        spill: &mut Vec<u32>,
        starts: &[usize],
        packing: Packing,
    ) {
        if self.is_two_way {
            part(entries, spill, |entry| self.is_right(packing.row(entry)));
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
}

/// Puts the entries that go right last, in their order; how many do.
#[inline]
pub(super) fn part(
    entries: &mut [u32],
    spill: &mut Vec<u32>,
    mut goes_right: impl FnMut(u32) -> bool,
) -> usize {
    let n = entries.len();
    let spill = room(spill, n);
    // Without a jump: each entry is written to both sides, and only the side it belongs to moves
    // on.
    let (mut to_left, mut to_right) = (0, 0);
    for i in 0..n {
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
