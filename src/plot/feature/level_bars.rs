//! A nominal feature as a picture: a bar for each level.

use maud::{Markup, html};

use super::frame::{FeaturePicture, MARGIN};
use crate::plot::elements::axis::{extremes, position_between};
use crate::plot::elements::colors::{BAR, FAINT, INK, RAIL};
use crate::plot::elements::drawing::{Drawing, px};
use crate::plot::elements::text::{bold_fit, clean, count, counted, figure, isolated, rate};

/// The most levels that are drawn: the levels of most rows.
const LEVELS: usize = 40;
const LINE: f64 = 22.0;
/// Columns: names and shares (or means) as parts of the width, rows, gain.
const NAME: f64 = 0.26;
const SHARES: f64 = 0.28;
const ROWS: f64 = 56.0;
const GAP: f64 = 14.0;
/// Beside a bar, for its number.
const NUMBER: f64 = 54.0;
const SIZE: f64 = 11.5;

pub(super) fn drawing(picture: &FeaturePicture) -> Drawing {
    let levels = drawn_levels(picture);
    let bars = LevelBars::new(picture, &levels);
    let left_out = picture.levels.column.n_levels() - levels.len();
    let height = 24.0 + (levels.len() + usize::from(left_out > 0)) as f64 * LINE;
    let body = html! {
        g font-size=(SIZE) {
            (bars.heads())
            @for (at, &level) in levels.iter().enumerate() {
                (bars.line(level, 24.0 + at as f64 * LINE))
            }
            @if left_out > 0 {
                text x=(MARGIN) y=(px(height - 8.0)) fill=(FAINT) {
                    "and " (counted(left_out as u64, "level")) " of fewer rows"
                }
            }
        }
    };
    let key = match picture.palette.event {
        Some(_) => "highest share first; upright: in all rows; bold: the best level",
        None if picture.of_numbers() => "highest mean first; bold: the best level",
        None => "a bar for each level; bold: the best level against the rest",
    };
    picture.framed(body, height, key)
}

fn drawn_levels(picture: &FeaturePicture) -> Vec<usize> {
    let by_level = &picture.levels;
    let mut levels: Vec<usize> = (0..by_level.column.n_levels()).collect();
    levels.sort_by_key(|&level| std::cmp::Reverse(by_level.n[level]));
    levels.truncate(LEVELS);
    match picture.of_numbers() || picture.palette.event.is_some() {
        // The sort is stable: levels of equal rates stay in order of rows.
        true => levels.sort_by(|&a, &b| {
            let rate = |level| picture.rate(level).unwrap_or(f64::NEG_INFINITY);
            rate(b).total_cmp(&rate(a))
        }),
        false => levels.sort_unstable(),
    }
    levels
}

/// What the lines of the levels share: where the columns are, and the scales of the bars.
struct LevelBars<'p> {
    picture: &'p FeaturePicture,
    name_room: f64,
    rows_end: f64,
    shares_start: f64,
    shares_room: f64,
    gains_start: f64,
    gain_room: f64,
    /// The least and the greatest rate.
    rates: (f64, f64),
    most_gain: f64,
}

