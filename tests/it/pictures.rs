//! Pictures and pages: well-formed whatever the names are, the same every time, and true.

use gaintree::{
    Direction, ReportSpec, Theme, TreePicture, curve_svg, error_curve_svg, prelude::*, ranking_svg,
    screen_html, screen_svg, svg_on,
};
use polars::prelude::*;
use roxmltree::{Document, ParsingOptions};

const SCRIPT: &str = "</script><script>alert(1)</script>";

/// Names that have broken pages before.
fn names() -> [String; 6] {
    [
        "<b>&amp; \"quotes\" 'n' ]]> --".to_string(),
        "long ".repeat(40),
        "مستوى التعليم".to_string(),
        "最終学歴と職業".to_string(),
        "bell \u{7} nul \u{0} line\nbreak \u{202e}turned \u{fffe}".to_string(),
        SCRIPT.to_string(),
    ]
}

/// Ordered and nominal features, levels and classes of every sort of name.
fn strange() -> DataFrame {
    let names = names();
    let rows = 240;
    let level = |row: usize, step: usize| names[row / step % names.len()].clone();
    let mut columns =
        vec![Column::new("y".into(), (0..rows).map(|r| level(r * r, 7)).collect::<Vec<_>>())];
    for (at, name) in names.iter().enumerate() {
        let column = match at % 2 {
            0 => Column::new(
                name.as_str().into(),
                (0..rows).map(|r| (r * (at + 3) % 37) as i64).collect::<Vec<_>>(),
            ),
            _ => Column::new(
                name.as_str().into(),
                (0..rows).map(|r| level(r, at + 1)).collect::<Vec<_>>(),
            ),
        };
        columns.push(column);
    }
    DataFrame::new(rows, columns).expect("a frame")
}

/// Parses a picture; no text of it begins outside, and none is longer than a line.
fn parsed(svg: &str) -> Document<'_> {
    let document = Document::parse(svg).unwrap_or_else(|e| panic!("{e}: {svg}"));
    let root = document.root_element();
    let size =
        |name: &str| root.attribute(name).and_then(|x| x.parse::<f64>().ok()).expect("a size");
    assert!(size("width") < 20_000.0 && size("height") < 20_000.0);
    for text in document.descendants().filter(|n| n.has_tag_name("text")) {
        let shown: String =
            text.children().filter_map(|n| n.is_text().then(|| n.text())?).collect();
        assert!(shown.trim().chars().count() <= 130, "{shown}");
    }
    document
}

/// Parses a page as XML, which its own writing allows; the script and style are cut out, as
/// only they hold bare `<` and `&`.
pub(crate) fn sound(page: &str) -> usize {
    let mut rest = page.to_string();
    for (open, close) in [("<script>", "</script>"), ("<style>", "</style>")] {
        assert_eq!(rest.matches(open).count(), 1, "one {open}");
        let from = rest.find(open).expect("there");
        let to = from + rest[from..].find(close).expect("closed") + close.len();
        rest.replace_range(from..to, "");
    }
    let options = ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = Document::parse_with_options(&rest, options).unwrap_or_else(|e| panic!("{e}"));
    let scripts: Vec<_> = document.descendants().filter(|n| n.has_tag_name("script")).collect();
    assert_eq!(scripts.len(), 1, "a name became a script");
    assert!(
        !page.contains("http") || !page.replace("http://www.w3.org/2000/svg", "").contains("http")
    );
    let data = scripts[0].text().expect("data");
    let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
    data["nodes"].as_array().expect("nodes").len()
}

