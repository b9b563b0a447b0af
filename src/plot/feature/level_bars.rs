//! A nominal feature as a picture: a bar for each level.

use maud::html;

use super::frame::{FeaturePicture, MARGIN};
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
    let by_level = &picture.levels;
    let mut levels: Vec<usize> = (0..by_level.column.n_levels()).collect();
    levels.sort_by_key(|&level| std::cmp::Reverse(by_level.n[level]));
    levels.truncate(LEVELS);
    let (least, greatest) = range(picture, &levels);
    match picture.of_numbers() || picture.palette.event().is_some() {
        // The sort is stable: levels of equal rates stay in order of rows.
        true => levels.sort_by(|&a, &b| {
            let rate = |level| picture.rate(level).unwrap_or(f64::NEG_INFINITY);
            rate(b).total_cmp(&rate(a))
        }),
        false => levels.sort_unstable(),
    }
    let gain = |level: usize| picture.figures.gain.get(level).copied().unwrap_or_default();
    let most = levels.iter().map(|&level| gain(level)).fold(0.0, f64::max);
    let best = picture.figures.best.as_ref().map(|best| best.at);

    let (name_room, shares_room) = (NAME * picture.width, SHARES * picture.width);
    let rows_end = MARGIN + name_room + GAP + ROWS;
    let shares = rows_end + GAP;
    let gains = shares + shares_room + GAP;
    let gain_room = picture.width - MARGIN - gains - 64.0;
    let room = shares_room - NUMBER;
    let reach = |rate: f64| position(rate, least, greatest) * room;
    let shown = levels.iter().enumerate().map(|(at, &level)| {
        let y = 24.0 + at as f64 * LINE;
        let name = clean(&by_level.column.level_text(level as u32));
        // No class has these two colours.
        let (color, weight) = match Some(level) == best {
            true => (INK, "bold"),
            false => (FAINT, "normal"),
        };
        let stat = by_level.stat(level);
        html! {
            g transform={ "translate(0 " (px(y)) ")" } {
                title { (name) ": " (counted(by_level.n[level], "row")) ", gain " (figure(gain(level), 6)) }
                text x=(MARGIN) y="13" fill=(INK) font-weight=(weight) { (isolated(&bold_fit(&name, name_room, SIZE))) }
                text x=(px(rows_end)) y="13" text-anchor="end" fill=(INK) {
                    (count(by_level.n[level]))
                }
                @if let Some(event) = picture.palette.event() {
                    @let share = event.share(stat);
                    rect x=(px(shares)) y="8" width=(px(room)) height="2" fill=(RAIL) {}
                    rect x=(px(shares)) y="3" width=(px(reach(share))) height="13" fill=(event.color(share)) {}
                    rect x=(px(shares + reach(event.base) - 0.75)) y="1" width="1.5" height="17" fill=(INK) {}
                    text x=(px(shares + shares_room)) y="13" text-anchor="end" fill=(INK) { (rate(share)) }
                } @else if let Some(mean) = picture.rate(level) {
                    rect x=(px(shares)) y="8" width=(px(room)) height="2" fill=(RAIL) {}
                    rect x=(px(shares + reach(mean) - 1.5)) y="3" width="3" height="12" fill=(BAR) {}
                    text x=(px(shares + shares_room)) y="13" text-anchor="end" fill=(INK) { (figure(mean, 4)) }
                } @else {
                    @for (left, width, color) in picture.palette.segments(stat, shares_room) {
                        rect x=(px(shares + left)) y="3" width=(px(width)) height="13" fill=(color) {}
                    }
                }
                rect x=(px(gains)) y="3" height="13" fill=(color)
                    width=(px(if most > 0.0 { gain_room * gain(level) / most } else { 0.0 })) {}
                text x=(px(picture.width - MARGIN)) y="13" text-anchor="end" fill=(INK) font-weight=(weight) {
                    (figure(gain(level), 3))
                }
            }
        }
    });
    let share_of = picture.share_of();
    let heads = [
        (MARGIN, "start", "level"),
        (rows_end, "end", "rows"),
        (shares, "start", if picture.of_numbers() { "mean" } else { &share_of }),
        (gains, "start", "gain vs. the rest"),
    ];
    let left_out = by_level.column.n_levels() - levels.len();
    let height = 24.0 + (levels.len() + usize::from(left_out > 0)) as f64 * LINE;
    let body = html! {
        g font-size=(SIZE) {
            @for (x, anchor, text) in heads {
                text x=(px(x)) y="13" text-anchor=(anchor) font-weight="bold" fill=(INK) {
                    (bold_fit(text, shares_room, SIZE))
                }
            }
            @for level in shown { (level) }
            @if left_out > 0 {
                text x=(MARGIN) y=(px(height - 8.0)) fill=(FAINT) {
                    "and " (counted(left_out as u64, "level")) " of fewer rows"
                }
            }
        }
    };
    let key = match picture.palette.event() {
        Some(_) => "highest share first; upright: in all rows; bold: the best level",
        None if picture.of_numbers() => "highest mean first; bold: the best level",
        None => "a bar for each level; bold: the best level against the rest",
    };
    picture.framed(body, height, key)
}

impl FeaturePicture {
    /// What the levels are ordered by: the event's share, or the mean.
    fn rate(&self, level: usize) -> Option<f64> {
        let stat = self.levels.stat(level);
        match self.palette.event() {
            Some(event) => Some(event.share(stat)),
            None => self.of_numbers().then(|| self.levels.mean + stat[1] / stat[0]),
        }
    }
}

/// The least and greatest rate of some levels; of shares, from nothing.
fn range(picture: &FeaturePicture, levels: &[usize]) -> (f64, f64) {
    let rates = levels.iter().filter_map(|&level| picture.rate(level));
    match picture.palette.event() {
        Some(event) => (0.0, rates.fold(event.base, f64::max)),
        None => {
            rates.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| (lo.min(x), hi.max(x)))
        }
    }
}

fn position(x: f64, least: f64, greatest: f64) -> f64 {
    let at = (x - least) / (greatest - least);
    if at.is_finite() { at } else { 0.5 }
}
