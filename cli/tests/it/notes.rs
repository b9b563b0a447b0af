//! What the command says beside its results, on standard error.

use super::*;

/// The lines on standard error of a run that ends well.
fn said(place: &Place, words: &str) -> Vec<String> {
    place.ends_well(words).err.lines().map(str::to_string).collect()
}

#[test]
fn a_target_that_could_be_either_is_told_of() {
    let row = |i: i32| format!("{i},{i},{},{}.0,{i}.0,{i}.5,a{}\n", i % 20, i % 20, i % 2);
    let rows: String = (0..42).map(row).collect();
    let place = Place::with("t.csv", format!("x,int,few,whole,many,half,text\n{rows}"));
    let note = |target: &str, flags: &str| {
        let fit = format!("fit t.csv --target {target} --features x {flags}");
        let mut notes = said(&place, &format!("{fit} --max-depth 1 -o m.json"));
        assert!(notes.last().is_some_and(|written| written.ends_with("-> m.json")), "{notes:?}");
        notes.retain(|note| note.starts_with("target"));
        for words in ["rank", "cuts"] {
            if words == "cuts" && (target != "int" || flags.contains("regress")) {
                continue;
            }
            let ranked = format!("{words} t.csv --target {target} --features x {flags}");
            let mut ranked = said(&place, &ranked);
            ranked.retain(|note| note.starts_with("target"));
            assert_eq!(ranked, notes, "{words}");
        }
        notes.join("\n")
    };
    let int = note("int", "");
    assert!(int.contains("`int` (i64)") && int.contains("42 values is a class"), "{int}");
    assert!(int.contains("--task regress"), "{int}");
    let whole = note("whole", "");
    assert!(whole.contains("`whole` (f64)") && whole.contains("--task classify"), "{whole}");
    // What was asked for, and what cannot be otherwise.
    for (target, flags) in [
        ("int", "--task regress"),
        ("int", "--task classify"),
        ("whole", "--task classify"),
        // Few integers are classes, and many whole numbers a number.
        ("few", ""),
        ("many", ""),
        ("half", ""),
        ("text", ""),
    ] {
        assert_eq!(note(target, flags), "", "{target} {flags}");
    }
    let help = place.done("fit --help");
    let help = words(&help).join(" ");
    let kinds = "integers, text and booleans are classes, floats and decimals are numbers";
    assert!(help.contains(kinds), "{help}");
}

#[test]
fn features_like_ids_are_told_of() {
    let rows = |n: usize| {
        (0..n).map(|i| format!("k{i},{},{},{}\n", i % 25 * 7 % 25, i, ["p", "q"][i % 2]))
    };
    let place = Place::with("t.csv", format!("key,code,nr,y\n{}", rows(50).collect::<String>()));
    let ranked = said(&place, "rank t.csv --target y --nominal code");
    assert_eq!(ranked.len(), 3, "{ranked:?}");
    assert!(ranked.iter().any(|line| line.starts_with("key: like an id: 50 values in 50 rows")));
    assert!(ranked.iter().any(|line| line.starts_with("nr: like an id")));
    assert!(ranked.iter().any(|line| line.starts_with("code: like an id: 25 values")));
    let fit = said(&place, "fit t.csv --target y -o m.json");
    assert!(fit[0].starts_with("feature `key` (str) is like an id"), "{fit:?}");
    let left = said(&place, "fit t.csv --target y --exclude key,nr -o m.json");
    assert_eq!(left.len(), 1, "{left:?}");
    // Not an id, but of more levels than its rows can tell apart.
    place.write("t.csv", format!("key,code,nr,y\n{}", rows(200).collect::<String>()));
    place.done("rank t.csv --target y --nominal code --features code -o r.csv");
    let note = place.frame("r.csv").column("note").expect("there").clone();
    let note = note.str().expect("text").get(0).expect("a note").to_string();
    assert!(note.starts_with("25 levels in 200 rows: as many random levels"), "{note}");
    // Textbook tables are too small for that.
    assert!(said(&place, "rank weather.csv --target play").is_empty());
}

