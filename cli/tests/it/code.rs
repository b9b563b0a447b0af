//! `gaintree show` of models as source code.

use gaintree::{CodeSpec, Forest, Language, Tree, Voting};

use super::wrong::refuses_on_models;
use super::*;

#[test]
fn files_of_code_are_written() {
    let place = Place::new();
    place.done("fit iris.parquet --target species -o m.json");
    place.done("forest iris.parquet --target species --trees 5 --seed 1 -o f.json");
    let tree = Tree::load(place.path("m.json")).expect("a tree");
    let forest = Forest::load(place.path("f.json")).expect("a forest");
    let c = tree.to_code(CodeSpec::new(Language::C).name("flower")).expect("code");
    let by_target = tree.to_code(Language::Python).expect("code");
    let votes =
        forest.to_code(CodeSpec::new(Language::Rust).name("f"), Voting::Hard).expect("code");
    let third = forest.tree(2).expect("the third").to_code(CodeSpec::new(Language::Rust).name("f"));
    for (words, expected) in [
        ("show m.json -o flower.c", &c.source),
        ("show m.json -o flower.h", c.header.as_ref().expect("a header")),
        ("show m.json --example -o flower_example.c", &c.example),
        ("show m.json --as c --name flower -o other.c", &c.source),
        ("show f.json --votes -o f.rs", &votes.source),
        ("show f.json --tree 3 -o f.rs", &third.expect("code").source),
    ] {
        place.done(words);
        let name = words.rsplit(' ').next().expect("a name");
        let written = std::fs::read_to_string(place.path(name)).expect("written");
        assert_eq!(&written, expected, "{words}");
    }
    assert_eq!(place.done("show m.json --as python"), by_target.source);
    let test = place.done("show m.json --test iris.parquet --name flower --as c");
    assert!(test.contains("#include \"flower.h\"") && test.contains("flower_leaf_id(&rows[i])"));
    assert_eq!(test.matches("    {").count(), 150);
    let votes = place.done("show f.json --votes --test iris.parquet -o f_test.py");
    assert!(votes.is_empty());
    let votes = std::fs::read_to_string(place.path("f_test.py")).expect("written");
    assert!(votes.contains("from f import Row, predict, probabilities"));
}

#[test]
fn what_cannot_be_is_said() {
    refuses_on_models(&[
        ("show m.json --votes -o m.c", 2, "--votes is of a forest"),
        ("show m.json --example", 2, "--example, --test and --name are of code"),
        ("show m.json --name a -o m.sql", 2, "--example, --test and --name are of code"),
        ("show m.json --test iris.parquet -o m.h", 2, "neither an example nor a test"),
        ("show m.json --as c -o m.rs", 2, "m.c"),
        ("show m.json --as rust --max-depth 2 -o m.rs", 2, "--max-depth"),
        ("show m.json --test weather.csv -o m.py", 1, "no such column"),
        ("show m.json --test none.parquet -o m.py", 1, "none.parquet"),
        ("show c45.json -o m.rs", 2, "missing = learn"),
    ]);
}
