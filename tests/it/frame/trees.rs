//! `fit_tree`, and the tree in tables and words.

use super::*;

const IMPORTANCE: &str = "rank u32, feature str, importance f64, total_gain f64, n_splits u64, \
    min_depth u32, coverage f64";
const NODES: &str = "node_id u32, parent_id u32, depth u32, is_leaf bool, feature str, op str, \
    cut str, threshold f64, levels list[str], branches list[u32], missing_to u32, n u64, \
    weight f64, impurity f64, gain f64, prediction str, class_counts list[f64], approximate bool";
const RULES: &str = "leaf_id u32, rule str, prediction str, probability f64, n u64, weight f64";

fn fit(df: &DataFrame, target: &str, spec: TreeSpec) -> Tree {
    df.fit_tree(target, &spec).expect("fits").tree
}

/// The cells of a column of lists, as text.
fn lists(df: &DataFrame, name: &str) -> Vec<Option<Vec<String>>> {
    let lists = df.column(name).expect("there").list().expect("lists").clone();
    let cell = |s: Series| {
        let texts = s.cast(&DataType::String).expect("text");
        texts.str().expect("text").iter().flatten().map(str::to_string).collect()
    };
    lists.amortized_iter().map(|s| s.map(|s| cell(s.deep_clone()))).collect()
}

/// A rare class is shown where the other one is predicted; any class where it is the event.
#[test]
fn text_shows_the_share_of_the_event() {
    let x: Vec<i32> = (0..1000).map(|row| row % 10).collect();
    let rare: Vec<bool> = (0..1000).map(|row| row % 10 == 7 && row % 4 < 3 || row == 1).collect();
    let df = df!["x" => x, "rare" => rare].expect("a frame");
    let tree = df.fit_tree("rare", &TreeSpec::cart().max_depth(2)).expect("fits").tree;
    let text = tree.to_text(1);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[1], "all rows: false (94.9 % of 1000, true 5.1 %)");
    assert_eq!(lines[2], "├─ x < 7: false (99.9 % of 700, true 0.14 %) …");
    assert_eq!(tree.to_string(), tree.to_text(20));
    let about_false = tree.to_text_about(2, Some("false")).expect("a class");
    assert!(about_false.contains("all rows: false (94.9 % of 1000)"), "{about_false}");
    assert!(
        tree.to_text_about(2, Some("maybe")).expect_err("no class").to_string().contains("`maybe`")
    );
    // Of more classes it is shown on request alone.
    let iris =
        parquet("iris").fit_tree("species", &TreeSpec::cart().max_depth(1)).expect("fits").tree;
    assert!(!iris.to_text(2).contains(", virginica"), "{}", iris.to_text(2));
    let about = iris.to_text_about(2, Some("virginica")).expect("a class");
    assert!(about.contains("setosa (33.3 % of 150, virginica 33.3 %)"), "{about}");
    let numbers = parquet("iris").fit_tree("sepal_width_cm", &TreeSpec::cart()).expect("fits").tree;
    let refused = numbers.to_text_about(2, Some("virginica")).expect_err("numbers").to_string();
    assert!(refused.contains("has no classes"), "{refused}");
}

#[test]
fn every_table_of_every_tree_has_one_schema() {
    let iris = parquet("iris");
    let leaf = df!["x" => ["a", "a"], "y" => [1, 2]].expect("a frame");
    for (tree, nodes) in [
        (fit(&iris, "species", TreeSpec::cart()), 17),
        (fit(&weather(), "play", TreeSpec::id3()), 8),
        (fit(&iris, "species", TreeSpec::cart().max_depth(0)), 1),
        (fit(&leaf, "y", TreeSpec::cart()), 1),
    ] {
        assert_eq!(schema(&tree.importance().expect("a table")), IMPORTANCE);
        assert_eq!(schema(&tree.nodes().expect("a table")), NODES);
        assert_eq!(schema(&tree.rules().expect("a table")), RULES);
        assert_eq!(tree.nodes().expect("a table").height(), nodes);
    }
}

