//! The report on a tree and rows.

use gaintree::engine::{drawn_rows, permuted_rows};
use gaintree::{ReportSpec, prelude::*};
use polars::prelude::*;

use crate::pictures::sound;

#[test]
fn notes_tell_what_is_wrong_with_a_column() {
    let rows = 400usize;
    let y: Vec<&str> = (0..rows).map(|r| if r * 7919 % 97 < 40 { "yes" } else { "no" }).collect();
    let df = df![
        "id" => (0..rows).map(|r| format!("c-{r}")).collect::<Vec<_>>(),
        "same" => vec![3i32; rows],
        "late" => y.iter().map(|y| if *y == "yes" { 2.5 } else { 1.0 }).collect::<Vec<_>>(),
        "told" => y.iter().map(|y| format!("was {y}")).collect::<Vec<_>>(),
        "gaps" => (0..rows).map(|r| (r % 4 == 0).then_some(r as i32 % 5)).collect::<Vec<_>>(),
        "fine" => (0..rows).map(|r| r as i32 * 31 % 23).collect::<Vec<_>>(),
        "z" => (0..rows).map(|r| r as f64 * 1.5).collect::<Vec<_>>(),
        "twice_z" => (0..rows).map(|r| r as f64 * 3.0 + 1.0).collect::<Vec<_>>(),
        "y" => y,
    ]
    .expect("a frame");
    let notes = |target: &str| -> Vec<(String, String)> {
        let spec = TreeSpec::cart().max_depth(2);
        let tree = df.fit_tree(target, &spec).expect("a tree").tree;
        let page = tree.report(&df).expect("a report");
        let table = section(&page, "data");
        let lines = table.split("<tr>").skip(2);
        lines
            .map(|line| {
                let name = line.split("<bdi>").nth(1).and_then(|n| n.split('<').next());
                let note = line.split("note\">").nth(1).and_then(|n| n.split('<').next());
                (name.expect("a name").to_string(), note.expect("a note").to_string())
            })
            .collect()
    };
    let of = |notes: &[(String, String)], name: &str| {
        notes.iter().find(|(n, _)| n == name).map(|(_, note)| note.clone()).expect("listed")
    };
    let classes = notes("y");
    for (name, start) in [
        ("id", "like an id"),
        ("same", "constant"),
        ("late", "gives the target away"),
        ("told", "gives the target away"),
        ("gaps", "mostly missing"),
    ] {
        assert!(of(&classes, name).starts_with(start), "{name}: {}", of(&classes, name));
    }
    assert_eq!(of(&classes, "fine"), "");
    let numbers = notes("z");
    assert!(of(&numbers, "twice_z").starts_with("gives the target away"));
    assert_eq!(of(&numbers, "fine"), "");
}

/// A section of a page, by its anchor.
fn section<'a>(page: &'a str, id: &str) -> &'a str {
    let start = format!("<section id=\"{id}\"");
    let from = page.find(&start).unwrap_or_else(|| panic!("no {id}"));
    page[from..].split("</section>").next().unwrap_or_default()
}

