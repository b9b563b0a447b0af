//! Blocks of rows sent down the [flat](super::flat) tree together.
//!
//! Level by level the rows do not wait for each other, and the processor has many of them under
//! way at once; row by row each test would wait for the one before.

use std::array::from_fn;

use super::flat::{Flat, GOING, TOP, UNUSUAL};
use super::near::Ahead;

/// Rows that are walked together: few enough that their numbers, of some twenty lanes, stay in
/// the nearest cache beside the tests.
pub(super) const BLOCK: usize = 64;

/// Rows whose tests are written out one after the other in the loop over a level.
const ABREAST: usize = 4;

/// Rows whose answers to a test fill a vector of bytes.
const VECTOR: usize = 16;

/// The numbers of a feature in a block, as a test reads them.
#[derive(Clone, Copy)]
pub(super) struct Lane<'a> {
    pub(super) numbers: &'a [f64; BLOCK],
    /// What they are multiplied by: 1 or -1.
    pub(super) sign: f64,
}

impl Flat {
    /// Sends a block of rows down; each feature has two lanes, its own and the one turned round.
    /// The numbers a block further are asked for meanwhile. Whether a row ends [`UNUSUAL`] is said.
    pub(super) fn walk(&self, lanes: &[Lane], ends: &mut [u32; BLOCK]) -> bool {
        assert!(lanes.len() >= self.n_lanes, "two lanes a feature");
        let mut at = [0; BLOCK];
        self.below_top(lanes, &mut at);
        let mut ahead = Ahead::of(lanes);
        for _ in 0..self.common_levels {
            let (rows, _) = at.as_chunks_mut::<ABREAST>();
            for (i, at) in rows.iter_mut().enumerate() {
                ahead.ask();
                for (j, at) in at.iter_mut().enumerate() {
                    *at = self.next(*at, lanes, i * ABREAST + j);
                }
            }
        }
        while ahead.ask() {}
        // Looked through at hand: numbers just written one by one cannot be read several at once
        // until they are out: 4 % off the scoring of a table.
        let mut highest = 0;
        for (end, &at) in ends.iter_mut().zip(&at) {
            *end = self.ends[at as usize];
            highest = highest.max(*end);
        }
        if highest < GOING {
            return false;
        }
        // Where some branches are much deeper than most, only the rows in them go on.
        let mut open = [0u8; BLOCK];
        let mut n_open = 0;
        for (row, &end) in (0..).zip(ends.iter()) {
            open[n_open] = row;
            n_open += usize::from(end == GOING);
        }
        while n_open > 0 {
            let mut n_left = 0;
            for i in 0..n_open {
                let row = usize::from(open[i]);
                at[row] = self.next(at[row], lanes, row);
                ends[row] = self.ends[at[row] as usize];
                open[n_left] = row as u8;
                n_left += usize::from(ends[row] == GOING);
            }
            n_open = n_left;
        }
        ends.contains(&UNUSUAL)
    }

    /// The way on from a place that a walk has come to. The two look-ups are not checked, which
    /// takes 5 % off the scoring of a table.
    #[inline(always)]
    #[expect(unsafe_code)]
    fn next(&self, at: u32, lanes: &[Lane], row: usize) -> u32 {
        // SAFETY: `Flat::of` has seen that the top and each test lead to places there are and ask
        // for lanes below `n_lanes`, and `walk` that there are as many.
        let (test, lane) = unsafe {
            let test = self.tests.get_unchecked(at as usize);
            (test, lanes.get_unchecked(test.lane as usize))
        };
        test.first + u32::from(lane.numbers[row] * lane.sign >= test.cut)
    }

    /// Where the rows are after the first levels. There are so few tests in them that each is
    /// asked of every row, which vectors do at once, and the answers on a row's way are chosen:
    /// 10 % off a walk of twelve levels.
    fn below_top(&self, lanes: &[Lane], at: &mut [u32; BLOCK]) {
        let mut holds = [[0u8; BLOCK]; TOP];
        for (test, holds) in self.top.iter().zip(&mut holds) {
            let (Lane { numbers, sign }, cut) = (&lanes[test.lane as usize], test.cut);
            // Numbers turned round compare as the cut turned round.
            match *sign > 0.0 {
                true => ask(numbers, holds, |x| x >= cut),
                false => ask(numbers, holds, |x| x <= -cut),
            }
        }
        let [root, left, right, far_left, mid_left, mid_right, far_right] = &holds;
        let choose = |which: u8, no: u8, yes: u8| (no & !which) | (yes & which);
        let mut ways = [0u8; BLOCK];
        for (row, way) in ways.iter_mut().enumerate() {
            let first = root[row];
            let second = choose(first, left[row], right[row]);
            let no = choose(second, far_left[row], mid_left[row]);
            let yes = choose(second, mid_right[row], far_right[row]);
            *way = (first & 4) | (second & 2) | (choose(first, no, yes) & 1);
        }
        for (at, way) in at.iter_mut().zip(ways) {
            *at = self.below_top[usize::from(way)];
        }
    }
}

/// Whether a test holds in each row of a block: 255 where it does.
fn ask(numbers: &[f64; BLOCK], holds: &mut [u8; BLOCK], test: impl Fn(f64) -> bool) {
    let (numbers, _) = numbers.as_chunks::<VECTOR>();
    let (holds, _) = holds.as_chunks_mut::<VECTOR>();
    for (holds, numbers) in holds.iter_mut().zip(numbers) {
        // Narrowed step by step, as vectors are; at once it takes 2.7 times as long.
        let whole: [i32; VECTOR] = from_fn(|row| -i32::from(test(numbers[row])));
        *holds = whole.map(|x| x as i16).map(|x| x as u8);
    }
}
