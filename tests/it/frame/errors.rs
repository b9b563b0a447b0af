//! What is refused, and in which words: the column, its dtype, and what to do.

use gaintree::{Error, Result};

use super::*;

/// A frame with a column of everything that is refused somewhere.
fn frame() -> DataFrame {
    let tags = ["a", "b", "c", "d"].map(|t| Series::new("".into(), [t]));
    let fields = [Series::new("a".into(), [1, 2, 3, 4]), Series::new("b".into(), [3, 4, 5, 6])];
    let pair = StructChunked::from_series("pair".into(), 4, fields.iter()).expect("a struct");
    let df = df![
        "churn" => ["yes", "no", "no", "yes"],
        "price" => [1.5, 2.5, 3.5, 4.5],
        "region" => ["n", "s", "n", "s"],
        "holes" => [Some("yes"), Some("no"), None, Some("yes")],
        "same" => [1i16, 1, 1, 1],
        "weight" => [1.0, 0.5, 0.0, 2.0],
        "negative" => [1i8, 1, -1, 1],
        "nan" => [1.0, f64::NAN, 1.0, 1.0],
        "infinite" => [1.0, 1.0, 1.0, f64::INFINITY],
        "huge" => [1e308, 1e308, 1e308, 1e308],
        "unknown" => [Some(1.0f32), Some(1.0), None, Some(1.0)],
        "zero" => [0u8, 0, 0, 0],
        "rank" => [1, 2, 3, 4],
        "gaps" => [Some(1.0), None, Some(2.0), Some(3.0)],
        "endless" => [1.0, 2.0, 3.0, f64::INFINITY],
        "tags" => tags,
    ]
    .expect("a frame");
    let dates = Column::new("date".into(), [1, 2, 3, 4]).cast(&DataType::Date).expect("dates");
    with(&with(&df, dates), pair.into_series().into())
}

/// The text of an error of the sort named, in one line that holds all the words.
#[track_caller]
fn refused<T>(result: Result<T>, sort: &str, words: &[&str], what: &str) -> String {
    let error: Error = match result {
        Ok(_) => panic!("{what} passes"),
        Err(error) => error,
    };
    let text = error.to_string();
    for word in words {
        assert!(text.contains(word), "{what}: {word:?} is not in: {text}");
    }
    assert_eq!([error.is_data(), error.is_spec()], [sort == "data", sort == "spec"], "{text}");
    assert!(!text.contains('\n'), "{what}: {text}");
    text
}

