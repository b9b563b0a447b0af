//! Pruning in all its ways, cuts, candidates, and features by pattern.

use super::*;

/// `fit` and `prune` take the same words, and give the same tree.
#[test]
fn a_fit_prunes_as_prune_does() {
    let place = Place::after("fit iris.parquet --target species -o full.json");
    let full = place.done("show full.json");
    let mut sizes = Vec::new();
    for (words, rows) in [
        ("--prune none", ""),
        ("--prune alpha=0.02", ""),
        ("--prune leaves=4", ""),
        ("--prune pessimistic", ""),
        ("--prune pessimistic=0.01", ""),
        ("--prune cv=5", "iris.parquet"),
        ("--prune cv", "iris.parquet"),
        ("--pruning cv=4 --one-standard-error false --scores scores.csv", "iris.parquet"),
        ("--held-out iris.parquet", ""),
    ] {
        place.done(&format!("prune full.json {rows} {words} -o pruned.json"));
        let scores = place.path("scores.csv").exists().then(|| place.text("scores.csv"));
        place.done(&format!("fit iris.parquet --target species {words} -o grown.json"));
        let pruned = place.done("show pruned.json");
        assert_eq!(pruned, place.done("show grown.json"), "{words}");
        if let Some(scores) = scores {
            assert_eq!(scores, place.text("scores.csv"));
            std::fs::remove_file(place.path("scores.csv")).expect("removed");
            let lines: Vec<&str> = scores.lines().collect();
            assert_eq!(lines[0], "alpha,leaves,mean_error,standard_error,chosen");
            let leaves = pruned.lines().next().expect("a line");
            let chosen = lines.iter().find(|line| line.ends_with(",true")).expect("one is");
            let n = chosen.split(',').nth(1).expect("leaves");
            assert!(leaves.contains(&format!(" {n} leaves")), "{chosen} {leaves}");
        }
        sizes.push(pruned.lines().count());
    }
    assert_eq!(sizes[0], full.lines().count());
    assert!(sizes[1..8].iter().all(|&size| size < sizes[0]), "{sizes:?}");
    // Held out are the rows it was fitted on: every error it could save is one already saved.
    assert_eq!(sizes[8], sizes[0]);
    // Held-out rows take the place of the algorithm's own pruning.
    place.done("fit iris.parquet --target species --algorithm c45 --prune none -o whole.json");
    place.done("prune whole.json --held-out iris.parquet -o pruned.json");
    place.done(
        "fit iris.parquet --target species --algorithm c45 --held-out iris.parquet -o g.json",
    );
    assert_eq!(place.text("g.json"), place.text("pruned.json"));
}

/// An alpha that is typed as it is printed gives the subtree of its line.
#[test]
fn printed_alphas_choose_their_line() {
    let place = Place::new();
    for (file, target) in [("iris.parquet", "sepal_length_cm"), ("iris.parquet", "species")] {
        place.done(&format!("fit {file} --target {target} -o m.json"));
        let path = place.done("prune m.json");
        let lines: Vec<Vec<&str>> = path.lines().skip(1).map(words).collect();
        for line in &lines {
            let prune = format!("prune m.json --prune alpha={} -o pruned.json", line[0]);
            place.says(&prune, &format!(" {} lea", line[1]));
        }
        assert!(lines.len() > 3, "{path}");
    }
}

