//! What each column is.

use super::frame::{ColumnOrReason, Frame, Needed, features_of, texts};
use super::request::Request;
use super::screen_table::{table, why};
use crate::data::column_data::Source;
use crate::encode::table::{Kinds, Table};
use crate::error::{Error, Result};
use crate::rank::screen::ColumnScreen;
#[cfg(feature = "plot")]
use crate::rank::screen::{Judged, Screened};
use crate::spec::ScreenSpec;
use crate::util::monitoring::check_interrupt;

/// Says what each column is: one to leave out, or one that tells about `target`, and how much.
///
/// Returns one row per column: `verdict str, feature str, share f64?, q_value f64?, missing f64?,
/// n_levels u64?, why str`. `share`, `q_value` and `missing` are rounded to four decimals. With
/// [`full`](ScreenSpec::full) the table is whole and nothing is rounded: `verdict str, feature str,
/// dtype str, kind str?, n u64, n_missing u64?, missing f64?, n_levels u64?, adjusted_gain f64?,
/// expected_gain f64?, share f64?, gain_given f64?, p_value f64?, q_value f64?, rule str?, twin_of
/// str?, twin_share f64?, why str`.
///
/// The first rule that holds makes the verdict. Each threshold is a field of the [`ScreenSpec`].
///
/// | verdict | the column |
/// | --- | --- |
/// | `unusable` | is of a dtype without order and levels |
/// | `constant` | has one value in all rows; missing is a value |
/// | `id` | names its rows: a nominal column with at least `id_share_nominal` (0.3) levels a row; whole numbers, at least `id_share` (0.95) of them distinct, that number the rows or tell no more than chance |
/// | `chance` | has a `q_value` above `alpha` (0.05) |
/// | `leak` | leaves at most 1 % of the target open, by its values or by whether one is missing (`leak_share` 0.99); or has a rule that finds at least `pure_recall` (0.1) of a rare class without errors (`pure_share` 0.99) |
/// | `twin` | is told by another column (`twin_share` 0.9): `twin_of` |
/// | `weak` | tells less than `weak_share` (0.01) of the target |
/// | `useful` | tells more |
///
/// Leaks come first, then ids and twins, which are to be left out, unless they are what is looked
/// for. Useful columns come in order of `gain_given`, what each tells beside the earlier one that
/// leaves least of it (Fleuret 2004); then weak ones by their share, and those that say nothing.
///
/// - What a column tells is the information gain, in bits (nats with `log_base`), of its levels, or
///   of at most 21 intervals of an ordered column; for a numeric target it is the reduction of its
///   variance. Missing is a level of its own. `adjusted_gain` is the gain less `expected_gain`,
///   what as many levels tell by chance: exact for classes (Vinh, Epps & Bailey 2010). `share` is
///   that as a share of the target's entropy or variance.
/// - `p_value` is of Pearson's test on these levels, with its exact mean and variance; of an
///   ordered column of more than three, twice the lesser one of that and of the test on three
///   intervals. Rows are counted, whatever they weigh, and a numeric target is taken by ten
///   intervals. `q_value` is the false discovery rate over the columns (Benjamini & Hochberg 1995).
/// - A leak leaves nothing of the target, beyond what chance would tell, by its levels, by up to
///   255 intervals or by its best cut; for a numeric target also by a straight line. The rare class
///   is the smaller one of two, with at most `rare_share` (0.2) of the rows, and chance finds as pure
///   a rule for it in one column of a million at most.
/// - An ordered column tells each column that is a monotone function of it: a shifted, mirrored,
///   logarithmic, rounded or binned copy. It also tells a column if it tells `twin_share` of that
///   column's entropy beyond chance, by levels or by up to 255 intervals. A nominal column tells only
///   its renamings. Of two columns that tell each other, the one that tells less of the target is the
///   twin. Pairs are counted on at most 50,000 rows, evenly spaced.
/// - `rule` is the best rule by information gain, as in [`rank_gain`](crate::rank_gain).
///
/// Takes `O(n)` time per column of n rows, and compares the useful and weak columns in pairs.
/// Columns of Parquet files behind a LazyFrame are read a few at a time.
///
/// ```
/// # use gaintree::prelude::*;
/// # use polars::prelude::*;
/// let n = 200;
/// let age: Vec<i32> = (0..n).map(|row| 20 + row * 7 % 60).collect();
/// let df = df![
///     "customer" => (0..n).map(|row| format!("c{row}")).collect::<Vec<_>>(),
///     "age" => &age,
///     "born" => age.iter().map(|age| 2025 - age).collect::<Vec<_>>(),
///     "country" => vec!["NO"; n as usize],
///     "churn" => age.iter().zip(0..).map(|(age, row)| (*age > 50) != (row % 5 == 0)).collect::<Vec<_>>(),
/// ]?;
/// let screen = df.screen("churn", &ScreenSpec::default())?;
/// let verdicts: Vec<_> = screen.column("verdict")?.str()?.iter().flatten().collect();
/// let features: Vec<_> = screen.column("feature")?.str()?.iter().flatten().collect();
/// assert_eq!(verdicts, ["id", "twin", "useful", "constant"]);
/// assert_eq!(features, ["customer", "born", "age", "country"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error for a column that does not exist, a target with nulls or with one class, a
/// weight that is null, negative or not finite, no column to screen, and a threshold that is not
/// from 0 to 1.
pub fn screen<F: Frame + ?Sized>(frame: &F, target: &str, spec: &ScreenSpec) -> Result<F::Table> {
    let outline = frame.outline()?;
    let request = spec.request(target);
    let found = request.features(&outline)?;
    if found.is_empty() {
        return Err(Error::data(format!(
            "no column to screen beside target `{target}`: name some, or leave fewer out"
        )));
    }
    let usable: Vec<_> = found.iter().filter_map(ColumnOrReason::as_column).collect();
    let names: Vec<&str> = usable.iter().map(|column| column.name()).collect();
    let at_once = frame.columns_at_once(names.len()).max(1);
    F::in_pool(spec.threads, || {
        let mut parts = names.chunks(at_once);
        let first = parts.next().unwrap_or_default();
        let columns = frame.columns(&request.of_features(first).needed())?;
        let of_target = request.table_of_target(&columns)?;
        of_target.target.check()?;
        let screen = ColumnScreen::new(&of_target, &names, request.kinds(), spec)?;
        let mut screened = screen.screen(&features_of(&columns, first)?)?;
        drop(columns);
        for part in parts {
            check_interrupt(spec.monitor.as_ref())?;
            let columns = frame.columns(&request.of_features(part).needed())?;
            screened.extend(screen.screen(&features_of(&columns, part)?)?);
        }
        let judged = screen.judge(&screened)?;
        table(&found, &screened, &judged, &of_target.target, spec).into_table()
    })
}

