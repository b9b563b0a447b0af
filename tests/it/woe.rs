//! Weights of evidence against a table worked out by hand, and against their formulas in the
//! slow and obvious form: every merge of the bins is tried.

use gaintree::prelude::*;
use polars::prelude::*;
use proptest::prelude::*;

use crate::frame::schema;

fn floats(df: &DataFrame, name: &str) -> Vec<f64> {
    df.column(name).expect("there").f64().expect("f64").iter().flatten().collect()
}

fn rules(df: &DataFrame) -> Vec<String> {
    let column = df.column("rule").expect("there").str().expect("texts");
    column.iter().flatten().map(str::to_string).collect()
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * a.abs().max(b.abs()).max(1.0)
}

/// Siddiqi's layout: shares of 100 events and 400 others in three bins and one of missing values.
#[test]
fn bins_equal_a_table_made_by_hand() {
    let bins = [(Some(1), 10, 190), (Some(2), 30, 120), (Some(3), 50, 50), (None, 10, 40)];
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for (value, events, others) in bins {
        x.extend(vec![value; events + others]);
        y.extend((0..events + others).map(|row| row < events));
    }
    let df = df!["x" => x, "y" => y].expect("a frame");
    let woe = df.woe_bins("y", &WoeSpec::default()).expect("bins").table;
    let expected = "feature str, feature_iv f64, rule str, event str, dtype str, kind str, bin u32, n u64, \
         share f64, events f64, non_events f64, event_rate f64, woe f64, iv f64";
    assert_eq!(schema(&woe), expected);
    assert_eq!(rules(&woe), ["x < 2", "x == 2", "x > 2", "x is missing"]);
    // ln(0.1/0.475), ln(0.3/0.3), ln(0.5/0.125), ln(0.1/0.1)
    let expected = [-1.558144618046551, 0.0, 1.3862943611198906, 0.0];
    assert!(floats(&woe, "woe").iter().zip(expected).all(|(a, b)| near(*a, b)), "{woe}");
    let iv = 0.375 * 1.558144618046551 + 0.375 * 1.3862943611198906;
    assert!(floats(&woe, "feature_iv").iter().all(|x| near(*x, iv)), "{woe}");
    assert_eq!(floats(&woe, "event_rate"), [0.05, 0.2, 0.5, 0.2]);
    assert_eq!(floats(&woe, "share"), [0.4, 0.3, 0.2, 0.1]);
    // The other event turns the sign.
    let other = df.woe_bins("y", &WoeSpec::default().event("false")).expect("bins").table;
    assert!(floats(&other, "woe").iter().zip(expected).all(|(a, b)| near(*a, -b)), "{other}");
}

/// Bins of one share of events are worth as much when merged, which the last bit of a sum may hide.
#[test]
fn of_equal_information_value_fewer_bins_win() {
    let bins = [(0, 10, 8), (1, 5, 4), (2, 7, 6)];
    let rows = |(value, events, others)| (0..events + others).map(move |row| (value, row < events));
    let (x, y): (Vec<i32>, Vec<bool>) = bins.into_iter().flat_map(rows).unzip();
    let df = df!["x" => x, "y" => y].expect("a frame");
    let spec = WoeSpec::default().intervals(Intervals::Quantiles(3)).min_share(0.1);
    let woe = df.woe_bins("y", &spec.max_bins(3)).expect("bins");
    assert_eq!(rules(&woe.table), ["x < 2", "x >= 2"]);
}

/// Events and others of a bin; the formulas as they are written down.
fn evidence(bin: [f64; 2], total: [f64; 2]) -> (f64, f64) {
    let half = if bin[0] == 0.0 || bin[1] == 0.0 { 0.5 } else { 0.0 };
    let p = (bin[0] + half) / total[0];
    let q = (bin[1] + half) / total[1];
    ((p / q).ln(), (p - q) * (p / q).ln())
}

fn rate(bin: [f64; 2]) -> f64 {
    bin[0] / (bin[0] + bin[1])
}

#[derive(Clone, Debug)]
struct Rows {
    x: Vec<Option<i32>>,
    y: Vec<bool>,
    w: Vec<f64>,
}

impl Rows {
    /// The weights of events and others among rows whose value is in `range`.
    fn count(&self, holds: impl Fn(Option<i32>) -> bool) -> [f64; 2] {
        let mut bin = [0.0; 2];
        for ((x, y), w) in self.x.iter().zip(&self.y).zip(&self.w) {
            if holds(*x) {
                bin[usize::from(!y)] += w;
            }
        }
        bin
    }

