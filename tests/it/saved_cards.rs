//! Scorecards as text and in files: what is read is what was written, and what is damaged is refused.

use gaintree::engine::dtype::Kind;
use gaintree::prelude::*;
use gaintree::{RowScorer, ScorecardSpec};
use polars::prelude::*;
use proptest::prelude::*;

use crate::frame::{cases, data_frame};
use crate::frames::{Weighing, frames, scattered};

/// A card of a float, a text and a date, and rows for it.
fn made() -> (Scorecard, DataFrame) {
    let x = [Some(f64::NEG_INFINITY), Some(0.1), Some(0.7), Some(f64::INFINITY), None];
    let s = [Some("a"), Some("b"), None, Some("b"), Some("c")];
    let df =
        df!["x" => x, "s" => s, "day" => [0, 1, 2, 3, 4], "y" => [true, true, false, false, true]];
    let mut df = df.expect("a frame");
    let day = df.column("day").and_then(|day| day.cast(&DataType::Date)).expect("dates");
    df.with_column(day).expect("replaced");
    let spec = WoeSpec::default().intervals(Intervals::Quantiles(4)).unseen(None);
    let woe = df.woe_bins("y", &spec).expect("bins");
    let spec = ScorecardSpec::default().coefficients([("s", 0.5), ("x", 1.25), ("day", 0.1)]);
    (woe.scorecard(&spec.rounded(true)).expect("a card"), df)
}

proptest! {
    #![proptest_config(cases(96))]

    /// A card is made of some rows. Read from its text it gives all rows the same points, also those
    /// with levels and values that the first ones lack, and their sums however they are asked for.
    #[test]
    fn a_card_read_from_its_text_is_the_same(
        frame in frames(Weighing::Exact),
        salt: u32,
        quantiles: bool,
        rounded: bool,
        unseen in prop::option::of(-2.0..2.0f64),
    ) {
        let all = data_frame(&frame);
        let height = (all.height() / 2).max(2);
        let y: Vec<bool> = scattered(height as u32, salt, 2).map(|x| x == 1).collect();
        prop_assume!(all.height() >= height && y.contains(&true) && y.contains(&false));
        let mut some = all.head(Some(height));
        some.with_column(Column::new("event".into(), y)).expect("added");
        let mut spec = WoeSpec::default().event("true").unseen(unseen).exclude(["y", "w"]);
        spec.exclude.retain(|name| all.column(name).is_ok());
        spec.ordered = frame.overridden(Kind::Ordered);
        spec.nominal = frame.overridden(Kind::Nominal);
        if quantiles {
            spec = spec.intervals(Intervals::Quantiles(5));
        }
        let woe = some.woe_bins("event", &spec).expect("bins");
        prop_assert_eq!(WoeBins::from_json(&woe.to_json()).expect("its own text").to_json(), woe.to_json());
        let spec = ScorecardSpec::default().intercept(-0.25).rounded(rounded);
        let card = woe.scorecard(&spec).expect("a card");
        let text = card.to_json();
        let again = Scorecard::from_json(&text).expect("its own text");
        prop_assert_eq!(again.to_json(), text);
        prop_assert!(again.table.equals_missing(&card.table));

        let score = card.score_frame(&all).expect("scored");
        prop_assert!(again.score_frame(&all).expect("scored").equals_missing(&score));
        let mut sum: Option<Column> = None;
        for name in card.features() {
            let column = all.column(name).expect("there");
            let points = card.map(column).expect("points");
            prop_assert!(again.map(column).expect("points").equals_missing(&points), "{name}");
            sum = Some(match sum {
                None => points,
                Some(sum) => (sum + points).expect("added"),
            });
        }
        let sum = sum.expect("a feature").with_name("score".into());
        prop_assert!(sum.equals_missing(&score), "{sum:?} {score:?}");
        let points = ScoreSpec::default().points(true).prefix("p.").keep(Vec::<String>::new());
        let scored = again.score_lazy(all.clone().lazy(), &points).expect("a query");
        let frame = scored.frame.clone().collect().expect("scored");
        prop_assert_eq!(frame.width(), card.features().count() + 1);
        prop_assert!(frame.column("p.score").expect("there").as_materialized_series().equals_missing(score.as_materialized_series()));
        for name in card.features() {
            let points = card.map(all.column(name).expect("there")).expect("points");
            let added = frame.column(&format!("p.{name}_points")).expect("there");
            prop_assert!(added.as_materialized_series().equals_missing(points.as_materialized_series()));
        }
        prop_assert_eq!(scored.report().rows, all.height() as u64);
    }
}