#[test]
fn no_name_breaks_a_picture() {
    let df = strange();
    for spec in [TreeSpec::cart(), TreeSpec::id3().max_depth(2), TreeSpec::cart().max_depth(0)] {
        let tree = df.fit_tree("y", &spec).expect("a tree").tree;
        for direction in [Direction::Down, Direction::Right] {
            let svg = tree.to_svg(&TreePicture::default().direction(direction).max_leaves(40));
            let svg = svg.expect("a picture");
            parsed(&svg);
            assert!(!svg.contains(SCRIPT));
        }
        let page = tree.to_html(&TreePicture::default()).expect("a page");
        assert_eq!(sound(&page), tree.n_nodes());
        let report = tree.report(&df).expect("a report");
        assert_eq!(sound(&report), tree.n_nodes());
        assert_eq!(report, tree.report(&df).expect("again"));
        let dot = tree.to_dot(u32::MAX);
        assert_eq!(dot.lines().filter(|l| l.contains("penwidth")).count(), tree.n_nodes() - 1);
    }
    for name in names() {
        parsed(&curve_svg(&df, "y", &name, &RankSpec::default()).expect("a curve"));
    }
    let screen = df.screen("y", &ScreenSpec::default()).expect("screens");
    parsed(&screen_svg(&screen).expect("a picture"));
    let page = without_script(&screen_html(&screen, SCRIPT).expect("a page"));
    assert!(!page.contains(SCRIPT));
    let ranking = df.rank_gain("y", &RankSpec::default()).expect("a ranking");
    parsed(&ranking_svg(&ranking, "gain_ratio").expect("a chart"));
    assert!(ranking_svg(&ranking, "rule").is_err());
    let marks = |svg: &str| svg.matches("width=\"2\"").count();
    assert_eq!(marks(&ranking_svg(&ranking, "info_gain").expect("a chart")), 0);
    let by_chance = RankSpec::default().chance(9);
    let by_chance = df.rank_gain("y", &by_chance).expect("ranks");
    let svg = ranking_svg(&by_chance, "info_gain").expect("a chart");
    parsed(&svg);
    let expected = by_chance.column("expected_gain").expect("there");
    assert_eq!(marks(&svg), expected.len() - expected.null_count());
    assert!(svg.contains("what chance gains"));
    assert_eq!(marks(&ranking_svg(&by_chance, "gain_ratio").expect("a chart")), 0);
}

/// Parses a page without a script as XML.
fn without_script(page: &str) -> String {
    let (before, rest) = page.split_once("<style>").expect("a style");
    let bare = before.to_string() + rest.split_once("</style>").expect("closed").1;
    let options = ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = Document::parse_with_options(&bare, options).unwrap_or_else(|e| panic!("{e}"));
    assert!(!document.descendants().any(|n| n.has_tag_name("script")) && !page.contains("http"));
    bare
}

