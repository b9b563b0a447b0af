//! Scoring and judging.

use super::*;

fn fit(df: &DataFrame, target: &str, spec: TreeSpec) -> Tree {
    df.fit_tree(target, &spec).expect("fits").tree
}

fn predictions(tree: &Tree, df: &DataFrame) -> Vec<String> {
    texts(&tree.score(df).expect("scores"), "prediction").into_iter().flatten().collect()
}

// ---- what is added -------------------------------------------------------------------------

#[test]
fn score_adds_what_is_asked_for() {
    let iris = parquet("iris");
    let tree = fit(&iris, "species", TreeSpec::cart().max_depth(2));
    let input = schema(&iris);
    let probabilities =
        "probability_setosa f64, probability_versicolor f64, probability_virginica f64";
    for (spec, expected) in [
        (ScoreSpec::default(), format!("{input}, prediction str")),
        (ScoreSpec::default().leaf(true), format!("{input}, prediction str, leaf_id u32")),
        (
            ScoreSpec::default().probability(true).leaf(true).keep(["petal_width_cm"]),
            format!("petal_width_cm f64, prediction str, {probabilities}, leaf_id u32"),
        ),
        (
            ScoreSpec::default().leaf(true).prefix("my_").keep(Vec::<String>::new()),
            "my_prediction str, my_leaf_id u32".to_string(),
        ),
    ] {
        let whole = tree.score_with(&iris, &spec).expect("scores");
        let none = tree.score_with(&iris.head(Some(0)), &spec).expect("scores no rows");
        let one = tree.score_with(&iris.head(Some(1)), &spec.threads(1)).expect("scores a row");
        for (table, rows) in [(&whole, 150), (&none, 0), (&one, 1)] {
            assert_eq!((schema(table), table.height()), (expected.clone(), rows));
        }
        assert_same(&whole.head(Some(1)), &one, "a row alone");
    }
    let all = ScoreSpec::default().probability(true).leaf(true);
    let scored = tree.score_with(&iris, &all).expect("scores");
    assert_same(
        &scored.drop_many([
            "prediction",
            "leaf_id",
            "probability_setosa",
            "probability_versicolor",
            "probability_virginica",
        ]),
        &iris,
        "the input is kept",
    );
    let last = scored.tail(Some(1));
    assert_eq!(word(&last, "prediction", 0), "virginica");
    assert_eq!(floats(&last, "probability_virginica"), [Some(45.0 / 46.0)]);
    assert_eq!(floats(&last, "probability_setosa"), [Some(0.0)]);
    assert_eq!(floats(&last, "leaf_id"), [Some(4.0)]);
}

#[test]
fn a_name_that_is_taken_is_not_taken_twice() {
    let iris = parquet("iris");
    let tree = fit(&iris, "species", TreeSpec::cart());
    let scored = tree.score(&iris).expect("scores");
    let again = tree.score(&scored).expect_err("there is a prediction");
    assert!(again.is_data());
    for word in ["`prediction`", "--prefix"] {
        assert!(again.to_string().contains(word), "{again}");
    }
    let prefixed = tree.score_with(&scored, &ScoreSpec::default().prefix("b_")).expect("scores");
    assert_eq!(texts(&prefixed, "b_prediction"), texts(&scored, "prediction"));
    let dropped = tree.score_with(&scored, &ScoreSpec::default().keep(["species"]));
    assert_eq!(schema(&dropped.expect("scores")), "species str, prediction str");
    let unknown = tree.score_with(&iris, &ScoreSpec::default().keep(["specie"]));
    let unknown = unknown.expect_err("no such column").to_string();
    assert!(
        unknown.contains("`specie`") && unknown.contains("did you mean `species`?"),
        "{unknown}"
    );
}

