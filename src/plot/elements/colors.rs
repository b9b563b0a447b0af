//! Colours that people with any kind of colour vision can tell apart.

use crate::data::target::rarer_class;

/// Okabe & Ito's palette ("Color Universal Design", 2008), without its black, in an order that
/// sets the first two furthest apart.
pub(crate) const PALETTE: [&str; 7] =
    ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442"];
/// Classes past the palette.
pub(crate) const OTHER: &str = "#999999";
/// The colours of a scale, from below its middle to above it.
pub(crate) const LOW_TO_HIGH: [&str; 5] = ["#0072B2", "#56B4E9", "#999999", "#E69F00", "#D55E00"];
/// Lifts and their colours, from less frequent than in all rows to more. A lift has the colour of
/// the nearest, on a scale of doublings.
const LIFTS: [(&str, &str); 5] = [
    ("¼ or less", LOW_TO_HIGH[0]),
    ("½", LOW_TO_HIGH[1]),
    ("1", LOW_TO_HIGH[2]),
    ("2", LOW_TO_HIGH[3]),
    ("4 or more", LOW_TO_HIGH[4]),
];

/// Colours of lines, text and grounds, in pictures and charts alike.
pub(crate) const INK: &str = "#222222";
pub(crate) const FAINT: &str = "#666666";
pub(crate) const RAIL: &str = "#C8CDD3";
pub(crate) const PAPER: &str = "#FFFFFF";
pub(crate) const CARD: &str = "#F6F7F9";
/// A mean.
pub(crate) const MARK: &str = "#D55E00";
pub(crate) const BAR: &str = "#0072B2";

/// How the classes of a picture are coloured: each in its own colour, heaviest first where there
/// are too many; or, where the picture is about one of them, by its lift.
#[derive(Clone, Debug)]
pub(crate) struct Palette {
    color_of: Vec<Option<usize>>,
    /// What the colours are about, if they are about one class.
    pub(crate) event: Option<Event>,
}

/// The class that a picture is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    /// `None` where a palette of other classes lacks it.
    pub(crate) class: Option<usize>,
    /// Its share in all rows.
    pub(crate) base: f64,
}

impl Event {
    /// Its share in rows of these counts.
    pub(crate) fn share(&self, counts: &[f64]) -> f64 {
        let share = self.class.map_or(0.0, |class| counts[class] / counts.iter().sum::<f64>());
        if share.is_finite() { share } else { 0.0 }
    }

    /// How many times as frequent it is at a share as in all rows.
    pub(crate) fn lift(&self, share: f64) -> f64 {
        if self.base > 0.0 { share / self.base } else { 1.0 }
    }

    pub(crate) fn color(&self, share: f64) -> &'static str {
        let doublings = self.lift(share).log2().round().clamp(-2.0, 2.0);
        LIFTS[(doublings + 2.0) as usize].1
    }
}

impl Palette {
    /// The colours of a model's pictures, which are about a class or about all of them. `totals` are the
    /// classes' weights in training, in class order.
    pub(crate) fn of_totals(totals: &[f64], event: Option<usize>) -> Palette {
        let mut heaviest: Vec<usize> = (0..totals.len()).collect();
        heaviest.sort_by(|&a, &b| totals[b].total_cmp(&totals[a]));
        heaviest.truncate(PALETTE.len());
        // In class order, so that the same class has the same colour in every picture.
        heaviest.sort_unstable();
        let mut color_of = vec![None; totals.len()];
        for (color, class) in heaviest.into_iter().enumerate() {
            color_of[class] = Some(color);
        }
        let event = event.map(|class| {
            let event = Event { class: Some(class), base: 0.0 };
            Event { base: event.share(totals), ..event }
        });
        Palette { color_of, event }
    }

    /// The colours of pictures of rows; of two classes they are about the rarer. `weights` are the
    /// classes', in class order.
    pub(crate) fn of_rows(weights: &[f64]) -> Palette {
        Palette::of_totals(weights, rarer_class(weights))
    }

    /// The colours of classes in another order; `None` is a class without one.
    pub(crate) fn reordered(&self, classes: &[Option<usize>]) -> Palette {
        let color = |class: &Option<usize>| self.color_of.get((*class)?).copied().flatten();
        let place = |event: Event| Event {
            class: classes.iter().position(|class| class.is_some() && *class == event.class),
            ..event
        };
        Palette { color_of: classes.iter().map(color).collect(), event: self.event.map(place) }
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
    fn colored(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.color_of.len()).filter(|&class| self.has(class))
    }

    /// The entries of a legend: texts and colours.
    pub(crate) fn legend(&self, name: impl Fn(usize) -> String) -> Vec<(String, &'static str)> {
        if let Some(event) = self.event {
            let mut entries = LIFTS.map(|(lift, color)| (lift.to_string(), color));
            let of = event.class.map_or_else(String::new, |class| format!(" of {}", name(class)));
            entries[0].0 = format!("lift{of}: {}", entries[0].0);
            return entries.into();
        }
        let mut entries: Vec<(String, &str)> =
            self.colored().map(|class| (name(class), self.color(class))).collect();
        let others = self.color_of.iter().filter(|color| color.is_none()).count();
        if others > 0 {
            entries.push((format!("{others} other classes"), OTHER));
        }
        entries
    }

    /// What fills a bar of a width that stands for rows: (offset, width, colour). Each class stands
    /// where and as wide as its share says, in class order, the others together at the end; a bar
    /// about one class has one colour.
    pub(crate) fn segments(&self, counts: &[f64], width: f64) -> Vec<(f64, f64, &'static str)> {
        let sum: f64 = counts.iter().sum();
        if sum.is_nan() || sum <= 0.0 {
            return Vec::new();
        }
        if let Some(event) = self.event {
            return vec![(0.0, width, event.color(event.share(counts)))];
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_about_a_class_is_coloured_by_its_lift() {
        let palette = Palette::of_rows(&[984.0, 16.0]);
        let colors = [0.0, 4.0, 8.0, 16.0, 32.0, 64.0, 500.0]
            .map(|n| palette.segments(&[1000.0 - n, n], 9.0))
            .map(|segments| LIFTS.iter().position(|(_, color)| *color == segments[0].2));
        assert_eq!(colors, [0, 0, 1, 2, 3, 4, 4].map(Some));
        // Among other classes its colour stays what it was.
        let swapped = palette.reordered(&[Some(1), None]);
        assert_eq!(swapped.segments(&[64.0, 936.0], 1.0)[0].2, LIFTS[4].1);
        let lacking = palette.reordered(&[Some(0)]);
        assert_eq!(lacking.segments(&[5.0], 1.0)[0].2, LIFTS[0].1);
        // Each of three classes has a colour of its own.
        assert_eq!(Palette::of_rows(&[1.0, 1.0, 2.0]).segments(&[1.0, 1.0, 2.0], 4.0).len(), 3);
    }
}
