//! Specs from JSON objects of the fields that differ from the preset.

use gaintree::{
    ContributionSpec, DriftSpec, EvalSpec, MatrixSpec, Monitor, PermutationSpec, PruneBy,
    QuantileSpec, RankSpec, ScorecardSpec, ScreenSpec, SelectSpec, TreeSpec, WoeSpec,
};
use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::errors::{internal_error, spec_error};

/// A spec of work on some threads, which is watched.
pub trait Watched: Default + Serialize + DeserializeOwned {
    fn watched(self, threads: Option<usize>, monitor: Monitor) -> Self;
}

macro_rules! watched {
    ($($spec:ident),*) => {
        $(impl Watched for $spec {
            fn watched(mut self, threads: Option<usize>, monitor: Monitor) -> Self {
                self.threads = threads;
                self.monitor(monitor)
            }
        })*
    };
}

watched!(
    ContributionSpec,
    DriftSpec,
    EvalSpec,
    MatrixSpec,
    PermutationSpec,
    QuantileSpec,
    RankSpec,
    ScreenSpec,
    SelectSpec,
    TreeSpec,
    WoeSpec
);

pub fn preset(algorithm: &str) -> PyResult<TreeSpec> {
    match algorithm {
        "cart" => Ok(TreeSpec::cart()),
        "c45" => Ok(TreeSpec::c45()),
        "id3" => Ok(TreeSpec::id3()),
        other => Err(spec_error(&format!("algorithm `{other}` is not cart, c45 or id3"))),
    }
}

/// What pruning by rows goes by, by its name.
pub fn prune_by(name: &str) -> PyResult<PruneBy> {
    serde_json::from_value(name.into()).map_err(|e| spec_error(&format!("`prune_by`: {e}")))
}

/// A spec of scorecards.
pub fn scorecard_spec(options: &str) -> PyResult<ScorecardSpec> {
    overridden(&ScorecardSpec::default(), &fields(options)?)
}

/// The fields of an object.
pub fn fields(json: &str) -> PyResult<Map<String, Value>> {
    serde_json::from_str(json).map_err(|e| internal_error(&e.to_string()))
}

/// A spec with some fields replaced. An error names the field.
pub fn overridden<S: Serialize + DeserializeOwned>(
    preset: &S,
    options: &Map<String, Value>,
) -> PyResult<S> {
    let parsed = |e: serde_json::Error| internal_error(&e.to_string());
    let Value::Object(mut fields) = serde_json::to_value(preset).map_err(parsed)? else {
        return Err(internal_error("a spec is no object"));
    };
    for (name, value) in options {
        let before = fields.insert(name.clone(), value.clone());
        if let Err(e) = S::deserialize(Value::Object(fields.clone())) {
            return Err(spec_error(&match before {
                Some(_) => format!("`{name}`: {e}"),
                None => e.to_string(),
            }));
        }
    }
    S::deserialize(Value::Object(fields)).map_err(parsed)
}
