//! Trees come back as they were, and their bytes with them.

use proptest::prelude::*;
use std::sync::Arc;

use super::trees::{self, deep, random_tree, sample};
use crate::data::column_data::{ColumnData, MISSING, Source};
use crate::data::dtype::{DType, Kind, Value};
use crate::encode::table::{Kinds, Table};
use crate::grow::{Sample, SharedTable};
use crate::model_file::layout::{BUILD, Cut};
use crate::model_file::values::ValueReader;
use crate::spec::{Criterion, Grouping, Missing, Pruning, TreeSpec};
use crate::tree::TreeData;
use crate::tree::rule::Test;

fn check(tree: &TreeData) {
    let text = tree.to_json();
    let back = TreeData::from_json(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(back, *tree, "{text}");
    assert_eq!(back.to_json(), text);
}

#[test]
fn the_file_reads_as_documented() {
    let text = sample().to_json();
    let head = format!(
        r#"{{
  "format": "gaintree",
  "version": 1,
  "written_by": "{BUILD}",
  "spec": {{
    "algorithm": "c45",
    "criterion": "entropy",
    "selection": "ratio_above_mean_gain",
    "grouping": "multiway",
    "task": "auto",
    "log_base": "2",
    "missing": "learn",
    "weight": "weight",
    "class_weights": "equal",
    "features": [
      "x",
      "colour","#
    );
    assert!(text.starts_with(&head), "{text}");
    for line in [
        r#"    "ordered": [],"#,
        r#"    "min_samples_leaf": 2,"#,
        r#"    "min_gain": 0,"#,
        r#"    "pruning": {"pessimistic":{"confidence":0.25}},"#,
        r#"    "subtree_raising": true"#,
        r#"    "target": {"name":"class","dtype":"i16","classes":["-2","3","10"]},"#,
        r#"      {"name":"x","dtype":"f64","kind":"ordered","has_missing":false},"#,
        r#"      {"name":"colour","dtype":"string","kind":"nominal","has_missing":false,"levels":["blue","green","red"]},"#,
        r#"      {"name":"price","dtype":{"decimal":{"precision":9,"scale":2}},"kind":"ordered","has_missing":false},"#,
        r#"      {"name":"when","dtype":{"datetime":{"unit":"us","zone":"Europe/Paris"}},"kind":"ordered","has_missing":false},"#,
        r#"    {"n":1,"counts":[1,2,3],"impurity":0.5,"feature":"x","op":">=","cut":2.45,"missing_to":1,"gain":0.3333333333333333,"branches":[1,10]},"#,
        r#"    {"n":2,"counts":[1.125,2.125,3.125],"impurity":0.5,"feature":"colour","op":"each","levels":[0,1,2],"missing_to":3,"gain":0.25,"approximate":true,"branches":[2,5,6,9]},"#,
        r#"    {"n":3,"counts":[1.25,2.25,3.25],"impurity":0.5,"feature":"day","op":">=","cut":"2024-01-01","missing_to":null,"gain":0.2,"branches":[3,4]},"#,
        r#"    {"n":4,"counts":[1.375,2.375,3.375],"impurity":0.5},"#,
        r#"    {"n":25,"counts":[4,5,6],"impurity":0.5}"#,
    ] {
        assert!(text.lines().any(|l| l == line), "no line\n{line}\nin\n{text}");
    }
    for part in [
        r#""op":"in","right":[0,2],"left":[1],"#,
        r#""op":"==","level":1,"#,
        r#""op":"is missing","missing_to":1,"#,
        r#""cut":"12.50","#,
        r#""cut":0.1,"#,
        r#""cut":"inf","#,
        r#""cut":"9223372036854775807","#,
    ] {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
    assert!(text.ends_with("]\n}\n") || text.ends_with("}\n  ]\n}\n"), "{text}");
    assert!(!text.contains("threads"));
}

#[test]
fn every_rule_comes_back() {
    check(&sample());
    let mut alone = sample();
    alone.nodes.truncate(1);
    alone.values.truncate(3);
    alone.nodes[0].split = None;
    check(&alone);
}

#[test]
fn keys_may_stand_in_any_order_and_space_anywhere() {
    let tree = sample();
    // `Value` puts keys in order of their text.
    let value: serde_json::Value = serde_json::from_str(&tree.to_json()).expect("JSON");
    for text in [value.to_string(), format!("\n{value:#}\n\t ")] {
        assert_eq!(TreeData::from_json(&text).expect("the same model"), tree);
    }
}

#[test]
fn threads_are_not_part_of_a_model() {
    let mut tree = sample();
    let text = tree.to_json();
    Arc::make_mut(&mut tree.spec).threads = Some(7);
    assert_eq!(tree.to_json(), text);
}

#[test]
fn a_hundred_thousand_levels_deep() {
    let tree = deep(100_000);
    assert_eq!(tree.depth(), 100_000);
    check(&tree);
}

#[test]
fn narrow_floats_are_not_rounded_twice() {
    // As f64 these digits lie halfway between two f32, and would round to the wrong one.
    let digits = 7.038_531e-26;
    let x: f32 = "7.038531e-26".parse().expect("a float");
    assert_ne!(digits as f32, x);
    let values = ValueReader::new(&DType::F32).expect("a dtype");
    assert_eq!(values.read_cut(&Cut::Number(digits)), Ok(Value::Float(x.into())));
    assert_eq!(values.read_cut(&Cut::Number(x.into())), Ok(Value::Float(x.into())));
    assert!(values.read_cut(&Cut::Number(0.123_456_789_123)).is_err());
    assert!(values.read_cut(&Cut::Number(1e300)).is_err());
}

/// A column for the engine.
struct Given(&'static str, DType, ColumnData);

impl Source for Given {
    fn name(&self) -> &str {
        self.0
    }

    fn dtype(&self) -> &DType {
        &self.1
    }

    fn cells(&self) -> ColumnData {
        self.2.clone()
    }
}

fn texts(ids: Vec<u32>) -> ColumnData {
    ColumnData::Text(ids, ["c", "a", "e", "b", "d"].map(String::from).to_vec())
}

#[test]
fn grown_trees_come_back() {
    let n = 300;
    let random = &mut trees::Random(7);
    let mut ids = |n_ids| (0..n).map(|_| random.below(n_ids) as u32).collect::<Vec<_>>();
    let (with_missing, plain, classes, numbers) = (ids(6), ids(5), ids(3), ids(40));
    let with_missing: Vec<u32> =
        with_missing.into_iter().map(|id| if id == 5 { MISSING } else { id }).collect();
    let categories = ["c", "a", "e", "b", "d"].map(String::from).to_vec();
    let keys: Vec<u64> =
        numbers.iter().map(|&x| crate::data::dtype::key_of_i64(x.into())).collect();
    let missing = numbers.iter().map(|x| x % 5 == 0).collect();
    let features = [
        Given("text", DType::String, texts(with_missing.clone())),
        Given("enum", DType::Enum { categories: categories.clone() }, texts(plain.clone())),
        Given("graded", DType::Enum { categories }, texts(plain)),
        Given("spelt", DType::String, texts(with_missing)),
        Given("number", DType::I32, ColumnData::Keys(keys.clone(), Some(missing))),
        Given("id", DType::I64, ColumnData::Keys(keys, None)),
        Given("nothing", DType::Null, ColumnData::Missing(n)),
    ];
    let target = Given("class", DType::Categorical, texts(classes));
    for spec in [
        TreeSpec::cart(),
        TreeSpec::cart().grouping(Grouping::OneVsRest).criterion(Criterion::Entropy),
        TreeSpec::id3(),
        TreeSpec::c45().pruning(Pruning::None).missing(Missing::Majority).max_depth(6),
        TreeSpec::c45().pruning(Pruning::None).max_depth(6),
    ] {
        let spec = spec.ordered(["graded", "spelt"]).nominal(["id"]);
        let kinds = Kinds { ordered: &spec.ordered, nominal: &spec.nominal, task: spec.task };
        let weights = (0..n).map(|row| (row % 7) as f64 / 3.0).collect();
        for weights in [None, Some(weights)] {
            let table = Table::encode(&features, &target, weights, kinds).expect("a table");
            let tree = grown(table, &spec);
            assert!(tree.n_leaves() > 5);
            check(&tree);
        }
    }
}

#[test]
fn random_trees_have_every_rule_and_dtype() {
    let trees: Vec<TreeData> = (0..300).map(random_tree).collect();
    let rules = || {
        trees.iter().flat_map(|tree| {
            let splits = tree.nodes.iter().filter_map(|node| node.split.as_ref());
            splits.map(|split| (&split.rule, tree.feature(split)))
        })
    };
    for op in [">=", "==", "in", "each", "is missing"] {
        assert!(rules().any(|(rule, _)| rule.op() == op), "{op}");
    }
    for dtype in trees::dtypes() {
        let is_cut = |test: &Test| matches!(test, Test::AtLeast(_));
        assert!(rules().any(|(rule, f)| f.dtype == dtype && is_cut(&rule.test)), "{dtype}");
        assert!(
            rules().any(|(rule, f)| f.dtype == dtype
                && f.kind == Kind::Nominal
                && rule.test != Test::IsMissing),
            "{dtype}"
        );
        assert!(trees.iter().any(|tree| tree.schema.target_dtype == dtype), "{dtype}");
    }
}

proptest! {
    #[test]
    fn random_trees_come_back(seed: u64) {
        check(&random_tree(seed));
    }
}

#[test]
fn a_tree_of_numbers_comes_back() {
    use crate::data::column_data::{ColumnData, Source};
    use crate::encode::table::{Kinds, Table};

    struct Floats(&'static str, Vec<f64>);
    impl Source for Floats {
        fn name(&self) -> &str {
            self.0
        }
        fn dtype(&self) -> &DType {
            &DType::F64
        }
        fn cells(&self) -> ColumnData {
            let keys = self.1.iter().map(|&x| crate::data::dtype::key_of_f64(x));
            ColumnData::Keys(keys.map(|key| key.expect("not NaN")).collect(), None)
        }
    }
    let x = Floats("x", (0..20).map(f64::from).collect());
    let y = Floats("y", (0..20).map(|i| f64::from(i * i) + 1e9).collect());
    let table = Table::encode(&[x], &y, None, Kinds::default()).expect("encodes");
    let tree = grown(table, &TreeSpec::cart().max_depth(3));
    let text = tree.to_json();
    assert!(text.contains(r#"{"n":20,"weight":20,"mean":1000000123.5,"impurity":"#), "{text}");
    let again = TreeData::from_json(&text).expect("loads");
    assert_eq!(again, tree);
    assert_eq!(again.to_json(), text);
    let classes = text.replace(r#""dtype":"f64"}"#, r#""dtype":"f64","classes":["1","2"]}"#);
    assert!(TreeData::from_json(&classes).is_err());
    let gini = text.replace(r#""criterion": "variance""#, r#""criterion": "gini""#);
    assert!(TreeData::from_json(&gini).is_err());
}

fn grown(table: Table, spec: &TreeSpec) -> TreeData {
    SharedTable::new(table).grow(&Sample::default(), spec).expect("grows").0
}
