//! `gaintree show` of models as source code, ONNX and SQL.

use gaintree::{CodeSpec, Dialect, Forest, Language, SqlSpec, Tree, Voting};

use super::*;

/// A tree of iris, `m.json`, and a forest, `f.json`.
fn with_models() -> (Place, Tree, Forest) {
    let place = Place::after("fit iris.parquet --target species -o m.json");
    place.done("forest iris.parquet --target species --trees 5 --seed 1 -o f.json");
    let tree = Tree::load(place.path("m.json")).expect("a tree");
    let forest = Forest::load(place.path("f.json")).expect("a forest");
    (place, tree, forest)
}

#[test]
fn files_of_code_are_written() {
    let (place, tree, forest) = with_models();
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
        assert_eq!(&place.text(name), expected, "{words}");
    }
    assert_eq!(place.done("show m.json --as python"), by_target.source);
    let test = place.done("show m.json --test iris.parquet --name flower --as c");
    assert!(test.contains("#include \"flower.h\"") && test.contains("flower_leaf_id(&rows[i])"));
    assert_eq!(test.matches("    {").count(), 150);
    assert!(place.done("show f.json --votes --test iris.parquet -o f_test.py").is_empty());
    assert!(place.text("f_test.py").contains("from f import Row, predict, probabilities"));
}

#[test]
fn onnx_is_written() {
    let (place, tree, forest) = with_models();
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
fn a_select_list_is_written() {
    let place = Place::after("fit iris.parquet --target species -o m.json");
    let tree = Tree::load(place.path("m.json")).expect("a tree");
    for dialect in Dialect::ALL {
        let spec = SqlSpec::new(dialect);
        for (words, spec) in [
            ("", spec),
            (" --probability", spec.probability(true)),
            (" --probability --leaf", spec.probability(true).leaf(true)),
        ] {
            let words = format!("show m.json --dialect {}{words} -o out.sql", dialect.name());
            place.done(&words);
            let expected = tree.to_sql_select(spec).expect("SQL") + "\n";
            assert_eq!(place.text("out.sql"), expected, "{words}");
        }
    }
}

#[test]
fn what_cannot_be_is_said() {
    let place = Place::after("fit iris.parquet --target species -o m.json");
    place.done("fit iris.parquet --target species --algorithm c45 -o c45.json");
    place.refuses_each(&[
        ("show m.json --votes -o m.c", 2, "--votes is of a forest"),
        ("show m.json --example", 2, "--example, --test and --name are of code"),
        ("show m.json --name a -o m.sql", 2, "--example, --test and --name are of code"),
        ("show m.json --test iris.parquet -o m.h", 2, "neither an example nor a test"),
        ("show m.json --as c -o m.rs", 2, "m.c"),
        ("show m.json --as rust --max-depth 2 -o m.rs", 2, "--max-depth"),
        ("show m.json --test weather.csv -o m.py", 1, "no such column"),
        ("show m.json --test none.parquet -o m.py", 1, "none.parquet"),
        ("show c45.json -o m.rs", 2, "missing = learn"),
        ("show m.json --votes -o m.onnx", 2, "--votes is of a forest"),
        ("show m.json --votes", 2, "--votes is of ONNX"),
        ("show m.json --as onnx -o m.sql", 2, "m.onnx"),
        ("show m.json --as sql -o m.onnx", 2, "m.sql"),
        ("show m.json --as onnx --max-depth 2 -o m.onnx", 2, "--max-depth"),
        ("fit iris.parquet --target species -o m.onnx", 2, "m.json"),
        ("rank iris.parquet --target species -o r.onnx", 2, "r.onnx"),
        ("show c45.json -o m.onnx", 2, "missing = learn"),
        ("show m.json --leaf", 2, "--leaf are of SQL"),
        ("show m.json --leaf -o m.onnx", 2, "--leaf are of SQL"),
        ("show m.json --dialect oracle -o m.sql", 2, "sqlserver"),
        ("show c45.json -o m.sql", 2, "missing = learn"),
    ]);
}