#[test]
fn a_single_leaf_says_always() {
    let tree = fit(&parquet("iris"), "species", TreeSpec::cart().max_depth(0));
    let rules = tree.rules().expect("rules");
    assert_eq!((rules.height(), word(&rules, "rule", 0).as_str()), (1, "always"));
    // Three classes of fifty: the lowest, and its share.
    assert_eq!(word(&rules, "prediction", 0), "setosa");
    assert_eq!(floats(&rules, "probability"), [Some(1.0 / 3.0)]);
    let importance = tree.importance().expect("a table");
    assert_eq!(importance.height(), 4);
    for name in ["importance", "total_gain", "n_splits", "coverage"] {
        assert_eq!(floats(&importance, name), [Some(0.0); 4], "{name}");
    }
    assert_eq!(importance.column("min_depth").expect("there").null_count(), 4);
    let nodes = tree.nodes().expect("nodes");
    for name in ["parent_id", "feature", "op", "cut", "threshold", "levels", "branches", "gain"] {
        assert_eq!(nodes.column(name).expect("there").null_count(), 1, "{name}");
    }
    assert_eq!(
        tree.to_string(),
        "\
CART tree of `species`: 1 node, which is a leaf
all rows: setosa (33.3 % of 150)
"
    );
}

#[test]
fn iris_grows_the_known_tree() {
    let iris = parquet("iris");
    let fitted = iris.fit_tree("species", &TreeSpec::cart()).expect("fits");
    let tree = &fitted.tree;
    assert_eq!((tree.n_nodes(), tree.n_leaves()), (17, 9));

    let columns = ["sepal_length_cm", "sepal_width_cm", "petal_length_cm", "petal_width_cm"];
    let known = ["0.0266667", "0.0000000", "0.5507226", "0.4226107"];
    let importances = columns.map(|f| digits(figure(&fitted.importance, f, "importance"), 7));
    assert_eq!(importances, known);
    assert_same(&fitted.importance, &tree.importance().expect("a table"), "importance");
    let order: Vec<String> = texts(&fitted.importance, "feature").into_iter().flatten().collect();
    assert_eq!(order, ["petal_length_cm", "petal_width_cm", "sepal_length_cm", "sepal_width_cm"]);
    assert_eq!(figure(&fitted.importance, "petal_length_cm", "coverage"), 1.0);
    assert_eq!(figure(&fitted.importance, "petal_length_cm", "min_depth"), 0.0);
    assert_eq!(floats(&fitted.importance, "min_depth")[3], None, "it is not used");

    let nodes = tree.nodes().expect("nodes");
    let root = ["feature", "op", "cut", "prediction"].map(|name| word(&nodes, name, 0));
    assert_eq!(root, ["petal_length_cm", ">=", "2.45", "setosa"]);
    let figures = ["threshold", "n", "weight", "impurity", "gain", "missing_to"];
    let third = 1.0 / 3.0;
    let expected = [2.45, 150.0, 150.0, 2.0 * third, third, 2.0];
    for (name, expected) in figures.iter().zip(expected) {
        let found = floats(&nodes, name)[0].expect("a figure");
        assert!((found - expected).abs() < 1e-12, "{name} {found}");
    }
    assert_eq!(lists(&nodes, "branches")[0], Some(vec!["1".to_string(), "2".to_string()]));
    assert_eq!(lists(&nodes, "class_counts")[0], Some(vec!["50.0".to_string(); 3]));
    assert_eq!(lists(&nodes, "levels")[0], None);
}

#[test]
fn a_tree_draws_itself() {
    let drawn = fit(&parquet("iris"), "species", TreeSpec::cart().max_depth(2)).to_string();
    assert_eq!(
        drawn,
        "\
CART tree of `species`: 5 nodes, 3 leaves, depth 2
all rows: setosa (33.3 % of 150)
├─ petal_length_cm < 2.45: setosa (100.0 % of 50)
└─ petal_length_cm >= 2.45: versicolor (50.0 % of 100)
   ├─ petal_width_cm < 1.75: versicolor (90.7 % of 54)
   └─ petal_width_cm >= 1.75: virginica (97.8 % of 46)
"
    );
    let drawn = fit(&weather(), "play", TreeSpec::c45().pruning(Pruning::None)).to_string();
    assert_eq!(
        drawn,
        "\
C4.5 tree of `play`: 8 nodes, 5 leaves, depth 2
all rows: yes (64.3 % of 14)
├─ outlook == overcast: yes (100.0 % of 4)
├─ outlook == rainy: yes (60.0 % of 5)
│  ├─ windy == false: yes (100.0 % of 3)
│  └─ windy == true: no (100.0 % of 2)
└─ outlook == sunny: no (60.0 % of 5)
   ├─ humidity == high: no (100.0 % of 3)
   └─ humidity == normal: yes (100.0 % of 2)
"
    );
}

