//! A tree of two-way tests on features that are numbers. One way leads to each node.
//!
//! Missing is NaN, and each test says whether it holds for NaN. A rule that sends missing values
//! where none of its other values go begins with a test against `-∞`, which holds for all numbers.
//! A rule with a branch per level is a binary search among its levels.

use crate::data::dtype::Value;
use crate::error::Result;
use crate::export::Next;
use crate::tree::missing::NextNode;
use crate::tree::rule::Test;
use crate::tree::{Split, TreeData};

pub(super) struct BinaryTree {
    /// Each after the one that leads to it.
    pub(super) tests: Vec<BinaryTest>,
    /// Where all rows begin.
    pub(super) root: Next,
    /// The node of the tree that gives each answer: rows end there.
    pub(super) answers: Vec<u32>,
    /// Most tests on the way to an answer.
    pub(super) depth: u32,
}

pub(super) struct BinaryTest {
    /// The feature's index in the schema.
    pub(super) feature: u32,
    pub(super) condition: NumberCondition,
    /// Whether it holds for NaN.
    pub(super) holds_for_missing: bool,
    /// Where rows go if the test does not hold, and if it does.
    pub(super) next: [Next; 2],
}

pub(super) enum NumberCondition {
    AtLeast(f64),
    /// No number is NaN.
    Equals(f64),
    /// Whether it is one of these; there are at least two.
    In(Vec<f64>),
}

impl NumberCondition {
    fn one_of(numbers: Vec<f64>) -> NumberCondition {
        match numbers.as_slice() {
            [] => NumberCondition::Equals(f64::NAN),
            [number] => NumberCondition::Equals(*number),
            _ => NumberCondition::In(numbers),
        }
    }
}

/// The place of a `Next`: the root, or where a test goes if it does not hold (0) or does (1).
#[derive(Clone, Copy)]
enum Slot {
    Root,
    Of(u32, usize),
}

/// A place to fill, and its depth in tests.
#[derive(Clone, Copy)]
struct Place {
    slot: Slot,
    depth: u32,
}

impl BinaryTree {
    /// The tests of a tree that sends no row down several branches, in time linear in the tree.
    /// `cut` gives the number of a cut, `level` the number of a level, both of the split's feature;
    /// numbers ascend as levels do.
    ///
    /// # Errors
    /// The errors of `cut`.
    pub(super) fn new(
        tree: &TreeData,
        cut: impl Fn(&Split, &Value) -> Result<f64>,
        level: impl Fn(&Split, u32) -> f64,
    ) -> Result<BinaryTree> {
        let made =
            BinaryTree { tests: Vec::new(), root: Next::Answer(0), answers: Vec::new(), depth: 0 };
        let root = Place { slot: Slot::Root, depth: 0 };
        let open = vec![(0, root)];
        let mut builder = Builder { made, open, node: 0, feature: 0, missing: NextNode::Stop };
        while let Some((node, place)) = builder.open.pop() {
            builder.node = node;
            match &tree.node_slice()[node as usize].split {
                None => builder.answer(place),
                Some(split) => {
                    builder.feature = split.rule.feature;
                    builder.missing = split.next_of_missing(tree.spec().missing);
                    builder.add(split, place, &cut, &level)?;
                }
            }
        }
        Ok(builder.made)
    }
}

struct Builder {
    made: BinaryTree,
    /// Nodes of the tree to put in their places.
    open: Vec<(u32, Place)>,
    /// The node in hand, the feature of its rule, and where the rule sends missing values.
    node: u32,
    feature: u32,
    missing: NextNode,
}

impl Builder {
    fn set(&mut self, slot: Slot, next: Next) {
        match slot {
            Slot::Root => self.made.root = next,
            Slot::Of(test, side) => self.made.tests[test as usize].next[side] = next,
        }
    }

    /// The node in hand answers.
    fn answer(&mut self, place: Place) {
        let answer = self.made.answers.len() as u32;
        self.made.answers.push(self.node);
        self.made.depth = self.made.depth.max(place.depth);
        self.set(place.slot, Next::Answer(answer));
    }

