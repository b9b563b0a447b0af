//! The rows that a tree was grown on, as its rules see them.

use std::sync::Arc;

use crate::data::column_data::Source;
use crate::data::dtype::Kind;
use crate::error::Result;
use crate::grow::GrownRows;
use crate::score::Scale;
use crate::tree::TreeData;

/// A row, or the part of it that is in a node, in weight units.
#[derive(Clone, Copy)]
pub(super) struct Share {
    pub(super) row: u32,
    pub(super) units: u64,
}

pub(super) struct TrainingRows {
    /// Row after row, a number for each lane: the value of a used feature on its [scale](Scale).
    numbers: Vec<f64>,
    n_lanes: usize,
    classes: Vec<u16>,
    /// The copies each row stands for, where rows may be shared out; empty if all are one.
    copies: Arc<[u64]>,
    /// Whether rows with a missing value go down every branch.
    pub(super) are_shared: bool,
}

impl TrainingRows {
    /// The rows that a tree was grown on, and the units of each. `scales` are the scales of the
    /// used features, in order.
    pub(super) fn new(
        tree: &TreeData,
        scales: &[Scale],
        rows: GrownRows,
    ) -> Result<(TrainingRows, Vec<u64>)> {
        let (n_rows, n_lanes) = (rows.n_rows(), scales.len());
        let mut numbers = vec![f64::NAN; n_rows * n_lanes];
        for (lane, (feature, scale)) in tree.used_features().into_iter().zip(scales).enumerate() {
            let values = rows.of_feature(feature);
            let missing = values.column.missing_code();
            let feature = &tree.schema.features[feature as usize];
            let of_lane = numbers[lane..].iter_mut().step_by(n_lanes);
            if feature.kind == Kind::Nominal {
                // Codes are the indices of levels already.
                let known = of_lane.zip(values.codes).filter(|&(_, code)| code < missing);
                known.for_each(|(number, code)| *number = code.into());
                continue;
            }
            let on_scale = scale.convert(feature, values.dtype(), values.cells())?;
            of_lane.zip(on_scale).for_each(|(number, value)| *number = value);
        }
        let units = rows.weights.as_deref();
        let units = units.map_or_else(|| vec![1; n_rows], |weights| weights.units.clone());
        let classes = rows.classes();
        let (are_shared, copies) = (rows.copies.is_some(), rows.copies.unwrap_or_default());
        Ok((TrainingRows { numbers, n_lanes, classes, copies, are_shared }, units))
    }

    pub(super) fn n_rows(&self) -> u32 {
        self.classes.len() as u32
    }

    /// A row's number in a lane; NaN if its value is missing.
    #[inline]
    pub(super) fn number(&self, row: u32, lane: u32) -> f64 {
        self.numbers[row as usize * self.n_lanes + lane as usize]
    }

    #[inline]
    pub(super) fn class(&self, row: u32) -> usize {
        self.classes[row as usize].into()
    }

    pub(super) fn copies(&self, row: u32) -> u64 {
        self.copies.get(row as usize).copied().unwrap_or(1)
    }

    pub(super) fn reorder(&mut self, order: &[u32]) {
        let rows = order.iter().map(|&row| row as usize);
        let mut numbers = Vec::with_capacity(self.numbers.len());
        for row in rows.clone() {
            numbers.extend_from_slice(&self.numbers[row * self.n_lanes..][..self.n_lanes]);
        }
        self.numbers = numbers;
        self.classes = rows.clone().map(|row| self.classes[row]).collect();
        if !self.copies.is_empty() {
            self.copies = rows.map(|row| self.copies[row]).collect();
        }
    }
}