/// A multiway rule has a branch per level, then missing, and a line for what it never saw.
#[test]
fn multiway_rules_read_in_level_order() {
    let frame = df!["x" => [Some("b"), Some("b"), Some("a"), Some("a"), None, None],
                    "y" => ["B", "B", "A", "A", "C", "C"]]
    .expect("a frame");
    let tree = fit(&frame, "y", TreeSpec::id3());
    let nodes = tree.nodes().expect("nodes");
    assert_eq!(word(&nodes, "op", 0), "each");
    assert_eq!(lists(&nodes, "levels")[0], Some(["a", "b"].map(String::from).to_vec()));
    assert_eq!(lists(&nodes, "branches")[0], Some(["1", "2", "3"].map(String::from).to_vec()));
    assert_eq!(floats(&nodes, "missing_to")[0], Some(3.0));
    let predictions: Vec<String> = texts(&nodes, "prediction").into_iter().flatten().collect();
    assert_eq!(predictions, ["A", "A", "B", "C"]);
    let rules: Vec<String> =
        texts(&tree.rules().expect("rules"), "rule").into_iter().flatten().collect();
    let mut expected = vec!["x == a", "x == b", "x is missing", "x otherwise"];
    expected.sort_by_key(|rule| rules.iter().position(|r| r == rule));
    assert_eq!(rules, expected);

    let frame =
        df!["x" => ["c", "c", "a", "a", "b", "b"], "y" => [true, true, false, false, true, true]]
            .expect("a frame");
    let tree = fit(&frame, "y", TreeSpec::cart());
    let nodes = tree.nodes().expect("nodes");
    assert_eq!(word(&nodes, "op", 0), "in");
    assert_eq!(
        lists(&nodes, "levels")[0],
        Some(["b", "c"].map(String::from).to_vec()),
        "these go right"
    );
    assert_eq!(word(&tree.rules().expect("rules"), "rule", 1), "x in {b, c}");
}

/// Node for node: children add up to their parent, and the classes to the weight.
#[test]
fn nodes_conserve_their_rows() {
    let iris = parquet("iris");
    let weights: Vec<f64> = (0..150).map(|i| f64::from(i % 3) / 2.0).collect();
    let weighed = with(&iris, Column::new("w".into(), weights));
    for (df, target, spec) in [
        (&iris, "species", TreeSpec::cart()),
        (&weighed, "species", TreeSpec::c45().pruning(Pruning::None).weight("w")),
        (&weather(), "play", TreeSpec::id3()),
        (&parquet("breast_cancer"), "diagnosis", TreeSpec::cart().criterion(Criterion::Entropy)),
    ] {
        let tree = fit(df, target, spec);
        let nodes = tree.nodes().expect("nodes");
        let branches = lists(&nodes, "branches");
        for (at, branches) in branches.iter().enumerate() {
            let Some(branches) = branches else { continue };
            let ids: Vec<usize> = branches.iter().map(|id| id.parse().expect("an id")).collect();
            for name in ["n", "weight"] {
                let of = |id: usize| floats(&nodes, name)[id].expect("a figure");
                assert_eq!(ids.iter().map(|&id| of(id)).sum::<f64>(), of(at), "{name} of {at}");
            }
            for id in ids {
                assert_eq!(floats(&nodes, "parent_id")[id], Some(at as f64));
                assert_eq!(
                    floats(&nodes, "depth")[id],
                    floats(&nodes, "depth")[at].map(|d| d + 1.0)
                );
            }
        }
        let importance = tree.importance().expect("a table");
        let sum: f64 = floats(&importance, "importance").into_iter().flatten().sum();
        assert!((sum - 1.0).abs() < 1e-12);
        assert_eq!(importance.height(), tree.schema().features.len(), "every feature is listed");
    }
}

