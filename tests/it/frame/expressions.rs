//! The measures and the tree's prediction as expressions, and the verbs on LazyFrames.

use super::*;

type Measure = (&'static str, fn(Expr, Expr) -> Expr);

const MEASURES: [Measure; 5] = [
    ("info_gain", ExprGain::info_gain),
    ("gain_ratio", ExprGain::gain_ratio),
    ("gini_gain", ExprGain::gini_gain),
    ("conditional_entropy", ExprGain::conditional_entropy),
    ("symmetric_uncertainty", ExprGain::symmetric_uncertainty),
];

/// Every measure of the weather table, under its name.
fn measures(feature: &str, target: &str) -> Vec<Expr> {
    let two = MEASURES.map(|(name, measure)| measure(col(feature), col(target)).alias(name));
    let one = [
        col(feature).split_info().alias("split_info"),
        col(target).class_entropy().alias("entropy"),
    ];
    two.into_iter().chain(one).collect()
}

fn names() -> Vec<&'static str> {
    MEASURES.iter().map(|m| m.0).chain(["split_info", "entropy"]).collect()
}

#[test]
fn a_measure_is_a_scalar_wherever_it_stands() {
    let df = weather();
    for feature in ["outlook", "temperature", "humidity"] {
        let ranking = df.rank_gain("play", &full()).expect("ranks");
        let line = only(&ranking, col("feature").eq(lit(feature))).select(names()).expect("there");
        let selected = collected(df.clone().lazy().select(measures(feature, "play")));
        assert_same(&selected, &line, feature);

        let by = full().by(["windy"]);
        let lines =
            only(&df.rank_gain("play", &by).expect("ranks"), col("feature").eq(lit(feature)));
        let lines = lines.select(["windy"].into_iter().chain(names())).expect("there");
        let groups = df.clone().lazy().group_by_stable([col("windy")]);
        assert_same(&collected(groups.agg(measures(feature, "play"))), &lines, feature);

        // Over: each row has its group's figure.
        let over = measures(feature, "play")
            .into_iter()
            .map(|e| e.over([col("windy")]).expect("a window"));
        let over =
            collected(df.clone().lazy().select([col("windy")]).with_columns(Vec::<Expr>::new()))
                .hstack(collected(df.clone().lazy().select(over.collect::<Vec<_>>())).columns())
                .expect("one height");
        let joined = df.select(["windy"]).expect("there").lazy().join(
            lines.lazy(),
            [col("windy")],
            [col("windy")],
            JoinArgs::new(JoinType::Left),
        );
        assert_same(&over, &joined.collect().expect("joins"), feature);
    }
    // Beside other columns a scalar is repeated.
    let beside = collected(df.lazy().select([col("play"), col("outlook").info_gain(col("play"))]));
    assert_eq!(schema(&beside), "play str, outlook f64");
    assert!(
        floats(&beside, "outlook")
            .iter()
            .all(|g| g.map(|g| digits(g, 6)) == Some("0.246750".to_string()))
    );
}

#[test]
fn a_measure_of_little_is_little() {
    let df = df![
        "g" => ["none", "none", "one", "one", "two", "two", "two"],
        "x" => [1, 2, 1, 2, 1, 2, 2],
        "y" => [None, None, Some("A"), Some("A"), Some("A"), Some("B"), None],
    ]
    .expect("a frame");
    let found = collected(df.clone().lazy().group_by_stable([col("g")]).agg(measures("x", "y")));
    for (name, expected) in [
        ("info_gain", [None, Some(0.0), Some(1.0)]),
        ("gain_ratio", [None, Some(0.0), Some(1.0)]),
        ("gini_gain", [None, Some(0.0), Some(0.5)]),
        ("conditional_entropy", [None, Some(0.0), Some(0.0)]),
        ("symmetric_uncertainty", [None, Some(0.0), Some(1.0)]),
        ("entropy", [None, Some(0.0), Some(1.0)]),
    ] {
        assert_eq!(floats(&found, name), expected, "{name}");
    }
    assert_eq!(floats(&found, "split_info")[..2], [Some(1.0), Some(1.0)]);

    // No rows at all, a target of nulls by dtype, and a feature of nulls.
    let nothing = collected(df.clone().lazy().filter(lit(false)).select(measures("x", "y")));
    assert_eq!((nothing.height(), nothing.width()), (1, 7));
    assert!(
        nothing.columns().iter().all(|c| c.null_count() == 1 && c.dtype() == &DataType::Float64)
    );
    let nulls = df!["x" => [1, 2], "none" => [None::<i32>; 2], "y" => ["A", "B"]].expect("a frame");
    let of_nulls = with(&nulls, Column::full_null("null".into(), 2, &DataType::Null));
    for feature in ["none", "null"] {
        let found = collected(of_nulls.clone().lazy().select([
            col(feature).info_gain(col("y")).alias("gain"),
            col(feature).split_info().alias("split_info"),
            col("x").info_gain(col(feature)).alias("target"),
        ]));
        assert_eq!(floats(&found, "gain"), [Some(0.0)], "known of no row");
        assert_eq!(floats(&found, "split_info"), [None]);
        assert_eq!(floats(&found, "target"), [None]);
    }
    // Rows whose target is null are dropped before anything is counted.
    let known = only(&df, col("y").is_not_null());
    assert_same(
        &collected(df.lazy().select(&measures("x", "y")[..5])),
        &collected(known.lazy().select(&measures("x", "y")[..5])),
        "null targets",
    );
}

