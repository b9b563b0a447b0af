//! Where rows end, held to a walk by values that knows nothing of keys, codes or places.

use gaintree::engine::dtype::{DType, Kind, TimeUnit, Value};
use gaintree::engine::{Split, Test};
use gaintree::{Missing, Tree, TreeSpec};
use proptest::prelude::*;

use crate::agreement::{Case, NASTY, cases};
use crate::frames::{Column, Frame, Weighing, frames};
use crate::oracle::{self, order};

// ---- the oracle ----------------------------------------------------------------------------

/// The parts of a row, in order of their nodes, and whether it met an absent level.
pub fn slow_parts(frame: &Frame, tree: &Tree, row: usize) -> (Vec<(u32, f64)>, bool) {
    let (mut parts, mut absent) = (Vec::new(), false);
    follow(frame, tree, row, 0, 1.0, &mut parts, &mut absent);
    parts.sort_by_key(|(node, _)| *node);
    (parts, absent)
}

fn follow(
    frame: &Frame,
    tree: &Tree,
    row: usize,
    node: u32,
    share: f64,
    parts: &mut Vec<(u32, f64)>,
    absent: &mut bool,
) {
    let Some(split) = &tree.node_slice()[node as usize].split else {
        return parts.push((node, share));
    };
    let mut go = |to: u32, share: f64| follow(frame, tree, row, to, share, parts, absent);
    let (next, is_absent) = next(frame, tree, row, split);
    match next {
        Next::Branch(branch) => go(split.branches[branch], share),
        Next::Every => {
            let weight: f64 = split.branches.iter().map(|&branch| tree.weight(branch)).sum();
            for &branch in &split.branches {
                go(branch, share * (tree.weight(branch) / weight));
            }
        }
        Next::Stop => parts.push((node, share)),
    }
    *absent |= is_absent;
}

/// Where a row goes from a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Next {
    Branch(usize),
    /// Down every branch, in shares.
    Every,
    Stop,
}

/// Where a row goes by a split, and whether its level is absent from the node.
pub fn next(frame: &Frame, tree: &Tree, row: usize, split: &Split) -> (Next, bool) {
    let feature = &tree.schema().features[split.rule.feature as usize];
    let column = frame.columns.iter().find(|c| c.name == feature.name).expect("a column");
    let branch = |places: &[u32]| {
        let text = oracle::text(&column.dtype, column.known(row)?).into_owned();
        places.iter().position(|&place| feature.levels[place as usize] == text)
    };
    let known = column.known(row);
    let mut absent = false;
    let branch = match &split.rule.test {
        Test::IsMissing => Some(usize::from(known.is_none())),
        _ if known.is_none() => None,
        Test::AtLeast(cut) => {
            known.map(|value| usize::from(order(column, value, cut) != std::cmp::Ordering::Less))
        }
        Test::Equals(level) => {
            absent = branch(&(0..feature.levels.len() as u32).collect::<Vec<_>>()).is_none();
            Some(usize::from(branch(&[*level]).is_some()))
        }
        Test::In { right, left } => {
            let known = (branch(right).is_some(), branch(left).is_some());
            absent = known == (false, false);
            (known != (false, false)).then_some(usize::from(known.0))
        }
        Test::Each(levels) => match branch(levels) {
            Some(branch) => Some(branch),
            None => return (Next::Stop, true),
        },
    };
    let next = match (branch, split.rule.missing_to) {
        (Some(branch), _) => Next::Branch(branch),
        (None, _) if tree.spec().missing == Missing::Fractional => Next::Every,
        (None, Some(branch)) => Next::Branch(branch as usize),
        (None, None) => Next::Stop,
    };
    (next, absent)
}

/// What a row is answered.
pub struct Answer {
    pub leaf: u32,
    /// 0 where the target is a number.
    pub class: usize,
    /// None where the target is a number.
    pub probabilities: Vec<f64>,
    pub mean: Option<f64>,
    pub parts: Vec<(u32, f64)>,
    pub absent: bool,
}

/// The answer to each row of a frame.
pub fn answers(frame: &Frame, tree: &Tree) -> Vec<Answer> {
    let answer = |row| {
        let (parts, absent) = slow_parts(frame, tree, row);
        let largest = parts.iter().map(|p| p.1).fold(0.0, f64::max);
        let leaf = parts.iter().find(|p| p.1 == largest).expect("a part").0;
        let of = |class| parts.iter().map(|&(n, s)| s * tree.probability(n, class)).sum::<f64>();
        let probabilities: Vec<f64> = (0..tree.schema().classes.len()).map(of).collect();
        let best = probabilities.iter().copied().fold(0.0, f64::max);
        let class = probabilities.iter().position(|&share| share == best).unwrap_or(0);
        let mean = parts.iter().map(|&(n, s)| Some(s * tree.mean(n)?)).sum();
        Answer { leaf, class, probabilities, mean, parts, absent }
    };
    (0..frame.n_rows()).map(answer).collect()
}

