//! `gaintree show`: a model as source code.

use std::path::Path;

use gaintree::{CodeSpec, Language, Model, ModelColumns};

use super::run::Run;
use super::shown_model::whole;
use crate::args::{CsvArgs, Form, ShowArgs};
use crate::process::{Failure, Result};

/// A file of a model's code.
pub struct CodePart {
    language: Language,
    form: Form,
}

impl CodePart {
    /// The part that is asked for; none where another form is.
    pub fn of(form: Form, args: &ShowArgs) -> Result<Option<CodePart>> {
        let language = match form {
            Form::C | Form::Header => Language::C,
            Form::Rust => Language::Rust,
            Form::Python => Language::Python,
            _ if args.example || args.test.is_some() || args.name.is_some() => {
                return Err(Failure::usage(
                    "--example, --test and --name are of code: leave them out, or show --as c, rust \
                     or python",
                ));
            }
            _ => return Ok(None),
        };
        if form == Form::Header && (args.example || args.test.is_some()) {
            return Err(Failure::usage(
                "a header is neither an example nor a test: show --as c, or leave --example and \
                 --test out",
            ));
        }
        Ok(Some(CodePart { language, form }))
    }

    /// Writes it where it is to go.
    pub fn write(self, model: Result<Model>, args: &ShowArgs) -> Result<()> {
        let mut run = Run::start(None);
        run.places.protect(args.model.as_ref());
        let inputs = run.inputs(args.test.as_slice(), &CsvArgs::default())?;
        let out = args.output.as_deref();
        let to = run.places.form("-o", out.unwrap_or("-"), self.form)?;
        let mut spec = CodeSpec::new(self.language);
        if let Some(name) = args.name.as_deref().or(out.and_then(name_of)) {
            spec = spec.name(name);
        }
        let (model, voting) = whole(model?, args)?;
        if args.test.is_some() {
            let columns = model.used_columns();
            let scan = run.scan_for(&model, inputs, &columns)?;
            let df = run.read_used(&scan, &columns)?;
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
        to.write_text(match self.form {
            Form::Header => code.header.as_deref().unwrap_or_default(),
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
