//! Pruning against naive oracles that rate everything anew at each step, and its laws.

use gaintree::engine::dtype::{DType, Value};
use gaintree::engine::{HeldOut, Node, Routes, upper_error_rate};
use gaintree::{ClassWeights, Grouping, Missing, PruneBy, PruneStep, Pruning, Tree, TreeSpec};
use proptest::prelude::*;
use proptest::sample::select;

use crate::frames::{Column, Frame, Weighing, frames, scattered};
use crate::oracle;
use crate::ways::ways;

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

// ---- a tree to cut at, slowly --------------------------------------------------------------

/// A tree and which of its nodes are cut to leaves.
#[derive(Clone)]
struct Cut<'t> {
    tree: &'t Tree,
    leaf: Vec<bool>,
}

impl<'t> Cut<'t> {
    fn new(tree: &'t Tree) -> Self {
        Cut { tree, leaf: tree.node_slice().iter().map(|node| node.split.is_none()).collect() }
    }

    /// The leaves at or below a node.
    fn leaves(&self, node: u32) -> Vec<u32> {
        match &self.tree.node_slice()[node as usize].split {
            Some(split) if !self.leaf[node as usize] => {
                split.branches.iter().flat_map(|&branch| self.leaves(branch)).collect()
            }
            _ => vec![node],
        }
    }

    /// The nodes that are left, in preorder.
    fn left(&self, node: u32) -> Vec<u32> {
        let mut nodes = vec![node];
        if let Some(split) = &self.tree.node_slice()[node as usize].split
            && !self.leaf[node as usize]
        {
            nodes.extend(split.branches.iter().flat_map(|&branch| self.left(branch)));
        }
        nodes
    }

    fn inner(&self) -> Vec<u32> {
        self.left(0).into_iter().filter(|&node| !self.leaf[node as usize]).collect()
    }

    fn cost(&self, node: u32) -> f64 {
        let share = self.tree.weight(node) / self.tree.weight(0);
        share * self.tree.node_slice()[node as usize].impurity
    }

    fn link(&self, node: u32) -> f64 {
        let leaves = self.leaves(node);
        let below: f64 = leaves.iter().map(|&leaf| self.cost(leaf)).sum();
        ((self.cost(node) - below) / (leaves.len() as f64 - 1.0)).max(0.0)
    }

    fn step(&self, alpha: f64) -> PruneStep {
        let leaves = self.leaves(0);
        PruneStep {
            alpha,
            leaves: leaves.len() as u32,
            depth: self
                .left(0)
                .iter()
                .map(|&n| self.tree.node_slice()[n as usize].depth)
                .max()
                .expect("a root"),
            total_impurity: leaves.iter().map(|&leaf| self.cost(leaf)).sum(),
        }
    }

    /// The pruned tree holds the nodes that are left, in order.
    fn check(&self, pruned: &Tree) -> Result<(), TestCaseError> {
        let left = self.left(0);
        prop_assert_eq!(pruned.n_nodes(), left.len());
        let new_id = |old: u32| left.iter().position(|&n| n == old).expect("is left") as u32;
        for (id, &old) in (0u32..).zip(&left) {
            let node = &pruned.node_slice()[id as usize];
            let was = &self.tree.node_slice()[old as usize];
            prop_assert_eq!((node.n, node.depth, node.impurity), (was.n, was.depth, was.impurity));
            prop_assert_eq!(node.parent, was.parent.map(new_id));
            prop_assert_eq!(pruned.class_counts(id), self.tree.class_counts(old));
            prop_assert_eq!(pruned.mean(id), self.tree.mean(old));
            let split = was.split.as_ref().filter(|_| !self.leaf[old as usize]);
            prop_assert_eq!(node.split.is_some(), split.is_some());
            if let (Some(split), Some(was)) = (&node.split, split) {
                prop_assert_eq!(&split.rule, &was.rule);
                let branches: Vec<u32> = was.branches.iter().map(|&b| new_id(b)).collect();
                prop_assert_eq!(&split.branches, &branches);
            }
        }
        // It reads back: preorder, and no level of a feature that no rule uses.
        prop_assert_eq!(&Tree::from_json(&pruned.to_json()).expect("reads"), pruned);
        for (place, feature) in (0u32..).zip(&pruned.schema().features) {
            prop_assert!(pruned.used_features().contains(&place) || feature.levels.is_empty());
        }
        Ok(())
    }
}

