//! `rank_gain` and `split_candidates`.

use std::collections::HashMap;

use super::*;

const RANKING: &str = "rank u32, feature str, dtype str, kind str, n u64, n_missing u64, \
    n_levels u64, split str, entropy f64, conditional_entropy f64, info_gain f64, split_info f64, \
    gain_ratio f64, symmetric_uncertainty f64, gini f64, gini_split f64, gini_gain f64, \
    gini_multiway f64, missing_gain f64, rule str, rule_gain f64, cut str, threshold f64, gini_rule str, note str, \
    excluded_reason str";

fn rank(df: &DataFrame, target: &str) -> DataFrame {
    df.rank_gain(target, &full()).expect("ranks")
}

fn features(ranking: &DataFrame) -> Vec<String> {
    texts(ranking, "feature").into_iter().flatten().collect()
}

// ---- published figures ---------------------------------------------------------------------

#[test]
fn the_textbook_tables_give_the_published_figures() {
    // Feature: info_gain, split_info, gain_ratio, gini_multiway, gini_split of each level.
    let play = "
        outlook     0.246750 1.577406 0.156428 0.342857 overcast 0.357143 rainy 0.457143 sunny 0.393651
        humidity    0.151836 1.000000 0.151836 0.367347 high 0.367347 normal 0.367347
        windy       0.048127 0.985228 0.048849 0.428571 false 0.428571 true 0.428571
        temperature 0.029223 1.556657 0.018773 0.440476 cool 0.450000 hot 0.442857 mild 0.458333";
    let approved = "
        owns_house  0.419973 0.970951 0.432538 0.266667 no 0.266667 yes 0.266667
        credit      0.362990 1.565596 0.231854 0.284444 excellent 0.363636 fair 0.320000 good 0.474074
        has_job     0.323650 0.918296 0.352447 0.320000 no 0.320000 yes 0.320000
        age         0.083007 1.584963 0.052372 0.426667 middle 0.480000 old 0.440000 young 0.440000";
    for (df, target, entropy, gini, figures) in [
        (weather(), "play", "0.940286", 90.0 / 196.0, play),
        (loan(), "approved", "0.970951", 108.0 / 225.0, approved),
    ] {
        let ranking = rank(&df, target);
        for (row, line) in figures.lines().skip(1).enumerate() {
            let expected: Vec<&str> = line.split_whitespace().collect();
            let feature = expected[0];
            let six = |name: &str| digits(figure(&ranking, feature, name), 6);
            assert_eq!(word(&ranking, "feature", row), feature, "best first");
            let got = ["info_gain", "split_info", "gain_ratio", "gini_multiway"].map(six);
            assert_eq!(got, expected[1..5], "{feature}");
            assert_eq!(six("entropy"), entropy);
            assert_eq!(six("gini"), digits(gini, 6));

            let of = |name: &str| figure(&ranking, feature, name);
            let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{feature}: {a} {b}");
            close(of("conditional_entropy"), of("entropy") - of("info_gain"));
            let both = of("entropy") + of("split_info");
            close(of("symmetric_uncertainty"), 2.0 * of("info_gain") / both);
            close(of("gini_gain"), of("gini") - of("gini_split"));

            // One-vs-rest, level by level; the ranking names the first of the best.
            let table = df.split_candidates(target, feature, &full()).expect("rates");
            let levels: Vec<(&str, &str)> = expected[5..].chunks(2).map(|c| (c[0], c[1])).collect();
            for (i, (level, split)) in levels.iter().enumerate() {
                assert_eq!(word(&table, "level", i), *level);
                assert_eq!(word(&table, "rule", i), format!("{feature} == {level}"));
                let gini_split = floats(&table, "gini_split")[i].expect("a figure");
                assert_eq!(digits(gini_split, 6), *split, "{feature} {level}");
                close(floats(&table, "gini_gain")[i].expect("a figure"), gini - gini_split);
            }
            assert_eq!(table.height(), levels.len());
            let best = levels.iter().min_by(|a, b| a.1.cmp(b.1)).expect("a level");
            assert_eq!(six("gini_split"), best.1);
            assert_eq!(word(&ranking, "gini_rule", row), format!("{feature} == {}", best.0));
        }
    }
}

