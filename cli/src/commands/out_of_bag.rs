//! The training rows of a forest, which its trees answer out of bag.

use gaintree::{Forest, Model};

use super::used_and_target;
use crate::process::{Failure, Result};

/// The forest, if its trees are to answer the rows that they did not draw.
pub fn out_of_bag_forest(model: &Model, is_asked: bool) -> Result<Option<&Forest>> {
    match model {
        _ if !is_asked => Ok(None),
        Model::Forest(forest) => Ok(Some(forest)),
        Model::Tree(_) => {
            Err(Failure::usage("--out-of-bag is of a forest, and the model is one tree"))
        }
    }
}

/// The columns that a model is judged by, among them the columns that make draws again.
pub fn judged_columns<'a>(model: &'a Model, out_of_bag: Option<&'a Forest>) -> Vec<&'a str> {
    let mut columns = used_and_target(model);
    columns.extend(out_of_bag.and_then(|forest| forest.spec().tree.weight.as_deref()));
    columns
}
