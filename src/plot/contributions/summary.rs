//! The contributions of features to the answers for many rows, a line a feature (after the summary
//! plots of Lundberg & Lee's SHAP). Rows are counted in bins, so that the picture does not grow with them.

use maud::{Markup, html};

use crate::data::column::Column;
use crate::data::dtype::DType;
use crate::plot::elements::axis::{Axis, TICK};
use crate::plot::elements::colors::{FAINT, LOW_TO_HIGH, RAIL};
use crate::plot::elements::drawing::{Drawing, px};
use crate::plot::elements::lines::{LENGTH, LINE, START, TOP, drawing_of_lines, line};
use crate::plot::elements::text::{clean, counted, figure};
use crate::plot::feature::rows_of_levels;

pub(crate) const MAX_FEATURES: usize = 20;
/// Bins of the axis.
const BINS: usize = 140;
/// The highest and the lowest bin, within a line.
const HIGHEST: f64 = 24.0;
const LOWEST: f64 = 2.0;
/// The colour of levels without an order, and of missing values.
const NO_ORDER: &str = RAIL;

/// A feature, and its contributions in bins of the axis.
pub(crate) struct FeatureHistogram {
    name: String,
    mean_absolute: f64,
    bins: Vec<HistogramBin>,
}

/// The rows of a bin.
#[derive(Clone, Copy, Default)]
struct HistogramBin {
    n: u64,
    /// Rows of a value that has a rank, and the sum of these relative ranks, 0 to 1.
    n_ranked: u64,
    sum: f64,
}

impl FeatureHistogram {
    /// `contributions` are for the rows of `column`, whose values have ranks if it has an order.
    pub(crate) fn new(
        column: &Column,
        has_order: bool,
        mean_absolute: f64,
        contributions: &[f64],
        (lo, hi): (f64, f64),
    ) -> FeatureHistogram {
        let ranks = if has_order { relative_ranks(column) } else { Vec::new() };
        let mut bins = vec![HistogramBin::default(); BINS];
        for (&contribution, code) in contributions.iter().zip(column.codes.by_row()) {
            let share = (contribution - lo) / (hi - lo);
            // A share that is not a number is of an axis without a length.
            let bin = &mut bins[((share * BINS as f64) as usize).min(BINS - 1)];
            bin.n += 1;
            if let Some(rank) = ranks.get(code as usize) {
                bin.n_ranked += 1;
                bin.sum += rank;
            }
        }
        FeatureHistogram { name: clean(column.name()), mean_absolute, bins }
    }
}

/// The mean rank of the rows of each level, as a share of the rows with a value.
fn relative_ranks(column: &Column) -> Vec<f64> {
    let counts = rows_of_levels(column);
    let known: u64 = counts.iter().sum();
    let mut before = 0;
    let mean_rank = |n: &u64| {
        let middle = before as f64 + *n as f64 / 2.0;
        before += n;
        middle / known as f64
    };
    counts.iter().map(mean_rank).collect()
}

impl HistogramBin {
    fn color(&self) -> &'static str {
        // Most of its rows have none.
        if 2 * self.n_ranked < self.n {
            return NO_ORDER;
        }
        let rank = self.sum / self.n_ranked as f64;
        LOW_TO_HIGH[((rank * LOW_TO_HIGH.len() as f64) as usize).min(LOW_TO_HIGH.len() - 1)]
    }
}

/// The features, most first, their contributions between `lo` and `hi`. `answer` is what they
/// contribute to, and `n_features` how many there are.
pub(crate) fn drawing(
    answer: &str,
    features: &[FeatureHistogram],
    (lo, hi): (f64, f64),
    n_rows: u64,
    n_features: usize,
) -> Drawing {
    let axis = Axis::of_values(&DType::F64, lo, hi, LENGTH);
    let x = |position: f64| START + position * LENGTH;
    let bottom = TOP + features.len() as f64 * LINE;
    let names = ["low values", "", "", "", "high values"];
    let mut colors: Vec<(&str, &str)> = names.into_iter().zip(LOW_TO_HIGH).collect();
    colors.push(("no order, or missing", NO_ORDER));
    let left_out = n_features - features.len();
    let body = html! {
        g font-size=(TICK) fill=(FAINT) {
            @for (at, name) in &axis.ticks {
                line x1=(px(x(*at))) x2=(px(x(*at))) y1=(px(TOP)) y2=(px(bottom + 4.0)) stroke=(RAIL)
                    stroke-width="0.4" {}
                text x=(px(x(*at))) y=(px(bottom + 16.0)) text-anchor="middle" { (name) }
            }
            @let zero = px(x(axis.position(0.0)));
            line x1=(zero) x2=(zero) y1=(px(TOP)) y2=(px(bottom + 4.0)) stroke=(FAINT) {}
            @if left_out > 0 {
                text x=(px(START - 12.0)) y=(px(bottom + 16.0)) text-anchor="end" {
                    "and " (counted(left_out as u64, "feature")) " below"
                }
            }
        }
        @for (at, feature) in features.iter().enumerate() {
            (line(at, &feature.name, &[&figure(feature.mean_absolute, 3), ""], bars(feature)))
        }
    };
    let about = format!(
        "to {}, of {}; right of 0 they raise it; mean absolute values at the right",
        clean(answer),
        counted(n_rows, "row")
    );
    let mut drawing = drawing_of_lines(["Contributions", &about], &colors, body, features.len());
    drawing.height += 14.0;
    drawing
}

/// The bins of a feature. Each is as high as its rows beside the rows of the fullest bin.
fn bars(feature: &FeatureHistogram) -> Markup {
    let most = feature.bins.iter().map(|bin| bin.n).max().unwrap_or(0);
    let width = LENGTH / BINS as f64;
    html! {
        line x1=(px(START)) x2=(px(START + LENGTH)) y1="15" y2="15" stroke=(RAIL) stroke-width="0.4" {}
        @for (at, bin) in feature.bins.iter().enumerate().filter(|(_, bin)| bin.n > 0) {
            @let height = (HIGHEST * bin.n as f64 / most as f64).max(LOWEST);
            rect x=(px(START + at as f64 * width)) y=(px(15.0 - height / 2.0)) width=(px(width + 0.2))
                height=(px(height)) fill=(bin.color()) {}
        }
    }
}