#[test]
fn pruning_words_that_cannot_be_are_refused() {
    let place = Place::after("fit iris.parquet --target species -o m.json");
    place.refuses_each(&[
        ("prune m.json --prune cv=5 -o x.json", 2, "name their file"),
        ("prune m.json iris.parquet --prune leaves=2 -o x.json", 2, "only cross-validation"),
        ("prune m.json iris.parquet", 2, "only cross-validation"),
        ("prune m.json --prune leaves=2", 2, "-o small.json"),
        ("prune m.json --prune leaves=two -o x.json", 2, "number of leaves"),
        ("prune m.json iris.parquet --prune cv=1 -o x.json", 2, "at least 2"),
        ("prune m.json iris.parquet --prune cv=151 -o x.json", 2, "150 rows"),
        ("prune m.json --prune cut -o x.json", 2, "cv=FOLDS"),
        ("prune m.json iris.parquet --prune cv=3 -o iris.json --scores iris.json", 2, "one place"),
        ("prune m.json iris.parquet --prune cv=3 -o m.json", 2, "is the input"),
        ("fit iris.parquet --target species -o x.json --scores s.csv", 2, "--pruning cv=10"),
        ("fit iris.parquet --target species -o x.json --one-standard-error true", 2, "cv=10"),
        (
            "fit iris.parquet --target species -o x.json --prune cv --held-out loan.csv",
            2,
            "--held-out",
        ),
    ]);
    // Rows that are not the tree's.
    for words in ["loan.csv --prune cv=3", "--held-out loan.csv"] {
        place.refuses(&format!("prune m.json {words} -o x.json"), 1, &["no such column"]);
    }
}

#[test]
fn cuts_are_listed_by_feature() {
    let place = Place::new();
    let cuts = place.done("cuts iris.parquet --target species");
    let lines: Vec<Vec<&str>> = cuts.lines().map(words).collect();
    assert_eq!(lines[0], ["feature", "cut", "rule", "n", "info_gain"]);
    let cut = |line: &Vec<&str>| line[1].parse::<f64>().expect("a cut");
    let found: Vec<(&str, String)> =
        lines[1..].iter().map(|line| (line[0], format!("{:.2}", cut(line)))).collect();
    let expected = [
        ("sepal_length_cm", "5.55".to_string()),
        ("sepal_length_cm", "6.15".to_string()),
        ("sepal_width_cm", "2.95".to_string()),
        ("sepal_width_cm", "3.35".to_string()),
        ("petal_length_cm", "2.45".to_string()),
        ("petal_length_cm", "4.75".to_string()),
        ("petal_width_cm", "0.80".to_string()),
        ("petal_width_cm", "1.75".to_string()),
    ];
    assert_eq!(found, expected);

    // Dates are cut at dates; what has no cut has a line, what has no order has none.
    let rows: String =
        (1..=20).map(|d| format!("2024-03-{d:02},{},a,{}\n", d % 2, d < 13)).collect();
    place.write("d.csv", format!("day,parity,name,y\n{rows}"));
    place.done("cuts d.csv --target y -o cuts.csv");
    let text = place.text("cuts.csv");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[1].starts_with("day,2024-03-13,"), "{text}");
    assert_eq!(lines[2], "parity,,,,,");
    // However columns are chosen, only one that is named itself has to have an order.
    for words in ["--exclude parity", "--features ^.*$ --exclude parity", "--features day,^n.*$"] {
        place.done(&format!("cuts d.csv --target y {words} -o cuts.csv"));
        let text = place.text("cuts.csv");
        assert!(text.lines().count() == 2 && text.contains("day,2024-03-13,"), "{words}: {text}");
    }
    place.refuses_each(&[
        ("cuts d.csv --target y --features name", 1, "nominal"),
        ("cuts d.csv --target y --features name,^d.*$", 1, "nominal"),
        ("cuts d.csv --target y --exclude ^day$,parity", 1, "no ordered feature"),
        ("cuts d.csv --target y --features names", 1, "did you mean `name`"),
        ("cuts weather.csv --target play", 1, "no ordered feature"),
        ("cuts d.csv --target parity --task regress", 1, "MDL cuts are chosen by classes"),
    ]);
}