/// A picture and a page of a screen have a line for each column, grouped as in the table, and are the
/// same of the short table and of the whole one but for the rules.
#[test]
fn a_screen_is_drawn_as_its_table_is() {
    let (df, _) = crate::messy::messy(4_000, 1);
    let event = crate::messy::EVENT;
    let screened = |df: &DataFrame, full| df.screen(event, &ScreenSpec::default().full(full));
    let [short, whole] = [false, true].map(|full| screened(&df, full).expect("screens"));
    let svg = screen_svg(&short).expect("a picture");
    parsed(&svg);
    let page = screen_html(&whole, event).expect("a page");
    without_script(&page);
    without_script(&screen_html(&short, event).expect("a page"));
    let texts = |name: &str| whole.column(name).expect("a column").str().expect("texts").clone();
    let (features, verdicts) = (texts("feature"), texts("verdict"));
    let (mut drawn, mut listed) = (0, 0);
    for (feature, verdict) in features.iter().flatten().zip(verdicts.iter().flatten()) {
        let at = svg.find(&format!("<title>{feature}: {verdict}, ")).expect("a line");
        assert!(at > drawn, "{feature} is out of order");
        let row = page.find(&format!("<td><bdi>{feature}</bdi>")).expect("a row");
        assert!(row > listed, "{feature} is out of order");
        (drawn, listed) = (at, row);
    }
    assert_eq!(page.matches("class=\"verdict\"").count(), 8);
    assert!(page.contains("on 4,000 rows") && page.contains("best rule"), "{page}");
    assert!(svg.contains("32 columns: leak "), "{svg}");
    // Only the first sixty columns are drawn; the page has all.
    let long = "a_name_that_is_much_longer_than_the_space_that_there_is_for_names_".repeat(2);
    let column = |at: usize| Column::new(format!("{long}{at}").into(), vec![at as i64; 4_000]);
    let many: Vec<Column> =
        (0..70).map(column).chain([df.column(event).expect("it").clone()]).collect();
    let many = screened(&DataFrame::new(4_000, many).expect("a frame"), true).expect("screens");
    let svg = screen_svg(&many).expect("a picture");
    parsed(&svg);
    assert_eq!(svg.matches(": constant, one value in all rows").count(), 60);
    assert!(svg.contains("and 10 more"), "{svg}");
    assert_eq!(screen_html(&many, event).expect("a page").matches("<td><bdi>a_name").count(), 70);
    let none = short.head(Some(0));
    parsed(&screen_svg(&none).expect("a picture"));
    without_script(&screen_html(&none, event).expect("a page"));
    // What is no screen.
    for (table, part) in [
        (short.drop("why").expect("drops"), "a screen has a column `why`: draw the table that"),
        (df.rank_gain(event, &RankSpec::default()).expect("ranks"), "`verdict`"),
        (
            short
                .clone()
                .lazy()
                .with_column(lit("odd").alias("verdict"))
                .collect()
                .expect("a frame"),
            "verdict `odd`",
        ),
        (
            short
                .clone()
                .lazy()
                .with_column(lit("much").alias("share"))
                .collect()
                .expect("a frame"),
            "`share`",
        ),
    ] {
        for error in [
            screen_svg(&table).expect_err("no screen"),
            screen_html(&table, "y").expect_err("no screen"),
        ] {
            assert!(error.to_string().contains(part), "{error}");
        }
    }
}

/// Contributions of features and levels of every sort of name, of trees and of forests.
#[test]
fn no_name_breaks_a_picture_of_contributions() {
    let df = strange();
    let forest = df.fit_forest("y", &ForestSpec::default().trees(20)).expect("fits").forest;
    let tree = df.fit_tree("y", &TreeSpec::cart()).expect("fits").tree;
    for class in names() {
        let spec = ContributionSpec::default().event(class.as_str());
        for model in [Model::Forest(forest.clone()), Model::Tree(tree.clone())] {
            let summary = model.contributions_svg(&df, &spec).expect("a picture");
            parsed(&summary);
            assert_eq!(summary, model.contributions_svg(&df, &spec).expect("again"));
            parsed(&model.waterfall_svg(&df, 11, &spec).expect("a picture"));
        }
    }
    let error = forest.contributions_svg(&df, &ContributionSpec::default()).expect_err("classes");
    assert!(error.to_string().contains("event"), "{error}");
    let event = ContributionSpec::default().event(SCRIPT);
    assert!(forest.contributions_svg(&df.head(Some(0)), &event).is_err());
    assert!(forest.waterfall_svg(&df, 240, &event).is_err());
    let report = forest.report_with(&df, &ReportSpec::default().event(SCRIPT).out_of_bag(true));
    sound(&report.expect("a report"));
}

