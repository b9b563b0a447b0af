//! What a spec asks of a model: its numbers, checked, and the event.

use crate::data::target::rarer_class;
use crate::error::{Error, Result};
#[cfg(any(feature = "polars", feature = "arrow"))]
use crate::spec::ContributionSpec;
use crate::spec::{Bootstrap, EvalSpec};
use crate::tree::TreeData;

impl TreeData {
    /// The class that a spec's figures are about, if they are about one. All trees of a forest say the
    /// same.
    ///
    /// # Errors
    /// Numbers out of range, and an event that is no class of the target.
    pub(crate) fn checked_event(&self, spec: &EvalSpec) -> Result<Option<usize>> {
        spec.check()?;
        self.named_event(spec.event.as_deref())
    }

    /// The class whose probability is explained; `None` where the target is a number.
    ///
    /// # Errors
    /// An event that is no class of the target, and more than two classes without one.
    #[cfg(any(feature = "polars", feature = "arrow"))]
    pub(crate) fn explained_class(&self, spec: &ContributionSpec) -> Result<Option<usize>> {
        match self.named_event(spec.event.as_deref())? {
            None if !self.is_regression() => Err(no_event(self.schema.classes.len())),
            event => Ok(event),
        }
    }

    /// The class of an event that is named; else the rarer of two classes.
    pub(crate) fn named_event(&self, event: Option<&str>) -> Result<Option<usize>> {
        match event {
            Some(event) => self.schema.class_of_event(event).map(Some),
            None => Ok(rarer_class(&self.class_totals())),
        }
    }
}

/// The error where there are more than two classes and none is named.
pub(super) fn no_event(n_classes: usize) -> Error {
    Error::spec(format!(
        "the model has {n_classes} classes: name the event, which is one of them (event, --event)"
    ))
}

impl EvalSpec {
    /// Checks the numbers of a spec.
    fn check(&self) -> Result<()> {
        if !(1..=1000).contains(&self.bins) {
            return Err(Error::spec(format!("bins is {}; it must be 1 to 1000", self.bins)));
        }
        let costs = [
            ("false_positive_cost", self.false_positive_cost),
            ("false_negative_cost", self.false_negative_cost),
        ];
        for (name, cost) in costs {
            if !(cost >= 0.0 && cost.is_finite()) {
                return Err(Error::spec(format!(
                    "{name} is {cost}; it must be finite and not negative"
                )));
            }
        }
        let Some(Bootstrap { resamples, confidence, .. }) = self.bootstrap else { return Ok(()) };
        if resamples < 10 {
            return Err(Error::spec(format!(
                "resamples is {resamples}; it must be at least 10, and 1000 is usual"
            )));
        }
        if !(confidence > 0.0 && confidence < 1.0) {
            return Err(Error::spec(format!(
                "confidence is {confidence}; it must be above 0 and below 1, as 0.95"
            )));
        }
        Ok(())
    }
}
