//! Laws over made-up frames of every dtype: with nulls, kinds taken otherwise, and weights.

use super::*;
use crate::frames::{Weighing, frames};

fn pieces() -> impl Strategy<Value = Vec<Index>> {
    proptest::collection::vec(any::<Index>(), 0..5)
}

/// The rows that count.
fn counted(df: &DataFrame) -> DataFrame {
    if df.column("w").is_ok() { only(df, col("w").gt(lit(0.0))) } else { df.clone() }
}

proptest! {
    #![proptest_config(cases(400))]

    /// Polars' columns, in pieces and with any threads, are the engine's: one model, byte for
    /// byte.
    #[test]
    fn pieces_and_threads_change_no_byte(frame in frames(Weighing::Exact), spec in specs(), cuts in pieces()) {
        let spec = spec_for(&frame, spec);
        let whole = data_frame(&frame);
        let fitted = whole.fit_tree("y", &spec);
        if !can_be_learnt(&frame) {
            prop_assert!(fitted.expect_err("nothing to learn").is_data());
            return Ok(());
        }
        let json = fitted.expect("fits").tree.to_json();
        prop_assert_eq!(&frame.grow(&spec).expect("grows").to_json(), &json, "the engine alone");
        for threads in [1, 2, 4] {
            let pieces = in_pieces(&whole, &cuts);
            let again = pieces.fit_tree("y", &spec.clone().threads(threads)).expect("fits");
            prop_assert_eq!(&again.tree.to_json(), &json, "{} threads", threads);
        }
    }

    /// Each row ends in the leaf that grew from it, and gets its answer.
    #[test]
    fn scoring_the_training_frame_finds_the_leaves(frame in frames(Weighing::Whole), weigh: bool, spec in specs(), cuts in pieces()) {
        let frame = MadeFrame { weights: frame.weights.clone().filter(|_| weigh), ..frame };
        prop_assume!(can_be_learnt(&frame));
        let df = data_frame(&frame);
        let tree = df.fit_tree("y", &spec_for(&frame, spec)).expect("fits").tree;
        let rows = in_pieces(&counted(&df), &cuts);
        let all = ScoreSpec::default().leaf(true).probability(true);
        let (scored, report) = tree.score_with_report(&rows, &all).expect("scores");
        prop_assert_eq!((report.rows, report.absent_levels), (rows.height() as u64, 0));

        let nodes = tree.nodes().expect("nodes");
        let mut n = vec![0.0; nodes.height()];
        let answers = texts(&nodes, "prediction");
        let given = texts(&scored, "prediction");
        for (row, leaf) in floats(&scored, "leaf_id").into_iter().enumerate() {
            let leaf = leaf.expect("a leaf") as usize;
            n[leaf] += 1.0;
            prop_assert_eq!(&given[row], &answers[leaf]);
        }
        let is_leaf = nodes.column("is_leaf").expect("there").bool().expect("bools").clone();
        for (id, n) in n.iter().enumerate() {
            let expected = if is_leaf.get(id) == Some(true) { floats(&nodes, "n")[id] } else { Some(0.0) };
            prop_assert_eq!(Some(*n), expected, "node {} of\n{}", id, &tree);
        }
        prop_assert_eq!(
            scored.column("prediction").expect("there").dtype(),
            df.column("y").expect("there").dtype()
        );

        let again = Tree::from_json(&tree.to_json()).expect("loads");
        assert_same(&again.score_with(&rows, &all).expect("scores"), &scored, "loaded");
    }

    /// Candidates' thresholds are of the column's dtype; Polars' own `<` counts as they do.
    #[test]
    fn thresholds_cut_as_polars_compares(frame in frames(Weighing::Whole)) {
        let frame = MadeFrame { weights: None, ..frame };
        prop_assume!(can_be_learnt(&frame));
        let df = data_frame(&frame);
        let [ordered, nominal] = overridden(&frame);
        let spec = full().ordered(ordered).nominal(nominal);
        let ranking = df.rank_gain("y", &spec).expect("ranks");
        for made in &frame.columns {
            let x = df.column(&made.name).expect("there");
            let line = only(&ranking, col("feature").eq(lit(made.name.as_str())));
            prop_assert_eq!(word(&line, "dtype", 0), x.dtype().to_string());
            if x.dtype() == &DataType::Null {
                continue;
            }
            let curve = df.split_candidates("y", &made.name, &spec).expect("rates");
            let best = floats(&curve, "gini_gain").into_iter().flatten().fold(0.0, f64::max);
            prop_assert_eq!(figure(&line, &made.name, "gini_gain"), best);
            if made.kind == Kind::Nominal {
                continue;
            }
            let thresholds = curve.column("threshold").expect("there");
            prop_assert_eq!(thresholds.dtype(), x.dtype());
            if matches!(x.dtype(), DataType::Float16 | DataType::Categorical(..)) {
                continue; // no comparison, or none by text, in Polars
            }
            let known = if x.dtype().is_float() {
                let nan = x.is_nan().expect("floats");
                x.filter(&(!&nan)).expect("filters").drop_nulls()
            } else {
                x.drop_nulls()
            };
            let (known, thresholds) = (known.as_materialized_series(), thresholds.as_materialized_series());
            for (at, n_left) in floats(&curve, "n_left").into_iter().enumerate() {
                let below = known.lt(&thresholds.slice(at as i64, 1)).expect("compares");
                prop_assert_eq!(below.sum().map(f64::from), n_left, "{} {}", made.name, at);
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(60))]

    /// The expression answers as `score` does, by either engine, rows in order.
    #[test]
    fn predict_is_score(frame in frames(Weighing::Whole), spec in specs(), cuts in pieces()) {
        let frame = MadeFrame { weights: None, ..frame };
        prop_assume!(can_be_learnt(&frame));
        let df = in_pieces(&data_frame(&frame), &cuts);
        let tree = df.fit_tree("y", &spec_for(&frame, spec)).expect("fits").tree;
        let lazy = collected(df.clone().lazy().with_column(tree.predict()));
        assert_same(&lazy, &tree.score(&df).expect("scores"), "predicted");
    }

    /// An expression's figure is the ranking's, group by group.
    #[test]
    fn expressions_are_rankings(frame in frames(Weighing::Whole), groups in proptest::collection::vec(0..3u8, 200)) {
        let frame = MadeFrame { weights: None, ..frame };
        prop_assume!(can_be_learnt(&frame));
        let columns = frame.columns.iter().filter(|c| c.kind == c.dtype.kind());
        let frame = MadeFrame { columns: columns.cloned().collect(), ..frame };
        prop_assume!(!frame.columns.is_empty());
        let df = data_frame(&frame);
        let df = with(&df, Column::new("g".into(), &groups[..df.height()]));
        let ranking = df.rank_gain("y", &full().by(["g"])).expect("ranks");
        let figures = ["info_gain", "gain_ratio", "gini_gain", "conditional_entropy", "symmetric_uncertainty"];
        for made in &frame.columns {
            let x = || col(made.name.as_str());
            let exprs = [
                x().info_gain(col("y")),
                x().gain_ratio(col("y")),
                x().gini_gain(col("y")),
                x().conditional_entropy(col("y")),
                x().symmetric_uncertainty(col("y")),
            ];
            let named = exprs.into_iter().zip(figures).map(|(e, name)| e.alias(name));
            let found = df.clone().lazy().group_by_stable([col("g")]).agg(named.collect::<Vec<_>>());
            let lines = only(&ranking, col("feature").eq(lit(made.name.as_str())));
            let names = ["g"].iter().chain(&figures).copied();
            assert_same(&found.collect().expect("runs"), &lines.select(names).expect("there"), &made.name);
        }
    }
}