#[test]
fn columns_the_tree_does_not_use_may_be_anything() {
    let iris = parquet("iris");
    let tree = fit(&iris, "species", TreeSpec::cart().max_depth(2));
    let expected = predictions(&tree, &iris);
    let bare = iris.select(["petal_width_cm", "petal_length_cm"]).expect("there");
    assert_eq!(predictions(&tree, &bare), expected);
    let odd =
        cast(&cast(&iris, "sepal_length_cm", &DataType::String), "species", &DataType::String);
    assert_eq!(predictions(&tree, &odd), expected);
    let leaf = fit(&iris, "species", TreeSpec::cart().max_depth(0));
    assert_eq!(predictions(&leaf, &df!["z" => [1, 2]].expect("a frame")), ["setosa", "setosa"]);
    // A frame of no columns has rows all the same.
    let scored = leaf.score(&DataFrame::empty_with_height(3)).expect("scores");
    assert_eq!((schema(&scored), scored.height()), ("prediction str".to_string(), 3));
}

/// Bools, text, and integers at the ends of their width come back as they were.
#[test]
fn predictions_have_the_targets_dtype() {
    let grades = enum_of(&["poor", "good", "best"]);
    let mut targets: Vec<Column> = vec![
        Column::new("y".into(), [true, false, true]),
        Column::new("y".into(), ["", "é\n", "\"x\""]),
        Column::new("y".into(), ["best", "poor", "good"]).cast(&grades).expect("an enum"),
        Column::new("y".into(), ["b", "a", "b"])
            .cast(&DataType::from_categories(Categories::global()))
            .expect("a categorical"),
    ];
    macro_rules! ends {
        ($($t:ty),*) => {
            $(targets.push(Column::new("y".into(), [<$t>::MIN, <$t>::MAX, 7]));)*
        };
    }
    ends!(i8, i16, i32, i64, i128, u8, u16, u32, u64, u128);
    for target in targets {
        let df = with(&df!["x" => [1, 2, 3]].expect("a frame"), target.clone());
        let tree = fit(&df, "y", TreeSpec::cart());
        let expected = target.with_name("prediction".into()).into_frame();
        for tree in [&tree, &Tree::from_json(&tree.to_json()).expect("loads")] {
            let keep_none = ScoreSpec::default().keep(Vec::<String>::new());
            let scored = tree.score_with(&df, &keep_none).expect("scores");
            assert_same(&scored, &expected, "scored");
            let lazy = collected(df.clone().lazy().select([tree.predict()]));
            assert_same(&lazy, &expected, "as an expression");
        }
    }
    // Numbers, each value a class.
    for dtype in [DataType::Float64, DataType::Float32, DataType::Decimal(6, 2)] {
        let y = Column::new("y".into(), [0.25, -1.5, 3.0]).cast(&dtype).expect("numbers");
        let df = with(&df!["x" => [1, 2, 3]].expect("a frame"), y);
        let scored =
            fit(&df, "y", TreeSpec::cart().task(Task::Classify)).score(&df).expect("scores");
        assert_eq!(scored.column("prediction").expect("there").dtype(), &dtype);
        assert_eq!(floats(&scored, "prediction"), floats(&df, "y"));
    }
}

/// More rows than are routed at a time are answered as few are: those that end in several nodes
/// too, whose rows are counted anew in each batch.
#[test]
fn rows_of_later_batches_are_answered_as_the_first() {
    let few = df![
        "x" => [1.0, 2.0, 1.0, 2.0, 1.0, 2.0],
        "colour" => ["red", "red", "blue", "blue", "grey", "grey"],
        "y" => ["A", "A", "B", "B", "A", "B"],
        "n" => [1u8, 1, 2, 2, 1, 2],
    ];
    let few = few.expect("a frame");
    let rows = df![
        "x" => [Some(1.0), Some(2.0), None, Some(f64::NAN), None],
        "colour" => [Some("red"), Some("grey"), None, Some("green"), Some("grey")],
    ];
    let rows = rows.expect("a frame");
    let all = ScoreSpec::default().probability(true).leaf(true).keep(Vec::<String>::new());
    const TIMES: usize = 60_000; // 300,000 rows
    let often = |df: &DataFrame| {
        let rows: Vec<u32> = (0..TIMES).flat_map(|_| 0..df.height() as u32).collect();
        df.take(&IdxCa::from_vec("".into(), rows)).expect("repeats")
    };
    for target in ["y", "n"] {
        let frame = few.select(["x", "colour", target]).expect("three columns");
        for missing in [Missing::Fractional, Missing::Learn] {
            let tree = fit(&frame, target, TreeSpec::id3().missing(missing));
            let (expected, seen) = tree.score_with_report(&rows, &all).expect("scores few");
            assert_eq!(seen.absent_levels, 1);
            let many = often(&rows);
            let (scored, report) = tree.score_with_report(&many, &all).expect("scores");
            assert_eq!(report.absent_levels, TIMES as u64 * seen.absent_levels);
            assert_same(&scored, &often(&expected), target);
            let lazy = collected(many.lazy().select([tree.predict(), tree.leaf_id()]));
            let names = ["prediction", "leaf_id"];
            assert_same(&lazy, &scored.select(names).expect("two columns"), "as expressions");
        }
    }
}

