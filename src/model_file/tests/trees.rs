//! Trees to write: one by hand with every rule, and random ones.

use half::f16;
use std::sync::Arc;

use crate::data::dtype::{DType, Kind, TimeUnit, Value};
use crate::spec::{ClassWeights, Missing, TreeSpec};
use crate::tree::rule::{Rule, Test};
use crate::tree::{Feature, Node, Schema, Split, TreeData};

pub(super) fn feature(name: &str, dtype: DType, kind: Kind, levels: &[&str]) -> Feature {
    let levels = levels.iter().map(|level| level.to_string()).collect();
    Feature { name: name.to_string(), dtype, kind, has_missing: false, levels }
}

/// A tree of nodes given in preorder by their rules; parents, depths and branches follow.
pub(super) fn tree(schema: Schema, rules: Vec<Option<Rule>>) -> TreeData {
    let n_classes = schema.classes.len();
    let (spec, schema) = (TreeSpec::cart().into(), schema.into());
    let mut tree = TreeData { spec, schema, nodes: Vec::new(), values: Vec::new() };
    let mut open: Vec<(u32, usize, u32)> = Vec::new();
    for (id, rule) in rules.into_iter().enumerate() {
        let from = open.pop();
        if let Some((parent, branch, _)) = from
            && let Some(split) = &mut tree.nodes[parent as usize].split
        {
            split.branches[branch] = id as u32;
        }
        let depth = from.map_or(0, |(_, _, depth)| depth);
        let arity = rule.as_ref().map_or(0, Rule::arity);
        open.extend((0..arity).rev().map(|branch| (id as u32, branch, depth + 1)));
        let split = rule.map(|rule| Split {
            rule,
            branches: vec![0; arity],
            gain: 1.0 / (id as f64 + 3.0),
            approximate: id % 3 == 1,
        });
        let parent = from.map(|(parent, _, _)| parent);
        tree.nodes.push(Node { parent, depth, n: 1 + id as u64, impurity: 0.5, split });
        tree.values.extend((0..n_classes).map(|class| (class + 1) as f64 + id as f64 / 8.0));
    }
    assert!(open.is_empty(), "each branch needs a node");
    tree
}

/// Three classes, a feature of each sort, and each rule once.
pub(super) fn sample() -> TreeData {
    let day = DType::Date;
    let when = DType::Datetime { unit: TimeUnit::Microseconds, zone: Some("Europe/Paris".into()) };
    let grade = DType::Enum { categories: ["low", "mid", "high"].map(String::from).to_vec() };
    let price = DType::Decimal { precision: 9, scale: 2 };
    let schema = Schema {
        target: "class".to_string(),
        target_dtype: DType::I16,
        classes: [-2, 3, 10].map(Value::Int).to_vec(),
        class_weights: Vec::new(),
        class_totals: Vec::new(),
        features: vec![
            feature("x", DType::F64, Kind::Ordered, &[]),
            feature("colour", DType::String, Kind::Nominal, &["blue", "green", "red"]),
            feature("day", day, Kind::Ordered, &[]),
            feature("grade", grade, Kind::Nominal, &["low", "high"]),
            feature("price", price, Kind::Ordered, &[]),
            feature("when", when, Kind::Ordered, &[]),
            feature("width", DType::F32, Kind::Ordered, &[]),
            feature("count", DType::I64, Kind::Ordered, &[]),
            feature("nothing", DType::Null, Kind::Ordered, &[]),
        ],
    };
    let rule = |feature, test, missing_to| Some(Rule { feature, test, missing_to });
    let mut tree = tree(
        schema,
        vec![
            rule(0, Test::AtLeast(Value::Float(2.45)), Some(1)),
            rule(1, Test::Each(vec![0, 1, 2]), Some(3)),
            rule(2, Test::AtLeast(Value::Int(19_723)), None),
            None,
            None,
            None,
            rule(3, Test::Equals(1), Some(0)),
            None,
            None,
            None,
            rule(1, Test::In { right: vec![0, 2], left: vec![1] }, Some(0)),
            rule(4, Test::AtLeast(Value::Int(1_250)), Some(0)),
            None,
            rule(6, Test::AtLeast(Value::Float(f64::from(0.1f32))), Some(1)),
            None,
            None,
            rule(5, Test::IsMissing, Some(1)),
            rule(1, Test::Each(vec![0, 2]), None),
            None,
            None,
            rule(0, Test::AtLeast(Value::Float(f64::INFINITY)), Some(1)),
            None,
            rule(7, Test::AtLeast(Value::Int(i64::MAX.into())), Some(1)),
            None,
            None,
        ],
    );
    let features = tree.schema.features.iter().map(|f| f.name.clone());
    let spec = TreeSpec::c45().missing(Missing::Learn).features(features).weight("weight");
    tree.spec = spec.into();
    tree
}