/// What a rule of ordered features says, as a filter.
fn as_filter(rule: &str) -> Expr {
    let number = |text: &str| lit(text.parse::<f64>().expect("a number"));
    let one = |part: &str| match part.split(' ').collect::<Vec<_>>()[..] {
        [lo, "<=", x, "<", hi] => col(x).gt_eq(number(lo)).and(col(x).lt(number(hi))),
        [x, ">=", cut] => col(x).gt_eq(number(cut)),
        [x, "<", cut] => col(x).lt(number(cut)),
        _ => panic!("{part}"),
    };
    rule.split(" and ").map(one).reduce(Expr::and).expect("a condition")
}

/// Each feature is said once, and the rows that fit the words are the leaf's.
#[test]
fn rules_mean_what_they_say() {
    for (name, target) in
        [("iris", "species"), ("breast_cancer", "diagnosis"), ("wine", "cultivar")]
    {
        let df = parquet(name);
        let tree = fit(&df, target, TreeSpec::cart());
        let rules = tree.rules().expect("rules");
        assert_eq!(rules.height(), tree.n_leaves());
        let with_leaf = tree.score_with(&df, &ScoreSpec::default().leaf(true)).expect("scores");
        for row in 0..rules.height() {
            let rule = word(&rules, "rule", row);
            for feature in df.get_column_names() {
                let said = rule.split(' ').filter(|w| *w == feature.as_str()).count();
                assert!(said <= 1, "{feature} is said {said} times in {rule}");
            }
            let rows = only(&with_leaf, as_filter(&rule));
            let n = floats(&rules, "n")[row].expect("rows");
            assert_eq!(rows.height() as f64, n, "{rule}");
            let leaf = floats(&rules, "leaf_id")[row];
            assert!(floats(&rows, "leaf_id").iter().all(|id| *id == leaf), "{rule}");
            let right = rows.column(target).expect("there").cast(&DataType::String).expect("text");
            let prediction = word(&rules, "prediction", row);
            let right =
                right.str().expect("text").iter().filter(|t| *t == Some(&prediction)).count();
            assert_eq!(floats(&rules, "probability")[row], Some(right as f64 / n));
        }
    }
}

// ---- cuts in the column's own type ---------------------------------------------------------

/// Around both changes of the clocks in Berlin, and in milli-, micro- and nanoseconds.
#[test]
fn a_zoned_cut_reads_in_its_zone() {
    let hour = 3_600_000i64;
    let spring = 1_711_846_800_000; // 2024-03-31 01:00 UTC: 01:59:59.999 is followed by 03:00
    let autumn = 1_729_990_800_000; // 2024-10-27 01:00 UTC: 02:59:59.999 is followed by 02:00
    for (zone, lo, hi, cut) in [
        ("Europe/Berlin", spring - hour, spring + hour, "2024-03-31 03:00:00+02:00"),
        ("Europe/Berlin", spring - hour, spring + hour - 2, "2024-03-31 01:59:59.999+01:00"),
        ("Europe/Berlin", autumn - hour, autumn, "2024-10-27 02:30:00+02:00"),
        ("Europe/Berlin", autumn - hour, autumn + hour, "2024-10-27 02:00:00+01:00"),
        ("Asia/Kathmandu", 0, 2 * hour, "1970-01-01 06:30:00+05:30"),
        ("America/St_Johns", 0, 2 * hour, "1969-12-31 21:30:00-03:30"),
        ("UTC", -2, 0, "1969-12-31 23:59:59.999Z"),
    ] {
        for (unit, per) in [
            (polars::prelude::TimeUnit::Milliseconds, 1),
            (polars::prelude::TimeUnit::Microseconds, 1_000),
            (polars::prelude::TimeUnit::Nanoseconds, 1_000_000),
        ] {
            let zone = polars::prelude::TimeZone::opt_try_new(Some(zone)).expect("a zone");
            let dtype = DataType::Datetime(unit, zone);
            let at = Column::new("at".into(), [lo * per, hi * per]).cast(&dtype).expect("times");
            let df = with(&df!["y" => ["A", "B"]].expect("a frame"), at);
            let tree = fit(&df, "y", TreeSpec::cart());
            assert_eq!(word(&tree.nodes().expect("nodes"), "cut", 0), cut);
            assert_eq!(word(&tree.rules().expect("rules"), "rule", 0), format!("at < {cut}"));
            assert!(tree.to_string().contains(&format!("└─ at >= {cut}: B")), "{tree}");
            let ranking = df.rank_gain("y", &full()).expect("ranks");
            assert_eq!(word(&ranking, "cut", 0), cut);
            let curve = df.split_candidates("y", "at", &full()).expect("rates");
            assert_eq!(curve.column("threshold").expect("there").dtype(), &dtype);
            let threshold = (lo + hi + 1).div_euclid(2) * per;
            assert_eq!(floats(&curve, "threshold"), [Some(threshold as f64)]);
            let reloaded = Tree::from_json(&tree.to_json()).expect("loads");
            assert_same(&reloaded.nodes().expect("nodes"), &tree.nodes().expect("nodes"), cut);
        }
    }
}

