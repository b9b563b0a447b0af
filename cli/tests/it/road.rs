//! From data to answers, with the numbers of the textbooks.

use super::*;

#[test]
fn iris_all_the_way() {
    let place = Place::new();
    let ranking = place.done("rank iris.parquet --target species");
    let lines: Vec<Vec<&str>> = ranking.lines().map(words).collect();
    let header =
        "rank feature kind n_levels n_missing split info_gain gain_ratio gini_gain rule rule_gain";
    assert_eq!(lines[0], words(header));
    let best = "1 petal_length_cm ordered 43 0 cut 0.918296 1.000000 0.333333 petal_length_cm >= \
                2.45 0.918296";
    assert_eq!(lines[1], words(best));
    assert_eq!(lines[3][..7], words("3 sepal_length_cm ordered 35 0 cut 0.557233")[..]);
    assert_eq!(lines.len(), 5);

    let fit = "fit iris.parquet --target species -o iris.json --importance used.csv";
    let Ran { out, err, .. } = place.ends_well(fit);
    assert_eq!([out.as_str(), &err], ["", "17 nodes, 9 leaves, depth 5 -> iris.json\n"]);
    let importance = place.frame("used.csv");
    let features = importance.column("feature").expect("there").str().expect("text");
    assert_eq!(features.get(0), Some("petal_length_cm"));
    assert_eq!(features.get(3), Some("sepal_width_cm"));

    let text = place.done("show iris.json");
    let start = "CART tree of `species`: 17 nodes, 9 leaves, depth 5\n\
                 all rows: setosa (33.3 % of 150)\n\
                 ├─ petal_length_cm < 2.45: setosa (100.0 % of 50)\n";
    assert!(text.starts_with(start), "{text}");
    assert_eq!(text.lines().count(), 18);
    let folded = place.done("show iris.json --max-depth 1");
    assert_eq!(folded.lines().last(), Some("… 14 nodes below depth 1 are folded"));
    assert_eq!(place.done("show iris.json --as rules").lines().count(), 1 + 9);
    assert_eq!(place.done("show iris.json --as nodes").lines().count(), 1 + 17);
    assert_eq!(place.done("show iris.json --as json"), place.text("iris.json"));

    place.done("score iris.json iris.parquet -o scored.parquet --probability --leaf");
    let scored = place.frame("scored.parquet");
    assert_eq!(scored.width(), 5 + 1 + 3 + 1);
    let prediction = scored.column("prediction").expect("there").clone();
    assert_eq!(&prediction.with_name("species".into()), scored.column("species").expect("there"));
    assert_eq!(scored.column("leaf_id").expect("there").u32().expect("u32").get(0), Some(1));

    let eval = place.done("eval iris.json iris.parquet");
    let lines: Vec<Vec<&str>> = eval.lines().map(words).collect();
    let header = "rows accuracy majority_accuracy log_loss brier roc_auc average_precision event \
                  absent_levels";
    assert_eq!(lines[0], words(header));
    assert_eq!(lines[1], words("150 1.000000 0.333333 0.000000 0.000000 1.000000 1.000000 - 0"));
    let header = "class n predicted precision recall f1 roc_auc average_precision";
    assert_eq!(lines[3], words(header));
    assert_eq!(lines[4][..3], ["setosa", "50", "50"]);
    assert!(lines[4][3..].iter().all(|figure| *figure == "1.000000"), "{:?}", lines[4]);
    assert_eq!(lines[9], ["setosa", "50", "0", "0"]);
    assert_eq!(lines[11], ["virginica", "0", "0", "50"]);
}