#[test]
fn iris_is_cut_where_it_is_known_to_be() {
    let ranking = rank(&parquet("iris"), "species");
    // Two features tell setosa from the rest: they tie, and stay in column order.
    let order = ["petal_length_cm", "petal_width_cm", "sepal_length_cm", "sepal_width_cm"];
    assert_eq!(features(&ranking), order);
    for (row, rule, gain, gini_rule, gini_gain) in [
        (0, "petal_length_cm >= 2.45", "0.9182958", "petal_length_cm >= 2.45", "0.3333333"),
        (1, "petal_width_cm >= 0.8", "0.9182958", "petal_width_cm >= 0.8", "0.3333333"),
        (2, "sepal_length_cm >= 5.55", "0.5572327", "sepal_length_cm >= 5.45", "0.2277603"),
        // Half of 3.3 and half of 3.4 as floats have it.
        (3, "sepal_width_cm >= 3.35", "0.2831260", "sepal_width_cm >= 3.35", "0.1269234"),
    ] {
        assert_eq!(word(&ranking, "rule", row), rule);
        assert_eq!(word(&ranking, "gini_rule", row), gini_rule);
        let cut = rule.rsplit(' ').next().expect("a cut");
        assert_eq!(word(&ranking, "cut", row), cut);
        assert_eq!(floats(&ranking, "threshold")[row], cut.parse().ok());
        let figure = |name: &str| digits(floats(&ranking, name)[row].expect("a figure"), 7);
        assert_eq!(figure("info_gain"), gain);
        assert_eq!(figure("gini_gain"), gini_gain);
        assert_eq!(figure("gini_multiway"), figure("gini_split"));
        assert_eq!(figure("entropy"), digits(3f64.log2(), 7));
    }
}

#[test]
fn nats_are_bits_by_the_logarithm_of_two() {
    for (df, target) in [(weather(), "play"), (parquet("iris"), "species")] {
        let bits = rank(&df, target);
        let nats = df.rank_gain(target, &full().log_base(LogBase::E)).expect("ranks");
        assert_eq!(features(&bits), features(&nats));
        let entropies = ["entropy", "conditional_entropy", "info_gain", "split_info"];
        let shares = ["gain_ratio", "symmetric_uncertainty", "gini", "gini_split", "gini_multiway"];
        let names = entropies.map(|n| (n, 2f64.ln())).into_iter().chain(shares.map(|n| (n, 1.0)));
        for (name, unit) in names {
            for (bit, nat) in floats(&bits, name).into_iter().zip(floats(&nats, name)) {
                let (bit, nat) = (bit.expect("bits"), nat.expect("nats"));
                assert!((bit * unit - nat).abs() < 1e-12, "{name} {bit} {nat}");
            }
        }
    }
}

// ---- shape and order -----------------------------------------------------------------------

#[test]
fn rankings_have_one_schema() {
    let weather = weather();
    let lists = df!["tags" => [Series::new("".into(), ["a"]), Series::new("".into(), ["b"])],
                    "y" => ["A", "B"]]
    .expect("a frame");
    assert_eq!(schema(&rank(&weather, "play")), RANKING);
    assert_eq!(schema(&rank(&lists, "y")), RANKING, "of excluded features alone");
    let short = [
        (RankSpec::default(), "info_gain", "gain_ratio f64, gini_gain", ""),
        (
            RankSpec::default().sort_by(SortBy::GiniGain),
            "gini_gain",
            "info_gain f64, gain_ratio",
            "gini_rule str, ",
        ),
        (
            RankSpec::default().sort_by(SortBy::SymmetricUncertainty),
            "symmetric_uncertainty",
            "info_gain f64, gain_ratio f64, gini_gain",
            "",
        ),
        (
            RankSpec::default().sort_by(SortBy::InformationValue),
            "information_value",
            "info_gain f64, gain_ratio f64, gini_gain",
            "",
        ),
    ];
    for (spec, goes_by, others, rule) in short {
        let expected = format!(
            "rank u32, feature str, {goes_by} f64, kind str, n_missing u64, {others} f64, rule str, {rule}note str"
        );
        assert_eq!(schema(&weather.rank_gain("play", &spec).expect("ranks")), expected);
        assert_eq!(schema(&lists.rank_gain("y", &spec).expect("ranks")), expected);
    }
    let diabetes = parquet("diabetes");
    let of_numbers = diabetes.rank_gain("progression", &RankSpec::default()).expect("ranks");
    let expected = "rank u32, feature str, variance_reduction f64, kind str, n_missing u64, \
        rule str, note str";
    assert_eq!(schema(&of_numbers), expected);
    let whole =
        rank(&diabetes, "progression").select(of_numbers.get_column_names().into_iter().cloned());
    assert!(whole.expect("its columns").equals_missing(&of_numbers));
    let by = full().by(["windy", "outlook"]);
    let grouped = weather.rank_gain("play", &by).expect("ranks");
    assert_eq!(schema(&grouped), format!("windy str, outlook str, {RANKING}"));
    let chance = "expected_gain f64, adjusted_gain f64, p_value f64, q_value f64, rule str,";
    let by_chance = full().chance(9);
    for df in [&weather, &lists] {
        let target = if df.height() == 2 { "y" } else { "play" };
        let ranking = df.rank_gain(target, &by_chance).expect("ranks");
        assert_eq!(schema(&ranking), RANKING.replacen(" rule str,", &format!(" {chance}"), 1));
        let lazy = df.clone().lazy().rank_gain(target, &by_chance.clone().threads(2));
        assert!(lazy.expect("ranks").equals_missing(&ranking));
    }
}