/// What both a fit and a ranking refuse: target, features, weight, sort of error, its words.
const REFUSED: &str = "
    churm  | price region | -        | data | target `churm`; no such column; did you mean `churn`?
    zzz    | price region | -        | data | target `zzz`; no such column; the columns are `
    holes  | price region | -        | data | `holes`; str; missing in row 3; drop
    gaps   | region       | -        | data | `gaps`; f64; missing in row 2; finite
    endless | region      | -        | data | `endless`; f64; inf in row 4; finite
    date   | price region | -        | data | `date`; (date); choose
    tags   | price region | -        | data | `tags`; list[str]; choose
    same   | price region | -        | data | `same`; i16; one class; two
    churn  | pric         | -        | data | feature `pric`; did you mean `price`?
    churn  |              | -        | data | no feature; `churn`
    churn  | price price  | -        | spec | `price`; twice
    churn  | churn        | -        | spec | `churn`; the target; leave it out
    churn  | price weight | weight   | spec | `weight`; the weight; leave it out
    churn  | price        | wieght   | data | weight `wieght`; did you mean `weight`?
    churn  | price        | negative | data | `negative`; i8; -1; row 3
    churn  | price        | nan      | data | `nan`; f64; NaN; row 2
    churn  | price        | infinite | data | `infinite`; f64; inf; row 4
    churn  | price        | huge     | data | infinity; divide
    churn  | price        | unknown  | data | `unknown`; f32; missing in row 3; fill
    churn  | price        | region   | data | weight `region`; str; number
    churn  | price        | tags     | data | weight `tags`; list[str]; number
    churn  | price        | zero     | data | `churn`; no rows of positive weight";

/// The table's lines as the specs they ask with.
fn refusals() -> impl Iterator<Item = (TreeSpec, RankSpec, [&'static str; 4])> {
    REFUSED.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [target, features, weight, sort, words] = cells[..] else { panic!("{line}") };
        let (fit, rank) = (TreeSpec::cart(), RankSpec::default());
        let features = || features.split_whitespace();
        let (mut fit, mut rank) = (fit.features(features()), rank.features(features()));
        if weight != "-" {
            (fit, rank) = (fit.weight(weight), rank.weight(weight));
        }
        (fit, rank, [target, sort, words, line])
    })
}

#[test]
fn fit_and_rank_refuse_alike() {
    let df = frame();
    for (fit, rank, [target, sort, words, line]) in refusals() {
        let words: Vec<&str> = words.split("; ").collect();
        refused(df.fit_tree(target, &fit), sort, &words, line);
        refused(df.rank_gain(target, &rank), sort, &words, line);
    }
    let fit = || TreeSpec::cart().features(["price", "region"]);
    let rank = || RankSpec::default().features(["price", "region"]);
    for (fit, rank, sort, words) in [
        (fit().threads(0), rank().threads(0), "spec", ["threads is 0", "at least 1"]),
        (
            fit().ordered(["region"]).nominal(["region"]),
            rank().ordered(["region"]).nominal(["region"]),
            "spec",
            ["`region`", "both ordered and nominal"],
        ),
        (
            fit().ordered(["regoin"]),
            rank().ordered(["regoin"]),
            "data",
            ["`regoin`", "did you mean `region`?"],
        ),
    ] {
        refused(df.fit_tree("churn", &fit), sort, &words, "fit");
        refused(df.rank_gain("churn", &rank), sort, &words, "rank");
    }
    let (none, bare) = (df.head(Some(0)), df.select(["churn"]).expect("there"));
    let (fit, rank) = (TreeSpec::cart(), RankSpec::default());
    for (df, words) in [
        (none.select(["churn", "price"]).expect("there"), ["`churn`", "no rows"]),
        (bare, ["no feature", "`churn`"]),
    ] {
        refused(df.fit_tree("churn", &fit), "data", &words, "fit");
        refused(df.rank_gain("churn", &rank), "data", &words, "rank");
    }
}

/// A LazyFrame that collects few columns knows the names of all.
#[test]
fn lazy_verbs_refuse_in_the_same_words() {
    let (df, lazy) = (frame(), || frame().lazy());
    let mut pairs = Vec::new();
    for (fit, rank, [target, ..]) in refusals() {
        let text = |fit: Result<Fit>| fit.expect_err("is refused").to_string();
        pairs.push([text(df.fit_tree(target, &fit)), text(lazy().fit_tree(target, &fit))]);
        let text = |table: Result<DataFrame>| table.expect_err("is refused").to_string();
        pairs.push([text(df.rank_gain(target, &rank)), text(lazy().rank_gain(target, &rank))]);
    }
    let text = |table: Result<DataFrame>| table.expect_err("is refused").to_string();
    let by = RankSpec::default().features(["price"]).by(["regoin"]);
    pairs.push([text(df.rank_gain("churn", &by)), text(lazy().rank_gain("churn", &by))]);
    for feature in ["pric", "tags", "churn"] {
        let spec = RankSpec::default();
        let eager = df.split_candidates("churn", feature, &spec);
        pairs.push([text(eager), text(lazy().split_candidates("churn", feature, &spec))]);
    }
    pairs.retain(|[eager, lazy]| eager != lazy);
    assert!(pairs.is_empty(), "{pairs:#?}");
}

/// A query is refused when it is made, and no sooner or later than a frame.
#[test]
fn lazy_scoring_refuses_in_the_same_words() {
    let df = frame();
    let fit = |target, feature| {
        df.fit_tree(target, &TreeSpec::cart().features([feature])).expect("fits").tree
    };
    let (tree, mean) = (fit("churn", "price"), fit("price", "rank"));
    let keep = |names: &[&str]| ScoreSpec::default().keep(names.iter().copied());
    let as_price = |name: &str| {
        let mut other = df.drop("price").expect("there");
        other.rename(name, "price".into()).expect("there").clone()
    };
    let scored = df.clone().with_column(Column::new("prediction".into(), [1, 2, 3, 4])).cloned();
    let scored = scored.expect("a frame");
    for (tree, df, spec, sort, words) in [
        (&tree, &df, keep(&["pric"]), "data", vec!["`pric`", "keep", "did you mean `price`?"]),
        (&tree, &df, keep(&["rank", "same", "rank"]), "spec", vec!["`rank`", "twice", "once"]),
        (&mean, &df, keep(&[]).probability(true), "spec", vec!["`price`", "no class prob"]),
        (&tree, &scored, keep(&["prediction"]), "data", vec!["`prediction`", "--prefix"]),
        (&tree, &df.drop("price").expect("there"), keep(&[]), "data", vec!["model `price`"]),
        (&tree, &as_price("region"), keep(&[]), "data", vec!["`price` is str", "cast it to f64"]),
        (&tree, &as_price("tags"), keep(&[]), "data", vec!["`price` is list[str]", "cast it"]),
    ] {
        let eager = refused(tree.score_with(df, &spec), sort, &words, words[0]);
        let lazy = refused(tree.score_lazy(df.clone().lazy(), &spec), sort, &words, words[0]);
        assert_eq!(eager, lazy);
    }
}

#[test]
fn a_fit_refuses_more() {
    let df = frame();
    let fit = |features: &[&str]| TreeSpec::cart().features(features.iter().copied());
    for (spec, sort, words) in [
        (fit(&["price", "tags"]), "data", vec!["`tags`", "list[str]", "cast"]),
        (fit(&["pair"]), "data", vec!["`pair`", "struct", "unnest"]),
        (TreeSpec::cart(), "data", vec!["`tags`", "list[str]", "leave it out"]),
        (fit(&["price"]).min_samples_leaf(0), "spec", vec!["min_samples_leaf is 0", "1 sets no"]),
        (fit(&["price"]).min_gain(f64::NAN), "spec", vec!["min_gain", "NaN"]),
        (fit(&["price"]).min_gain(-0.1), "spec", vec!["min_gain", "-0.1"]),
        (fit(&["price"]).min_weight_leaf(f64::INFINITY), "spec", vec!["min_weight_leaf", "inf"]),
        (
            fit(&["price", "holes"]).missing(Missing::Error),
            "data",
            vec!["`holes`", "str", "missing in row 3", "leave the column out"],
        ),
    ] {
        refused(df.fit_tree("churn", &spec), sort, &words, words[0]);
    }
    let churn = df.select(["churn"]).expect("there");
    let nulls = with(&churn, Column::full_null("n".into(), 4, &DataType::Null));
    refused(nulls.fit_tree("churn", &TreeSpec::cart()), "data", &["`n`", "null"], "nulls alone");
}

#[test]
fn a_ranking_refuses_more() {
    let df = frame();
    let rank = |by: &[&str]| RankSpec::default().features(["price"]).by(by.iter().copied());
    for (spec, sort, words) in [
        (rank(&["rank"]), "spec", vec!["`rank`", "rename"]),
        (rank(&["regoin"]), "data", vec!["`regoin`", "did you mean `region`?"]),
        (rank(&["churn"]), "spec", vec!["`churn`", "target"]),
        (rank(&["region", "region"]), "spec", vec!["`region`", "twice"]),
        (rank(&["price"]), "spec", vec!["`price`", "group", "leave it out"]),
        (rank(&[]).chance(0), "spec", vec!["0 permutations", "at least 1"]),
    ] {
        refused(df.rank_gain("churn", &spec), sort, &words, words[0]);
    }
    let matrix = MatrixSpec::default;
    for (spec, sort, words) in [
        (matrix().columns(["price", "pric"]), "data", vec!["`pric`", "did you mean `price`?"]),
        (matrix().columns(["price", "tags"]), "data", vec!["`tags`", "list[str]"]),
        (matrix().columns(["price", "price"]), "spec", vec!["`price`", "twice"]),
        (matrix().columns(["price"]), "data", vec!["at least 2 columns"]),
        (matrix().bins(1), "spec", vec!["bins is 1", "at least 2"]),
    ] {
        refused(df.gain_matrix(&spec), sort, &words, words[0]);
        refused(df.clone().lazy().gain_matrix(&spec), sort, &words, words[0]);
        refused(df.redundant_groups(0.9, &spec), sort, &words, words[0]);
        refused(df.clone().lazy().redundant_groups(0.9, &spec), sort, &words, words[0]);
    }
    for threshold in [0.0, 1.1, -0.5, f64::NAN] {
        let said = format!("threshold is {threshold}");
        let words = [said.as_str(), "at most 1"];
        refused(df.redundant_groups(threshold, &matrix()), "spec", &words, &said);
    }
    let spec = RankSpec::default();
    for (feature, sort, words) in [
        ("pric", "data", vec!["feature `pric`", "did you mean `price`?"]),
        ("tags", "data", vec!["`tags`", "list[str]"]),
        ("churn", "spec", vec!["`churn`", "the target"]),
    ] {
        refused(df.split_candidates("churn", feature, &spec), sort, &words, feature);
    }
}
