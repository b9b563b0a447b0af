//! The schema of a model file, checked.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::result::Result;

use super::layout::{FeatureObject, SchemaObject, TargetObject};
use super::values::{ValueReader, named};
use crate::data::dtype::{Kind, Value};
use crate::data::target::MAX_CLASSES;
use crate::spec::{ClassWeights, Criterion, ForestSpec, TreeSpec};
use crate::tree::{Feature, Schema};

/// The schema an object describes, or what is wrong with it.
pub(super) fn read(object: SchemaObject) -> Result<Schema, String> {
    let TargetObject { name: target, dtype: target_dtype, classes, class_weights, class_totals } =
        object.target;
    let at = |what: String| format!("target {}: {what}", named(&target));

    let values = ValueReader::new(&target_dtype).map_err(at)?;
    let classes = match classes {
        Some(classes) => read_classes(&classes, &values).map_err(at)?,
        None if target_dtype.may_be_number() => Vec::new(),
        None => {
            return Err(at(format!(
                "missing key `classes`; a {target_dtype} is no number to regress on"
            )));
        }
    };
    let of_classes = |key: &str, weights: Option<Vec<f64>>| {
        let weights = weights.unwrap_or_default();
        match weights.len() {
            0 => Ok(weights),
            n if n == classes.len() => Ok(weights),
            n => Err(format!("`{key}` has {n} weights of {} classes", classes.len())),
        }
    };
    let class_weights = of_classes("class_weights", class_weights).map_err(at)?;
    let class_totals = of_classes("class_totals", class_totals).map_err(at)?;
    if let Some(total) = class_totals.iter().find(|w| !(w.is_finite() && **w >= 0.0)) {
        return Err(at(format!("`class_totals` has {total}; rows weigh 0 or more")));
    }
    if let Some(weight) = class_weights.iter().find(|w| !(w.is_finite() && **w > 0.0)) {
        return Err(at(format!("`class_weights` has {weight}; a class weighs more than 0")));
    }

    let mut names = HashSet::from([target.clone()]);
    for feature in &object.features {
        if !names.insert(feature.name.clone()) {
            return Err(format!(
                "feature {}: another feature or the target has that name",
                named(&feature.name)
            ));
        }
    }
    let features = object.features.into_iter().map(feature).collect::<Result<_, _>>()?;
    Ok(Schema { target, target_dtype, classes, class_weights, class_totals, features })
}

fn read_classes(texts: &[String], values: &ValueReader) -> Result<Vec<Value>, String> {
    let classes = texts
        .iter()
        .enumerate()
        .map(|(i, text)| values.read(text).map_err(|what| format!("class {i}, {what}")))
        .collect::<Result<Vec<_>, _>>()?;
    if !(2..=MAX_CLASSES).contains(&classes.len()) {
        return Err(format!("it has {} of 2 to {MAX_CLASSES} classes", classes.len()));
    }
    match misplaced(&classes, |a, b| values.order(a, b)) {
        None => Ok(classes),
        Some(i) => Err(format!(
            "class {i} is not above class {}; classes are distinct and in the target's order",
            i - 1
        )),
    }
}

fn feature(object: FeatureObject) -> Result<Feature, String> {
    let FeatureObject { name, dtype, kind, has_missing, levels } = object;
    let at = |what: String| format!("feature {}: {what}", named(&name));

    let values = ValueReader::new(&dtype).map_err(at)?;
    let levels = match (kind, levels) {
        (Kind::Nominal, Some(levels)) => levels,
        (Kind::Ordered, None) => Vec::new(),
        (Kind::Nominal, None) => return Err(at("missing key `levels`".to_string())),
        (Kind::Ordered, Some(_)) => {
            return Err(at("an ordered feature has no key `levels`".to_string()));
        }
    };
    for (i, level) in levels.iter().enumerate() {
        values.read(level).map_err(|what| at(format!("level {i}, {what}")))?;
    }
    if let Some(i) = misplaced(&levels, |a, b| values.order_of_texts(a, b)) {
        return Err(at(format!(
            "level {i} does not come after level {}; levels are distinct and in text order, or \
             as an enum declares them",
            i - 1
        )));
    }
    Ok(Feature { name, dtype, kind, has_missing, levels })
}

/// The first item that is not strictly above the one before.
fn misplaced<T>(items: &[T], order: impl Fn(&T, &T) -> Ordering) -> Option<usize> {
    let above = |pair: &[T]| matches!(pair, [a, b] if order(a, b) == Ordering::Less);
    items.windows(2).position(|pair| !above(pair)).map(|i| i + 1)
}

/// Whether the spec can have grown a forest of this schema.
pub(super) fn check_forest_spec(spec: &ForestSpec, schema: &Schema) -> Result<(), String> {
    let (n, is_regression) = (schema.features.len(), schema.classes.is_empty());
    let max_features = spec.features_of_node(n, &schema.target, is_regression);
    let checked = spec.check().and(max_features);
    checked.map_err(|e| format!("spec: {e}"))?;
    check_spec(&spec.tree, schema)
}

/// Whether the spec can have grown a tree of this schema.
pub(super) fn check_spec(spec: &TreeSpec, schema: &Schema) -> Result<(), String> {
    for (key, limit) in [("min_gain", spec.min_gain), ("min_weight_leaf", spec.min_weight_leaf)] {
        if !(limit >= 0.0 && limit.is_finite()) {
            return Err(format!("spec: `{key}` is {limit}; it is finite and not negative"));
        }
    }
    if (spec.criterion == Criterion::Variance) != schema.classes.is_empty() {
        return Err(
            "spec: `criterion` is variance if and only if the target has no classes".to_string()
        );
    }
    if (spec.class_weights == ClassWeights::Equal) != schema.class_weights.is_empty() {
        return Err(
            "spec: the target has `class_weights` in the schema if and only if the spec's are not \
             equal"
                .to_string(),
        );
    }
    spec.pruning.check().map_err(|e| format!("spec: {e}"))?;
    let taken = |names: &[String]| names.iter().cloned().collect::<HashSet<_>>();
    let (ordered, nominal) = (taken(&spec.ordered), taken(&spec.nominal));
    let (listed, excluded) = (spec.features.as_deref().map(taken), taken(&spec.exclude));
    let mut overridden = 0;
    for Feature { name, kind, .. } in &schema.features {
        let other = if *kind == Kind::Ordered { &nominal } else { &ordered };
        if other.contains(name) {
            return Err(format!(
                "spec: feature {} is {kind} in the schema, but `ordered` or `nominal` says \
                 otherwise",
                named(name)
            ));
        }
        if listed.as_ref().is_some_and(|listed| !listed.contains(name)) {
            return Err(format!("spec: `features` does not list {} of the schema", named(name)));
        }
        if excluded.contains(name) {
            return Err(format!("spec: `exclude` has {}, a feature of the schema", named(name)));
        }
        if spec.weight.as_ref() == Some(name) {
            return Err(format!("spec: weight {} is a feature of the schema", named(name)));
        }
        overridden += usize::from(ordered.contains(name)) + usize::from(nominal.contains(name));
    }
    if overridden != ordered.len() + nominal.len() {
        return Err("spec: `ordered` or `nominal` names no feature of the schema".to_string());
    }
    if spec.weight.as_ref() == Some(&schema.target) {
        return Err(format!("spec: weight {} is the target", named(&schema.target)));
    }
    Ok(())
}
