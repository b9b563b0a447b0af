//! What is asked for: plain data, no imports from the rest of the crate.

use serde::{Deserialize, Serialize};

/// Setters that put a value in the field of their name.
macro_rules! setters {
    ($($(#[$doc:meta])* $field:ident: $kind:ty),* $(,)?) => {
        $($(#[$doc])*
        #[must_use]
        pub fn $field(mut self, $field: $kind) -> Self {
            self.$field = $field;
            self
        })*
    };
}

/// The setters both specs have: of columns by name, and of threads.
macro_rules! column_setters {
    () => {
        /// Sets the column of row weights.
        #[must_use]
        pub fn weight(mut self, column: impl Into<String>) -> Self {
            self.weight = Some(column.into());
            self
        }

        /// Sets the features.
        #[must_use]
        pub fn features<S: Into<String>>(mut self, columns: impl IntoIterator<Item = S>) -> Self {
            self.features = Some(columns.into_iter().map(Into::into).collect());
            self
        }

        /// Takes these columns as ordered.
        #[must_use]
        pub fn ordered<S: Into<String>>(mut self, columns: impl IntoIterator<Item = S>) -> Self {
            self.ordered = columns.into_iter().map(Into::into).collect();
            self
        }

        /// Takes these columns as nominal.
        #[must_use]
        pub fn nominal<S: Into<String>>(mut self, columns: impl IntoIterator<Item = S>) -> Self {
            self.nominal = columns.into_iter().map(Into::into).collect();
            self
        }

        /// Works in a pool of this many threads of its own.
        #[must_use]
        pub fn threads(mut self, threads: usize) -> Self {
            self.threads = Some(threads);
            self
        }
    };
}

/// The family a preset comes from. It is recorded in the model and shown with the tree;
/// what the tree does is decided by the other fields, which the preset fills in.
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
    /// Of a numeric target, whatever was asked for. (Of classes it would be Gini again: the
    /// variances of the class indicators add up to it.)
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

/// What a rule on a nominal feature looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grouping {
    /// A branch per level.
    Multiway,
    /// `x == level` against the rest.
    OneVsRest,
    /// `x in {…}` against the rest: exact for two classes and for numbers; for more classes
    /// exhaustive up to [`SUBSET_EXHAUSTIVE_LEVELS`] levels, and past that the better of a
    /// heuristic order of the levels (Coppersmith, Hong & Hosking 1999) and the best one-vs-rest
    /// rule, which the node marks as approximate.
    Subset,
}

/// With more than two classes, `Subset` looks at every subset of up to this many levels.
pub const SUBSET_EXHAUSTIVE_LEVELS: usize = 10;

/// What is done with missing values (null and NaN).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Missing {
    /// Missing is tried on each side of a two-way rule, and as a rule of its own; a multiway
    /// rule gives it a branch. Gains are over all rows.
    Learn,
    /// The rule is rated over the rows whose value is known, its gain scaled by their share;
    /// missing then joins the heavier branch (ties right; multiway: the earlier level).
    Majority,
    /// C4.5's own (Quinlan 1993, chapter 3): the gain is scaled by the known share, missing
    /// counts as one more branch in the split info, and a row whose value is missing goes down
    /// every branch with the branch's share of the known weight, in growing and in scoring
    /// (there also where the node saw no missing value: the shares are known). Limits count
    /// known rows alone, a row that is there in part by its share; a limit of one row is any
    /// part of one. `n` of a node is the rows that are there in part or whole, its weight the
    /// sum of their shares.
    Fractional,
    /// A missing value in a used feature is an error, in fitting and in scoring.
    Error,
}

/// The kind of target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    #[default]
    /// By the target's dtype: integers, booleans and text are classes, floats and decimals
    /// numbers.
    Auto,
    /// Every distinct value of the target is a class.
    Classify,
    /// The target is a number.
    Regress,
}

/// Weights of whole classes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClassWeights {
    /// Every class weighs as its rows do.
    Equal,
    /// All classes weigh the same together: a class of weight w among k classes of total weight
    /// W weighs `W / (k w)` a row.
    Balanced,
    /// These classes (by name) weigh so much a row, positive and finite; the others 1.
    Given(Vec<(String, f64)>),
}

/// The unit of entropies and gains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LogBase {
    /// Bits.
    #[serde(rename = "2")]
    Two,
    /// Nats.
    #[serde(rename = "e")]
    E,
}

