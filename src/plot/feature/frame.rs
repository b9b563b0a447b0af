//! What the pictures of ordered and nominal features share: the feature, and the heading around
//! the figures.

use maud::{Markup, html};

use super::cut_figures::{best, gain_of, gain_text};
use super::level_stats::LevelStats;
use crate::plot::elements::colors::{FAINT, INK, Palette};
use crate::plot::elements::drawing::{Drawing, px};
use crate::plot::elements::legend::legend;
use crate::plot::elements::text::{bold_fit, clean, count, counted, fit, isolated};
use crate::rank::curve::SplitCandidate;
use crate::spec::LogBase;

pub(crate) const WIDTH: f64 = 600.0;
pub(super) const MARGIN: f64 = 8.0;

/// A feature, its candidates, and the colours of its classes.
pub(super) struct FeaturePicture {
    pub(super) levels: LevelStats,
    pub(super) candidates: Vec<SplitCandidate>,
    /// None of a numeric target.
    pub(super) classes: Vec<String>,
    pub(super) palette: Palette,
    pub(super) target: String,
    pub(super) base: LogBase,
}

impl FeaturePicture {
    pub(super) fn of_numbers(&self) -> bool {
        self.classes.is_empty()
    }

    /// The feature and its best candidate, in two lines, and the classes' legend.
    pub(super) fn framed(&self, body: Markup, height: f64, key: &str) -> Drawing {
        let column = &self.levels.column;
        let title = format!("{} → {}", isolated(&clean(column.name())), isolated(&self.target));
        let known: u64 = self.levels.n.iter().sum();
        let mut about = match best(&self.candidates) {
            Some(at) => {
                let one = &self.candidates[at];
                let gain = gain_text(gain_of(one), self.of_numbers(), self.base);
                format!("best: {}, gain {gain}; ", clean(&one.rule))
            }
            None => "nothing is gained; ".to_string(),
        };
        about.push_str(&counted(known, "row"));
        if self.levels.n_missing > 0 {
            let missing = count(self.levels.n_missing);
            about.push_str(&format!(", {missing} more with the value missing"));
        }
        let names: Vec<(String, &str)> = self
            .palette
            .colored()
            .map(|class| (self.classes[class].clone(), self.palette.color(class)))
            .collect();
        let (legend, below) =
            legend(&names, self.palette.n_others(), (MARGIN, 64.0), WIDTH - MARGIN);
        let top = 70.0 + below;
        let space = WIDTH - 2.0 * MARGIN;
        let body = html! {
            text x=(MARGIN) y="20" font-size="15" font-weight="bold" fill=(INK) {
                title { (title) }
                (bold_fit(&title, space, 15.0))
            }
            text x=(MARGIN) y="38" fill=(INK) { title { (about) } (fit(&about, space, 12.0)) }
            text x=(MARGIN) y="55" font-size="11.5" fill=(FAINT) { (fit(key, space, 11.5)) }
            (legend)
            g transform={ "translate(0 " (px(top)) ")" } { (body) }
        };
        Drawing {
            width: WIDTH,
            height: top + height + MARGIN,
            title: format!("{title}: {about}"),
            body,
        }
    }
}