/// Every row of the frame ends where the oracle says, and is answered as its parts say.
pub fn check(frame: &Frame, tree: &Tree) -> Result<(), TestCaseError> {
    let routes = frame.routes(tree);
    let (classes, means) = (tree.classes(&routes), tree.means(&routes));
    let n_classes = tree.schema().classes.len();
    let probabilities: Vec<_> = (0..n_classes).map(|c| tree.probabilities(&routes, c)).collect();
    let mixed: std::collections::HashMap<u32, Vec<(u32, f64)>> = routes
        .mixtures
        .iter()
        .map(|(row, parts)| (row, parts.iter().map(|part| (part.node, part.share)).collect()))
        .collect();
    let expected = answers(frame, tree);
    for (row, answer) in expected.iter().enumerate() {
        let parts = &answer.parts;
        prop_assert!((parts.iter().map(|p| p.1).sum::<f64>() - 1.0).abs() < 1e-9);
        prop_assert_eq!(routes.nodes[row], answer.leaf, "row {}", row);
        prop_assert_eq!(mixed.get(&(row as u32)), (parts.len() > 1).then_some(parts));
        if let Some(mean) = answer.mean {
            prop_assert_eq!(means[row], mean);
            continue;
        }
        prop_assert_eq!(classes[row] as usize, answer.class);
        for (class, share) in answer.probabilities.iter().enumerate() {
            prop_assert_eq!(probabilities[class][row], *share);
        }
    }
    let absent_levels = expected.iter().filter(|answer| answer.absent).count();
    prop_assert_eq!(routes.absent_levels, absent_levels as u64);
    Ok(())
}

// ---- by hand -------------------------------------------------------------------------------

/// Quinlan's weather with the outlook of a row unknown: a third of sunny's rows and so on.
#[test]
fn an_unknown_outlook_mixes_its_branches() {
    let outlook = ["sunny", "sunny", "sunny", "overcast", "rainy", "rainy"];
    let windy = ["yes", "no", "no", "no", "no", "yes"];
    let frame = Frame::new(
        vec![Column::texts("outlook", outlook), Column::texts("windy", windy)],
        Column::texts("play", ["no", "no", "no", "yes", "yes", "no"]),
    );
    let tree = frame.grow(&TreeSpec::id3().missing(Missing::Fractional)).expect("grows");
    let unknown = |text: Option<&str>| {
        vec![
            Column::new("outlook", DType::String, [None]),
            Column::new("windy", DType::String, [text.map(|t| Value::Text(t.to_string()))]),
        ]
    };
    let answer = |windy: Option<&str>| {
        let routes = Frame::new(unknown(windy), Column::texts("play", ["no"])).routes(&tree);
        (tree.classes(&routes)[0], tree.probabilities(&routes, 0)[0], routes.nodes[0])
    };
    // sunny is no; overcast yes; rainy goes by the wind.
    let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
    let (class, no, leaf) = answer(Some("yes"));
    assert!(class == 0 && near(no, 5.0 / 6.0), "{no}");
    // The leaf of sunny has the largest share.
    assert_eq!(tree.class_counts(leaf), [3.0, 0.0]);
    let (class, no, _) = answer(Some("no"));
    assert!(class == 0 && near(no, 0.5), "{no}: the lower class of equals");
    let (_, no, _) = answer(None);
    assert!(near(no, 3.0 / 6.0 + 2.0 / 6.0 * 0.5), "{no}");
    assert_eq!(frame.columns[0].kind, Kind::Nominal);
}

// ---- other dtypes --------------------------------------------------------------------------