/// How a grown tree is pruned. [`Tree`](crate::Tree) has each of these as a method too, and two
/// ways more: by held-out rows, and by cross-validation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Pruning {
    #[default]
    /// Not at all.
    None,
    /// As if a leaf cost `alpha`, in the criterion's units (Breiman et al. 1984); see
    /// [`prune_cost_complexity`](crate::Tree::prune_cost_complexity).
    CostComplexity {
        /// Finite and not negative.
        alpha: f64,
    },
    /// To the largest cost-complexity subtree of so many leaves; see
    /// [`prune_to_leaves`](crate::Tree::prune_to_leaves).
    Leaves {
        /// At least 1.
        at_most: u32,
    },
    /// By the errors the leaves are predicted to make (Quinlan 1993); see
    /// [`prune_pessimistic`](crate::Tree::prune_pessimistic). A tree of numbers has no wrong
    /// classes to count: it is grown without pruning, and its spec says so.
    Pessimistic {
        /// Above 0, at most 1; Quinlan's is 0.25, and a lower one prunes more.
        confidence: f64,
    },
}

/// How a tree is grown. Start from a preset and change what you need:
///
/// ```
/// use gaintree::{Criterion, TreeSpec};
/// let spec = TreeSpec::cart().criterion(Criterion::Entropy).max_depth(8).min_samples_leaf(5);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TreeSpec {
    /// The preset this began as.
    pub algorithm: Algorithm,
    /// Impurity by which candidates are rated.
    pub criterion: Criterion,
    /// Choice among the columns' best candidates.
    pub selection: Selection,
    /// Shape of the rules on nominal features.
    pub grouping: Grouping,
    /// Kind of target.
    pub task: Task,
    /// Unit of entropies and gains.
    pub log_base: LogBase,
    /// What is done with missing values.
    pub missing: Missing,
    /// A column of non-negative finite row weights; a row of weight 0 is as if absent.
    pub weight: Option<String>,
    /// Weights of whole classes, times the rows' own. Class counts are then of weights.
    pub class_weights: ClassWeights,
    /// The features; `None` is every column but target and weight.
    pub features: Option<Vec<String>>,
    /// Features taken as ordered whatever their dtype.
    pub ordered: Vec<String>,
    /// Features taken as nominal whatever their dtype.
    pub nominal: Vec<String>,
    /// Deepest node; the root is at 0. `None` is no limit.
    pub max_depth: Option<u32>,
    /// Most leaves: the tree is grown best-first, by gain times the node's share of the rows'
    /// weight, until it has them. `None` is no limit.
    pub max_leaves: Option<u32>,
    /// A node of fewer rows is a leaf.
    pub min_samples_split: u64,
    /// Both branches of a two-way rule, and at least two of a multiway one, have this many rows.
    pub min_samples_leaf: u64,
    /// The same of their weight.
    pub min_weight_leaf: f64,
    /// A rule gains at least this, in the criterion's units, at its own node.
    pub min_gain: f64,
    /// Whether a rule may gain exactly 0 (exclusive-or needs it).
    pub zero_gain_splits: bool,
    /// How the grown tree is pruned.
    pub pruning: Pruning,
    /// Threads to grow with; `None` is the pool of the caller. It never changes the tree, and
    /// is not part of a model file.
    #[serde(skip)]
    pub threads: Option<usize>,
}

impl Default for TreeSpec {
    fn default() -> Self {
        Self::cart()
    }
}

impl TreeSpec {
    /// CART (Breiman et al. 1984): Gini (variance of numbers), best score, subsets of levels,
    /// zero-gain splits, no pruning.
    pub fn cart() -> Self {
        TreeSpec {
            algorithm: Algorithm::Cart,
            criterion: Criterion::Gini,
            selection: Selection::BestScore,
            grouping: Grouping::Subset,
            task: Task::Auto,
            log_base: LogBase::Two,
            missing: Missing::Learn,
            weight: None,
            class_weights: ClassWeights::Equal,
            features: None,
            ordered: Vec::new(),
            nominal: Vec::new(),
            max_depth: None,
            max_leaves: None,
            min_samples_split: 2,
            min_samples_leaf: 1,
            min_weight_leaf: 0.0,
            min_gain: 0.0,
            zero_gain_splits: true,
            pruning: Pruning::None,
            threads: None,
        }
    }

    /// ID3 (Quinlan 1986): entropy, best score, a branch per level.
    pub fn id3() -> Self {
        TreeSpec {
            algorithm: Algorithm::Id3,
            criterion: Criterion::Entropy,
            grouping: Grouping::Multiway,
            zero_gain_splits: false,
            ..Self::cart()
        }
    }

