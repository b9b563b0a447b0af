//! MDL cuts: published figures, a naive oracle, and the Polars face.

use std::cell::Cell;

use gaintree::criterion::{entropy, information_gain};
use gaintree::engine::dtype::{Kind, Value};
use gaintree::engine::{Column as Encoded, ColumnData, DType, Kinds, MISSING, MdlCut, Table};
use gaintree::engine::{mdl_bins, mdl_cuts_of};
use gaintree::prelude::*;
use polars::prelude::{
    DataFrame, DataType, ExplodeOptions, Expr, IntoLazy, NamedFrom, Series, col, df, lit,
};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::frame::{
    assert_same, cases, cast, collected, digits, figure, floats, only, parquet, schema, texts, with,
};
use crate::frames::{Column, Frame, Weighing, frames};
use crate::full_ranking::full;
use crate::oracle;

fn spec() -> RankSpec {
    full()
}

fn cuts(df: &DataFrame, target: &str, feature: &str, spec: &RankSpec) -> DataFrame {
    df.mdl_cuts(target, feature, spec).expect("cuts")
}

// ---- published figures ---------------------------------------------------------------------

#[test]
fn iris_is_discretised_as_it_is_known_to_be() {
    let iris = parquet("iris");
    let nats = spec().cuts(Cuts::Mdl).log_base(LogBase::E);
    let ranking = iris.rank_gain("species", &nats).expect("ranks");
    // Feature, cuts, gain and ratio in nats, as FSelector's information.gain and gain.ratio.
    for (feature, expected, gain, ratio) in [
        ("sepal_length_cm", [5.55, 6.15], "0.4521286", "0.4196464"),
        ("sepal_width_cm", [2.95, 3.35], "0.2672750", "0.2472972"),
        ("petal_length_cm", [2.45, 4.75], "0.9402853", "0.8584937"),
        ("petal_width_cm", [0.80, 1.75], "0.9554360", "0.8713692"),
    ] {
        let found = cuts(&iris, "species", feature, &spec());
        let at: Vec<f64> = floats(&found, "cut").into_iter().flatten().collect();
        assert_eq!(at.len(), 2, "{feature} {found}");
        assert!(at.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{feature} {at:?}");
        let of = |name: &str| figure(&ranking, feature, name);
        assert_eq!(digits(of("info_gain"), 7), gain, "{feature}");
        assert_eq!(digits(of("gain_ratio"), 7), ratio, "{feature}");
        assert_eq!(digits(of("conditional_entropy") + of("info_gain"), 12), digits(3f64.ln(), 12));
        // The gains within the intervals, by their share of the rows, add up to the whole.
        let in_nats = cuts(&iris, "species", feature, &nats);
        let parts = floats(&in_nats, "n").into_iter().zip(floats(&in_nats, "info_gain"));
        let sum: f64 = parts.map(|(n, g)| n.expect("n") / 150.0 * g.expect("a gain")).sum();
        assert!((sum - of("info_gain")).abs() < 1e-12, "{feature} {sum}");
        assert_same(
            &in_nats.select(["cut", "rule", "n"]).expect("there"),
            &found.select(["cut", "rule", "n"]).expect("there"),
            "the unit changes no cut",
        );
    }
}

/// All features at once say what each says alone.
#[test]
fn cuts_of_every_feature_are_one_table() {
    let iris =
        with(&parquet("iris"), Series::new("n".into(), (0..150).collect::<Vec<i32>>()).into());
    let iris = with(&iris, Series::new("name".into(), vec!["a"; 150]).into());
    let all = iris.mdl_cuts_by_feature("species", &spec()).expect("cuts");
    assert_eq!(schema(&all), "feature str, cut str, threshold f64, rule str, n u64, info_gain f64");
    for feature in iris.columns().iter().map(|c| c.name().as_str()) {
        let own = only(&all, col("feature").eq(lit(feature)));
        if ["species", "name"].contains(&feature) {
            assert_eq!(own.height(), 0);
            continue;
        }
        let alone = cuts(&iris, "species", feature, &spec());
        let same = ["rule", "n", "info_gain"];
        assert_same(
            &own.select(same).expect("there"),
            &alone.select(same).expect("there"),
            feature,
        );
        assert_eq!(floats(&own, "threshold"), floats(&alone, "cut"));
    }
    // Classes that follow nothing: a line, no cut.
    let coins = df!["x" => [1, 2, 3, 4], "y" => ["a", "b", "a", "b"]].expect("a frame");
    let none = coins.clone().lazy().mdl_cuts_by_feature("y", &spec()).expect("cuts");
    assert_eq!((schema(&none), none.height()), (schema(&all), 1));
    assert_eq!(
        (texts(&none, "feature")[0].as_deref(), texts(&none, "cut")[0].as_deref()),
        (Some("x"), None)
    );
    let named = coins.lazy().mdl_cuts_by_feature("y", &spec().features(["z"]));
    assert!(named.expect_err("no such column").is_data());
    assert!(
        iris.mdl_cuts_by_feature("species", &spec().features(["name"]))
            .expect_err("nominal")
            .is_data()
    );
}

// ---- the oracle ----------------------------------------------------------------------------

/// Quadratic, recursive, and from raw values.
struct Naive<'a> {
    frame: &'a Frame,
    column: &'a Column,
    classes: Vec<&'a Value>,
    cuts: Vec<(Value, u64, f64)>,
}