#[test]
fn weather_all_the_way() {
    let place = Place::new();
    let ranking = place.done("rank weather.csv --target play");
    let figures: Vec<Vec<&str>> =
        ranking.lines().skip(1).map(|l| words(l)[1..9].to_vec()).collect();
    assert_eq!(figures[0], words("outlook nominal 3 0 levels 0.246750 0.156428 0.102041"));
    assert_eq!(figures[1], words("humidity nominal 2 0 levels 0.151836 0.151836 0.091837"));
    assert_eq!(figures[2], words("windy nominal 2 0 levels 0.048127 0.048849 0.030612"));
    assert_eq!(figures[3], words("temperature nominal 3 0 levels 0.029223 0.018773 0.016327"));

    let fit = place.run("fit weather.csv --target play --algorithm id3 -o play.json");
    assert_eq!(fit.err, "8 nodes, 5 leaves, depth 2 -> play.json\n");
    assert_eq!(
        place.done("show play.json"),
        "ID3 tree of `play`: 8 nodes, 5 leaves, depth 2\n\
         all rows: yes (64.3 % of 14)\n\
         ├─ outlook == overcast: yes (100.0 % of 4)\n\
         ├─ outlook == rainy: yes (60.0 % of 5)\n\
         │  ├─ windy == false: yes (100.0 % of 3)\n\
         │  └─ windy == true: no (100.0 % of 2)\n\
         └─ outlook == sunny: no (60.0 % of 5)\n\
         \u{20}  ├─ humidity == high: no (100.0 % of 3)\n\
         \u{20}  └─ humidity == normal: yes (100.0 % of 2)\n"
    );
    let csv = place.done("score play.json weather.csv --keep play");
    assert_eq!(csv.lines().next(), Some("play,prediction"));
    assert!(csv.lines().skip(1).all(|l| l == "no,no" || l == "yes,yes"), "{csv}");
    assert_eq!(words(&place.done("eval play.json weather.csv"))[9..11], ["14", "1.000000"]);

    // A level the tree never saw stops where it is met, and is told of.
    place.write("new.csv", "outlook,humidity,windy\nfoggy,high,true\nsunny,high,true\n");
    let scored = place.run("score play.json new.csv --keep outlook");
    assert_eq!(scored.out, "outlook,prediction\nfoggy,yes\nsunny,no\n");
    assert_eq!(
        scored.err,
        "1 row of 2 has a value that no training row had at that node of the tree: the prediction \
         is a guess\n"
    );
}

#[test]
fn the_curve_lists_every_cut_and_level() {
    let place = Place::new();
    let levels = place.done("curve weather.csv --target play --feature outlook");
    let gini: Vec<&str> =
        levels.lines().map(|l| words(l)[if l.starts_with("rule") { 9 } else { 11 }]).collect();
    assert_eq!(gini, ["gini_split", "0.357143", "0.457143", "0.393651"]);
    assert!(!levels.contains("-0.0"), "{levels}");
    place.done("curve iris.parquet --target species --feature petal_width_cm -o curve.parquet");
    let curve = place.frame("curve.parquet");
    assert_eq!(curve.height(), 21);
    assert_eq!(curve.column("threshold").expect("there").dtype(), &DataType::Float64);
    assert!(curve.column("share_right_virginica").is_ok());
}