/// A line a feature that rules test, dark where many rows are, coloured by the values; a feature
/// without an order has none.
#[test]
fn contributions_are_drawn_where_they_are() {
    let x: Vec<i32> = (0..100).collect();
    let z: Vec<&str> = x.iter().map(|x| if x % 2 == 0 { "a" } else { "b" }).collect();
    let y: Vec<f64> = x.iter().map(|x| if *x < 50 { 0.0 } else { 10.0 }).collect();
    let df = df!["x" => x, "z" => z, "y" => y].expect("a frame");
    let tree = df.fit_tree("y", &TreeSpec::cart()).expect("fits").tree;
    let svg = tree.contributions_svg(&df, &ContributionSpec::default()).expect("a picture");
    let document = parsed(&svg);
    let bars: Vec<_> = document
        .descendants()
        .filter(|node| node.has_tag_name("rect") && node.attribute("height") == Some("24"))
        .map(|node| node.attribute("fill").expect("a colour").to_string())
        .collect();
    // All low values lower the answer by 5, all high ones raise it by 5.
    assert_eq!(bars, ["#56B4E9", "#E69F00"]);
    assert!(svg.contains("x: 5") && !svg.contains("z: "), "{svg}");
    let svg = tree.waterfall_svg(&df, 70, &ContributionSpec::default()).expect("a picture");
    assert!(svg.contains("x = 70: +5, 10") && svg.contains("the prediction of y is 10"), "{svg}");
    // A tree without rules has a base value alone.
    let flat = df.fit_tree("y", &TreeSpec::cart().max_depth(0)).expect("fits").tree;
    parsed(&flat.contributions_svg(&df, &ContributionSpec::default()).expect("a picture"));
    let svg = flat.waterfall_svg(&df, 0, &ContributionSpec::default()).expect("a picture");
    assert!(svg.contains("base value: 5"), "{svg}");
}

#[test]
fn an_error_curve_is_of_the_rows_that_trees_left_out() {
    let x: Vec<u32> = (0..60).collect();
    let y: Vec<u32> = x.iter().map(|x| x * x).collect();
    let df = df!["x" => x, "y" => y].expect("a frame");
    let spec = ForestSpec::new(TreeSpec::cart().task(Task::Regress)).trees(20);
    let curve = df.fit_forest("y", &spec).expect("fits").out_of_bag.expect("a bootstrap").curve;
    let svg = error_curve_svg(&curve).expect("a picture");
    parsed(&svg);
    assert!(svg.contains("out-of-bag rmse by trees, "), "{svg}");
    for lacking in ["n_trees", "rmse"] {
        let error = error_curve_svg(&curve.drop(lacking).expect("drops")).expect_err("lacks it");
        assert!(error.to_string().contains(if lacking == "rmse" { "error" } else { lacking }));
    }
    parsed(&error_curve_svg(&curve.head(Some(1))).expect("a picture"));
    parsed(&error_curve_svg(&curve.head(Some(0))).expect("a picture"));
}

/// Standard errors are whiskers, where they belong to the figure.
#[test]
fn importances_have_whiskers() {
    let df = strange();
    let fit = df.fit_forest("y", &ForestSpec::default().trees(20)).expect("fits");
    let whiskers = |svg: &str| svg.matches("fill=\"none\" stroke=").count();
    let svg = ranking_svg(&fit.importance, "importance").expect("a picture");
    parsed(&svg);
    assert_eq!(whiskers(&svg), fit.importance.height());
    assert!(svg.contains("whiskers are a standard error"), "{svg}");
    let svg = ranking_svg(&fit.importance, "total_gain").expect("a picture");
    assert_eq!(whiskers(&svg), 0);
    let spec = PermutationSpec::default().repeats(1);
    let once = fit.forest.permutation_importance(&df, &spec).expect("permutes");
    let svg = ranking_svg(&once, "importance").expect("a picture");
    assert!(whiskers(&svg) == 0 && !svg.contains("whiskers"), "{svg}");
}

