//! `gaintree show` of trees as SQL.

use gaintree::{Dialect, SqlSpec, Tree};

use super::wrong::refuses_on_models;
use super::*;

#[test]
fn a_select_list_is_written() {
    let place = Place::new();
    place.done("fit iris.parquet --target species -o m.json");
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
            let written = std::fs::read_to_string(place.path("out.sql")).expect("written");
            assert_eq!(written, tree.to_sql_select(spec).expect("SQL") + "\n", "{words}");
        }
    }
}

#[test]
fn what_cannot_be_is_said() {
    refuses_on_models(&[
        ("show m.json --leaf", 2, "--leaf are of SQL"),
        ("show m.json --leaf -o m.onnx", 2, "--leaf are of SQL"),
        ("show m.json --dialect oracle -o m.sql", 2, "sqlserver"),
        ("show c45.json -o m.sql", 2, "missing = learn"),
    ]);
}