impl Naive<'_> {
    fn counts(&self, rows: &[usize]) -> Vec<f64> {
        let mut counts = vec![0.0; self.classes.len()];
        for &row in rows {
            let class = self.classes.iter().position(|c| Some(*c) == self.frame.target.known(row));
            counts[class.expect("a class")] += self.frame.weights.as_ref().map_or(1.0, |w| w[row]);
        }
        counts
    }

    fn cut(&mut self, rows: &[usize]) {
        let whole = self.counts(rows);
        let levels: Vec<Value> = oracle::levels(self.column, rows).into_iter().cloned().collect();
        let mut best: Option<(f64, Value, [Vec<usize>; 2])> = None;
        for pair in levels.windows(2) {
            let is_left = |row: &usize| {
                let value = self.column.known(*row).expect("known");
                oracle::order(self.column, value, &pair[1]).is_lt()
            };
            let (left, right): (Vec<usize>, Vec<usize>) = rows.iter().partition(|row| is_left(row));
            let parts = [self.counts(&left), self.counts(&right)];
            let gain = information_gain(&whole, &parts, LogBase::Two);
            if best.as_ref().is_none_or(|(b, ..)| gain > *b) {
                let cut = oracle::cut(&self.column.dtype, &pair[0], &pair[1]);
                best = Some((gain, cut, [left, right]));
            }
        }
        let Some((gain, cut, [left, right])) = best else { return };
        let told = |counts: &[f64]| {
            let k = counts.iter().filter(|&&c| c > 0.0).count() as i32;
            (k, f64::from(k) * entropy(counts, LogBase::Two))
        };
        let (k, all) = told(&whole);
        let parts = told(&self.counts(&left)).1 + told(&self.counts(&right)).1;
        let n: f64 = whole.iter().sum();
        let delta = (3f64.powi(k) - 2.0).log2() - (all - parts);
        if gain > (n - 1.0).max(1.0).log2() / n + delta / n {
            self.cut(&left);
            self.cuts.push((cut, rows.len() as u64, gain));
            self.cut(&right);
        }
    }
}

fn naive(frame: &Frame, column: &Column) -> Vec<(Value, u64, f64)> {
    let rows = oracle::positive_rows(frame);
    let known: Vec<usize> =
        rows.iter().copied().filter(|&row| column.known(row).is_some()).collect();
    let classes = oracle::levels(&frame.target, &rows);
    let mut naive = Naive { frame, column, classes, cuts: Vec::new() };
    naive.cut(&known);
    naive.cuts
}