#[test]
fn no_value_breaks_a_curve() {
    let y = ["p", "q", "p", "q", "q", "p", "q", "p"];
    let time = |unit, zone: Option<&str>| {
        DataType::Datetime(unit, TimeZone::opt_try_new(zone).expect("a zone"))
    };
    let ints = Column::new("x".into(), [5i64, 900_000, 7, 86_400, 40_000_000, 3, 2, 1]);
    let floats = |values: [f64; 8]| Column::new("x".into(), values);
    let mut columns = vec![
        floats([f64::MAX, f64::MIN, 0.0, 1.0, f64::INFINITY, f64::NEG_INFINITY, 2.0, f64::NAN]),
        floats([
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::INFINITY,
            f64::INFINITY,
            f64::INFINITY,
            f64::INFINITY,
        ]),
        floats([0.0, 5e-324, 0.0, 5e-324, 1e-323, 0.0, 5e-324, 0.0]),
        floats([1.0; 8]),
        Column::new("x".into(), [i64::MIN, i64::MAX, 0, 1, 2, 3, 4, 5]),
        Column::new("x".into(), [Some(1), None, None, None, None, None, None, None]),
        Column::new("x".into(), [None::<i64>; 8]),
        Column::new("x".into(), [None::<f64>; 8]),
        Column::new("x".into(), [None::<&str>; 8]),
    ];
    for dtype in [
        DataType::Date,
        time(TimeUnit::Milliseconds, None),
        time(TimeUnit::Nanoseconds, Some("Europe/Paris")),
        DataType::Duration(TimeUnit::Microseconds),
        DataType::Time,
        DataType::Int128,
        DataType::Decimal(20, 3),
        DataType::Boolean,
        DataType::String,
    ] {
        columns.push(ints.cast(&dtype).expect("casts"));
    }
    for x in columns {
        let dtype = x.dtype().clone();
        let z = Column::new("z".into(), [1.5, 2.0, 1e9, -3.0, 4.0, 0.0, 2.5, 1.0]);
        let df = DataFrame::new(8, vec![x, Column::new("y".into(), y), z]).expect("a frame");
        for target in ["y", "z"] {
            for spec in [
                RankSpec::default(),
                RankSpec::default().ordered(["x"]),
                RankSpec::default().nominal(["x"]),
            ] {
                let svg =
                    curve_svg(&df, target, "x", &spec).unwrap_or_else(|e| panic!("{dtype}: {e}"));
                parsed(&svg);
                for wrong in ["NaN", "inf ", "\"inf", "-2147483648"] {
                    let drawn = svg.replace("-inf", "").replace("&gt;= inf", "");
                    assert!(!drawn.contains(wrong), "{dtype}: {wrong} in {svg}");
                }
            }
        }
    }
}

/// The points of the last line of a curve, and where the mark through its panel stands.
fn last_line_and_mark(svg: &str) -> (Vec<(f64, f64)>, f64) {
    let document = parsed(svg);
    let mut paths = document.descendants().filter_map(|n| n.attribute("d"));
    let line = paths.next_back().expect("a line").trim_start_matches('M');
    let pair = |p: &str| {
        let (x, y) = p.split_once(' ').expect("a pair");
        (x.parse().expect("x"), y.parse().expect("y"))
    };
    let mut marks = document.descendants().filter(|n| n.has_tag_name("line"));
    let mark = marks.next_back().and_then(|mark| mark.attribute("x1")).expect("a mark");
    (line.split('L').map(pair).collect(), mark.parse().expect("x"))
}

#[test]
fn the_gain_falls_to_nothing_at_both_ends() {
    let rows = 200;
    let x: Vec<f64> = (0..rows).map(|r| f64::from(r * 37 % 101)).collect();
    let y: Vec<&str> = x.iter().map(|x| if *x > 60.0 { "q" } else { "p" }).collect();
    let df = df!["x" => x, "y" => y].expect("a frame");
    let svg = curve_svg(&df, "y", "x", &RankSpec::default()).expect("a curve");
    assert!(svg.contains("best: x &gt;= 60.5"), "{svg}");
    let (gain, mark) = last_line_and_mark(&svg);
    let (first, last) = (gain[0], gain[gain.len() - 1]);
    assert_eq!(first.1, last.1);
    assert!(gain[1..gain.len() - 1].iter().all(|p| p.1 < first.1), "gains are positive");
    let top = gain.iter().min_by(|a, b| a.1.total_cmp(&b.1)).expect("points");
    assert_eq!(top.0, mark, "the mark is at the highest gain");
}

