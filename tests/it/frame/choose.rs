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
        let spec = WoeSpec::default().weight("w");
        let spec = spec.features_by(selector.clone(), df.schema(), "ripe").expect("selects");
        assert_eq!(spec.features.as_deref().expect("named"), expected);
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

/// What commands make of words: patterns among names, and columns to exclude.
#[test]
fn patterns_stand_for_the_columns_that_they_match() {
    let df = frame().lazy().with_column(col("size").alias("^w$")).collect().expect("a frame");
    type Case<'a> = (&'a [&'a str], &'a [&'a str], Option<&'a [&'a str]>);
    let cases: [Case; 7] = [
        (&["^.*e$"], &[], Some(&["size", "age"])),
        (&["age", "^.*e$"], &[], Some(&["age", "size"])),
        // A name of a column is no pattern, and a name of no column is left to the verb.
        (&["^w$", "none"], &[], Some(&["^w$", "none"])),
        (&["^.*e$"], &["age"], Some(&["size"])),
        (&[], &["^.*e$", "^w$"], Some(&["colour"])),
        (&["size"], &["none"], Some(&["size"])),
        (&[], &[], None),
    ];
    for (features, exclude, expected) in cases {
        let mut spec = TreeSpec::cart().weight("w").exclude(exclude.iter().copied());
        spec.features =
            (!features.is_empty()).then(|| features.iter().map(|n| n.to_string()).collect());
        spec.choose_features(df.schema(), "ripe").expect("chooses");
        let named: Option<Vec<&str>> =
            spec.features.as_ref().map(|names| names.iter().map(String::as_str).collect());
        assert_eq!(named.as_deref(), expected, "{features:?} {exclude:?}");
        assert_eq!(spec.exclude.is_empty(), exclude != ["none"]);
    }
    let mut spec = RankSpec::default().features(["age"]).by(["colour"]).given(["size"]);
    assert_eq!(spec.needed_columns("ripe").expect("named"), ["colour", "size", "age", "ripe"]);
    spec.map_columns(|names| names.iter().map(|name| name.to_uppercase()).collect());
    assert_eq!(spec.needed_columns("ripe").expect("named"), ["COLOUR", "SIZE", "AGE", "ripe"]);
    assert_eq!(RankSpec::default().needed_columns("ripe"), None);
    let refused = TreeSpec::cart().features(["^z.*$"]).choose_features(df.schema(), "ripe");
    assert!(refused.expect_err("refused").to_string().contains("features `^z.*$`"));
}