fn engine(frame: &Frame, column: &Column) -> Vec<MdlCut> {
    let name = [column.name.clone()];
    let kinds = match column.kind {
        Kind::Ordered => Kinds { ordered: &name, ..Kinds::default() },
        Kind::Nominal => Kinds { nominal: &name, ..Kinds::default() },
    };
    let columns = std::slice::from_ref(column);
    let table = Table::encode(columns, &frame.target, frame.weights.clone(), kinds);
    mdl_cuts_of(&table.expect("encodes"), LogBase::Two).expect("cuts")
}

/// The frame with classes that follow its columns in steps, with a wrong one now and then:
/// classes drawn at random are worth no cut.
fn stepped(mut frame: Frame, column: usize, steps: usize, noise: usize) -> Frame {
    let rows: Vec<usize> = (0..frame.n_rows()).collect();
    let classes: Vec<Value> = oracle::levels(&frame.target, &rows).into_iter().cloned().collect();
    let column = &frame.columns[column % frame.columns.len()];
    let levels = oracle::levels(column, &rows);
    for row in rows {
        if let Some(value) = column.known(row)
            && row % noise > 0
        {
            let is_it = |l: &&Value| oracle::order(column, l, value).is_eq();
            let place = levels.iter().position(is_it).expect("a level");
            frame.target.cells[row] =
                Some(classes[place * steps / levels.len() % classes.len()].clone());
        }
    }
    frame
}

#[test]
fn the_cuts_are_the_oracles() {
    let accepted = Cell::new(0);
    let strategy = (frames(Weighing::Exact), 0..5usize, 1..=5usize, 2..=40usize);
    TestRunner::new(cases(600))
        .run(&strategy, |(frame, column, steps, noise)| {
            let frame = stepped(frame, column, steps, noise);
            for column in frame.columns.iter().filter(|c| c.kind == Kind::Ordered) {
                let found: Vec<_> = engine(&frame, column)
                    .into_iter()
                    .map(|cut| (cut.cut, cut.n, cut.info_gain))
                    .collect();
                accepted.set(accepted.get() + found.len());
                prop_assert_eq!(found, naive(&frame, column), "{:?}", column.dtype);
            }
            Ok(())
        })
        .expect("as the oracle");
    assert!(accepted.get() > 300, "{} cuts say little", accepted.get());
}

/// An interval's stats leave out the classes that it lacks.
#[test]
fn cuts_among_many_classes_are_the_oracles() {
    for (step, noise) in [(8, 7), (9, 1_000), (12, 5), (40, 3)] {
        let class = |row: i128| if row % noise == 2 { row % 24 } else { row / step * 7 % 24 };
        let x = Column::ints("x", DType::I64, 0..200);
        let target = Column::texts("y", (0..200).map(|row| format!("{:02}", class(row))));
        let frame = Frame { columns: vec![x.clone()], target, weights: None };
        let found = engine(&frame, &x).into_iter().map(|cut| (cut.cut, cut.n, cut.info_gain));
        let found: Vec<_> = found.collect();
        assert!(found.len() > 2, "{found:?}");
        assert_eq!(found, naive(&frame, &x), "steps of {step}");
    }
}

// ---- the face ------------------------------------------------------------------------------

#[test]
fn a_cut_is_of_its_columns_dtype() {
    let frame = df![
        "day" => [0, 1, 2, 3, 10, 11, 12, 13],
        "noise" => [1, 2, 1, 2, 1, 2, 1, 2],
        "y" => ["a", "a", "a", "a", "b", "b", "b", "b"],
    ]
    .expect("a frame");
    let frame = cast(&frame, "day", &DataType::Date);
    let found = cuts(&frame, "y", "day", &spec());
    assert_eq!(schema(&found), "cut date, rule str, n u64, info_gain f64");
    assert_eq!(texts(&found, "rule"), [Some("day >= 1970-01-08".to_string())]);
    assert_eq!(floats(&found, "n"), [Some(8.0)]);
    assert_eq!(floats(&found, "info_gain"), [Some(1.0)]);
    let lazily = frame.clone().lazy().mdl_cuts("y", "day", &spec()).expect("cuts");
    assert_same(&lazily, &found, "lazily");

    let none = cuts(&frame, "y", "noise", &spec());
    assert_eq!(schema(&none), "cut i32, rule str, n u64, info_gain f64");
    assert_eq!(none.height(), 0);
    let ranking = frame.rank_gain("y", &spec().cuts(Cuts::Mdl)).expect("ranks");
    let noise = only(&ranking, col("feature").eq(lit("noise")));
    assert_eq!(texts(&noise, "rule"), [Some(String::new())]);
    assert_eq!(texts(&noise, "cut"), [None]);
    for name in ["info_gain", "split_info", "gain_ratio", "symmetric_uncertainty"] {
        assert_eq!(floats(&noise, name), [Some(0.0)], "{name}");
    }
    assert_eq!(floats(&noise, "conditional_entropy"), [Some(1.0)]);
}