#[test]
fn candidates_say_why_a_node_split() {
    let place = Place::after(
        "fit loan.csv --target approved --features age,has_job,owns_house,credit -o m.json",
    );
    let nodes = place.done("show m.json --as nodes");
    for (node, line) in
        nodes.lines().skip(1).enumerate().filter(|(_, line)| words(line)[3] == "false")
    {
        let why = place.done(&format!("candidates m.json loan.csv --node {node}"));
        let lines: Vec<Vec<&str>> = why.lines().map(words).collect();
        assert_eq!(lines[0][..4], ["rank", "feature", "rule", "gain"]);
        assert_eq!(lines.len(), 5);
        let chosen =
            why.lines().find(|line| line.contains("true     true")).expect("one is chosen");
        let feature = words(chosen)[1];
        assert!(words(line).contains(&feature), "{line}\n{why}");
    }
    // Text is read as what the tree was fitted on, features that no rule uses too.
    let codes = Column::new("code".into(), ["007", "008", "007", "008"]);
    let mut df = df!["x" => [1, 2, 3, 4], "y" => ["p", "p", "q", "q"]].expect("a frame");
    df.with_column(codes).expect("added");
    place.save("codes.parquet", df);
    place.done("fit codes.parquet --target y -o c.json");
    place.write("codes.csv", "x,y,code\n1,p,007\n2,p,008\n3,q,007\n4,q,008\n");
    let from = |name: &str| place.done(&format!("candidates c.json {name} -o -"));
    assert_eq!(from("codes.csv"), from("codes.parquet"));
    place.refuses_each(&[
        ("candidates m.json loan.csv --node 99", 2, "node_id is 99"),
        ("candidates m.json iris.parquet", 1, "no such column"),
    ]);
}

#[test]
fn features_are_named_or_fit_a_pattern() {
    let place = Place::new();
    let features = |words: &str| -> Vec<String> {
        let ranking = place.done(&format!("rank {words} -o -"));
        let names = ranking.lines().skip(1).map(|line| line.split(',').nth(1).expect("a name"));
        let mut names: Vec<String> = names.map(str::to_string).collect();
        names.sort();
        names
    };
    let iris = "iris.parquet --target species --features";
    assert_eq!(features(&format!("{iris} ^petal.*$")), ["petal_length_cm", "petal_width_cm"]);
    let all = ["petal_length_cm", "petal_width_cm", "sepal_length_cm", "sepal_width_cm"];
    assert_eq!(features(&format!("{iris} sepal_width_cm,^.*length.*$,^petal.*$")), all);
    // Neither target, weight nor group is a feature; a column of that very name is no pattern.
    place.write("t.csv", "^a$,a,ab,w,y\n1,2,3,1,0\n2,2,3,2,1\n3,1,2,1,0\n4,1,3,1,1\n");
    assert_eq!(features("t.csv --target y --weight w --features ^..?$"), ["a", "ab"]);
    assert_eq!(features("t.csv --target y --features ^a$"), ["^a$"]);
    place.done("fit t.csv --target y --weight w --features ^a.*$ -o m.json");
    let model = json(&place.text("m.json"));
    assert_eq!(model["spec"]["features"], serde_json::json!(["a", "ab"]));
    place.refuses("fit t.csv --target y --features ^z.*$ -o x.json", 2, &["^z.*$", "`ab`"]);
}

/// The event's share stands beside the predicted class, of a rare class without being asked for.
#[test]
fn text_is_about_an_event() {
    let place = Place::after("fit iris.parquet --target species -o m.json");
    let shown = place.done("show m.json --event virginica");
    assert!(shown.contains("all rows: setosa (33.3 % of 150, virginica 33.3 %)"), "{shown}");
    assert!(place.done("show m.json").contains("all rows: setosa (33.3 % of 150)\n"));
    let rows = (0..300).map(|row| format!("{},{}\n", row % 30, ["no", "yes"][(row % 90) / 89]));
    place.write("rare.csv", format!("x,y\n{}", rows.collect::<String>()));
    place.done("fit rare.csv --target y -o rare.json");
    let shown = place.done("show rare.json");
    assert!(shown.contains("all rows: no (99.0 % of 300, yes 1.0 %)"), "{shown}");
    place.refuses_each(&[
        ("show m.json --event maybe", 2, "event `maybe` is no class"),
        ("show m.json --event setosa --as rules", 2, "--event is of text and pictures"),
        ("show m.json --compact", 2, "--compact is of pictures"),
    ]);
}

#[test]
fn a_model_is_shown_from_standard_input() {
    let place = Place::after("fit iris.parquet --target species -o m.json");
    let shown = |words: &str| {
        let model = std::fs::File::open(place.path("m.json")).expect("a model");
        Ran::of(place.command(words).stdin(model)).out
    };
    assert_eq!(shown("show -"), place.done("show m.json"));
    assert_eq!(shown("show - --as c --name m"), place.done("show m.json --as c --name m"));
    place.refuses("show -", 1, &["cannot read standard input: "]);
}

