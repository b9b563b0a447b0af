//! What the first pass listed, and what each listed value counts as.

use hashbrown::HashMap;

use crate::data::dtype::key_of_value;
use crate::data::dtype::{DType, Value};
use crate::error::Result;
use crate::external::coding::{Coding, TargetCoding};
use crate::external::passes::changed;

/// The index of each listed value of a column, and later its code.
#[derive(Default)]
pub(super) struct Listed {
    pub(super) texts: HashMap<String, u32>,
    pub(super) keys: HashMap<i128, u32>,
}

impl Listed {
    pub(super) fn of(dtype: &DType, values: &[Value]) -> Listed {
        let mut listed = Listed::default();
        for (at, value) in (0..).zip(values) {
            match value {
                Value::Text(text) => {
                    listed.texts.insert(text.clone(), at);
                }
                value => {
                    if let Some(key) = key_of_value(dtype, value) {
                        listed.keys.insert(key, at);
                    }
                }
            }
        }
        listed
    }

    fn recode(&mut self, code: impl Fn(u32) -> u32) {
        self.texts.values_mut().chain(self.keys.values_mut()).for_each(|at| *at = code(*at));
    }
}

/// What is known of the columns since the first pass.
#[derive(Default)]
pub(super) struct Tables {
    /// For each feature of levels the codes of its values; `None` for a feature of keys.
    pub(super) features: Vec<Option<Listed>>,
    /// The indices of the target's classes, as listed. They stay indices.
    pub(super) classes: Listed,
    pub(super) target_is_number: bool,
    pub(super) class_of: Vec<u16>,
    pub(super) rows: u64,
}

impl Tables {
    /// Checks that a later pass has the rows of the first.
    pub(super) fn check_rows(&self, n_rows: u64) -> Result<()> {
        match n_rows == self.rows {
            true => Ok(()),
            false => Err(changed(&format!("there were {} rows, and now {n_rows}", self.rows))),
        }
    }

    pub(super) fn take_codes(&mut self, coding: &Coding) {
        for (listed, codes) in self.features.iter_mut().zip(&coding.level_codes) {
            if let (Some(listed), Some(codes)) = (listed, codes) {
                listed.recode(|index| codes[index as usize]);
            }
        }
        if let TargetCoding::Classes { class_of, .. } = &coding.target {
            self.class_of.clone_from(class_of);
        }
    }
}
