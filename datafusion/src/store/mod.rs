//! The rows of a query as a [`RowStore`]: what growth wants to know is asked in plain SQL.
//!
//! A question becomes a query of counts: rows are grouped by packed keys of (node, column, bin,
//! class), which `unnest` makes of one row per column. Where a row is in the tree is a `CASE`. No
//! function of ours runs on the executors.

mod answers;
mod bins;
mod columns;
mod counts;
mod error;
mod gather;
mod levels;
mod moments;
mod nodes;
mod numbers;
mod summary;
mod values;

use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::Schema;
use gaintree::engine::{
    Coding, CountRequest, Counts, DType, GatheredRows, GrowingTree, RowStore, StoreColumn,
    StoreSummary, SummaryRequest, TargetCoding, Value, Weighed, Weighing,
};
use gaintree::{TreeSpec, roles_of_schema};

use crate::error::{Error, Result};
use crate::query::{RunQuery, as_table, schema_of};
use columns::Column;
use nodes::{NodeCase, levels_of};

/// About the most characters of one query. Its plan is a few times as large, and clusters refuse
/// messages of 16 MiB.
const MOST_CHARACTERS: usize = 1 << 20;

/// The rows of a query, of any engine.
pub struct SqlStore<'e, E> {
    engine: &'e E,
    /// The query in parentheses.
    table: String,
    features: Vec<Column>,
    store_columns: Vec<StoreColumn>,
    target: Column,
    weight: Option<Column>,
    /// What the summary listed of each feature and of the target.
    listed: Vec<Vec<Value>>,
    target_values: Vec<Value>,
    /// The value of each code, of features that have levels.
    levels: Vec<Option<Vec<Value>>>,
    coding: Option<Arc<Coding>>,
    most_characters: usize,
}

impl<'e, E: RunQuery> SqlStore<'e, E> {
    /// The rows of a query, with the roles that a fit would give its columns.
    ///
    /// # Errors
    /// A query that fails; a column that is not there or cannot serve.
    pub fn new(engine: &'e E, query: &str, target: &str, spec: &TreeSpec) -> Result<Self> {
        let schema = schema_of(engine, query)?;
        let roles = roles_of_schema(&schema, target, spec)?;
        let features: Vec<Column> = roles
            .features
            .iter()
            .map(|(name, dtype)| column(&schema, name, dtype))
            .collect::<Result<_>>()?;
        let (name, dtype) = &roles.target;
        let target = column(&schema, name, dtype)?;
        let weight = match &roles.weight {
            Some((name, dtype)) => Some(column(&schema, name, dtype)?),
            None => None,
        };
        Ok(SqlStore {
            engine,
            table: as_table(query),
            store_columns: features.iter().map(|column| column.store.clone()).collect(),
            features,
            target,
            weight,
            listed: Vec::new(),
            target_values: Vec::new(),
            levels: Vec::new(),
            coding: None,
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

    fn run(&self, sql: &str) -> Result<Vec<RecordBatch>> {
        self.engine.run(sql)
    }

    /// The table, of rows of positive weight.
    fn rows(&self) -> String {
        match &self.weight {
            Some(weight) => format!("{} WHERE {} > 0", self.table, weight.as_float()),
            None => self.table.clone(),
        }
    }

    fn coding(&self) -> Result<&Coding> {
        let coding = self.coding.as_deref();
        coding.ok_or_else(|| Error::Request("rows are counted before it is said how".to_string()))
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
        self.weight.as_ref().map_or_else(|| "CAST(1 AS DOUBLE)".to_string(), Column::as_float)
    }

    /// The rows of some nodes: `__n` is the node's place among them, `__c` the class, `__u` the
    /// units, `__d` the distance of a numeric target; and some of the query's columns.
    fn rows_of(&self, tree: &GrowingTree, nodes: &[u32], columns: &[String]) -> Result<String> {
        let coding = self.coding()?;
        let case = NodeCase::new(tree, &self.features, &self.levels, nodes).expression(0)?;
        let class = self.class(&coding.target)?;
        let mut select = format!("{case} AS __n, {class} AS __c");
        let units = coding
            .units
            .as_ref()
            .map(|units| numbers::units(units, &self.weight_sql(), &format!("({class})")));
        if let Some(units) = units {
            select += &format!(", {units} AS __u");
        }
        if let TargetCoding::Numbers(scale) = &coding.target {
            let distance = numbers::distance(scale, &self.target.as_float());
            select += &format!(", {distance} AS __d");
        }
        for column in columns {
            select += &format!(", {column}");
        }
        Ok(format!("(SELECT {select} FROM {}) WHERE __n >= 0", self.rows()))
    }

    /// Whether rows have units other than 1.
    fn has_units(&self) -> bool {
        self.coding.as_ref().is_some_and(|coding| coding.units.is_some())
    }
}

fn column(schema: &Schema, name: &str, dtype: &DType) -> Result<Column> {
    Ok(Column::new(name, dtype, schema.field_with_name(name)?.data_type()))
}

impl<E: RunQuery> RowStore for SqlStore<'_, E> {
    fn features(&self) -> &[StoreColumn] {
        &self.store_columns
    }

    fn target(&self) -> &StoreColumn {
        &self.target.store
    }

    fn weight(&self) -> Option<&str> {
        self.weight.as_ref().map(|weight| weight.store.name.as_str())
    }

    fn summarize(&mut self, request: &SummaryRequest) -> gaintree::Result<StoreSummary> {
        Ok(self.summary(request)?)
    }

    fn weigh(&mut self, weighing: &Weighing) -> gaintree::Result<Weighed> {
        Ok(self.weighed(weighing)?)
    }

    fn begin(&mut self, coding: &Arc<Coding>) -> gaintree::Result<()> {
        self.levels = levels_of(coding, &self.listed);
        self.coding = Some(coding.clone());
        Ok(())
    }

    fn count(&mut self, request: &CountRequest) -> gaintree::Result<Counts> {
        Ok(Counts {
            bins: self.count_bins(request)?,
            moments: self.count_moments(request)?,
            values: self.count_values(request)?,
        })
    }

    fn gather(&mut self, tree: &GrowingTree, nodes: &[u32]) -> gaintree::Result<Vec<GatheredRows>> {
        Ok(self.gathered(tree, nodes)?)
    }
}