/// Deeper than anybody reads.
#[test]
fn deep_trees_are_folded_and_their_rules_refused() {
    let rows = |n: usize| (0..n).map(|i| format!("{i},{}\n", i % 2)).collect::<String>();
    let place = Place::with("t.csv", format!("x,y\n{}", rows(60)));
    place.done("fit t.csv --target y -o m.json");
    let text = place.done("show m.json");
    assert_eq!(text.lines().next(), Some("CART tree of `y`: 119 nodes, 60 leaves, depth 59"));
    assert_eq!(text.lines().last(), Some("… 78 nodes below depth 20 are folded"));
    assert_eq!(text.lines().count(), 1 + 41 + 1);
    assert_eq!(place.done("show m.json --max-depth 59").lines().count(), 1 + 119);
    assert_eq!(place.done("show m.json --as rules").lines().count(), 1 + 60);
    place.write("deep.csv", format!("x,y\n{}", rows(5000)));
    place.done("fit deep.csv --target y -o deep.json");
    let ran = place.run("show deep.json --as rules -o rules.csv");
    assert!(matches!(ran.code, Some(1 | 2)) && ran.err.contains("conditions"), "{}", ran.err);
    assert!(!place.path("rules.csv").exists());
}

/// One row's long list of branches is not paid for in the others.
#[test]
fn a_wide_cell_does_not_widen_its_column() {
    let rows = (0..4000).map(|i| format!("level{},{},{}\n", i % 1000, i % 7, i * i % 3));
    let place = Place::with("t.csv", format!("name,x,y\n{}", rows.collect::<String>()));
    place.done("fit t.csv --target y --algorithm id3 --task classify -o m.json");
    let nodes = place.done("show m.json --as nodes");
    let widths: Vec<usize> = nodes.lines().map(str::len).collect();
    let (widest, rest) = widths.split_at(2);
    assert!(widths.len() > 1000 && widest[1] > 4000, "{widest:?}");
    assert!(nodes.contains(",+994]"));
    assert!(rest.iter().all(|&width| width < 1000), "{:?}", rest.iter().max());
}

#[test]
fn weights_of_evidence_are_listed_and_added_to_rows() {
    let place = Place::new();
    let text = place.done("woe loan.csv --target approved --intervals 5 --exclude id");
    let lines: Vec<Vec<&str>> = text.lines().map(words).collect();
    assert_eq!(lines[1][..1], ["owns_house"], "{text}");
    place.done("woe loan.csv --target approved --exclude id -o woe.csv --rows rows.parquet");
    let (bins, rows) = (place.frame("woe.csv"), place.frame("rows.parquet"));
    assert_eq!((bins.width(), rows.height()), (14, 15));
    let names: Vec<&str> = rows.columns().iter().map(|c| c.name().as_str()).collect();
    assert!(names.ends_with(&["age_woe", "has_job_woe", "owns_house_woe", "credit_woe"]));
    let (noise, x): (Vec<i64>, Vec<i64>) = (0..400).map(|i| (i * 31 % 7, i)).unzip();
    let y: Vec<bool> = x.iter().map(|x| *x > 150 && x % 9 > 0).collect();
    place.save("many.parquet", df!["noise" => noise, "x" => x, "y" => y].expect("a frame"));
    let text = place.done("rank many.parquet --target y --sort-by information_value");
    let lines: Vec<Vec<&str>> = text.lines().map(words).collect();
    assert_eq!([lines[1][1], lines[2][1]], ["x", "noise"], "{text}");
    assert!(lines[0].contains(&"information_value"), "{text}");

    // Of a scorecard, the rows have points and a score.
    let card = "--event no --scorecard card.csv --rows scored.parquet";
    place.done(&format!("woe loan.csv --target approved --exclude id {card} --rounded --pdo 40"));
    let (card, rows) = (place.frame("card.csv"), place.frame("scored.parquet"));
    assert_eq!(card.width(), 10);
    let column = |name: &str| rows.column(name).expect("there").f64().expect("f64").clone();
    let names = ["age", "has_job", "owns_house", "credit"];
    let points = names.map(|name| column(&format!("{name}_points")));
    for (row, score) in column("score").iter().enumerate() {
        assert_eq!(score, points.iter().map(|points| points.get(row)).sum::<Option<f64>>());
    }
    let one = "woe loan.csv --target approved --features age --scorecard one.csv";
    place.done(&format!("{one} --coefficient age=0.5 --intercept -1 --points 500 --odds 1"));
    place.refuses_each(&[
        ("woe loan.csv --target approved --points 500", 2, "--scorecard"),
        (&format!("{one} --coefficient age"), 2, "age=0.8"),
        (&format!("{one} --coefficient height=1"), 1, "`height`"),
        (&format!("{one} --odds 0"), 2, "odds is 0"),
        (&format!("{one} --rows one.csv"), 2, "one place"),
        ("woe iris.parquet --target species", 1, "has 3 classes"),
        ("woe loan.csv --target approved --intervals few", 2, "mdl, or a number"),
        ("woe loan.csv --target approved --intervals 1", 2, "2 to 100"),
        ("woe loan.csv --target approved --event maybe", 2, "`no`, `yes`"),
        (
            "woe loan.csv --target approved --features age,id --monotone increasing",
            2,
            "is nominal, so that event rates cannot be increasing",
        ),
        ("woe loan.csv --target approved --rows woe.csv -o woe.csv", 2, "one place"),
        ("woe rows.parquet --target approved --features age --rows x.csv", 1, "`age_woe`"),
    ]);
}

