//! Specs from JSON objects of the fields that differ from the preset.

use gaintree::{
    ContributionSpec, CvSpec, DriftSpec, EvalSpec, ForestSpec, MatrixSpec, PermutationSpec,
    PruneBy, RankSpec, ScorecardSpec, SelectSpec, TreeSpec, WoeSpec,
};
use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::errors::{internal_error, spec_error};

/// A spec of trees; `algorithm` names the preset.
pub fn tree_spec(algorithm: &str, options: &str, threads: Option<usize>) -> PyResult<TreeSpec> {
    let mut spec: TreeSpec = overridden(&preset(algorithm)?, options)?;
    spec.threads = threads;
    Ok(spec)
}

/// A spec of forests. The preset's own pruning is put aside; one of the options stays, and is refused.
pub fn forest_spec(
    algorithm: &str,
    tree_options: &str,
    options: &str,
    threads: Option<usize>,
) -> PyResult<ForestSpec> {
    let mut spec = overridden(&ForestSpec::new(preset(algorithm)?), options)?;
    spec.tree = overridden(&spec.tree, tree_options)?;
    spec.tree.threads = threads;
    Ok(spec)
}

fn preset(algorithm: &str) -> PyResult<TreeSpec> {
    match algorithm {
        "cart" => Ok(TreeSpec::cart()),
        "c45" => Ok(TreeSpec::c45()),
        "id3" => Ok(TreeSpec::id3()),
        other => Err(spec_error(&format!("algorithm `{other}` is not cart, c45 or id3"))),
    }
}

/// A spec of rankings.
pub fn rank_spec(options: &str, threads: Option<usize>) -> PyResult<RankSpec> {
    let mut spec: RankSpec = overridden(&RankSpec::default(), options)?;
    spec.threads = threads;
    Ok(spec)
}

/// A cross-validation.
pub fn cv_spec(folds: usize, one_standard_error: bool, prune_by: &str) -> PyResult<CvSpec> {
    let spec = CvSpec::default().folds(folds).one_standard_error(one_standard_error);
    Ok(spec.prune_by(prune_by_of(prune_by)?))
}

/// What pruning by rows goes by, by its name.
pub fn prune_by_of(name: &str) -> PyResult<PruneBy> {
    serde_json::from_value(name.into()).map_err(|e| spec_error(&format!("`prune_by`: {e}")))
}

/// A spec of selections.
pub fn select_spec(options: &str, threads: Option<usize>) -> PyResult<SelectSpec> {
    let mut spec: SelectSpec = overridden(&SelectSpec::default(), options)?;
    spec.threads = threads;
    Ok(spec)
}

/// A spec of weights of evidence.
pub fn woe_spec(options: &str, threads: Option<usize>) -> PyResult<WoeSpec> {
    let mut spec: WoeSpec = overridden(&WoeSpec::default(), options)?;
    spec.threads = threads;
    Ok(spec)
}

/// A spec of scorecards.
pub fn scorecard_spec(options: &str) -> PyResult<ScorecardSpec> {
    overridden(&ScorecardSpec::default(), options)
}

/// A spec of comparisons of two frames.
pub fn drift_spec(options: &str, threads: Option<usize>) -> PyResult<DriftSpec> {
    let mut spec: DriftSpec = overridden(&DriftSpec::default(), options)?;
    spec.threads = threads;
    Ok(spec)
}

/// A spec of judging.
pub fn eval_spec(options: &str) -> PyResult<EvalSpec> {
    overridden(&EvalSpec::default(), options)
}

/// A spec of permutations.
pub fn permutation_spec(options: &str, threads: Option<usize>) -> PyResult<PermutationSpec> {
    let mut spec: PermutationSpec = overridden(&PermutationSpec::default(), options)?;
    spec.threads = threads;
    Ok(spec)
}

/// A spec of contributions.
pub fn contribution_spec(options: &str, threads: Option<usize>) -> PyResult<ContributionSpec> {
    let mut spec: ContributionSpec = overridden(&ContributionSpec::default(), options)?;
    spec.threads = threads;
    Ok(spec)
}

/// A spec of comparisons of columns in pairs.
pub fn matrix_spec(options: &str, threads: Option<usize>) -> PyResult<MatrixSpec> {
    let mut spec: MatrixSpec = overridden(&MatrixSpec::default(), options)?;
    spec.threads = threads;
    Ok(spec)
}

/// A spec with some fields replaced. An error names the field.
fn overridden<S: Serialize + DeserializeOwned>(preset: &S, options: &str) -> PyResult<S> {
    let parsed = |e: serde_json::Error| internal_error(&e.to_string());
    let options: Map<String, Value> = serde_json::from_str(options).map_err(parsed)?;
    let Value::Object(mut fields) = serde_json::to_value(preset).map_err(parsed)? else {
        return Err(internal_error("a spec is no object"));
    };
    for (name, value) in options {
        let before = fields.insert(name.clone(), value);
        if let Err(e) = S::deserialize(Value::Object(fields.clone())) {
            return Err(spec_error(&match before {
                Some(_) => format!("`{name}`: {e}"),
                None => e.to_string(),
            }));
        }
    }
    S::deserialize(Value::Object(fields)).map_err(parsed)
}
