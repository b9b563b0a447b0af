//! `gaintree show`: a tree as text, a table or a picture.

use std::path::Path;

use gaintree::{Dialect, Tree};

use crate::args::{Form, ShowArgs, SqlDialect};
use crate::input::FileFormat;
use crate::output::{Output, Picture, check_pictures, print};
use crate::process::{Failure, Result};
use crate::terminal::{self, Terminal};

/// How deep text goes by default.
const TEXT_DEPTH: u32 = 20;

/// The columns of the nodes that are printed.
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
    let folds = matches!(args.form, Form::Text | Form::Dot | Form::Svg | Form::Html);
    if args.max_depth.is_some() && !folds {
        return Err(Failure::usage(
            "--max-depth folds text and pictures: leave it out, or show --as text, dot, svg or html",
        ));
    }
    if matches!(args.form, Form::Svg | Form::Html) {
        check_pictures("--as svg and html")?;
    }
    if (args.dialect.is_some() || args.probability) && args.form != Form::Sql {
        return Err(Failure::usage(
            "--dialect and --probability are of SQL: leave them out, or show --as sql",
        ));
    }
    let taken = [Path::new(&args.model)];
    let out = args.output.as_deref();
    let table = match args.form {
        Form::Rules => Tree::rules,
        Form::Nodes => Tree::nodes,
        Form::Text | Form::Json | Form::Sql | Form::Dot | Form::Svg | Form::Html => {
            let allowed = (args.form == Form::Json).then_some(FileFormat::Json);
            let advice = "its name has the ending of a table; choose --as rules or nodes, or \
                          another name";
            let to = Output::of_text(out.unwrap_or("-"), &taken, allowed, advice)?;
            let tree = Tree::load(&args.model)?;
            return to.write_text(&text(&tree, &args, &to)?);
        }
    };
    let to = Output::of_table(out, &taken)?;
    let table = table(&Tree::load(&args.model)?)?;
    match to {
        Some(to) => to.write_table(&table),
        None if args.form == Form::Nodes => print(&terminal::table(&table, &NODES_PRINTED)),
        None => print(&terminal::whole_table(&table)),
    }
}

fn text(tree: &Tree, args: &ShowArgs, to: &Output) -> Result<String> {
    Ok(match args.form {
        Form::Json => tree.to_json(),
        Form::Sql => sql(tree, args)?,
        Form::Dot => tree.to_dot(args.max_depth.unwrap_or(u32::MAX)),
        Form::Svg => Picture::Tree(tree, args.max_depth).draw()?,
        Form::Html => Picture::TreePage(tree, args.max_depth).draw()?,
        Form::Text | Form::Rules | Form::Nodes => {
            let depth = args.max_depth.unwrap_or(TEXT_DEPTH);
            match Terminal::of_standard_output().filter(|_| to.path().is_none()) {
                Some(terminal) => terminal.tree(tree, depth),
                None => tree.to_text(depth),
            }
        }
    })
}

/// A select list: the prediction, and the probabilities if they are asked for.
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