/// Missing goes where the text says, and where rows are divided the weights are shown.
#[test]
fn text_says_where_missing_goes() {
    let x = [Some(1), Some(1), None, Some(2), Some(2), Some(2), None, Some(1)];
    let frame = df!["x" => x, "y" => ["A", "A", "A", "B", "B", "B", "B", "A"]].expect("a frame");
    let learnt = fit(&frame, "y", TreeSpec::cart().max_depth(1)).to_string();
    assert!(
        learnt.contains("x < 2 or missing: ") || learnt.contains("x >= 2 or missing: "),
        "{learnt}"
    );
    let spec = TreeSpec::c45().pruning(Pruning::None).max_depth(1).min_samples_leaf(1);
    let shared = fit(&frame, "y", spec.clone()).to_string();
    let said: Vec<&str> = shared.lines().collect();
    assert!(said[1].contains("goes down every branch in part"), "{shared}");
    // Three known rows of each side and half of the two others.
    assert_eq!(said[3], "├─ x < 2: A (87.5 % of 4)", "{shared}");
    assert_eq!(said[4], "└─ x >= 2: B (87.5 % of 4)", "{shared}");
    let dot = fit(&frame, "y", spec.clone()).to_dot(u32::MAX);
    assert!(dot.contains("weight 4") && !dot.contains("rows"), "{dot}");
    let known = only(&frame, col("x").is_not_null());
    let whole = fit(&known, "y", spec).to_string();
    assert!(!whole.contains("in part") && whole.contains("of 3)"), "{whole}");
}

#[test]
fn a_fit_says_what_to_know_of_it() {
    let n = 40;
    let id: Vec<String> = (0..n).map(|i| format!("row {i}")).collect();
    let frame = df!["id" => id, "x" => (0..n).map(|i| i % 7).collect::<Vec<i32>>(),
                    "y" => (0..n).map(|i| i % 21).collect::<Vec<i32>>()]
    .expect("a frame");
    let notes = frame.fit_tree("y", &TreeSpec::cart()).expect("fits").notes;
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(notes[0].contains("`y` (i32)") && notes[0].contains("task = regress"), "{notes:?}");
    assert!(notes[1].contains("`id` (str) is like an id: 40 values in 40 rows"), "{notes:?}");
    let spec = TreeSpec::cart().task(Task::Regress).exclude(["id"]);
    let fit = frame.fit_tree("y", &spec).expect("fits");
    assert!(fit.notes.is_empty(), "{:?}", fit.notes);
    let features: Vec<&str> = fit.tree.schema().features.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(features, ["x"]);
    // What is excluded is kept in the model, and cross-validation does without it.
    let loaded = Tree::from_json(&fit.tree.to_json()).expect("loads");
    assert_eq!((loaded.spec().exclude.as_slice(), &loaded), (&["id".to_string()][..], &fit.tree));
    loaded.prune_cross_validated(&frame, &CvSpec::default().folds(3)).expect("prunes");
    let ranking = frame.rank_gain("y", &full().exclude(["id"])).expect("ranks");
    assert_eq!(texts(&ranking, "feature"), [Some("x".to_string())]);
    let unknown = frame.fit_tree("y", &TreeSpec::cart().exclude(["idd"])).expect_err("a typo");
    assert!(unknown.to_string().contains("column to exclude `idd`"), "{unknown}");
}