#[test]
fn a_matrix_is_symmetric_and_its_pairs_are_the_ranking_of_levels() {
    let weather = weather();
    let spec = MatrixSpec::default().threads(2);
    let pairs = weather.clone().lazy().gain_matrix(&spec).expect("compares");
    assert_eq!(
        schema(&pairs),
        "feature_1 str, feature_2 str, n u64, entropy_1 f64, entropy_2 f64, info_gain f64, \
         symmetric_uncertainty f64"
    );
    let wide = weather.gain_matrix(&spec.form(MatrixForm::Wide)).expect("compares");
    assert_eq!(wide.height() + 1, wide.width());
    let ranking = rank(&weather, "play");
    let (features, figures) = (features(&ranking), floats(&ranking, "symmetric_uncertainty"));
    let rows = texts(&wide, "feature");
    for (feature, figure) in features.iter().zip(figures) {
        let row = rows.iter().position(|name| name.as_ref() == Some(feature)).expect("there");
        let play = rows.iter().position(|name| name.as_deref() == Some("play")).expect("there");
        let (one, other) = (floats(&wide, "play")[row], floats(&wide, feature)[play]);
        assert_eq!(one, other);
        assert!((one.expect("a number") - figure.expect("a number")).abs() < 1e-12, "{feature}");
    }
}

#[test]
fn columns_that_tell_the_same_are_grouped() {
    let rows = 0..60u32;
    let df = df![
        "x" => rows.clone().collect::<Vec<_>>(),
        "name" => rows.clone().map(|row| format!("n{}", row / 12)).collect::<Vec<_>>(),
        "odd" => rows.clone().map(|row| row % 2 == 1).collect::<Vec<_>>(),
        "code" => rows.clone().map(|row| 100 - row / 12).collect::<Vec<_>>(),
        "scaled" => rows.map(|row| f64::from(row) / 7.0).collect::<Vec<_>>(),
    ];
    let df = df.expect("a frame");
    let groups = df.redundant_groups(1.0, &MatrixSpec::default()).expect("groups");
    assert_eq!(
        schema(&groups),
        "group u32, feature str, nearest str, symmetric_uncertainty f64, least_in_group f64"
    );
    let expected = df!["group" => [0u32, 0, 1, 1], "feature" => ["x", "scaled", "name", "code"],
        "nearest" => ["scaled", "x", "code", "name"], "symmetric_uncertainty" => [1.0; 4],
        "least_in_group" => [1.0; 4]];
    assert_eq!(groups, expected.expect("a frame"));
    let lazy = df.clone().lazy().redundant_groups(1.0, &MatrixSpec::default().threads(1));
    assert_eq!(lazy.expect("groups"), groups);
    let none = MatrixSpec::default().columns(["odd", "x"]);
    let none = df.redundant_groups(0.9, &none).expect("groups");
    assert_eq!((none.height(), schema(&none)), (0, schema(&groups)));
}

#[test]
fn symmetric_uncertainty_of_levels_is_symmetric() {
    let df = df!["a" => [Some(1), Some(2), Some(3), Some(4), None, Some(5)],
        "b" => [Some(0.5), Some(0.5), Some(1.5), Some(2.5), Some(9.0), None]];
    let df = df.expect("a frame").lazy();
    let either_way = df.clone().select([
        col("a").symmetric_uncertainty_of_levels(col("b")),
        col("b").symmetric_uncertainty_of_levels(col("a")).alias("back"),
        col("a").symmetric_uncertainty_of_levels(col("a")).alias("itself"),
        col("a").symmetric_uncertainty_of_levels(lit(1)).alias("constant"),
    ]);
    let either_way = either_way.collect().expect("collects");
    // 4 rows: H(a) is 2 bits, H(b) 1.5, and b tells nothing beyond a.
    let of = |name: &str| floats(&either_way, name)[0];
    assert_eq!(
        ["a", "back", "itself", "constant"].map(of),
        [3.0 / 3.5, 3.0 / 3.5, 1.0, 0.0].map(Some)
    );
    let none = df.limit(0).select([col("a").symmetric_uncertainty_of_levels(col("b"))]);
    assert_eq!(floats(&none.collect().expect("collects"), "a"), [None]);
}

#[test]
fn candidates_have_one_schema_even_where_there_are_none() {
    let shares = "n_level u64, n_left u64, n_right u64, share_left_A f64, share_right_A f64, \
                  share_left_B f64, share_right_B f64, entropy_left f64, entropy_right f64, \
                  info_gain f64, gain_ratio f64, gini_split f64, gini_gain f64, skippable bool";
    let frame = df!["y" => ["A", "B", "B"], "x" => [1.5f32, 2.5, 3.5], "same" => [7u8, 7, 7],
                    "text" => ["a", "b", "c"], "same_text" => ["a", "a", "a"],
                    "nulls" => [None::<i16>, None, None]]
    .expect("a frame");
    for (feature, value, rows) in [
        ("x", "threshold f32", 2),
        ("same", "threshold u8", 0),
        ("nulls", "threshold i16", 0),
        ("text", "level str", 3),
        ("same_text", "level str", 0),
    ] {
        let table = frame.split_candidates("y", feature, &full()).expect("rates");
        assert_eq!(schema(&table), format!("rule str, {value}, {shares}"));
        assert_eq!(table.height(), rows, "{feature}");
    }
}

