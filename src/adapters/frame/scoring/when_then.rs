//! A tree as plain Polars expressions.

use polars::prelude::{DataType, Expr, Scalar, as_struct, lit, when};

use crate::adapters::frame::columns::column;
use crate::adapters::frame::columns::dtypes::polars_dtype;
use crate::adapters::frame::columns::values::values_as;
use crate::data::dtype::{DType, Kind, Value};
use crate::error::{Error, Result};
use crate::fitted::Tree;
use crate::score::Routes;
use crate::spec::Missing;
use crate::tree::rule::Test;
use crate::tree::{Feature, Split};

/// The most nodes of a tree that can be written as [`when`] and `then`: Polars evaluates every
/// branch for all rows.
pub const MAX_WHEN_THEN_NODES: usize = 1_000;

/// The greatest depth of such a tree: Polars walks an expression by recursion.
const MAX_DEPTH: u32 = 50;

impl Tree {
    /// The prediction in plain Polars expressions, named `prediction`. Nothing of this crate is in
    /// the plan, so that it can run elsewhere; it evaluates every node for every row, where
    /// [`predict`](Self::predict) follows one path.
    ///
    /// Missing values are tested first (in Polars NaN is at least any number). The columns must
    /// have the dtypes the model was fitted on; text of any dtype will do for text.
    ///
    /// # Errors
    /// A tree of more than [`MAX_WHEN_THEN_NODES`] nodes, or deeper than 50; one grown with
    /// [`Missing::Fractional`], which mixes several predictions, or with [`Missing::Error`], as
    /// plain expressions cannot refuse a row. Use [`predict`](Self::predict) for these.
    pub fn to_when_then(&self) -> Result<Expr> {
        let refused = |what: String| {
            Error::spec(format!("{what} cannot be written as when and then: use predict()"))
        };
        if self.n_nodes() > MAX_WHEN_THEN_NODES || self.depth() > MAX_DEPTH {
            return Err(refused(format!(
                "a tree of {} nodes and depth {}, past {MAX_WHEN_THEN_NODES} or {MAX_DEPTH},",
                self.n_nodes(),
                self.depth()
            )));
        }
        if self.n_nodes() > 1 && matches!(self.spec().missing, Missing::Fractional | Missing::Error)
        {
            let way = self.spec().missing;
            return Err(refused(format!("a tree grown with missing = {way:?}").to_lowercase()));
        }
        let mut written: Vec<Option<Expr>> = vec![None; self.n_nodes()];
        // Branches come after their node, so the last node is written first.
        for (id, node) in self.node_slice().iter().enumerate().rev() {
            let expr = match &node.split {
                None => self.prediction_literal(id as u32)?,
                Some(split) => {
                    let branches =
                        split.branches.iter().filter_map(|&id| written[id as usize].take());
                    self.rule_expr(id as u32, split, branches.collect())?
                }
            };
            written[id] = Some(expr);
        }
        let root = written.into_iter().next().flatten();
        let root = root.ok_or_else(|| refused("a tree without nodes".into()))?;
        Ok(self.in_row_order(root.alias("prediction")))
    }

    /// The expression as a field of a struct that also holds a used column.
    ///
    /// Polars 0.55 does not know that a choice between literals depends on the order of rows:
    /// selected alone from files, row groups come in the order they are read. The column beside
    /// it keeps the order.
    fn in_row_order(&self, root: Expr) -> Expr {
        let Some(&used) = self.used_features().first() else { return root };
        let ordered = column(&self.schema().features[used as usize].name).alias("order");
        as_struct(vec![root, ordered]).struct_().field_by_name("prediction")
    }

    /// The prediction of a node.
    fn prediction_literal(&self, id: u32) -> Result<Expr> {
        let prediction = self.predictions("prediction", &Routes::from(vec![id]))?.0;
        let value = prediction.get(0)?.into_static();
        Ok(lit(Scalar::new(self.prediction_dtype(), value)))
    }

