//! `gaintree forest`, and what reads its model.

use super::*;

#[test]
fn wine_all_the_way() {
    let place = Place::new();
    let wine = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/data/wine.parquet");
    std::fs::copy(wine, place.path("wine.parquet")).expect("copied");
    let fit = "forest wine.parquet --target cultivar --trees 40 --seed 3 -o wine.json";
    let ran = place.ends_well(&format!("{fit} --importance used.csv --report json"));
    let said: Vec<&str> = ran.err.lines().collect();
    assert!(said[0].starts_with("40 trees, ") && said[0].ends_with(" -> wine.json"), "{said:?}");
    assert!(said[1].starts_with("out of bag: accuracy 0.9") && said.len() == 2, "{said:?}");
    let report = json(&ran.out);
    assert_eq!((&report["rows"], &report["trees"]), (&178.into(), &40.into()));
    let importance = place.frame("used.csv");
    assert_eq!(importance.height(), 13);
    let shares = importance.column("importance").expect("there").f64().expect("f64").sum();
    assert!((shares.expect("shares") - 1.0).abs() < 1e-9);

    // The same file for the same seed, on any number of threads.
    let first = place.text("wine.json");
    place.done(&format!("{fit} --threads 1"));
    assert_eq!(place.text("wine.json"), first);
    let printed = place.done("forest wine.parquet --target cultivar --trees 40 --seed 3 -o -");
    assert_eq!(printed, first);
    let other = place.done("forest wine.parquet --target cultivar --trees 40 --seed 4 -o -");
    assert_ne!(other, first);

    place.done("score wine.json wine.parquet --probability --keep cultivar -o scored.parquet");
    let scored = place.frame("scored.parquet");
    assert_eq!((scored.width(), scored.height()), (2 + 3, 178));
    let votes = place.done("score wine.json wine.parquet --votes --keep cultivar --probability");
    assert_eq!(votes.lines().count(), 179);
    let eval = place.done("eval wine.json wine.parquet");
    let figures = words(eval.lines().nth(1).expect("figures"));
    assert_eq!(figures[..2], ["178", "1.000000"]);
}

/// Rows that are answered by the trees that did not draw them.
#[test]
fn out_of_bag() {
    let place = Place::new();
    let fit = "forest iris.parquet --target species --trees 30 --seed 3 -o iris.json";
    let made = "--predictions rows.parquet --error-curve curve.csv --report json";
    let report = json(&place.done(&format!("{fit} {made}")));
    let accuracy = report["out_of_bag_accuracy"].as_f64().expect("a number");
    assert!(report["out_of_bag_log_loss"].as_f64().expect("a number") > 0.0);
    let (rows, curve) = (place.frame("rows.parquet"), place.frame("curve.csv"));
    assert_eq!((rows.height(), rows.width(), curve.height()), (150, 5, 30));
    let error = curve.column("error").expect("there").f64().expect("f64").get(29);
    assert!((error.expect("rows") - (1.0 - accuracy)).abs() < 1e-12);
    // The draws are made again of the model, and new rows are told.
    let eval = place.done("eval iris.json iris.parquet --out-of-bag");
    assert_eq!(words(eval.lines().nth(1).expect("figures"))[1], format!("{accuracy:.6}"));
    let whole = place.done("eval iris.json iris.parquet");
    assert_eq!(words(whole.lines().nth(1).expect("figures"))[1], "1.000000");
    // Numbers, and weights.
    let fit = "forest iris.parquet --target sepal_width_cm --weight petal_width_cm --trees 30 \
               -o w.json";
    place.says(fit, "\nout of bag: rmse 0.");
    let eval = place.done("eval w.json iris.parquet --out-of-bag");
    assert_eq!(words(eval.lines().nth(1).expect("figures"))[0], "150");
    // Nothing is answered that was not asked for.
    let quiet = place.run(&format!("{fit} --out-of-bag false"));
    assert_eq!(quiet.err.lines().count(), 1, "{}", quiet.err);
    place.done("fit iris.parquet --target species -o t.json");
    let all = place.done("score w.json iris.parquet --prefix scored_ -o -");
    let (head, rows) = all.split_once('\n').expect("rows");
    let reversed: Vec<&str> = rows.lines().rev().collect();
    place.write("other.csv", format!("{head}\n{}\n", reversed.join("\n")));
    place.refuses_each(&[
        (&format!("{fit} --out-of-bag false --predictions x.csv"), 2, "with --out-of-bag true"),
        (&format!("{fit} --bootstrap false --error-curve x.csv"), 2, "a --sample-share below 1"),
        ("eval t.json iris.parquet --out-of-bag", 2, "the model is one tree"),
        ("eval w.json other.csv --out-of-bag", 1, "not the rows that the forest was fitted"),
        ("eval w.json iris.parquet --out-of-bag --memory 1GB", 2, "cannot be used with"),
    ]);
}