#[test]
fn a_ranking_sorts_by_any_figure_and_ties_stay_in_column_order() {
    let df = weather();
    let again =
        |from: &str, name: &str| df.column(from).expect("there").clone().with_name(name.into());
    let constant = Column::new("constant".into(), ["same"; 14]);
    let df = with(&with(&with(&df, again("windy", "gusty")), constant), again("outlook", "sky"));
    let plain = rank(&df, "play");
    for (by, name) in [
        (SortBy::InfoGain, "info_gain"),
        (SortBy::GainRatio, "gain_ratio"),
        (SortBy::GiniGain, "gini_gain"),
        (SortBy::SymmetricUncertainty, "symmetric_uncertainty"),
    ] {
        let ranking = df.rank_gain("play", &full().sort_by(by)).expect("ranks");
        let names = df.get_column_names().into_iter().filter(|n| *n != "play");
        let mut expected: Vec<&str> = names.map(|n| n.as_str()).collect();
        let key = |feature: &str| figure(&plain, feature, name);
        expected.sort_by(|a, b| key(b).total_cmp(&key(a)));
        assert_eq!(features(&ranking), expected, "{name}");
        let ranks: Vec<f64> = floats(&ranking, "rank").into_iter().flatten().collect();
        assert_eq!(ranks, (1..=7).map(f64::from).collect::<Vec<_>>());
    }
}

#[test]
fn what_cannot_be_ranked_is_listed_with_the_reason() {
    let fields = [Series::new("a".into(), [1, 2]), Series::new("b".into(), [3, 4])];
    let pair = StructChunked::from_series("pair".into(), 2, fields.iter()).expect("a struct");
    let frame = df!["tags" => [Series::new("".into(), ["a"]), Series::new("".into(), ["b"])],
                    "bytes" => [&b"a"[..], b"b"], "x" => [1, 2], "y" => ["A", "B"],
                    "nulls" => [None::<i64>, None]]
    .expect("a frame");
    let ranking = rank(&with(&frame, pair.into_series().into()), "y");
    assert_eq!(features(&ranking), ["x", "nulls", "tags", "bytes", "pair"]);
    let reasons = texts(&ranking, "excluded_reason");
    let is_known = |name: &str| ranking.column(name).expect("there").is_not_null();
    assert_eq!(
        reasons.iter().map(Option::is_some).collect::<Vec<_>>(),
        [false, false, true, true, true]
    );
    for name in
        RANKING.split(", ").skip(3).filter(|n| *n != "note str" && !n.starts_with("excluded"))
    {
        let name = name.split(' ').next().expect("a name");
        let known = is_known(name);
        assert!(known.get(0) == Some(true) && known.get(2) == Some(false), "{name}");
    }
    for (row, dtype) in [(2, "list[str]"), (3, "binary"), (4, "struct[2]")] {
        assert_eq!(word(&ranking, "dtype", row), dtype);
        assert!(reasons[row].as_ref().expect("a reason").contains(dtype), "{reasons:?}");
    }
    // Without that column its note says so.
    let short = frame.rank_gain("y", &RankSpec::default()).expect("ranks");
    assert_eq!(texts(&short, "note")[2..], reasons[2..4]);
    assert_eq!(figure(&ranking, "x", "info_gain"), 1.0);
    assert_eq!(figure(&ranking, "nulls", "info_gain"), 0.0, "nothing but nulls tells nothing");
}

// ---- missing values and weights ------------------------------------------------------------

/// Four of six rows are known, and split cleanly.
#[test]
fn missing_values_scale_the_gain_or_are_a_level_of_their_own() {
    let frame = df![
        "y" => ["A", "A", "B", "B", "A", "B"],
        "text" => [Some("a"), Some("a"), Some("b"), Some("b"), None, None],
        "number" => [1.0, 1.0, 2.0, 2.0, f64::NAN, f64::NAN],
    ]
    .expect("a frame");
    let third = 1.0 / 3.0;
    // Gini of the rows with missing on one side: {A, A} and {A, B, B, B}.
    let (side, side_gini) = (third * 2.0 * 0.8112781244591328, third * 2.0 * 0.375);
    for (missing, feature, expected) in [
        // info_gain, split_info, gain_ratio, conditional_entropy, gini_gain, gini_split.
        (RankMissing::Known, "text", [2.0 * third, 1.0, 2.0 * third, 0.0, third, 0.0]),
        (RankMissing::Known, "number", [2.0 * third, 1.0, 2.0 * third, 0.0, third, 0.0]),
        (
            RankMissing::OwnLevel,
            "text",
            [
                2.0 * third,
                3f64.log2(),
                2.0 * third / 3f64.log2(),
                third,
                0.5 - side_gini,
                side_gini,
            ],
        ),
        (
            RankMissing::OwnLevel,
            "number",
            [
                1.0 - side,
                0.9182958340544896,
                (1.0 - side) / 0.9182958340544896,
                side,
                0.5 - side_gini,
                side_gini,
            ],
        ),
    ] {
        let ranking = frame.rank_gain("y", &full().missing(missing)).expect("ranks");
        let of = |name: &str| figure(&ranking, feature, name);
        let names = [
            "info_gain",
            "split_info",
            "gain_ratio",
            "conditional_entropy",
            "gini_gain",
            "gini_split",
        ];
        for (name, expected) in names.iter().zip(expected) {
            assert!(
                (of(name) - expected).abs() < 1e-12,
                "{missing:?} {feature} {name} {}",
                of(name)
            );
        }
        assert_eq!([of("n"), of("n_missing"), of("n_levels")], [6.0, 2.0, 2.0]);
    }

    // Half the rows known, of one value: only the missing tell something.
    let frame = df!["y" => ["A", "A", "B", "B"], "x" => [Some("a"), Some("a"), None, None]]
        .expect("a frame");
    assert_eq!(figure(&rank(&frame, "y"), "x", "info_gain"), 0.0);
    let own = full().missing(RankMissing::OwnLevel);
    let ranking = frame.rank_gain("y", &own).expect("ranks");
    assert_eq!(figure(&ranking, "x", "info_gain"), 1.0);
    assert_eq!(word(&ranking, "rule", 0), "x == a");
}

