//! Work that is told to stop.

use gaintree::engine::dtype::{DType, key_of_i64};
use gaintree::engine::{ColumnData, Kinds, Sample, SharedTable, Source, Table, grow, grow_sample};
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
    let table = SharedTable::new(table);
    let error = grow_sample(&table, &Sample::default(), &spec).expect_err("raised");
    assert!(error.is_interrupted(), "{error}");
    let cv = gaintree::engine::cross_validate(&table, &spec, &CvSpec::default());
    assert!(cv.expect_err("raised").is_interrupted());
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