#[test]
fn a_report_begins_with_what_matters() {
    let n = 60;
    let days: Vec<Option<i32>> = (0..n).map(|r| (r % 7 > 0).then_some(19_000 + r)).collect();
    let day = Column::new("day".into(), days).cast(&DataType::Date).expect("dates");
    let x = Column::new("x".into(), (0..n).map(|r| f64::from(r) / 2.0).collect::<Vec<_>>());
    let y: Vec<&str> = (0..n).map(|r| if r >= 30 || r == 5 { "yes" } else { "no" }).collect();
    let z: Vec<f64> = (0..n).map(|r| f64::from(r * r)).collect();
    let (y, z) = (Column::new("y".into(), y), Column::new("z".into(), z));
    let df = DataFrame::new(n as usize, vec![day, x, y, z]).expect("a frame");
    let spec = TreeSpec::cart().max_depth(1).exclude(["z"]);
    let page = df.fit_tree("y", &spec).expect("a tree").tree;
    let page =
        page.report_with(&df, &ReportSpec::default().source("rows.csv").row(0)).expect("a report");
    sound(&page);
    let head = page.split("<main>").next().expect("a head");
    for part in [
        ">60 rows<",
        ">rows.csv<",
        ">Accuracy<",
        ">98.3 %<",
        ">51.7 % by always answering yes<",
        ">ROC AUC<",
        ">2022-01-09<",
        ">to 2022-03-08<",
        "max_depth 1",
    ] {
        assert!(head.contains(part), "{part} in {head}");
    }
    assert!(section(&page, "quality").contains("share of no by its probability"));
    let row = section(&page, "row");
    for part in ["Row 1: The tree predicts <strong><bdi>no<", ">x is 0<", ">x &lt; 14.75<", ">30<"]
    {
        assert!(row.contains(part), "{part} in {row}");
    }
    let data = section(&page, "data");
    assert!(data.contains("0 to 29.5") && data.contains("median 14.5"), "{data}");
    let page = df.fit_tree("z", &TreeSpec::cart().max_depth(2)).expect("a tree").tree;
    let page = page.report(&df).expect("a report");
    sound(&page);
    assert!([">R²<", ">RMSE<", "The tree answers"].iter().all(|part| page.contains(part)));
    assert!(section(&page, "target").contains("greatest</td><td class=\"n\">3481<"));
}

/// The page says of its features what a screen says of them on the same rows, whatever the model is.
#[test]
fn a_report_screens_its_features() {
    let (df, _) = crate::messy::messy(3_000, 1);
    let features = [
        "final_state",
        "customer_id",
        "ticket",
        "born",
        "age",
        "income",
        "region",
        "coin",
        "country",
    ];
    let weighted = TreeSpec::cart().max_depth(2).features(features).weight("visits");
    let tree = |target: &str, spec: &TreeSpec| df.fit_tree(target, spec).expect("fits").tree;
    let forest = ForestSpec::new(weighted.clone()).trees(3).seed(1);
    let forest = df.fit_forest(crate::messy::EVENT, &forest).expect("fits").forest;
    for (model, target, weight) in [
        (Model::Tree(tree(crate::messy::EVENT, &weighted)), crate::messy::EVENT, true),
        (Model::Forest(forest), crate::messy::EVENT, true),
        (
            Model::Tree(tree(
                "visits",
                &TreeSpec::cart().task(Task::Regress).max_depth(2).features(features),
            )),
            "visits",
            false,
        ),
    ] {
        let page = model.report(&df).expect("a report");
        sound(&page);
        let section = section(&page, "screen");
        let mut spec = ScreenSpec::default().features(features).task(if weight {
            Task::Classify
        } else {
            Task::Regress
        });
        if weight {
            spec = spec.weight("visits");
        }
        let screen = df.screen(target, &spec).expect("screens");
        let texts = |name: &str| screen.column(name).expect("a column").str().expect("texts");
        let expected: Vec<(&str, &str)> =
            texts("verdict").iter().flatten().zip(texts("feature").iter().flatten()).collect();
        let mut found = Vec::new();
        for group in section.split("<strong>").skip(1) {
            let verdict = group.split('<').next().expect("a verdict");
            let rows = group.split("<td><bdi>").skip(1);
            found.extend(rows.map(|row| (verdict, row.split('<').next().expect("a name"))));
        }
        assert_eq!(found, expected, "{target}");
        assert!(
            page.find("id=\"screen\"") < page.find("id=\"ranking\""),
            "the columns begin with it"
        );
    }
    // Rows of one class cannot be screened.
    let one_class = df.head(Some(1));
    let page = tree(crate::messy::EVENT, &weighted).report(&one_class).expect("a report");
    assert!(!page.contains("id=\"screen\"") && page.contains("Nothing can be ranked"));
}