/// The sequence by its book: the least link of all, every link equal to it, again.
fn weakest_links(tree: &Tree) -> Vec<(Cut<'_>, PruneStep)> {
    let mut cut = Cut::new(tree);
    let mut sequence: Vec<(Cut, PruneStep)> = Vec::new();
    let mut alpha = 0.0;
    loop {
        let links: Vec<(u32, f64)> =
            cut.inner().into_iter().map(|node| (node, cut.link(node))).collect();
        let weakest = links.iter().map(|link| link.1).fold(f64::INFINITY, f64::min);
        if weakest > alpha + 1e-9 * alpha + 1e-13 {
            sequence.push((cut.clone(), cut.step(alpha)));
            if links.is_empty() {
                return sequence;
            }
            alpha = weakest;
        }
        for (node, link) in links {
            if link <= alpha + 1e-9 * alpha + 1e-13 {
                cut.leaf[node as usize] = true;
            }
        }
    }
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs() + 1e-12
}

fn check_cost_complexity(tree: &Tree) -> Result<(), TestCaseError> {
    let steps = tree.cost_complexity_steps();
    let expected = weakest_links(tree);
    let shapes = |steps: &[PruneStep]| -> Vec<_> {
        steps.iter().map(|s| (s.leaves, s.depth)).collect::<Vec<_>>()
    };
    let of_oracle: Vec<PruneStep> = expected.iter().map(|(_, step)| *step).collect();
    prop_assert_eq!(shapes(&steps), shapes(&of_oracle), "{:?} {:?}", steps, of_oracle);
    prop_assert_eq!(steps[0].alpha, 0.0);
    prop_assert!(steps.is_sorted_by(|a, b| a.alpha < b.alpha && a.leaves > b.leaves));
    prop_assert_eq!(steps.last().expect("a step").leaves, 1);
    for (i, (step, (cut, oracle))) in steps.iter().zip(&expected).enumerate() {
        prop_assert!(near(step.alpha, oracle.alpha), "{} {}", step.alpha, oracle.alpha);
        prop_assert!(near(step.total_impurity, oracle.total_impurity), "{:?} {:?}", step, oracle);
        cut.check(&tree.prune_cost_complexity(step.alpha).expect("prunes"))?;
        // Up to the next alpha nothing changes.
        let next = steps.get(i + 1).map_or(f64::INFINITY, |next| next.alpha);
        let between = if next.is_finite() { (step.alpha + next) / 2.0 } else { next };
        cut.check(&tree.prune_cost_complexity(between).expect("prunes"))?;
        cut.check(&tree.prune_to_leaves(step.leaves).expect("prunes"))?;
        if let Some(next) = steps.get(i + 1) {
            // One leaf fewer than this is the next.
            let fewer = tree.prune_to_leaves(step.leaves - 1).expect("prunes");
            prop_assert_eq!(fewer.n_leaves() as u32, next.leaves);
        }
    }
    Ok(())
}

/// What the rows of a frame are, by the places of the tree's classes.
fn actual(frame: &Frame, tree: &Tree) -> Vec<Option<u32>> {
    tree.actual_classes(&frame.target).expect("classes")
}

/// The path of a row, from the root to where it ends.
fn path(tree: &Tree, end: u32) -> Vec<u32> {
    let mut path = vec![end];
    while let Some(parent) = tree.node_slice()[path[path.len() - 1] as usize].parent {
        path.push(parent);
    }
    path.reverse();
    path
}

/// What the answer of a node loses on a row of a class.
fn loss(tree: &Tree, node: u32, class: Option<u32>, by: PruneBy) -> f64 {
    let p = |c: usize| tree.class_counts(node)[c] / tree.weight(node);
    let is = |c: usize| f64::from(u8::from(class == Some(c as u32)));
    match by {
        PruneBy::ErrorRate => 1.0 - is(tree.majority(node)),
        PruneBy::LogLoss => -class.map_or(0.0, |c| p(c as usize)).max(2f64.powi(-52)).ln(),
        PruneBy::Gini => {
            let unknown = f64::from(u8::from(class.is_none()));
            (0..tree.schema().classes.len()).map(|c| (p(c) - is(c)).powi(2)).sum::<f64>() + unknown
        }
    }
}

