//! The rows of a query as a [`RowStore`]: what growth wants to know is asked in plain SQL.
//!
//! A question becomes a query of counts: rows are grouped by packed keys of (node, column, bin,
//! class), which `unnest` makes of one row per column. Where a row is in the tree is a `CASE`.
//!
//! The query is selected from once, in the innermost query, which gives its columns names of our own;
//! no other name or text of the data but the literals of levels gets into a query.

mod answers;
mod bin_batch;
mod bins;
mod cases;
mod columns;
mod counting_sql;
mod counts;
mod gather;
mod joined;
mod joined_bins;
mod levels;
mod moments;
mod nodes;
mod numbers;
mod run_query;
mod searched;
mod summary;
mod values;
mod verbs;

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::Schema;

use crate::adapters::record_batch::{ColumnRoles, roles_of_schema};
use crate::data::dtype::Value;
use crate::error::{Error, Result};
use crate::external::{
    Binning, Bins, Coding, CountRequest, Counts, GatheredRows, GrowingTree, LevelCount,
    LevelRequest, Moments, RankStore, RatedMomentRequest, RowStore, StoreColumn, StoreLimits,
    StoreSummary, SummaryRequest, TargetCoding, Weighed, Weighing,
};
use crate::spec::TreeSpec;
use answers::Answer;
use columns::QueryColumn;
use nodes::{NodeCase, levels_of, stage_name};
use numbers::SqlNumbers;
pub use run_query::{Fetched, QueryBatches, RunQuery};
use run_query::{MeteredEngine, as_table, schema_of};
pub use verbs::{QueryFit, fit_query, rank_query, score_query};

/// About the most characters of one query. Its plan is a few times as large, and clusters refuse
/// messages of 16 MiB.
const MOST_CHARACTERS: usize = 1 << 20;

/// So many values come back in one answer, of about ten million bytes, before they are counted in
/// finer bins.
const FEW_VALUES: u64 = 1 << 18;

const ANSWER_BYTES: u64 = 64 << 20;

/// About the bytes of a value with its counts: the value, its column, node and class, and its sums.
const VALUE_BYTES: u64 = 64;

/// The most rows of a node that is gathered, unless the budget says how many.
const GATHERED_ROWS: u64 = 200_000;

/// The rows of a query, of any engine.
pub struct SqlStore<'e> {
    engine: MeteredEngine<'e>,
    sql: SqlNumbers,
    /// The query, its columns by names of our own, as a table; and its rows of positive weight.
    all_rows: String,
    rows: String,
    features: Vec<QueryColumn>,
    store_columns: Vec<StoreColumn>,
    target: QueryColumn,
    weight: Option<QueryColumn>,
    /// What the summary listed of each feature and of the target.
    listed: Vec<Vec<Value>>,
    target_values: Vec<Value>,
    /// The value of each code, of features that have levels.
    levels: Vec<Option<Vec<Value>>>,
    coding: Option<Arc<Coding>>,
    /// The bins that each column was counted in first.
    index: HashMap<u32, Arc<Bins>>,
    most_characters: usize,
}

impl<'e> SqlStore<'e> {
    /// The rows of a query, with the roles that a fit would give its columns.
    ///
    /// # Errors
    /// A query that fails; a column that is not there or cannot serve.
    pub fn new(
        engine: &'e dyn RunQuery,
        query: &str,
        target: &str,
        spec: &TreeSpec,
    ) -> Result<Self> {
        let schema = schema_of(engine, query)?;
        SqlStore::of_roles(engine, query, &schema, &roles_of_schema(&schema, target, spec)?)
    }