#[test]
fn a_measure_that_cannot_be_taken_names_the_column() {
    let tags = [Series::new("".into(), ["a"]), Series::new("".into(), ["b"])];
    let df = df!["tags" => tags, "x" => [0.5, 1.5], "y" => ["A", "B"]].expect("a frame");
    for (expr, words) in [
        (col("tags").info_gain(col("y")), ["`tags`", "list[str]"]),
        (col("tags").split_info(), ["`tags`", "list[str]"]),
        (col("y").info_gain(col("x")), ["`x`", "f64"]),
        (col("x").info_gain(col("tags")), ["`tags`", "list[str]"]),
    ] {
        let error = df.clone().lazy().select([expr]).collect().expect_err("cannot").to_string();
        assert!(words.iter().all(|w| error.contains(w)), "{words:?}: {error}");
    }
}

// ---- the tree's prediction -----------------------------------------------------------------

/// Twenty pieces, in the order they were.
#[test]
fn predictions_keep_the_rows_in_order() {
    let iris = parquet("iris");
    let tree = iris.fit_tree("species", &TreeSpec::cart()).expect("fits").tree;
    let mut many = iris.slice(0, 0);
    for i in 0..20 {
        many.vstack_mut(&iris.slice(i * 37 % 100, 50)).expect("one schema");
    }
    let row = Column::new("row".into(), (0..1000u32).collect::<Vec<_>>());
    let many = with(&many, row);
    let found = collected(many.clone().lazy().with_column(tree.predict()));
    assert_same(&found, &tree.score(&many).expect("scores"), "in order");
    // In a filter, and as the key of a group.
    let wrong = tree.predict().neq(col("sepal_width_cm").cast(DataType::String));
    assert_eq!(collected(many.clone().lazy().filter(wrong)).height(), 1000);
    let groups = many.lazy().group_by_stable([tree.predict()]).agg([len()]);
    assert_eq!(schema(&collected(groups)), "prediction str, len u32");
}

#[test]
fn a_query_reads_only_the_columns_the_tree_uses() {
    let iris = parquet("iris");
    let tree = iris.fit_tree("species", &TreeSpec::cart().max_depth(2)).expect("fits").tree;
    let query = scan("iris").select([tree.predict()]);
    let plan = query.clone().explain(true).expect("a plan");
    assert!(plan.contains("PROJECT 2/5 COLUMNS"), "{plan}");
    let expected = tree.score(&iris).expect("scores").select(["prediction"]).expect("there");
    assert_same(&collected(query), &expected, "from the file");
}

/// A tree of one leaf asks for no column, and still answers once a row.
#[test]
fn a_single_leaf_predicts_every_row() {
    let iris = parquet("iris");
    let tree = iris.fit_tree("species", &TreeSpec::cart().max_depth(0)).expect("fits").tree;
    let predict = || tree.predict();
    let scored = tree.score(&iris).expect("scores");
    assert_same(&collected(iris.clone().lazy().with_column(predict())), &scored, "beside columns");
    for rows in [0, 1, 150] {
        let some = iris.head(Some(rows)).lazy();
        let found = collected(some.clone().with_column(predict()));
        assert_same(&found, &scored.head(Some(rows)), &format!("{rows} rows"));
        // Alone it is one row, as every literal is in Polars.
        let alone = collected(some.select([predict()]));
        assert_eq!((schema(&alone).as_str(), alone.height()), ("prediction str", 1), "alone");
    }
}

#[test]
fn no_rows_predict_no_rows() {
    let iris = parquet("iris");
    let tree = iris.fit_tree("species", &TreeSpec::cart()).expect("fits").tree;
    let none = iris.clone().lazy().filter(lit(false)).select([tree.predict()]);
    let none = collected(none);
    assert_eq!((schema(&none).as_str(), none.height()), ("prediction str", 0));
    // A scalar column is one value for every row.
    let set = iris.lazy().with_column(lit(1.0).alias("petal_length_cm")).select([tree.predict()]);
    assert_eq!(collected(set).column("prediction").expect("there").n_unique().expect("counts"), 1);
}