/// Reduced error, each candidate rated over all rows again.
fn check_reduced_error(tree: &Tree, held_out: &Frame, by: PruneBy) -> Result<(), TestCaseError> {
    let (routes, classes) = (held_out.routes(tree), actual(held_out, tree));
    // The parts of a row by where they end, and its class.
    let mut parts: Vec<Vec<(u32, f64)>> =
        routes.nodes.iter().map(|&end| vec![(end, 1.0)]).collect();
    for (row, shares) in routes.mixtures.iter() {
        parts[row as usize] = shares.iter().map(|part| (part.node, part.share)).collect();
    }
    let weights = held_out.weights.as_deref();
    let weight_of = |row: usize, class: Option<u32>| {
        let of_class = class.and_then(|c| tree.schema().class_weights.get(c as usize));
        weights.map_or(1.0, |w| w[row]) * of_class.unwrap_or(&1.0)
    };
    let parts = parts.into_iter().zip(&classes).enumerate();
    let parts: Vec<(Vec<u32>, f64, Option<u32>)> = parts
        .flat_map(|(row, (parts, &class))| {
            let weight = weight_of(row, class);
            parts.into_iter().map(move |(end, share)| (end, share * weight, class))
        })
        .map(|(end, weight, class)| (path(tree, end), weight, class))
        .collect();
    let mut cut = Cut::new(tree);
    let errors = |cut: &Cut| -> f64 {
        let losses = parts.iter().map(|(path, weight, class)| {
            let stops = path.iter().find(|&&node| cut.leaf[node as usize]);
            weight * loss(tree, *stops.unwrap_or(&path[path.len() - 1]), *class, by)
        });
        losses.sum()
    };
    for node in (0..tree.n_nodes()).rev() {
        let mut tried = cut.clone();
        tried.leaf[node] = true;
        if errors(&tried) <= errors(&cut) + 1e-9 {
            cut = tried;
        }
    }
    let pruned = tree.prune_reduced_error_of(&routes, HeldOut::Classes(&classes), weights, by);
    cut.check(&pruned.expect("prunes"))
}

/// Errors by which a leaf may exceed its subtree (C4.5 Release 8, `prune.c`).
const ERROR_SLACK: f64 = 0.1;

fn check_pessimistic(tree: &Tree, confidence: f64) -> Result<(), TestCaseError> {
    let mut cut = Cut::new(tree);
    let predicted = |node: u32| {
        let counts = tree.class_counts(node);
        let most = counts.iter().copied().fold(0.0, f64::max);
        let n: f64 = counts.iter().sum();
        n * upper_error_rate(n - most, n, confidence)
    };
    for node in (0..tree.n_nodes() as u32).rev() {
        let grown: f64 = cut.leaves(node).into_iter().map(predicted).sum();
        cut.leaf[node as usize] |= predicted(node) <= grown + ERROR_SLACK;
    }
    cut.check(&tree.prune_pessimistic(confidence).expect("prunes"))
}

/// Each row is counted where the rules of the raised tree send it, and the tree is the oracle's.
fn check_raising(frame: &Frame, spec: TreeSpec, confidence: f64) -> Result<(), TestCaseError> {
    let Ok(grown) = frame.grow(&spec) else { return Ok(()) };
    let pruning = Pruning::Pessimistic { confidence };
    let raised = frame.grow(&spec.pruning(pruning).subtree_raising(true)).expect("grows");
    prop_assert_eq!(oracle::first_misrouted(frame, &raised), None);
    let predicted = |counts: &[f64]| {
        let n: f64 = counts.iter().sum();
        let most = counts.iter().copied().fold(0.0, f64::max);
        if n > 0.0 { n * upper_error_rate(n - most, n, confidence) } else { 0.0 }
    };
    let expected = oracle::raise(frame, &grown, &predicted);
    let (nodes, expected) = (without_gains(oracle::read(&raised)), without_gains(expected));
    for ((node, gain), (expected, of_oracle)) in nodes.iter().zip(&expected) {
        prop_assert_eq!(node, expected);
        prop_assert!((gain - of_oracle).abs() <= 1e-9, "{} {}", gain, of_oracle);
    }
    prop_assert_eq!(nodes.len(), expected.len());
    prop_assert_eq!(&Tree::from_json(&raised.to_json()).expect("reads"), &raised);
    Ok(())
}

