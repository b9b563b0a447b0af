//! A nominal feature as a picture: a bar for each level.

use maud::html;

use super::cut_figures::{best, gain_of};
use super::frame::{FeaturePicture, MARGIN, WIDTH};
use crate::plot::elements::colors::{BAR, FAINT, INK, RAIL};
use crate::plot::elements::drawing::{Drawing, px};
use crate::plot::elements::text::{bold_fit, clean, count, counted, figure, isolated};

/// Levels that are drawn; of more, those of most rows.
const LEVELS: usize = 40;
const LINE: f64 = 22.0;
/// Columns: names, rows, shares (or mean), gain.
const NAME: f64 = 160.0;
const ROWS: f64 = 56.0;
const SHARES: f64 = 170.0;
const GAP: f64 = 14.0;
const SIZE: f64 = 11.5;

pub(super) fn drawing(picture: &FeaturePicture) -> Drawing {
    let by_level = &picture.levels;
    let mut levels: Vec<usize> = (0..by_level.column.n_levels()).collect();
    levels.sort_by_key(|&level| std::cmp::Reverse(by_level.n[level]));
    levels.truncate(LEVELS);
    levels.sort_unstable();
    let gain = |level: usize| picture.candidates.get(level).map_or(0.0, gain_of);
    let most = levels.iter().map(|&level| gain(level)).fold(0.0, f64::max);
    let best = best(&picture.candidates);

    let rows_end = MARGIN + NAME + GAP + ROWS;
    let shares = rows_end + GAP;
    let gains = shares + SHARES + GAP;
    let gain_room = WIDTH - MARGIN - gains - 64.0;
    let (least, greatest) = means(picture, &levels);
    let shown = levels.iter().enumerate().map(|(at, &level)| {
        let y = 24.0 + at as f64 * LINE;
        let name = clean(&by_level.column.level_text(level as u32));
        // No class has these two colours.
        let (color, weight) = match Some(level) == best {
            true => (INK, "bold"),
            false => (FAINT, "normal"),
        };
        let stat = &by_level.stats[level];
        html! {
            g transform={ "translate(0 " (px(y)) ")" } {
                title { (name) ": " (counted(by_level.n[level], "row")) ", gain " (figure(gain(level), 6)) }
                text x=(MARGIN) y="13" fill=(INK) font-weight=(weight) { (isolated(&bold_fit(&name, NAME, SIZE))) }
                text x=(px(rows_end)) y="13" text-anchor="end" fill=(INK) {
                    (count(by_level.n[level]))
                }
                @if picture.of_numbers() {
                    @let mean = by_level.mean + stat[1] / stat[0];
                    @let at = position(mean, least, greatest) * (SHARES - 70.0);
                    rect x=(px(shares)) y="8" width=(px(SHARES - 70.0)) height="2" fill=(RAIL) {}
                    rect x=(px(shares + at - 1.5)) y="3" width="3" height="12" fill=(BAR) {}
                    text x=(px(shares + SHARES)) y="13" text-anchor="end" fill=(INK) { (figure(mean, 4)) }
                } @else {
                    @for (left, width, color) in picture.palette.segments(stat, SHARES) {
                        rect x=(px(shares + left)) y="3" width=(px(width)) height="13" fill=(color) {}
                    }
                }
                rect x=(px(gains)) y="3" height="13" fill=(color)
                    width=(px(if most > 0.0 { gain_room * gain(level) / most } else { 0.0 })) {}
                text x=(px(WIDTH - MARGIN)) y="13" text-anchor="end" fill=(INK) font-weight=(weight) {
                    (figure(gain(level), 3))
                }
            }
        }
    });
    let heads = [
        (MARGIN, "start", "level"),
        (rows_end, "end", "rows"),
        (shares, "start", if picture.of_numbers() { "mean" } else { "share of each class" }),
        (gains, "start", "gain against the rest"),
    ];
    let left_out = by_level.column.n_levels() - levels.len();
    let height = 24.0 + (levels.len() + usize::from(left_out > 0)) as f64 * LINE;
    let body = html! {
        g font-size=(SIZE) {
            @for (x, anchor, text) in heads {
                text x=(px(x)) y="13" text-anchor=(anchor) font-weight="bold" fill=(INK) { (text) }
            }
            @for level in shown { (level) }
            @if left_out > 0 {
                text x=(MARGIN) y=(px(height - 8.0)) fill=(FAINT) {
                    "and " (counted(left_out as u64, "level")) " of fewer rows"
                }
            }
        }
    };
    picture.framed(body, height, "a bar for each level; bold: the best level against the rest")
}

/// The least and greatest mean of the shown levels.
fn means(picture: &FeaturePicture, levels: &[usize]) -> (f64, f64) {
    if !picture.of_numbers() {
        return (0.0, 0.0);
    }
    let mean = |&level: &usize| {
        let stat = &picture.levels.stats[level];
        picture.levels.mean + stat[1] / stat[0]
    };
    levels
        .iter()
        .map(mean)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| (lo.min(x), hi.max(x)))
}

fn position(x: f64, least: f64, greatest: f64) -> f64 {
    let at = (x - least) / (greatest - least);
    if at.is_finite() { at } else { 0.5 }
}