/// Quantiles stand beside the predictions, and the target is taken as a number.
#[test]
fn quantiles_out_of_bag() {
    let place = Place::new();
    let made = "--predictions rows.parquet --quantiles 0.05,0.5,.95";
    let forest = "forest iris.parquet --target sepal_length_cm -o d.json --trees 50";
    place.done(&format!("{forest} {made}"));
    let rows = place.frame("rows.parquet");
    let names = ["prediction", "n_trees", "quantile_0.05", "quantile_0.5", "quantile_0.95"];
    assert_eq!(rows.get_column_names(), names);
    let whole: String = (0..60).map(|i| format!("{i},{}\n", i / 2)).collect();
    place.write("whole.csv", format!("x,y\n{whole}"));
    let fit = "forest whole.csv --target y -o w.json --trees 20";
    place.says(&format!("{fit} {made}"), "out of bag: rmse");
    place.refuses_each(&[
        (&format!("{fit} --quantiles 0.5"), 2, "--predictions"),
        (&format!("{fit} --predictions x.csv --quantiles 0.5,5"), 2, "a number from 0 to 1"),
        (&format!("{fit} --predictions x.csv --quantiles -0.5"), 2, "a number from 0 to 1"),
        (&format!("{fit} --predictions x.csv --quantiles 0.5,0.1,0.50"), 2, "0.5 twice"),
        (&format!("{fit} {made} --task classify"), 2, "of a number"),
        (&format!("{fit} {made} --bootstrap false"), 2, "a --sample-share below 1"),
    ]);
    let of_classes = format!("forest iris.parquet --target species -o i.json {made}");
    place.refuses(&of_classes, 1, &["`species`"]);
}

/// What features contribute: in the mean, to each row and to one.
#[test]
fn contributions_to_answers() {
    let place = Place::after("forest iris.parquet --target species --trees 30 --seed 3 -o f.json");
    place.done("fit weather.csv --target play -o t.json");
    let about = "contributions f.json iris.parquet --event virginica";
    let printed = place.done(&format!("{about} --report json"));
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(words(lines[0]), ["rank", "feature", "mean_absolute", "event"], "{printed}");
    assert!(words(lines[1])[1].starts_with("petal_"), "{printed}");
    place.done(&format!("{about} -o why.csv --importance mean.csv"));
    let (why, mean) = (place.frame("why.csv"), place.frame("mean.csv"));
    assert_eq!((why.height(), why.width(), mean.height()), (150, 7, 4));
    // The steps of a row begin at the base value and end at its prediction.
    place.done(&format!("{about} --row 71 -o steps.csv"));
    let (steps, at) = (place.frame("steps.csv"), |df: &DataFrame, name: &str, row: usize| {
        df.column(name).expect("there").f64().expect("f64").get(row).expect("a number")
    });
    assert_eq!(steps.height(), 5);
    assert_eq!(at(&steps, "answer", 0), at(&why, "base_value", 70));
    assert!((at(&steps, "answer", 4) - at(&why, "prediction", 70)).abs() < 1e-9);
    let printed = place.done(&format!("{about} --row 71"));
    let first = printed.lines().nth(1).expect("a step");
    assert!(first.starts_with("(base value)"), "{printed}");
    // Of a tree, of two classes.
    assert!(place.done("contributions t.json weather.csv --row 1").contains("outlook"));
    place.refuses_each(&[
        ("contributions f.json iris.parquet", 2, "3 classes: name the event"),
        ("contributions f.json iris.parquet --event no -o x.csv", 2, "`no`"),
        ("contributions f.json iris.parquet --event setosa --row 0", 2, "0 is not in 1.."),
        ("contributions f.json iris.parquet --event setosa --row 151", 2, "has 150 rows"),
        ("contributions f.json weather.csv --event setosa", 1, "sepal_length_cm"),
        ("contributions f.json iris.parquet --row 1 --importance x.csv", 2, "cannot be used with"),
        ("contributions t.json weather.csv -o x.csv --importance x.csv", 2, "one place"),
        ("show f.json", 2, "a forest of 30 trees: name one of them, as --tree 1"),
        ("show f.json --tree 31", 2, "the forest has 30 trees"),
        ("show f.json --tree 0", 2, "0 is not in 1.."),
        ("show t.json --tree 1", 2, "--tree is of a forest"),
        ("report t.json weather.csv --out-of-bag -o x.html", 2, "--out-of-bag is of a forest"),
        ("report f.json iris.parquet --against t.json -o x.html", 2, "the model is a forest"),
    ]);
    // A tree of a forest is a model of its own.
    place.done("show f.json --tree 7 --as json -o seventh.json");
    assert!(place.done("show seventh.json").starts_with("CART tree of `species`"));
}

