//! The model that a page is about.

use maud::Markup;

use super::header::{Tile, spec_of_forest, spec_of_tree};
use crate::plot::elements::text::{count, counted};
use crate::spec::LogBase;
use crate::tree::forest_data::ForestData;
use crate::tree::{Schema, TreeData};

/// What a page says of its model, which is a tree or a forest.
pub(crate) struct Subject<'a> {
    pub(super) schema: &'a Schema,
    /// As "cart tree".
    pub(super) name: String,
    /// What kind of model it is, "tree" or "forest".
    pub(super) kind: &'static str,
    pub(super) log_base: LogBase,
    /// The weight of each class in training; none for numbers.
    pub(super) class_totals: Vec<f64>,
    /// The mean in training; 0 for classes.
    pub(super) mean: f64,
    /// The rows it was fitted on, if it knows how many.
    pub(super) n_rows: Option<u64>,
    pub(super) size: Tile,
    pub(super) spec: Markup,
}

impl<'a> Subject<'a> {
    pub(crate) fn of_tree(tree: &'a TreeData) -> Subject<'a> {
        let n_rows = tree.node_slice()[0].n;
        let size = format!(
            "depth {}, fitted on {}, {}",
            tree.depth(),
            counted(n_rows, "row"),
            counted(tree.schema().features.len() as u64, "feature")
        );
        Subject {
            schema: tree.schema(),
            name: format!("{} tree", tree.spec().algorithm.name()),
            kind: "tree",
            log_base: tree.spec().log_base,
            class_totals: tree.class_totals(),
            mean: tree.mean(0).unwrap_or_default(),
            n_rows: Some(n_rows),
            size: Tile::new("Tree", counted(tree.n_leaves() as u64, "leaf"), size),
            spec: spec_of_tree(tree.spec()),
        }
    }

    pub(crate) fn of_forest(forest: &'a ForestData) -> Subject<'a> {
        let size = format!(
            "{} leaves, depth {}, {}",
            count(forest.n_leaves() as u64),
            forest.depth(),
            counted(forest.schema().features.len() as u64, "feature")
        );
        let n_trees = forest.n_trees();
        let means = forest.trees.iter().filter_map(|tree| tree.mean(0));
        Subject {
            schema: forest.schema(),
            name: "Forest".to_string(),
            kind: "forest",
            log_base: forest.spec().tree.log_base,
            class_totals: forest.trees[0].class_totals(),
            mean: means.map(|mean| mean / n_trees as f64).sum(),
            n_rows: None,
            size: Tile::new("Forest", counted(n_trees as u64, "tree"), size),
            spec: spec_of_forest(forest.spec()),
        }
    }

    pub(super) fn is_regression(&self) -> bool {
        self.schema.classes.is_empty()
    }
}
