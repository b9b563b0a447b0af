//! MDL cuts.

use super::frame::{Frame, NamedColumns};
use super::request::Request;
use super::split_candidates::on_one;
use super::table::{ResultColumn, ResultTable};
use crate::data::column::Column;
use crate::data::dtype::Kind;
use crate::error::{Error, Result, listed};
use crate::rank::mdl_cuts::{MdlCut, check_ordered, mdl_cuts_of, mdl_cuts_of_column};
use crate::spec::RankSpec;
use crate::util::parallel;

/// Finds the cuts of an ordered feature by the minimum description length (Fayyad & Irani 1993).
///
/// Returns one row per cut, ascending: `cut` (in the feature's own dtype)`, rule str, n u64,
/// info_gain f64`; no row if no cut shortens the description.
///
/// The method cuts one interval in two, then each part again, over the rows whose value is
/// known. `n` is the number of rows in the interval that was cut, and `info_gain` the gain
/// within it, in bits (nats with `log_base`, which changes no cut). Among cuts with equal gain
/// the lowest is taken. With a weight column, the N of the method is the sum of weights.
///
/// For the gain of all intervals together, use [`rank_gain`](crate::rank_gain) with
/// [`Cuts::Mdl`](crate::Cuts::Mdl). To put rows in their intervals, use
/// [`ExprGain::mdl_cut`](crate::ExprGain::mdl_cut). Of the spec, `by`, `features`, `missing`,
/// `cuts` and `sort_by` are not used.
///
/// ```
/// # use gaintree::prelude::*;
/// # use polars::prelude::*;
/// let df = df!["price" => [1, 2, 3, 4, 10, 11, 12, 13], "churn" => ["n", "n", "n", "n", "y", "y", "y", "y"]]?;
/// let cuts = df.mdl_cuts("churn", "price", &RankSpec::default())?;
/// assert_eq!(cuts.column("rule")?.str()?.get(0), Some("price >= 7"));
/// assert_eq!(cuts.height(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns the errors of [`rank_gain`](crate::rank_gain), and one for a nominal feature, a
/// feature whose dtype cannot be used, and a numeric target.
pub fn mdl_cuts<F: Frame + ?Sized>(
    frame: &F,
    target: &str,
    feature: &str,
    spec: &RankSpec,
) -> Result<F::Table> {
    let (table, cuts) = on_one(frame, (target, feature), spec, |table| {
        let cuts = mdl_cuts_of(&table, spec.log_base)?;
        Ok((table, cuts))
    })?;
    let values = cuts.iter().map(|cut| cut.cut.clone()).collect::<Vec<_>>();
    ResultTable::default()
        .push("cut", ResultColumn::Values(table.columns[0].dtype(), values.into()))
        .add("rule", cuts.iter().map(|cut| cut.rule.as_str()))
        .add("n", cuts.iter().map(|cut| cut.n))
        .add("info_gain", cuts.iter().map(|cut| cut.info_gain))
        .into_table()
}

/// Finds the [`mdl_cuts`] of every ordered feature.
///
/// Returns one row per cut: `feature str, cut str?, threshold f64?, rule str?, n u64?,
/// info_gain f64?`. Features are in column order, or as the spec names them; their cuts ascend.
/// A feature without a cut has one row without figures. `cut` is exact, in the column's dtype;
/// `threshold` is the nearest f64, for drawing.
///
/// Of the spec, `by`, `missing`, `cuts` and `sort_by` are not used.
///
/// ```
/// # use gaintree::prelude::*;
/// # use polars::prelude::*;
/// let df = df!["price" => [1, 2, 3, 4, 10, 11, 12, 13], "size" => [1, 2, 1, 2, 1, 2, 1, 2],
///              "churn" => ["n", "n", "n", "n", "y", "y", "y", "y"]]?;
/// let cuts = df.mdl_cuts_by_feature("churn", &RankSpec::default())?;
/// assert_eq!(cuts.column("cut")?.str()?.iter().collect::<Vec<_>>(), [Some("7"), None]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns the errors of [`rank_gain`](crate::rank_gain), and one for a numeric target, for a
/// named feature that is nominal or whose dtype cannot be used, and where no feature is ordered.
pub fn mdl_cuts_by_feature<F: Frame + ?Sized>(
    frame: &F,
    target: &str,
    spec: &RankSpec,
) -> Result<F::Table> {
    let request = Request { by: Vec::new(), given: Vec::new(), ..spec.request(target) };
    let columns = frame.columns(&request.needed())?;
    F::in_pool(spec.threads, || cuts_of_all(&columns, &request, spec))
}

/// The table of the cuts of every ordered feature, in the current pool.
fn cuts_of_all<F: NamedColumns>(frame: &F, request: &Request, spec: &RankSpec) -> Result<F::Table> {
    let mut table = request.table(frame, &request.sources(frame)?)?;
    table.target.check()?;
    match &spec.features {
        Some(_) => table.columns.iter().try_for_each(check_ordered)?,
        None => table.columns.retain(|column| column.kind() == Kind::Ordered),
    }
    if table.columns.is_empty() {
        return Err(Error::data(format!(
            "no ordered feature beside target `{}`; the columns are {}",
            request.target,
            listed(&frame.names())
        )));
    }
    let of_column = |column| mdl_cuts_of_column(&table, column, spec.log_base);
    let cuts = parallel::try_map(&table.columns, of_column)?;
    let lines: Vec<(&Column, Option<&MdlCut>)> = table
        .columns
        .iter()
        .zip(&cuts)
        .flat_map(|(column, cuts)| {
            let none = cuts.is_empty().then_some((column, None));
            cuts.iter().map(move |cut| (column, Some(cut))).chain(none)
        })
        .collect();
    ResultTable::default()
        .add("feature", lines.iter().map(|(column, _)| column.name()))
        .add("cut", lines.iter().map(|(column, cut)| Some(column.dtype().show(&(*cut)?.cut))))
        .add("threshold", lines.iter().map(|(column, cut)| column.dtype().threshold(&(*cut)?.cut)))
        .add("rule", lines.iter().map(|(_, cut)| Some((*cut)?.rule.as_str())))
        .add("n", lines.iter().map(|(_, cut)| Some((*cut)?.n)))
        .add("info_gain", lines.iter().map(|(_, cut)| Some((*cut)?.info_gain)))
        .into_table()
}
