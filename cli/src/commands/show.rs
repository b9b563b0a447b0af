//! `gaintree show`: a tree as text, a table or a picture.

use std::path::Path;

use gaintree::{Dialect, Model, RowScorer, SqlSpec, Tree};

use super::code;
use super::shown_card;
use super::shown_model::{one_tree, read, whole};
use crate::args::shared::Ground;
use crate::args::show::{Form, ShowArgs};
use crate::input::FileFormat;
use crate::output::{Output, Picture, Places, check_pictures, note, print};
use crate::process::{Failure, Result};
use crate::terminal::{self, Terminal};

const TEXT_DEPTH: u32 = 20;

/// Bytes of SQL that engines plan for seconds.
const LARGE_SQL: usize = 1_000_000;

const NODES_PRINTED: [&str; 14] = [
    "node_id",
    "parent_id",
    "depth",
    "n",
    "impurity",
    "gain",
    "prediction",
    "class_counts",
    "feature",
    "op",
    "cut",
    "levels",
    "branches",
    "missing_to",
];

pub fn run(args: ShowArgs) -> Result<()> {
    // Errors in the options are told before errors in the file.
    let model = match read(&args.model) {
        Ok(RowScorer::Scorecard(card)) => return shown_card::show(&card, &args),
        Ok(RowScorer::Model(model)) => Ok(model),
        Err(failure) => Err(failure),
    };
    let out = args.output.as_deref();
    let form = args.form.map_or_else(|| form_of(out), Ok)?;
    check_options(&args, form)?;
    let language = code::language(form, &args)?;
    if args.votes && form != Form::Onnx && language.is_none() {
        return Err(Failure::usage(
            "--votes is of ONNX and code: leave it out, or show --as onnx, c, rust or python",
        ));
    }
    if let Some(language) = language {
        return code::write(language, form, model, &args);
    }
    let mut places = Places::default();
    places.protect(args.model.as_ref());
    let table_of = match form {
        Form::Rules => Tree::rules,
        Form::Nodes => Tree::nodes,
        _ => {
            let to = places.form("-o", out.unwrap_or("-"), form)?;
            let model = model?;
            return match form {
                Form::Onnx => to.write_bytes(&onnx(model, &args)?),
                Form::Png => {
                    let tree = one_tree(model, args.tree)?;
                    to.write_bytes(&Picture::Tree(&tree, &args).pixels_on(args.theme.theme)?)
                }
                _ => to.write_text(&text(&one_tree(model, args.tree)?, form, &args, &to)?),
            };
        }
    };
    let to = places.table("-o", out)?;
    let table = table_of(&one_tree(model?, args.tree)?)?;
    match to {
        Some(to) => to.write_table(&table),
        None if form == Form::Nodes => print(&terminal::fitted_table(&table, &NODES_PRINTED)),
        None => print(&terminal::whole_table(&table)),
    }
}

fn check_options(args: &ShowArgs, form: Form) -> Result<()> {
    let folds = matches!(form, Form::Text | Form::Dot | Form::Svg | Form::Png | Form::Html);
    if args.max_depth.is_some() && !folds {
        return Err(Failure::usage(
            "--max-depth folds text and pictures: leave it out, or show --as text, dot, svg, \
             png or html",
        ));
    }
    if args.theme.theme != Ground::Light && !matches!(form, Form::Svg | Form::Png) {
        return Err(Failure::usage(
            "--theme is of pictures: leave it out, or show --as svg or png",
        ));
    }
    if matches!(form, Form::Svg | Form::Png | Form::Html) {
        check_pictures("--as svg, png and html")?;
    } else if args.compact {
        return Err(Failure::usage(
            "--compact is of pictures: leave it out, or show --as svg, png or html",
        ));
    } else if args.event.is_some() && form != Form::Text {
        return Err(Failure::usage(
            "--event is of text and pictures: leave it out, or show --as text, svg, png or html",
        ));
    }
    if (args.dialect.is_some() || args.probability || args.leaf) && form != Form::Sql {
        return Err(Failure::usage(
            "--dialect, --probability and --leaf are of SQL: leave them out, or show --as sql",
        ));
    }
    Ok(())
}

fn onnx(model: Model, args: &ShowArgs) -> Result<Vec<u8>> {
    Ok(match whole(model, args)? {
        (Model::Forest(forest), voting) => forest.to_onnx(voting)?,
        (Model::Tree(tree), _) => tree.to_onnx()?,
    })
}

fn form_of(out: Option<&str>) -> Result<Form> {
    let Some(out) = out.filter(|out| *out != "-") else { return Ok(Form::Text) };
    match Form::of(Path::new(out)) {
        Some(form) => Ok(form),
        None if FileFormat::of(Path::new(out)).is_some() => Err(Failure::usage(format!(
            "output `{out}` is a table: say which by --as rules or --as nodes"
        ))),
        None => Err(Failure::usage(format!(
            "output `{out}`: the ending of its name is none of .txt, .svg, .png, .html, .dot, \
             .sql, .onnx, .c, .h, .rs, .py and .json, which say what to write; name it so, or \
             add --as"
        ))),
    }
}

fn text(tree: &Tree, form: Form, args: &ShowArgs, to: &Output) -> Result<String> {
    Ok(match form {
        Form::Json => tree.to_json(),
        Form::Sql => sql(tree, args)?,
        Form::Dot => tree.to_dot(args.max_depth.unwrap_or(u32::MAX)),
        Form::Svg => Picture::Tree(tree, args).draw_on(args.theme.theme)?,
        Form::Html => Picture::TreePage(tree, args).draw()?,
        _ => {
            let depth = args.max_depth.unwrap_or(TEXT_DEPTH);
            let event = args.event.as_deref();
            match Terminal::of_standard_output().filter(|_| to.path().is_none()) {
                Some(terminal) => terminal.tree(tree, depth, event)?,
                None => tree.to_text_about(depth, event)?,
            }
        }
    })
}

/// The select list of a query that scores.
fn sql(tree: &Tree, args: &ShowArgs) -> Result<String> {
    let spec = SqlSpec::new(args.dialect.unwrap_or(Dialect::DuckDb));
    let spec = spec.probability(args.probability).leaf(args.leaf);
    let sql = tree.to_sql_select(spec)? + "\n";
    if sql.len() > LARGE_SQL {
        note(&format!(
            "the SQL has {:.1} MB and {} leaves, which engines plan for seconds or refuse; prune the \
             tree (gaintree prune), fit it with --max-leaves, or use gaintree score",
            sql.len() as f64 / 1e6,
            tree.n_leaves()
        ));
    }
    Ok(sql)
}