// ---- the verbs -----------------------------------------------------------------------------

#[test]
fn lazy_verbs_are_the_eager_ones() {
    let df = parquet("wine");
    let lazy = || scan("wine");
    let by: Vec<i32> = (0..178).map(|i| i % 3).collect();
    let grouped =
        with(&with(&df, Column::new("g".into(), by.clone())), Column::new("w".into(), by));
    let few = ["malic_acid", "hue"];
    let rank = |spec: &RankSpec| {
        assert_same(
            &grouped.clone().lazy().rank_gain("cultivar", spec).expect("ranks"),
            &grouped.rank_gain("cultivar", spec).expect("ranks"),
            "ranked",
        );
    };
    rank(&full());
    rank(&full().features(few));
    rank(&full().features(few).by(["g"]).weight("w"));
    let curve = |spec: &RankSpec| {
        assert_same(
            &grouped.clone().lazy().split_candidates("cultivar", "hue", spec).expect("rates"),
            &grouped.split_candidates("cultivar", "hue", spec).expect("rates"),
            "rated",
        );
    };
    curve(&full());
    curve(&full().weight("w").nominal(["malic_acid"]).by(["g"]));
    for spec in [TreeSpec::cart(), TreeSpec::c45().features(["hue", "alcohol"])] {
        let fit = lazy().fit_tree("cultivar", &spec).expect("fits");
        let eager = df.fit_tree("cultivar", &spec).expect("fits");
        assert_eq!(fit.tree.to_json(), eager.tree.to_json());
        assert_same(&fit.importance, &eager.importance, "importance");
        assert_same(
            &fit.tree.score(&lazy()).expect("scores"),
            &fit.tree.score(&df).expect("scores"),
            "scored",
        );
        // As plain functions.
        assert_eq!(fit_tree(&df, "cultivar", &spec).expect("fits").tree, eager.tree);
    }
    let plain = rank_gain(&df, "cultivar", &full()).expect("ranks");
    assert_same(&plain, &df.rank_gain("cultivar", &full()).expect("ranks"), "plain");
    let plain = split_candidates(&df, "cultivar", "hue", &full()).expect("rates");
    let verb = lazy().split_candidates("cultivar", "hue", &full()).expect("rates");
    assert_same(&plain, &verb, "plain");
}

#[test]
fn a_saved_tree_scores_alike() {
    let df = parquet("breast_cancer");
    let tree = df.fit_tree("diagnosis", &TreeSpec::cart()).expect("fits").tree;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.tree.json");
    tree.save(&path).expect("saves");
    let loaded = Tree::load(&path).expect("loads");
    assert_eq!(loaded, tree);
    assert_same(&loaded.score(&df).expect("scores"), &tree.score(&df).expect("scores"), "loaded");
}

/// To Polars' `col` a star is every column, and a name from `^` to `$` a pattern.
#[test]
fn odd_names_are_only_names() {
    for name in ["*", "^x.*$", "", "a b", "prediction", "feature", "target", "rank"] {
        let odd = Column::new(name.into(), [1, 2, 2]);
        let df = with(&df!["y" => ["a", "b", "b"], "x1" => [5, 6, 6]].expect("a frame"), odd);
        let (fit, rank) = (TreeSpec::cart().features([name]), full().features([name]));
        let tree = df.fit_tree("y", &fit).expect("fits").tree;
        let answers = ScoreSpec::default().keep(Vec::<String>::new());
        let query = df.clone().lazy().select([tree.predict()]);
        let predicted = query.collect().expect("runs");
        assert_same(&predicted, &tree.score_with(&df, &answers).expect("scores"), name);
        let lazily = df.clone().lazy().fit_tree("y", &fit).expect("fits lazily").tree;
        assert_eq!(lazily.to_json(), tree.to_json(), "{name}");
        let lazily = df.clone().lazy().rank_gain("y", &rank).expect("ranks lazily");
        assert_same(&lazily, &df.rank_gain("y", &rank).expect("ranks"), name);
    }
}

#[test]
fn a_measure_of_columns_of_two_lengths_is_refused() {
    let x = Column::new("x".into(), [1, 2, 3]);
    let y = Column::new("y".into(), ["a", "b"]);
    for refused in [
        gaintree::class_measures(&x, &y).map(drop),
        gaintree::mdl_intervals(&x, &y).map(drop),
        gaintree::symmetric_uncertainty_of_levels(&x, &y).map(drop),
    ] {
        let message = refused.expect_err("two lengths").to_string();
        assert!(message.contains("`x` (i32) has 3 rows, and column `y` (str) 2"), "{message}");
    }
}