#[test]
fn a_ranking_does_what_its_flags_say() {
    let place = Place::new();
    let first = |flags: &str| {
        let out = place.done(&format!("rank loan.csv --target approved {flags}"));
        let line = words(out.lines().nth(1).expect("a line"));
        line.into_iter().map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(first("--features has_job,credit")[1], "credit");
    assert_eq!(first("--features has_job,credit --sort-by gain-ratio")[1], "has_job");
    assert_eq!(first("--by age --features has_job")[..3], ["young", "1", "has_job"]);
    assert_eq!(first("--nominal id --features id")[2], "nominal");
    let by_chance = place.done("rank iris.parquet --target species --chance 99 --threads 1");
    assert_eq!(by_chance, place.done("rank iris.parquet --target species --chance 99 --seed 0"));
    let lines: Vec<Vec<&str>> = by_chance.lines().map(words).collect();
    assert!(lines[0].ends_with(&["expected_gain", "p_value", "q_value"]));
    assert!(lines[1..].iter().all(|line| line.ends_with(&["0.010000", "0.010000"])), "{by_chance}");
    let whole = place.done("rank iris.parquet --target species --full");
    assert_eq!(words(whole.lines().next().expect("a line")).len(), 26, "{whole}");
    let pairs = place.done("matrix iris.parquet --columns petal_length_cm,petal_width_cm,species");
    assert_eq!(words(pairs.lines().next().expect("a line"))[..2], ["feature_1", "feature_2"]);
    assert_eq!(pairs.lines().count(), 4);
    place.done("matrix iris.parquet --form wide --bins 4 -o pairs.csv");
    assert_eq!(place.frame("pairs.csv").shape(), (5, 6));
    // 0.970951 bits are 0.673012 nats, and an id tells them all.
    assert_eq!(first("--nominal id --features id --log-base e")[6], "0.673012");
    // Ids of the nine loans that were approved weigh nothing here but one.
    assert_eq!(first("--features has_job --weight id")[6], {
        place.done("rank loan.csv --target approved --features has_job --weight id -o w.csv");
        let gain =
            place.frame("w.csv").column("info_gain").expect("there").f64().expect("f64").get(0);
        format!("{:.6}", gain.expect("one"))
    });
    place.write("gaps.csv", "x,y\na,p\na,p\n,q\n,q\nb,q\n");
    let gaps = |how: &str| place.done(&format!("rank gaps.csv --target y --missing {how}"));
    assert_eq!(words(gaps("known").lines().nth(1).expect("a line"))[6], "0.550978");
    assert_eq!(words(gaps("own-level").lines().nth(1).expect("a line"))[6], "0.970951");
    let sorted = place.done("rank iris.parquet --target species --sort-by symmetric_uncertainty");
    assert!(sorted.lines().next().expect("a header").contains("symmetric_uncertainty"));
}

#[test]
fn every_field_of_the_spec_is_a_flag() {
    let place = Place::new();
    place.write("t.csv", "a,b,w,y\n1,p,1,0\n2,q,1,1\n3,p,2,0\n4,q,0,1\n5,q,1,0\n6,p,1,1\n");
    place.done(
        "fit t.csv --target y --algorithm c45 --criterion gini --selection best-ratio \
         --grouping one-vs-rest --max-subset-levels 9 --task classify --log-base e --missing majority --weight w \
         --class-weights 0=2,1=0.5 --max-leaves 5 --pruning leaves=4 \
         --features a,b --ordered b --nominal a --max-depth 7 --min-samples-split 3 \
         --min-samples-leaf 1 --min-weight-leaf 0.5 --min-gain 0.001 --zero-gain-splits true \
         --subtree-raising true --threads 2 -o m.json",
    );
    let model = json(&place.text("m.json"));
    let expected = serde_json::json!({
        "algorithm": "c45", "criterion": "gini", "selection": "best_ratio",
        "grouping": "one_vs_rest", "max_subset_levels": 9, "task": "classify", "log_base": "e", "missing": "majority",
        "weight": "w", "class_weights": {"given": [["0", 2], ["1", 0.5]]}, "max_leaves": 5, "pruning": {"leaves": {"at_most": 4}},
        "features": ["a", "b"], "ordered": ["b"], "nominal": ["a"],
        "max_depth": 7, "min_samples_split": 3, "min_samples_leaf": 1, "min_weight_leaf": 0.5,
        "min_gain": 0.001, "zero_gain_splits": true, "subtree_raising": true,
    });
    assert_eq!(model["spec"], expected, "a field of the spec has no flag, or is not passed on");
    for algorithm in ["cart", "c45", "id3"] {
        place.done(&format!("fit t.csv --target y --algorithm {algorithm} -o m.json"));
        let model = json(&place.text("m.json"));
        assert_eq!(model["spec"]["algorithm"], algorithm);
        assert_eq!(model["spec"]["min_samples_leaf"], if algorithm == "c45" { 2 } else { 1 });
        assert_eq!(model["spec"].get("subtree_raising").is_some(), algorithm == "c45");
    }
}

#[test]
fn threads_change_no_byte() {
    let place = Place::new();
    // More than a machine can start are as many as it can use.
    let models = ["1", "2", "1000000000"]
        .map(|n| place.done(&format!("fit iris.parquet --target species --threads {n} -o -")));
    assert!(models[0] == models[1] && models[1] == models[2]);
    place.done("fit iris.parquet --target species -o m.json");
    assert_eq!(place.text("m.json"), models[0]);
}

#[test]
fn the_report_is_the_last_line() {
    let place = Place::new();
    let report = |words: &str| -> (Vec<String>, serde_json::Value) {
        let out = place.done(&format!("{words} --report json"));
        let last = out.lines().last().expect("a line");
        let value = json(last);
        // In the order they are written.
        let keys = last.split("\":").map(|part| part.rsplit('"').next().unwrap_or("").to_string());
        let mut keys: Vec<String> = keys.collect();
        keys.pop();
        (keys, value)
    };
    let shared = "rows columns read_s encode_s grow_s score_s write_s total_s";
    let with = |more: &str| {
        words(&format!("{shared} {more}")).iter().map(ToString::to_string).collect::<Vec<_>>()
    };

    let (keys, fit) = report("fit iris.parquet --target species -o m.json");
    assert_eq!(keys, with("nodes leaves depth"));
    assert_eq!((&fit["rows"], &fit["columns"]), (&150.into(), &5.into()));
    assert_eq!((&fit["nodes"], &fit["leaves"], &fit["depth"]), (&17.into(), &9.into(), &5.into()));
    assert!(fit["grow_s"].as_f64() > Some(0.0) && fit["total_s"].as_f64() > fit["grow_s"].as_f64());

    let (keys, ranked) = report("rank iris.parquet --target species --features sepal_width_cm");
    assert_eq!(keys, with(""));
    assert_eq!((&ranked["rows"], &ranked["columns"]), (&150.into(), &2.into()));

    let (keys, scored) = report("score m.json iris.parquet iris.parquet --keep species");
    assert_eq!(keys, with("absent_levels"));
    // Three features are used; sepal width is not read.
    assert_eq!((&scored["rows"], &scored["columns"]), (&300.into(), &4.into()));

    let (keys, eval) = report("eval m.json iris.parquet");
    let figures = "accuracy majority_accuracy log_loss brier roc_auc average_precision";
    assert_eq!(keys, with(&format!("{figures} absent_levels")));
    assert_eq!(eval["accuracy"], 1.0);
}

#[test]
fn help_teaches_by_example() {
    let place = Place::new();
    assert_eq!(place.done("--version"), format!("gaintree {}\n", env!("CARGO_PKG_VERSION")));
    for command in ["rank", "fit", "score", "eval", "show", "curve"] {
        let help = place.done(&format!("{command} --help"));
        assert!(help.contains("Example"), "{command}");
        let example = help.lines().find(|l| l.trim().starts_with("gaintree ")).expect("an example");
        assert!(example.contains(&format!("gaintree {command} ")), "{example}");
    }
    let nothing = place.run("");
    assert_eq!((nothing.code, nothing.out.as_str()), (Some(2), ""));
    assert!(nothing.err.contains("Usage: gaintree <COMMAND>"), "{}", nothing.err);
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let rows: String = (0..20_000).map(|i| format!("{i},{}\n", i % 7)).collect();
    let place = Place::with("long.csv", format!("x,y\n{rows}"));
    place.done("fit long.csv --target y --max-depth 1 -o m.json");
    for words in ["score m.json long.csv", "show m.json", "rank long.csv --target y --report json"]
    {
        // Closed before the command starts: whatever it writes meets a closed pipe.
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let ran = Ran::of(place.command(words).stdout(writer));
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "gaintree {words}");
    }
}