/// The branch that a row without a value joins may be behind the new leaf of a level.
#[test]
fn a_new_leaf_moves_no_row_that_joined_a_branch() {
    let frame = Frame {
        columns: vec![
            Column::texts("x0", ["b", "f", "g", "g"]),
            Column::new(
                "x1",
                DType::String,
                [None, Some("q"), Some("r"), Some("s")]
                    .map(|text| text.map(|text| Value::Text(text.to_string()))),
            ),
        ],
        target: Column::texts("y", ["yes", "no", "yes", "no"]),
        weights: Some(vec![2.0, 1.0, 1.0, 1.0]),
    };
    let spec = TreeSpec::cart().grouping(Grouping::Multiway).missing(Missing::Majority);
    check_raising(&frame, spec, 0.25).expect("the oracle's tree");
}

/// The same of a tree of many nodes.
#[test]
fn subtree_raising_of_many_rows_is_the_oracles() {
    let of = |salt: u32, levels: u32| scattered(4000, salt, levels);
    let class = |(x, noise): (u32, u32)| if (x / 125 % 2 == 0) == (noise > 0) { "a" } else { "b" };
    let frame = Frame {
        columns: vec![
            Column::floats("x", of(1, 1000).map(f64::from)),
            Column::ints("few", DType::I64, of(2, 9).map(i128::from)),
            Column::floats("z", of(3, 500).map(f64::from)),
        ],
        target: Column::texts("y", of(1, 1000).zip(of(4, 5)).map(class)),
        weights: None,
    };
    for confidence in [0.25, 0.9] {
        let spec = TreeSpec::cart().min_samples_leaf(4);
        check_raising(&frame, spec, confidence).expect("the oracle's tree");
    }
}

// ---- laws ----------------------------------------------------------------------------------

