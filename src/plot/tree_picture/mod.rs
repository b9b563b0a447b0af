//! The tree as a picture: cards joined by branches as thick as their rows.

mod distribution;
mod drawing;
pub(super) mod node_text;
mod plan;
mod tidy_layout;
pub(super) mod visible;

pub(crate) use distribution::ShownRows;
pub(crate) use drawing::drawing;

use crate::error::Result;
use crate::spec::spec;
use crate::tree::TreeData;
use visible::VisibleTree;

/// Which way a picture of a tree grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The root is on top.
    Down,
    /// The root is on the left: for trees of many leaves.
    Right,
}

spec! {
    /// What a picture of a tree shows.
    ///
    /// ```
    /// use gaintree::{Direction, TreePicture};
    /// let options = TreePicture::default().max_depth(4).direction(Direction::Down);
    /// ```
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct TreePicture {
        /// Nodes below this depth are folded; `None` is no limit.
        pub max_depth: Option<u32>,
        /// The most leaves and folded subtrees that are shown, the splits that gain most first;
        /// `None` is 32, or no limit where a `max_depth` is given.
        pub max_leaves: Option<usize>,
        /// Which way it grows; `None` is down where that is no wider than a page, else right.
        pub direction: Option<Direction>,
        /// The class that the picture is about, as text; `None` is the rarer of two classes, and no
        /// class of more. A node's bar is then the class's share, and the colours are its lift: how
        /// many times as frequent it is there as in all rows. Without one each class has a colour.
        pub event: Option<String>,
        /// Two lines a node instead of four.
        pub compact: bool,
    }
}

impl TreePicture {
    /// The class that the picture is about, by its index.
    pub(crate) fn event_of(&self, tree: &TreeData) -> Result<Option<usize>> {
        tree.named_event(self.event.as_deref())
    }

    fn visible(&self, tree: &TreeData) -> VisibleTree {
        let leaves = match (self.max_leaves, self.max_depth) {
            (Some(leaves), _) => leaves,
            (None, Some(_)) => usize::MAX / 2,
            (None, None) => DEFAULT_LEAVES,
        };
        VisibleTree::of(tree, self.max_depth.unwrap_or(u32::MAX), leaves)
    }
}

/// Leaves and folded subtrees that are shown by default.
const DEFAULT_LEAVES: usize = 32;
impl TreeData {
    /// The tree as an SVG picture, which needs no font beyond the reader's sans-serif one: each
    /// node with its rule, rows, class shares and gain, each branch labelled and as thick as its
    /// share of the rows. Folded subtrees say what they hold. A branch's tooltip names up to a
    /// hundred levels of a set. The same tree gives the same bytes. Linear in the nodes.
    ///
    /// ```
    /// # #[cfg(feature = "polars")] {
    /// # use gaintree::{prelude::*, TreePicture};
    /// # use polars::prelude::*;
    /// let df = df!["wind" => [8.5, 30.0, 12.0, 28.0], "play" => ["yes", "no", "yes", "no"]]?;
    /// let svg = df.fit_tree("play", &TreeSpec::cart())?.tree.to_svg(&TreePicture::default())?;
    /// assert!(svg.starts_with("<svg") && svg.contains("&lt; 20"));
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// An event that is no class of the target.
    pub fn to_svg(&self, options: &TreePicture) -> Result<String> {
        Ok(drawing(self, options, options.event_of(self)?, None).document())
    }
}
