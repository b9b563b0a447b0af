//! Frames from columns, and the tables of a tree: importance, nodes and rules.

use polars::prelude::{
    Column, DataFrame, DataType, IntoSeries, ListChunked, NamedFrom, PlSmallStr, Scalar, Series,
};

use crate::adapters::common::tables::{ResultColumn, ResultTable};
use crate::error::{Error, Result};
use crate::fitted::Tree;
use crate::tree::Split;
use crate::tree::rule::Test;

/// Columns of one height, collected one after the other.
#[derive(Default)]
pub(crate) struct Columns(Vec<Column>);

impl Columns {
    pub(crate) fn add<T, P: ?Sized>(
        &mut self,
        name: &str,
        values: impl IntoIterator<Item = T>,
    ) -> &mut Self
    where
        Series: NamedFrom<Vec<T>, P>,
    {
        let values: Vec<T> = values.into_iter().collect();
        self.push(Series::new(name.into(), values).into())
    }

    pub(crate) fn push(&mut self, column: Column) -> &mut Self {
        self.0.push(column);
        self
    }

    /// Adds a column that names the event, if there is one.
    pub(crate) fn add_event(&mut self, event: Option<String>) -> &mut Self {
        let n_rows = self.0.first().map_or(0, Column::len);
        self.0.extend(event.map(|event| event_column(event, n_rows)));
        self
    }

    pub(crate) fn append<'a>(
        &mut self,
        columns: impl IntoIterator<Item = (impl AsRef<str>, ResultColumn<'a>)>,
    ) -> &mut Self {
        for (name, values) in columns {
            let name = name.as_ref();
            match values {
                ResultColumn::Bool(values) => self.add(name, values),
                ResultColumn::U32(values) => self.add(name, values),
                ResultColumn::U64(values) => self.add(name, values),
                ResultColumn::F64(values) => self.add(name, values),
                ResultColumn::Text(values) => self.add(name, values),
            };
        }
        self
    }

    pub(crate) fn frame(&mut self) -> Result<DataFrame> {
        DataFrame::new_infer_height(std::mem::take(&mut self.0)).map_err(Error::from)
    }
}

/// A column that names the event of some rows.
pub(crate) fn event_column(event: String, n_rows: usize) -> Column {
    Column::new_scalar("event".into(), Scalar::from(PlSmallStr::from(event)), n_rows)
}

/// A table of results as a frame.
pub(crate) fn frame(table: ResultTable) -> Result<DataFrame> {
    Columns::default().append(table).frame()
}

/// A column of lists, typed even where it is empty.
fn lists(name: &str, inner: &DataType, lists: Vec<Option<Series>>) -> Result<Column> {
    let lists: ListChunked = lists.into_iter().collect();
    let series = lists.into_series().with_name(name.into());
    series.cast(&DataType::List(Box::new(inner.clone()))).map(Column::from).map_err(Error::from)
}

impl Tree {
    /// What each feature did in the tree, most important first: `rank u32, feature str,
    /// importance f64, total_gain f64, n_splits u64, min_depth u32?, coverage f64`.
    ///
    /// `importance` sums to 1, or is all 0 for a single leaf; `total_gain` weights each rule's
    /// gain by its node's share of the rows; `coverage` is the share of the rows that meet a
    /// rule on the feature. Features the tree does not use are listed too.
    ///
    /// # Errors
    /// Whatever Polars says on building the frame.
    pub fn importance(&self) -> Result<DataFrame> {
        frame(self.importance_table())
    }

