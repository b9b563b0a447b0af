//! The sections that the report on a forest has more than that on a tree.

use maud::html;

use super::{PageSection, SectionRows, picture_section};
use crate::plot::elements::drawing::Drawing;
use crate::plot::elements::text::count;

/// The contributions to the answers for some rows.
pub(crate) struct SomeContributions {
    pub(crate) drawing: Drawing,
    pub(crate) rows: u64,
}

/// The importance of the features by permutation, of some rows.
pub(crate) struct SomeImportances {
    pub(crate) drawing: Drawing,
    pub(crate) rows: u64,
    /// What they measure, as in `Brier score rises`.
    pub(crate) loss: &'static str,
}

pub(super) fn curve(drawing: &Drawing, rows: SectionRows) -> PageSection {
    let body = html! {
        p.faint { "Where it is flat, more trees change little." }
        figure.chart { (drawing.inline()) }
    };
    PageSection { id: "error-curve", heading: "Error by trees", rows, span: 5, body }
}

/// `all` are the rows of the page.
pub(super) fn permuted(
    importances: &SomeImportances,
    all: u64,
    is_out_of_bag: bool,
) -> PageSection {
    let SomeImportances { drawing, rows, loss } = importances;
    let about = format!(
        "How much the {loss} where a feature's values are permuted among the rows. Of features that tell \
         the same, each seems to matter little."
    );
    let rows = match is_out_of_bag {
        true => SectionRows::OutOfBag(*rows),
        false => some_rows(*rows, all),
    };
    picture_section(["importance", "Importance by permutation"], &about, drawing, rows, 5)
}

/// Some of the rows of the page, or all of them.
fn some_rows(some: u64, all: u64) -> SectionRows {
    if some < all { SectionRows::Spaced(some) } else { SectionRows::OfPage(all) }
}

pub(super) fn contributions(some: &SomeContributions, all: u64) -> PageSection {
    let about =
        "How far each feature moves the answers, and whether its low or its high values do.";
    let rows = some_rows(some.rows, all);
    picture_section(["contributions", "Contributions"], about, &some.drawing, rows, 7)
}

/// `section` is on the first tree.
pub(super) fn first_tree(n_trees: u64, section: PageSection) -> PageSection {
    let body = html! {
        p.faint {
            "The first of " (count(n_trees)) ", with its counts of the rows it drew. "
            code { "gaintree show MODEL --tree N" } " shows any of them."
        }
        (section.body)
    };
    PageSection { heading: "One tree", body, ..section }
}
