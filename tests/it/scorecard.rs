//! Scorecards against the scale that a book prints, and against their formula.

use gaintree::ScorecardSpec;
use gaintree::prelude::*;
use polars::prelude::*;

fn rows() -> DataFrame {
    let n = 600i64;
    let x: Vec<Option<f64>> =
        (0..n).map(|i| (i % 13 > 0).then_some((i * 7919 % 211) as f64 / 10.0)).collect();
    let c: Vec<Option<String>> =
        (0..n).map(|i| (i % 17 > 0).then(|| format!("c{}", i * 31 % 5))).collect();
    let y: Vec<&str> =
        (0..n).map(|i| if i * 7919 % 211 > 60 + i * 31 % 97 { "bad" } else { "good" }).collect();
    df!["x" => x, "c" => c, "y" => y].expect("a frame")
}

fn floats(column: &Column) -> Vec<Option<f64>> {
    column.f64().expect("f64").iter().collect()
}

fn bins(df: &DataFrame, spec: WoeSpec) -> WoeBins {
    df.woe_bins("y", &spec.event("bad").intervals(Intervals::Quantiles(4))).expect("bins")
}

/// Siddiqi 2006, "Credit Risk Scorecards", chapter 6: 600 points at odds of 50 to 1, and 20 points to
/// double them.
#[test]
fn the_scale_is_that_of_the_book() {
    let card = bins(&rows(), WoeSpec::default()).scorecard(&ScorecardSpec::default());
    let card = card.expect("a card");
    assert!((card.factor() - 28.8539).abs() < 5e-5, "{}", card.factor());
    assert!((card.offset() - 487.123).abs() < 5e-4, "{}", card.offset());
}

#[test]
fn a_score_is_what_the_log_odds_say() {
    let df = rows();
    let woe = bins(&df, WoeSpec::default());
    let spec = ScorecardSpec::default();
    for (spec, coefficients) in [
        (spec.clone(), [1.0, 1.0]),
        (spec.clone().coefficients([("c", 0.75), ("x", 1.25)]).intercept(-0.5), [1.25, 0.75]),
        (
            spec.points(500.0).odds(1.0).pdo(50.0).coefficients([("c", 0.5)]).intercept(0.0),
            [0.0, 0.5],
        ),
    ] {
        let card = woe.scorecard(&spec).expect("a card");
        let n_events = df.column("y").expect("y").str().expect("texts").iter();
        let n_events = n_events.filter(|y| *y == Some("bad")).count() as f64;
        let intercept = spec.intercept.unwrap_or((n_events / (600.0 - n_events)).ln());
        assert!((card.intercept() - intercept).abs() < 1e-12);
        let [x, c] =
            ["x", "c"].map(|name| floats(&woe.map(df.column(name).expect("there")).expect("woe")));
        let score = floats(&card.score_frame(&df).expect("scored"));
        for ((score, x), c) in score.iter().zip(x).zip(c) {
            let log_odds = intercept
                + coefficients[0] * x.expect("a weight")
                + coefficients[1] * c.expect("a weight");
            // At odds of `odds` to 1 it is `points`; twice the odds are `pdo` more.
            let doublings = (-log_odds - spec.odds.ln()) / 2f64.ln();
            let expected = spec.points + spec.pdo * doublings;
            assert!((score.expect("a score") - expected).abs() < 1e-9, "{score:?} {expected}");
        }
        let features: Vec<&str> = card.features().collect();
        assert_eq!(features.len(), spec.coefficients.as_ref().map_or(2, Vec::len));
        assert_eq!(card.table.height(), {
            let of = woe.table.column("feature").expect("there").str().expect("texts").iter();
            of.filter(|name| features.contains(&name.expect("a name"))).count()
        });
    }
}