/// How often a row of "low" has a higher mean probability of it than another row, pair by pair, ties
/// counting half; each row by the trees that did not draw it.
fn roc_auc_out_of_bag(forest: &Forest, df: &DataFrame) -> f64 {
    let n = df.height();
    let mut said = vec![(0.0, 0.0); n];
    for at in 0..forest.n_trees() {
        let times = drawn_rows(forest.spec(), at as u32, n).expect("draws");
        let tree = forest.tree(at).expect("a tree");
        let scored = tree.score_with(df, &ScoreSpec::default().probability(true)).expect("scores");
        let shares = scored.column("probability_low").expect("there").f64().expect("f64").clone();
        let left_out = said.iter_mut().zip(shares.iter().flatten()).zip(times);
        for ((sum, share), _) in left_out.filter(|(_, times)| *times == 0) {
            *sum = (sum.0 + share, sum.1 + 1.0);
        }
    }
    let actual = df.column("y").expect("there").str().expect("text");
    let of = |class: &str| -> Vec<f64> {
        let rows =
            said.iter().zip(actual.iter()).filter(|(sum, y)| sum.1 > 0.0 && *y == Some(class));
        rows.map(|(sum, _)| sum.0 / sum.1).collect()
    };
    let (low, high) = (of("low"), of("high"));
    let won = |a: f64| high.iter().map(move |&b| f64::from(a > b) + 0.5 * f64::from(a == b));
    low.iter().flat_map(|&a| won(a)).sum::<f64>() / (low.len() * high.len()) as f64
}