/// The rows of a frame, each as often as `w` says.
fn copies(df: &DataFrame) -> DataFrame {
    let times = floats(df, "w");
    let rows = times
        .iter()
        .enumerate()
        .flat_map(|(row, w)| std::iter::repeat_n(row as IdxSize, w.expect("a weight") as usize));
    let rows = IdxCa::from_vec("".into(), rows.collect());
    df.take(&rows).expect("rows").drop("w").expect("weights")
}

#[test]
fn a_weight_is_so_many_copies_and_none_is_no_row() {
    for (df, target) in [(weather(), "play"), (parquet("iris"), "species")] {
        for dtype in [DataType::UInt8, DataType::Int64, DataType::Float32, DataType::Decimal(5, 2)]
        {
            let times: Vec<i64> = (0..df.height() as i64).map(|i| (i * 7 + 2) % 4).collect();
            let weights = Column::new("w".into(), times).cast(&dtype).expect("numbers");
            let weighed = with(&df, weights);
            let spec = full().weight("w");
            let mut a = weighed.rank_gain(target, &spec).expect("ranks");
            let mut b = rank(&copies(&weighed), target);
            let rows = floats(&weighed, "w").iter().filter(|w| **w > Some(0.0)).count();
            assert_eq!(floats(&a, "n")[0], Some(rows as f64), "rows are counted, not weighed");
            for table in [&mut a, &mut b] {
                *table = table.drop("n").expect("n");
            }
            assert_same(&a, &b, &format!("{target} {dtype}"));
        }
    }
}

// ---- groups --------------------------------------------------------------------------------

/// Iris in four groups: ten setosas, null, `a`, `b` by first appearance; and `h` beside it.
fn grouped_iris() -> DataFrame {
    let g = |i: usize| if i < 10 { Some("setosas") } else { [Some("b"), None, Some("a")][i % 3] };
    let df = parquet("iris");
    let df = with(&df, Column::new("g".into(), (0..150).map(g).collect::<Vec<_>>()));
    let h: Vec<i32> = (0..150).map(|i| i % 2).collect();
    let w: Vec<f64> = (0..150).map(|i| f64::from(i * i % 5) / 2.0).collect();
    with(&with(&df, Column::new("h".into(), h)), Column::new("w".into(), w))
}

#[test]
fn a_ranking_by_groups_is_each_groups_own() {
    let df = grouped_iris();
    let weighed = full().weight("w").sort_by(SortBy::GainRatio);
    for (spec, by) in [
        (full().by(["g"]), vec!["g"]),
        (full().by(["h", "g"]), vec!["h", "g"]),
        (weighed.clone().by(["g"]), vec!["g"]),
        (weighed.missing(RankMissing::OwnLevel).threads(2).by(["g", "h"]), vec!["g", "h"]),
    ] {
        let all = df.rank_gain("species", &spec).expect("ranks");
        let counted = match spec.weight {
            Some(_) => only(&df, col("w").gt(lit(0.0))),
            None => df.clone(),
        };
        let keys = counted.select(by.iter().copied()).expect("there");
        let keys = keys.unique_stable(None, UniqueKeepStrategy::First, None).expect("keys");
        let features = df.width() - 1 - by.len() - usize::from(spec.weight.is_some());
        assert_eq!(all.height(), keys.height() * features);
        for group in 0..keys.height() {
            let lines = all.slice((group * features) as i64, features);
            let key = keys.slice(group as i64, 1);
            let mut rows = df.clone();
            for name in &by {
                let value = key.column(name).expect("a key").get(0).expect("one").into_static();
                let shown = lines.column(name).expect("a key").get(features - 1).expect("one");
                assert_eq!(shown.into_static(), value, "groups by first appearance");
                let value = Scalar::new(key.column(name).expect("a key").dtype().clone(), value);
                rows = only(&rows, col(*name).eq_missing(lit(value)));
            }
            let lines = lines.drop_many(by.iter().copied());
            match rows
                .drop_many(by.iter().copied())
                .rank_gain("species", &spec.clone().by(Vec::<String>::new()))
            {
                Ok(own) => assert_same(&lines, &own, &format!("{by:?} {key}")),
                Err(one_class) => {
                    assert!(one_class.is_data());
                    assert!(
                        key.column("g").expect("g").str().expect("text").get(0) == Some("setosas")
                    );
                    for name in [
                        "entropy",
                        "info_gain",
                        "gain_ratio",
                        "symmetric_uncertainty",
                        "gini",
                        "gini_gain",
                    ] {
                        assert!(floats(&lines, name).iter().all(|x| *x == Some(0.0)), "{name}");
                    }
                }
            }
        }
    }
}