#[test]
fn folded_parts_say_what_they_hold() {
    let rows = 512;
    let x: Vec<i64> = (0..rows).collect();
    let y: Vec<i64> = (0..rows).map(|r| r * 7919 % 31 % 2).collect();
    let df = df!["x" => x, "y" => y].expect("a frame");
    let tree = df.fit_tree("y", &TreeSpec::cart()).expect("a tree").tree;
    for options in [
        TreePicture::default(),
        TreePicture::default().max_depth(3),
        TreePicture::default().max_leaves(5),
    ] {
        let svg = tree.to_svg(&options).expect("a picture");
        let document = parsed(&svg);
        let titles = document.descendants().filter(|n| n.has_tag_name("title"));
        let titles: Vec<String> = titles.filter_map(|n| n.text().map(str::to_string)).collect();
        let cards: Vec<&String> = titles.iter().filter(|t| t.starts_with("node ")).collect();
        let hidden: usize = cards
            .iter()
            .filter_map(|t| {
                t.split("folded: ")
                    .nth(1)?
                    .split(' ')
                    .next()?
                    .replace(',', "")
                    .parse::<usize>()
                    .ok()
            })
            .sum();
        assert_eq!(cards.len() + hidden, tree.n_nodes(), "every node is shown or counted");
        let edges = document.descendants().filter(|n| n.has_tag_name("path")).count();
        assert_eq!(edges, cards.len() - 1);
    }
}

#[test]
fn branches_say_where_missing_goes() {
    let y = ["p", "p", "q", "q", "r", "r"];
    let learnt = df!["x" => [Some(1), Some(2), Some(3), Some(4), None, None], "y" => ["p", "p", "q", "q", "q", "q"]];
    let alone = df!["x" => [None, None, Some(1), Some(1), Some(2), Some(2)], "y" => ["p", "p", "q", "q", "q", "q"]];
    let branch = df!["x" => [Some("u"), Some("u"), None, None, Some("v"), Some("v")], "y" => y];
    for (df, spec, labels) in [
        (learnt, TreeSpec::cart(), ["< 3", ">= 3 or missing"]),
        (alone, TreeSpec::cart(), ["not missing", "missing"]),
        (branch, TreeSpec::id3(), ["== v", "missing"]),
    ] {
        let tree = df.expect("a frame").fit_tree("y", &spec).expect("a tree").tree;
        let svg = tree.to_svg(&TreePicture::default()).expect("a picture");
        let document = parsed(&svg);
        let texts: Vec<&str> = document.descendants().filter_map(|n| n.text()).collect();
        let dot = tree.to_dot(u32::MAX);
        for label in labels {
            assert!(texts.contains(&label), "{label}: {texts:?}");
            let is = dot.contains(&format!("label=\"is {label}\""));
            assert!(is || dot.contains(&format!("label=\"{label}\"")), "{label}: {dot}");
        }
    }
    let x = [Some("u"); 4].into_iter().chain([Some("v"); 4]).chain([None; 2]);
    let df = df!["x" => x.collect::<Vec<_>>(), "y" => ["p", "p", "p", "p", "q", "q", "q", "q", "p", "q"]];
    let tree = df.expect("a frame").fit_tree("y", &TreeSpec::c45()).expect("a tree").tree;
    let svg = tree.to_svg(&TreePicture::default()).expect("a picture");
    assert_eq!(svg.matches(">6 rows in part<").count(), 2, "{svg}");
    assert!(svg.contains("a row without a value goes every way, in parts"));
}