    /// C4.5 (Quinlan 1993): entropy, gain ratio among features of at least mean gain, a branch
    /// per level, missing values in fractions, two rows a leaf, pessimistic pruning at
    /// confidence 0.25.
    pub fn c45() -> Self {
        TreeSpec {
            algorithm: Algorithm::C45,
            selection: Selection::RatioAboveMeanGain,
            missing: Missing::Fractional,
            min_samples_leaf: 2,
            pruning: Pruning::Pessimistic { confidence: 0.25 },
            ..Self::id3()
        }
    }

    setters! {
        /// Sets the impurity.
        criterion: Criterion,
        /// Sets the choice among columns.
        selection: Selection,
        /// Sets the shape of nominal rules.
        grouping: Grouping,
        /// Sets the kind of target.
        task: Task,
        /// Sets the unit of entropies and gains.
        log_base: LogBase,
        /// Sets what is done with missing values.
        missing: Missing,
        /// Sets the weights of whole classes.
        class_weights: ClassWeights,
        /// Sets the least rows of a node that may split.
        min_samples_split: u64,
        /// Sets the least rows of a branch.
        min_samples_leaf: u64,
        /// Sets the least weight of a branch.
        min_weight_leaf: f64,
        /// Sets the least gain of a rule.
        min_gain: f64,
        /// Allows or forbids rules that gain exactly 0.
        zero_gain_splits: bool,
        /// Sets how the grown tree is pruned.
        pruning: Pruning,
    }

    column_setters!();

    /// Sets the most leaves, and grows best-first.
    #[must_use]
    pub fn max_leaves(mut self, leaves: u32) -> Self {
        self.max_leaves = Some(leaves);
        self
    }

    /// Sets the deepest level; the root is at 0.
    #[must_use]
    pub fn max_depth(mut self, depth: u32) -> Self {
        self.max_depth = Some(depth);
        self
    }
}

/// The column a ranking is sorted by; ties keep the columns' order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SortBy {
    /// `H(D) - H(D|A)`.
    InfoGain,
    /// Information gain over split info.
    GainRatio,
    /// `gini(D)` less the weighted gini of the best two-way rule.
    GiniGain,
    /// `2 gain / (H(D) + H_A(D))`.
    SymmetricUncertainty,
}

/// What a ranking does with missing values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RankMissing {
    /// Entropies and ginis are over the rows whose value is known; gains are scaled by their
    /// share.
    Known,
    /// Missing is one more level of a nominal feature, and is placed on the better side of an
    /// ordered one.
    OwnLevel,
}

/// The cuts an ordered feature's entropy columns are of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cuts {
    /// The cut of highest gain.
    #[default]
    Best,
    /// All cuts that pay for themselves by the minimum description length (Fayyad & Irani
    /// 1993): the feature is rated by the partition into the intervals between them.
    Mdl,
}

/// How features are ranked.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RankSpec {
    /// The features; `None` is every column but target, weight and `by`.
    pub features: Option<Vec<String>>,
    /// Features taken as ordered whatever their dtype.
    pub ordered: Vec<String>,
    /// Features taken as nominal whatever their dtype.
    pub nominal: Vec<String>,
    /// Columns whose distinct values are the groups to rank within.
    pub by: Vec<String>,
    /// Kind of target.
    pub task: Task,
    /// A column of non-negative finite row weights.
    pub weight: Option<String>,
    /// Unit of entropies and gains.
    pub log_base: LogBase,
    /// What is done with missing values.
    pub missing: RankMissing,
    /// The cuts an ordered feature is rated by.
    pub cuts: Cuts,
    /// The figure to sort by, best first.
    pub sort_by: SortBy,
    /// Threads to rank with; `None` is the pool of the caller.
    pub threads: Option<usize>,
}

impl Default for RankSpec {
    fn default() -> Self {
        RankSpec {
            features: None,
            ordered: Vec::new(),
            nominal: Vec::new(),
            by: Vec::new(),
            task: Task::Auto,
            weight: None,
            log_base: LogBase::Two,
            missing: RankMissing::Known,
            cuts: Cuts::Best,
            sort_by: SortBy::InfoGain,
            threads: None,
        }
    }
}

impl RankSpec {
    setters! {
        /// Sets the kind of target.
        task: Task,
        /// Sets the unit of entropies and gains.
        log_base: LogBase,
        /// Sets what is done with missing values.
        missing: RankMissing,
        /// Sets the cuts an ordered feature is rated by.
        cuts: Cuts,
        /// Sets the figure to sort by.
        sort_by: SortBy,
    }

    /// Ranks within the groups of these columns.
    #[must_use]
    pub fn by<S: Into<String>>(mut self, columns: impl IntoIterator<Item = S>) -> Self {
        self.by = columns.into_iter().map(Into::into).collect();
        self
    }

    column_setters!();
}
