//! What Python asks of a verb, and what it gets: frames go by their names, the rest as JSON, and beside both
//! a callable that hears of progress, or None.

use std::collections::HashMap;

use arrow_array::RecordBatch;
use gaintree::{ChunkedColumns, CvSpec, ForestSpec, Monitor, QuantileSpec, TreeSpec};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::capsules::Table;
use crate::errors::{Failure, Result, internal_error};
use crate::frames::Columns;
use crate::run::{threaded, told};
use crate::specs::{self, Watched};

/// What Python asks of a verb.
pub struct Asked {
    /// By what they are to the verb.
    frames: HashMap<String, Columns>,
    /// What the verb takes beside frames: `options` are the fields of its spec that Python sets.
    given: Map<String, Value>,
    /// What hears of progress.
    pub progress: Option<Py<PyAny>>,
    monitor: Monitor,
}

impl<'a, 'py> FromPyObject<'a, 'py> for Asked {
    type Error = PyErr;

    fn extract(asked: Borrowed<'a, 'py, PyAny>) -> PyResult<Asked> {
        let (frames, given, progress): (_, String, _) = asked.extract()?;
        Ok(Asked { frames, given: specs::fields(&given)?, progress, monitor: Monitor::default() })
    }
}

impl Asked {
    /// The same, of work that is watched.
    pub fn watched_by(self, monitor: Monitor) -> Asked {
        Asked { monitor, ..self }
    }

    /// The frame that most verbs are about.
    pub fn rows(&self) -> Result<&ChunkedColumns> {
        self.frame("rows")
    }

    pub fn frame(&self, name: &str) -> Result<&ChunkedColumns> {
        self.frame_if_given(name).ok_or_else(|| absent(name))
    }

    pub fn frame_if_given(&self, name: &str) -> Option<&ChunkedColumns> {
        self.frames.get(name).map(|Columns(columns)| columns)
    }

    pub fn text(&self, name: &str) -> Result<&str> {
        self.given.get(name).and_then(Value::as_str).ok_or_else(|| absent(name))
    }

    /// A value; where it may be absent, an `Option`.
    pub fn value<T: DeserializeOwned>(&self, name: &str) -> Result<T> {
        let value = self.given.get(name).cloned().unwrap_or_default();
        Ok(serde_json::from_value(value)
            .map_err(|e| internal_error(&format!("`{name}` of a verb: {e}")))?)
    }

    /// The spec of the options.
    pub fn spec<S: Watched>(&self) -> Result<S> {
        self.of_options(&S::default())
    }

    /// A spec of trees; `algorithm` names the preset.
    pub fn tree_spec(&self) -> Result<TreeSpec> {
        self.of_options(&specs::preset(self.text("algorithm")?)?)
    }

    /// A spec of forests. The preset's own pruning is put aside; one of the options stays, and is refused.
    pub fn forest_spec(&self) -> Result<ForestSpec> {
        let preset = ForestSpec::new(specs::preset(self.text("algorithm")?)?);
        let mut spec = specs::overridden(&preset, self.fields("forest")?)?;
        spec.tree = self.of_options(&spec.tree)?;
        Ok(spec)
    }

    /// A spec with the options in place of the preset's fields.
    fn of_options<S: Watched>(&self, preset: &S) -> Result<S> {
        let spec: S = specs::overridden(preset, self.fields("options")?)?;
        Ok(spec.watched(self.value("threads")?, self.monitor()))
    }

    pub fn cv_spec(&self) -> Result<CvSpec> {
        let spec = CvSpec::default().folds(self.value("folds")?);
        let spec = spec.one_standard_error(self.value("one_standard_error")?);
        Ok(spec.prune_by(specs::prune_by(self.text("prune_by")?)?))
    }

    pub fn quantile_spec(&self) -> Result<QuantileSpec> {
        let spec = QuantileSpec::new(self.value::<Vec<f64>>("quantiles")?);
        Ok(spec.watched(self.value("threads")?, self.monitor()))
    }

    pub fn monitor(&self) -> Monitor {
        self.monitor.clone()
    }

    fn fields(&self, name: &str) -> Result<&Map<String, Value>> {
        self.given.get(name).and_then(Value::as_object).ok_or_else(|| absent(name))
    }
}

fn absent(name: &str) -> Failure {
    internal_error(&format!("a verb was not given `{name}`")).into()
}

/// What a verb answers, on its way to Python: it becomes an object once the work is done.
pub type Answer = Box<dyn FnOnce(Python) -> PyResult<Py<PyAny>> + Send>;

pub fn answer<T>(value: T) -> Result<Answer>
where
    T: for<'py> IntoPyObject<'py> + Send + 'static,
{
    Ok(Box::new(move |py| value.into_py_any(py)))
}

pub fn table(batch: RecordBatch) -> Result<Answer> {
    answer(Table::new(batch)?)
}

/// A table, and what to know of it.
pub fn noted((batch, note): (RecordBatch, Option<String>)) -> Result<Answer> {
    answer((Table::new(batch)?, note))
}

pub fn unknown(verb: &str) -> PyErr {
    internal_error(&format!("no verb is called `{verb}`"))
}

/// Does the work of a verb, watched as by [`told`] if it may be long.
pub fn run(
    py: Python,
    mut asked: Asked,
    is_short: bool,
    verb: impl FnOnce(&Asked) -> Result<Answer> + Send,
) -> PyResult<Py<PyAny>> {
    let answer = match is_short {
        true => threaded(py, || verb(&asked))?,
        false => {
            let progress = asked.progress.take();
            told(py, progress, |monitor| verb(&asked.watched_by(monitor)))?
        }
    };
    answer(py)
}
