//! Every way to score gives the answers of the slow walk by values, on the same made-up rows.
//!
//! The cases are for other ways too: [`cases`] makes a tree and the rows to score by it.

use gaintree::dtype::Value;
use gaintree::{Missing, Test, Tree};
use proptest::prelude::*;
use proptest::sample::select;

use crate::frames::{Column, Frame, Weighing, frames};
use crate::growth::ways;
use crate::routing::{answers, check};

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

/// Trees of every way with missing values; `None` where nothing can be grown.
pub fn cases() -> impl Strategy<Value = Option<Case>> {
    let missing =
        select(vec![Missing::Learn, Missing::Learn, Missing::Majority, Missing::Fractional]);
    let names = select(vec![false, true]);
    (frames(Weighing::Exact), ways(), missing, names, 0.3..1.0f64).prop_map(
        |(mut frame, spec, missing, nasty, share)| {
            if nasty {
                let columns = frame.columns.iter_mut().chain([&mut frame.target]);
                for (column, name) in columns.zip(NASTY) {
                    column.name = name.to_string();
                }
            }
            let fitted = ((frame.n_rows() as f64 * share) as usize).max(1);
            let fitted = frame.take(&(0..fitted).collect::<Vec<_>>());
            let tree = fitted.grow(&spec.missing(missing)).ok()?;
            Some(Case { rows: with_cuts(frame, &tree), tree })
        },
    )
}

/// The frame with a row more for each cut of the tree, which stands in all columns of its dtype.
fn with_cuts(frame: Frame, tree: &Tree) -> Frame {
    let splits = tree.node_slice().iter().filter_map(|node| node.split.as_ref());
    let cuts: Vec<(usize, Value)> = splits
        .filter_map(|split| match &split.rule.test {
            Test::AtLeast(cut) => Some((split.rule.feature as usize, cut.clone())),
            _ => None,
        })
        .collect();
    let n = frame.n_rows();
    let rows: Vec<usize> = (0..n).chain((0..cuts.len()).map(|i| i % n)).collect();
    let mut frame = frame.take(&rows);
    for (row, (feature, cut)) in (n..).zip(cuts) {
        let dtype = frame.columns[feature].dtype.clone();
        let like = |column: &&mut Column| column.dtype == dtype;
        for column in frame.columns.iter_mut().filter(like) {
            column.cells[row] = Some(cut.clone());
        }
    }
    frame
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn rows_end_where_the_rules_send_them(case in cases()) {
        if let Some(Case { tree, rows }) = case {
            check(&rows, &tree)?;
            // The oracle is asked for whole answers too.
            prop_assert_eq!(answers(&rows, &tree).len(), rows.n_rows());
        }
    }
}

#[cfg(feature = "polars")]
mod in_polars {
    use gaintree::ScoreSpec;
    use polars::prelude::*;

    use super::*;
    use crate::frame::{assert_same, data_frame};

    proptest! {
        #![proptest_config(config(250))]

        /// Eager on any chunks, lazy, streaming, and in plain expressions.
        #[test]
        fn all_ways_in_polars_agree(
            case in cases(),
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
            let texts = predictions.cast(&DataType::String).expect("text");
            let texts = texts.str().expect("text");
            for (row, answer) in expected.iter().enumerate() {
                let class = tree.schema().target_dtype.write(&tree.schema().classes[answer.class]);
                prop_assert_eq!(texts.get(row), Some(class.as_str()));
            }

            let query = df.clone().lazy().select([tree.predict(), tree.leaf_id()]);
            for engine in [Engine::InMemory, Engine::Streaming] {
                let lazy = query.clone().collect_with_engine(engine).expect("runs");
                assert_same(&lazy.unwrap_single(), &scored, "as expressions");
            }
            let shares = df.clone().lazy().select([tree.predict_proba()]);
            let shares = shares.collect_with_engine(Engine::Streaming).expect("runs");
            let shares = shares.unwrap_single();
            let fields = shares.column("probabilities").expect("there").struct_().expect("struct");
            for (class, field) in fields.fields_as_series().iter().enumerate() {
                prop_assert_eq!(field.name().as_str(), &tree.schema().class_text(class));
                let shares: Vec<f64> = expected.iter().map(|a| a.probabilities[class]).collect();
                prop_assert_eq!(field.f64().expect("f64").to_vec_null_aware().left(), Some(shares));
            }

            let Ok(plain) = tree.to_when_then() else {
                prop_assert!(tree.spec().missing == Missing::Fractional);
                return Ok(());
            };
            for engine in [Engine::InMemory, Engine::Streaming] {
                let query = df.clone().lazy().select([plain.clone()]);
                let plain = query.collect_with_engine(engine).expect("runs").unwrap_single();
                let mut alone = scored.clone();
                alone.drop_in_place("leaf_id").expect("there");
                assert_same(&plain, &alone, "when and then");
            }
        }
    }
}
