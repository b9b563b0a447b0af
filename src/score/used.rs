//! The features that a model's rules use, as scoring needs them.

use crate::data::dtype::DType;
use crate::error::{Result, no_such_column};
use crate::score::kernel::scaled_node::ScaledNode;
use crate::score::scale::Scale;
use crate::tree::{Feature, Node, Schema, Split, TreeData};

pub(crate) struct UsedFeatures {
    /// Their indices in the schema, ascending.
    pub(super) indices: Vec<u32>,
    /// The scale of each.
    pub(super) scales: Vec<Scale>,
}

impl UsedFeatures {
    /// The features that the splits of one tree test, or of trees that share a schema; `indices`
    /// are their indices.
    pub(super) fn new<'t>(
        schema: &Schema,
        indices: Vec<u32>,
        splits: impl Iterator<Item = &'t Split>,
    ) -> UsedFeatures {
        let scales = Scale::of_used(schema, splits, &indices);
        UsedFeatures { indices, scales }
    }

    /// The features, of the schema they were made of.
    pub(crate) fn of<'t>(&self, schema: &'t Schema) -> impl Iterator<Item = &'t Feature> {
        self.indices.iter().map(|&index| &schema.features[index as usize])
    }

    /// Their columns, with the features.
    ///
    /// # Errors
    /// A column that is absent, or of a dtype its feature does not accept.
    pub(crate) fn columns<'t, S>(
        &self,
        schema: &'t Schema,
        column: impl Fn(&str) -> Result<Option<S>>,
        dtype: impl Fn(&S) -> &DType,
        known: &[&str],
    ) -> Result<Vec<(&'t Feature, S)>> {
        let with_column = |feature: &'t Feature| {
            let source = column(&feature.name)?
                .ok_or_else(|| no_such_column("feature of the model", &feature.name, known))?;
            feature.check(dtype(&source))?;
            Ok((feature, source))
        };
        self.of(schema).map(with_column).collect()
    }

    /// The inner nodes of a tree whose splits these are of; `None` for leaves.
    pub(super) fn scaled_nodes<'t>(&self, tree: &'t TreeData) -> Vec<Option<ScaledNode<'t>>> {
        let mut lanes = vec![0; tree.schema.features.len()];
        self.indices.iter().zip(0..).for_each(|(&feature, lane)| lanes[feature as usize] = lane);
        let scaled = |node: &'t Node| {
            let split = node.split.as_ref()?;
            let (feature, lane) = (tree.feature(split), lanes[split.rule.feature as usize]);
            let test =
                split.rule.test.map_cut(|cut| self.scales[lane as usize].cut(&feature.dtype, cut));
            let missing = split.next_of_missing(tree.spec.missing);
            let n_levels = feature.levels.len() as u32;
            Some(ScaledNode { lane, test, branches: &split.branches, missing, n_levels })
        };
        tree.nodes.iter().map(scaled).collect()
    }
}