#[test]
fn a_tree_is_pruned() {
    let place = Place::after("fit iris.parquet --target species -o full.json");
    let path = place.done("prune full.json");
    let lines: Vec<Vec<&str>> = path.lines().map(words).collect();
    assert_eq!(lines[0], ["alpha", "leaves", "depth", "total_impurity"]);
    assert_eq!(lines[1][1], "9");
    assert_eq!(lines.last().expect("a root")[1..3], ["1", "0"]);

    let ran = place.run("prune full.json --pruning leaves=3 -o small.json");
    assert_eq!(ran.err, "5 nodes, 3 leaves, depth 2 -> small.json\n");
    place.done("fit iris.parquet --target species --prune leaves=3 -o grown.json");
    assert_eq!(place.done("show small.json"), place.done("show grown.json"));
    place.done("prune full.json --held-out iris.parquet -o same.json");
    assert!(place.done("eval same.json iris.parquet").contains("1.000000"));
}

#[test]
fn numbers_all_the_way() {
    let rows: String = (0..40).map(|i| format!("{i},{}.5\n", if i < 17 { 3 } else { 8 })).collect();
    let place = Place::with("t.csv", format!("x,y\n{rows}"));
    assert!(place.done("rank t.csv --target y").contains("x >= 17"));
    place.done("fit t.csv --target y -o m.json");
    assert!(place.done("show m.json").contains("├─ x < 17: 3.5 (± 0 of 17)"));
    let eval = place.done("eval m.json t.csv");
    let lines: Vec<Vec<&str>> = eval.lines().map(words).collect();
    assert_eq!(lines[0], ["rows", "rmse", "mae", "r2", "absent_levels"]);
    assert_eq!(lines[1], ["40", "0.000000", "0.000000", "1.000000", "0"]);
    place.done("score m.json t.csv -o s.parquet");
    let scored = place.frame("s.parquet");
    assert_eq!(scored.column("prediction").expect("there").f64().expect("f64").get(39), Some(8.5));
    let refused = place.run("score m.json t.csv --probability");
    assert_eq!(refused.code, Some(2), "{}", refused.err);
}