/// A page on a forest has what a page on a tree has of its rows, and what a forest knows.
#[test]
fn a_report_on_a_forest_tells_of_its_trees() {
    let rows = 0..300u32;
    let x: Vec<f64> = rows.clone().map(|row| f64::from(row * 7919 % 997)).collect();
    let kind: Vec<&str> = rows.clone().map(|row| ["<b>", "q", "r"][row as usize % 3]).collect();
    let noise: Vec<u32> = rows.map(|row| row * row % 83).collect();
    let y: Vec<&str> = x.iter().map(|x| if *x < 300.0 { "low" } else { "high" }).collect();
    let df = df!["x" => &x, "kind" => kind, "noise" => noise, "y" => y].expect("a frame");
    let forest = df.fit_forest("y", &ForestSpec::default().trees(30).seed(2)).expect("fits").forest;
    let spec = ReportSpec::default().source("rows.csv").out_of_bag(true);
    let page = forest.report_with(&df, &spec).expect("a report");
    assert_eq!(page, Model::Forest(forest.clone()).report_with(&df, &spec).expect("a report"));
    assert_eq!(sound(&page), forest.tree(0).expect("a tree").n_nodes());
    let head = page.split("<main>").next().expect("a head");
    for part in ["Forest of <bdi>y<", ">300 rows<", ">rows.csv<", ">30 trees<", "seed 2, trees 30"]
    {
        assert!(head.contains(part), "{part} in {head}");
    }
    let out_of_bag = forest.out_of_bag(&df).expect("judges");
    let Some(Evaluation::Classes { accuracy, .. }) = out_of_bag.evaluation else {
        panic!("classes");
    };
    assert!(head.contains(&format!(">{:.1} %<", 100.0 * accuracy)), "{head}");
    assert!(section(&page, "quality").contains("answered by the trees that did not draw it"));
    assert!(section(&page, "error-curve").contains("out-of-bag error by trees, "));
    let importance = section(&page, "importance");
    assert!(importance.contains("How much the area under the ROC curve falls"), "{importance}");
    let places = ["title>x: 0.", "title>noise: ", "title>kind: "].map(|bar| importance.find(bar));
    assert!(
        places[0] < places[1].min(places[2]) && places.iter().all(Option::is_some),
        "{importance}"
    );
    for (at, name) in ["x", "kind", "noise"].into_iter().enumerate() {
        let permuted = |repeat| permuted_rows(0, at as u32, repeat, 300);
        let rises = (0..5).map(|repeat| {
            let (order, mut after) = (permuted(repeat), df.clone());
            let order: IdxCa = order.iter().map(|&row| Some(row)).collect();
            let column = df.column(name).expect("there").take(&order).expect("rows");
            after.with_column(column).expect("set");
            roc_auc_out_of_bag(&forest, &df) - roc_auc_out_of_bag(&forest, &after)
        });
        let mean = rises.sum::<f64>() / 5.0;
        let start = importance.find(&format!("title>{name}: ")).expect("a bar") + name.len() + 8;
        let said = importance[start..].split(' ').next().expect("a figure");
        let said: f64 = said.parse().expect("a number");
        assert!((said - mean).abs() <= 1e-3 * mean.abs() + 1e-9, "{name}: {said} {mean}");
    }
    assert!(section(&page, "contributions").contains("the probability of low, of 300 rows"));
    assert!(section(&page, "tree").contains("The first of 30"));
    for id in ["ranking", "curves", "pairs", "data"] {
        assert!(!section(&page, id).is_empty());
    }
    // The row of most loss is that whose class the trees held least likely.
    let answers = out_of_bag.predictions;
    let probability = |class: &str, row: usize| -> f64 {
        let column = answers.column(&format!("probability_{class}")).expect("there");
        column.f64().expect("f64").get(row).unwrap_or(2.0)
    };
    let actual = df.column("y").expect("there").str().expect("text").clone();
    let least = |row: &usize| probability(actual.get(*row).expect("a class"), *row);
    let worst = (0..300).min_by(|a, b| least(a).total_cmp(&least(b))).expect("rows");
    let row = section(&page, "row");
    assert!(row.contains(&format!("Row {}: the forest predicts", worst + 1)), "{row}");
    let few = forest
        .report(
            &df.filter(&BooleanChunked::new(
                "".into(),
                x.iter().map(|x| *x < 300.0).collect::<Vec<_>>(),
            ))
            .expect("rows of one class"),
        )
        .expect("a report");
    assert!(section(&few, "importance").contains("How much the Brier score rises"));
    // By the whole forest, without a curve; a row that is named.
    let page = forest.report_with(&df, &ReportSpec::default().row(0)).expect("a report");
    sound(&page);
    assert!(!page.contains("<section id=\"error-curve\""));
    assert!(section(&page, "row").contains("Row 1: the forest predicts <strong><bdi>low<"));
    let numbers = df.fit_forest("x", &ForestSpec::default().trees(20)).expect("fits").forest;
    let page = numbers.report_with(&df, &spec).expect("a report");
    sound(&page);
    assert!([">R²<", "the forest answers", "rmse by trees"].iter().all(|part| page.contains(part)));
    assert!(section(&page, "importance").contains("How much the mean squared error rises"));
    let of_kinds = df.fit_forest("kind", &ForestSpec::default().trees(5)).expect("fits").forest;
    let page = of_kinds.report(&df).expect("a report");
    sound(&page);
    assert!(page.contains("name an event") && !page.contains("<section id=\"contributions\""));
    assert!(section(&page, "importance").contains("How much the Brier score rises"));
    let about = of_kinds.report_with(&df, &ReportSpec::default().event("q")).expect("a report");
    assert!(section(&about, "contributions").contains("the probability of q"));
    for (spec, words) in [
        (ReportSpec::default().beside(df.clone(), "d"), "no other rows"),
        (ReportSpec::default().row(300), "has 300 rows, 0 to 299"),
        (ReportSpec::default().event("no"), "`no`"),
    ] {
        let error = forest.report_with(&df, &spec).expect_err("refused").to_string();
        assert!(error.contains(words), "{error}");
    }
    let error = forest.report(&df.head(Some(0))).expect_err("no rows").to_string();
    assert!(error.contains("no rows to report on"), "{error}");
    let whole = ForestSpec::default().trees(3).bootstrap(false);
    let whole = df.fit_forest("y", &whole).expect("fits").forest;
    assert!(whole.report_with(&df, &ReportSpec::default().out_of_bag(true)).is_err());
    let tree = df.fit_tree("y", &TreeSpec::cart()).expect("fits").tree;
    let error = tree.report_with(&df, &ReportSpec::default().out_of_bag(true));
    assert!(error.expect_err("one tree").to_string().contains("one tree"));
}