/// Alternate leaves and inner nodes, `depth` deep.
pub(super) fn deep(depth: u32) -> TreeData {
    let schema = Schema {
        target: "class".to_string(),
        target_dtype: DType::Boolean,
        classes: ["false", "true"].map(|c| Value::Text(c.to_string())).to_vec(),
        class_weights: Vec::new(),
        class_totals: Vec::new(),
        features: vec![feature("x", DType::F64, Kind::Ordered, &[])],
    };
    let step = |i: u32| Rule {
        feature: 0,
        test: Test::AtLeast(Value::Float(f64::from(i))),
        missing_to: Some(1),
    };
    let mut rules: Vec<_> = (0..depth).flat_map(|i| [Some(step(i)), None]).collect();
    rules.push(None);
    tree(schema, rules)
}

/// Small numbers in no order (Steele, Lea and Flood, "splitmix").
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn wide(&mut self) -> i128 {
        (i128::from(self.next()) << 64 | i128::from(self.next())) >> self.below(128)
    }
}

/// Every dtype that has values.
pub(super) fn dtypes() -> Vec<DType> {
    use DType::*;
    let units = [TimeUnit::Nanoseconds, TimeUnit::Microseconds, TimeUnit::Milliseconds];
    let texts = ["zeta", "", "alpha", "two\nlines", "\"", "ü", "🌳", "null", "-inf"];
    let mut all = vec![Boolean, I8, I16, I32, I64, I128, U8, U16, U32, U64, U128, F16, F32, F64];
    all.extend([Date, Time, String, Categorical]);
    all.extend([(1, 0), (9, 2), (38, 38)].map(|(precision, scale)| Decimal { precision, scale }));
    all.extend(units.map(|unit| Duration { unit }));
    all.extend(units.map(|unit| Datetime { unit, zone: None }));
    all.push(Datetime { unit: units[0], zone: Some("Asia/Kolkata".to_string()) });
    all.push(Enum { categories: texts.map(std::string::String::from).to_vec() });
    all
}

/// A value of a dtype, often one at an edge.
pub(super) fn value(dtype: &DType, random: &mut Random) -> Value {
    let bits = random.next() >> random.below(64);
    let edge = random.below(4) == 0;
    match dtype {
        DType::F64 => float(f64::from_bits(bits), edge, f64::MAX),
        DType::F32 => float(f32::from_bits(bits as u32).into(), edge, f32::MAX.into()),
        DType::F16 => float(f16::from_bits(bits as u16).to_f64(), edge, f16::MAX.to_f64()),
        DType::U128 => Value::Unsigned(if edge { u128::MAX } else { random.wide() as u128 }),
        DType::I128 | DType::Decimal { .. } => {
            Value::Int(if edge { i128::MIN } else { random.wide() })
        }
        DType::I8 => Value::Int(i128::from(bits as i8)),
        DType::I16 => Value::Int(i128::from(bits as i16)),
        DType::I32 | DType::Date => Value::Int(i128::from(bits as i32)),
        DType::U8 => Value::Int(i128::from(bits as u8)),
        DType::U16 => Value::Int(i128::from(bits as u16)),
        DType::U32 => Value::Int(i128::from(bits as u32)),
        DType::U64 => Value::Int(i128::from(if edge { u64::MAX } else { bits })),
        DType::Time => Value::Int(i128::from(bits % 86_400_000_000_000)),
        DType::Boolean => Value::Text(bits.is_multiple_of(2).to_string()),
        DType::Enum { categories } => {
            Value::Text(categories[random.below(categories.len())].clone())
        }
        DType::String | DType::Categorical => Value::Text(text(random)),
        _ => Value::Int(i128::from(if edge { i64::MIN } else { bits as i64 })),
    }
}

fn float(x: f64, edge: bool, max: f64) -> Value {
    Value::Float(match edge || x.is_nan() {
        true if x.is_sign_negative() => f64::NEG_INFINITY,
        true if x.is_nan() => max,
        true => f64::INFINITY,
        false => x + 0.0,
    })
}

