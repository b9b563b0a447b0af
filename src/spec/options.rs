//! The choices a spec is made of.

use serde::{Deserialize, Serialize};

/// The preset a spec started from. It is only a label in the model and the tree's text: the
/// other fields, which the preset fills in, decide what is grown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Algorithm {
    /// Quinlan 1986: information gain, multiway nominal rules.
    Id3,
    /// Quinlan 1993: gain ratio among features of at least mean gain.
    C45,
    /// Breiman, Friedman, Olshen & Stone 1984: Gini, two-way rules.
    Cart,
}

impl Algorithm {
    /// Its usual name.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Id3 => "ID3",
            Algorithm::C45 => "C4.5",
            Algorithm::Cart => "CART",
        }
    }
}

/// Impurity of a stat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Criterion {
    /// `-Σ p log p` (Shannon), in the units of [`LogBase`].
    Entropy,
    /// `1 - Σ p²` (Breiman et al.).
    Gini,
    /// The variance of a numeric target, which is always used for one. For classes it is Gini:
    /// the variances of the class indicators add up to it.
    Variance,
}

/// How a node chooses among the columns' best candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Selection {
    /// The highest gain.
    BestScore,
    /// The highest gain divided by split info.
    BestRatio,
    /// C4.5: among features of at least mean gain, the highest ratio. Nominal features whose
    /// levels number 30 % or more of the training rows do not count towards the mean.
    RatioAboveMeanGain,
}

/// The form of a rule on a nominal feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grouping {
    /// A branch per level.
    Multiway,
    /// `x == level`.
    OneVsRest,
    /// `x in {…}`: exact up to [`SUBSET_EXHAUSTIVE_LEVELS`] levels, and beyond that for two
    /// classes and numeric targets where no limit on leaves forbids the best set. Else sets of
    /// more levels are improved by exchanges of levels (Chou 1991), and the node is marked as
    /// approximate.
    Subset,
}

/// `Subset` tries every subset of up to this many levels where no order of them is exact.
pub const SUBSET_EXHAUSTIVE_LEVELS: usize = 10;

/// How a tree treats missing values (null and NaN).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Missing {
    /// Missing is tried on each side of a two-way rule, and as a rule of its own; a multiway
    /// rule gives it a branch. Gains are over all rows.
    Learn,
    /// The rule is rated over the rows whose value is known, its gain scaled by their share;
    /// missing then joins the heavier branch (ties right; multiway: the earlier level).
    Majority,
    /// C4.5 (Quinlan 1993, chapter 3): the gain is scaled by the known share, missing counts as
    /// one more branch in the split info, and a row whose value is missing goes down every branch
    /// with the branch's share of the known weight. Scoring does the same, also at a node that
    /// saw no missing value. Limits count known rows only, and a partial row by its share; a
    /// limit of one row is met by any part of a row. A node's `n` counts whole and partial rows
    /// alike, and its weight is the sum of their shares.
    Fractional,
    /// A missing value in a used feature is an error, in fitting and in scoring.
    Error,
}

/// The kind of target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// By the target's dtype: integers, booleans and text are classes, floats and decimals are
    /// numbers.
    #[default]
    Auto,
    /// Every distinct value of the target is a class.
    Classify,
    /// The target is a number.
    Regress,
}

/// The weight of a row by its class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClassWeights {
    /// All classes have weight 1.
    Equal,
    /// Every class has the same total weight: with k classes of total weight W, a class whose
    /// rows sum to w has weight `W / (k w)`.
    Balanced,
    /// The weights of these classes, by name, positive and finite; other classes have weight 1.
    Given(Vec<(String, f64)>),
}

/// The unit of entropies and gains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LogBase {
    /// Bits.
    #[default]
    #[serde(rename = "2")]
    Two,
    /// Nats.
    #[serde(rename = "e")]
    E,
}

/// How a grown tree is pruned. [`Tree`](crate::Tree) has a method for each, and two more: by
/// held-out rows, and by cross-validation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Pruning {
    /// No pruning.
    #[default]
    None,
    /// Cost-complexity pruning (Breiman et al. 1984): a leaf costs `alpha`, in the criterion's
    /// units; see [`prune_cost_complexity`](crate::Tree::prune_cost_complexity).
    CostComplexity {
        /// Finite and not negative.
        alpha: f64,
    },
    /// The largest cost-complexity subtree of at most this many leaves; see
    /// [`prune_to_leaves`](crate::Tree::prune_to_leaves).
    Leaves {
        /// At least 1.
        at_most: u32,
    },
    /// By the predicted error rate of the leaves (Quinlan 1993); see
    /// [`prune_pessimistic`](crate::Tree::prune_pessimistic). A regression tree has no error
    /// rate: it is not pruned, and its spec then says `None`.
    Pessimistic {
        /// Above 0 and at most 1. Quinlan uses 0.25; lower values prune more.
        confidence: f64,
    },
}

/// What pruning by rows, held out or of folds, goes by. Rows weigh as in fitting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PruneBy {
    /// The share of rows whose class is not the answer; the mean squared error of numbers. Where a
    /// class is rare, hardly a split changes an answer, and little is left of a tree.
    #[default]
    ErrorRate,
    /// The mean of `-ln p` of the actual class, p clipped to [2^-52, 1].
    LogLoss,
    /// The mean of `Σ (p_c - y_c)²` over the classes, where y is 1 for the actual class and 0
    /// otherwise: the Gini index of a leaf is this on its own rows (Brier 1950).
    Gini,
}

impl PruneBy {
    /// `error_rate`, `log_loss` or `gini`.
    pub fn name(self) -> &'static str {
        match self {
            PruneBy::ErrorRate => "error_rate",
            PruneBy::LogLoss => "log_loss",
            PruneBy::Gini => "gini",
        }
    }
}

/// The column a ranking is sorted by; ties keep the columns' order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SortBy {
    /// `H(D) - H(D|A)`.
    #[default]
    InfoGain,
    /// Information gain over split info.
    GainRatio,
    /// `gini(D)` minus the weighted gini of the best two-way rule.
    GiniGain,
    /// `2 gain / (H(D) + H_A(D))`.
    SymmetricUncertainty,
    /// The information value of the feature's bins, as [`woe_bins`](crate::WoeSpec) makes them by
    /// default, for a target of two classes. It needs the rows, and is not of groups.
    InformationValue,
}

/// How a ranking treats missing values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RankMissing {
    /// Entropies and ginis are over the known rows; gains are scaled by their share.
    #[default]
    Known,
    /// Missing is one more level of a nominal feature. In an ordered one it is placed on the better
    /// side of a cut, or against all known values.
    OwnLevel,
}

/// The cuts that an ordered feature's entropy columns describe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cuts {
    /// The cut of highest gain.
    #[default]
    Best,
    /// All cuts that minimum description length accepts (Fayyad & Irani 1993): the feature is
    /// rated by its partition into the intervals between them.
    Mdl,
}