    /// The last value of each interval: at each quantile of the weight, the value it is reached at.
    fn quantile_ends(&self, n: usize) -> Vec<i32> {
        let mut known: Vec<(i32, f64)> =
            self.x.iter().zip(&self.w).filter_map(|(x, w)| Some(((*x)?, *w))).collect();
        known.sort_by_key(|(x, _)| *x);
        let total: f64 = known.iter().map(|(_, w)| w).sum();
        let reached = |part: f64| {
            let mut below = 0.0;
            known.iter().find(|(_, w)| {
                below += w;
                below * n as f64 >= part * total
            })
        };
        let mut ends: Vec<i32> = (1..n).filter_map(|at| Some(reached(at as f64)?.0)).collect();
        ends.dedup();
        ends.retain(|end| known.last().is_some_and(|(last, _)| end < last));
        ends
    }
}

fn rows() -> impl Strategy<Value = Rows> {
    let row = (prop::option::weighted(0.9, 0i32..10), any::<bool>(), 1u8..4);
    prop::collection::vec(row, 4..60).prop_map(|rows| Rows {
        x: rows.iter().map(|row| row.0).collect(),
        y: rows.iter().map(|row| row.1).collect(),
        w: rows.iter().map(|row| f64::from(row.2)).collect(),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn the_best_of_all_merges_is_found(
        rows in rows(),
        n in 2usize..8,
        max_bins in prop::option::of(1usize..5),
        min_share in prop_oneof![Just(0.0), 0.05..0.5f64],
        monotone in prop_oneof![Just(Monotone::No), Just(Monotone::Either), Just(Monotone::Increasing), Just(Monotone::Decreasing)],
        weighted: bool,
    ) {
        prop_assume!(rows.y.contains(&true) && rows.y.contains(&false));
        let mut rows = rows;
        if !weighted {
            rows.w.fill(1.0);
        }
        let df = df!["x" => &rows.x, "y" => &rows.y, "w" => &rows.w].expect("a frame");
        let mut spec = WoeSpec::default()
            .features(["x"])
            .weight("w")
            .event("true")
            .intervals(Intervals::Quantiles(n))
            .min_share(min_share)
            .monotone(monotone);
        spec.max_bins = max_bins;
        let woe = df.woe_bins("y", &spec).expect("bins");

        let ends = rows.quantile_ends(n);
        let total = rows.count(|_| true);
        let known = rows.count(|x| x.is_some());
        // Every subset of the ends, as bits.
        let mut best: Option<(f64, Vec<[f64; 2]>)> = None;
        for kept in 0..1u32 << ends.len() {
            let mut kept: Vec<i32> =
                (0..ends.len()).filter(|at| kept >> at & 1 == 1).map(|at| ends[at]).collect();
            kept.push(i32::MAX);
            let mut low = i32::MIN;
            let bins: Vec<[f64; 2]> = kept.iter().map(|&end| {
                let bin = rows.count(|x| x.is_some_and(|x| low < x && x <= end));
                low = end;
                bin
            }).collect();
            let rises = bins.windows(2).all(|pair| rate(pair[0]) < rate(pair[1]));
            let falls = bins.windows(2).all(|pair| rate(pair[0]) > rate(pair[1]));
            let allowed = max_bins.is_none_or(|most| bins.len() <= most)
                && bins.iter().all(|bin| bin[0] + bin[1] >= min_share * (known[0] + known[1]))
                && match monotone {
                    Monotone::No => true,
                    Monotone::Either => rises || falls,
                    Monotone::Increasing => rises,
                    Monotone::Decreasing => falls,
                };
            let unlimited = max_bins.is_none_or(|most| most > ends.len()) && min_share == 0.0 && monotone == Monotone::No;
            if !allowed || unlimited && bins.len() <= ends.len() {
                continue;
            }
            let iv: f64 = bins.iter().map(|bin| evidence(*bin, total).1).sum();
            if best.as_ref().is_none_or(|(highest, _)| iv > highest + 1e-12) {
                best = Some((iv, bins));
            }
        }
        let (iv, mut bins) = best.expect("one bin is always allowed");
        let missing = rows.count(|x| x.is_none());
        let has_missing = missing != [0.0, 0.0];
        if known == [0.0, 0.0] {
            bins.clear();
        }
        bins.extend(has_missing.then_some(missing));
        let iv = if known == [0.0, 0.0] { 0.0 } else { iv } + if has_missing { evidence(missing, total).1 } else { 0.0 };
        // Of merges of equal value any may be found first; their value is the same, and none has
        // neighbours of one share.
        let is_limited = max_bins.is_some_and(|most| most <= ends.len()) || min_share > 0.0;
        if is_limited && !weighted {
            let of_known = |at: usize| [floats(&woe.table, "events")[at], floats(&woe.table, "non_events")[at]];
            let n_known = woe.table.height() - usize::from(has_missing);
            for at in 1..n_known {
                let [a, b] = [of_known(at - 1), of_known(at)];
                prop_assert!(a.contains(&0.0) || !near(rate(a), rate(b)), "{}", woe.table);
            }
        }
        prop_assert!(near(floats(&woe.table, "iv").iter().sum(), iv), "{} {iv} {bins:?}", woe.table);
        prop_assert!(near(floats(&woe.table, "feature_iv")[0], iv));
        let events: Vec<f64> = floats(&woe.table, "events");
        let others: Vec<f64> = floats(&woe.table, "non_events");
        for (at, ((events, others), found)) in events.iter().zip(&others).zip(floats(&woe.table, "woe")).enumerate() {
            prop_assert!(near(found, evidence([*events, *others], total).0));
            prop_assert!(near(floats(&woe.table, "event_rate")[at], rate([*events, *others])));
        }
        // The map gives each row what its bin has: a bin's rows by their rule.
        let mapped = woe.map(df.column("x").expect("there")).expect("mapped");
        let mapped: Vec<f64> = mapped.f64().expect("f64").iter().flatten().collect();
        for (at, woe_of_bin) in floats(&woe.table, "woe").into_iter().enumerate() {
            let n = mapped.iter().filter(|&&x| x == woe_of_bin).count() as u64;
            let same = floats(&woe.table, "woe").iter().zip(woe.table.column("n").expect("n").u64().expect("u64").iter())
                .filter(|(x, _)| **x == woe_of_bin).map(|(_, n)| n.unwrap_or(0)).sum::<u64>();
            prop_assert_eq!(n, same, "{} {}", at, &woe.table);
        }
    }

    /// The levels of a nominal feature, in order of their event rates, are binned as if these were
    /// its values.
    #[test]
    fn levels_are_binned_like_numbers_in_order_of_event_rate(rows in rows(), quantiles: bool) {
        prop_assume!(rows.y.contains(&true) && rows.y.contains(&false));
        let text = |x: &Option<i32>| x.map(|x| format!("level {x}"));
        let levels = |level: i32| rows.count(|x| x == Some(level));
        let mut order: Vec<i32> = (0..10).filter(|&level| levels(level) != [0.0, 0.0]).collect();
        order.sort_by(|&a, &b| rate(levels(a)).total_cmp(&rate(levels(b))));
        let place = |x: &Option<i32>| x.map(|x| order.iter().position(|&o| o == x).expect("there") as i32);
        let df = df![
            "text" => rows.x.iter().map(text).collect::<Vec<_>>(),
            "place" => rows.x.iter().map(place).collect::<Vec<_>>(),
            "y" => &rows.y,
            "w" => &rows.w
        ].expect("a frame");
        let mut spec = WoeSpec::default().weight("w").event("true").max_bins(3);
        if quantiles {
            spec = spec.intervals(Intervals::Quantiles(4));
        }
        let of = |feature: &str| {
            let woe = df.woe_bins("y", &spec.clone().features([feature])).expect("bins");
            (floats(&woe.table, "woe"), floats(&woe.table, "iv"), woe.map(df.column(feature).expect("there")).expect("mapped"))
        };
        let (by_text, by_position) = (of("text"), of("place"));
        prop_assert_eq!(by_text.0, by_position.0);
        prop_assert_eq!(by_text.1, by_position.1);
        prop_assert!(by_text.2.with_name("w".into()).equals_missing(&by_position.2.with_name("w".into())));
    }
}

#[test]
fn missing_and_unseen_values_go_by_rule() {
    let df = df![
        "x" => [Some(1.0), Some(1.0), Some(2.0), Some(2.0), None, Some(f64::NAN)],
        "c" => [Some("a"), Some("a"), Some("b"), Some("b"), None, None],
        "y" => ["n", "y", "n", "y", "y", "y"]
    ];
    let df = df.expect("a frame");
    let spec = WoeSpec::default().event("y").intervals(Intervals::Quantiles(2));
    let new = df!["x" => [None, Some(9.0)], "c" => [None, Some("new")]].expect("a frame");
    let mapped = |spec: &WoeSpec, feature: &str| -> Vec<Option<f64>> {
        let woe = df.woe_bins("y", spec).expect("bins");
        let lazy = new.clone().lazy().select([woe.woe(feature).expect("a feature")]);
        let column = lazy
            .collect()
            .expect("mapped")
            .column(&format!("{feature}_woe"))
            .expect("named")
            .clone();
        column.f64().expect("f64").iter().collect()
    };
    // Two of four events are missing, and no other: (2.5 / 4) / (0.5 / 2).
    let missing = Some((2.5f64).ln());
    let half = Some((0.25f64 / 0.5).ln());
    assert_eq!(mapped(&spec, "x"), [missing, half]);
    assert_eq!(mapped(&spec, "c"), [missing, Some(0.0)]);
    let out = spec.clone().missing_bin(false).unseen(None);
    assert_eq!(mapped(&out, "x"), [None, Some(0.0)]);
    assert_eq!(mapped(&out, "c"), [None, None]);
    // Text of any sort, and narrower numbers, are the same values.
    let woe = df.woe_bins("y", &spec).expect("bins");
    let narrow = df.column("x").expect("x").cast(&DataType::Float32).expect("cast");
    assert_eq!(
        woe.map(&narrow).expect("mapped"),
        woe.map(df.column("x").expect("x")).expect("mapped")
    );
    let error = woe.map(&Column::new("x".into(), ["a"])).expect_err("text").to_string();
    assert!(error.contains("`x` is str") && error.contains("f64"), "{error}");
    assert!(woe.woe("z").expect_err("no feature").to_string().contains("`z`"));
}

#[test]
fn bins_read_from_their_text_are_the_same() {
    let x = [Some(f64::NEG_INFINITY), Some(0.1), Some(0.7), Some(f64::INFINITY), None];
    let s = [Some("a"), Some("b"), None, Some("b"), Some("c")];
    let day = [0, 1, 2, 3, 4];
    let df = df!["x" => x, "s" => s, "day" => day, "y" => [true, true, false, false, true]];
    let mut df = df.expect("a frame");
    let day = df.column("day").and_then(|day| day.cast(&DataType::Date)).expect("dates");
    df.with_column(day).expect("replaced");
    let spec = WoeSpec::default().intervals(Intervals::Quantiles(4)).unseen(None);
    let woe = df.woe_bins("y", &spec).expect("bins");
    let text = woe.to_json();
    let again = WoeBins::from_json(&text).expect("its own text");
    assert_eq!(again.to_json(), text);
    assert!(again.table.equals_missing(&woe.table), "{}", again.table);
    for feature in ["x", "s", "day"] {
        let column = df.column(feature).expect("there");
        let [one, two] = [&woe, &again].map(|woe| woe.map(column).expect("mapped"));
        assert!(one.equals_missing(&two), "{feature}");
    }
    for wrong in ["", "{}", &text[1..], &text.replace("\"version\":1", "\"version\":2")] {
        assert!(WoeBins::from_json(wrong).expect_err("wrong").is_model(), "{wrong}");
    }
}

#[test]
fn what_is_wrong_is_said_in_one_line() {
    let df = df!["x" => [1, 2, 3], "y" => ["a", "b", "c"], "z" => [0.5, 1.5, 2.5], "b" => [true, false, true]];
    let df = df.expect("a frame");
    let error =
        |target: &str, spec: WoeSpec| df.woe_bins(target, &spec).expect_err("wrong").to_string();
    let spec = WoeSpec::default;
    for (said, part) in [
        (error("y", spec()), "target `y` (str) has 3 classes, `a`, `b`, `c`"),
        (error("b", spec().event("maybe")), "event `maybe` is no class of target `b` (bool)"),
        (error("b", spec().intervals(Intervals::Quantiles(1))), "2 to 100"),
        (error("b", spec().max_bins(0)), "at least 1 bin"),
        (error("b", spec().min_share(2.0)), "a share from 0 to 1"),
        (error("b", spec().unseen(Some(f64::NAN))), "unseen is NaN"),
        (error("b", spec().features(["w"])), "feature `w`: no such column"),
        (error("b", spec().exclude(["x", "y", "z"])), "no feature to bin beside target `b`"),
    ] {
        assert!(said.contains(part) && !said.contains('\n'), "{said}");
    }
}

#[test]
fn the_same_bytes_at_any_number_of_threads_and_on_every_face() {
    let n = 3000i64;
    let x: Vec<i64> = (0..n).map(|i| i * 7919 % 997).collect();
    let c: Vec<String> = (0..n).map(|i| format!("c{}", i * 31 % 17)).collect();
    let y: Vec<bool> = x.iter().map(|x| x * 37 % 101 < x / 10).collect();
    let df = df!["x" => x, "c" => c, "y" => y].expect("a frame");
    let of = |threads| {
        let spec = WoeSpec::default().threads(threads).monotone(Monotone::Either);
        df.woe_bins("y", &spec).expect("bins").table
    };
    let one = of(1);
    assert_eq!(format!("{one:?}"), format!("{:?}", of(2)));
    assert!(one.equals(&of(5)));
    let spec = WoeSpec::default().monotone(Monotone::Either);
    let lazy = df.clone().lazy().woe_bins("y", &spec).expect("bins").table;
    assert!(one.equals(&lazy));
}

/// A terminal of 80 columns shows the rule and the weight of each bin on one line.
#[test]
fn bins_print_in_80_columns() {
    let (df, _) = crate::messy::messy(4_000, 1);
    let names =
        ["a_name_that_is_much_longer_than_names_are", "age", "region", "income", "closed_reason"];
    let mut named = df.clone();
    named.rename("visits", names[0].into()).expect("renamed");
    let woe =
        named.woe_bins(crate::messy::EVENT, &WoeSpec::default().features(names)).expect("bins");
    let printed = woe.to_string();
    assert!(printed.lines().all(|line| line.chars().count() <= 80), "{printed}");
    let head = printed.lines().nth(2).expect("a head");
    assert!(
        ["rule", "n", "event_rate", "woe", "iv"].iter().all(|name| head.contains(name)),
        "{head}"
    );
    // The table's height, its head and its frame; Polars shows eight rows, or less with a line of dots.
    assert_eq!(printed.lines().count(), 7 + woe.table.height().min(9), "{printed}");
    let rounded = floats(&woe.short_table().expect("a table"), "woe");
    let whole = floats(&woe.table, "woe");
    assert!(rounded.iter().zip(&whole).all(|(a, b)| (a - b).abs() <= 5.0001e-5), "{printed}");
}

/// A ranking goes by what the bins of `woe_bins` are worth, whatever else it is asked for.
#[test]
fn features_are_ranked_by_information_value() {
    let n = 900i64;
    let x: Vec<Option<i64>> = (0..n).map(|i| (i % 9 > 0).then_some(i * 7919 % 97)).collect();
    let c: Vec<String> = (0..n).map(|i| format!("c{}", i * 31 % 7)).collect();
    let w: Vec<f64> = (0..n).map(|i| (i % 5) as f64 / 4.0).collect();
    let y: Vec<bool> = (0..n).map(|i| i * 7919 % 97 > 30 + i * 31 % 7 * 9).collect();
    let z: Vec<i64> = (0..n).map(|i| i * 5 % 13).collect();
    let df = df!["z" => z, "c" => c, "x" => x, "w" => w, "y" => y].expect("a frame");
    let by_iv = RankSpec::default().sort_by(SortBy::InformationValue).threads(2);
    for weight in [None, Some("w")] {
        let (mut woe, mut rank) = (WoeSpec::default().exclude(["w"]), by_iv.clone().exclude(["w"]));
        if let Some(weight) = weight {
            (woe, rank) = (woe.weight(weight), rank.weight(weight));
        }
        let bins = df.woe_bins("y", &woe).expect("bins");
        let names = bins.table.column("feature").expect("there").str().expect("texts").iter();
        let mut expected: Vec<(&str, f64)> = names
            .map(|name| name.expect("a name"))
            .zip(floats(&bins.table, "feature_iv"))
            .collect();
        expected.dedup();
        for rank in [rank.clone(), rank.clone().full(true).cuts(Cuts::Mdl), rank.chance(50u32)] {
            let ranking = df.rank_gain("y", &rank).expect("ranked");
            let names = ranking.column("feature").expect("there").str().expect("texts").iter();
            let found: Vec<(&str, f64)> = names
                .map(|name| name.expect("a name"))
                .zip(floats(&ranking, "information_value"))
                .collect();
            assert_eq!(found, expected);
            let lazy = df.clone().lazy().rank_gain("y", &rank).expect("ranked");
            assert!(lazy.equals_missing(&ranking));
        }
    }
    let error = |target: &str, spec: &RankSpec| {
        df.rank_gain(target, spec).expect_err("refused").to_string()
    };
    for (said, part) in [
        (error("y", &by_iv.clone().by(["c"])), "the ranking is by groups"),
        (error("z", &by_iv), "target `z` (i64) has 13 classes"),
        (error("w", &by_iv), "target `w` (f64) holds numbers"),
    ] {
        assert!(said.contains(part) && !said.contains('\n'), "{said}");
    }
}