#[test]
fn drift_is_listed_and_fails_above_a_limit() {
    let place = Place::new();
    let made = |from: i64, city: &str| {
        let x: Vec<i64> = (0..400).map(|i| i * 7919 % 397 + from).collect();
        let c: Vec<&str> = (0..400).map(|i| if i % 3 == 0 { city } else { "rome" }).collect();
        let y: Vec<&str> = x.iter().map(|x| if x % 200 > 120 { "yes" } else { "no" }).collect();
        df!["x" => x, "city" => c, "y" => y].expect("a frame")
    };
    place.save("a.parquet", made(0, "oslo"));
    place.save("b.parquet", made(150, "bonn"));
    let text = place.done("drift a.parquet b.parquet");
    let lines: Vec<Vec<&str>> = text.lines().map(words).collect();
    assert_eq!([lines[1][1], lines[2][1], lines[3][1]], ["city", "x", "y"], "{text}");
    place.done("drift a.parquet b.parquet -o drift.csv --report json");
    assert_eq!((place.frame("drift.csv").height(), place.frame("drift.csv").width()), (3, 29));

    // Nothing moved: no failure; what moved is named, and the table is written all the same.
    place.done("drift a.parquet a.parquet --fail-above 0");
    let ran = place.run("drift a.parquet b.parquet --fail-above 0.5 --exclude city -o moved.csv");
    assert_eq!((ran.code, ran.err.lines().count()), (Some(3), 2), "{}", ran.err);
    assert!(ran.err.contains("`x` has psi") && ran.err.contains("beyond chance"), "{}", ran.err);
    assert_eq!(place.frame("moved.csv").height(), 2);
    place.save("less.parquet", made(0, "oslo").drop("x").expect("dropped"));
    let drifts = |words: &str, said: &str| {
        let ran = place.run(words);
        assert!(ran.code == Some(3) && ran.err.contains(said), "{words}: {}", ran.err);
    };
    drifts("drift a.parquet less.parquet --fail-above 0.5", "`x` is only in the reference");

    // Many levels of few rows have a high psi without drift.
    let mut seed = 1u64;
    let mut sample = |file: &str| {
        let text = |_| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            format!("t{}", (seed >> 33) % 1000)
        };
        place.save(file, df!["x" => (0..3300).map(text).collect::<Vec<_>>()].expect("a frame"));
    };
    sample("one.parquet");
    sample("other.parquet");
    place.done("drift one.parquet other.parquet --fail-above 0.1 -o same.csv");
    let same = place.frame("same.csv");
    let psi = |name: &str| same.column(name).expect("there").f64().expect("f64").get(0);
    assert!(psi("psi") > Some(0.6) && psi("expected_psi") > Some(0.6), "{same}");
    assert!(place.done("drift one.parquet other.parquet").contains("too few rows to see such"));

    // Limits of one's own, and all columns.
    assert_eq!(place.done("drift a.parquet b.parquet --threshold 9").matches("stable").count(), 3);
    assert!(place.done("drift a.parquet b.parquet --alpha 0").contains("chance may have done it"));
    place.done("drift a.parquet b.parquet --alpha 0 --fail-above 0.5");
    let text = place.done("drift a.parquet b.parquet --full");
    assert_eq!(words(text.lines().next().unwrap_or_default()).len(), 29, "{text}");

    // With a model, its columns, predictions and leaves.
    place.done("fit a.parquet --target y --features x --max-depth 3 -o m.json");
    let text = place.done("drift a.parquet b.parquet --model m.json");
    let mut features: Vec<&str> = text.lines().skip(1).map(|line| words(line)[1]).collect();
    features.sort_unstable();
    assert_eq!(features, ["leaf_id", "prediction", "x"], "{text}");

    // A column of another dtype has drifted.
    let mut texts = made(0, "oslo");
    let text = texts.column("x").and_then(|x| x.cast(&DataType::String)).expect("cast");
    texts.with_column(text).expect("replaced");
    place.save("texts.parquet", texts);
    assert!(place.done("drift a.parquet texts.parquet").contains("i64 in the reference, str in"));
    let said = "drifted: `x` is i64 in the reference, str in";
    drifts("drift a.parquet texts.parquet --fail-above 0.5", said);

    // Without the rows it was fitted on, the model knows where they ended.
    let text = place.done("drift --model m.json a.parquet --fail-above 0");
    let psi: Vec<&str> = text.lines().skip(1).map(|line| words(line)[3]).collect();
    assert_eq!(psi, ["0.000000", "0.000000"], "{text}");
    drifts("drift --model m.json b.parquet --fail-above 0.1", "`leaf_id` has psi");

    // In text, whole numbers and fractions are numbers.
    place.write("a.csv", "x,t\n1,a\n2,b\n3,a\n");
    place.write("b.csv", "x,t\n1.5,a\n2.5,b\n,\n");
    assert!(place.done("drift a.csv b.csv").contains("ordered"));
    // In parquet, missing values may have made floats of integers.
    assert!(place.done("drift a.parquet b.csv --features x").contains("ordered"));
    place.write("words.csv", "x\nhigh\nlow\n");
    place.refuses_each(&[
        ("drift iris.parquet weather.csv", 1, "no column in common"),
        ("drift a.parquet words.csv", 1, "`x` is i64 in the reference, str in the current frame"),
        ("drift --model m.json b.csv --features x", 2, "column `x` is named"),
        ("drift --model m.json weather.csv", 1, "`x`: no such column"),
        ("drift a.parquet b.parquet --intervals mdl", 2, "name the target"),
        ("drift a.parquet b.parquet --features z", 1, "`z`: no such column"),
        ("drift a.parquet b.parquet --alpha 2", 2, "alpha is 2; it is a probability"),
        ("drift a.parquet b.parquet --threshold -1", 2, "threshold is -1; it is a psi"),
        ("drift a.parquet", 2, "CURRENT"),
        ("drift a.parquet b.parquet b.csv", 2, "CURRENT"),
        ("drift a.parquet b.parquet -o b.parquet", 2, "is the input"),
    ]);
}