/// A model knows texts, not whose categories they were: the prediction's are the global ones.
#[test]
fn predictions_of_a_categorical_are_of_the_global_categories() {
    let named = Categories::new("colours".into(), "here".into(), CategoricalPhysical::U8);
    let frame = df!["x" => [1, 2, 3], "y" => ["b", "a", "b"]].expect("a frame");
    let frame = cast(&frame, "y", &DataType::from_categories(named));
    let scored = fit(&frame, "y", TreeSpec::cart()).score(&frame).expect("scores");
    let column = |name: &str| scored.column(name).expect("there").clone();
    let global = DataType::from_categories(Categories::global());
    assert_eq!(column("prediction").dtype(), &global);
    let text = |name: &str| column(name).cast(&DataType::String).expect("casts");
    assert!(text("prediction").equal(&text("y")).expect("compares").all());
}

// ---- other dtypes than the training frame's ------------------------------------------------

const INTEGERS: [DataType; 10] = [
    DataType::Int8,
    DataType::Int16,
    DataType::Int32,
    DataType::Int64,
    DataType::Int128,
    DataType::UInt8,
    DataType::UInt16,
    DataType::UInt32,
    DataType::UInt64,
    DataType::UInt128,
];

#[test]
fn integers_compare_as_integers_whatever_their_width() {
    let frame = df!["x" => [0i64, 3, 5, 100, 3, 127], "y" => ["a", "b", "c", "d", "b", "a"]]
        .expect("a frame");
    let kinds = [TreeSpec::cart(), TreeSpec::id3().nominal(["x"]), TreeSpec::cart().nominal(["x"])];
    for fitted in &INTEGERS {
        for spec in &kinds {
            let tree = fit(&cast(&frame, "x", fitted), "y", spec.clone());
            for scored in &INTEGERS {
                let scored_frame = cast(&frame, "x", scored);
                assert_eq!(
                    predictions(&tree, &scored_frame),
                    ["a", "b", "c", "d", "b", "a"],
                    "{fitted} {scored}"
                );
            }
        }
    }
    // Beyond the model's own range a number is still what it is.
    for fitted in &INTEGERS {
        let narrow =
            cast(&df!["x" => [5i64, 9], "y" => ["low", "high"]].expect("a frame"), "x", fitted);
        let tree = fit(&narrow, "y", TreeSpec::cart());
        for (far, class) in [
            (Column::new("x".into(), [i128::MIN, -1, i64::MIN.into()]), "low"),
            (Column::new("x".into(), [i128::MAX, 1 << 64, 256]), "high"),
            (Column::new("x".into(), [u128::MAX, 1 << 127, 1 << 64]), "high"),
            (Column::new("x".into(), [u64::MAX, 1 << 63, 7]), "high"),
            (Column::new("x".into(), [i64::MIN, -1, 6]), "low"),
        ] {
            assert_eq!(predictions(&tree, &far.into_frame()), [class; 3], "{fitted}");
        }
    }
    let close = df!["x" => [1i64 << 53, (1 << 53) + 1], "y" => ["a", "b"]].expect("a frame");
    let tree = fit(&close, "y", TreeSpec::cart());
    for dtype in [DataType::Int128, DataType::UInt64, DataType::UInt128] {
        assert_eq!(predictions(&tree, &cast(&close, "x", &dtype)), ["a", "b"]);
    }
}

