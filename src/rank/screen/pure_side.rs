//! Rules that find the rare one of two classes without an error: one side of a cut, a level, or
//! missing values.
//!
//! A column that is filled in after the event often tells it on one side alone: all 16 rows with a
//! refund are events, and of the other rows nothing is known.

use super::bins::levels_of;
use crate::data::column::{Codes, Column};
use crate::data::dtype::Kind;
use crate::rank::bins::level_rule;
use crate::rank::conditional::Labels;
use crate::rank::rule_text::text_of_branch;
use crate::spec::ScreenSpec;
use crate::tree::rule::Test;

/// A rule whose rows are all, or nearly all, of the rare class.
#[derive(Clone, Debug)]
pub(crate) struct PureSide {
    pub(crate) rule: String,
    pub(crate) is_missing: bool,
    /// The class, by its index.
    pub(crate) class: u32,
    pub(crate) n: u32,
    pub(crate) n_class: u32,
    /// How often chance finds such a rule, at most.
    pub(crate) p_value: f64,
}

/// The rare one of two classes, and what makes a rule that finds it pure.
pub(super) struct RareClass<'a> {
    labels: &'a Labels<'a>,
    class: u32,
    rows: Rows,
    pure_share: f64,
    /// A rule of more rows is not pure, and one that finds fewer of the class finds too few.
    most: u32,
    least: u32,
}

/// Some rows, and those of the rare class among them.
#[derive(Clone, Copy, Debug, Default)]
struct Rows {
    n: u32,
    n_class: u32,
}

/// Which rows a rule takes, by the codes of levels.
#[derive(Clone, Copy, Debug)]
enum Side {
    /// Below the cut between two levels, or not below it.
    Below(u32, u32),
    AtLeast(u32, u32),
    Level(u32),
    Missing,
    Known,
}

impl<'a> RareClass<'a> {
    /// `None` if there are other than two classes, or neither is rare.
    pub(super) fn of(labels: &'a Labels, spec: &ScreenSpec) -> Option<Self> {
        let n = labels.classes.len() as u32;
        let of_second = labels.classes.iter().sum::<u32>();
        let of_classes = [n.checked_sub(of_second)?, of_second];
        let class = u32::from(of_classes[1] <= of_classes[0]);
        let n_class = of_classes[class as usize];
        let is_rare = n_class > 0 && f64::from(n_class) <= spec.rare_share * f64::from(n);
        (labels.n_classes == 2 && is_rare).then(|| RareClass {
            labels,
            class,
            rows: Rows { n, n_class },
            pure_share: spec.pure_share,
            most: (f64::from(n_class) / spec.pure_share) as u32,
            least: (f64::from(n_class) * spec.pure_recall).ceil().max(1.0) as u32,
        })
    }

    /// The pure rule that finds most rows of the class, or `None`. Linear in the rows.
    pub(super) fn purest(&self, column: &Column) -> Option<PureSide> {
        let mut levels: Vec<(u32, Rows)> = Vec::new();
        let mut known = Rows::default();
        match &column.codes {
            Codes::ByRow(codes) => {
                let mut of_codes = [Rows::default(); 1 << u8::BITS];
                for (&code, &class) in codes.iter().zip(&self.labels.classes) {
                    of_codes[usize::from(code)].add(self.row(class));
                }
                levels = (0..column.missing_code()).zip(of_codes).collect();
            }
            Codes::Sorted(sorted) => {
                let rows_of = |rows: &[u32]| {
                    let code = sorted.codes.of(rows[0]);
                    let mut sum = Rows::default();
                    let classes = rows.iter().map(|&row| self.labels.classes[row as usize]);
                    classes.for_each(|class| sum.add(self.row(class)));
                    (code, sum)
                };
                levels.extend(levels_of(column, sorted).map(rows_of));
            }
        }
        levels.iter().for_each(|(_, rows)| known.add(*rows));
        let missing = Rows { n: self.rows.n - known.n, n_class: self.rows.n_class - known.n_class };
        let of_levels = levels.iter().map(|&(code, rows)| (Side::Level(code), rows));
        let ends = [(Side::Missing, missing), (Side::Known, known)];
        let sides = ends.into_iter().filter(|_| missing.n > 0 && known.n > 0);
        let codes = |pair: &[(u32, Rows)]| (pair[0].0, pair[1].0);
        let mut below = Rows::default();
        let from_below = levels.windows(2).map(|pair| {
            below.add(pair[0].1);
            let (lo, hi) = codes(pair);
            (Side::Below(lo, hi), below)
        });
        let mut above = Rows::default();
        let from_above = levels.windows(2).rev().map(|pair| {
            above.add(pair[1].1);
            let (lo, hi) = codes(pair);
            (Side::AtLeast(lo, hi), above)
        });
        let is_small = |(_, rows): &(Side, Rows)| rows.n <= self.most;
        let is_ordered = column.kind == Kind::Ordered;
        let cuts = from_below.take_while(is_small).chain(from_above.take_while(is_small));
        let cuts = cuts.filter(|_| is_ordered);
        let pure = sides.chain(cuts).chain(of_levels).filter(|(_, rows)| self.is_pure(rows));
        // Of equal ones the first.
        let (side, rows) =
            pure.reduce(|best, next| if next.1.n_class > best.1.n_class { next } else { best })?;
        let n_rules = if is_ordered { 3 * levels.len() } else { levels.len() } + 2;
        Some(PureSide {
            rule: rule(column, side),
            is_missing: matches!(side, Side::Missing | Side::Known),
            class: self.class,
            n: rows.n,
            n_class: rows.n_class,
            p_value: (n_rules as f64 * self.chance_of(&rows)).min(1.0),
        })
    }

    fn row(&self, class: u32) -> Rows {
        Rows { n: 1, n_class: u32::from(class == self.class) }
    }

    fn is_pure(&self, rows: &Rows) -> bool {
        rows.n_class >= self.least && f64::from(rows.n_class) >= self.pure_share * f64::from(rows.n)
    }

    /// At most how often this share or more of as many random rows are of the class: `exp(-n D)`
    /// with the Kullback-Leibler divergence D of the two shares in nats (Hoeffding 1963, theorem 1
    /// and section 6).
    fn chance_of(&self, rows: &Rows) -> f64 {
        let share = |rows: &Rows| f64::from(rows.n_class) / f64::from(rows.n);
        let (found, all) = (share(rows), share(&self.rows));
        let term = |p: f64, q: f64| if p > 0.0 { p * (p / q).ln() } else { 0.0 };
        (-f64::from(rows.n) * (term(found, all) + term(1.0 - found, 1.0 - all))).exp()
    }
}

impl Rows {
    fn add(&mut self, other: Rows) {
        self.n += other.n;
        self.n_class += other.n_class;
    }
}

/// The rule as text.
fn rule(column: &Column, side: Side) -> String {
    match side {
        Side::Below(lo, hi) => text_of_branch(column, &Test::AtLeast(column.cut(lo, hi)), 0),
        Side::AtLeast(lo, hi) => text_of_branch(column, &Test::AtLeast(column.cut(lo, hi)), 1),
        Side::Level(code) => level_rule(column, &[code]),
        Side::Missing => text_of_branch(column, &Test::IsMissing, 1),
        Side::Known => text_of_branch(column, &Test::IsMissing, 0),
    }
}