impl<'p> LevelBars<'p> {
    fn new(picture: &'p FeaturePicture, levels: &[usize]) -> LevelBars<'p> {
        let (name_room, shares_room) = (NAME * picture.width, SHARES * picture.width);
        let rows_end = MARGIN + name_room + GAP + ROWS;
        let shares_start = rows_end + GAP;
        let gains_start = shares_start + shares_room + GAP;
        let gain_room = picture.width - MARGIN - gains_start - 64.0;
        let rates = range(picture, levels);
        let most_gain = levels.iter().map(|&level| picture.gain(level)).fold(0.0, f64::max);
        LevelBars {
            picture,
            name_room,
            rows_end,
            shares_start,
            shares_room,
            gains_start,
            gain_room,
            rates,
            most_gain,
        }
    }

    fn heads(&self) -> Markup {
        let share_of = self.picture.share_of();
        let shares = if self.picture.of_numbers() { "mean" } else { &share_of };
        let heads = [
            (MARGIN, "start", "level"),
            (self.rows_end, "end", "rows"),
            (self.shares_start, "start", shares),
            (self.gains_start, "start", "gain vs. the rest"),
        ];
        html! {
            @for (x, anchor, text) in heads {
                text x=(px(x)) y="13" text-anchor=(anchor) font-weight="bold" fill=(INK) {
                    (bold_fit(text, self.shares_room, SIZE))
                }
            }
        }
    }

    /// The line of a level, `y` below the top.
    fn line(&self, level: usize, y: f64) -> Markup {
        let picture = self.picture;
        let by_level = &picture.levels;
        let name = clean(&by_level.column.level_text(level as u32));
        let gain = picture.gain(level);
        // No class has these two colours.
        let (color, weight) = match picture.figures.best.as_ref().map(|best| best.at) {
            Some(best) if best == level => (INK, "bold"),
            _ => (FAINT, "normal"),
        };
        let gain_width =
            if self.most_gain > 0.0 { self.gain_room * gain / self.most_gain } else { 0.0 };
        html! {
            g transform={ "translate(0 " (px(y)) ")" } {
                title { (name) ": " (counted(by_level.n[level], "row")) ", gain " (figure(gain, 6)) }
                text x=(MARGIN) y="13" fill=(INK) font-weight=(weight) {
                    (isolated(&bold_fit(&name, self.name_room, SIZE)))
                }
                text x=(px(self.rows_end)) y="13" text-anchor="end" fill=(INK) {
                    (count(by_level.n[level]))
                }
                (self.shares(level))
                rect x=(px(self.gains_start)) y="3" height="13" fill=(color) width=(px(gain_width)) {}
                text x=(px(picture.width - MARGIN)) y="13" text-anchor="end" fill=(INK)
                    font-weight=(weight) { (figure(gain, 3)) }
            }
        }
    }

    /// A level's share of the event, its mean, or its shares of the classes.
    fn shares(&self, level: usize) -> Markup {
        let LevelBars { picture, shares_start: start, shares_room, .. } = *self;
        let room = shares_room - NUMBER;
        let reach = |rate: f64| position_between(rate, self.rates) * room;
        let stat = picture.levels.stat(level);
        html! {
            @if let Some(event) = picture.palette.event {
                @let share = event.share(stat);
                rect x=(px(start)) y="8" width=(px(room)) height="2" fill=(RAIL) {}
                rect x=(px(start)) y="3" width=(px(reach(share))) height="13" fill=(event.color(share)) {}
                rect x=(px(start + reach(event.base) - 0.75)) y="1" width="1.5" height="17" fill=(INK) {}
                text x=(px(start + shares_room)) y="13" text-anchor="end" fill=(INK) { (rate(share)) }
            } @else if let Some(mean) = picture.rate(level) {
                rect x=(px(start)) y="8" width=(px(room)) height="2" fill=(RAIL) {}
                rect x=(px(start + reach(mean) - 1.5)) y="3" width="3" height="12" fill=(BAR) {}
                text x=(px(start + shares_room)) y="13" text-anchor="end" fill=(INK) { (figure(mean, 4)) }
            } @else {
                @for (left, width, color) in picture.palette.segments(stat, shares_room) {
                    rect x=(px(start + left)) y="3" width=(px(width)) height="13" fill=(color) {}
                }
            }
        }
    }
}

impl FeaturePicture {
    /// What a level gains against the rest.
    fn gain(&self, level: usize) -> f64 {
        self.figures.gain.get(level).copied().unwrap_or_default()
    }

    /// What the levels are ordered by: the event's share, or the mean.
    fn rate(&self, level: usize) -> Option<f64> {
        let stat = self.levels.stat(level);
        match self.palette.event {
            Some(event) => Some(event.share(stat)),
            None => self.of_numbers().then(|| self.levels.mean + stat[1] / stat[0]),
        }
    }
}

/// The least and greatest rate of some levels; shares begin at nothing.
fn range(picture: &FeaturePicture, levels: &[usize]) -> (f64, f64) {
    let rates = levels.iter().filter_map(|&level| picture.rate(level));
    match picture.palette.event {
        Some(event) => (0.0, rates.fold(event.base, f64::max)),
        None => extremes(rates),
    }
}