#[test]
fn numbers_and_nulls_fit_and_the_rest_is_told_apart() {
    let frame = df!["x" => [0.5, 1.5, 2.5], "y" => ["a", "b", "a"]].expect("a frame");
    let tree = fit(&frame, "y", TreeSpec::cart());
    for dtype in [DataType::Float32, DataType::Float16, DataType::Int64, DataType::Decimal(9, 1)] {
        assert_eq!(predictions(&tree, &cast(&frame, "x", &dtype)), ["a", "b", "a"], "{dtype}");
    }
    let nulls = Column::full_null("x".into(), 2, &DataType::Null).into_frame();
    let typed = Column::full_null("x".into(), 2, &DataType::Float64).into_frame();
    assert_eq!(predictions(&tree, &nulls), predictions(&tree, &typed));

    let times = polars::prelude::TimeUnit::Milliseconds;
    let dates = cast(&cast(&frame, "x", &DataType::Int32), "x", &DataType::Date);
    let of = |df: &DataFrame| fit(df, "y", TreeSpec::cart());
    for (tree, scored, words) in [
        (&tree, DataType::String, ["str", "f64"]),
        (&of(&cast(&frame, "x", &DataType::String)), DataType::Float64, ["f64", "str"]),
        (&of(&dates), DataType::Datetime(times, None), ["datetime[ms]", "date"]),
        (
            &of(&cast(&frame, "x", &DataType::Int64)),
            DataType::Duration(times),
            ["duration[ms]", "i64"],
        ),
        (&of(&cast(&frame, "x", &DataType::Int64)), DataType::Boolean, ["bool", "i64"]),
        (&tree, DataType::List(DataType::Float64.into()), ["list[f64]", "f64"]),
    ] {
        let other = Column::full_null("x".into(), 3, &scored).into_frame();
        let error = tree.score(&other).expect_err("another dtype");
        assert!(error.is_data());
        for word in words.iter().chain(&["`x`", "cast"]) {
            assert!(error.to_string().contains(word), "{word}: {error}");
        }
        let lazy = other.lazy().select([tree.predict()]).collect();
        assert!(lazy.expect_err("another dtype").to_string().contains("`x`"));
    }
    let misspelt = iris_without_petals();
    let tree = fit(&parquet("iris"), "species", TreeSpec::cart());
    let error = tree.score(&misspelt).expect_err("no such column").to_string();
    assert!(
        error.contains("`petal_length_cm`") && error.contains("did you mean `petal_lenght_cm`?"),
        "{error}"
    );
}

fn iris_without_petals() -> DataFrame {
    let mut iris = parquet("iris");
    iris.rename("petal_length_cm", "petal_lenght_cm".into()).expect("there");
    iris
}

