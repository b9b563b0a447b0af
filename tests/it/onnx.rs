//! What ONNX cannot say is said, and with it the way out. What ONNX Runtime answers is asked in
//! `python/tests/test_onnx.py`, and on trees of all sorts by `tests/engines/run`.

use gaintree::engine::dtype::{DType, Kind, TimeUnit, Value};
use gaintree::{ForestSpec, Grouping, Missing, TreeSpec, Voting};

use crate::forests;
use crate::frames::{Column, Frame};

/// The refusal of a tree of one rule on a column.
#[track_caller]
fn refused(column: Column, spec: &TreeSpec) -> String {
    let frame = Frame::new(vec![column], Column::texts("y", ["a", "b"]));
    let error = frame.grow(spec).expect("grows").to_onnx().expect_err("refused");
    assert!(error.is_spec());
    error.to_string()
}

#[track_caller]
fn has(text: &str, words: &[&str]) {
    words.iter().for_each(|word| assert!(text.contains(word), "{word}: {text}"));
}

#[test]
fn each_refusal_names_the_column_and_the_way_out() {
    let cart = TreeSpec::cart();
    let ints = |dtype: DType, values: [i128; 2]| Column::ints("x", dtype, values);
    let limit = 1 << 53;
    let text = refused(ints(DType::I64, [limit, limit + 1]), &cart);
    has(&text, &["`x` (i64)", "cut 9007199254740993", "2^53", "cast it to f64"]);
    let ns = DType::Datetime { unit: TimeUnit::Nanoseconds, zone: None };
    has(&refused(ints(ns, [limit, limit + 1]), &cart), &["`x` (datetime[ns])", "coarser unit"]);
    let nominal = Column { kind: Kind::Nominal, ..ints(DType::I64, [limit, limit + 1]) };
    let each = cart.clone().grouping(Grouping::Multiway);
    has(&refused(nominal, &each), &["`x` (i64)", "level 9007199254740992"]);
    has(&refused(ints(DType::I128, [1, 2]), &cart), &["`x` (i128)", "128 bits", "i64"]);
    let wide = [Value::Unsigned(1), Value::Unsigned(2)].map(Some);
    has(&refused(Column::new("x", DType::U128, wide), &cart), &["`x` (u128)", "128 bits"]);
    let ordered = Column { kind: Kind::Ordered, ..Column::texts("x", ["a", "b"]) };
    has(&refused(ordered, &cart), &["`x` (str)", "nominal", "enum"]);
    let fractional = cart.clone().missing(Missing::Fractional);
    has(&refused(ints(DType::I8, [1, 2]), &fractional), &["fractional", "missing = learn"]);
    let named = |name: &str| refused(Column::floats(name, [1.0, 2.0]), &cart);
    has(&named(""), &["empty"]);
    has(&named("a\0b"), &["NUL", "rename"]);
    has(&named("leaf_id"), &["`leaf_id`", "output", "rename"]);
}

#[test]
fn a_class_beyond_64_bits_is_refused() {
    let target = Column::ints("y", DType::U64, [1, u64::MAX.into()]);
    let frame = Frame::new(vec![Column::floats("x", [1.0, 2.0])], target);
    let error = frame.grow(&TreeSpec::cart()).expect("grows").to_onnx().expect_err("refused");
    has(&error.to_string(), &["`y` (u64)", "18446744073709551615", "cast it to text"]);
}

#[test]
fn votes_are_of_classes() {
    let x = vec![Column::floats("x", [1.0, 2.0, 3.0])];
    let numbers = Frame::new(x, Column::floats("y", [1.0, 2.0, 4.0]));
    let spec = ForestSpec::new(TreeSpec::cart()).trees(2);
    let forest = forests::grow(&numbers, &spec).expect("grows");
    assert!(forest.to_onnx(Voting::Soft).is_ok());
    let error = forest.to_onnx(Voting::Hard).expect_err("refused");
    has(&error.to_string(), &["`y`", "number", "votes"]);
}