/// The frame with a number in place of the class.
fn of_numbers(frame: &Frame) -> Frame {
    let mut numeric = frame.clone();
    let labels: Vec<String> = frame.target.cells.iter().map(|cell| format!("{cell:?}")).collect();
    let mut distinct = labels.clone();
    distinct.sort();
    distinct.dedup();
    let number = |(row, label): (usize, &String)| {
        let class = distinct.iter().position(|d| d == label).expect("a class");
        [0.0, 1.5, -4.0, 10.0, 11.0, 30.0][class] + (row * row % 7) as f64 / 16.0
    };
    numeric.target = Column::floats("y", labels.iter().enumerate().map(number));
    numeric
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn cost_complexity_is_the_oracles(frame in frames(Weighing::Whole), spec in ways()) {
        if let Ok(tree) = frame.grow(&spec) {
            check_cost_complexity(&tree)?;
        }
    }

    #[test]
    fn cost_complexity_of_numbers_is_the_oracles(frame in frames(Weighing::Whole)) {
        if let Ok(tree) = of_numbers(&frame).grow(&TreeSpec::cart()) {
            check_cost_complexity(&tree)?;
        }
    }

    #[test]
    fn pessimistic_is_the_oracles(
        frame in frames(Weighing::Exact),
        spec in ways(),
        confidence in select(vec![0.01, 0.25, 0.5, 1.0]),
    ) {
        if let Ok(tree) = frame.grow(&spec) {
            check_pessimistic(&tree, confidence)?;
            // Growth prunes as the method does.
            let pruning = Pruning::Pessimistic { confidence };
            let pruned = frame.grow(&spec.pruning(pruning)).expect("grows");
            let by_method = tree.prune_pessimistic(confidence).expect("prunes");
            prop_assert_eq!(pruned.node_slice(), by_method.node_slice());
        }
    }

    #[test]
    fn subtree_raising_is_the_oracles(
        frame in frames(Weighing::Whole),
        spec in ways(),
        confidence in select(vec![0.01, 0.25, 0.5, 1.0]),
    ) {
        check_raising(&frame, spec, confidence)?;
    }

    /// Trained on some rows, pruned by the others: among them levels and classes never seen.
    #[test]
    fn reduced_error_is_the_oracles(
        frame in frames(Weighing::Whole),
        spec in ways(),
        cut in 2..5usize,
        balanced in any::<bool>(),
        by in select(vec![PruneBy::ErrorRate, PruneBy::LogLoss, PruneBy::Gini]),
    ) {
        let of_classes = if balanced { ClassWeights::Balanced } else { ClassWeights::Equal };
        let spec = spec.class_weights(of_classes);
        let part = |held_out: bool| -> Vec<usize> {
            (0..frame.n_rows()).filter(|row| (row % cut == 0) == held_out).collect()
        };
        if let Ok(tree) = frame.take(&part(false)).grow(&spec) {
            check_reduced_error(&tree, &frame.take(&part(true)), by)?;
            check_reduced_error(&tree, &frame.take(&[]), by)?;
        }
    }

    /// Whatever the weights: alpha 0 cuts only what gains nothing.
    #[test]
    fn alpha_0_changes_no_answer(
        frame in prop_oneof![frames(Weighing::Exact), frames(Weighing::Fractions)],
        spec in ways(),
    ) {
        let Ok(tree) = frame.grow(&spec) else { return Ok(()) };
        let pruned = tree.prune_cost_complexity(0.0).expect("prunes");
        prop_assert!(pruned.n_leaves() <= tree.n_leaves());
        let (before, after) = (frame.routes(&tree), frame.routes(&pruned));
        if spec.missing == Missing::Fractional {
            // Shares are rounded to parts of the whole weight, so that answers move by a small
            // part of it, and a tie may fall to either side.
            let weights = frame.weights.clone().unwrap_or_else(|| vec![1.0; frame.n_rows()]);
            for class in 0..tree.schema().classes.len() {
                let (before, after) =
                    (tree.probabilities(&before, class), pruned.probabilities(&after, class));
                let moved = before.iter().zip(after).zip(&weights);
                let moved: f64 = moved.map(|((a, b), w)| (a - b).abs() * w).sum();
                prop_assert!(moved <= 1e-5 * weights.iter().sum::<f64>(), "{}", moved);
            }
            return Ok(());
        }
        prop_assert_eq!(tree.classes(&before), pruned.classes(&after));
        // Where every split gains something nothing goes.
        let gains = |node: &Node| node.split.as_ref().is_none_or(|split| split.gain > 0.0);
        if tree.node_slice().iter().all(gains) && spec.missing != Missing::Majority {
            prop_assert_eq!(&pruned, &tree);
        }
    }
}

/// Nodes and the gain of each, which floats round by the way they were added up.
fn without_gains(nodes: Vec<oracle::Node>) -> Vec<(oracle::Node, f64)> {
    let apart = |mut node: oracle::Node| {
        let gain = node.split.as_mut().map(|split| std::mem::take(&mut split.gain));
        (node, gain.unwrap_or(0.0))
    };
    nodes.into_iter().map(apart).collect()
}

// ---- by hand -------------------------------------------------------------------------------

/// Exclusive-or gains nothing at its top and all below it.
#[test]
fn exclusive_or_stays_and_noise_goes() {
    let floats = |name: &str, x: [f64; 8]| Column::floats(name, x);
    let frame = |y: [i128; 8]| {
        Frame::new(
            vec![
                floats("a", [0., 0., 1., 1., 0., 0., 1., 1.]),
                floats("b", [0., 1., 0., 1., 0., 1., 0., 1.]),
            ],
            Column::ints("y", DType::I64, y),
        )
    };
    let xor = frame([0, 1, 1, 0, 0, 1, 1, 0]).grow(&TreeSpec::cart()).expect("grows");
    assert_eq!(
        (xor.n_leaves(), xor.node_slice()[0].split.as_ref().map(|s| s.gain)),
        (4, Some(0.0))
    );
    assert_eq!(xor.prune_cost_complexity(0.0).expect("prunes"), xor);
    let steps = xor.cost_complexity_steps();
    assert_eq!(
        steps,
        [
            PruneStep { alpha: 0.0, leaves: 4, depth: 2, total_impurity: 0.0 },
            // All of the impurity, for three leaves: the links below are a quarter each.
            PruneStep { alpha: 0.5 / 3.0, leaves: 1, depth: 0, total_impurity: 0.5 },
        ]
    );
    // Each pair of values has one row of either class.
    let noise = frame([0, 0, 0, 0, 1, 1, 1, 1]).grow(&TreeSpec::cart()).expect("grows");
    assert!(noise.n_leaves() > 1);
    assert_eq!(noise.prune_cost_complexity(0.0).expect("prunes").n_nodes(), 1);
}

