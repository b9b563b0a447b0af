//! The languages of code, and what is asked of it.

use std::str::FromStr;

use crate::error::{Error, Result, listed};

/// A language that models are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Language {
    /// C, from C99 on; the header is one of C++ too.
    C,
    /// Rust, from edition 2021 on.
    Rust,
    /// Python, from 3.8 on.
    Python,
}

impl Language {
    /// All languages.
    pub const ALL: [Language; 3] = [Language::C, Language::Rust, Language::Python];

    /// The name on the command line and in Python, which [`from_str`](FromStr::from_str) reads: `rust`.
    pub fn name(self) -> &'static str {
        self.words()[0]
    }

    /// The ending of its files' names: `rs`.
    pub fn extension(self) -> &'static str {
        self.words()[1]
    }

    /// Its name in a sentence.
    pub(super) fn title(self) -> &'static str {
        self.words()[2]
    }

    /// Its name, the ending of its files' names, and its title.
    fn words(self) -> [&'static str; 3] {
        match self {
            Language::C => ["c", "c", "C"],
            Language::Rust => ["rust", "rs", "Rust"],
            Language::Python => ["python", "py", "Python"],
        }
    }
}

impl FromStr for Language {
    type Err = Error;

    /// # Errors
    /// A name that no language has.
    fn from_str(name: &str) -> Result<Language> {
        Language::ALL.into_iter().find(|language| language.name() == name).ok_or_else(|| {
            let known = listed(&Language::ALL.map(Language::name));
            Error::spec(format!("there is no code in `{name}`: the languages are {known}"))
        })
    }
}

/// How a model is written as code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeSpec {
    pub(super) language: Language,
    pub(super) name: Option<String>,
    pub(super) max_conditions: usize,
}

/// Most tests and levels of a model that is written as conditions, by default.
const MAX_CONDITIONS: usize = 500;

impl CodeSpec {
    /// Code in a language, named after the target.
    pub fn new(language: Language) -> CodeSpec {
        CodeSpec { language, name: None, max_conditions: MAX_CONDITIONS }
    }

    /// The name of the code's files, and in C what its names begin with: `iris` makes `iris.h` and
    /// `iris_predict`. What no identifier can hold becomes `_`. \[default: the target's name\]
    pub fn name(mut self, name: impl Into<String>) -> CodeSpec {
        self.name = Some(name.into());
        self
    }

    /// Most tests, and levels that they name, of a model that is written as conditions that people can
    /// read; a larger one is tables and a loop. \[default: 500\]
    pub fn max_conditions(mut self, n: usize) -> CodeSpec {
        self.max_conditions = n;
        self
    }
}

impl From<Language> for CodeSpec {
    fn from(language: Language) -> CodeSpec {
        CodeSpec::new(language)
    }
}