// ---- candidates ----------------------------------------------------------------------------

#[test]
fn the_gain_curve_of_petal_length() {
    let iris = parquet("iris");
    let curve = iris.split_candidates("species", "petal_length_cm", &full()).expect("rates");
    let all = |name: &str| floats(&curve, name).into_iter().flatten().collect::<Vec<f64>>();
    let thresholds = all("threshold");
    assert_eq!(curve.height(), 42);
    assert!(thresholds.is_sorted_by(|a, b| a < b), "in level order");
    let mut left = 0.0;
    for (row, level) in all("n_level").iter().enumerate() {
        left += level;
        assert_eq!(all("n_left")[row], left);
        assert_eq!(all("n_left")[row] + all("n_right")[row], 150.0);
        assert_eq!(word(&curve, "rule", row), format!("petal_length_cm >= {}", thresholds[row]));
        for side in ["left", "right"] {
            let classes = ["setosa", "versicolor", "virginica"];
            let shares = classes.map(|class| all(&format!("share_{side}_{class}"))[row]);
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let counts = shares.map(|s| s * all(&format!("n_{side}"))[row]);
            let entropy = gaintree::criterion::entropy(&counts, LogBase::Two);
            assert!((all(&format!("entropy_{side}"))[row] - entropy).abs() < 1e-9);
        }
    }
    let gains = all("info_gain");
    let best = gains.iter().copied().fold(0.0, f64::max);
    let at = gains.iter().position(|&g| g == best).expect("a best");
    assert_eq!((thresholds[at], digits(best, 7)), (2.45, "0.9182958".to_string()));
    // Whatever growth may skip is no better than its neighbours.
    let skippable = curve.column("skippable").expect("there").bool().expect("bools").clone();
    assert!(skippable.get(0) == Some(true) && skippable.get(at) == Some(false));
    for row in (1..41).filter(|&row| skippable.get(row) == Some(true)) {
        assert!(gains[row] <= gains[row - 1].max(gains[row + 1]));
    }
}

#[test]
fn the_best_candidate_is_the_rankings_rule() {
    for (df, target) in [(parquet("wine"), "cultivar"), (weather(), "play"), (loan(), "approved")] {
        let ranking = rank(&df, target);
        for (row, feature) in features(&ranking).iter().enumerate() {
            let table = df.split_candidates(target, feature, &full()).expect("rates");
            for (rule, gain) in [("rule", "info_gain"), ("gini_rule", "gini_gain")] {
                let gains: Vec<f64> = floats(&table, gain).into_iter().flatten().collect();
                let best = gains.iter().copied().fold(0.0, f64::max);
                let at = gains.iter().position(|&g| g == best).expect("a best");
                assert_eq!(word(&ranking, rule, row), word(&table, "rule", at), "{feature}");
                if gain == "gini_gain" || word(&ranking, "kind", row) == "ordered" {
                    assert_eq!(figure(&ranking, feature, gain), best, "{feature} {gain}");
                }
            }
        }
    }
}

