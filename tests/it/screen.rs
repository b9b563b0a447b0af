//! What each column is: verdicts on planted columns.

use gaintree::prelude::*;
use polars::prelude::*;

use crate::messy::{Draws, EVENT, messy};

fn texts<'a>(table: &'a DataFrame, column: &str) -> Vec<&'a str> {
    let column = table.column(column).expect("a column").str().expect("texts");
    column.iter().map(Option::unwrap_or_default).collect()
}

fn verdicts(table: &DataFrame) -> Vec<(&str, &str)> {
    texts(table, "feature").into_iter().zip(texts(table, "verdict")).collect()
}

fn verdict<'a>(table: &'a DataFrame, feature: &str) -> &'a str {
    let of = |&(name, _): &(&str, &str)| name == feature;
    verdicts(table).into_iter().find(of).expect("a line for it").1
}

fn why<'a>(table: &'a DataFrame, feature: &str) -> &'a str {
    let at = texts(table, "feature").iter().position(|name| *name == feature);
    texts(table, "why")[at.expect("a line for it")]
}

fn screened(df: &DataFrame, target: &str) -> DataFrame {
    df.screen(target, &ScreenSpec::default()).expect("screens")
}

#[test]
fn a_messy_table_is_judged_as_it_was_planted() {
    let (df, expected) = messy(40_000, 1);
    let table = screened(&df, EVENT);
    let mut found = verdicts(&table);
    // What to act on comes first.
    let order = ["leak", "id", "twin", "useful", "weak", "chance", "constant", "unusable"];
    let places = found.iter().map(|(_, verdict)| order.iter().position(|of| of == verdict));
    assert!(places.clone().is_sorted() && places.flatten().count() == 32, "{table}");
    let place = |(name, _): &(&str, &str)| expected.iter().position(|(of, _)| of == name);
    found.sort_by_key(place);
    assert_eq!(found, expected);
    for (feature, text) in [
        ("on_review", " yes if == true"),
        ("chargebacks", " yes if >= 1"),
        ("closed_reason", " yes if known"),
        ("final_state", "tells 100 % of the target"),
        ("status_code", "tells 100 % of the target"),
        ("born", "100 % told by age"),
        ("log_income", "100 % told by income"),
        ("customer_id", "40000 values in 40000 rows"),
        ("fax", "missing in all rows"),
        ("plan", "plan == basic"),
    ] {
        assert!(why(&table, feature).ends_with(text), "{feature}: {}", why(&table, feature));
    }
    let whole = df.screen(EVENT, &ScreenSpec::default().full(true)).expect("screens");
    assert_eq!(texts(&whole, "verdict"), texts(&table, "verdict"));
    let of = |name: &str| whole.column(name).expect("a column").f64().expect("figures").to_vec();
    let at = texts(&whole, "feature").iter().position(|name| *name == "born").expect("a line");
    assert_eq!((texts(&whole, "twin_of")[at], of("twin_share")[at]), ("age", Some(1.0)));
    // Of the useful ones each tells less beside those before it than the one before.
    let given: Vec<f64> = of("gain_given").into_iter().flatten().collect();
    assert!(given.len() == 6 && given.is_sorted_by(|a, b| a >= b), "{given:?}");

    let again = |threads| df.screen(EVENT, &ScreenSpec::default().full(true).threads(threads));
    assert!(again(1).expect("screens").equals_missing(&again(3).expect("screens")));
}