/// The text of this version, which later ones read too.
#[test]
fn a_card_of_each_version_is_read() {
    let text = include_str!("../data/0.1.0-scorecard.card.json");
    let (card, df) = made();
    let kept = Scorecard::from_json(text).expect("a card");
    assert_eq!((kept.to_json().as_str(), card.to_json().as_str()), (text, text));
    let score = kept.score_frame(&df).expect("scored");
    assert!(score.equals_missing(&card.score_frame(&df).expect("scored")));
}

#[test]
fn a_card_is_kept_in_a_file() {
    let (card, df) = made();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("card.json");
    card.save(&path).expect("saved");
    assert_eq!(std::fs::read_to_string(&path).expect("read"), card.to_json());
    let again = Scorecard::load(&path).expect("loaded");
    assert!(
        again
            .score_frame(&df)
            .expect("scored")
            .equals_missing(&card.score_frame(&df).expect("scored"))
    );
    assert!(matches!(RowScorer::load(&path), Ok(RowScorer::Scorecard(_))));
    card.bins().save(&path).expect("saved");
    let bins = WoeBins::load(&path).expect("loaded");
    assert_eq!(bins.features().collect::<Vec<_>>(), card.features().collect::<Vec<_>>());
    let error = card.save(folder.path().join("none/card.json")).expect_err("no folder");
    assert!(error.is_io() && error.to_string().contains("there is no folder"), "{error}");
    std::fs::write(&path, b"\xff").expect("written");
    let error = Scorecard::load(&path).expect_err("no text").to_string();
    assert!(error.contains("scorecard `") && error.contains("byte 0 is not UTF-8"), "{error}");
}

/// Each loader says what a file of another kind is, and what takes it.
#[test]
fn other_kinds_are_named() {
    let (card, df) = made();
    let tree = df.fit_tree("y", &TreeSpec::cart()).expect("a tree").tree;
    let said = |error: gaintree::Error| {
        assert!(error.is_model(), "{error}");
        error.to_string()
    };
    let (text, bins) = (card.to_json(), card.bins().to_json());
    let scorecard =
        "it is a scorecard, which `gaintree score`, `gaintree show` and Scorecard::load take";
    for (said, part) in [
        (said(Tree::from_json(&text).expect_err("a card")), scorecard),
        (said(Forest::from_json(&text).expect_err("a card")), scorecard),
        (said(Model::from_json(&text).expect_err("a card")), scorecard),
        (said(WoeBins::from_json(&text).expect_err("a card")), scorecard),
        (
            said(Scorecard::from_json(&bins).expect_err("bins")),
            "it is bins, which WoeBins::load takes",
        ),
        (said(RowScorer::from_json(&bins).expect_err("bins")), "it is bins"),
        (
            said(Scorecard::from_json(&tree.to_json()).expect_err("a tree")),
            "it is a tree or a forest, which Model::load takes, and this takes a scorecard",
        ),
    ] {
        assert!(said.contains(part) && !said.contains('\n'), "{said}");
    }
    assert!(matches!(RowScorer::from_json(&tree.to_json()), Ok(RowScorer::Model(_))));
}