    /// Adds the tests of the rule in hand.
    fn add(
        &mut self,
        split: &Split,
        place: Place,
        cut: impl Fn(&Split, &Value) -> Result<f64>,
        level: impl Fn(&Split, u32) -> f64,
    ) -> Result<()> {
        let to = |branch: usize| NextNode::To(split.branches[branch]);
        let one_of = |levels: &[u32]| {
            NumberCondition::one_of(levels.iter().map(|&l| level(split, l)).collect())
        };
        match &split.rule.test {
            Test::AtLeast(value) => {
                let condition = NumberCondition::AtLeast(cut(split, value)?);
                self.two_way(condition, [to(0), to(1)], place);
            }
            Test::Equals(l) => self.two_way(one_of(&[*l]), [to(0), to(1)], place),
            // What is in neither set goes where missing goes: only the other one need be asked for.
            Test::In { right, .. } if self.missing == to(0) => {
                self.two_way(one_of(right), [to(0), to(1)], place);
            }
            Test::In { left, .. } if self.missing == to(1) => {
                self.two_way(one_of(left), [to(1), to(0)], place);
            }
            Test::In { right, left } => {
                let [rest, is_right] = self.test(one_of(right), false, place);
                let [neither, is_left] = self.test(one_of(left), false, rest);
                self.lead(to(1), is_right);
                self.lead(to(0), is_left);
                self.lead(self.missing, neither);
            }
            Test::Each(levels) => {
                let branches = levels.iter().zip(0..).map(|(&l, i)| (level(split, l), to(i)));
                let branches: Vec<(f64, NextNode)> = branches.collect();
                let with_missing = branches.iter().position(|(_, next)| *next == self.missing);
                // NaN is equal to no level, and ends at the node as an absent level does.
                let place = match with_missing.is_some() || self.missing == NextNode::Stop {
                    true => place,
                    false => self.known(place),
                };
                self.search(&branches, with_missing, place);
            }
            Test::IsMissing => {
                let known = self.known(place);
                self.lead(to(0), known);
            }
        }
        Ok(())
    }

    /// A test whose outcomes are two branches.
    fn two_way(&mut self, condition: NumberCondition, branches: [NextNode; 2], mut place: Place) {
        if !branches.contains(&self.missing) {
            place = self.known(place);
        }
        let places = self.test(condition, self.missing == branches[1], place);
        branches.into_iter().zip(places).for_each(|(branch, place)| self.lead(branch, place));
    }

    /// Sends missing values where they go, and gives the place that is left for the others.
    fn known(&mut self, place: Place) -> Place {
        let [missing, known] = self.test(NumberCondition::AtLeast(f64::NEG_INFINITY), false, place);
        self.lead(self.missing, missing);
        known
    }

    /// Finds the branch of a level among some, which ascend; missing is with one of them, or ends at
    /// the node. It recurses as deep as the number of levels has binary digits.
    fn search(&mut self, branches: &[(f64, NextNode)], with_missing: Option<usize>, place: Place) {
        if let [(level, branch)] = branches {
            let condition = NumberCondition::Equals(*level);
            let [absent, is_level] = self.test(condition, with_missing.is_some(), place);
            self.lead(*branch, is_level);
            return self.lead(NextNode::Stop, absent);
        }
        let middle = branches.len() / 2;
        let (below, above) = branches.split_at(middle);
        let Some((first, _)) = above.first() else { return };
        let in_above = with_missing.and_then(|at| at.checked_sub(middle));
        let in_below = with_missing.filter(|&at| at < middle);
        let [low, high] = self.test(NumberCondition::AtLeast(*first), in_above.is_some(), place);
        self.search(above, in_above, high);
        self.search(below, in_below, low);
    }

    /// Puts a test in its place, and gives the places of its outcomes.
    fn test(
        &mut self,
        condition: NumberCondition,
        holds_for_missing: bool,
        place: Place,
    ) -> [Place; 2] {
        let test = self.made.tests.len() as u32;
        // Both are set when what they lead to is.
        let next = [Next::Answer(0); 2];
        let feature = self.feature;
        self.made.tests.push(BinaryTest { feature, condition, holds_for_missing, next });
        self.set(place.slot, Next::Test(test));
        [0, 1].map(|side| Place { slot: Slot::Of(test, side), depth: place.depth + 1 })
    }

    /// What an outcome leads to.
    fn lead(&mut self, next: NextNode, place: Place) {
        match next {
            NextNode::To(branch) => self.open.push((branch, place)),
            // No row goes down every branch here: callers refuse such trees.
            NextNode::Stop | NextNode::Every => self.answer(place),
        }
    }
}