/// Text is matched by text, however its dictionary numbers it.
#[test]
fn text_is_text_in_any_dtype() {
    let x = ["b", "a", "c", "b", "d", "a", "c", "d"];
    let frame = df!["x" => x, "y" => ["1", "2", "3", "1", "2", "2", "3", "2"]].expect("a frame");
    let categories = |name: &'static str, order: [&str; 5]| {
        let physical = CategoricalPhysical::U16;
        let categories = Categories::new(name.into(), "frame".into(), physical);
        let dtype = DataType::from_categories(categories);
        // First come, first numbered.
        Column::new("order".into(), order).cast(&dtype).expect("a categorical");
        dtype
    };
    let dtypes = [
        DataType::String,
        categories("first", ["e", "d", "c", "b", "a"]),
        categories("second", ["c", "a", "e", "b", "d"]),
        enum_of(&["a", "b", "c", "d"]),
        enum_of(&["z", "d", "b", "c", "y", "a"]),
    ];
    let expected: Vec<String> = texts(&frame, "y").into_iter().flatten().collect();
    for grouping in [Grouping::Multiway, Grouping::OneVsRest, Grouping::Subset] {
        for fitted in &dtypes {
            let tree = fit(&cast(&frame, "x", fitted), "y", TreeSpec::cart().grouping(grouping));
            for scored in &dtypes {
                let rows = cast(&frame, "x", scored);
                assert_eq!(predictions(&tree, &rows), expected, "{grouping:?} {fitted} {scored}");
                let (_, report) =
                    tree.score_with_report(&rows, &ScoreSpec::default()).expect("scores");
                assert_eq!(
                    (report.rows, report.absent_levels),
                    (8, 0),
                    "{grouping:?} {fitted} {scored}"
                );
            }
        }
    }
    // Grades in their declared order, scored as plain text and as an enum that numbers them
    // otherwise.
    let grades = enum_of(&["poor", "fair", "good", "best"]);
    let frame = df!["x" => ["poor", "fair", "good", "best"], "y" => [0, 0, 1, 1]].expect("a frame");
    let tree = fit(&cast(&frame, "x", &grades), "y", TreeSpec::cart().ordered(["x"]));
    assert_eq!(word(&tree.nodes().expect("nodes"), "cut", 0), "good");
    for dtype in [grades, DataType::String, enum_of(&["best", "poor", "good", "fair"])] {
        assert_eq!(predictions(&tree, &cast(&frame, "x", &dtype)), ["0", "0", "1", "1"]);
    }
}

// ---- levels the node never saw -------------------------------------------------------------

#[test]
fn an_absent_level_goes_where_its_rule_says() {
    let letters = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
    let frame = df!["x" => letters("aaabbbcc"), "y" => letters("AAABBBBB")].expect("a frame");
    let unseen = df!["x" => ["z", "a", "c"]].expect("a frame");
    let leaf = ScoreSpec::default().leaf(true).probability(true);
    for (grouping, prediction, stops_at_root) in [
        (Grouping::Multiway, "B", true),   // the node's own majority
        (Grouping::OneVsRest, "B", false), // x == a does not hold
        (Grouping::Subset, "B", false),    // where missing goes: the heavier branch
    ] {
        let tree = fit(&frame, "y", TreeSpec::cart().grouping(grouping));
        let (scored, report) = tree.score_with_report(&unseen, &leaf).expect("scores");
        assert_eq!(word(&scored, "prediction", 0), prediction, "{grouping:?}");
        assert_eq!(floats(&scored, "leaf_id")[0] == Some(0.0), stops_at_root, "{grouping:?}");
        assert_eq!((report.rows, report.absent_levels), (3, 1), "{grouping:?}");
        let root_share = floats(&scored, "probability_B")[0] == Some(5.0 / 8.0);
        assert_eq!(root_share, stops_at_root, "{grouping:?}");
    }

    // Missing was seen on the lighter side: an absent level follows it there.
    let x = [vec![None; 2], letters("abbbb").into_iter().map(Some).collect()].concat();
    let frame = df!["x" => x, "y" => letters("AAABBBB")].expect("a frame");
    let tree = fit(&frame, "y", TreeSpec::cart());
    let (scored, report) = tree.score_with_report(&unseen, &leaf).expect("scores");
    assert_eq!(word(&scored, "prediction", 0), "A");
    assert_eq!(report.absent_levels, 2, "z and c");

    // Of one value and missing, only `is missing` is asked: nothing is absent from that.
    let frame = df!["x" => [Some("a"), Some("a"), None], "y" => letters("BBA")].expect("a frame");
    let tree = fit(&frame, "y", TreeSpec::cart().grouping(Grouping::OneVsRest));
    assert_eq!(predictions(&tree, &unseen), ["B", "B", "B"]);
}