/// Features that are permuted, one by one and together.
#[test]
fn importance_by_permutation() {
    let place = Place::after("forest iris.parquet --target species --trees 30 --seed 3 -o f.json");
    place.done("fit iris.parquet --target species -o t.json");
    for args in ["f.json iris.parquet --out-of-bag", "f.json iris.parquet", "t.json iris.parquet"] {
        let printed = place.done(&format!("importance {args} --report json"));
        let lines: Vec<&str> = printed.lines().collect();
        let header = ["rank", "feature", "importance", "standard_error", "z"];
        assert_eq!(words(lines[0]), header, "{printed}");
        assert!(words(lines[1])[1].starts_with("petal_"), "{printed}");
        let report = json(lines[5]);
        assert_eq!(report["rows"], 150);
    }
    let of_groups = "importance f.json iris.parquet --loss brier --repeats 2 --seed 4 \
                     --group petal=petal_length_cm,petal_width_cm -o together.csv";
    place.done(of_groups);
    let together = place.frame("together.csv");
    assert_eq!((together.height(), together.width()), (3, 5));
    let first = place.text("together.csv");
    assert!(first.lines().nth(1).is_some_and(|line| line.starts_with("1,petal,")), "{first}");
    place.done(&format!("{of_groups} --threads 1"));
    assert_eq!(place.text("together.csv"), first);
    place.done("fit iris.parquet --target species --max-depth 0 -o leaf.json");
    place.says("importance leaf.json iris.parquet", "no permuted feature changes an answer");
    place.refuses_each(&[
        ("importance t.json iris.parquet --out-of-bag", 2, "the model is one tree"),
        ("importance f.json iris.parquet --repeats 0", 2, "repeats is 0"),
        ("importance f.json iris.parquet --loss gini", 2, "brier, log_loss, roc_auc, error]"),
        ("importance f.json iris.parquet --group petal", 2, "as in size=width,height"),
        ("importance f.json iris.parquet --group g=petals", 1, "petals"),
        ("importance f.json weather.csv", 1, "species"),
    ]);
}

