//! The report on a tree and a frame: what its page is made of.

use polars::prelude::{DataFrame, DataType};

use crate::adapters::common::evaluate::Labelled;
use crate::adapters::common::notes::rank_note;
use crate::adapters::common::request::usable;
use crate::adapters::frame::columns::dtypes::dtype_of;
use crate::adapters::frame::{in_pool, polars_error};
use crate::data::column::Column;
use crate::data::dtype::Kind;
use crate::encode::table::Table;
use crate::error::Result;
use crate::fitted::Tree;
use crate::plot::feature;
use crate::plot::report::{ColumnNotes, FrameReport, Quality, RankedFeature, report};
use crate::rank::{FeatureGain, Measures, rank};
use crate::score::evaluation::Evaluation;
use crate::spec::{Cuts, LogBase, RankMissing};

/// Curves of so many features are drawn.
const CURVES: usize = 6;
/// A column that leaves so small a share of the impurity gives the target away.
const LEFT_OVER: f64 = 0.01;

impl Tree {
    /// A page on the tree and a frame that holds its target: how good the tree's predictions are
    /// (confusion, precision and recall of each class; or residuals), what each feature alone
    /// tells, importances, the tree to fold and search, the curves of the six best features,
    /// the rules, and notes on the columns (constant ones, ids, ones that give the target away,
    /// missing shares). One HTML file that needs no network; the same tree and frame give the
    /// same bytes.
    ///
    /// Features of the tree that the frame lacks, and that no rule uses, are left out, as is
    /// the tree's weight column where the frame lacks it.
    ///
    /// # Errors
    /// As [`Tree::evaluate`].
    pub fn report(&self, df: &DataFrame) -> Result<String> {
        let quality = self.quality(df)?;
        let schema = self.schema();
        let known = |name: &str| df.column(name).ok();
        let mut remarks = Vec::new();
        let lacking = schema.features.iter().filter(|f| known(&f.name).is_none());
        let lacking: Vec<&str> = lacking.map(|f| f.name.as_str()).collect();
        if !lacking.is_empty() {
            remarks.push(format!("Features that are not in these rows: {}.", lacking.join(", ")));
        }
        let weight = self.spec().weight.as_ref();
        if let Some(name) = weight.filter(|name| known(name).is_none()) {
            remarks.push(format!("The weight {name} is not in these rows: each weighs the same."));
        }
        let mut request = self.request();
        request.retain(|name| known(name).is_some_and(|c| dtype_of(c.dtype()).is_some()));
        request.weight = request.weight.filter(|name| known(name).is_some());
        let features = usable(request.features(df)?)?;
        in_pool(None, || {
            let table = request.table(df, &features)?;
            let mut findings = FrameReport {
                rows: df.height() as u64,
                ranking: Vec::new(),
                curves: Vec::new(),
                quality,
                columns: Vec::new(),
                remarks,
            };
            match table.target.check() {
                Ok(()) => self.add_columns(&table, &mut findings)?,
                Err(e) => findings.remarks.push(format!("Nothing can be ranked: {e}.")),
            }
            report(self, &findings)
        })
    }

    /// Adds the ranking, the curves and the notes on columns.
    fn add_columns(&self, table: &Table, findings: &mut FrameReport) -> Result<()> {
        let base = self.spec().log_base;
        let gains = |cuts| -> Vec<FeatureGain> {
            rank(table, None, base, RankMissing::Known, cuts).into_iter().flatten().collect()
        };
        let best = gains(Cuts::Best);
        let mut order: Vec<usize> = (0..best.len()).collect();
        let figures = |at: usize| match &best[at].measures {
            Measures::Classes(m) => (m.info_gain, Some(m.gain_ratio)),
            Measures::Numbers(m) => (m.variance_reduction, None),
        };
        order.sort_by(|&a, &b| figures(b).0.total_cmp(&figures(a).0));
        for &at in &order {
            let (gain, ratio) = figures(at);
            let feature = table.columns[at].name().to_string();
            let split = match table.columns[at].kind() {
                Kind::Ordered => "the best cut".to_string(),
                Kind::Nominal => format!("all {} levels", best[at].n_levels),
            };
            findings.ranking.push(RankedFeature {
                feature,
                gain,
                ratio,
                split,
                rule: best[at].rule.clone(),
                rule_gain: best[at].rule_gain.unwrap_or(0.0),
            });
            if gain > 0.0 && findings.curves.len() < CURVES {
                findings.curves.push(feature::drawing(&table.with_only(at), base)?);
            }
        }
        // All cuts that pay show what a column gives away; of numbers there is the best one.
        let all = if self.is_regression() { best } else { gains(Cuts::Mdl) };
        for (at, (column, gain)) in table.columns.iter().zip(&all).enumerate() {
            findings.columns.push(ColumnNotes {
                name: column.name().to_string(),
                dtype: column.dtype().to_string(),
                kind: column.kind().to_string(),
                n_levels: gain.n_levels,
                missing: gain.n_missing as f64 / (gain.n.max(1)) as f64,
                notes: notes(&table.with_only(at), column, gain, base),
            });
        }
        Ok(())
    }

    fn quality(&self, df: &DataFrame) -> Result<Quality> {
        let evaluation = self.evaluation(df)?;
        in_pool(None, || match evaluation {
            Evaluation::Classes { .. } => Ok(Quality::Classes(evaluation)),
            Evaluation::Numbers { rmse, mae, r2, .. } => {
                let Labelled { actual, routes } = self.label_numbers(df)?;
                // In the target's own width, as they are shown.
                let predicted = self.predictions("prediction", &routes)?.0;
                let predicted = predicted.cast(&DataType::Float64).map_err(polars_error)?;
                let predicted = predicted.f64().map_err(polars_error)?;
                let pairs = actual.iter().zip(predicted.into_no_null_iter());
                let mut residuals: Vec<f64> = pairs.map(|(a, p)| a - p).collect();
                residuals.sort_by(f64::total_cmp);
                Ok(Quality::Numbers { rmse, mae, r2, residuals })
            }
        })
    }
}

/// Remarks on a column: constant, like an id, and so on.
fn notes(table: &Table, column: &Column, gain: &FeatureGain, base: LogBase) -> Vec<String> {
    let known = gain.n - gain.n_missing;
    let mut notes = Vec::new();
    match gain.n_levels {
        0 => notes.push("nothing but missing values".to_string()),
        1 => notes.push("constant".to_string()),
        _ => {}
    }
    let n_classes = table.target.labels().len();
    let many_levels = rank_note(gain, column.kind(), column.dtype(), n_classes, base);
    let is_id = many_levels.is_some();
    notes.extend(many_levels);
    let left_over = match &gain.measures {
        Measures::Classes(m) => m.conditional_entropy / m.entropy,
        Measures::Numbers(m) => {
            let straight = feature::correlation(table).unwrap_or(0.0);
            (m.variance_left_over / m.variance).min(1.0 - straight * straight)
        }
    };
    // Of a level a row any target could be told.
    let may_tell = column.kind() == Kind::Ordered || gain.n_levels <= known / 10;
    if gain.n_levels > 1 && !is_id && may_tell && left_over <= LEFT_OVER {
        notes.push("gives the target away: is it known before the target is?".to_string());
    }
    if gain.n_missing * 2 > gain.n {
        notes.push("mostly missing".to_string());
    }
    notes
}