#[test]
fn a_weight_is_so_many_copies() {
    let iris = parquet("iris");
    let weights: Vec<u32> = (0..150).map(|row| row * 7 % 4).collect();
    let weighted = with(&iris, Series::new("w".into(), weights.clone()).into());
    let rows: Vec<u32> =
        (0..150).flat_map(|row| std::iter::repeat_n(row, weights[row as usize] as usize)).collect();
    let copies = iris.take(&Series::new("".into(), rows).u32().expect("rows").clone());
    let copies = copies.expect("takes");
    for feature in ["sepal_length_cm", "sepal_width_cm", "petal_length_cm", "petal_width_cm"] {
        let a = cuts(&weighted, "species", feature, &spec().weight("w"));
        let b = cuts(&copies, "species", feature, &spec());
        let figures = |df: &DataFrame| df.select(["cut", "rule", "info_gain"]).expect("there");
        assert_same(&figures(&a), &figures(&b), feature);
    }
}

#[test]
fn missing_values_scale_the_gain_or_are_an_interval() {
    let frame = df![
        "x" => [Some(1), Some(2), Some(3), Some(4), Some(10), Some(11), Some(12), Some(13), None, None],
        "y" => ["a", "a", "a", "a", "b", "b", "b", "b", "a", "b"],
    ]
    .expect("a frame");
    let mdl = spec().cuts(Cuts::Mdl);
    let known = frame.rank_gain("y", &mdl).expect("ranks");
    assert!((figure(&known, "x", "info_gain") - 0.8).abs() < 1e-15);
    assert_eq!(figure(&known, "x", "split_info"), 1.0);
    let own = frame.rank_gain("y", &mdl.missing(RankMissing::OwnLevel)).expect("ranks");
    assert!((figure(&own, "x", "info_gain") - 0.8).abs() < 1e-15);
    let three = -2.0 * 0.4 * 0.4f64.log2() - 0.2 * 0.2f64.log2();
    assert!((figure(&own, "x", "split_info") - three).abs() < 1e-12);
}

#[test]
fn a_bin_counts_the_cuts_below_its_value() {
    let iris = parquet("iris");
    for feature in ["sepal_length_cm", "petal_width_cm"] {
        let query = iris
            .clone()
            .lazy()
            .select([col(feature), col(feature).mdl_cut(col("species")).alias("bin")]);
        let found = collected(query);
        assert_eq!(schema(&found), format!("{feature} f64, bin u32"));
        let cuts = floats(&cuts(&iris, "species", feature, &spec()), "cut");
        for (x, bin) in floats(&found, feature).into_iter().zip(floats(&found, "bin")) {
            assert_eq!(bin, Some(cuts.iter().filter(|cut| x >= **cut).count() as f64));
        }
    }
}

/// Two groups: one is cut at 7, of the other nothing is known that is worth a cut.
fn grouped() -> DataFrame {
    df![
        "g" => ["cut", "cut", "cut", "cut", "cut", "cut", "cut", "cut", "cut", "not", "not"],
        "x" => [Some(1), Some(2), Some(3), Some(4), Some(10), Some(11), Some(12), None, Some(99), Some(1), Some(99)],
        "y" => [Some("a"), Some("a"), Some("a"), Some("a"), Some("b"), Some("b"), Some("b"), Some("b"), None, None, None],
    ]
    .expect("a frame")
}