/// The tree, its answers and rows:
///
/// ```text
/// x >= 2 ── no:  x >= 1 ── no:  0 (4 : 0)
///        │              └─ yes: 0 (2 : 1)
///        └─ yes: 1 (1 : 6)
/// ```
fn small() -> (Frame, Tree) {
    let rows = [(0.0, 0, 4), (1.0, 0, 2), (1.0, 1, 1), (2.0, 0, 1), (2.0, 1, 6)];
    let all: Vec<(f64, i128)> =
        rows.iter().flat_map(|&(x, y, n)| std::iter::repeat_n((x, y), n)).collect();
    let x = Column::floats("x", all.iter().map(|row| row.0));
    let frame = Frame::new(vec![x], Column::ints("y", DType::I64, all.iter().map(|row| row.1)));
    let tree = frame.grow(&TreeSpec::cart()).expect("grows");
    assert_eq!(tree.n_nodes(), 5);
    (frame, tree)
}

#[test]
fn pessimistic_by_hand() {
    let (_, tree) = small();
    // As leaves: 4 U(0, 4) = 1.172, 3 U(1, 3) = 2.021, and above them 7 U(1, 7) = 2.385 of 3.193.
    let digits = |errors, n| format!("{:.3}", n * upper_error_rate(errors, n, 0.25));
    assert_eq!([digits(0.0, 4.0), digits(1.0, 3.0), digits(1.0, 7.0)], ["1.172", "2.021", "2.385"]);
    // The root as a leaf has 7 of 14 wrong, far above 2.385 twice.
    let pruned = tree.prune_pessimistic(0.25).expect("prunes");
    assert_eq!((pruned.n_nodes(), pruned.class_counts(1)), (3, &[6.0, 1.0][..]));
}

#[test]
fn reduced_error_by_hand() {
    let (_, tree) = small();
    let held_out = |x: &[f64], y: &[i128]| {
        Frame::new(
            vec![Column::floats("x", x.iter().copied())],
            Column::ints("y", DType::I64, y.iter().copied()),
        )
    };
    let pruned = |x: &[f64], y: &[i128]| {
        let rows = held_out(x, y);
        let classes = actual(&rows, &tree);
        let routes = rows.routes(&tree);
        tree.prune_reduced_error_of(&routes, HeldOut::Classes(&classes), None, PruneBy::ErrorRate)
            .expect("prunes")
            .n_nodes()
    };
    // The lower split answers 0 on both sides, so it saves nothing; the upper one saves a row.
    assert_eq!(pruned(&[0.0, 2.0], &[0, 1]), 3);
    // Here it costs one; with no rows at all nothing is saved.
    assert_eq!(pruned(&[0.0, 2.0, 2.0], &[0, 0, 0]), 1);
    assert_eq!(pruned(&[], &[]), 1);
    // A class never trained is wrong everywhere.
    assert_eq!(pruned(&[0.0, 2.0], &[7, 7]), 1);
}

