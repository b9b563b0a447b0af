//! `gaintree show` of models as ONNX.

use gaintree::{Forest, Tree, Voting};

use super::wrong::refuses_on_models;
use super::*;

#[test]
fn trees_and_forests_are_written() {
    let place = Place::new();
    place.done("fit iris.parquet --target species -o m.json");
    place.done("forest iris.parquet --target species --trees 5 --seed 1 -o f.json");
    let tree = Tree::load(place.path("m.json")).expect("a tree");
    let forest = Forest::load(place.path("f.json")).expect("a forest");
    let third = forest.tree(2).expect("the third").to_onnx();
    for (words, expected) in [
        ("show m.json -o out.onnx", tree.to_onnx()),
        ("show m.json --as onnx -o out.ONNX", tree.to_onnx()),
        ("show f.json -o out.onnx", forest.to_onnx(Voting::Soft)),
        ("show f.json --votes -o out.onnx", forest.to_onnx(Voting::Hard)),
        ("show f.json --tree 3 -o out.onnx", third),
    ] {
        place.done(words);
        let name = words.rsplit(' ').next().expect("a name");
        let written = std::fs::read(place.path(name)).expect("written");
        assert_eq!(written, expected.expect("ONNX"), "{words}");
    }
}

#[test]
fn what_cannot_be_is_said() {
    refuses_on_models(&[
        ("show m.json --votes -o m.onnx", 2, "--votes is of a forest"),
        ("show m.json --votes", 2, "--votes is of ONNX"),
        ("show m.json --as onnx -o m.sql", 2, "m.onnx"),
        ("show m.json --as sql -o m.onnx", 2, "m.sql"),
        ("show m.json --as onnx --max-depth 2 -o m.onnx", 2, "--max-depth"),
        ("fit iris.parquet --target species -o m.onnx", 2, "m.json"),
        ("rank iris.parquet --target species -o r.onnx", 2, "r.onnx"),
        ("show c45.json -o m.onnx", 2, "missing = learn"),
    ]);
}