/// Cuts lie midway in the column's own type, and the curve holds them as such.
#[test]
fn thresholds_are_of_the_features_dtype() {
    use gaintree::engine::dtype::TimeUnit::{Microseconds, Milliseconds, Nanoseconds};
    let two_to_53 = 1i128 << 53;
    let zone = Some("Asia/Tokyo".to_string());
    for (dtype, [lo, hi, cut], shown) in [
        (DType::I64, [two_to_53, two_to_53 + 1, two_to_53 + 1], "9007199254740993"),
        (DType::U64, [0, u64::MAX.into(), 1 << 63], "9223372036854775808"),
        (DType::I8, [-128, 127, 0], "0"),
        (DType::I128, [i128::MIN, i128::MAX, 0], "0"),
        (DType::Decimal { precision: 10, scale: 2 }, [-5, 10, 3], "0.03"),
        (DType::Date, [-1, 2, 1], "1970-01-02"),
        (DType::Time, [0, 3, 2], "00:00:00.000000002"),
        (
            DType::Duration { unit: Milliseconds },
            [-86_400_001, -86_400_000, -86_400_000],
            "-1d 00:00:00",
        ),
        (
            DType::Datetime { unit: Microseconds, zone: None },
            [-2, 0, -1],
            "1969-12-31 23:59:59.999999",
        ),
        (DType::Datetime { unit: Nanoseconds, zone }, [-1, 1, 0], "1970-01-01 09:00:00+09:00"),
    ] {
        let made =
            |name: &str, values: &[i128]| Made::ints(name, dtype.clone(), values.iter().copied());
        let df = with(&df!["y" => ["A", "B"]].expect("a frame"), column(&made("x", &[lo, hi])));
        let curve = df.split_candidates("y", "x", &full()).expect("rates");
        let expected = column(&made("threshold", &[cut])).into_frame();
        assert_same(&curve.select(["threshold"]).expect("there"), &expected, shown);
        assert_eq!(word(&curve, "rule", 0), format!("x >= {shown}"));
        assert_eq!(word(&rank(&df, "y"), "cut", 0), shown);
    }
    let wide = [0, u128::MAX].map(|x| Some(Value::Unsigned(x)));
    let wide = column(&Made::new("x", DType::U128, wide));
    let df = with(&df!["y" => ["A", "B"]].expect("a frame"), wide);
    let curve = df.split_candidates("y", "x", &full()).expect("rates");
    assert_eq!(schema(&curve.select(["threshold"]).expect("there")), "threshold u128");
    assert_eq!(word(&curve, "rule", 0), format!("x >= {}", 1u128 << 127));
    assert_eq!(
        curve.column("threshold").expect("there").u128().expect("u128").get(0),
        Some(1 << 127)
    );
}

/// Texts that a view holds whole and such that it does not, alike but for their end, of no bytes
/// and of a zero byte, in chunks and slices. Categories find their texts in another way.
#[test]
fn texts_of_all_lengths_rank_as_their_categories_do() {
    let texts = [
        None,
        Some(""),
        Some("\0"),
        Some("a"),
        Some("a\0"),
        Some("twelve bytes"),
        Some("twelve bytes\0"),
        Some("twelve bytes and more"),
        Some("twelve bytes and moré"),
    ];
    let (n, noise) = (3000, |row: usize| row * 7919 % 1009);
    let text = |row: usize| texts[noise(row) % texts.len()];
    let class = |row: usize| (noise(row) % texts.len() + noise(row + 1) % 4 > 7) as i32;
    let df = df!["x" => (0..n).map(text).collect::<Vec<_>>(), "y" => (0..n).map(class).collect::<Vec<_>>()];
    let df = df.expect("a frame");
    let apart = df.slice(1, 900).vstack(&df.slice(901, 2000)).expect("of one schema");
    let df = df.slice(1, 2900);
    let ranking = rank(&df, "y");
    assert_same(&rank(&apart, "y"), &ranking, "chunks");
    assert_eq!(figure(&ranking, "x", "n_levels"), 8.0);
    assert!(figure(&ranking, "x", "info_gain") > 0.1);
    let categories = DataType::from_categories(Categories::global());
    let of_categories = rank(&cast(&df, "x", &categories), "y").drop("dtype");
    assert_same(&of_categories.expect("there"), &ranking.drop("dtype").expect("there"), "x");
}

/// A column whose missing values alone tell something: its rule says so, as a tree's would.
#[test]
fn known_against_missing_is_a_rule_of_an_ordered_feature() {
    let flags = [Some(0), Some(0), Some(1), Some(1), None, None].repeat(4);
    let one = flags.iter().map(|flag| flag.map(|_| 7.5)).collect::<Vec<_>>();
    let classes = ["a", "b", "a", "b", "c", "c"].repeat(4);
    let numbers: Vec<f64> = classes.iter().map(|&c| if c == "c" { 3.0 } else { 0.0 }).collect();
    let spec = full().missing(RankMissing::OwnLevel);
    let two_to_one = 0.9182958340544896;
    let mut frame = df!["flag" => flags, "one" => one, "y" => classes].expect("a frame");
    let ranking = frame.rank_gain("y", &spec).expect("ranks");
    for feature in ["flag", "one"] {
        assert!((figure(&ranking, feature, "info_gain") - two_to_one).abs() < 1e-12);
        assert!((figure(&ranking, feature, "split_info") - two_to_one).abs() < 1e-12);
    }
    let rules: Vec<String> = texts(&ranking, "rule").into_iter().flatten().collect();
    assert_eq!(rules, ["flag is missing", "one is missing"]);
    assert_eq!(ranking.column("cut").expect("there").null_count(), 2);

    frame.with_column(Column::new("y".into(), numbers)).expect("as high");
    let ranking = frame.rank_gain("y", &spec).expect("ranks");
    for feature in ["flag", "one"] {
        assert!((figure(&ranking, feature, "variance_reduction") - 2.0).abs() < 1e-12);
    }
}

