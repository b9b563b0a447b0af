//! What each feature of a model is on the rows of a page.

use crate::data::target::Target;
use crate::error::Result;
use crate::plot::screen::ScreenLine;
use crate::spec::ScreenSpec;
use crate::verbs::frame::{ColumnOrReason, Frame, NamedColumns, Needed};
use crate::verbs::screen::FeatureScreen;
use crate::verbs::{screen_pictures, screen_table};

/// The lines of a screen of the features, as [`screen`](crate::screen) makes them of a frame.
pub(super) fn lines<F: NamedColumns>(
    features: &[F::Column],
    FeatureScreen { screened, judged, .. }: &FeatureScreen,
    target: &Target,
) -> Result<Vec<ScreenLine>> {
    let found: Vec<_> = features.iter().cloned().map(ColumnOrReason::Usable).collect();
    let spec = ScreenSpec::default().full(true);
    let table: F::Table =
        screen_table::table(&found, screened, judged, target, &spec).into_table()?;
    screen_pictures::lines(&table.columns(&Needed::All)?)
}
