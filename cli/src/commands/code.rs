//! `gaintree show`: a model as source code.

use std::path::Path;

use gaintree::{CodeSpec, Language, Model};

use super::shown_model::whole;
use super::{open_scan, read, used};
use crate::args::{CsvArgs, Form, ShowArgs};
use crate::input::{self, ModelColumns};
use crate::output::{Output, RunReport, TextFormat};
use crate::process::{Failure, Result};
use crate::terminal::Progress;

/// A file of a model's code.
pub struct CodePart {
    language: Language,
    format: TextFormat,
}

impl CodePart {
    /// The part that is asked for; none where another form is.
    pub fn of(form: Form, args: &ShowArgs) -> Result<Option<CodePart>> {
        let (language, format) = match form {
            Form::C => (Language::C, TextFormat::C),
            Form::Header => (Language::C, TextFormat::Header),
            Form::Rust => (Language::Rust, TextFormat::Rust),
            Form::Python => (Language::Python, TextFormat::Python),
            _ if args.example || args.test.is_some() || args.name.is_some() => {
                return Err(Failure::usage(
                    "--example, --test and --name are of code: leave them out, or show --as c, rust \
                     or python",
                ));
            }
            _ => return Ok(None),
        };
        if format == TextFormat::Header && (args.example || args.test.is_some()) {
            return Err(Failure::usage(
                "a header is neither an example nor a test: show --as c, or leave --example and \
                 --test out",
            ));
        }
        Ok(Some(CodePart { language, format }))
    }

    /// Writes it where it is to go.
    pub fn write(self, model: Result<Model>, args: &ShowArgs) -> Result<()> {
        let tested = args.test.iter().cloned().collect::<Vec<String>>();
        let inputs = input::resolve(&tested, &CsvArgs::default())?;
        let taken = input::paths(Some(&args.model), &inputs);
        let out = args.output.as_deref();
        let to = Output::of_text(out.unwrap_or("-"), &taken, self.format)?;
        let mut spec = CodeSpec::new(self.language);
        if let Some(name) = args.name.as_deref().or(out.and_then(name_of)) {
            spec = spec.name(name);
        }
        let (model, voting) = whole(model?, args)?;
        if args.test.is_some() {
            let scan = open_scan(&model, inputs, ModelColumns::Used)?;
            // A model without rules uses no column, and its rows are to be counted all the same.
            let needed = Some(used(&model)).filter(|used| !used.is_empty());
            let mut report = RunReport::start(None);
            let df = read(&scan, needed, &mut report, &Progress::start())?;
            let test = match &model {
                Model::Tree(tree) => tree.to_code_test(spec, &df),
                Model::Forest(forest) => forest.to_code_test(spec, voting, &df),
            };
            return to.write_text(&df.named(test)?);
        }
        let code = match &model {
            Model::Tree(tree) => tree.to_code(spec)?,
            Model::Forest(forest) => forest.to_code(spec, voting)?,
        };
        to.write_text(match self.format {
            TextFormat::Header => code.header.as_deref().unwrap_or_default(),
            _ if args.example => &code.example,
            _ => &code.source,
        })
    }
}

/// What an output's name says of the code's.
fn name_of(out: &str) -> Option<&str> {
    let stem = Path::new(out).file_stem()?.to_str().filter(|_| out != "-")?;
    Some(stem.strip_suffix("_example").or(stem.strip_suffix("_test")).unwrap_or(stem))
}