/// Features beside permuted copies: what they gain more, and which are decided on.
#[test]
fn features_beside_permuted_copies() {
    let place = Place::new();
    let few = "--trees 5 --seed 3 --permutations 10";
    let corrected = format!("corrected-importance iris.parquet --target species {few}");
    let printed = place.done(&format!("{corrected} --report json"));
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(words(lines[0])[..3], ["rank", "feature", "corrected_gain"], "{printed}");
    assert!(words(lines[1])[1].starts_with("petal_"), "{printed}");
    let report = json(lines[5]);
    assert_eq!(report["rows"], 150);
    let to_file = format!("{corrected} -o gains.csv");
    place.done(&to_file);
    let first = place.text("gains.csv");
    assert_eq!((place.frame("gains.csv").height(), place.frame("gains.csv").width()), (4, 8));
    place.done(&format!("{to_file} --threads 1"));
    assert_eq!(place.text("gains.csv"), first);

    let decided = place.done("boruta iris.parquet --target species --trees 10 --seed 3");
    let decided: Vec<Vec<&str>> = decided.lines().map(words).collect();
    assert_eq!(decided[0], ["rank", "feature", "decision", "corrected_gain", "hits", "runs"]);
    assert!(decided[1][1].starts_with("petal_") && decided[1][2] == "confirmed", "{decided:?}");
    place.refuses_each(&[
        ("corrected-importance iris.parquet --target species --permutations 9", 2, "at least 10"),
        ("corrected-importance iris.parquet --target species --trees 0", 2, "trees is 0"),
        ("corrected-importance iris.parquet --target kind", 1, "kind"),
        ("boruta iris.parquet --target species --runs 2", 2, "runs is 2"),
        ("boruta iris.parquet --target species --alpha 1", 2, "alpha is 1"),
        ("boruta iris.parquet --target species --max-features 5", 2, "there are 4 features"),
        ("boruta iris.parquet --target species -o table.txt", 2, ".parquet, .csv"),
    ]);
}

/// Numbers: a third of the features a node, and draws of one's own.
#[test]
fn draws_are_as_asked_for() {
    let place = Place::new();
    let spec = |words: &str| -> serde_json::Value {
        let fit = "forest iris.parquet --target sepal_width_cm --trees 2 -o -";
        let model = json(&place.done(&format!("{fit} {words}")));
        assert_eq!(model["trees"].as_array().expect("trees").len(), 2);
        model["spec"].clone()
    };
    let plain = spec("");
    assert_eq!(plain["max_features"], "auto");
    assert_eq!((&plain["bootstrap"], &plain["seed"]), (&true.into(), &0.into()));
    assert_eq!(plain.get("extra"), None);
    assert_eq!(spec("--extra true --bootstrap false")["extra"], true);
    let drawn = spec("--bootstrap false --sample-share 0.5 --max-features 3 --max-depth 2");
    assert_eq!(drawn["max_features"], serde_json::json!({"count": 3}));
    assert_eq!((&drawn["bootstrap"], &drawn["sample_share"]), (&false.into(), &0.5.into()));
    assert_eq!(drawn["tree"]["max_depth"], 2);
    let share = spec("--max-features 0.5 --algorithm c45 --weight petal_width_cm");
    assert_eq!(share["max_features"], serde_json::json!({"share": 0.5}));
    assert_eq!(share["tree"]["pruning"], "none");
}

#[test]
fn what_is_wrong_is_said() {
    let place = Place::after("forest iris.parquet --target species --trees 3 -o f.json");
    place.done("fit iris.parquet --target species -o t.json");
    let fit = "forest iris.parquet --target species -o x.json";
    place.refuses_each(&[
        (&format!("{fit} --trees 0"), 2, "trees is 0"),
        (&format!("{fit} --max-features 6"), 2, "max_features is 6, but there are 4 features"),
        (&format!("{fit} --max-features 1.5"), 2, "a share of 1.5"),
        (&format!("{fit} --max-features some"), 2, "a number of features as in 3"),
        (&format!("{fit} --sample-share 0"), 2, "sample_share is 0"),
        (&format!("{fit} --extra maybe"), 2, "--extra <BOOL>"),
        (&format!("{fit} --seed -1"), 2, "a whole number from 0 to 18446744073709551615"),
        (&format!("{fit} --seed 18446744073709551616"), 2, "a whole number from 0 to"),
        (&format!("{fit} --prune cv=3"), 2, "--prune"),
        ("score f.json iris.parquet --leaf", 2, "the model is a forest"),
        ("score t.json iris.parquet --votes", 2, "the model is one tree"),
        (
            "explain f.json iris.parquet --row 1",
            1,
            "it is a forest of 3 trees, and this takes a tree",
        ),
        ("eval f.json iris.parquet --memory 1GB", 2, "goes with no forest"),
    ]);
}
