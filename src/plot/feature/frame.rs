//! What the pictures of ordered and nominal features share: the feature, and the heading around
//! the figures.

use maud::{Markup, html};

use super::cut_figures::{CutFigures, gain_text};
use super::level_stats::LevelStats;
use crate::plot::elements::colors::{FAINT, INK, Palette};
use crate::plot::elements::drawing::{Drawing, legend, px, title_line};
use crate::plot::elements::text::{clean, count, counted, fit, isolated, short};
use crate::spec::LogBase;

/// The width of a picture of its own.
pub(crate) const WIDTH: f64 = 600.0;
pub(super) const MARGIN: f64 = 8.0;

/// A feature, its candidates, and the colours of its classes.
pub(super) struct FeaturePicture {
    pub(super) levels: LevelStats,
    pub(super) figures: CutFigures,
    /// None for a numeric target.
    pub(super) classes: Vec<String>,
    /// The classes whose shares are drawn.
    pub(super) drawn: Vec<usize>,
    pub(super) palette: Palette,
    pub(super) target: String,
    pub(super) base: LogBase,
    pub(super) width: f64,
}

impl FeaturePicture {
    pub(super) fn of_numbers(&self) -> bool {
        self.classes.is_empty()
    }

    /// What the shares shown are of.
    pub(super) fn share_of(&self) -> String {
        match self.palette.event.and_then(|event| event.class) {
            Some(event) => format!("share of {}", isolated(&self.classes[event])),
            None => "share of each class".to_string(),
        }
    }

    /// The feature and its best candidate, in two lines, and the classes' legend.
    pub(super) fn framed(&self, body: Markup, height: f64, key: &str) -> Drawing {
        let column = &self.levels.column;
        let title = format!("{} → {}", isolated(&clean(column.name())), isolated(&self.target));
        let known: u64 = self.levels.n.iter().sum();
        let mut about = match &self.figures.best {
            Some(one) => {
                let gain = gain_text(one.gain, self.of_numbers(), self.base);
                let rule = match column.dtype.is_float() {
                    true => short(&one.rule),
                    false => clean(&one.rule),
                };
                format!("best: {rule}, gain {gain}; ")
            }
            None => "nothing is gained; ".to_string(),
        };
        about.push_str(&counted(known, "row"));
        if self.levels.n_missing > 0 {
            let missing = count(self.levels.n_missing);
            about.push_str(&format!(", {missing} more with the value missing"));
        }
        let entries = self.palette.legend(|class| self.classes[class].clone());
        let (legend, below) = legend(&entries, (MARGIN, 64.0), self.width - MARGIN);
        let top = 70.0 + below;
        let space = self.width - 2.0 * MARGIN;
        let body = html! {
            (title_line(&title, MARGIN, space))
            text x=(MARGIN) y="38" fill=(INK) { title { (about) } (fit(&about, space, 12.0)) }
            text x=(MARGIN) y="55" font-size="11.5" fill=(FAINT) { (fit(key, space, 11.5)) }
            (legend)
            g transform={ "translate(0 " (px(top)) ")" } { (body) }
        };
        Drawing {
            width: self.width,
            height: top + height + MARGIN,
            title: format!("{title}: {about}"),
            body,
        }
    }
}
