//! Verbs whose time is of a tree's nodes.

use gaintree::{Direction, TreePicture, prelude::*};
use polars::prelude::DataFrame;

use crate::Verb;
use crate::data::TreeInput;

pub const VERBS: [Verb<TreeInput>; 23] = [
    Verb { name: "importance", run: |i| keep(i.tree.importance()?) },
    Verb { name: "nodes", run: |i| keep(i.tree.nodes()?) },
    Verb { name: "rules", run: |i| keep(i.tree.rules()?) },
    Verb { name: "to_text", run: |i| drawn(i.tree.to_text(u32::MAX)) },
    Verb { name: "to_dot", run: |i| drawn(i.tree.to_dot(u32::MAX)) },
    Verb { name: "to_svg", run: |i| drawn(i.tree.to_svg(&TreePicture::default())?) },
    Verb {
        name: "to_svg, whole",
        run: |i| {
            let whole = TreePicture::default().max_leaves(usize::MAX).max_depth(u32::MAX);
            drawn(i.tree.to_svg(&whole.direction(Direction::Right))?)
        },
    },
    Verb { name: "to_html", run: |i| drawn(i.tree.to_html(&TreePicture::default())?) },
    Verb { name: "to_sql", run: |i| drawn(i.tree.to_sql(Dialect::DuckDb)?) },
    Verb { name: "to_json", run: |i| drawn(i.tree.to_json()) },
    Verb { name: "save", run: |i| Ok(i.tree.save(i.folder.path().join("m.json"))?) },
    Verb { name: "from_json", run: |i| made(Tree::from_json(&i.json)?) },
    Verb { name: "cost_complexity_path", run: |i| keep(i.tree.cost_complexity_path()?) },
    Verb { name: "prune_cost_complexity", run: |i| made(i.tree.prune_cost_complexity(1e-7)?) },
    Verb { name: "prune_to_leaves", run: |i| made(i.tree.prune_to_leaves(1000)?) },
    Verb {
        name: "prune_pessimistic",
        run: |i| match i.tree.is_regression() {
            true => Ok(()),
            false => made(i.tree.prune_pessimistic(0.25)?),
        },
    },
    Verb {
        name: "prune_reduced_error",
        run: |i| made(i.tree.prune_reduced_error(&i.df, PruneBy::ErrorRate)?),
    },
    Verb { name: "first score", run: |i| keep(i.tree.clone().score(&i.df.head(Some(1)))?) },
    Verb { name: "score", run: |i| keep(i.tree.score(&i.df)?) },
    Verb { name: "evaluate", run: |i| keep(i.tree.evaluate(&i.df)?) },
    Verb { name: "candidates", run: |i| keep(i.tree.candidates(&i.df, 0)?) },
    Verb { name: "explain_row", run: |i| keep(i.tree.explain_row(&i.df, 0)?.path) },
    Verb { name: "report", run: |i| drawn(i.tree.report(&i.df)?) },
];

fn keep(_: DataFrame) -> crate::Outcome {
    Ok(())
}

fn made(_: Tree) -> crate::Outcome {
    Ok(())
}

fn drawn(_: String) -> crate::Outcome {
    Ok(())
}
