//! The columns that files have together.

use std::collections::HashMap;

use polars::prelude::{DataType, PlSmallStr, Schema};

use super::Input;
use super::dtypes::common;
use crate::process::{Failure, Result};

/// What is done with columns that only some of the files have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    Refused,
    LeftOut,
}

/// The columns of all files, with the dtypes they are read with, in the order of the first file.
#[derive(Clone, Debug)]
pub struct SharedColumns {
    pub schema: Schema,
    pub others: Others,
    /// The columns that were left out, each with a file that lacks it.
    pub left_out: HashMap<PlSmallStr, String>,
}

impl SharedColumns {
    /// Makes the schemas of all files equal, or names the file and column where they differ.
    ///
    /// Where only the widths of numbers differ, the wider one is taken.
    pub fn of(files: &mut [(Input, Schema)], others: Others) -> Result<SharedColumns> {
        let mut left_out: HashMap<PlSmallStr, String> = HashMap::new();
        let Some((first, first_schema)) = files.first() else {
            return Ok(SharedColumns { schema: Schema::default(), others, left_out });
        };
        let mut schema = first_schema.clone();
        for (input, own) in files.iter().skip(1) {
            for name in own.iter_names().filter(|name| !first_schema.contains(name)) {
                if others == Others::Refused {
                    return Err(Failure::work(format!(
                        "input `{}` has a column `{name}`{} that `{}` lacks: files read together need \
                         the same columns",
                        input.name(),
                        input.whence(name),
                        first.name()
                    )));
                }
                left_out.entry(name.clone()).or_insert_with(|| first.name());
            }
            let lacking = first_schema.iter_names().filter(|name| !own.contains(name));
            for name in lacking {
                if others == Others::Refused {
                    return Err(Failure::work(format!(
                        "input `{}` lacks the column `{name}` of `{}`{}: files read together need the \
                         same columns",
                        input.name(),
                        first.name(),
                        first.whence(name)
                    )));
                }
                schema.shift_remove(name);
                left_out.entry(name.clone()).or_insert_with(|| input.name());
            }
        }
        for (input, own) in files.iter().skip(1) {
            for (name, so_far) in schema.iter_mut() {
                let Some(own) = own.get(name) else { continue };
                let from_text = input.is_text() && first.is_text();
                *so_far = common(so_far, own, from_text).ok_or_else(|| {
                    Failure::work(format!(
                        "input `{}`: column `{name}` is {}, but {} in `{}`: cast it in one of them",
                        input.name(),
                        spelled(own),
                        spelled(so_far),
                        first.name()
                    ))
                })?;
            }
        }
        for (input, own) in files {
            for (name, dtype) in own.iter_mut() {
                let Some(both) = schema.get(name).filter(|both| *both != dtype) else { continue };
                if !input.is_text() {
                    input.casts.insert(name.clone(), both.clone());
                }
                dtype.clone_from(both);
            }
        }
        Ok(SharedColumns { schema, others, left_out })
    }
}

/// A dtype in full: two enums differ in their categories.
fn spelled(dtype: &DataType) -> String {
    const SHOWN: usize = 6;
    let DataType::Enum(categories, _) = dtype else { return dtype.to_string() };
    let all: Vec<&str> = categories.categories().values_iter().collect();
    let more = if all.len() > SHOWN { ", …" } else { "" };
    format!("enum[{}{more}]", all[..all.len().min(SHOWN)].join(", "))
}
