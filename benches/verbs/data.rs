//! Frames and trees of a size.

use gaintree::prelude::*;
use polars::prelude::*;

use crate::random::Random;

/// A frame of a number of rows, and a tree of it to a depth of 12.
pub struct Rows {
    pub df: DataFrame,
    pub tree: Tree,
}

impl Rows {
    pub fn new(size: usize) -> Rows {
        let df = frame(size);
        let features = ["x", "few", "holes", "name"];
        let spec = TreeSpec::cart().features(features).max_depth(12);
        let tree = df.fit_tree("y", &spec).expect("a tree").tree;
        Rows { df, tree }
    }
}

/// What a tree is grown on, and from.
#[derive(Clone, Copy)]
pub struct TreeKind {
    pub name: &'static str,
    target: &'static str,
    features: &'static [&'static str],
}

/// The trees to look at: of many nodes, of many branches a node, of many levels a rule.
pub fn trees() -> [(TreeKind, TreeSpec); 5] {
    let kind = |name, target, features| TreeKind { name, target, features };
    [
        (kind("of a tree on numbers", "y", &["x", "few"]), TreeSpec::cart()),
        (kind("of a tree to numbers", "z", &["x", "few"]), TreeSpec::cart()),
        (kind("of a tree of level sets", "y", &["name", "x"]), TreeSpec::cart()),
        (kind("of a tree of level sets, 3 classes", "three", &["name", "x"]), TreeSpec::cart()),
        (kind("of a tree of a branch a level", "y", &["name", "x"]), TreeSpec::id3()),
    ]
}

/// A tree to full depth on a frame of a number of rows, its model, and where to put it.
pub struct TreeInput {
    pub df: DataFrame,
    pub tree: Tree,
    pub json: String,
    pub folder: tempfile::TempDir,
}

impl TreeInput {
    pub fn new(size: usize, kind: TreeKind, spec: TreeSpec) -> TreeInput {
        let df = frame(size);
        let spec = spec.features(kind.features.iter().copied());
        let tree = df.fit_tree(kind.target, &spec).expect("a tree").tree;
        eprintln!("{} rows {}: {} nodes", size, kind.name, tree.n_nodes());
        let json = tree.to_json();
        TreeInput { df, tree, json, folder: tempfile::tempdir().expect("a folder") }
    }
}

/// `x` and `z` are distinct, `few` has 1,000 values, one in ten of `holes` is null; `name` has a
/// level for every ten rows, `group` a value. `y` and `three` are classes, half of them noise.
fn frame(rows: usize) -> DataFrame {
    let mut random = Random(1);
    let mut draws = || -> Vec<f64> { (0..rows).map(|_| random.unit()).collect() };
    let (x, few, holes, name, group, noise) =
        (draws(), draws(), draws(), draws(), draws(), draws());
    let ids = |draws: &[f64], n: usize| -> Vec<u32> {
        draws.iter().map(|d| (d * n as f64) as u32).collect()
    };
    let n_levels = (rows / 10).max(2);
    let names = ids(&name, n_levels);
    let speaks = |row: usize| {
        (9.0 * x[row]).sin() + (f64::from(names[row]) * 0.618).fract() + noise[row] * 2.0 - 1.5
    };
    let y: Vec<&str> = (0..rows).map(|row| if speaks(row) > 0.0 { "yes" } else { "no" }).collect();
    let three: Vec<&str> = (0..rows)
        .map(|row| ["a", "b", "c"][(speaks(row) + 1.5).clamp(0.0, 2.0) as usize])
        .collect();
    let z: Vec<f64> = (0..rows).map(speaks).collect();
    df![
        "name" => names.iter().map(|id| format!("level {id}")).collect::<Vec<_>>(),
        "few" => few.iter().map(|d| (d * 1000.0).floor()).collect::<Vec<_>>(),
        "holes" => holes.iter().map(|&d| (d > 0.1).then_some(d)).collect::<Vec<_>>(),
        "group" => ids(&group, n_levels),
        "x" => x, "y" => y, "three" => three, "z" => z,
    ]
    .expect("columns of one height")
}
