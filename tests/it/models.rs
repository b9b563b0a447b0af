//! Model files, SQL and rankings of frames that are the same on every run, to lay beside those of
//! another commit: a change that is meant to leave all answers alone changes no byte of them.
//!
//! ```text
//! GAINTREE_MODELS=/tmp/before cargo test -p gaintree --release --no-default-features --test it -- --ignored models
//! ```
//!
//! The files are those of one machine: logarithms may differ in their last digit on another.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use gaintree::engine::{Kinds, Table, curve, rank};
use gaintree::{ClassWeights, Cuts, Dialect, LogBase, Missing, RankMissing, Tree, TreeSpec};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngSeed, TestRunner};

use crate::external::{all_specs, any_frames, numbers};
use crate::frames::Frame;
use crate::growth::{distinct, large};
use crate::row_store::with_numbers;

/// Frames of classes, and as many of numbers.
const FRAMES: usize = 1000;

#[test]
#[ignore = "writes files to the folder that GAINTREE_MODELS names"]
fn models() {
    let folder = PathBuf::from(std::env::var("GAINTREE_MODELS").expect("GAINTREE_MODELS"));
    fs::create_dir_all(&folder).expect("a folder");
    let config = ProptestConfig { rng_seed: RngSeed::Fixed(37), ..ProptestConfig::default() };
    let mut runner = TestRunner::new(config);
    for i in 0..FRAMES {
        let tried = (any_frames(), all_specs(), numbers(), any::<bool>(), any::<bool>());
        let tree = tried.new_tree(&mut runner).expect("a case");
        let (frame, spec, numbers, raises, fractional) = tree.current();
        let mut spec = spec.subtree_raising(raises);
        if fractional {
            spec.missing = Missing::Fractional;
        }
        write(&folder, &format!("classes-{i:04}"), &frame, &spec);
        let spec = spec.class_weights(ClassWeights::Equal);
        write(&folder, &format!("numbers-{i:04}"), &with_numbers(&frame, &numbers), &spec);
    }
    // Nodes of more rows, and columns of more levels, than take the short ways.
    for (i, spec) in [TreeSpec::cart(), TreeSpec::id3(), TreeSpec::c45()].into_iter().enumerate() {
        for missing in [Missing::Learn, Missing::Majority, Missing::Fractional] {
            for weighted in [false, true] {
                let mut frame = large(9000, 2 + i as u64, weighted);
                frame.columns.push(distinct(9000));
                let spec = spec.clone().missing(missing);
                let name = format!("{i}-{missing:?}-{weighted}").to_lowercase();
                write(&folder, &format!("large-classes-{name}"), &frame, &spec);
                let numbers: Vec<f64> =
                    (0..9000).map(|row| f64::from(row * 7 % 411) * 0.37 - 20.0).collect();
                let frame = with_numbers(&frame, &numbers);
                write(&folder, &format!("large-numbers-{name}"), &frame, &spec);
            }
        }
    }
}

/// The tree in every dialect, or why it cannot be.
fn sql(tree: &Tree) -> String {
    let dialects = Dialect::ALL.into_iter();
    dialects.map(|dialect| format!("{:#?}\n", tree.to_sql(dialect))).collect()
}

/// The model file of a frame, or why there is none; its ranking and its gain curves.
fn write(folder: &std::path::Path, name: &str, frame: &Frame, spec: &TreeSpec) {
    let mut text = match frame.grow(spec) {
        Ok(tree) => tree.to_json() + &sql(&tree),
        Err(e) => format!("{e}\n"),
    };
    let kinds = Kinds { task: spec.task, ordered: &[], nominal: &[] };
    if let Ok(table) = Table::encode(&frame.columns, &frame.target, frame.weights.clone(), kinds) {
        for missing in [RankMissing::Known, RankMissing::OwnLevel] {
            let gains = rank(&table, None, LogBase::Two, missing, Cuts::Best);
            let _ = writeln!(text, "{gains:#?}");
        }
        if frame.n_rows() < 1000 {
            let _ = writeln!(text, "{:#?}", curve(&table, LogBase::Two));
        }
    }
    fs::write(folder.join(name), text).expect("a file");
}