/// Rankings, fits and selections say the same of the same columns.
#[test]
fn other_verbs_agree_with_a_screen() {
    let (df, expected) = messy(40_000, 1);
    let df = df.drop("tags").expect("a column");
    let of = |verdicts: &[&str]| -> Vec<&str> {
        let named = expected.iter().filter(|(_, verdict)| verdicts.contains(verdict));
        named.map(|(name, _)| *name).collect()
    };
    let suspects = of(&["leak", "id"]);
    let is_told_of = |note: &str| note.contains("like an id") || note.contains("gives the target");

    let ranking = df.rank_gain(EVENT, &RankSpec::default()).expect("ranks");
    let (ranked, notes) = (texts(&ranking, "feature"), texts(&ranking, "note"));
    let noted = |name: &&&str| {
        let at = ranked.iter().position(|feature| feature == *name);
        is_told_of(notes[at.expect("a line")])
    };
    let names: Vec<&str> =
        expected.iter().map(|(name, _)| *name).filter(|n| *n != "tags").collect();
    assert_eq!(names.iter().filter(noted).copied().collect::<Vec<_>>(), suspects);
    let leading = ranked.iter().take_while(|name| suspects.contains(name)).count();
    assert!(leading > 3, "{ranking}");
    let says = format!("the first {leading} lines are ids or leaks");
    assert!(notes[0].ends_with(&says), "{}", notes[0]);
    let at = |name: &str| notes[ranked.iter().position(|of| *of == name).expect("a line")];
    assert!(at("on_review").contains(" yes; is it known before"), "{}", at("on_review"));

    let tree = df.fit_tree(EVENT, &TreeSpec::cart().max_depth(2)).expect("fits").notes;
    let forest = ForestSpec::new(TreeSpec::cart().max_depth(2)).trees(5).out_of_bag(false);
    let forest = df.fit_forest(EVENT, &forest).expect("fits").notes;
    for notes in [tree, forest] {
        let told = |name: &&&str| {
            let start = format!("feature `{name}` (");
            notes.iter().any(|note| note.starts_with(&start) && is_told_of(note))
        };
        assert_eq!(names.iter().filter(told).copied().collect::<Vec<_>>(), suspects, "{notes:?}");
    }

    let spec = SelectSpec::default().full(true);
    let steps = df.select_features(EVENT, &spec).expect("selects");
    let n_steps = steps.height() - steps.column("step").expect("steps").null_count();
    let (selected, passed_over) =
        (&texts(&steps, "feature")[..n_steps], of(&["leak", "id", "twin"]));
    assert!(n_steps > 2 && selected.iter().all(|name| of(&["useful"]).contains(name)), "{steps}");
    assert_eq!(texts(&steps, "feature")[n_steps..], passed_over);
    let notes = &texts(&steps, "note")[n_steps..];
    assert!(notes.contains(&"twin: 100 % told by age"), "{notes:?}");
    assert!(notes.contains(&"leak: tells 100 % of the target"), "{notes:?}");
    let all = df.select_features(EVENT, &spec.keep_all(true).k(1)).expect("selects");
    assert_eq!(all.height(), 1);
    assert!(texts(&all, "note")[0].starts_with("leak: "), "{all}");

    // What the screen is against is left out in one word.
    let screen = screened(&df, EVENT);
    let exclude = gaintree::columns_to_exclude(&screen).expect("names");
    let fit = df.fit_tree(EVENT, &TreeSpec::cart().max_depth(2).exclude(exclude)).expect("fits");
    assert!(!fit.notes.iter().any(|note| is_told_of(note)), "{:?}", fit.notes);
    let error = gaintree::columns_to_exclude(&df).expect_err("no screen").to_string();
    assert!(error.contains("column of a screen `verdict`: no such column"), "{error}");
}

#[test]
#[cfg(feature = "lazy")]
fn files_are_screened_a_few_columns_at_a_time() {
    let (mut df, _) = messy(3_000, 2);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("messy.parquet");
    let file = std::fs::File::create(&path).expect("a file");
    ParquetWriter::new(file).finish(&mut df).expect("writes");
    let path = PlRefPath::try_from_path(&path).expect("a path");
    let lf = LazyFrame::scan_parquet(path, ScanArgsParquet::default()).expect("a query");
    let spec = ScreenSpec::default().full(true).weight("income").exclude(["hash"]);
    let of_file = lf.screen(EVENT, &spec).expect("screens");
    assert!(of_file.equals_missing(&df.screen(EVENT, &spec).expect("screens")), "{of_file}");
}

/// Every dtype that an id can have, and measures that are as distinct.
#[test]
fn ids_are_of_any_dtype() {
    let n = 2_000;
    let mut draw = Draws(3);
    let order: Vec<i64> = draw.order(n).into_iter().map(|at| at as i64).collect();
    let amount: Vec<i64> = (0..n).map(|_| draw.bits() as i64 % 1_000_000_000).collect();
    let y: Vec<bool> =
        amount.iter().map(|x| draw.share() < if *x > 0 { 0.7 } else { 0.3 }).collect();
    let numbers = Column::new("i64".into(), &order);
    let mut columns = vec![Column::new("y".into(), &y), Column::new("amount".into(), &amount)];
    columns.push(Column::new(
        "measure".into(),
        amount.iter().map(|&x| x as f64 / 7.0).collect::<Vec<_>>(),
    ));
    for (name, dtype) in [
        ("u16", DataType::UInt16),
        ("i32", DataType::Int32),
        ("u64", DataType::UInt64),
        ("i128", DataType::Int128),
        ("f32", DataType::Float32),
        ("f64", DataType::Float64),
        ("decimal", DataType::Decimal(20, 0)),
        ("str", DataType::String),
    ] {
        columns.push(numbers.cast(&dtype).expect("a dtype").with_name(name.into()));
    }
    let text = columns.last().expect("texts").clone();
    let categories = DataType::from_categories(Categories::global());
    columns.push(text.cast(&categories).expect("a dtype").with_name("cat".into()));
    let table = screened(&DataFrame::new(n, columns).expect("a frame"), "y");
    for (feature, found) in verdicts(&table) {
        // A measure may be as distinct, and tells.
        let expected = if ["amount", "measure"].contains(&feature) { "id" } else { "" };
        assert_eq!(found == "id", expected.is_empty(), "{feature}: {found}\n{table}");
    }
}