/// A multiway gain stands beside what it is of, and the rule beside its own.
#[test]
fn the_gain_says_what_it_is_of() {
    let place = Place::after("rank weather.csv --target play -o r.csv");
    let ranking = place.frame("r.csv");
    let text = |name: &str| {
        let column = ranking.column(name).expect("there").cast(&DataType::String).expect("text");
        column.str().expect("text").get(0).expect("a value").to_string()
    };
    assert_eq!((text("feature"), text("split")), ("outlook".into(), "levels".into()));
    place.done("curve weather.csv --target play --feature outlook -o c.csv");
    let curve = place.frame("c.csv");
    let best = curve.column("info_gain").expect("there").f64().expect("f64").max();
    assert_eq!(text("rule_gain").parse().ok(), best);
    assert!(text("info_gain") > text("rule_gain"));
    let iris =
        place.done("rank iris.parquet --target species --cuts mdl --features petal_width_cm");
    assert_eq!(words(iris.lines().nth(1).expect("a line"))[5], "intervals");
}

#[test]
fn cross_validation_on_other_rows_is_told_of() {
    let place = Place::after("fit iris.parquet --target species -o m.json");
    let prune = |model: &str, input: &str| {
        let said = said(&place, &format!("prune {model} {input} --pruning cv=3 -o p.json"));
        said[..said.len() - 1].join("\n")
    };
    assert_eq!(prune("m.json", "iris.parquet"), "");
    let part = place.frame("iris.parquet").slice(20, 120);
    place.save("part.parquet", part);
    let other = prune("m.json", "part.parquet");
    for word in ["150 rows (50 setosa", "these are 120 (30 setosa", "--held-out"] {
        assert!(other.contains(word), "{word}: {other}");
    }
    // As many rows of another mean; the same with weights that are not told apart by their sum.
    let rows = |by: i32| -> String {
        (0..30).map(|i| format!("{i},{}.5,{}\n", i / 10 * by, 1 + i % 2)).collect()
    };
    place.write("a.csv", format!("x,y,w\n{}", rows(1)));
    place.write("b.csv", format!("x,y,w\n{}", rows(2)));
    place.done("fit a.csv --target y --features x --weight w -o n.json");
    assert_eq!(prune("n.json", "a.csv"), "");
    assert!(prune("n.json", "b.csv").contains("of mean"));
}

#[test]
fn rows_without_a_target_are_dropped_on_request() {
    let place = Place::with("t.csv", "x,y\n1,p\n2,\n3,q\n4,p\n5,q\n");
    place.write("n.csv", "x,y\n1,0.5\n2,NaN\n3,\n4,2.25\n5,1\n");
    assert_eq!(place.run("fit t.csv --target y -o m.json").code, Some(1));
    let fit = said(&place, "fit t.csv --target y --drop-null-target -o m.json");
    assert_eq!(fit[0], "1 row of 5 without a `y` left out");
    for words in ["rank t.csv --target y", "eval m.json t.csv", "candidates m.json t.csv"] {
        assert_eq!(place.run(words).code, Some(1), "{words}");
        let said = said(&place, &format!("{words} --drop-null-target"));
        assert_eq!(said[0], "1 row of 5 without a `y` left out", "{words}");
    }
    let curve = said(&place, "curve n.csv --target y --feature x --drop-null-target");
    assert_eq!(curve, ["2 rows of 5 without a `y` left out"]);
    assert!(said(&place, "rank weather.csv --target play --drop-null-target").is_empty());
}

/// More classes than can be told apart are numbers, where the target can be one.
#[test]
fn a_target_of_many_classes_is_told_of() {
    let rows = |y: fn(usize) -> String| -> String {
        (0..70_000).map(|i| format!("{},{}\n", i % 7, y(i))).collect()
    };
    let place = Place::with("n.csv", format!("x,y\n{}", rows(|i| i.to_string())));
    place.write("t.csv", format!("x,y\n{}", rows(|i| format!("c{i}"))));
    for words in ["fit n.csv --target y -o m.json", "rank n.csv --target y"] {
        place.refuses(words, 1, &["`y` (i64) has 70000 classes", "--task regress"]);
    }
    assert!(!place.run("rank t.csv --target y").err.contains("regress"));
    place.done("rank n.csv --target y --task regress");
}

/// Means that differ little are not shown alike.
#[test]
fn means_have_the_digits_that_tell_them_apart() {
    let rows = "1,1000000000.25\n1,1000000000.25\n2,1000000000.75\n2,1000000000.75\n";
    let place = Place::with("t.csv", format!("x,y\n{rows}"));
    place.done("fit t.csv --target y -o m.json");
    let leaves = ["1000000000.25", "1000000000.75"];
    for form in ["text", "rules", "dot"] {
        let shown = place.done(&format!("show m.json --as {form}"));
        assert!(leaves.iter().all(|mean| shown.contains(mean)), "{form}: {shown}");
    }
}

