//! What each column is.

use super::frame::{ColumnOrReason, Frame, NamedColumns};
use super::request::Request;
use super::table::{FromResults, ResultTable};
use crate::data::column_data::Source;
use crate::data::number_text::digits;
use crate::encode::table::Table;
use crate::error::{Error, Result};
use crate::rank::screen::{ColumnScreen, Judged, LeakBy, Screened, Verdict};
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
///   is the smaller one of two, with at most `rare_share` (0.2) of the rows.
/// - A column is told by an ordered one of which it is a monotone function, as a shifted, mirrored,
///   logarithmic, rounded or binned copy is, or which tells `twin_share` of its entropy beyond
///   chance, by its levels or by up to 255 intervals. A nominal column tells only its renamings. Of
///   two columns that tell each other, the one that tells less of the target is the twin. Pairs are
///   counted on at most 50,000 rows, evenly spaced.
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
    let names: Vec<&str> = found.iter().filter_map(name_of_usable).collect();
    let at_once = frame.columns_at_once(names.len()).max(1);
    F::in_pool(spec.threads, || {
        let mut parts = names.chunks(at_once);
        let first = parts.next().unwrap_or_default();
        let columns = frame.columns(&request.of_features(first).needed())?;
        let table = request.table_of_target(&columns)?;
        table.target.check()?;
        let screen = ColumnScreen::new(&table, &names, request.kinds(), spec)?;
        let mut screened = screen.screen(&columns_of(&columns, first)?)?;
        drop(columns);
        for part in parts {
            check_interrupt(spec.monitor.as_ref())?;
            let columns = frame.columns(&request.of_features(part).needed())?;
            screened.extend(screen.screen(&columns_of(&columns, part)?)?);
        }
        let judged = screen.judge(&screened)?;
        Lines { table: &table, found: &found, screened: &screened, judged: &judged, spec }.table()
    })
}

fn name_of_usable<C: Source>(found: &ColumnOrReason<C>) -> Option<&str> {
    match found {
        ColumnOrReason::Usable(column) => Some(column.name()),
        ColumnOrReason::Excluded { .. } => None,
    }
}

fn columns_of<F: NamedColumns>(frame: &F, names: &[&str]) -> Result<Vec<F::Column>> {
    names.iter().map(|name| super::frame::find(frame, "feature", name)?.usable("feature")).collect()
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

/// What the table is made of.
struct Lines<'a, C> {
    table: &'a Table,
    found: &'a [ColumnOrReason<C>],
    screened: &'a [Screened],
    judged: &'a [Judged],
    spec: &'a ScreenSpec,
}

/// A line of the table: a column that was judged, or one that cannot be.
enum Line<'a> {
    Judged { name: &'a str, dtype: String, column: &'a Screened, judged: &'a Judged },
    Unusable { name: &'a str, dtype: &'a str, reason: &'a str },
}

impl<C: Source> Lines<'_, C> {
    fn table<T: FromResults>(&self) -> Result<T> {
        let usable: Vec<&C> = self.found.iter().filter_map(usable).collect();
        let names: Vec<&str> = usable.iter().map(|column| column.name()).collect();
        let lines = self.judged.iter().map(|judged| Line::Judged {
            name: names[judged.column],
            dtype: usable[judged.column].dtype().to_string(),
            column: &self.screened[judged.column],
            judged,
        });
        let unusable = self.found.iter().filter_map(|found| match found {
            ColumnOrReason::Usable(_) => None,
            ColumnOrReason::Excluded { name, dtype, reason } => {
                Some(Line::Unusable { name, dtype, reason })
            }
        });
        let lines: Vec<Line> = lines.chain(unusable).collect();
        let of = |value: fn(&Screened, &Judged) -> f64| {
            lines.iter().map(move |line| line.of(value)).collect::<Vec<_>>()
        };
        let rounded = |value: fn(&Screened, &Judged) -> f64| {
            // A rounded -0.00001 is 0, and not -0.
            let round = |x: f64| (x * 1e4).round() / 1e4 + 0.0;
            lines.iter().map(move |line| line.of(value).map(round)).collect::<Vec<_>>()
        };
        let missing = |column: &Screened, _: &Judged| column.missing();
        let n_levels = lines.iter().map(|line| Some(line.column()?.gain.n_levels));
        let why = lines.iter().map(|line| line.why(&names, self.table));
        let table = ResultTable::default()
            .add("verdict", lines.iter().map(Line::verdict))
            .add("feature", lines.iter().map(Line::name));
        if !self.spec.full {
            return table
                .add("share", rounded(|column, _| column.told.share()))
                .add("q_value", rounded(|_, judged| judged.q_value))
                .add("missing", rounded(missing))
                .add("n_levels", n_levels)
                .add("why", why)
                .into_table();
        }
        let twin = |line: &Line| match line {
            Line::Judged { judged: Judged { verdict: Verdict::Twin(of, share), .. }, .. } => {
                Some((names[*of], *share))
            }
            Line::Judged { .. } | Line::Unusable { .. } => None,
        };
        let bit = self.spec.log_base.log(2.0);
        // Of numbers it is in their unit squared.
        let unit = if self.table.target.labels().is_empty() { 1.0 } else { bit };
        let in_unit = |values: Vec<Option<f64>>| {
            values.into_iter().map(move |value| value.map(|value| value * unit))
        };
        table
            .add("dtype", lines.iter().map(Line::dtype))
            .add("kind", lines.iter().map(|line| Some(line.column()?.kind.to_string())))
            .repeat("n", self.table.n_rows() as u64, lines.len())
            .add("n_missing", lines.iter().map(|line| Some(line.column()?.gain.n_missing)))
            .add("missing", of(missing))
            .add("n_levels", n_levels)
            .add("adjusted_gain", in_unit(of(|column, _| column.told.adjusted())))
            .add("expected_gain", in_unit(of(|column, _| column.told.expected)))
            .add("share", of(|column, _| column.told.share()))
            .add("gain_given", lines.iter().map(|line| Some(line.judged()?.gain_given? * bit)))
            .add("p_value", of(|_, judged| judged.p_value))
            .add("q_value", of(|_, judged| judged.q_value))
            .add("rule", lines.iter().map(Line::rule))
            .add("twin_of", lines.iter().map(|line| Some(twin(line)?.0)))
            .add("twin_share", lines.iter().map(|line| Some(twin(line)?.1)))
            .add("why", why)
            .into_table()
    }
}