#[test]
fn twins_are_found_through_any_monotone_map() {
    let n = 5_000;
    let mut draw = Draws(4);
    let x: Vec<f64> = (0..n).map(|_| (3.0 + draw.normal()).exp()).collect();
    let city: Vec<usize> = (0..n).map(|_| draw.below(40)).collect();
    let y: Vec<&str> = x
        .iter()
        .zip(&city)
        .map(|(x, city)| if x.ln() + *city as f64 / 10.0 + draw.normal() > 5.0 { "b" } else { "a" })
        .collect();
    let of = |map: &dyn Fn(f64) -> f64| x.iter().map(|&x| map(x)).collect::<Vec<_>>();
    let band = |x: f64| (x / 5.0).floor();
    let bands: Vec<String> = x.iter().map(|&x| format!("band {}", band(x).min(9.0))).collect();
    let other: Vec<f64> = x.iter().map(|x| x.ln() + 0.3 * draw.normal()).collect();
    let df = df![
        "x" => &x,
        "mirrored" => of(&|x| 2025.0 - x),
        "shifted" => of(&|x| x + 7.0),
        "log" => of(&f64::ln),
        "square" => of(&|x| x * x),
        "binned" => of(&band),
        "bands" => &bands,
        "rounded" => of(&f64::round),
        "nearly" => x.iter().map(|&x| if draw.share() < 0.01 { (3.0 + draw.normal()).exp() } else { x }).collect::<Vec<_>>(),
        "near" => &other,
        "city" => city.iter().map(|at| format!("city {at}")).collect::<Vec<_>>(),
        "renamed" => city.iter().map(|at| format!("{}", 39 - at)).collect::<Vec<_>>(),
        "land" => city.iter().map(|at| format!("land {}", at / 10)).collect::<Vec<_>>(),
        "y" => &y,
    ]
    .expect("a frame");
    let table = df.screen("y", &ScreenSpec::default().full(true)).expect("screens");
    let (features, twins) = (texts(&table, "feature"), texts(&table, "twin_of"));
    let shares = table.column("twin_share").expect("shares").f64().expect("figures").to_vec();
    let of = |feature: &str| features.iter().position(|name| *name == feature).expect("a line");
    for name in ["mirrored", "shifted", "log", "square", "binned", "bands", "rounded"] {
        assert_eq!((twins[of(name)], shares[of(name)]), ("x", Some(1.0)), "{name}\n{table}");
    }
    assert!(twins[of("nearly")] == "x" && shares[of("nearly")] < Some(1.0), "{table}");
    assert_eq!((twins[of("renamed")], shares[of("renamed")]), ("city", Some(1.0)));
    // What only goes along is no twin, and a city tells its land but is no renaming of it.
    for name in ["x", "near", "city", "land"] {
        assert_eq!(verdict(&table, name), "useful", "{name}\n{table}");
    }
}

