//! Where rows end, held to a walk by values that knows nothing of keys, codes or places.

use gaintree::dtype::{DType, Kind, Value};
use gaintree::{Missing, Routes, Test, Tree, TreeSpec};
use proptest::prelude::*;

use crate::frames::{Column, Frame, Weighing, frames};
use crate::growth::ways;
use crate::oracle::{self, order};

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

pub fn routes(frame: &Frame, tree: &Tree) -> Routes {
    let column = |name: &str| Ok(frame.columns.iter().find(|c| c.name == name).cloned());
    tree.route(frame.n_rows(), column, &[]).expect("routes")
}

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
    let feature = &tree.schema().features[split.rule.feature as usize];
    let column = frame.columns.iter().find(|c| c.name == feature.name).expect("a column");
    let branch = |places: &[u32]| {
        let text = oracle::text(&column.dtype, column.known(row)?).into_owned();
        places.iter().position(|&place| feature.levels[place as usize] == text)
    };
    let known = column.known(row);
    let branch = match &split.rule.test {
        Test::IsMissing => Some(usize::from(known.is_none())),
        _ if known.is_none() => None,
        Test::AtLeast(cut) => {
            known.map(|value| usize::from(order(column, value, cut) != std::cmp::Ordering::Less))
        }
        Test::Equals(level) => {
            *absent |= branch(&(0..feature.levels.len() as u32).collect::<Vec<_>>()).is_none();
            Some(usize::from(branch(&[*level]).is_some()))
        }
        Test::In { right, left } => {
            let known = (branch(right).is_some(), branch(left).is_some());
            *absent |= known == (false, false);
            (known != (false, false)).then_some(usize::from(known.0))
        }
        Test::Each(levels) => match branch(levels) {
            Some(branch) => Some(branch),
            None => {
                *absent = true;
                return parts.push((node, share));
            }
        },
    };
    let mut go = |to: u32, share: f64| follow(frame, tree, row, to, share, parts, absent);
    match branch {
        Some(branch) => go(split.branches[branch], share),
        None if tree.spec().missing == Missing::Fractional => {
            let weight: f64 = split.branches.iter().map(|&branch| tree.weight(branch)).sum();
            for &branch in &split.branches {
                go(branch, share * (tree.weight(branch) / weight));
            }
        }
        None => match split.rule.missing_to {
            Some(branch) => go(split.branches[branch as usize], share),
            None => parts.push((node, share)),
        },
    }
}

/// Every row of the frame ends where the oracle says, and is answered as its parts say.
pub fn check(frame: &Frame, tree: &Tree) -> Result<(), TestCaseError> {
    let routes = routes(frame, tree);
    let (classes, means) = (routes.classes(tree), routes.means(tree));
    let n_classes = tree.schema().classes.len();
    let probabilities: Vec<_> = (0..n_classes).map(|c| routes.probabilities(tree, c)).collect();
    let mixed: std::collections::HashMap<u32, Vec<(u32, f64)>> = routes
        .mixtures
        .iter()
        .map(|(row, parts)| (row, parts.iter().map(|part| (part.node, part.share)).collect()))
        .collect();
    let mut absent_levels = 0;
    for row in 0..frame.n_rows() {
        let (parts, absent) = slow_parts(frame, tree, row);
        absent_levels += u64::from(absent);
        prop_assert!((parts.iter().map(|p| p.1).sum::<f64>() - 1.0).abs() < 1e-9);
        let largest = parts.iter().map(|p| p.1).fold(0.0, f64::max);
        let leaf = parts.iter().find(|p| p.1 == largest).expect("a part").0;
        prop_assert_eq!(routes.nodes[row], leaf, "row {}", row);
        prop_assert_eq!(mixed.get(&(row as u32)), (parts.len() > 1).then_some(&parts));
        if tree.is_regression() {
            let mean: f64 = parts.iter().map(|&(n, s)| s * tree.mean(n).expect("a mean")).sum();
            prop_assert_eq!(means[row], mean);
            continue;
        }
        let of = |class| parts.iter().map(|&(n, s)| s * tree.probability(n, class)).sum::<f64>();
        let shares: Vec<f64> = (0..n_classes).map(of).collect();
        let best = shares.iter().copied().fold(0.0, f64::max);
        let class = shares.iter().position(|&share| share == best).expect("a class");
        prop_assert_eq!(classes[row] as usize, class);
        for (class, share) in shares.into_iter().enumerate() {
            prop_assert_eq!(probabilities[class][row], share);
        }
    }
    prop_assert_eq!(routes.absent_levels, absent_levels);
    Ok(())
}

// ---- the law -------------------------------------------------------------------------------

/// A frame to fit and one of the same columns to score, where values stand that the tree may not
/// have seen.
fn split(frame: &Frame, fitted: usize) -> (Frame, Frame) {
    let rows: Vec<usize> = (0..frame.n_rows()).collect();
    (frame.take(&rows[..fitted]), frame.clone())
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn rows_end_where_the_rules_send_them(
        frame in frames(Weighing::Exact),
        spec in ways(),
        missing in prop::sample::select(vec![Missing::Learn, Missing::Majority, Missing::Fractional]),
        fitted in 0.3..1.0f64,
    ) {
        let fitted = ((frame.n_rows() as f64 * fitted) as usize).max(1);
        let (fitted, scored) = split(&frame, fitted);
        if let Ok(tree) = fitted.grow(&spec.missing(missing)) {
            check(&scored, &tree)?;
        }
    }
}

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
        let routes = routes(&Frame::new(unknown(windy), Column::texts("play", ["no"])), &tree);
        (routes.classes(&tree)[0], routes.probabilities(&tree, 0)[0], routes.nodes[0])
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