/// A tree of a rare class is about it: bars, colours and the order of levels tell where it is.
#[test]
fn a_picture_of_a_rare_class_is_about_it() {
    let rows = 0..4000;
    let kind: Vec<&str> = rows.clone().map(|r| ["a", "b", "c", "d"][r % 4]).collect();
    let x: Vec<f64> = rows.clone().map(|r| (r * 7919 % 4001) as f64 / 3.0).collect();
    // In "c" one in 25, elsewhere one in 200.
    let is_rare = |r: usize| r.is_multiple_of(200) || (r % 4 == 2 && r % 100 == 2);
    let y: Vec<&str> = rows.map(|r| if is_rare(r) { "yes" } else { "no" }).collect();
    let df = df!["kind" => kind, "x" => x, "y" => y].expect("a frame");
    let spec = TreeSpec::cart().max_depth(1).features(["kind"]);
    let tree = df.fit_tree("y", &spec).expect("a tree").tree;
    let svg = tree.to_svg(&TreePicture::default()).expect("a picture");
    for part in [
        "lift of yes: ¼ or less",
        "bars: share of yes, up to 3.0 %; upright: its share in all rows, 1.5 %<",
        ">yes 3.0 %<",
        ">lift 2<",
    ] {
        assert!(svg.contains(part), "{part} in {svg}");
    }
    let about_no = tree.to_svg(&TreePicture::default().event("no")).expect("a picture");
    assert!(about_no.contains("lift of no: ") && !about_no.contains("lift of yes"));
    let wrong = tree.to_svg(&TreePicture::default().event("maybe")).expect_err("no class");
    assert!(wrong.to_string().contains("event `maybe` is no class"), "{wrong}");
    // The level of the highest share is first.
    let levels = curve_svg(&df, "y", "kind", &RankSpec::default()).expect("a curve");
    let place = |level: &str| levels.find(&format!(">{level}</text>")).expect("drawn");
    assert!(place("c") < place("a") && place("a") < place("b"), "{levels}");
    let cuts = curve_svg(&df, "y", "x", &RankSpec::default()).expect("a curve");
    assert!(cuts.contains(">share of yes<"), "{cuts}");
}

#[test]
fn a_compact_picture_is_half_as_high() {
    let x: Vec<i64> = (0..512).collect();
    let y: Vec<i64> = (0..512).map(|r| r * 7919 % 31 % 3).collect();
    let df = df!["x" => x, "y" => y].expect("a frame");
    let tree = df.fit_tree("y", &TreeSpec::cart().max_depth(4)).expect("a tree").tree;
    let height = |options: TreePicture| -> f64 {
        let svg = tree.to_svg(&options.direction(Direction::Right)).expect("a picture");
        parsed(&svg).root_element().attribute("height").expect("a height").parse().expect("pixels")
    };
    let whole = TreePicture::default();
    assert!(height(whole.clone().compact(true)) < 0.65 * height(whole));
}

/// A set of ids has as many levels as rows; a picture names a few and counts the others.
#[test]
fn pictures_of_ids_stay_small() {
    let rows = 0..30_000;
    let ids: Vec<String> = rows.clone().map(|r| format!("customer_{r:07}")).collect();
    let y: Vec<&str> = rows.map(|r| if r * 7919 % 31 < 9 { "p" } else { "q" }).collect();
    let df = df!["id" => ids, "y" => y].expect("a frame");
    let fit = df.fit_tree("y", &TreeSpec::cart()).expect("a tree");
    assert!(fit.notes.iter().all(|note| note.len() < 600), "{:?}", fit.notes);
    let svg = fit.tree.to_svg(&TreePicture::default()).expect("a picture");
    assert!(svg.len() < 20_000 && svg.contains("customer_0000000"), "{}", svg.len());
    let page = fit.tree.report(&df).expect("a report");
    assert!(page.len() < 300_000, "{}", page.len());
}

#[test]
fn a_dark_picture_has_nothing_of_the_light_one() {
    let df = df!["x" => [1, 2, 3, 4, 5, 6], "y" => ["p", "p", "q", "q", "r", "\"#222222\""]];
    let tree = df.expect("a frame").fit_tree("y", &TreeSpec::cart()).expect("a tree").tree;
    let light = tree.to_svg(&TreePicture::default()).expect("a picture");
    assert_eq!(svg_on(&light, Theme::Light), light);
    let dark = svg_on(&light, Theme::Dark);
    parsed(&dark);
    for color in ["=\"#FFFFFF\"", "=\"#222222\"", "=\"#F6F7F9\""] {
        assert!(light.contains(color) && !dark.contains(color), "{color}");
    }
    assert!(dark.contains("&quot;#222222&quot;"), "a class keeps its name");
    let auto = svg_on(&light, Theme::Auto);
    parsed(&auto);
    assert!(auto.contains("prefers-color-scheme:dark") && auto.contains("#FFFFFF"));
}