/// Level `c` is known to the tree, but not to the node that asks.
#[test]
fn a_level_seen_only_elsewhere_is_absent_too() {
    let letters = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
    // Where `side` is right only `a` and `b` are seen.
    let frame = df!["side" => letters("llllllrrrrrr"), "x" => letters("ccaabbaaabbb"),
                    "y" => letters("AAAAAABBBCCC")]
    .expect("a frame");
    let elsewhere = df!["side" => ["r", "r"], "x" => ["c", "z"]].expect("a frame");
    let leaf = ScoreSpec::default().leaf(true);
    for grouping in [Grouping::Multiway, Grouping::Subset, Grouping::OneVsRest] {
        let tree = fit(&frame, "y", TreeSpec::cart().grouping(grouping));
        assert_eq!(word(&tree.nodes().expect("nodes"), "feature", 0), "side");
        let (scored, report) = tree.score_with_report(&elsewhere, &leaf).expect("scores");
        // `x == level` keeps no list of the rest: there only `z`, which training never saw.
        let absent = if grouping == Grouping::OneVsRest { 1 } else { 2 };
        assert_eq!(report.absent_levels, absent, "{grouping:?}");
        assert_eq!(texts(&scored, "prediction")[0], texts(&scored, "prediction")[1]);
        let ended = floats(&scored, "leaf_id")[0].expect("a node") as u32;
        let stopped = tree.node_slice()[ended as usize].split.is_some();
        assert_eq!(stopped, grouping == Grouping::Multiway, "{grouping:?}");
    }
}

#[test]
fn missing_that_was_forbidden_in_training_is_forbidden_in_scoring() {
    let frame = df!["x" => [1.0, 2.0], "unused" => [0, 0], "y" => ["A", "B"]].expect("a frame");
    let tree = fit(&frame, "y", TreeSpec::cart().missing(Missing::Error));
    let holes = df!["x" => [1.0, 2.0, f64::NAN], "unused" => [None::<i32>; 3]].expect("a frame");
    let error = tree.score(&holes).expect_err("is missing");
    assert!(error.is_data());
    for word in ["`x`", "row 3", "f64"] {
        assert!(error.to_string().contains(word), "{error}");
    }
    let holes = df!["x" => [1.0], "unused" => [None::<i32>]].expect("a frame");
    assert_eq!(predictions(&tree, &holes), ["A"], "only what is used is looked at");
}

// ---- judging -------------------------------------------------------------------------------

