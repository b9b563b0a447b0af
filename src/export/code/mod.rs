//! A tree or a forest as source code that needs nothing else.
//!
//! Small models become conditions that people can read ([`branches`]), large ones tables and a loop
//! ([`tables`]), which compilers take however large they are. Both walk one [`program`]: fields of a row,
//! tests, and tables of what the answers say.

mod branches;
mod c;
mod field;
mod identifiers;
mod language;
mod program;
mod python;
mod rows;
mod rust;
mod tables;
mod text;

pub use language::{CodeSpec, Language};
pub(crate) use rows::TestAnswers;

use std::path::Path;

use crate::data::column_data::Source;
use crate::error::Result;
use crate::export::comment::comment;
use crate::export::origin::Origin;
use crate::score::Voting;
use crate::tree::TreeData;
use crate::tree::forest_data::ForestData;
use crate::util::atomic_file::write_whole;
use c::C;
use identifiers::identifier;
use program::Program;
use python::Python;
use rows::{TestRows, example_row};
use rust::Rust;

/// A model as source code.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Code {
    /// What its files are called, and in C what its public names begin with.
    pub name: String,
    /// The model: a file that needs no other.
    pub source: String,
    /// What other files include, in C.
    pub header: Option<String>,
    /// A program that asks the model for a row.
    pub example: String,
    language: Language,
}

impl Code {
    /// Writes the files into a folder, each whole or not at all: `<name>.c`, `<name>.h` and
    /// `<name>_example.c`, or without a header in `.rs` and `.py`.
    ///
    /// # Errors
    /// Where a file cannot be written.
    pub fn save(&self, folder: impl AsRef<Path>) -> Result<()> {
        let Code { name, source, header, example, language } = self;
        let ending = language.extension();
        let write = |file: String, text: &str| {
            write_whole(&folder.as_ref().join(file), |to| to.write_all(text.as_bytes()))
        };
        write(format!("{name}.{ending}"), source)?;
        if let Some(header) = header {
            write(format!("{name}.h"), header)?;
        }
        write(format!("{name}_example.{ending}"), example)
    }
}

impl TreeData {
    /// The tree as source code without a dependency. Its answers equal those of
    /// scoring.
    ///
    /// It has a struct `Row` (in C `<name>_row`) of the used columns, and the functions `predict` (the
    /// class, or the number), `probabilities` (a number a class, in class order) and `leaf_id` of a row.
    /// None of them allocates in C and Rust. Floats of any width are one type, and integers of up to 64
    /// bits; dates, times and decimals are the integers that Polars keeps, which the comment of each
    /// field names.
    /// Missing is NaN, NULL, `None` or in C a flag `<column>_missing`. A level that training never saw
    /// goes where scoring sends it. Under [`Missing::Error`](crate::Missing::Error) a missing value fails
    /// an assertion, or raises a `ValueError`.
    ///
    /// ```
    /// # #[cfg(feature = "polars")] {
    /// use gaintree::prelude::*;
    /// # use polars::prelude::*;
    /// let df = df!["wind" => [30, 7, 12, 28], "play" => ["no", "yes", "yes", "no"]]?;
    /// let tree = df.fit_tree("play", &TreeSpec::cart())?.tree;
    /// let code = tree.to_code(Language::Rust)?;
    /// assert!(code.source.contains("if row.wind.is_none_or(|x| x >= 20) {"));
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// The first lines say what the model is, the SHA-256 of its model file, and what becomes of missing
    /// values and absent levels. Linear in the tree.
    ///
    /// # Errors
    /// A tree of [`Missing::Fractional`](crate::Missing::Fractional); in C a level or a class with a NUL.
    pub fn to_code(&self, spec: impl Into<CodeSpec>) -> Result<Code> {
        let spec = spec.into();
        Program::of_tree(self, &spec)?.code(&spec, &self.origin())
    }

    /// The rows of a table and what the tree answers to them, as a program that asks its code.
    ///
    /// # Errors
    /// As [`to_code`](Self::to_code), and columns that are not the model's.
    pub(crate) fn code_test<S: Source>(
        &self,
        spec: &CodeSpec,
        answers: &TestAnswers,
        column: impl Fn(&str) -> Result<Option<S>>,
    ) -> Result<String> {
        Program::of_tree(self, spec)?.test(spec, answers, column)
    }
}

impl ForestData {
    /// The forest as source code: as for a [tree](TreeData::to_code), without `leaf_id`. Trees are
    /// added up in order, so that the answers equal those of scoring.
    ///
    /// # Errors
    /// The errors of a tree, and hard voting on a numeric target.
    pub fn to_code(&self, spec: impl Into<CodeSpec>, voting: Voting) -> Result<Code> {
        let spec = spec.into();
        Program::of_forest(self, voting, &spec)?.code(&spec, &self.origin())
    }

    /// As [`TreeData::code_test`].
    pub(crate) fn code_test<S: Source>(
        &self,
        spec: &CodeSpec,
        voting: Voting,
        answers: &TestAnswers,
        column: impl Fn(&str) -> Result<Option<S>>,
    ) -> Result<String> {
        Program::of_forest(self, voting, spec)?.test(spec, answers, column)
    }
}

impl Program<'_> {
    fn name(&self, spec: &CodeSpec) -> String {
        identifier(spec.name.as_deref().unwrap_or(&self.schema.target))
    }

    fn code(&self, spec: &CodeSpec, origin: &Origin) -> Result<Code> {
        let (name, row, about) = (self.name(spec), example_row(self), origin.lines(comment, None));
        let (source, header, example) = match spec.language {
            Language::C => {
                let c = C::new(self, &name)?;
                let header = c.header(&about);
                (c.source(&header), Some(header), c.example(&row))
            }
            Language::Rust => (Rust(self).source(&about), None, Rust(self).example(&name, &row)),
            Language::Python => {
                (Python(self).source(&about), None, Python(self).example(&name, &row))
            }
        };
        Ok(Code { name, source, header, example, language: spec.language })
    }

    fn test<S: Source>(
        &self,
        spec: &CodeSpec,
        answers: &TestAnswers,
        column: impl Fn(&str) -> Result<Option<S>>,
    ) -> Result<String> {
        let name = self.name(spec);
        let rows = TestRows::read(self, answers, spec.language, column)?;
        Ok(match spec.language {
            Language::C => C::new(self, &name)?.test(&rows),
            Language::Rust => Rust(self).test(&name, &rows),
            Language::Python => Python(self).test(&name, &rows),
        })
    }
}
