//! What a forest draws: arguments of all commands that grow one.

use clap::{ArgAction, Args};
use gaintree::{ForestSpec, MaxFeatures, TreeSpec};

use super::parsers::{max_features, seed};

#[derive(Args)]
pub struct DrawArgs {
    /// Look at so many features at each node: a number, a share with a point in it as in 0.5, or auto,
    /// the root of their number for classes and a third of it for numbers
    #[arg(long, value_name = "N", value_parser = max_features, default_value = "auto",
        allow_negative_numbers = true)]
    pub max_features: MaxFeatures,
    /// Whether the trees are extremely randomised: a node rates one split of each feature it looks at,
    /// which is drawn, in place of all
    #[arg(long, value_name = "BOOL", default_value_t = false, action = ArgAction::Set)]
    pub extra: bool,
    /// Whether the rows of a tree are drawn with replacement
    #[arg(long, value_name = "BOOL", default_value_t = true, action = ArgAction::Set)]
    pub bootstrap: bool,
    /// Draw this share of the rows for a tree
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, allow_negative_numbers = true)]
    pub sample_share: f64,
    /// Draw by this seed
    #[arg(long, value_name = "SEED", value_parser = seed, default_value_t = 0,
        allow_negative_numbers = true)]
    pub seed: u64,
}

impl DrawArgs {
    pub fn spec(&self, tree: TreeSpec, trees: u32) -> ForestSpec {
        ForestSpec::new(tree)
            .trees(trees)
            .max_features(self.max_features)
            .extra(self.extra)
            .bootstrap(self.bootstrap)
            .sample_share(self.sample_share)
            .seed(self.seed)
    }
}