#[test]
fn reduced_error_of_numbers() {
    let x = || Column::floats("x", [0., 1., 2., 3.]);
    let frame = Frame::new(vec![x()], Column::floats("y", [0.0, 1.0, 10.0, 11.0]));
    let tree = frame.grow(&TreeSpec::cart()).expect("grows");
    assert_eq!(tree.n_leaves(), 4);
    let pruned = |y: [f64; 4]| {
        let routes = frame.routes(&tree);
        tree.prune_reduced_error_of(&routes, HeldOut::Numbers(&y), None, PruneBy::ErrorRate)
            .expect("prunes")
            .n_leaves()
    };
    assert_eq!(pruned([0.0, 1.0, 10.0, 11.0]), 4);
    // The halves hold, what is in them does not: the mean of a half is as near.
    assert_eq!(pruned([0.5, 0.5, 10.5, 10.5]), 2);
    assert_eq!(pruned([5.5, 5.5, 5.5, 5.5]), 1);
    assert_eq!(pruned([0.5, 0.5, 10.0, 11.0]), 3);
}

#[test]
fn figures_out_of_range_are_refused() {
    let (frame, tree) = small();
    let refused = |result: gaintree::Result<Tree>, what: &str| {
        let e = result.expect_err("refused");
        assert!(e.is_spec() && e.to_string().contains(what), "{e}");
    };
    for alpha in [-1.0, f64::NAN, f64::NEG_INFINITY] {
        refused(tree.prune_cost_complexity(alpha), "alpha");
    }
    refused(tree.prune_to_leaves(0), "0 leaves");
    for confidence in [0.0, -0.1, 1.1, f64::NAN] {
        refused(tree.prune_pessimistic(confidence), "confidence");
        let spec = TreeSpec::c45().pruning(Pruning::Pessimistic { confidence });
        refused(frame.grow(&spec), "confidence");
    }
    let spec = TreeSpec::cart().pruning(Pruning::CostComplexity { alpha: f64::INFINITY });
    refused(frame.grow(&spec), "alpha");
    refused(frame.grow(&TreeSpec::cart().pruning(Pruning::Leaves { at_most: 0 })), "0 leaves");
    let at = |node: u32| Routes::from(vec![node]);
    refused(
        tree.prune_reduced_error_of(&at(0), HeldOut::Classes(&[]), None, PruneBy::ErrorRate),
        "one node a row",
    );
    refused(
        tree.prune_reduced_error_of(&at(9), HeldOut::Classes(&[None]), None, PruneBy::ErrorRate),
        "node 9",
    );
    refused(
        tree.prune_reduced_error_of(&at(0), HeldOut::Classes(&[Some(2)]), None, PruneBy::ErrorRate),
        "class 2",
    );
    refused(
        tree.prune_reduced_error_of(&at(0), HeldOut::Classes(&[Some(9)]), None, PruneBy::ErrorRate),
        "class 9",
    );
    refused(
        tree.prune_reduced_error_of(&at(0), HeldOut::Numbers(&[1.0]), None, PruneBy::ErrorRate),
        "numbers",
    );
    let one = HeldOut::Classes(&[Some(0)]);
    refused(
        tree.prune_reduced_error_of(&at(0), one, Some(&[1.0, 1.0]), PruneBy::Gini),
        "2 weights of 1",
    );

    let numbers = of_numbers(&frame).grow(&TreeSpec::c45()).expect("grows");
    assert_eq!(numbers.spec().pruning, Pruning::None);
    refused(numbers.prune_pessimistic(0.25), "number");
}

#[test]
fn specs_prune_as_methods_do() {
    let (frame, tree) = small();
    for (pruning, pruned) in [
        (Pruning::None, Ok(tree.clone())),
        (Pruning::CostComplexity { alpha: 0.1 }, tree.prune_cost_complexity(0.1)),
        (Pruning::Leaves { at_most: 2 }, tree.prune_to_leaves(2)),
        (Pruning::Pessimistic { confidence: 0.25 }, tree.prune_pessimistic(0.25)),
    ] {
        let grown = frame.grow(&TreeSpec::cart().pruning(pruning)).expect("grows");
        assert_eq!(grown.node_slice(), pruned.expect("prunes").node_slice());
        assert_eq!(grown.spec().pruning, pruning);
        assert_eq!(Tree::from_json(&grown.to_json()).expect("reads"), grown);
    }
}

// ---- depth ---------------------------------------------------------------------------------