#[test]
fn answers_are_judged_by_hand_worked_figures() {
    let train = df!["x" => [1, 1, 1, 2, 2], "y" => ["A", "A", "B", "B", "B"]].expect("a frame");
    let tree = fit(&train, "y", TreeSpec::cart());
    // p(A) is 2/3 where x is 1, and 0 where it is 2. C was never trained.
    let test = df!["x" => [1, 1, 2, 2, 2], "y" => ["A", "B", "B", "A", "C"]].expect("a frame");
    let least = 2f64.powi(-52).ln();
    let loss = -((2.0 / 3.0f64).ln() + (1.0 / 3.0f64).ln() + 2.0 * least) / 5.0;
    for dtype in [
        DataType::String,
        DataType::from_categories(Categories::global()),
        enum_of(&["C", "B", "A"]),
    ] {
        let test = cast(&test, "y", &dtype);
        let judged = tree.evaluate(&test).expect("judges");
        assert_eq!(
            schema(&judged),
            "rows u64, accuracy f64, majority_accuracy f64, log_loss f64, brier f64, roc_auc f64, \
             average_precision f64, event str, absent_levels u64"
        );
        assert_eq!(floats(&judged, "rows"), [Some(5.0)]);
        assert_eq!(floats(&judged, "accuracy"), [Some(2.0 / 5.0)]);
        let found = floats(&judged, "log_loss")[0].expect("a loss");
        assert!((found - loss).abs() < 1e-12, "{found} {loss}");
        // A is the rarer in training. Of A are two rows, of p(A) 2/3 and 0; of the others one has 2/3
        // and two have 0.
        assert_eq!(floats(&judged, "majority_accuracy"), [Some(2.0 / 5.0)]);
        assert_eq!(floats(&judged, "roc_auc"), [Some((2.5 + 1.0) / 6.0)]);
        assert_eq!(floats(&judged, "average_precision"), [Some((1.0 / 2.0 + 2.0 / 5.0) / 2.0)]);
        let found = floats(&judged, "brier")[0].expect("a figure");
        assert!((found - (2.0 + 8.0 + 18.0 + 18.0) / 9.0 / 5.0 / 2.0).abs() < 1e-15, "{found}");

        let classes = tree.by_class(&test).expect("a table");
        assert_eq!(
            schema(&classes),
            "class str, n u64, predicted u64, precision f64, recall f64, f1 f64, roc_auc f64, \
             average_precision f64"
        );
        assert_eq!(texts(&classes, "class"), ["A", "B"].map(|t| Some(t.to_string())));
        assert_eq!(floats(&classes, "n"), [Some(2.0), Some(2.0)]);
        assert_eq!(floats(&classes, "predicted"), [Some(2.0), Some(3.0)]);
        assert_eq!(floats(&classes, "precision"), [Some(0.5), Some(1.0 / 3.0)]);
        assert_eq!(floats(&classes, "recall"), [Some(0.5), Some(0.5)]);
        assert_eq!(floats(&classes, "f1"), [Some(0.5), Some(0.4)]);

        let two = |a: f64, b: f64| [Some(a), Some(b)];
        assert_eq!(floats(&classes, "roc_auc"), two(3.5 / 6.0, 2.5 / 6.0));

        let bins = tree.calibration(&test, &EvalSpec::default()).expect("a table");
        assert_eq!(floats(&bins, "at_least"), two(0.0, 2.0 / 3.0));
        assert_eq!(floats(&bins, "n"), two(3.0, 2.0));
        assert_eq!(floats(&bins, "mean_probability"), two(0.0, 2.0 / 3.0));
        assert_eq!(floats(&bins, "actual_share"), two(1.0 / 3.0, 0.5));
        assert_eq!(floats(&bins, "lift"), two(1.0 / 3.0 / 0.4, 0.5 / 0.4));

        let confusion = tree.confusion(&test).expect("a table");
        assert_eq!(schema(&confusion), "actual str, predicted str, n u64");
        let actual = [Some("A"), Some("A"), Some("B"), Some("B"), None, None];
        assert_eq!(texts(&confusion, "actual"), actual.map(|t| t.map(String::from)));
        let predicted = ["A", "B"].map(|t| Some(t.to_string()));
        assert_eq!(
            texts(&confusion, "predicted"),
            [predicted.clone(), predicted.clone(), predicted].concat()
        );
        assert_eq!(floats(&confusion, "n"), [1, 1, 1, 1, 0, 1].map(|n| Some(f64::from(n))));
    }
    let perfect = tree.evaluate(&test.slice(2, 1)).expect("judges");
    assert_eq!(floats(&perfect, "log_loss"), [Some(0.0)]);
    assert!(floats(&perfect, "log_loss")[0].expect("a loss").is_sign_positive());
    assert_eq!(floats(&perfect, "roc_auc"), [None], "of one class there is no curve");
    assert_eq!(tree.confusion(&train).expect("a table").height(), 4, "nothing unseen");
    let none = tree.confusion(&test.head(Some(0))).expect("a table");
    assert_eq!(floats(&none, "n"), [Some(0.0); 4]);

    for (frame, words) in [
        (test.head(Some(0)), ["no rows", "rows"]),
        (df!["x" => [1, 2], "y" => [Some("A"), None]].expect("a frame"), ["`y`", "row 2"]),
        (df!["x" => [1, 2]].expect("a frame"), ["`y`", "no such column"]),
        (df!["x" => [1, 2], "y" => [1, 2]].expect("a frame"), ["`y`", "i32"]),
    ] {
        let error = tree.evaluate(&frame).expect_err("cannot be judged");
        assert!(error.is_data());
        assert!(words.iter().all(|w| error.to_string().contains(w)), "{error}");
    }
    // Integers of another width are the same classes.
    let numbers = df!["x" => [1, 2], "y" => [0i64, 1]].expect("a frame");
    let tree = fit(&numbers, "y", TreeSpec::cart());
    let judged = tree.evaluate(&cast(&numbers, "y", &DataType::UInt8)).expect("judges");
    assert_eq!(floats(&judged, "accuracy"), [Some(1.0)]);
}