/// Numbers compare as numbers and instants as instants, whatever their dtypes: nothing is rounded
/// to the other side of a cut.
#[test]
fn values_of_other_dtypes_compare_exactly() {
    let decimal = |scale| DType::Decimal { precision: 20, scale };
    let time = |unit, zone: Option<&str>| DType::Datetime { unit, zone: zone.map(str::to_string) };
    let (ns, us, ms) = (TimeUnit::Nanoseconds, TimeUnit::Microseconds, TimeUnit::Milliseconds);
    let ints = |values: &[i128]| values.iter().map(|&x| Value::Int(x)).collect::<Vec<_>>();
    let floats = |values: &[f64]| values.iter().map(|&x| Value::Float(x)).collect::<Vec<_>>();
    let large = 1i128 << 53;
    // The dtype and the levels of the classes a and b, then a dtype and its values of each class.
    let cases = [
        (DType::I64, ints(&[-4, -3]), DType::F64, floats(&[-3.7, -3.0, -4.0, 1e300])),
        (DType::I64, ints(&[3, 4]), decimal(1), ints(&[39, 40])),
        (DType::U8, ints(&[3, 4]), DType::F32, floats(&[f64::NEG_INFINITY, f64::INFINITY])),
        (
            DType::I64,
            ints(&[large, large + 1]),
            DType::F64,
            floats(&[2f64.powi(53), 2f64.powi(53) + 2.0]),
        ),
        (
            DType::I64,
            ints(&[large, large + 1]),
            decimal(1),
            ints(&[10 * large + 9, 10 * large + 10]),
        ),
        (
            DType::F64,
            floats(&[2f64.powi(53) + 2.0, 2f64.powi(53) + 4.0]),
            DType::I64,
            ints(&[large + 3, large + 4]),
        ),
        (
            DType::F64,
            floats(&[0.5, 1.0]),
            decimal(20),
            ints(&[75 * 10i128.pow(18) - 1, 75 * 10i128.pow(18)]),
        ),
        (DType::F32, floats(&[0.5, 1.0]), DType::F64, floats(&[0.75f64.next_down(), 0.75])),
        (decimal(2), ints(&[100, 101]), decimal(3), ints(&[1009, 1010])),
        (decimal(2), ints(&[100, 101]), decimal(0), ints(&[1, 2])),
        // The float that prints as 1.01 is above it, and that of 1.1 too.
        (decimal(2), ints(&[100, 101]), DType::F64, floats(&[1.01f64.next_down(), 1.01])),
        (time(us, None), ints(&[1_000, 1_001]), time(ns, None), ints(&[1_000_999, 1_001_000])),
        (
            time(us, Some("UTC")),
            ints(&[999, 1_000]),
            time(ms, Some("Europe/Berlin")),
            ints(&[0, 1]),
        ),
        (
            DType::Duration { unit: ns },
            ints(&[999, 1_000]),
            DType::Duration { unit: us },
            ints(&[0, 1]),
        ),
    ];
    for (dtype, levels, other, values) in cases {
        let cells = |values: &[Value]| values.iter().cloned().map(Some).collect::<Vec<_>>();
        let x =
            |dtype: &DType, values: &[Value]| vec![Column::new("x", dtype.clone(), cells(values))];
        let y =
            |n: usize| Column::texts("y", (0..n).map(|row| if row % 2 == 0 { "a" } else { "b" }));
        let tree = Frame::new(x(&dtype, &levels), y(2)).grow(&TreeSpec::cart()).expect("grows");
        let rows = Frame::new(x(&other, &values), y(values.len()));
        let classes = tree.classes(&rows.routes(&tree));
        let expected: Vec<u32> = (0..values.len() as u32).map(|row| row % 2).collect();
        assert_eq!(classes, expected, "{dtype} {levels:?} {other} {values:?}");
    }
}

#[test]
fn levels_of_other_dtypes_match_by_value() {
    let ints = |values: &[i128]| values.iter().map(|&x| Some(Value::Int(x))).collect::<Vec<_>>();
    let nominal = |dtype, cells: Vec<Option<Value>>| Column {
        kind: Kind::Nominal,
        ..Column::new("x", dtype, cells)
    };
    let y = || Column::texts("y", ["a", "b", "c", "a"]);
    let frame = Frame::new(vec![nominal(DType::I64, ints(&[-1, 0, 7, -1]))], y());
    let tree = frame.grow(&TreeSpec::id3()).expect("grows");
    let decimal = DType::Decimal { precision: 9, scale: 1 };
    let floats = [-1.0, -0.0, 7.0, 6.5].map(|x| Some(Value::Float(x))).to_vec();
    for (dtype, cells) in [(DType::F64, floats), (decimal, ints(&[-10, 0, 70, 65]))] {
        let routes = Frame::new(vec![nominal(dtype, cells)], y()).routes(&tree);
        // What is no level stops at the root, whose majority is a.
        assert_eq!((tree.classes(&routes), routes.absent_levels), (vec![0, 1, 2, 0], 1));
    }
}

// ---- where rows stand ----------------------------------------------------------------------

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// Rows are walked in blocks and read in stretches of some thousands; what a row is
    /// answered does not depend on where in them it stands.
    #[test]
    fn a_row_ends_alike_wherever_it_stands(case in cases(frames(Weighing::Exact), &NASTY), n_more in 0..200usize) {
        let Some(Case { tree, rows }) = case else { return Ok(()) };
        let n = rows.n_rows();
        let places: Vec<usize> = (0..4_000 + n_more).map(|row| row * 7 % n).collect();
        let (few, many) = (rows.routes(&tree), rows.take(&places).routes(&tree));
        for (row, &place) in places.iter().enumerate() {
            prop_assert_eq!(many.nodes[row], few.nodes[place], "row {}", row);
        }
    }
}

/// Whether its numbers are read where they lie or by way of its values.
#[test]
fn a_column_with_other_rows_than_the_table_is_refused() {
    let n = 6;
    let numbers = (0..n).map(|x| x as f64);
    let codes = (0..n).map(|x| Some(Value::Int(x as i128)));
    for column in [Column::floats("x", numbers), Column::new("x", DType::I32, codes)] {
        let y = Column::texts("y", ["no", "no", "no", "yes", "yes", "yes"]);
        let tree = Frame::new(vec![column.clone()], y).grow(&TreeSpec::cart()).expect("grows");
        for n_rows in [0, n - 1, n + 1, 10_000] {
            let error = tree.route(n_rows, |_| Ok(Some(column.clone())), &[]).unwrap_err();
            let said = format!(
                "column `x` ({}) has {n} rows, but the table {n_rows}: they must be of one table",
                column.dtype
            );
            assert_eq!(error.to_string(), said);
        }
        assert_eq!(
            tree.route(n, |_| Ok(Some(column.clone())), &[]).expect("routes").nodes.len(),
            n
        );
    }
}