/// A chain of `depth` inner nodes, each of one leaf and the rest, as a model file's nodes.
pub fn chain(depth: usize, counts: impl Fn(usize) -> ([u64; 2], [u64; 2])) -> Tree {
    // The tree of one split lends its header.
    let x = Column::floats("x", [0.0, 1.0]);
    let frame = Frame::new(vec![x], Column::ints("y", DType::I64, [0, 1]));
    let text = frame.grow(&TreeSpec::cart()).expect("grows").to_json();
    let (header, _) = text.split_once("\"nodes\"").expect("has nodes");
    let gini = |[a, b]: [u64; 2]| {
        let n = (a + b) as f64;
        1.0 - (a as f64 / n).powi(2) - (b as f64 / n).powi(2)
    };
    let leaf = |c: [u64; 2]| {
        format!("\"n\":{},\"counts\":[{},{}],\"impurity\":{}", c[0] + c[1], c[0], c[1], gini(c))
    };
    let mut nodes = Vec::new();
    for i in 0..depth {
        let id = 2 * i;
        let (rest, side) = counts(i);
        nodes.push(format!(
            "{{{},\"feature\":\"x\",\"op\":\">=\",\"cut\":{i},\"missing_to\":1,\"gain\":0,\
             \"branches\":[{},{}]}}",
            leaf(rest),
            id + 1,
            id + 2
        ));
        nodes.push(format!("{{{}}}", leaf(side)));
    }
    nodes.push(format!("{{{}}}", leaf(counts(depth).0)));
    Tree::from_json(&format!("{header}\"nodes\": [{}]}}", nodes.join(","))).expect("a tree")
}

#[test]
fn a_deep_chain_is_pruned_at_once() {
    const DEPTH: usize = 100_000;
    let alternate = |i: usize| i % 2;
    let mixed = |i: usize| usize::from(i * i % 11 < 4);
    for class in [&alternate as &dyn Fn(usize) -> usize, &mixed] {
        // What is left at each node holds the leaves after it.
        let mut left = vec![[0u64; 2]; DEPTH + 2];
        for i in (0..=DEPTH).rev() {
            left[i] = left[i + 1];
            left[i][class(i)] += 1;
        }
        let side = |i: usize| [[1, 0], [0, 1]][class(i)];
        let tree = chain(DEPTH, |i| (left[i], side(i)));
        assert_eq!(tree.feature_importance()[0].coverage, 1.0);
        let rules = tree.leaf_rules().expect_err("gigabytes").to_string();
        assert!(rules.contains("conditions") && rules.contains("max_depth"), "{rules}");
        assert_eq!(tree.to_text(3).lines().count(), 1 + 7 + 1);
        let steps = tree.cost_complexity_steps();
        assert!(steps.is_sorted_by(|a, b| a.alpha < b.alpha && a.leaves > b.leaves));
        assert_eq!(steps.last().map(|s| (s.leaves, s.depth)), Some((1, 0)));
        let middle = steps[steps.len() / 2];
        let pruned = tree.prune_cost_complexity(middle.alpha).expect("prunes");
        assert_eq!((pruned.n_leaves() as u32, pruned.depth()), (middle.leaves, middle.depth));
        assert!(tree.prune_to_leaves(1000).expect("prunes").n_leaves() <= 1000);
        assert!(tree.prune_pessimistic(0.25).expect("prunes").n_nodes() <= tree.n_nodes());
        let last = tree.n_nodes() as u32 - 1;
        let classes = [Some(0), Some(1)];
        let rows = tree.prune_reduced_error_of(
            &vec![last, 1].into(),
            HeldOut::Classes(&classes),
            None,
            PruneBy::ErrorRate,
        );
        assert!(rows.expect("prunes").n_nodes() <= tree.n_nodes());
    }
}

/// Leaf by leaf, or all at once: every side leaf is one row of a class that gets rarer, or more
/// frequent, on the way down.
#[test]
fn chains_are_cut_as_the_oracle_cuts_them() {
    for rare in [1, 5, 40, 500] {
        let tree = chain(60, |i| ([rare, 61 - i as u64], [0, 1]));
        check_cost_complexity(&tree).expect("the oracle's sequence");
        check_pessimistic(&tree, 0.25).expect("the oracle's tree");
    }
}