/// Figures on the rows a tree was fitted on say little, however it was pruned.
#[test]
fn rows_like_those_of_training_are_told_of() {
    let place = Place::new();
    let is_told = |words: &str| {
        said(&place, words).iter().any(|line| line.starts_with("these look like the rows the tree"))
    };
    for (fit, target) in [
        ("fit iris.parquet --pruning leaves=3 -o m.json", "species"),
        ("fit iris.parquet --algorithm c45 --class-weights balanced -o m.json", "species"),
        ("fit iris.parquet --max-depth 3 -o m.json", "petal_width_cm"),
        ("fit iris.parquet --weight petal_width_cm -o m.json", "species"),
    ] {
        place.done(&format!("{fit} --target {target}"));
        assert!(is_told("eval m.json iris.parquet"), "{fit}");
    }
    // As many rows of each class, but others.
    let iris = place.frame("iris.parquet");
    let half = |first: bool| {
        let rows = (0..150u32).filter(|row| (row % 2 == 0) == first).collect();
        iris.take(&IdxCa::from_vec("".into(), rows)).expect("takes")
    };
    place.save("train.parquet", half(true));
    place.save("test.parquet", half(false));
    place.done("fit train.parquet --target species -o m.json");
    assert!(is_told("eval m.json train.parquet") && !is_told("eval m.json test.parquet"));
    place.done("report m.json train.parquet -o page.html");
    assert!(place.text("page.html").contains("These look like the rows the tree was fitted on"));
    place.done("report m.json test.parquet -o page.html");
    assert!(!place.text("page.html").contains("look like the rows"));
}

/// Where a class is rare, pruning by errors leaves nothing, and says what to do instead.
#[test]
fn what_is_pruned_away_is_told_of() {
    let row = |i: i32| format!("{},{}\n", i % 30, if i % 90 == 29 { "yes" } else { "no" });
    let place = Place::with("t.csv", format!("x,y\n{}", (0..900).map(row).collect::<String>()));
    let leaves = |words: &str, is_noted: bool| {
        let said = said(&place, words);
        assert_eq!(said[0].starts_with("pruning left one leaf"), is_noted, "{words}: {said:?}");
        let tree = gaintree::Tree::from_json(&place.text("m.json")).expect("reads");
        tree.n_leaves()
    };
    let fit = "fit t.csv --target y -o m.json";
    assert_eq!(leaves(&format!("{fit} --pruning cv=5"), true), 1);
    assert_eq!(leaves(&format!("{fit} --held-out t.csv"), true), 1);
    assert_eq!(leaves(&format!("{fit} --algorithm c45"), true), 1);
    assert_eq!(leaves(&format!("{fit} --pruning cv=5 --prune-by log-loss"), false), 2);
    assert_eq!(leaves(&format!("{fit} --held-out t.csv --prune-by gini"), false), 2);
    assert_eq!(leaves(&format!("{fit} --pruning cv=5 --class-weights balanced"), false), 2);
    place.done(fit);
    std::fs::rename(place.path("m.json"), place.path("grown.json")).expect("renamed");
    let prune = "prune grown.json --held-out t.csv -o m.json";
    assert_eq!(leaves(&format!("{prune} --prune-by log-loss"), false), 2);
    assert_eq!(leaves(prune, true), 1);
    place.refuses(&format!("{fit} --prune-by gini"), 2, &["--prune-by is of pruning by rows"]);
    let auc = format!("{fit} --pruning cv --prune-by auc");
    place.refuses(&auc, 2, &["error_rate, log_loss, gini"]);
}

/// A share that is weighted by class says so, and the rows' own share stands beside it.
#[test]
fn weighted_shares_say_so() {
    let rows: String = (0..100)
        .map(|i| format!("{},{},{}\n", i % 7, 1 + i % 3, if i < 4 { "yes" } else { "no" }))
        .collect();
    let place = Place::with("t.csv", format!("x,w,y\n{rows}"));
    place.done("fit t.csv --target y --max-depth 0 --class-weights balanced -o m.json");
    let text = place.done("show m.json --as text");
    assert!(text.contains("all rows: no (50.0 % weighted, 96.0 % of 100, yes 4.0 %)"), "{text}");
    assert!(text.contains("weighted by class (no × 0.5208, yes × 12.5)"), "{text}");
    let dot = place.done("show m.json --as dot");
    assert!(dot.contains("no 50.0 % weighted, 96.0 % of the rows"), "{dot}");
    place.done("fit t.csv --target y --max-depth 0 --weight w -o m.json");
    assert!(place.done("show m.json --as text").contains("answers are weighted by `w`"));
}
