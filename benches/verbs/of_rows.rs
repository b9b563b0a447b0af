//! Verbs whose time is of rows, levels and groups.

use gaintree::{curve_svg, prelude::*, ranking_svg};
use polars::prelude::*;

use crate::data::Rows;
use crate::{Outcome, Verb};

pub const VERBS: [Verb<Rows>; 46] = [
    Verb { name: "rank", run: |i| rank(i, "y", RankSpec::default()) },
    Verb { name: "rank, numbers", run: |i| rank(i, "z", RankSpec::default()) },
    Verb { name: "rank, MDL", run: |i| rank(i, "y", RankSpec::default().cuts(Cuts::Mdl)) },
    Verb {
        name: "rank by n / 10 groups",
        run: |i| rank(i, "y", RankSpec::default().by(["group"])),
    },
    Verb {
        name: "rank by n / 10 groups, numbers",
        run: |i| rank(i, "z", RankSpec::default().by(["group"])),
    },
    Verb {
        name: "rank by n / 10 groups, MDL",
        run: |i| rank(i, "y", RankSpec::default().by(["group"]).cuts(Cuts::Mdl)),
    },
    Verb { name: "rank, given levels", run: |i| rank(i, "y", RankSpec::default().given(["name"])) },
    Verb { name: "rank, given an x", run: |i| rank(i, "y", RankSpec::default().given(["x"])) },
    Verb {
        name: "rank by n / 10 groups, given few",
        run: |i| rank(i, "y", RankSpec::default().by(["group"]).given(["few"])),
    },
    Verb { name: "rank, 20 permutations", run: |i| rank(i, "y", features().chance(20)) },
    Verb {
        name: "screen",
        run: |i| {
            i.df.screen("y", &ScreenSpec::default())?;
            Ok(())
        },
    },
    Verb {
        name: "screen, numbers",
        run: |i| {
            i.df.screen("z", &ScreenSpec::default())?;
            Ok(())
        },
    },
    Verb {
        name: "select_features",
        run: |i| {
            i.df.select_features("y", &SelectSpec::default().features(["x", "few", "name"]))?;
            Ok(())
        },
    },
    Verb {
        name: "select_features, numbers",
        run: |i| {
            i.df.select_features("z", &SelectSpec::default().features(["x", "few", "name"]))?;
            Ok(())
        },
    },
    Verb {
        name: "gain_matrix",
        run: |i| {
            i.df.gain_matrix(&MatrixSpec::default())?;
            Ok(())
        },
    },
    Verb {
        name: "woe_bins",
        run: |i| {
            i.df.woe_bins("y", &WoeSpec::default().features(["x", "few"]))?;
            Ok(())
        },
    },
    Verb {
        name: "drift",
        run: |i| {
            i.df.drift(i.df.reverse(), &DriftSpec::default())?;
            Ok(())
        },
    },
    Verb {
        name: "ranking_svg",
        run: |i| {
            ranking_svg(&i.df.rank_gain("y", &features())?, "info_gain")?;
            Ok(())
        },
    },
    Verb { name: "curve", run: |i| curve(i, "y", "x") },
    Verb { name: "curve, numbers", run: |i| curve(i, "z", "x") },
    Verb { name: "curve, levels", run: |i| curve(i, "y", "name") },
    Verb { name: "curve_svg", run: |i| svg(i, "y", "x") },
    Verb { name: "curve_svg, numbers", run: |i| svg(i, "z", "x") },
    Verb { name: "curve_svg, levels", run: |i| svg(i, "y", "name") },
    Verb {
        name: "mdl_cuts",
        run: |i| {
            i.df.mdl_cuts("y", "x", &RankSpec::default())?;
            Ok(())
        },
    },
    Verb {
        name: "mdl_cuts, ordered levels",
        run: |i| {
            i.df.mdl_cuts("y", "name", &RankSpec::default().ordered(["name"]))?;
            Ok(())
        },
    },
    Verb {
        name: "mdl_cuts_by_feature",
        run: |i| {
            i.df.mdl_cuts_by_feature("y", &RankSpec::default())?;
            Ok(())
        },
    },
    Verb { name: "info_gain", run: |i| select(i, col("x").info_gain(col("y"))) },
    Verb { name: "info_gain by n / 10 groups", run: |i| by_group(i, col("x").info_gain(col("y"))) },
    Verb {
        name: "info_gain over n / 10 groups",
        run: |i| select(i, col("x").info_gain(col("y")).over([col("group")])?),
    },
    Verb { name: "class_entropy by n / 10 groups", run: |i| by_group(i, col("y").class_entropy()) },
    Verb { name: "split_info, levels", run: |i| select(i, col("name").split_info()) },
    Verb { name: "mdl_cut", run: |i| select(i, col("x").mdl_cut(col("y"))) },
    Verb {
        name: "mdl_cut over n / 10 groups",
        run: |i| select(i, col("x").mdl_cut(col("y")).over([col("group")])?),
    },
    Verb { name: "fit, CART to depth 12", run: |i| fit(i, "y", TreeSpec::cart().max_depth(12)) },
    Verb {
        name: "fit, CART to depth 12, numbers",
        run: |i| fit(i, "z", TreeSpec::cart().max_depth(12)),
    },
    Verb { name: "fit, C4.5 to depth 12", run: |i| fit(i, "y", TreeSpec::c45().max_depth(12)) },
    Verb {
        name: "fit, CART, 1,000 leaves",
        run: |i| fit(i, "y", TreeSpec::cart().max_leaves(1000)),
    },
    Verb {
        name: "cross_validate_pruning",
        run: |i| {
            let spec = TreeSpec::cart().features(["x", "few"]);
            cross_validate_pruning(&i.df, "y", &spec, &CvSpec::default().folds(3))?;
            Ok(())
        },
    },
    Verb {
        name: "candidates",
        run: |i| {
            i.tree.candidates(&i.df, 0)?;
            Ok(())
        },
    },
    Verb {
        name: "score",
        run: |i| {
            i.tree.score_with(&i.df, &ScoreSpec::default().probability(true).leaf(true))?;
            Ok(())
        },
    },
    Verb { name: "predict", run: |i| select(i, i.tree.predict()) },
    Verb { name: "to_when_then", run: |i| select(i, i.tree.prune_to_leaves(500)?.to_when_then()?) },
    Verb {
        name: "evaluate",
        run: |i| {
            i.tree.evaluate(&i.df)?;
            Ok(())
        },
    },
    Verb {
        name: "confusion",
        run: |i| {
            i.tree.confusion(&i.df)?;
            Ok(())
        },
    },
    Verb {
        name: "report",
        run: |i| {
            i.tree.report(&i.df)?;
            Ok(())
        },
    },
];