#[test]
fn columns_are_looked_at_beside_others() {
    let place = Place::new();
    let text = place.done("rank loan.csv --target approved --exclude id --given owns_house,age");
    let lines: Vec<Vec<&str>> = text.lines().map(words).collect();
    assert_eq!((lines.len(), lines[1][1]), (3, "has_job"), "{text}");
    assert!(lines[0].contains(&"gain_given"), "{text}");

    let text = place.done("select iris.parquet --target species --k 3 --score cmim --alpha 1");
    let lines: Vec<Vec<&str>> = text.lines().map(words).collect();
    assert_eq!((lines.len(), lines[0][..2].join(" ").as_str()), (4, "step feature"), "{text}");
    place.done("select iris.parquet --target species -o steps.csv");
    let steps = place.frame("steps.csv");
    assert_eq!((steps.height(), steps.width()), (2, 11), "{steps}");

    place.done("matrix weather.csv --form wide --columns outlook,play -o wide.csv");
    let wide = place.frame("wide.csv");
    assert_eq!((wide.height(), wide.width()), (2, 3));
    place.done("matrix weather.csv --redundant-above 0.2 -o groups.csv");
    let groups = place.frame("groups.csv");
    assert_eq!((groups.height(), groups.width()), (2, 5), "{groups}");
    place.says("matrix weather.csv --redundant-above 0.9", "no two columns share 0.9 or more");
    place.refuses_each(&[
        ("matrix weather.csv --redundant-above 2", 2, "threshold is 2"),
        ("matrix weather.csv --redundant-above 0.5 -o groups.svg", 2, "a picture is of pairs"),
        ("rank weather.csv --target play --chance 4294967296", 2, "from 1 to 4294967295"),
        ("rank loan.csv --target approved --given approved", 2, "is the target"),
        ("rank loan.csv --target approved --given job", 1, "`job`"),
        ("select loan.csv --target approved --k 0", 2, "k is 0"),
        ("select loan.csv --target approved --alpha 5%", 2, "--alpha"),
        ("select loan.csv --target approved --score best", 2, "jmi"),
        ("matrix weather.csv --columns play", 1, "at least 2 columns"),
    ]);
}