fn usable<C>(found: &ColumnOrReason<C>) -> Option<&C> {
    match found {
        ColumnOrReason::Usable(column) => Some(column),
        ColumnOrReason::Excluded { .. } => None,
    }
}

impl<'a> Line<'a> {
    fn name(&self) -> &'a str {
        match self {
            Line::Judged { name, .. } | Line::Unusable { name, .. } => name,
        }
    }

    fn dtype(&self) -> &str {
        match self {
            Line::Judged { dtype, .. } => dtype,
            Line::Unusable { dtype, .. } => dtype,
        }
    }

    fn column(&self) -> Option<&'a Screened> {
        match self {
            Line::Judged { column, .. } => Some(column),
            Line::Unusable { .. } => None,
        }
    }

    fn judged(&self) -> Option<&'a Judged> {
        match self {
            Line::Judged { judged, .. } => Some(judged),
            Line::Unusable { .. } => None,
        }
    }

    fn of(&self, value: fn(&Screened, &Judged) -> f64) -> Option<f64> {
        Some(value(self.column()?, self.judged()?))
    }

    fn verdict(&self) -> &'static str {
        self.judged().map_or("unusable", |judged| judged.verdict.name())
    }

    /// The rule of a leak, or the best one; `None` where there is none.
    fn rule(&self) -> Option<&'a str> {
        let (column, judged) = (self.column()?, self.judged()?);
        match (&judged.verdict, &column.pure) {
            (Verdict::Leak(LeakBy::OneSide | LeakBy::Missing), Some(pure)) => Some(&pure.rule),
            _ => Some(column.gain.rule.as_str()).filter(|rule| !rule.is_empty()),
        }
    }

    /// One sentence that says what the verdict is made of.
    fn why(&self, names: &[&str], table: &Table) -> String {
        let (column, judged) = match self {
            Line::Judged { column, judged, .. } => (column, judged),
            Line::Unusable { reason, .. } => return (*reason).to_string(),
        };
        let (gain, told) = (&column.gain, &column.told);
        let known = gain.n - gain.n_missing;
        match (&judged.verdict, &column.pure) {
            (Verdict::Leak(LeakBy::OneSide | LeakBy::Missing), Some(pure)) => {
                let class = table.target.labels().get(pure.class as usize);
                let class = class.map(|label| table.target.dtype.show(label)).unwrap_or_default();
                // The name stands in the line, and Polars prints thirty letters of a text.
                let rule = pure.rule.strip_prefix(self.name()).unwrap_or(&pure.rule).trim_start();
                let rule = match rule {
                    "is missing" => "missing",
                    "is not missing" => "known",
                    rule => rule,
                };
                format!("{} of {} {class} if {rule}", pure.n_class, pure.n)
            }
            (Verdict::Leak(LeakBy::Missing), None) => "missing tells the target".to_string(),
            (Verdict::Leak(_), _) => format!("tells {} of the target", percent(told.share_of_rest)),
            (Verdict::Id, _) => format!("{} values in {known} rows", gain.n_levels),
            (Verdict::Twin(of, share), _) => format!("{} told by {}", percent(*share), names[*of]),
            (Verdict::Useful | Verdict::Weak, _) => match self.rule() {
                Some(rule) => rule.to_string(),
                None => format!("tells {} of the target", percent(told.share())),
            },
            (Verdict::Chance, _) => "chance tells as much".to_string(),
            (Verdict::Constant, _) if known == 0 => "missing in all rows".to_string(),
            (Verdict::Constant, _) => "one value in all rows".to_string(),
        }
    }
}

impl Screened {
    /// The share of rows without a value.
    fn missing(&self) -> f64 {
        self.gain.n_missing as f64 / self.gain.n as f64
    }
}

/// A share in percent.
fn percent(share: f64) -> String {
    format!("{} %", digits(100.0 * share, 3))
}