/// A page about a class that no leaf predicts says where it is, and paints no missed row as right.
#[test]
fn a_report_on_a_rare_class_is_about_it() {
    let rows = 0..4000;
    let kind: Vec<&str> = rows.clone().map(|r| ["a", "b", "c", "d"][r % 4]).collect();
    // In "c" one in 25, elsewhere one in 200.
    let is_rare = |r: usize| r.is_multiple_of(200) || (r % 4 == 2 && r % 100 == 2);
    let y: Vec<&str> = rows.map(|r| if is_rare(r) { "yes" } else { "no" }).collect();
    let df = df!["kind" => kind, "y" => y].expect("a frame");
    let tree = df.fit_tree("y", &TreeSpec::cart().grouping(Grouping::Multiway)).expect("fits").tree;
    let page = tree.report_with(&df, &ReportSpec::default().row(1)).expect("a report");
    sound(&page);
    let quality = section(&page, "quality");
    let row = quality.split("<th><bdi>yes<").nth(1).expect("the class's row");
    assert!(row.contains("<td class=\"n share wrong\"") && !quality.contains("share right wrong"));
    let rules = section(&page, "rules");
    assert!(
        rules.contains("The rules of the highest share of <bdi>yes</bdi> come first."),
        "{rules}"
    );
    let places = ["kind == c<", "kind == a<", "kind == b<"].map(|rule| rules.find(rule));
    assert!(places.is_sorted() && places[0].is_some(), "{rules}");
    assert!(rules.contains(">4.0 %<") && rules.contains("share of <bdi>yes</bdi>"), "{rules}");
    let row = section(&page, "row");
    for part in [
        "No leaf gives another answer. What would take <bdi>yes</bdi> to the other side of its share of \
         all rows, 1.5 %:",
        "change of yes (points)",
        ">kind == c<",
    ] {
        assert!(row.contains(part), "{part} in {row}");
    }
    assert!(!row.contains(">kind == d<"), "{row}");
    // Columns of many values gain by chance, and do not stand above the one that tells.
    let mixed = |row: u64| {
        let z = row.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((z ^ (z >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 50) as u32
    };
    let noise = Column::new("noise".into(), (0..4000).map(mixed).collect::<Vec<u32>>());
    let noisy = df.hstack(&[noise]).expect("a frame");
    let forest = noisy.fit_forest("y", &ForestSpec::default().trees(20).seed(1)).expect("fits");
    let first = forest.importance.column("feature").expect("there").str().expect("text").get(0);
    assert_eq!(first, Some("noise"));
    let page = forest.forest.report_with(&noisy, &ReportSpec::default().out_of_bag(true));
    let page = page.expect("a report");
    let importance = section(&page, "importance");
    assert!(importance.find("title>kind: ") < importance.find("title>noise: "), "{importance}");
    // Without an event, as of three classes, rules are in order of rows.
    let plain = df.fit_tree("kind", &TreeSpec::cart().max_depth(1)).expect("a tree").tree;
    assert!(!section(&plain.report(&df).expect("a report"), "rules").contains("highest share"));
}

#[test]
fn a_report_selects_the_features_that_tell_most_together() {
    let rows = 0..400u32;
    let [a, b] = [4, 5].map(|m| rows.clone().map(|row| row * row / 7 % m).collect::<Vec<_>>());
    let y: Vec<bool> = a.iter().zip(&b).map(|(a, b)| a + b < 3).collect();
    let ids: Vec<String> = rows.map(|row| format!("n{row}")).collect();
    let df = df!["id" => ids, "a" => &a, "twice_a" => a.iter().map(|a| a * 2).collect::<Vec<_>>(),
        "b" => b, "y" => y];
    let df = df.expect("a frame");
    let page = df.fit_tree("y", &TreeSpec::cart()).expect("a tree").tree.report(&df);
    let page = page.expect("a report");
    sound(&page);
    let selection = section(&page, "selection");
    assert!(selection.contains("2 steps; together they tell"), "{selection}");
    assert!(["1. ", "2. "].iter().all(|step| selection.contains(step)), "{selection}");
    assert!(!selection.contains(". id"), "{selection}");
    // Where nothing tells more than chance there is no such section.
    let noise = df.select(["id", "y"]).expect("columns");
    let page = noise.fit_tree("y", &TreeSpec::cart().max_depth(1)).expect("a tree").tree;
    assert!(!page.report(&noise).expect("a report").contains("<section id=\"selection\""));
}

/// Also where some classes of the tree are not among the rows.
#[test]
fn a_class_has_one_colour_in_a_report() {
    let df = df!["x" => [1, 2, 3, 4, 5, 6], "y" => ["p", "p", "q", "q", "r", "r"]];
    let df = df.expect("a frame");
    let tree = df.fit_tree("y", &TreeSpec::cart()).expect("a tree").tree;
    let page = tree.report(&df.tail(Some(4))).expect("a report");
    let curves = section(&page, "curves");
    assert!(!curves.contains("#0072B2"), "the colour of p: {curves}");
    assert!(curves.contains("#E69F00") && curves.contains("#009E73"), "{curves}");
}

#[test]
fn many_classes_have_a_confusion() {
    let classes = |k: i32| {
        let y: Vec<String> = (0..6 * k).map(|r| format!("class {:03}", r % k)).collect();
        let x: Vec<i32> = (0..6 * k).map(|r| r % k / 2).collect();
        let df = df!["x" => x, "y" => y].expect("a frame");
        df.fit_tree("y", &TreeSpec::cart()).expect("a tree").tree.report(&df).expect("a report")
    };
    let page = classes(23);
    sound(&page);
    let quality = section(&page, "quality");
    assert!(quality.contains("matrix turned"));
    assert_eq!(
        quality.matches("n share right\"").count(),
        12,
        "a shaded cell on the diagonal a pair"
    );
    assert!(quality.contains("most frequent mistakes"));
    let page = classes(120);
    assert!(!section(&page, "quality").contains("matrix"));
    assert!(section(&page, "quality").contains("and 48 more pairs"));
}

/// A report stands on any rows that the tree can score and that hold the target.
#[test]
fn reports_of_other_rows() {
    let df = df!["a" => [1, 2, 3, 4, 5, 6], "b" => ["u", "v", "u", "v", "u", "v"], "w" => [1, 1, 2, 2, 1, 1], "y" => ["p", "p", "p", "q", "q", "q"]]
        .expect("a frame");
    let tree = df.fit_tree("y", &TreeSpec::cart().weight("w")).expect("a tree").tree;
    sound(&tree.report(&df).expect("the same rows"));
    let fewer =
        tree.report(&df.drop("b").expect("b").drop("w").expect("w")).expect("fewer columns");
    sound(&fewer);
    assert!(fewer.contains("not in these rows: b.") && fewer.contains("The weight w"));
    let one_class = tree.report(&df.head(Some(3))).expect("one class");
    assert!(one_class.contains("Nothing can be ranked"));
    let unseen = df!["a" => [1, 9], "y" => ["r", "q"]].expect("a frame");
    assert!(tree.report(&unseen).expect("a class never trained").contains("(never trained)"));
    assert!(tree.report(&df.drop("y").expect("y")).is_err());
    assert!(tree.report(&df.head(Some(0))).is_err());
}

/// Twelve rows of which the tree tells eleven: the row of most loss is the one it does not.
fn with_one_exception() -> (DataFrame, Tree) {
    let y = ["n", "n", "n", "n", "y", "n", "y", "y", "y", "y", "y", "y"];
    let df = df!["x" => (1..=12).collect::<Vec<i32>>(), "y" => y].expect("a frame");
    let tree = df.fit_tree("y", &TreeSpec::cart().max_depth(1)).expect("a tree").tree;
    (df, tree)
}

#[test]
fn a_report_explains_the_row_of_most_loss_or_the_one_named() {
    let (df, tree) = with_one_exception();
    let page = tree.report(&df).expect("a report");
    let row = section(&page, "row");
    assert!(row.contains("Row 5: ") && row.contains("It is the row of most loss"), "{row}");
    let named = tree.report_with(&df, &ReportSpec::default().row(1)).expect("a report");
    let row = section(&named, "row");
    assert!(row.contains("Row 2: ") && !row.contains("most loss"), "{row}");
    let wrong = tree.report_with(&df, &ReportSpec::default().row(12)).expect_err("no row");
    assert!(wrong.to_string().contains("12 rows, 0 to 11"), "{wrong}");
    // What each step does to the answer, and what would change it.
    assert!(row.contains(">+41.7<") && row.contains(">x &gt;= 7<"), "{row}");
    let wrong = tree.report_with(&df, &ReportSpec::default().event("z")).expect_err("no class");
    assert!(wrong.to_string().contains("event `z` is no class"), "{wrong}");
    // Of numbers it is the one farthest from its prediction.
    let z = [0.0, 0.1, 0.0, 9.0, 5.0, 5.0, 5.1, 5.0];
    let df = df!["x" => [1, 1, 1, 1, 2, 2, 2, 2], "z" => z].expect("a frame");
    let tree = df.fit_tree("z", &TreeSpec::cart()).expect("a tree").tree;
    assert!(section(&tree.report(&df).expect("a report"), "row").contains("Row 4: "));
}

/// The cells of a table's line, by its first cell.
fn cells(section: &str, first: &str) -> Vec<String> {
    let line = section.split("<tr>").find(|line| line.contains(first));
    let line = line.unwrap_or_else(|| panic!("no {first} in {section}"));
    let cells = line.split("<td").skip(2);
    let text = |cell: &str| cell.split_once('>')?.1.split('<').next().map(str::to_string);
    cells.filter_map(text).collect()
}

#[test]
fn a_report_holds_rows_against_others() {
    let (df, tree) = with_one_exception();
    let train = df.head(Some(8));
    let spec = ReportSpec::default().source("these").beside(train.clone(), "those");
    let page = tree.report_with(&df, &spec).expect("a report");
    sound(&page);
    let beside = section(&page, "beside");
    assert_eq!(cells(beside, ">rows<"), ["12", "8", ""]);
    let accuracy = |df: &DataFrame| {
        let figures = tree.evaluate(df).expect("figures");
        let accuracy = figures.column("accuracy").expect("there").f64().expect("numbers").get(0);
        accuracy.expect("a number")
    };
    let shown = cells(beside, ">accuracy<")
        .iter()
        .map(|x| x.parse::<f64>().expect("a number"))
        .collect::<Vec<_>>();
    let (here, there) = (accuracy(&df), accuracy(&train));
    for (shown, expected) in shown.iter().zip([here, there, here - there]) {
        assert!((shown - expected).abs() < 1e-3, "{shown} {expected}");
    }
    for part in
        ["<bdi>x</bdi>", "<bdi>prediction</bdi>", "<bdi>leaf_id</bdi>", "dashed, blue: the other"]
    {
        assert!(beside.contains(part), "{part} in {beside}");
    }
    let empty = ReportSpec::default().beside(df.head(Some(0)), "none");
    assert!(
        tree.report_with(&df, &empty).expect_err("no rows").to_string().contains("no rows to hold")
    );
}

#[test]
fn a_report_says_how_far_rows_have_moved() {
    let made = |from: i64, city: &str| {
        let x: Vec<i64> = (0..400).map(|i| i * 7919 % 397 + from).collect();
        let c: Vec<&str> = (0..400).map(|i| if i % 3 == 0 { city } else { "rome" }).collect();
        let y: Vec<&str> = x.iter().map(|x| if x % 200 > 120 { "yes" } else { "no" }).collect();
        let z: Vec<i64> = (0..400).map(|i| i % 5).collect();
        df!["x" => x, "city" => c, "z" => z, "y" => y].expect("a frame")
    };
    let (train, rows) = (made(0, "oslo"), made(150, "bonn"));
    let tree = train.fit_tree("y", &TreeSpec::cart().max_depth(3)).expect("fits").tree;
    // The reference needs no target, and may lack what no rule uses.
    let used = tree.used_features();
    assert!(used.contains(&0) && !used.contains(&1));
    let reference = train.drop("y").and_then(|df| df.drop("city")).expect("dropped");
    let spec = ReportSpec::default().source("june").reference(reference.clone(), "train <1>");
    let page = tree.report_with(&rows, &spec).expect("a report");
    sound(&page);
    let moved = section(&page, "reference");
    let drift = tree.drift(&train, &rows, &DriftSpec::default().features(["x"])).expect("compared");
    for (name, psi) in drift
        .column("feature")
        .expect("there")
        .str()
        .expect("texts")
        .iter()
        .zip(drift.column("psi").expect("there").f64().expect("f64").iter())
    {
        let shown = &cells(moved, &format!("<bdi>{}</bdi>", name.expect("a name")))[0];
        let (shown, psi) = (shown.parse::<f64>().expect("a number"), psi.expect("a number"));
        assert!((shown - psi).abs() < 1e-2, "{shown} {psi}");
    }
    for part in ["400 rows", "train &lt;1&gt;", "Drift: x", "only in the current frame"] {
        assert!(moved.contains(part), "{part} in {moved}");
    }
    let forest = train.fit_forest("y", &ForestSpec::default().trees(5)).expect("fits").forest;
    let page = forest
        .report_with(&rows, &ReportSpec::default().reference(train.clone(), "train"))
        .expect("a report");
    sound(&page);
    let moved = section(&page, "reference");
    for part in ["<bdi>prediction</bdi>", "1 level new; 1 level gone", "Drift: city"] {
        assert!(moved.contains(part), "{part} in {moved}");
    }
    for (reference, part) in
        [(train.head(Some(0)), "no rows"), (train.drop("x").expect("x"), "`x`")]
    {
        let spec = ReportSpec::default().reference(reference, "none");
        let error = tree.report_with(&rows, &spec).expect_err("refused").to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn a_report_holds_a_tree_against_another() {
    let (df, tree) = with_one_exception();
    let stump = df.fit_tree("y", &TreeSpec::cart().max_depth(0)).expect("a tree").tree;
    let spec = ReportSpec::default().name("one.json").against(stump.clone(), "none.json");
    let page = tree.report_with(&df, &spec).expect("a report");
    sound(&page);
    let against = section(&page, "against");
    // The stump answers "y", which seven rows are; the tree tells six of these and the other five.
    let told = |what: &str| cells(against, what)[0].parse::<u64>().expect("a count");
    let both = told(">by both<");
    let alone = |name: &str| {
        let line = against.split("<tr>").find(|line| line.contains(&format!("by <bdi>{name}")));
        cells(line.expect("a line"), name)[0].parse::<u64>().expect("a count")
    };
    let (this, other) = (alone("one.json"), alone("none.json"));
    assert_eq!((both, this, other, told(">by neither<")), (6, 5, 1, 0));
    assert!(against.contains("McNemar"), "{against}");
    let numbers = df!["x" => [1, 2, 3, 4], "y" => [0.5, 1.5, 2.0, 9.0]].expect("a frame");
    let numbers = numbers.fit_tree("y", &TreeSpec::cart()).expect("a tree").tree;
    let wrong = tree.report_with(&df, &ReportSpec::default().against(numbers, "other"));
    let wrong = wrong.expect_err("another kind of target").to_string();
    assert!(wrong.contains("predicts numbers of `y`, this one classes of `y`"), "{wrong}");
}

/// The bars of a node are of the page's rows, and the cut is where the rule is.
#[test]
fn cards_of_a_report_show_what_the_rule_cuts() {
    let df = df!["x" => (0..24).collect::<Vec<i32>>(), "y" => (0..24).map(|x| if x < 6 { "a" } else { "b" }).collect::<Vec<_>>()];
    let df = df.expect("a frame");
    let tree = df.fit_tree("y", &TreeSpec::cart()).expect("a tree").tree;
    let page = tree.report(&df).expect("a report");
    let picture = section(&page, "tree").split("</svg>").next().unwrap_or_default().to_string();
    // One row a bar; the cut is at 6 of 0 to 23.
    assert_eq!(picture.matches("height=\"30\"").count(), 24, "{picture}");
    let cut = picture.split("<line x1=\"").nth(1).and_then(|x| x.split('"').next()).expect("a cut");
    let card = picture.split("H").nth(1).and_then(|x| x.split('"').next()).expect("a base");
    let share = cut.parse::<f64>().expect("a number") / card.parse::<f64>().expect("a number");
    assert!((share - 6.0 / 23.0).abs() < 0.01, "{share}");
}