/// The columns that no model should have, by a table of [`screen`]: leaks, ids, twins, and columns that
/// are constant or unusable.
///
/// ```
/// # use gaintree::{columns_to_exclude, prelude::*};
/// # use polars::prelude::*;
/// let n = 100;
/// let df = df![
///     "id" => (0..n).map(|row| format!("r{row}")).collect::<Vec<_>>(),
///     "x" => (0..n).map(|row| row % 10).collect::<Vec<_>>(),
///     "y" => (0..n).map(|row| row % 10 > 4 + row % 3).collect::<Vec<_>>(),
/// ]?;
/// let screen = df.screen("y", &ScreenSpec::default())?;
/// let fit = df.fit_tree("y", &TreeSpec::cart().exclude(columns_to_exclude(&screen)?))?;
/// assert_eq!(fit.importance.column("feature")?.str()?.get(0), Some("x"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A table without the columns `verdict` and `feature` of texts.
pub fn columns_to_exclude<F: Frame + ?Sized>(screen: &F) -> Result<Vec<String>> {
    let columns = screen.columns(&Needed::Checked(vec!["verdict", "feature"]))?;
    let texts = |name: &str| texts(&columns, "column of a screen", name);
    let (verdicts, features) = (texts("verdict")?, texts("feature")?);
    let is_excluded = |verdict: Option<String>| {
        verdict.is_some_and(|verdict| EXCLUDED.contains(&verdict.as_str()))
    };
    let of_lines = verdicts.into_iter().zip(features);
    Ok(of_lines.filter_map(|(verdict, feature)| feature.filter(|_| is_excluded(verdict))).collect())
}

/// The verdicts on columns that no model should have.
const EXCLUDED: [&str; 5] = ["leak", "id", "twin", "constant", "unusable"];

/// What a screen with its defaults finds of features that are in memory.
pub(super) struct FeatureScreen {
    #[cfg(feature = "plot")]
    pub(super) screened: Vec<Screened>,
    #[cfg(feature = "plot")]
    pub(super) judged: Vec<Judged>,
    /// Of each feature, why a model should not have it: that it is a leak, an id or a twin.
    pub(super) reasons: Vec<Option<String>>,
}

impl FeatureScreen {
    /// `table` has the target.
    pub(super) fn of<S: Source>(table: &Table, features: &[S], kinds: Kinds) -> Result<Self> {
        let names: Vec<&str> = features.iter().map(Source::name).collect();
        let monitor = table.context.monitor.clone();
        let spec = ScreenSpec { monitor, ..ScreenSpec::default() };
        let screen = ColumnScreen::new(table, &names, kinds, &spec)?;
        let screened = screen.screen(features)?;
        let judged = screen.judge(&screened)?;
        let mut reasons = vec![None; features.len()];
        for judged in judged.iter().filter(|judged| judged.verdict.is_to_leave_out()) {
            let (at, verdict) = (judged.column, judged.verdict.name());
            let why = why(names[at], &screened[at], judged, |column| names[column], &table.target);
            reasons[at] = Some(format!("{verdict}: {why}"));
        }
        Ok(FeatureScreen {
            #[cfg(feature = "plot")]
            screened,
            #[cfg(feature = "plot")]
            judged,
            reasons,
        })
    }
}

impl Request {
    /// The request for the target, the weights and these features.
    fn of_features(&self, names: &[&str]) -> Request {
        Request {
            target: self.target.clone(),
            weight: self.weight.clone(),
            features: Some(names.iter().map(|name| name.to_string()).collect()),
            ..Request::default()
        }
    }
}
