//! `gaintree show`: a model as source code.

use std::path::Path;

use gaintree::{CodeSpec, Language, Model, ModelColumns};

use super::run::Run;
use super::shown_model::whole;
use crate::args::shared::CsvArgs;
use crate::args::show::{Form, ShowArgs};
use crate::process::{Failure, Result};

/// The language that is asked for; none where the form is no code.
pub fn language(form: Form, args: &ShowArgs) -> Result<Option<Language>> {
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
    Ok(Some(language))
}

pub fn write(language: Language, form: Form, model: Result<Model>, args: &ShowArgs) -> Result<()> {
    let mut run = Run::start(None);
    run.places.protect(args.model.as_ref());
    let inputs = run.inputs(args.test.as_slice(), &CsvArgs::default())?;
    let out = args.output.as_deref();
    let to = run.places.form("-o", out.unwrap_or("-"), form)?;
    let mut spec = CodeSpec::new(language);
    if let Some(name) = args.name.as_deref().or(out.and_then(name_of)) {
        spec = spec.name(name);
    }
    let (model, voting) = whole(model?, args)?;
    if args.test.is_some() {
        let columns = model.used_columns();
        let scan = run.scan_for(&model, inputs, &columns)?;
        let df = run.read_used(&scan, &columns)?;
        let test = match &model {
            Model::Tree(tree) => tree.to_code_test(spec, &*df),
            Model::Forest(forest) => forest.to_code_test(spec, voting, &*df),
        };
        return to.write_text(&df.named(test)?);
    }
    let code = match &model {
        Model::Tree(tree) => tree.to_code(spec)?,
        Model::Forest(forest) => forest.to_code(spec, voting)?,
    };
    to.write_text(match form {
        Form::Header => code.header.as_deref().unwrap_or_default(),
        _ if args.example => &code.example,
        _ => &code.source,
    })
}

/// What an output's name says of the code's.
fn name_of(out: &str) -> Option<&str> {
    let stem = Path::new(out).file_stem()?.to_str().filter(|_| out != "-")?;
    Some(stem.strip_suffix("_example").or(stem.strip_suffix("_test")).unwrap_or(stem))
}
