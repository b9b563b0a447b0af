//! Every way to score gives the answers of the slow walk by values, on the same made-up rows.
//!
//! The cases are for other ways too: [`cases`] makes a tree and the rows to score by it, of frames
//! and under names that a way can hold.

use gaintree::{Criterion, Missing, Tree};
#[cfg(feature = "polars")]
use gaintree::{ModelVerbs, PolarsScoring};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::frames::{Column, Frame, Weighing, frames};
use crate::routing::check;
use crate::ways::ways;

/// A tree and rows to score by it: those it was grown from, others whose levels and numbers it
/// may never have seen, and every cut of it.
#[derive(Clone, Debug)]
pub struct Case {
    pub tree: Tree,
    pub rows: Frame,
}

/// Names that break out of whatever quotes them badly.
pub const NASTY: [&str; 8] = [
    "a\"b; drop table x --",
    "it's",
    "*",
    "^x.*$",
    "`back` [tick]",
    "",
    "two words\nand a line",
    "näme\\",
];

/// Trees of every way with missing values, of classes and of numbers, their columns renamed or
/// not; `None` where nothing can be grown.
pub fn cases(
    frames: impl Strategy<Value = Frame>,
    names: &'static [&'static str],
) -> impl Strategy<Value = Option<Case>> {
    let missing =
        select(vec![Missing::Learn, Missing::Learn, Missing::Majority, Missing::Fractional]);
    let numbers = prop_oneof![2 => Just(None), 1 => vec(-3..4i8, 200).prop_map(Some)];
    (frames, ways(), missing, numbers, any::<bool>(), 0.3..1.0f64).prop_map(
        move |(mut frame, mut spec, missing, numbers, renamed, share)| {
            if let Some(numbers) = numbers {
                let numbers = numbers[..frame.n_rows()].iter().map(|&x| f64::from(x) / 3.0);
                frame.target = Column::floats("y", numbers);
                spec = spec.criterion(Criterion::Variance);
            }
            if renamed {
                for (column, name) in frame.columns.iter_mut().zip(names) {
                    column.name = name.to_string();
                }
            }
            let tree = frame.first(share).grow(&spec.missing(missing)).ok()?;
            Some(Case { rows: frame.with_cuts(&tree), tree })
        },
    )
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn rows_end_where_the_rules_send_them(
        case in cases(frames(Weighing::Exact), &NASTY),
    ) {
        if let Some(Case { tree, rows }) = case {
            check(&rows, &tree)?;
        }
    }
}

#[cfg(feature = "polars")]
mod in_polars {
    use gaintree::ScoreSpec;
    use polars::prelude::*;

    use super::*;
    use crate::frame::{assert_same, data_frame};
    use crate::routing::answers;

    proptest! {
        #![proptest_config(config(250))]

        /// Eager on any chunks, lazy, streaming, and in plain expressions.
        #[test]
        fn all_ways_in_polars_agree(
            case in cases(frames(Weighing::Exact), &NASTY),
            pieces in 1..4usize,
        ) {
            let Some(Case { tree, rows }) = case else { return Ok(()) };
            let mut df = data_frame(&rows);
            for piece in 1..pieces {
                let at = df.height() * piece / pieces;
                let (head, tail) = (df.slice(0, at), df.slice(at as i64, df.height() - at));
                df = head.vstack(&tail).expect("of one schema");
            }
            let expected = answers(&rows, &tree);
            let spec = ScoreSpec::default().keep(Vec::<String>::new()).leaf(true);
            let scored = tree.score_with(&df, &spec).expect("scores");
            let leaves: Vec<u32> = expected.iter().map(|answer| answer.leaf).collect();
            prop_assert_eq!(
                scored.column("leaf_id").expect("there").u32().expect("u32").to_vec(),
                leaves.into_iter().map(Some).collect::<Vec<_>>()
            );
            let predictions = scored.column("prediction").expect("there");
            if tree.is_regression() {
                let means: Option<Vec<f64>> = expected.iter().map(|answer| answer.mean).collect();
                let found = predictions.f64().expect("f64").to_vec_null_aware().left();
                prop_assert_eq!(found, means);
            } else {
                let texts = predictions.cast(&DataType::String).expect("text");
                let texts = texts.str().expect("text");
                for (row, answer) in expected.iter().enumerate() {
                    let schema = tree.schema();
                    let class = schema.target_dtype.write(&schema.classes[answer.class]);
                    prop_assert_eq!(texts.get(row), Some(class.as_str()));
                }
            }

            // Of a tree of one leaf they are literals: a row, unless a column says how many.
            let ask = |exprs: &[Expr], names: &[&str], engine| {
                let query = df.clone().lazy();
                let query = match tree.used_features().is_empty() {
                    true => query.with_columns(exprs).select(names.iter().map(|n| col(*n)).collect::<Vec<_>>()),
                    false => query.select(exprs),
                };
                query.collect_with_engine(engine).expect("runs").unwrap_single()
            };
            for engine in [Engine::InMemory, Engine::Streaming] {
                let lazy = ask(&[tree.predict(), tree.leaf_id()], &["prediction", "leaf_id"], engine);
                assert_same(&lazy, &scored, "as expressions");
            }
            if !tree.is_regression() {
                let shares = ask(&[tree.predict_proba()], &["probabilities"], Engine::Streaming);
                let fields = shares.column("probabilities").expect("there").struct_().expect("struct");
                for (class, field) in fields.fields_as_series().iter().enumerate() {
                    prop_assert_eq!(field.name().as_str(), &tree.schema().class_text(class));
                    let shares: Vec<f64> = expected.iter().map(|a| a.probabilities[class]).collect();
                    prop_assert_eq!(field.f64().expect("f64").to_vec_null_aware().left(), Some(shares));
                }
            }

            let Ok(plain) = tree.to_when_then() else {
                prop_assert!(tree.spec().missing == Missing::Fractional);
                return Ok(());
            };
            for engine in [Engine::InMemory, Engine::Streaming] {
                let plain = ask(std::slice::from_ref(&plain), &["prediction"], engine);
                let mut alone = scored.clone();
                alone.drop_in_place("leaf_id").expect("there");
                assert_same(&plain, &alone, "when and then");
            }
        }
    }
}