    fn of_roles(
        engine: &'e dyn RunQuery,
        query: &str,
        schema: &Schema,
        roles: &ColumnRoles,
    ) -> Result<Self> {
        let (dialect, sql) = (engine.dialect(), SqlNumbers::new(engine)?);
        let column = |alias: &str, of| QueryColumn::new(dialect, sql.counting, schema, alias, of);
        let features = roles.features.iter().enumerate();
        let features: Vec<QueryColumn> =
            features.map(|(at, of)| column(&format!("x{at}"), of)).collect::<Result<_>>()?;
        let target = column("y", &roles.target)?;
        let weight = roles.weight.as_ref().map(|of| column("w", of)).transpose()?;
        let all = features.iter().chain([&target]).chain(&weight);
        let selected: Vec<String> = all.map(QueryColumn::selected).collect::<Result<_>>()?;
        let all_rows = format!("SELECT {} FROM {}", selected.join(", "), as_table(query));
        let rows = match &weight {
            Some(weight) => format!("({all_rows} WHERE {} > 0) AS t", weight.selected_float()?),
            None => format!("({all_rows}) AS t"),
        };
        Ok(SqlStore {
            engine: MeteredEngine { engine, most_bytes: u64::MAX, fetched: Cell::default() },
            sql,
            all_rows: format!("({all_rows}) AS t"),
            rows,
            store_columns: features.iter().map(|column| column.store.clone()).collect(),
            features,
            target,
            weight,
            listed: Vec::new(),
            target_values: Vec::new(),
            levels: Vec::new(),
            coding: None,
            index: HashMap::new(),
            most_characters: MOST_CHARACTERS,
        })
    }

    /// About the most characters of one query: longer ones are divided. The default is a million,
    /// whose plan fits the messages of a cluster.
    #[must_use]
    pub fn most_characters(mut self, characters: usize) -> Self {
        self.most_characters = characters;
        self
    }

    /// The most bytes of an answer. One that is larger is an error.
    fn most_bytes(mut self, bytes: u64) -> Self {
        self.engine.most_bytes = bytes;
        self
    }

    /// The answer to a query of this number of columns.
    fn run(&self, n_columns: usize, sql: &str) -> Result<Answer> {
        Answer::new(self.engine.answer(sql)?, n_columns)
    }

    fn coding(&self) -> Result<&Coding> {
        let coding = self.coding.as_deref();
        coding.ok_or_else(|| Error::spec("rows are counted before it is said how"))
    }

    /// The class of a row; 0 if the target is a number.
    fn class(&self, coding: &TargetCoding) -> Result<String> {
        match coding {
            TargetCoding::Classes { class_of, .. } => self.class_by(class_of),
            TargetCoding::Numbers(_) => Ok("CAST(0 AS BIGINT)".to_string()),
        }
    }

    fn class_by(&self, class_of: &[u16]) -> Result<String> {
        let class = |at: usize| class_of.get(at).copied().unwrap_or(0).into();
        self.target.codes(&self.target_values, class)
    }

    /// The weight of a row as it stands in the column.
    fn weight_sql(&self) -> String {
        self.weight.as_ref().map_or_else(|| "CAST(1 AS DOUBLE)".to_string(), QueryColumn::as_float)
    }

    /// The rows of some nodes: `__n` is the node's place among them, `__c` the class, `__u` the
    /// units, `__d` the distance of a numeric target; and some of the table's columns.
    fn rows_of(&self, tree: &GrowingTree, nodes: &[u32], columns: &[String]) -> Result<String> {
        let coding = self.coding()?;
        let mut rows = self.rows.clone();
        let mut node = "0".to_string();
        let stages = NodeCase::new(tree, &self.features, &self.levels, nodes)
            .stages(self.sql.counting.most_conditions())?;
        for (stage, of_stage) in stages.into_iter().enumerate() {
            let name = stage_name(stage);
            (rows, node) = match self.sql.counting.apart(&of_stage, &name) {
                Some(apart) => (format!("(SELECT *, {apart} FROM {rows}) AS placed"), name),
                None => (rows, of_stage),
            };
        }
        let class = self.class(&coding.target)?;
        // Keys that are packed of it need 64 bits.
        let mut select = format!("CAST({node} AS BIGINT) AS __n, {class} AS __c");
        let units = coding
            .units
            .as_ref()
            .map(|units| self.sql.units(units, &self.weight_sql(), &format!("({class})")));
        if let Some(units) = units {
            select += &format!(", {units} AS __u");
        }
        if let TargetCoding::Numbers(scale) = &coding.target {
            let distance = self.sql.distance(scale, &self.target.as_float());
            select += &format!(", {distance} AS __d");
        }
        for column in columns {
            select += &format!(", {column}");
        }
        Ok(format!("(SELECT {select} FROM {rows}) AS placed WHERE __n >= 0"))
    }

