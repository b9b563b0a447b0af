//! `gaintree show`: a tree in words and figures.

use std::path::Path;

use gaintree::{Dialect, Tree};
use polars::prelude::DataFrame;

use crate::args::{Form, ShowArgs, SqlDialect};
use crate::failure::{Failure, Result};
use crate::format::Format;
use crate::output::{self, Destination};
use crate::picture::{self, Picture};
use crate::screen::Screen;
use crate::terminal;

/// How deep text goes unless it is said.
const TEXT_DEPTH: u32 = 20;

/// What of the nodes is for reading.
const NODES_SHOWN: [&str; 14] = [
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
    let folds = matches!(args.form, Form::Text | Form::Dot | Form::Svg | Form::Html);
    if args.max_depth.is_some() && !folds {
        return Err(Failure::words(
            "--max-depth folds text and pictures: leave it out, or show --as text, dot, svg or html",
        ));
    }
    if matches!(args.form, Form::Svg | Form::Html) {
        picture::possible("--as svg and html")?;
    }
    if (args.dialect.is_some() || args.probability) && args.form != Form::Sql {
        let words = "--dialect and --probability are of SQL: leave them out, or show --as sql";
        return Err(Failure::words(words));
    }
    let model = [Path::new(&args.model)];
    let out = args.output.as_deref();
    match args.form {
        Form::Text | Form::Json | Form::Sql | Form::Dot | Form::Svg | Form::Html => {
            let to = text_file(out, args.form, &model)?;
            let tree = Tree::load(&args.model)?;
            let text = match args.form {
                Form::Json => tree.to_json(),
                Form::Sql => sql(&tree, &args)?,
                Form::Dot => tree.to_dot(args.max_depth.unwrap_or(u32::MAX)),
                Form::Svg => Picture::Tree(&tree, args.max_depth).draw()?,
                Form::Html => Picture::TreePage(&tree, args.max_depth).draw()?,
                _ => {
                    let depth = args.max_depth.unwrap_or(TEXT_DEPTH);
                    match Screen::of_standard_output().filter(|_| to.is_none()) {
                        Some(screen) => screen.tree(&tree, depth),
                        None => tree.to_text(depth),
                    }
                }
            };
            match to {
                Some(path) => output::write_text(path, &text),
                None => output::print(&text),
            }
        }
        Form::Rules | Form::Nodes => {
            let to = Destination::resolve(out, &model)?;
            let tree = Tree::load(&args.model)?;
            let table = if args.form == Form::Rules { tree.rules()? } else { tree.nodes()? };
            match to {
                Some(to) => to.write(&table),
                None => output::print(&readable(&table, args.form)),
            }
        }
    }
}

/// What stands behind `select`: the prediction, and the probabilities where they are asked for.
fn sql(tree: &Tree, args: &ShowArgs) -> Result<String> {
    let dialect = match args.dialect.unwrap_or(SqlDialect::Duckdb) {
        SqlDialect::Duckdb => Dialect::DuckDb,
        SqlDialect::Postgresql => Dialect::PostgreSql,
        SqlDialect::Sqlite => Dialect::Sqlite,
    };
    let mut columns = vec![format!("{} AS prediction", tree.to_sql(dialect)?)];
    if args.probability {
        let probabilities = tree.to_sql_probabilities(dialect)?;
        for (class, probability) in probabilities.iter().enumerate() {
            let name = format!("probability_{}", tree.schema().class_text(class));
            columns.push(format!("{probability} AS {}", dialect.quote_name(&name)?));
        }
    }
    Ok(columns.join(",\n") + "\n")
}

fn readable(table: &DataFrame, form: Form) -> String {
    if form == Form::Nodes {
        terminal::table(table, &NODES_SHOWN)
    } else {
        terminal::whole_table(table)
    }
}

/// The file a text goes to; `None` is standard output.
fn text_file<'a>(out: Option<&'a str>, form: Form, model: &[&Path]) -> Result<Option<&'a Path>> {
    let Some(path) = out.filter(|out| *out != "-").map(Path::new) else { return Ok(None) };
    let table = Format::of(path).filter(|f| !(form == Form::Json && *f == Format::Json));
    if table.is_some() {
        return Err(Failure::words(format!(
            "output `{}`: its name has the ending of a table; choose --as rules or nodes, or \
             another name",
            path.display()
        )));
    }
    output::check_place(path, model)?;
    Ok(Some(path))
}
