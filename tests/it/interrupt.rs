//! Work that is told to stop.

use gaintree::engine::dtype::{DType, key_of_i64};
use gaintree::engine::{ColumnData, Kinds, Sample, Source, Table, grow, grow_sample};
use gaintree::{CvSpec, Interrupt, TreeSpec};

struct Numbers {
    name: &'static str,
    values: Vec<i64>,
}

impl Source for Numbers {
    fn name(&self) -> &str {
        self.name
    }

    fn dtype(&self) -> &DType {
        &DType::I64
    }

    fn cells(&self) -> ColumnData {
        ColumnData::Keys(self.values.iter().map(|&x| key_of_i64(x)).collect(), None)
    }
}

fn table() -> Table {
    let numbers = |name, values| Numbers { name, values };
    let (x, y) = (numbers("x", (0..1000).collect()), (0..1000).map(|i| i / 90 % 2).collect());
    Table::encode(&[x], &numbers("y", y), None, Kinds::default()).expect("encodes")
}

#[test]
fn a_raised_flag_ends_growth() {
    let table = table();
    let interrupt = Interrupt::default();
    for spec in [TreeSpec::cart(), TreeSpec::c45(), TreeSpec::cart().max_leaves(9)] {
        let spec = spec.interrupt(interrupt.clone());
        let tree = grow(table.clone(), &spec).expect("not raised yet");
        assert!(tree.n_leaves() > 2);
        assert_eq!(tree.spec().interrupt, None);
    }
    interrupt.raise();
    let spec = TreeSpec::cart().interrupt(interrupt);
    let error = grow(table.clone(), &spec).expect_err("raised");
    assert!(error.is_interrupted() && !error.is_data(), "{error}");
    let error = grow_sample(&table, &Sample::default(), &spec).expect_err("raised");
    assert!(error.is_interrupted(), "{error}");
    let cv = gaintree::engine::cross_validate(&table, &spec, &CvSpec::default());
    assert!(cv.expect_err("raised").is_interrupted());
}

/// Growth looks at the flag at each node, not only before the first and after the last.
#[test]
fn a_flag_raised_in_mid_growth_ends_it() {
    let noise = |seed: u64| -> Vec<i64> {
        let mix = |i: u64| (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15 + 2 * seed).rotate_left(29);
        (0..100_000).map(|i| (mix(mix(i)) >> 40) as i64).collect()
    };
    let numbers = |name, values| Numbers { name, values };
    let features = [numbers("a", noise(1)), numbers("b", noise(2)), numbers("c", noise(3))];
    let target = numbers("y", noise(4).into_iter().map(|y| y % 2).collect());
    let table = Table::encode(&features, &target, None, Kinds::default()).expect("encodes");
    for spec in [TreeSpec::cart(), TreeSpec::c45(), TreeSpec::cart().max_leaves(50_000)] {
        // The other thread may be so late that the tree is grown: then once more.
        let is_interrupted = || {
            let interrupt = Interrupt::default();
            let (table, spec) = (table.clone(), spec.clone().interrupt(interrupt.clone()));
            let (say, started) = std::sync::mpsc::channel();
            let grown = std::thread::spawn(move || {
                say.send(()).expect("heard");
                grow(table, &spec)
            });
            started.recv().expect("said");
            interrupt.raise();
            grown.join().expect("no panic").is_err_and(|e| e.is_interrupted())
        };
        assert!((0..100).any(|_| is_interrupted()), "{spec:?}");
    }
}

#[cfg(feature = "polars")]
#[test]
fn a_raised_flag_ends_the_verbs_on_frames() {
    use gaintree::prelude::*;
    use polars::prelude::*;
    let df = df!["x" => [1, 2, 3, 4], "y" => ["a", "a", "b", "b"]].expect("a frame");
    let interrupt = Interrupt::default();
    let rank = RankSpec::default().interrupt(interrupt.clone());
    let tree = TreeSpec::cart().interrupt(interrupt.clone());
    df.rank_gain("y", &rank).expect("not raised yet");
    interrupt.raise();
    assert!(df.rank_gain("y", &rank).expect_err("raised").is_interrupted());
    assert!(df.split_candidates("y", "x", &rank).expect_err("raised").is_interrupted());
    assert!(df.mdl_cuts("y", "x", &rank).expect_err("raised").is_interrupted());
    assert!(df.fit_tree("y", &tree).expect_err("raised").is_interrupted());
}
