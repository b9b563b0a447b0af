//! The error of a forest by its number of trees.

use maud::html;

use super::elements::axis::Axis;
use super::elements::colors::{BAR, FAINT};
use super::elements::drawing::{Drawing, px};
use super::elements::panels::{self, Panel, PanelLine, Stroke};
use super::elements::text::figure;
use crate::data::dtype::DType;

/// The width of a picture of its own.
pub(crate) const WIDTH: f64 = 640.0;
/// Above the panel.
const TOP: f64 = 8.0;
/// Below the ticks, for the axis' name.
const BELOW: f64 = 18.0;

/// `figure_name` is what the second of each point is; the first is a number of trees, ascending from 1.
pub(crate) fn drawing(figure_name: &str, points: &[(f64, f64)], width: f64) -> Drawing {
    let n_trees = points.last().map_or(1.0, |point| point.0).max(2.0);
    let axis = Axis::of_values(&DType::U32, 1.0, n_trees, panels::plot_width(width));
    let at = |&(trees, error): &(f64, f64)| (axis.position(trees), error);
    let line =
        PanelLine { points: points.iter().map(at).collect(), color: BAR, stroke: Stroke::Thick };
    let last = points
        .last()
        .map_or(String::new(), |(trees, error)| format!(", {} with {trees}", figure(*error, 4)));
    let title = format!("out-of-bag {figure_name} by trees{last}");
    let panel = [Panel::of_lines(title.clone(), vec![line], false).tall()];
    let height = TOP + panels::height(&panel) + BELOW;
    let body = html! {
        g transform={ "translate(0 " (px(TOP)) ")" } { (panels::panels(&panel, &axis, None, width)) }
        text x=(px(width / 2.0)) y=(px(height - 6.0)) text-anchor="middle" fill=(FAINT) { "trees" }
    };
    Drawing { width, height, title, body }
}
