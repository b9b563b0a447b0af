//! Random frames and ways to grow a tree of them, the same on every run: for exports, which are compiled
//! or asked one after the other.

use gaintree::TreeSpec;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::frames::{Frame, Weighing, frames};
use crate::ways::ways;

/// A frame of classes or of numbers, how to grow a tree, and of what share of the rows.
pub fn random_cases() -> impl Iterator<Item = (Frame, TreeSpec, f64)> {
    let mut runner = TestRunner::deterministic();
    let strategy = (frames(Weighing::Exact), ways(), vec(-3..4i8, 200), any::<bool>(), 0.3..1.0f64);
    std::iter::repeat_with(move || {
        let made = strategy.new_tree(&mut runner).expect("a case").current();
        let (frame, spec, numbers, of_numbers, share) = made;
        (if of_numbers { frame.of_numbers(&numbers) } else { frame }, spec, share)
    })
}
