//! The bins of a feature as bars: weights of evidence, or the shares of two frames.

use maud::html;

use super::elements::colors::{BAR, INK, MARK, RAIL};
use super::elements::drawing::{Drawing, px};
use super::elements::lines::{LENGTH, LINE, START, TOP, drawing_of_lines, line};
use super::elements::text::{clean, count, figure, percent};
use crate::rank::drift::ColumnDrift;
use crate::rank::woe::FeatureWoe;
use crate::tree::rule_text::{SHOWN_LEVELS, shorten_sets};

const MAX_BINS: usize = 100;

/// The weight of evidence of each bin, from zero to the right where events are more frequent.
pub(crate) fn woe_drawing(feature: &FeatureWoe) -> Drawing {
    let bins = &feature.bins[..feature.bins.len().min(MAX_BINS)];
    let most = bins.iter().map(|bin| bin.woe.abs()).fold(0.0, f64::max);
    let zero = START + LENGTH / 2.0;
    let lines = bins.iter().enumerate().map(|(at, bin)| {
        let length = if most > 0.0 { LENGTH / 2.0 * bin.woe.abs() / most } else { 0.0 };
        let (x, color) = if bin.woe < 0.0 { (zero - length, BAR) } else { (zero, MARK) };
        let about = format!("{}, {} events", count(bin.n), percent(bin.event_rate));
        line(
            at,
            &short(&bin.rule),
            &[&figure(bin.woe, 3), &about],
            html! {
                rect x=(px(x)) y="5" width=(px(length)) height="20" rx="2" fill=(color) {}
            },
        )
    });
    let about = format!(
        "information value {}; bars to the right: more of {} than in all rows",
        figure(feature.iv, 4),
        clean(&feature.event)
    );
    let axis = html! {
        line x1=(px(zero)) x2=(px(zero)) y1=(px(TOP - 4.0)) y2=(px(TOP + bins.len() as f64 * LINE))
            stroke=(RAIL) {}
    };
    let title = format!("Weight of evidence: {}", clean(&feature.name));
    let body = html! { (axis) @for line in lines { (line) } };
    drawing_of_lines([&title, &about], &[], body, bins.len())
}

/// The shares of two frames in each bin, and the cut that tells them apart best.
pub(crate) fn drift_drawing(feature: &str, drift: &ColumnDrift) -> Drawing {
    let bins = &drift.bins[..drift.bins.len().min(MAX_BINS)];
    let most = bins.iter().flat_map(|bin| bin.share).fold(0.0, f64::max);
    let lines = bins.iter().enumerate().map(|(at, bin)| {
        let [p, q] = bin.share.map(|share| if most > 0.0 { LENGTH * share / most } else { 0.0 });
        let shares = format!("{} to {}", percent(bin.share[0]), percent(bin.share[1]));
        line(
            at,
            &short(&bin.rule),
            &[&shares, &format!("psi {}", figure(bin.psi, 3))],
            html! {
                rect x=(px(START)) y="3" width=(px(p)) height="11" rx="2" fill=(BAR) {}
                rect x=(px(START)) y="16" width=(px(q)) height="11" rx="2" fill=(MARK) {}
            },
        )
    });
    let psi: f64 = drift.bins.iter().map(|bin| bin.psi).sum();
    let mut about = format!("psi {}", figure(psi, 4));
    if let (false, Some(gain)) = (drift.gain.rule.is_empty(), drift.gain.rule_gain) {
        let rule = shorten_sets(&drift.gain.rule, SHOWN_LEVELS);
        about.push_str(&format!("; told apart best by {rule}, gain {} bits", figure(gain, 3)));
    }
    let cut =
        drift.cut_position.filter(|position| *position <= bins.len() as f64).map(|position| {
            let y = px(TOP + position * LINE);
            html! {
                line x1=(px(START - 6.0)) x2=(px(START + LENGTH)) y1=(y) y2=(y) stroke=(INK)
                    stroke-dasharray="5 4" { title { (clean(&drift.gain.rule)) } }
            }
        });
    let title = format!("Drift: {}", clean(feature));
    let frames = [("reference", BAR), ("current", MARK)];
    let body = html! { @for line in lines { (line) } @if let Some(cut) = cut { (cut) } };
    drawing_of_lines([&title, &clean(&about)], &frames, body, bins.len())
}

/// A bin's rule on a line of its own.
fn short(rule: &str) -> String {
    clean(&shorten_sets(rule, SHOWN_LEVELS))
}
