//! Weights of evidence, and the scorecards made of them.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;

use crate::capsules::{Table, TableColumn};
use crate::errors::exception;
use crate::frames::{Columns, table};
use crate::models::keep_card;
use crate::run::{detached, threaded};
use crate::specs::scorecard_spec;

#[pyclass(frozen, module = "gaintree._gaintree")]
pub struct WoeBins(pub gaintree::WoeBins);

#[pyclass(frozen, module = "gaintree._gaintree")]
pub struct Scorecard(Arc<gaintree::Scorecard>);

#[pymethods]
impl WoeBins {
    #[getter]
    fn features(&self) -> Vec<&str> {
        self.0.features().collect()
    }

    fn table(&self) -> PyResult<Table> {
        Table::new(self.0.table.clone())
    }

    /// The columns to be read, rounded.
    fn short_table(&self) -> PyResult<Table> {
        table(self.0.short_table())
    }

    fn scorecard(&self, options: &str) -> PyResult<Scorecard> {
        card(self.0.scorecard(&scorecard_spec(options)?))
    }

    #[staticmethod]
    fn from_json(text: &str) -> PyResult<WoeBins> {
        gaintree::WoeBins::from_json(text).map(WoeBins).map_err(exception)
    }

    fn to_json(&self) -> String {
        self.0.to_json()
    }

    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<WoeBins> {
        gaintree::WoeBins::load(path).map(WoeBins).map_err(exception)
    }

    fn save(&self, py: Python, path: PathBuf) -> PyResult<()> {
        detached(py, || self.0.save(path))
    }

    fn to_svg(&self, feature: &str) -> PyResult<String> {
        self.0.to_svg(feature).map_err(exception)
    }

    /// The weight of evidence of each row by a feature.
    fn map(&self, py: Python, feature: &str, columns: Columns) -> PyResult<TableColumn> {
        let Columns(rows) = columns;
        let woe = threaded(py, || self.0.map_frame(&rows, feature))?;
        Table::new(woe).map(TableColumn)
    }
}

fn card(result: gaintree::Result<gaintree::Scorecard>) -> PyResult<Scorecard> {
    result.map(|card| Scorecard(Arc::new(card))).map_err(exception)
}

#[pymethods]
impl Scorecard {
    #[getter]
    fn features(&self) -> Vec<&str> {
        self.0.features().collect()
    }

    fn table(&self) -> PyResult<Table> {
        Table::new(self.0.table.clone())
    }

    /// Its factor, offset and intercept.
    #[getter]
    fn scale(&self) -> (f64, f64, f64) {
        (self.0.factor(), self.0.offset(), self.0.intercept())
    }

    /// Each feature's points at a weight of 0, and the points that a unit of weight adds.
    #[getter]
    fn scales(&self) -> Vec<(&str, f64, f64)> {
        self.0.scales().collect()
    }

    #[getter]
    fn rounded(&self) -> bool {
        self.0.rounded()
    }

    /// The bins of its features as JSON.
    fn bins_to_json(&self) -> String {
        self.0.bins().to_json()
    }

    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Scorecard> {
        card(gaintree::Scorecard::from_json(text))
    }

    fn to_json(&self) -> String {
        self.0.to_json()
    }

    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Scorecard> {
        card(gaintree::Scorecard::load(path))
    }

    fn save(&self, py: Python, path: PathBuf) -> PyResult<()> {
        detached(py, || self.0.save(path))
    }

    /// Makes the card known to expressions, so that they need not parse it.
    fn keep(&self, hash: &str) {
        keep_card(hash, Arc::clone(&self.0));
    }
}
