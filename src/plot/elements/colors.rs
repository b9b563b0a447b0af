//! Colours that people with any kind of colour vision can tell apart.

use crate::tree::TreeData;

/// Okabe & Ito's palette ("Color Universal Design", 2008), without its black, in an order that
/// sets the first two furthest apart.
const PALETTE: [&str; 7] =
    ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442"];
/// Classes past the palette.
const OTHER: &str = "#999999";

/// Colours of lines, text and grounds, in pictures and charts alike.
pub(crate) const INK: &str = "#222222";
pub(crate) const FAINT: &str = "#666666";
pub(crate) const RAIL: &str = "#C8CDD3";
pub(crate) const PAPER: &str = "#FFFFFF";
pub(crate) const CARD: &str = "#F6F7F9";
/// A mean.
pub(crate) const MARK: &str = "#D55E00";
pub(crate) const BAR: &str = "#0072B2";

/// The classes that have a colour of their own, heaviest first where there are too many.
#[derive(Clone, Debug)]
pub(crate) struct Palette {
    color_of: Vec<Option<usize>>,
}

impl Palette {
    pub(crate) fn of_tree(tree: &TreeData) -> Palette {
        Palette::of_weights(tree.class_counts(0))
    }

    /// `weights` are the classes', in class order.
    pub(crate) fn of_weights(weights: &[f64]) -> Palette {
        let mut heaviest: Vec<usize> = (0..weights.len()).collect();
        heaviest.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
        heaviest.truncate(PALETTE.len());
        // In class order, so that the same class has the same colour in every picture.
        heaviest.sort_unstable();
        let mut color_of = vec![None; weights.len()];
        for (color, class) in heaviest.into_iter().enumerate() {
            color_of[class] = Some(color);
        }
        Palette { color_of }
    }

    /// The colours of classes in another order; `None` is a class without one.
    pub(crate) fn reordered(&self, classes: impl Iterator<Item = Option<usize>>) -> Palette {
        let color = |class: Option<usize>| self.color_of.get(class?).copied().flatten();
        Palette { color_of: classes.map(color).collect() }
    }

    pub(crate) fn color(&self, class: usize) -> &'static str {
        match self.color_of.get(class) {
            Some(Some(color)) => PALETTE[*color],
            _ => OTHER,
        }
    }

    pub(crate) fn has(&self, class: usize) -> bool {
        self.color_of.get(class).is_some_and(Option::is_some)
    }

    /// The classes with a colour of their own, in class order.
    pub(crate) fn colored(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.color_of.len()).filter(|&class| self.has(class))
    }

    /// Classes that share the last colour.
    pub(crate) fn n_others(&self) -> usize {
        self.color_of.iter().filter(|color| color.is_none()).count()
    }

    /// Where and how wide each class stands in a bar of a width, in class order, the others
    /// together at the end: (offset, width, colour).
    pub(crate) fn segments(&self, counts: &[f64], width: f64) -> Vec<(f64, f64, &'static str)> {
        let sum: f64 = counts.iter().sum();
        if sum.is_nan() || sum <= 0.0 {
            return Vec::new();
        }
        let mut left = 0.0;
        let mut segments = Vec::new();
        let mut push = |count: f64, color| {
            let part = width * count / sum;
            if part > 0.0 {
                segments.push((left, part, color));
            }
            left += part;
        };
        self.colored().for_each(|class| push(counts[class], self.color(class)));
        let others = (0..counts.len()).filter(|&class| !self.has(class));
        push(others.map(|class| counts[class]).sum(), OTHER);
        segments
    }
}
