//! `gaintree show` of a scorecard: its table, or its text.

use std::path::Path;

use gaintree::Scorecard;

use crate::args::shared::Ground;
use crate::args::show::{Form, ShowArgs};
use crate::output::{Places, print};
use crate::process::{Failure, Result};
use crate::terminal::fitted_table;

const PRINTED: [&str; 7] = ["feature", "rule", "event", "n", "event_rate", "woe", "points"];

pub fn show(card: &Scorecard, args: &ShowArgs) -> Result<()> {
    check(args)?;
    let (out, mut places) = (args.output.as_deref(), Places::default());
    places.protect(args.model.as_ref());
    let is_json = |out: &str| Form::of(Path::new(out)) == Some(Form::Json);
    if args.form == Some(Form::Json) || out.is_some_and(is_json) {
        let to = places.form("-o", out.unwrap_or("-"), Form::Json)?;
        return to.write_text(&card.to_json());
    }
    match places.table("-o", out)? {
        Some(to) => to.write_table(&card.table),
        None => print(&fitted_table(&card.table, &PRINTED)),
    }
}

fn check(args: &ShowArgs) -> Result<()> {
    let of_trees = [
        ("--tree", args.tree.is_some()),
        ("--max-depth", args.max_depth.is_some()),
        ("--event", args.event.is_some()),
        ("--compact", args.compact),
        ("--votes", args.votes),
        ("--dialect", args.dialect.is_some()),
        ("--probability", args.probability),
        ("--leaf", args.leaf),
        ("--example", args.example),
        ("--test", args.test.is_some()),
        ("--name", args.name.is_some()),
        ("--theme", args.theme.theme != Ground::Light),
        ("--as", !matches!(args.form, None | Some(Form::Json))),
    ];
    if let Some((flag, _)) = of_trees.into_iter().find(|(_, is_given)| *is_given) {
        return Err(Failure::usage(format!(
            "the model is a scorecard, and {flag} is of trees: leave it out, which shows the table of \
             points, or show --as json"
        )));
    }
    Ok(())
}
