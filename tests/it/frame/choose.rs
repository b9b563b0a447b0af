//! Features by a Polars selector.

use super::*;

fn frame() -> DataFrame {
    df![
        "size" => [1.5, 2.5, 3.5, 4.5],
        "age" => [3i64, 1, 4, 1],
        "colour" => ["red", "red", "blue", "blue"],
        "w" => [1.0, 2.0, 1.0, 1.0],
        "ripe" => [true, false, true, false],
    ]
    .expect("a frame")
}

#[test]
fn selectors_pick_features() {
    let df = frame();
    let floats = || DataTypeSelector::Float.as_selector();
    let cases: [(Expr, &[&str]); 7] = [
        (all().into(), &["size", "age", "colour"]),
        (floats().into(), &["size"]),
        ((!floats()).into(), &["age", "colour"]),
        (cols(["colour", "size"]).into(), &["colour", "size"]),
        (col("age"), &["age"]),
        (col("^.*e$"), &["size", "age"]),
        ((all() - cols(["age", "ripe"])).into(), &["size", "colour"]),
    ];
    for (selector, expected) in cases {
        let spec = TreeSpec::cart().weight("w").features_by(selector.clone(), df.schema(), "ripe");
        assert_eq!(spec.expect("selects").features.as_deref().expect("named"), expected);
        // Groups are no features either.
        let spec = RankSpec::default().weight("w").by(["colour"]);
        let spec = spec.features_by(selector.clone(), df.schema(), "ripe").expect("selects");
        let expected: Vec<&str> = expected.iter().copied().filter(|n| *n != "colour").collect();
        assert_eq!(spec.features.as_deref().expect("named"), expected, "{selector}");
    }
}

#[test]
fn a_lazy_frame_chooses_before_it_collects() {
    // What is not selected is not looked at: this column would fail.
    let broken = col("colour").strict_cast(DataType::Int32).alias("broken");
    let mut lf = frame().lazy().with_column(broken);
    let schema = lf.collect_schema().expect("a schema");
    let spec = TreeSpec::cart().features_by(cols(["age", "size"]), &schema, "ripe");
    let tree = lf.clone().fit_tree("ripe", &spec.expect("selects")).expect("fits").tree;
    let eager = frame().fit_tree("ripe", &TreeSpec::cart().features(["age", "size"]));
    assert_eq!(tree, eager.expect("fits").tree);
    let integers =
        DataTypeSelector::Integer.as_selector() - col("broken").into_selector().expect("one");
    let spec = RankSpec::default().features_by(integers, &schema, "ripe").expect("selects");
    assert_eq!(lf.rank_gain("ripe", &spec).expect("ranks").height(), 1);
}

#[test]
fn selectors_that_pick_nothing_are_refused() {
    let df = frame();
    let cases: [(Expr, &[&str]); 6] = [
        (DataTypeSelector::Temporal.as_selector().into(), &["`ripe`", "`w`", "`colour`"]),
        (cols(["ripe", "w"]).into(), &["no column", "beside `ripe`, `w`"]),
        (empty().into(), &["no column"]),
        (cols(["color"]).into(), &["color", "`colour`"]),
        (col("^(.*$"), &["regex", "^(.*$"]),
        (col("size") * lit(2), &["no selector"]),
    ];
    for (selector, said) in cases {
        let refused = TreeSpec::cart().weight("w").features_by(selector, df.schema(), "ripe");
        let e = refused.expect_err("refused");
        assert!(e.is_spec(), "{e}");
        assert!(said.iter().all(|word| e.to_string().contains(word)), "{e}");
    }
}
