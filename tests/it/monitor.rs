//! Work that is watched: it says how far it is, and may be interrupted.

use gaintree::engine::dtype::{DType, key_of_i64};
use gaintree::engine::{ColumnData, Kinds, Sample, SharedTable, Source, Table, grow, grow_sample};
use gaintree::{CvSpec, Monitor, TreeSpec};

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
fn an_interrupt_ends_growth() {
    let table = table();
    let monitor = Monitor::default();
    for spec in [TreeSpec::cart(), TreeSpec::c45(), TreeSpec::cart().max_leaves(9)] {
        let spec = spec.monitor(monitor.clone());
        let tree = grow(table.clone(), &spec).expect("not interrupted yet");
        assert!(tree.n_leaves() > 2);
        assert_eq!(tree.spec().monitor, None);
    }
    monitor.interrupt();
    let spec = TreeSpec::cart().monitor(monitor);
    let error = grow(table.clone(), &spec).expect_err("interrupted");
    assert!(error.is_interrupted() && !error.is_data(), "{error}");
    let table = SharedTable::new(table);
    let error = grow_sample(&table, &Sample::default(), &spec).expect_err("interrupted");
    assert!(error.is_interrupted(), "{error}");
    let cv = gaintree::engine::cross_validate(&table, &spec, &CvSpec::default());
    assert!(cv.expect_err("interrupted").is_interrupted());
}

#[cfg(feature = "polars")]
#[test]
fn an_interrupt_ends_the_verbs_on_frames() {
    use gaintree::prelude::*;
    use polars::prelude::*;
    let df = df!["x" => [1, 2, 3, 4], "y" => ["a", "a", "b", "b"]].expect("a frame");
    let monitor = Monitor::default();
    let rank = RankSpec::default().monitor(monitor.clone());
    let tree = TreeSpec::cart().monitor(monitor.clone());
    df.rank_gain("y", &rank).expect("not interrupted yet");
    monitor.interrupt();
    assert!(df.rank_gain("y", &rank).expect_err("interrupted").is_interrupted());
    assert!(df.split_candidates("y", "x", &rank).expect_err("interrupted").is_interrupted());
    assert!(df.mdl_cuts("y", "x", &rank).expect_err("interrupted").is_interrupted());
    assert!(df.fit_tree("y", &tree).expect_err("interrupted").is_interrupted());
}

/// The stages of work are done when it ends, and no more than that.
#[cfg(feature = "polars")]
#[test]
fn work_tells_its_stages_to_the_end() {
    use crate::frame::parquet;
    use gaintree::{
        BorutaSpec, ContributionSpec, CorrectedSpec, EvalSpec, MatrixSpec, PermutationSpec,
        QuantileSpec, SelectSpec, gain_matrix, prelude::*,
    };

    let (iris, diabetes) = (parquet("iris"), parquet("diabetes"));
    // Trees in more than one list of 64, and rows in more than one tile.
    let forest = ForestSpec::default().trees(70).seed(1);
    let watched = |monitor: Monitor| {
        let mut forest = forest.clone();
        forest.tree.monitor = Some(monitor);
        forest
    };
    let of_iris = iris.fit_forest("species", &forest).expect("fits").forest;
    let of_numbers = diabetes.fit_forest("progression", &forest).expect("fits").forest;
    let setosa = ContributionSpec::default().event("setosa");
    type Work<'a> = &'a dyn Fn(Monitor) -> gaintree::Result<()>;
    let all: [(&str, Work); 11] = [
        ("answering out of bag", &|m| iris.fit_forest("species", &watched(m)).map(drop)),
        ("growing trees", &|m| iris.fit_forest("species", &watched(m).out_of_bag(false)).map(drop)),
        ("growing trees", &|m| {
            let spec = CorrectedSpec::new(watched(m).trees(3)).permutations(10);
            iris.corrected_importance("species", &spec).map(drop)
        }),
        ("permuting features", &|m| {
            of_iris.permutation_importance(&iris, &PermutationSpec::default().monitor(m)).map(drop)
        }),
        ("permuting features", &|m| {
            of_iris.out_of_bag_importance(&iris, &PermutationSpec::default().monitor(m)).map(drop)
        }),
        ("walking trees", &|m| {
            of_iris.contributions_with(&iris, &setosa.clone().monitor(m)).map(drop)
        }),
        ("finding quantiles", &|m| {
            of_numbers
                .out_of_bag_quantiles(&diabetes, &QuantileSpec::new([0.5]).monitor(m))
                .map(drop)
        }),
        ("drawing rows", &|m| {
            of_iris.intervals(&iris, &EvalSpec::default().bootstrap(20).monitor(m)).map(drop)
        }),
        ("comparing columns", &|m| gain_matrix(&iris, &MatrixSpec::default().monitor(m)).map(drop)),
        ("ranking columns", &|m| {
            iris.rank_gain("species", &RankSpec::default().monitor(m)).map(drop)
        }),
        ("selecting columns", &|m| {
            let spec = SelectSpec::default().k(3).alpha(1.0).monitor(m);
            iris.select_features("species", &spec).map(drop)
        }),
    ];
    for (name, work) in all {
        let monitor = Monitor::default();
        work(monitor.clone()).expect("works");
        let stage = monitor.stage().expect("a stage");
        assert_eq!((stage.name, stage.done), (name, stage.total));
    }
    // It ends as soon as all features are decided on.
    let monitor = Monitor::default();
    let spec = BorutaSpec::new(watched(monitor.clone()).trees(5)).runs(40);
    let petals = iris.select(["petal_length_cm", "petal_width_cm", "species"]).expect("there");
    petals.boruta("species", &spec).expect("decides");
    let stage = monitor.stage().expect("a stage");
    assert_eq!((stage.name, stage.total), ("growing trees", 200));
    assert!(stage.done % 5 == 0 && (0..200).contains(&stage.done), "{stage:?}");
}

#[cfg(feature = "plot")]
#[test]
fn a_report_can_be_watched_and_ended() {
    use crate::frame::parquet;
    use gaintree::{ReportSpec, prelude::*};

    let iris = parquet("iris");
    let tree = iris.fit_tree("species", &TreeSpec::cart()).expect("fits").tree;
    let forest = iris.fit_forest("species", &ForestSpec::default().trees(9)).expect("fits").forest;
    for model in [gaintree::Model::Tree(tree), gaintree::Model::Forest(forest)] {
        let monitor = Monitor::default();
        let spec = ReportSpec::default().monitor(monitor.clone());
        model.report_with(&iris, &spec).expect("reports");
        assert!(monitor.stage().is_some_and(|stage| stage.name == "selecting columns"));
        monitor.interrupt();
        assert!(model.report_with(&iris, &spec).expect_err("interrupted").is_interrupted());
    }
}