/// The table, the map of a column, the expressions and the sum agree to the bit.
#[test]
fn points_are_those_of_the_table() {
    let df = rows();
    let woe = bins(&df, WoeSpec::default());
    for rounded in [false, true] {
        let card = woe.scorecard(&ScorecardSpec::default().rounded(rounded)).expect("a card");
        let column = |name: &str| floats(card.table.column(name).expect("there"));
        let (weights, points) = (column("woe"), column("points"));
        let features = card.table.column("feature").expect("there").str().expect("texts").clone();
        let mut sum = vec![0.0; df.height()];
        let lazy = df.clone().lazy().select([
            card.points("x").expect("x"),
            card.points("c").expect("c"),
            card.score(),
        ]);
        let lazy = lazy.collect().expect("mapped");
        for name in card.features() {
            let mapped = card.map(df.column(name).expect("there")).expect("mapped");
            let named = format!("{name}_points");
            assert_eq!(mapped.name(), named.as_str());
            assert!(lazy.column(&named).expect("there").equals_missing(&mapped));
            let of_rows = floats(&woe.map(df.column(name).expect("there")).expect("woe"));
            for ((points_of_row, weight), sum) in floats(&mapped).iter().zip(of_rows).zip(&mut sum)
            {
                let bin = (0..weights.len())
                    .find(|&at| features.get(at) == Some(name) && weights[at] == weight);
                assert_eq!(*points_of_row, points[bin.expect("a bin")]);
                assert!(!rounded || points_of_row.is_some_and(|x| x.fract() == 0.0));
                *sum += points_of_row.expect("points");
            }
        }
        let score = card.score_frame(&df).expect("scored");
        assert_eq!(floats(&score), sum.into_iter().map(Some).collect::<Vec<_>>());
        assert!(lazy.column("score").expect("there").equals_missing(&score));
    }
    // Without a weight there are no points, and no score.
    let spec = WoeSpec::default().missing_bin(false).unseen(None);
    let card = bins(&df, spec).scorecard(&ScorecardSpec::default().intercept(0.0));
    let card = card.expect("a card");
    let new = df!["x" => [Some(1.0), None, Some(1.0)], "c" => ["c1", "c1", "new"]];
    let new = new.expect("a frame");
    let is_null: Vec<bool> =
        floats(&card.score_frame(&new).expect("scored")).iter().map(Option::is_none).collect();
    assert_eq!(is_null, [false, true, true]);
}

#[test]
fn what_is_wrong_is_said_in_one_line() {
    let df = rows();
    let woe = bins(&df, WoeSpec::default());
    let spec = ScorecardSpec::default;
    let error = |spec| woe.scorecard(&spec).expect_err("refused").to_string();
    let known = bins(&df, WoeSpec::default().missing_bin(false));
    for (said, part) in [
        (error(spec().points(f64::NAN)), "points is NaN: a finite number"),
        (error(spec().odds(0.0)), "odds is 0: a finite number above 0"),
        (error(spec().pdo(-20.0)), "pdo is -20: a finite number above 0"),
        (error(spec().intercept(f64::INFINITY)), "intercept is inf"),
        (error(spec().coefficients([("x", f64::NAN)])), "the coefficient of feature `x` is NaN"),
        (error(spec().coefficients([("z", 1.0)])), "`z`"),
        (error(spec().coefficients([("x", 1.0), ("x", 2.0)])), "`x` has two coefficients"),
        (error(spec().coefficients([("x", 1.0); 0])), "name at least one"),
        (
            known.scorecard(&spec()).expect_err("refused").to_string(),
            "features `x` and `c` were binned by different rows",
        ),
    ] {
        assert!(said.contains(part) && !said.contains('\n'), "{said}");
    }
    let card = woe.scorecard(&spec().coefficients([("x", 1.0)])).expect("a card");
    let error = card.score_frame(&df.drop("x").expect("dropped")).expect_err("refused").to_string();
    assert!(error.contains("`x`"), "{error}");
    assert!(card.points("c").expect_err("refused").to_string().contains("`c`"));
}