    /// The rule of a node, given its branches.
    fn rule_expr(&self, id: u32, split: &Split, branches: Vec<Expr>) -> Result<Expr> {
        let x = TestedFeature::new(self.feature(split));
        let missing_to = split.rule.missing_to;
        let two_way = |holds: Expr| match branches.as_slice() {
            [left, right] => when(holds).then(right.clone()).otherwise(left.clone()),
            _ => lit(polars::prelude::NULL),
        };
        // A comparison with null gives null; the test for missing decides.
        let or_missing = |holds: Expr| match missing_to {
            Some(1) => x.missing.clone().or(holds),
            _ => x.known_and(holds),
        };
        Ok(match &split.rule.test {
            Test::IsMissing => two_way(x.missing),
            Test::AtLeast(cut) => two_way(or_missing(x.value.clone().gt_eq(x.literal(cut)?))),
            Test::Equals(level) => two_way(or_missing(x.is_in(&[*level])?)),
            // A level in neither set goes where missing goes.
            Test::In { left, .. } if missing_to == Some(1) => {
                two_way(or_missing(x.is_in(left)?.not()))
            }
            Test::In { right, .. } => two_way(or_missing(x.is_in(right)?)),
            Test::Each(levels) => {
                // A row without a branch of its own stops here.
                let mut rest = self.prediction_literal(id)?;
                for (branch, written) in
                    (0u32..).zip(branches).collect::<Vec<_>>().into_iter().rev()
                {
                    let missing = || match missing_to == Some(branch) {
                        true => x.missing.clone(),
                        false => lit(false),
                    };
                    let holds = match levels.get(branch as usize) {
                        Some(&level) => missing().or(x.known_and(x.is_in(&[level])?)),
                        None => missing(),
                    };
                    rest = when(holds).then(written).otherwise(rest);
                }
                rest
            }
        })
    }
}

/// A text is compared with so many levels one by one. It is looked up among more: as an Enum of
/// them alone, which makes all other texts null.
const COMPARED_LEVELS: usize = 8;

/// A feature as rules test it.
struct TestedFeature<'t> {
    feature: &'t Feature,
    value: Expr,
    missing: Expr,
    /// Compared as text, whatever its dtype.
    as_text: bool,
}

impl TestedFeature<'_> {
    fn new(feature: &Feature) -> TestedFeature<'_> {
        let dtype = &feature.dtype;
        let is_text = dtype.is_text() || *dtype == DType::Boolean;
        let is_enum = matches!(dtype, DType::Enum { .. });
        let (value, as_text) = match column(&feature.name) {
            // A text that is no category becomes null: it has no position in the order.
            x if is_enum && feature.kind == Kind::Ordered => (x.cast(polars_dtype(dtype)), false),
            x if is_text => (x.cast(DataType::String), true),
            x => (x, false),
        };
        let missing = match value.clone().is_null() {
            null if dtype.is_float() => null.or(value.clone().is_nan()),
            null => null,
        };
        TestedFeature { feature, value, missing, as_text }
    }

    /// Whether the value is not missing, and `holds`.
    fn known_and(&self, holds: Expr) -> Expr {
        self.missing.clone().not().and(holds)
    }

    /// A value to compare with.
    fn literal(&self, value: &Value) -> Result<Expr> {
        if let (true, Value::Text(text)) = (self.as_text, value) {
            return Ok(lit(text.as_str()));
        }
        let own = &self.feature.dtype;
        let dtype = polars_dtype(own);
        let values = values_as("literal", own, &dtype, std::iter::once(value))?;
        let value = values.get(0)?.into_static();
        Ok(lit(Scalar::new(dtype, value)))
    }

    /// Whether the value, which is not missing, is of one of these levels.
    fn is_in(&self, levels: &[u32]) -> Result<Expr> {
        let texts = || levels.iter().map(|&level| &self.feature.levels[level as usize]);
        if self.as_text && levels.len() > COMPARED_LEVELS {
            let categories = texts().cloned().collect();
            let set = polars_dtype(&DType::Enum { categories });
            return Ok(self.value.clone().cast(set).is_not_null());
        }
        let mut any = lit(false);
        for text in texts() {
            let value = match self.as_text {
                true => Some(Value::Text(text.clone())),
                false => self.feature.dtype.parse(text),
            };
            // A level that is no value of the dtype equals no value.
            if let Some(value) = value {
                any = any.or(self.value.clone().eq(self.literal(&value)?));
            }
        }
        Ok(any)
    }
}
