//! WordLayout on the command line: the library's own names for its choices, and what is said of
//! words that cannot be read.

use std::ffi::OsStr;
use std::io::Write;
use std::marker::PhantomData;
use std::num::NonZeroUsize;
use std::process::ExitCode;

use clap::CommandFactory;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use serde::de::value::{Error as NoWord, StrDeserializer};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, IntoDeserializer, Visitor};

use crate::args::Cli;
use crate::failure::Failure;

/// Reads a choice by the names serde has for it, so that a new variant needs no word here.
pub struct Choice<T>(PhantomData<T>);

/// A parser for any enum of unit variants that serde can read.
pub fn choice<T>() -> Choice<T> {
    Choice(PhantomData)
}

impl<T> Clone for Choice<T> {
    fn clone(&self) -> Self {
        choice()
    }
}

impl<T: DeserializeOwned + Clone + Send + Sync + 'static> TypedValueParser for Choice<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        // Kebab case is how flags are written, so it is taken for their values too.
        let word = value.to_string_lossy().to_lowercase().replace('-', "_");
        let known = PossibleValuesParser::new(names_of::<T>().iter().copied());
        let word = known.parse_ref(command, arg, OsStr::new(&word))?;
        let word: StrDeserializer<NoWord> = word.as_str().into_deserializer();
        T::deserialize(word).map_err(|e| clap::Error::raw(ErrorKind::InvalidValue, e))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names_of::<T>().iter().copied().map(PossibleValue::new)))
    }
}

/// The names of an enum's variants: serde's derive tells them to whoever is asked for a value.
fn names_of<'de, T: Deserialize<'de>>() -> &'static [&'static str] {
    struct Asked<'a>(&'a mut &'static [&'static str]);

    impl<'de> Deserializer<'de> for Asked<'_> {
        type Error = NoWord;

        fn deserialize_enum<V: Visitor<'de>>(
            self,
            _name: &'static str,
            variants: &'static [&'static str],
            _visitor: V,
        ) -> Result<V::Value, NoWord> {
            *self.0 = variants;
            Err(serde::de::Error::custom("only asked for the names"))
        }

        fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, NoWord> {
            Err(serde::de::Error::custom("not an enum"))
        }

        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
            option unit unit_struct newtype_struct seq tuple tuple_struct map struct identifier
            ignored_any
        }
    }

    let mut names: &'static [&'static str] = &[];
    let _ = T::deserialize(Asked(&mut names));
    names
}

/// Answers `--help` and `--version`; says in one line what is wrong with any other words.
pub fn refused(e: &clap::Error) -> ExitCode {
    match e.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // A closed pipe is no failure, and nothing else can be done about one here.
            let _ = e.print();
            ExitCode::SUCCESS
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = write!(std::io::stderr(), "{}", e.render());
            ExitCode::from(2)
        }
        _ => Failure::words(condensed(&e.render().to_string())).exit(),
    }
}

/// Clap's paragraphs as one line: what is wrong, its tips, and where help is.
fn condensed(rendered: &str) -> String {
    let said = rendered.split("Usage:").next().unwrap_or_default();
    let said = said.split("For more information").next().unwrap_or_default();
    let paragraphs = said.trim().trim_start_matches("error: ").split("\n\n");
    let line = paragraphs.map(str::trim).filter(|p| !p.is_empty()).collect::<Vec<_>>().join("; ");
    let first = std::env::args().nth(1);
    let subcommand = first.filter(|word| Cli::command().find_subcommand(word).is_some());
    let help = subcommand.map_or("gaintree".to_string(), |name| format!("gaintree {name}"));
    format!("{line}; see {help} --help")
}

/// A number of threads.
pub fn threads(word: &str) -> Result<NonZeroUsize, String> {
    word.parse().map_err(|_| "it has to be a whole number, at least 1".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_serde() {
        assert_eq!(names_of::<gaintree::LogBase>(), ["2", "e"]);
        assert!(names_of::<gaintree::Selection>().contains(&"ratio_above_mean_gain"));
    }
}