/// One odd row has a high ratio: features of at least the mean gain stand below it.
#[test]
fn a_high_ratio_of_little_gain_is_noted() {
    let df = df!(
        "odd" => (0..100).map(|row| i32::from(row == 3)).collect::<Vec<_>>(),
        "tells" => (0..100).map(|row| i32::from(row % 2 == 0 || row % 5 == 0)).collect::<Vec<_>>(),
        "weak" => (0..100).map(|row| (row % 2 == 0) != (row % 20 < 7)).collect::<Vec<_>>(),
        "y" => (0..100).map(|row| row % 2 == 0).collect::<Vec<_>>(),
    )
    .expect("a frame");
    let spec = full().features(["odd", "weak"]).sort_by(SortBy::GainRatio);
    let ranking = df.rank_gain("y", &spec).expect("ranks");
    assert_eq!(features(&ranking), ["odd", "weak"]);
    let notes = texts(&ranking, "note");
    assert!(notes[0].as_deref().is_some_and(|note| note.starts_with("its gain, 0.0")), "{notes:?}");
    assert_eq!(notes[1], None);
    let spec = spec.features(["odd", "tells"]);
    let ranking = df.rank_gain("y", &spec).expect("ranks");
    assert_eq!(features(&ranking), ["tells", "odd"]);
    assert!(texts(&ranking, "note").iter().all(Option::is_none));
    // By its gain it stands where it belongs.
    let spec = full().features(["odd", "weak"]);
    let ranking = df.rank_gain("y", &spec).expect("ranks");
    assert_eq!(features(&ranking), ["weak", "odd"]);
    assert!(texts(&ranking, "note").iter().all(Option::is_none));
}

// ---- leaks ---------------------------------------------------------------------------------

/// Columns that tell the target by themselves, by their values or by where they are missing, are
/// noted by rankings, fits and reports alike. Chance is not.
#[test]
fn columns_that_give_the_target_away_are_noted() {
    let n = 120u32;
    let noise =
        |row: u32, of: u32| f64::from(row.wrapping_mul(2_654_435_761 + 97 * of) >> 12 & 255) + 0.5;
    let is_late = |row: u32| row.wrapping_mul(40_503) >> 5 & 3 == 0;
    let late: Vec<bool> = (0..n).map(is_late).collect();
    let of_late = |value: fn(u32) -> f64| -> Vec<Option<f64>> {
        (0..n).map(|row| is_late(row).then(|| value(row))).collect()
    };
    let df = df!(
        "refund" => of_late(|row| f64::from(row % 7)),
        "closed" => of_late(|_| 1.0),
        "claim" => (0..n).map(|row| is_late(row).then(|| format!("claim {row}"))).collect::<Vec<_>>(),
        "copy" => (0..n).map(|row| if is_late(row) { 9.5 } else { 2.5 } + noise(row, 1) / 256.0)
            .collect::<Vec<_>>(),
        "gaps" => (0..n).map(|row| (noise(row, 2) > 80.0).then(|| noise(row, 3))).collect::<Vec<_>>(),
        "noise" => (0..n).map(|row| noise(row, 4)).collect::<Vec<_>>(),
        "late" => late.clone(),
        "delay" => late.iter().map(|&late| if late { 30.0 } else { 0.0 }).collect::<Vec<_>>(),
    )
    .expect("a frame");
    let n_late = late.iter().filter(|&&late| late).count();
    for (target, other) in [("late", "delay"), ("delay", "late")] {
        for missing in [RankMissing::Known, RankMissing::OwnLevel] {
            let spec = full().exclude([other]).missing(missing);
            let ranking = df.rank_gain(target, &spec).expect("ranks");
            let notes: HashMap<String, Option<String>> =
                features(&ranking).into_iter().zip(texts(&ranking, "note")).collect();
            let gives_away = |name: &str| notes[name].as_deref().unwrap_or_default();
            for leak in ["refund", "closed"] {
                let start = format!("missing in {} of {n} rows, which tells ", n as usize - n_late);
                assert!(gives_away(leak).starts_with(&start), "{target} {leak}: {notes:?}");
            }
            assert!(gives_away("claim").starts_with("like an id: "), "{target}: {notes:?}");
            assert!(gives_away("claim").contains("; missing in "), "{target}: {notes:?}");
            assert!(gives_away("copy").starts_with("gives the target away"), "{notes:?}");
            assert_eq!((&notes["gaps"], &notes["noise"]), (&None, &None), "{target}");
        }
        for (leak, rule) in [("refund", "refund is missing"), ("copy", "copy >= ")] {
            let spec = TreeSpec::cart().features([leak, "noise"]).max_depth(2);
            let fit = df.fit_tree(target, &spec).expect("fits");
            let note = fit.notes.last().expect("a note");
            let says = format!("feature `{leak}` (f64) gives the target away: `{rule}");
            assert!(note.starts_with(&says), "{note}");
        }
        let spec = TreeSpec::cart().features(["gaps", "noise"]).max_depth(2);
        let fit = df.fit_tree(target, &spec).expect("fits");
        assert!(fit.notes.iter().all(|note| !note.contains("gives")), "{:?}", fit.notes);
    }
}