    /// Every node in preorder: `node_id u32, parent_id u32?, depth u32, is_leaf bool, feature
    /// str?, op str?, cut str?, threshold f64?, levels list[str]?, branches list[u32]?,
    /// missing_to u32?, n u64, weight f64, impurity f64, gain f64?, prediction str,
    /// class_counts list[f64], approximate bool`.
    ///
    /// `branches` are node ids: false then true of a two-way rule; in `levels` order, then
    /// missing, of a multiway one. `missing_to` is the node a missing value goes to, null where
    /// it stops, or goes down every branch
    /// ([`Missing::Fractional`](crate::Missing::Fractional)).
    ///
    /// # Errors
    /// Whatever Polars says on building the frame.
    pub fn nodes(&self) -> Result<DataFrame> {
        let nodes = self.node_slice();
        let ids = 0..nodes.len() as u32;
        let splits: Vec<Option<&Split>> = nodes.iter().map(|n| n.split.as_ref()).collect();
        let cuts = splits.iter().map(|split| {
            let split = (*split)?;
            let Test::AtLeast(cut) = &split.rule.test else { return None };
            Some((&self.feature(split).dtype, cut))
        });
        let levels = splits.iter().map(|s| s.and_then(|s| self.levels(s))).collect();
        let branches = splits.iter().map(|s| Some(Series::new("".into(), &(*s)?.branches)));
        let counts = ids.clone().map(|id| Some(Series::new("".into(), self.class_counts(id))));
        let missing_to = |s: &Split| s.rule.missing_to.map(|branch| s.branches[branch as usize]);
        Columns::default()
            .add("node_id", ids.clone())
            .add("parent_id", nodes.iter().map(|n| n.parent))
            .add("depth", nodes.iter().map(|n| n.depth))
            .add("is_leaf", splits.iter().map(Option::is_none))
            .add("feature", splits.iter().map(|s| Some(self.feature((*s)?).name.as_str())))
            .add("op", splits.iter().map(|s| Some((*s)?.rule.op())))
            .add("cut", cuts.clone().map(|c| c.map(|(dtype, cut)| dtype.show(cut))))
            .add("threshold", cuts.map(|c| c.and_then(|(dtype, cut)| dtype.threshold(cut))))
            .push(lists("levels", &DataType::String, levels)?)
            .push(lists("branches", &DataType::UInt32, branches.collect())?)
            .add("missing_to", splits.iter().map(|s| s.and_then(missing_to)))
            .add("n", nodes.iter().map(|n| n.n))
            .add("weight", ids.clone().map(|id| self.weight(id)))
            .add("impurity", nodes.iter().map(|n| n.impurity))
            .add("gain", splits.iter().map(|s| Some((*s)?.gain)))
            .add("prediction", ids.map(|id| self.answer_text(id)))
            .push(lists("class_counts", &DataType::Float64, counts.collect())?)
            .add("approximate", splits.iter().map(|s| s.is_some_and(|s| s.approximate)))
            .frame()
    }

    /// The levels that a rule names: those that go right, or one per branch.
    fn levels(&self, split: &Split) -> Option<Series> {
        let levels = match &split.rule.test {
            Test::Equals(level) => std::slice::from_ref(level),
            Test::In { right, .. } => right,
            Test::Each(levels) => levels,
            Test::AtLeast(_) | Test::IsMissing => return None,
        };
        let names = &self.feature(split).levels;
        let names: Vec<&str> = levels.iter().map(|&l| names[l as usize].as_str()).collect();
        Some(Series::new("".into(), names))
    }

    /// The way to every leaf: `leaf_id u32, rule str, prediction str, probability f64 (null of
    /// numbers), n u64, weight f64`. Tests on one feature are merged, into an interval or a set of
    /// levels, all of which are named ([`shorten_sets`](crate::engine::shorten_sets) is for screens). A
    /// multiway node has a line of its own for the levels it never saw (*otherwise*), which
    /// stop there.
    ///
    /// # Errors
    /// A tree of more than [`MAX_CONDITIONS`](crate::engine::MAX_CONDITIONS) conditions, and whatever
    /// Polars says on building the frame.
    pub fn rules(&self) -> Result<DataFrame> {
        let rules = self.leaf_rules()?;
        let nodes = self.node_slice();
        let probability =
            |id: u32| (!self.is_regression()).then(|| self.probability(id, self.majority(id)));
        // An otherwise line has the node's prediction, but no training row takes it.
        Columns::default()
            .add("leaf_id", rules.iter().map(|r| r.leaf))
            .add("rule", rules.iter().map(|r| r.rule.as_str()))
            .add("prediction", rules.iter().map(|r| self.answer_text(r.leaf)))
            .add("probability", rules.iter().map(|r| probability(r.leaf)))
            .add("n", rules.iter().map(|r| if r.otherwise { 0 } else { nodes[r.leaf as usize].n }))
            .add(
                "weight",
                rules.iter().map(|r| if r.otherwise { 0.0 } else { self.weight(r.leaf) }),
            )
            .frame()
    }
}