#[test]
fn a_damaged_text_is_refused() {
    let (card, df) = made();
    let text = card.to_json();
    for (from, to, part) in [
        ("\"version\":1", "\"version\":2,\"new\":0", "its version is 2, but gaintree "),
        ("\"version\":1", "\"version\":2", "reads version 1: get a newer gaintree"),
        ("\"version\":1", "\"version\":0", "its version is 0"),
        ("gaintree scorecard", "card", "its format is `card`, not `gaintree scorecard`"),
        ("\"rounded\":true,", "", "missing field `rounded`"),
        ("\"rounded\":true,", "\"rounded\":true,\"x\":1,", "unknown field `x`"),
        ("\"unseen\":null,", "", "missing field `unseen`"),
        ("\"unseen\":null,", "\"unseen\":\"0\",", "invalid type: string"),
        ("\"coefficient\":1.25", "\"coefficient\":1e999", "number out of range"),
        (
            "\"coefficient\":1.25",
            "\"coefficient\":1e308",
            "the points of feature `x` are not finite",
        ),
        ("\"name\":\"day\"", "\"name\":\"x\"", "feature `x` stands twice"),
        ("\"0.1\"", "\"0.9\"", "feature `x`: its cuts do not ascend"),
        ("\"1970-01-03\"", "\"someday\"", "feature `day`: \"someday\" is no value of date"),
        ("\"a\":", "\"a\":7,\"z\":", "level \"a\" is in bin 7"),
        ("\"has_missing_bin\":true", "\"has_missing_bin\":false", "bins do not fit"),
    ] {
        assert!(text.contains(from), "{from} in {text}");
        let error = Scorecard::from_json(&text.replacen(from, to, 1)).expect_err(from);
        let said = error.to_string();
        assert!(error.is_model() && said.contains(part) && !said.contains('\n'), "{said}");
        assert!(said.starts_with("it is no text of a scorecard: "), "{said}");
    }
    let none = format!("{}\"features\":[]}}", text.split("\"features\"").next().expect("a head"));
    assert!(
        Scorecard::from_json(&none).expect_err("none").to_string().contains("it has no feature")
    );
    // Whatever a byte is changed to, the text is refused, or it is a card that scores rows.
    for at in 0..text.len() {
        if at % 10 == 0 {
            assert!(Scorecard::from_json(&text[..at]).expect_err("cut off").is_model());
        }
        for byte in ["", "9", ["\"", "-", "}", "\u{1}"][at % 4]] {
            let damaged = format!("{}{byte}{}", &text[..at], &text[at + 1..]);
            match Scorecard::from_json(&damaged) {
                Ok(card) => drop(card.score_frame(&df)),
                Err(e) => assert!(e.is_model() && !e.to_string().contains('\n'), "{e}"),
            }
        }
    }
}

#[test]
fn what_cannot_be_scored_is_refused_without_the_rows() {
    let (card, df) = made();
    let none = || df.clear().lazy();
    let spec = ScoreSpec::default;
    let error = |input: LazyFrame, spec: &ScoreSpec| {
        card.score_lazy(input, spec).err().expect("refused").to_string()
    };
    let tree = df.fit_tree("y", &TreeSpec::cart()).expect("a tree").tree;
    for (said, part) in [
        (error(none(), &spec().probability(true)), "has a score and points but no probabilities"),
        (error(none(), &spec().leaf(true)), "no leaf ids: leave them out"),
        (error(none(), &spec().votes(true)), "no votes"),
        (error(none(), &spec().keep(["z"])), "column to keep `z`"),
        (error(none(), &spec().keep(["x", "x"])), "kept twice"),
        (error(none().drop(cols(["s"])), &spec()), "feature of the card `s`: no such column"),
        (
            error(none().with_column(col("day").cast(DataType::String)), &spec()),
            "feature `day` is str, and its weights of evidence are of date",
        ),
        (error(none().with_column(lit(1).alias("score")), &spec()), "has a column `score`"),
        (
            tree.score_with(&df, &spec().points(true)).expect_err("a tree").to_string(),
            "the model is a tree, and points are of a scorecard: leave them out",
        ),
    ] {
        assert!(said.contains(part) && !said.contains('\n'), "{said}");
    }
    // Levels that were never seen are counted, and what has no weight has no score.
    let new =
        df!["x" => [0.5, 0.5, 0.5], "s" => [Some("new"), None, Some("a")], "day" => [1, 1, 1]];
    let new = new.expect("a frame").lazy().with_column(col("day").cast(DataType::Date));
    let scored = card.score_lazy(new, &spec()).expect("a query");
    let frame = scored.frame.clone().collect().expect("scored");
    let is_null = frame.column("score").expect("there").is_null();
    assert_eq!(is_null.iter().collect::<Vec<_>>(), [Some(true), Some(false), Some(false)]);
    assert_eq!((scored.report().rows, scored.report().absent_levels), (3, 1));
}
