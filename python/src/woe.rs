//! Weights of evidence.

use pyo3::prelude::*;
use pyo3_polars::{PyDataFrame, PySeries};

use crate::errors::exception;
use crate::frames::frame;
use crate::run::{interruptible, threaded};
use crate::specs::{scorecard_spec, woe_spec};

#[pyclass(frozen, module = "gaintree._gaintree")]
pub struct WoeBins(gaintree::WoeBins);

type CardParts = (PyDataFrame, (f64, f64, f64), Vec<(String, f64, f64)>);

#[pyfunction]
pub fn woe_bins(
    py: Python,
    columns: Vec<PySeries>,
    target: &str,
    options: &str,
    threads: Option<usize>,
) -> PyResult<WoeBins> {
    let (df, spec) = (frame(columns)?, woe_spec(options, threads)?);
    interruptible(py, |monitor| gaintree::woe_bins(&df, target, &spec.monitor(monitor)))
        .map(WoeBins)
}

#[pymethods]
impl WoeBins {
    #[getter]
    fn features(&self) -> Vec<&str> {
        self.0.features().collect()
    }

    fn table(&self) -> PyDataFrame {
        PyDataFrame(self.0.table.clone())
    }

    /// The table of a scorecard; its factor, offset and intercept; and of each feature its points at
    /// a weight of 0, and those that a unit of weight adds.
    fn scorecard(&self, options: &str) -> PyResult<CardParts> {
        let card = self.0.scorecard(&scorecard_spec(options)?).map_err(exception)?;
        let scale = (card.factor(), card.offset(), card.intercept());
        let of_features =
            card.scales().map(|(name, base, per_woe)| (name.to_string(), base, per_woe)).collect();
        Ok((PyDataFrame(card.table), scale, of_features))
    }

    #[staticmethod]
    fn from_json(text: &str) -> PyResult<WoeBins> {
        gaintree::WoeBins::from_json(text).map(WoeBins).map_err(exception)
    }

    fn to_json(&self) -> String {
        self.0.to_json()
    }

    fn to_svg(&self, feature: &str) -> PyResult<String> {
        self.0.to_svg(feature).map_err(exception)
    }

    /// The weight of evidence of each value of a Series that has the name of its feature.
    fn map(&self, py: Python, values: PySeries) -> PyResult<PySeries> {
        let column = values.0.into();
        threaded(py, || self.0.map(&column)).map(|woe| PySeries(woe.take_materialized_series()))
    }
}
