//! What each feature of a model is on the rows of a page.

use crate::data::column_data::Source;
use crate::encode::table::{Kinds, Table};
use crate::error::Result;
use crate::plot::screen::ScreenLine;
use crate::rank::screen::ColumnScreen;
use crate::spec::ScreenSpec;
use crate::verbs::frame::{ColumnOrReason, Frame, NamedColumns, Needed};
use crate::verbs::{screen_pictures, screen_table};

/// The lines of a screen of the features, as [`screen`](crate::screen) makes them of a frame; none
/// where the target is none to screen by.
pub(super) fn screened<F: NamedColumns>(
    table: &Table,
    features: &[F::Column],
    kinds: Kinds,
) -> Result<Vec<ScreenLine>> {
    if table.target.check().is_err() {
        return Ok(Vec::new());
    }
    let names: Vec<&str> = features.iter().map(Source::name).collect();
    let monitor = table.context.monitor.clone();
    let spec = ScreenSpec { full: true, monitor, ..ScreenSpec::default() };
    let screen = ColumnScreen::new(table, &names, kinds, &spec)?;
    let columns = screen.screen(features)?;
    let judged = screen.judge(&columns)?;
    let found: Vec<_> = features.iter().cloned().map(ColumnOrReason::Usable).collect();
    let lines: F::Table =
        screen_table::table(&found, &columns, &judged, &table.target, &spec).into_table()?;
    screen_pictures::lines(&lines.columns(&Needed::All)?)
}