/// `?` works where a query's error is expected.
#[test]
fn errors_are_polars_errors_too() {
    fn leaves(df: &DataFrame) -> PolarsResult<usize> {
        Ok(df.fit_tree("z", &TreeSpec::cart())?.tree.n_leaves())
    }
    let error = leaves(&weather()).expect_err("no such column").to_string();
    assert!(error.contains("target `z`: no such column"), "{error}");
}

/// Random levels gain what chance gains; a feature whose levels tell something is not told of.
#[test]
fn features_that_gain_by_chance_are_told_of() {
    let mix = |row: u32, of: u32| {
        let x = row.wrapping_mul(2_654_435_761) ^ of.wrapping_mul(0x9e37_79b9);
        ((x ^ (x >> 15)).wrapping_mul(0x2c1b_3c6d) >> 12) as i32
    };
    let rows = 0..3000u32;
    let shop = |row: u32| mix(row, 2) % 40;
    // Half of the rows go by the shop.
    let class = |row: u32| if mix(row, 3) % 2 == 0 { shop(row) % 2 } else { mix(row, 4) % 2 };
    let texts = |of: &dyn Fn(u32) -> i32| -> Vec<String> {
        rows.clone().map(|row| format!("k{}", of(row))).collect()
    };
    let frame = df![
        "code" => texts(&|row| mix(row, 1) % 400),
        "shop" => texts(&shop),
        "y" => texts(&class),
        "number" => rows.clone().map(|row| f64::from(class(row))).collect::<Vec<_>>(),
    ]
    .expect("a frame");
    let cart = TreeSpec::cart().max_depth(4).min_samples_leaf(20);
    for (target, other) in [("y", "number"), ("number", "y")] {
        for (spec, remedy) in [
            (cart.clone(), Some("max_subset_levels = 32")),
            (cart.clone().criterion(Criterion::Entropy), Some("--max-subset-levels 32")),
            (
                cart.clone().grouping(Grouping::Multiway).max_depth(2).min_samples_leaf(1),
                Some("min_samples_leaf"),
            ),
            (cart.clone().max_subset_levels(100), None),
            (cart.clone().grouping(Grouping::OneVsRest), None),
            (cart.clone().exclude(["code"]), None),
        ] {
            let excluded = spec.exclude.iter().map(String::as_str).chain([other]);
            let spec = spec.clone().exclude(excluded.collect::<Vec<_>>());
            let notes = frame.fit_tree(target, &spec).expect("fits").notes;
            let told = notes.iter().find(|note| note.contains("random levels"));
            match remedy {
                Some(remedy) => {
                    let note = told.unwrap_or_else(|| panic!("{target} {spec:?} {notes:?}"));
                    assert!(note.starts_with("feature `code` (str) has "), "{note}");
                    assert!(note.contains(remedy), "{note}");
                }
                None => assert_eq!(told, None, "{target} {spec:?}"),
            }
            assert!(!notes.iter().any(|note| note.contains("`shop`")), "{notes:?}");
            let rows = frame.clone().lazy();
            let streamed =
                rows.fit_tree_streaming(target, &spec, &gaintree::Budget::of_memory(64 << 20));
            assert_eq!(streamed.expect("fits").notes.iter().find(|n| n.contains("random")), told);
        }
    }
    // The limit that is proposed is below the number of levels.
    let few = df!["few" => texts(&|row| mix(row, 5) % 12), "y" => texts(&|row| mix(row, 6) % 2)];
    let notes = few.expect("a frame").fit_tree("y", &cart.max_depth(1)).expect("fits").notes;
    assert!(notes.iter().any(|note| note.contains("max_subset_levels = 11,")), "{notes:?}");
}