/// The leak of 16 of 16 rows beside 4 of 984, which no ranking noted.
#[test]
fn a_leak_may_be_on_one_side() {
    let n = 1_000;
    let event = |row: usize| row < 20;
    let mut draw = Draws(5);
    let df = df![
        "flag" => (0..n).map(|row| row < 16).collect::<Vec<_>>(),
        "count" => (0..n).map(|row| if row < 16 { 3 + row as i32 } else { row as i32 % 3 }).collect::<Vec<_>>(),
        "low" => (0..n).map(|row| if row < 16 { -1.0 } else { draw.share() }).collect::<Vec<_>>(),
        "code" => (0..n).map(|row| if row < 16 { "x9".to_string() } else { format!("x{}", row % 7) }).collect::<Vec<_>>(),
        "when" => (0..n).map(|row| (row < 16).then_some(row as i32)).collect::<Vec<_>>(),
        "lost" => (0..n).map(|row| (row >= 16).then_some(row as i32 % 5)).collect::<Vec<_>>(),
        "few" => (0..n).map(|row| row < 1).collect::<Vec<_>>(),
        "y" => (0..n).map(event).collect::<Vec<_>>(),
    ]
    .expect("a frame");
    let table = screened(&df, "y");
    for (feature, text) in [
        ("flag", "16 of 16 true if == true"),
        ("count", "16 of 16 true if >= 3"),
        ("low", "16 of 16 true if < "),
        ("code", "16 of 16 true if == x9"),
        ("when", "16 of 16 true if known"),
        ("lost", "16 of 16 true if missing"),
    ] {
        assert_eq!(verdict(&table, feature), "leak", "{feature}\n{table}");
        assert!(why(&table, feature).starts_with(text), "{}", why(&table, feature));
    }
    assert_ne!(verdict(&table, "few"), "leak");
    // A class that is not rare is found by good columns too.
    let iris = ["setosa", "versicolor"];
    let df = df![
        "petal" => (0..n).map(|row| if row < 480 { 1.0 } else { 1.0 + draw.share() }).collect::<Vec<_>>(),
        "species" => (0..n).map(|row| iris[usize::from(row >= 500)]).collect::<Vec<_>>(),
    ];
    let table = screened(&df.expect("a frame"), "species");
    assert_eq!(verdict(&table, "petal"), "useful", "{table}");
}

#[test]
fn numbers_are_screened_too() {
    let n = 4_000;
    let mut draw = Draws(6);
    let x: Vec<f64> = (0..n).map(|_| draw.normal()).collect();
    let y: Vec<f64> = x.iter().map(|x| x * x + draw.normal()).collect();
    let df = df![
        "line" => y.iter().map(|y| 3.0 - 2.0 * y + 0.01 * draw.normal()).collect::<Vec<_>>(),
        "cube" => y.iter().map(|y| (y / 4.0).powi(3)).collect::<Vec<_>>(),
        "group" => y.iter().map(|y| format!("{}", (y * 40.0).round())).collect::<Vec<_>>(),
        "x" => &x,
        "mirrored" => x.iter().map(|x| -x).collect::<Vec<_>>(),
        "noise" => (0..n).map(|_| draw.normal()).collect::<Vec<_>>(),
        "level" => (0..n).map(|_| format!("l{}", draw.below(300))).collect::<Vec<_>>(),
        "id" => (0..n).collect::<Vec<_>>(),
        "y" => &y,
    ]
    .expect("a frame");
    let table = screened(&df, "y");
    let found = verdicts(&table);
    for (feature, expected) in [
        ("line", "leak"),
        ("cube", "leak"),
        ("group", "leak"),
        ("x", "useful"),
        ("mirrored", "twin"),
        ("noise", "chance"),
        ("level", "chance"),
        ("id", "id"),
    ] {
        assert!(found.contains(&(feature, expected)), "{feature} is no {expected}\n{table}");
    }
}

#[test]
fn wrong_words_are_refused() {
    let (df, _) = messy(60, 7);
    let error = |spec: &ScreenSpec| df.screen(EVENT, spec).expect_err("refused").to_string();
    let text = error(&ScreenSpec::default().alpha(1.5));
    assert_eq!(text, "alpha is 1.5; it is a probability, from 0 to 1");
    assert!(
        error(&ScreenSpec::default().twin_share(f64::NAN))
            .contains("twin_share is NaN; it is a share, from 0 to 1")
    );
    assert!(error(&ScreenSpec::default().features([""; 0])).contains("no column to screen"));
    assert!(error(&ScreenSpec::default().exclude(["agee"])).contains("did you mean `age`"));
    assert!(error(&ScreenSpec::default().ordered(["tags"])).contains("tags"));
    // Few rows, constant columns and missing values everywhere are no reason to fail.
    for n in [2, 3, 5, 19] {
        let y: Vec<bool> = (0..n).map(|row| row % 2 == 0).collect();
        let df = df!["x" => (0..n).collect::<Vec<i32>>(), "z" => vec![None::<f64>; n as usize], "y" => y];
        let table = screened(&df.expect("a frame"), "y");
        assert_eq!((verdict(&table, "x"), verdict(&table, "z")), ("chance", "constant"));
    }
}