fn text(random: &mut Random) -> String {
    const SOME: [char; 12] =
        ['a', 'b', 'Z', '0', ' ', '"', '\\', '\n', '\u{0}', 'é', '🌲', '\u{2028}'];
    (0..random.below(4)).map(|_| SOME[random.below(SOME.len())]).collect()
}

/// Up to `n` distinct values in the dtype's order.
fn values(dtype: &DType, n: usize, random: &mut Random) -> Vec<Value> {
    let mut values: Vec<Value> = (0..n).map(|_| value(dtype, random)).collect();
    let checked = crate::model_file::values::ValueReader::new(dtype).expect("a sound dtype");
    values.sort_by(|a, b| checked.order(a, b));
    values.dedup();
    values
}

fn random_feature(name: String, dtype: DType, random: &mut Random) -> Feature {
    let kind = if random.below(2) == 0 { Kind::Ordered } else { Kind::Nominal };
    let mut levels = Vec::new();
    if kind == Kind::Nominal {
        let checked = crate::model_file::values::ValueReader::new(&dtype).expect("a sound dtype");
        levels = values(&dtype, 6, random).iter().map(|v| dtype.write(v)).collect();
        levels.sort_by(|a, b| checked.order_of_texts(a, b));
    }
    Feature { name, dtype, kind, has_missing: random.below(2) == 0, levels }
}

fn random_rule(features: &[Feature], random: &mut Random) -> Rule {
    let index = random.below(features.len());
    let Feature { dtype, kind, levels, .. } = &features[index];
    let some = |random: &mut Random| -> Vec<u32> {
        (0..levels.len() as u32).filter(|_| random.below(2) == 0).collect()
    };
    let mut missing_to = [None, Some(0), Some(1)][random.below(3)];
    let test = match (kind, random.below(4)) {
        (Kind::Ordered, 1..) => Test::AtLeast(value(dtype, random)),
        (Kind::Nominal, 1) if !levels.is_empty() => Test::Equals(random.below(levels.len()) as u32),
        (Kind::Nominal, 2) => {
            let (right, left): (Vec<u32>, Vec<u32>) =
                some(random).into_iter().partition(|_| random.below(2) == 0);
            if right.is_empty() || left.is_empty() {
                Test::IsMissing
            } else {
                Test::In { right, left }
            }
        }
        (Kind::Nominal, 3) => match some(random) {
            each if each.is_empty() => Test::IsMissing,
            each if each.len() == 1 || random.below(2) == 0 => {
                missing_to = Some(each.len() as u32);
                Test::Each(each)
            }
            each => Test::Each(each),
        },
        _ => Test::IsMissing,
    };
    if test == Test::IsMissing {
        missing_to = Some(1);
    }
    Rule { feature: index as u32, test, missing_to }
}

/// A tree of every dtype, of up to some 40 nodes.
pub(super) fn random_tree(seed: u64) -> TreeData {
    let random = &mut Random(seed);
    let dtypes = dtypes();
    let features: Vec<Feature> = dtypes
        .iter()
        .enumerate()
        .map(|(i, dtype)| random_feature(format!("{}{i}", text(random)), dtype.clone(), random))
        .collect();
    let target_dtype = dtypes[random.below(dtypes.len())].clone();
    let classes = loop {
        match values(&target_dtype, 5, random) {
            classes if classes.len() >= 2 => break classes,
            _ => {}
        }
    };
    let balanced = random.below(2) == 0;
    let weight = |n: usize| 1.0 / (n + 1) as f64;
    let class_weights = (0..classes.len()).filter(|_| balanced).map(weight).collect();
    let target = "the target".to_string();
    let schema =
        Schema { target, target_dtype, classes, class_weights, class_totals: Vec::new(), features };
    let (mut rules, mut due) = (Vec::new(), 1);
    while due > 0 {
        let rule = (rules.len() + due < 40 && random.below(3) > 0)
            .then(|| random_rule(&schema.features, random));
        due += rule.as_ref().map_or(0, Rule::arity);
        due -= 1;
        rules.push(rule);
    }
    let mut tree = tree(schema, rules);
    for x in &mut tree.values {
        let huge = random.below(20) == 0;
        *x = if huge { 1e300 } else { random.below(3) as f64 + random.next() as f64 / 1e20 };
    }
    if balanced {
        Arc::make_mut(&mut tree.spec).class_weights = ClassWeights::Balanced;
    }
    Arc::make_mut(&mut tree.spec).min_gain = random.next() as f64 / u64::MAX as f64;
    Arc::make_mut(&mut tree.spec).min_samples_split = random.next();
    tree
}