fn features() -> RankSpec {
    RankSpec::default().features(["x", "few", "holes", "name"])
}

fn rank(i: &Rows, target: &str, spec: RankSpec) -> Outcome {
    let features = ["x", "few", "holes", "name"].into_iter();
    let features: Vec<&str> =
        features.filter(|name| spec.given.iter().all(|given| given != name)).collect();
    i.df.rank_gain(target, &spec.features(features))?;
    Ok(())
}

fn curve(i: &Rows, target: &str, feature: &str) -> Outcome {
    i.df.split_candidates(target, feature, &RankSpec::default())?;
    Ok(())
}

fn svg(i: &Rows, target: &str, feature: &str) -> Outcome {
    curve_svg(&i.df, target, feature, &RankSpec::default())?;
    Ok(())
}

fn fit(i: &Rows, target: &str, spec: TreeSpec) -> Outcome {
    i.df.fit_tree(target, &spec.features(["x", "few", "holes", "name"]))?;
    Ok(())
}

fn select(i: &Rows, expr: Expr) -> Outcome {
    i.df.clone().lazy().select([expr]).collect()?;
    Ok(())
}

fn by_group(i: &Rows, expr: Expr) -> Outcome {
    i.df.clone().lazy().group_by([col("group")]).agg([expr]).collect()?;
    Ok(())
}
