//! Targets of integers that no `f64` holds.

use gaintree::engine::Node;
use gaintree::engine::dtype::{DType, Value};
use gaintree::{Task, TreeSpec};
use proptest::prelude::*;

use crate::frames::{Column, Frame};

/// The gains and impurities of the nodes of a tree of numbers, and its rules.
fn nodes(dtype: DType, targets: impl IntoIterator<Item = i128>) -> Vec<(String, f64, f64)> {
    let value = |y: i128| match dtype {
        DType::U128 => Value::Unsigned(y as u128),
        _ => Value::Int(y),
    };
    let targets: Vec<_> = targets.into_iter().map(|y| Some(value(y))).collect();
    let x = Column::ints("x", DType::I64, 0..targets.len() as i128);
    let frame = Frame::new(vec![x], Column::new("y", dtype, targets));
    let tree = frame.grow(&TreeSpec::cart().task(Task::Regress)).expect("grows");
    let node = |node: &Node| match &node.split {
        Some(split) => (format!("{:?}", split.rule), split.gain, node.impurity),
        None => (String::new(), 0.0, node.impurity),
    };
    tree.node_slice().iter().map(node).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// An offset changes no gain, impurity or rule, however large it is.
    #[test]
    fn an_offset_changes_no_tree(
        targets in prop::collection::vec(0..20i128, 2..40),
        (dtype, offset) in prop::sample::select(vec![
            (DType::I64, 1 << 60),
            (DType::I64, -(1 << 62)),
            (DType::I64, i128::from(i64::MAX) - 20),
            (DType::U64, i128::from(u64::MAX) - 20),
            (DType::U128, 1 << 64),
            (DType::Decimal { precision: 38, scale: 0 }, 10i128.pow(19)),
        ]),
    ) {
        let plain = nodes(DType::I64, targets.iter().copied());
        let moved = nodes(dtype, targets.iter().map(|y| y + offset));
        for (a, b) in plain.iter().zip(&moved) {
            prop_assert!((a.1 - b.1).abs() <= 1e-12 && (a.2 - b.2).abs() <= 1e-12, "{:?} {:?}", a, b);
            // Of two rules of one gain either may win, by the rounding of the last digit.
            if a.0 != b.0 {
                return Ok(());
            }
        }
        prop_assert_eq!(plain.len(), moved.len());
    }
}