    /// About how many bytes a gathered row has in an answer.
    fn row_bytes(&self) -> u64 {
        // Node, class, units and number.
        let beside = 32;
        let of_column =
            |column: &StoreColumn| match column.dtype.is_text() || column.dtype.is_wide() {
                true => 24,
                false => 8,
            };
        beside + self.store_columns.iter().map(of_column).sum::<u64>()
    }

    /// Whether rows have units other than 1.
    fn has_units(&self) -> bool {
        self.coding.as_ref().is_some_and(|coding| coding.units.is_some())
    }

    /// About the characters of [`rows_of`](Self::rows_of) in a query of cells of nodes and columns.
    fn length_of_rows(&self, n_nodes: usize, n_columns: usize) -> usize {
        // The conditions of a node's path.
        let paths = 200 * n_nodes;
        match self.sql.counting.makes_arrays() {
            true => paths,
            false => n_columns * (self.rows.len() + paths),
        }
    }

    /// The units of a row of [`rows_of`](Self::rows_of), to be summed.
    fn units(&self) -> String {
        self.sql.wide(if self.has_units() { "__u" } else { "1" })
    }
}

/// A condition that no statistics of parquet files answer, as these leave NaN out.
fn holds(condition: &str) -> String {
    format!("CASE WHEN {condition} THEN 1 ELSE 0 END = 1")
}

impl RowStore for SqlStore<'_> {
    fn features(&self) -> &[StoreColumn] {
        &self.store_columns
    }

    fn target(&self) -> &StoreColumn {
        &self.target.store
    }

    fn weight(&self) -> Option<&str> {
        self.weight.as_ref().map(|weight| weight.store.name.as_str())
    }

    fn limits(&self) -> StoreLimits {
        StoreLimits {
            values: ANSWER_BYTES / VALUE_BYTES,
            few_values: FEW_VALUES,
            fine_bins: self.sql.counting.most_fine_bins(),
            rows: ANSWER_BYTES / self.row_bytes(),
            rows_of_node: GATHERED_ROWS,
        }
    }

    fn binning(&self, feature: usize) -> Binning {
        match self.features[feature].number(self.features[feature].alias()) {
            Some(_) => Binning { most_bins: self.sql.counting.most_steps(), in_steps: true },
            None => Binning { most_bins: self.sql.counting.most_bins(), in_steps: false },
        }
    }

    fn summarize(&mut self, request: &SummaryRequest) -> Result<StoreSummary> {
        self.summary(request)
    }

    fn weigh(&mut self, weighing: &Weighing) -> Result<Weighed> {
        self.weighed(weighing)
    }

    fn begin(&mut self, coding: &Arc<Coding>) -> Result<()> {
        self.levels = levels_of(coding, &self.listed);
        self.coding = Some(coding.clone());
        Ok(())
    }

    fn count(&mut self, request: &CountRequest) -> Result<Counts> {
        for asked in request.bins.iter().filter(|asked| asked.within.is_empty()) {
            self.index.entry(asked.column).or_insert_with(|| asked.bins.clone());
        }
        Ok(Counts {
            bins: self.count_bins(request)?,
            moments: self.count_moments(request)?,
            values: self.count_values(request)?,
        })
    }

    fn gather(&mut self, tree: &GrowingTree, nodes: &[u32]) -> Result<Vec<GatheredRows>> {
        self.gathered(tree, nodes)
    }
}

impl RankStore for SqlStore<'_> {
    fn count_levels(
        &mut self,
        tree: &GrowingTree,
        requests: &[LevelRequest],
    ) -> Result<Vec<LevelCount>> {
        self.count_distinct(tree, requests)
    }

    fn rated_moments(
        &mut self,
        tree: &GrowingTree,
        requests: &[RatedMomentRequest],
    ) -> Result<Vec<Moments>> {
        self.moments(tree, requests)
    }
}