#[test]
fn a_row_is_explained() {
    let place = Place::after("fit iris.parquet --target species --max-depth 2 -o m.json");
    let text = place.done("explain m.json iris.parquet --row 71");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "virginica (probability 0.9783), leaf 4");
    assert_eq!(words(lines[5])[..4], ["petal_width_cm", ">=", "1.75", "1.8"], "{text}");
    assert!(text.contains("\nwhat would change the class"), "{text}");
    place.done("explain m.json iris.parquet --row 71 -o path.csv");
    let path = place.frame("path.csv");
    assert_eq!(path.height(), 3);
    let ran = place.run("explain m.json iris.parquet --row 71 --changes changes.csv");
    assert!(ran.out == text && ran.err.contains("2 rows -> changes.csv"), "{}", ran.err);
    assert!(place.text("changes.csv").starts_with("n_features,change,leaf_id"));
    // Rows are counted through all files, and need no target and no other column.
    place.write("a.csv", "petal_width_cm,petal_length_cm\n0.2,1.4\n");
    place.write("b.csv", "petal_length_cm,petal_width_cm\n4.8,1.8\n4.8,x\n");
    place.write("c.csv", "petal_length_cm,petal_width_cm\n4.8,1.8\n");
    place.done("explain m.json a.csv c.csv --row 2 -o path2.csv");
    assert_eq!(place.text("path2.csv"), place.text("path.csv"));
    place.refuses_each(&[
        ("explain m.json iris.parquet --row 151", 2, "--row is 151, and the input has 150 rows"),
        ("explain m.json iris.parquet --row 0", 2, "--row"),
        ("report m.json iris.parquet --row 151 -o r.html", 2, "the input has 150 rows"),
        ("explain m.json iris.parquet", 2, "--row"),
        ("explain m.json loan.csv --row 1", 1, "no such column"),
        ("explain m.json b.csv --row 1", 1, "b.csv"),
        ("explain m.json iris.parquet --row 1 -o m.json", 2, "m.json"),
    ]);
    // A row without a value under --missing error is named as the file has it.
    place.done("fit iris.parquet --target species --max-depth 2 --missing error -o e.json");
    place.write("gap.csv", "petal_length_cm,petal_width_cm\n4.8,1.8\n4.8,\n");
    place.refuses("explain e.json a.csv gap.csv --row 3", 1, &["row 2 of `gap.csv`"]);
}