#[test]
fn bins_are_of_their_group() {
    let bin = || col("x").mdl_cut(col("y"));
    let over = bin().over([col("g")]).expect("a window").alias("bin");
    let found = collected(grouped().lazy().select([over]));
    let one = Some(1.0);
    let zero = Some(0.0);
    let expected = [zero, zero, zero, zero, one, one, one, None, one, zero, zero];
    assert_eq!(floats(&found, "bin"), expected);
    let lists = collected(grouped().lazy().group_by_stable([col("g")]).agg([bin()]));
    assert_eq!(schema(&lists), "g str, x list[u32]");
    let options = ExplodeOptions { empty_as_null: true, keep_nulls: true };
    let exploded = lists.lazy().select([col("x").explode(options)]);
    assert_eq!(floats(&collected(exploded), "x"), expected);
    // All missing: no cut, and no interval.
    let nothing = grouped().lazy().select([lit(polars::prelude::NULL).alias("n"), col("y")]);
    let nothing = nothing.select([col("n").mdl_cut(col("y"))]).collect().expect("runs");
    assert!(floats(&nothing, "n").iter().all(Option::is_none));
}

#[test]
fn what_has_no_cuts_says_so() {
    let frame =
        df!["s" => ["a", "b", "c"], "x" => [1, 2, 3], "f" => [0.5, 1.5, 2.5], "y" => [1, 2, 1]];
    let frame = frame.expect("a frame");
    let said = |e: gaintree::Error| {
        assert!(e.is_data(), "{e}");
        e.to_string()
    };
    let nominal = said(frame.mdl_cuts("y", "s", &spec()).expect_err("is nominal"));
    assert!(nominal.contains("`s`") && nominal.contains("nominal"), "{nominal}");
    for wrong in [
        frame.mdl_cuts("f", "x", &spec()),
        frame.rank_gain("f", &spec().cuts(Cuts::Mdl)),
        frame.mdl_cuts("y", "x", &spec().task(Task::Regress)),
    ] {
        let numbers = said(wrong.expect_err("holds numbers"));
        assert!(numbers.contains("numbers") && numbers.contains("classify"), "{numbers}");
    }
    let absent = said(frame.mdl_cuts("y", "xx", &spec()).expect_err("is not there"));
    assert!(absent.contains("`xx`") && absent.contains("`x`"), "{absent}");
    let run = |e: Expr| frame.clone().lazy().select([e]).collect().expect_err("fails").to_string();
    assert!(run(col("s").mdl_cut(col("y"))).contains("`s`"));
    assert!(run(col("x").mdl_cut(col("f"))).contains("`f`"));
    // As ordered, text has cuts: each is the text it lets in.
    let spelled = cuts(&frame, "y", "s", &spec().ordered(["s"]));
    assert_eq!(schema(&spelled), "cut str, rule str, n u64, info_gain f64");
}

/// Texts are cut in their order, which is the declared one of an Enum.
#[test]
fn texts_are_put_in_bins() {
    let texts = ["low", "mid", "high", "top"].map(str::to_string);
    let cells = ColumnData::Text(vec![3, 0, MISSING, 2, 1, 0], texts.to_vec());
    let cuts =
        |texts: &[&str]| texts.iter().map(|t| Value::Text(t.to_string())).collect::<Vec<_>>();
    let bins = |dtype: DType, cuts: &[Value]| {
        let column = Encoded::encode("x", dtype, Kind::Ordered, cells.clone()).expect("encodes");
        mdl_bins(&column, cuts)
    };
    let declared = DType::Enum { categories: texts.to_vec() };
    let expected = [Some(2), Some(0), None, Some(2), Some(1), Some(0)];
    assert_eq!(bins(declared, &cuts(&["mid", "high"])), expected);
    let expected = [Some(2), Some(1), None, Some(0), Some(1), Some(1)];
    assert_eq!(bins(DType::String, &cuts(&["low", "top"])), expected);
}
