//! How rows are weighed.

use super::coding::UnitCoding;
use super::passes::{PassTask, Passes};
use super::row_store::{RowStore, Weighed, Weighing};
use crate::data::class_weights::ClassTotals;
use crate::data::target::Target;
use crate::data::weights::Weights;
use crate::error::Result;
use crate::spec::ClassWeights;

/// The weights without rows, how they are counted, and the weight of each class. Weights are rounded
/// in the same steps as in memory.
pub(super) fn weights_of<R: RowStore + ?Sized>(
    passes: &mut Passes<R>,
    class_weights: &ClassWeights,
    target: &Target,
    class_of: &[u16],
) -> Result<(Option<Weights>, Option<UnitCoding>, Vec<f64>)> {
    let has_factors = *class_weights != ClassWeights::Equal;
    if has_factors && target.labels().is_empty() {
        return Err(target.has_no_classes());
    }
    let are_weighted = passes.store.weight().is_some();
    let mut weigh = |units: &UnitCoding| {
        passes.begin(PassTask::Weights, 1)?;
        let weighing = Weighing { units: units.clone(), class_of: class_of.to_vec() };
        passes.store.weigh(&weighing)
    };
    let mut units = UnitCoding::default();
    let mut weights = None;
    let mut has_fraction = false;
    let in_units =
        |unit: f64, fractional: bool| Some(Weights { units: Vec::new(), unit, fractional });
    let unit_of = |weighed: &Weighed| {
        Weights::unit_of(weighed.total, weighed.has_fraction, &weighed.distinct)
    };
    if are_weighted {
        let weighed = weigh(&units)?;
        has_fraction = weighed.has_fraction;
        let unit = unit_of(&weighed)?;
        units.row_unit = Some(unit);
        weights = in_units(unit, has_fraction);
    }
    let mut of_class = Vec::new();
    if has_factors {
        let factors = target.class_factors(class_weights, || {
            Ok(ClassTotals { of_class: weigh(&units)?.by_class, are_weighted, has_fraction })
        })?;
        of_class = factors.weights();
        units.of_class = factors.of_class;
        match factors.unit {
            Some(unit) => {
                // The products are whole numbers of units already.
                units.unit = Some(1.0);
                weights = Some(Weights::of_units(Vec::new(), unit));
            }
            None => {
                let weighed = weigh(&units)?;
                let unit = unit_of(&weighed)?;
                units.unit = Some(unit);
                weights = in_units(unit, weighed.has_fraction);
            }
        }
    }
    let units = weights.is_some().then_some(units);
    Ok((weights, units, of_class))
}
