//! A tree as an SQL expression, to score where the data is.
//!
//! A node becomes a few disjoint conditions, one a branch, which no null decides. The branch
//! with the most leaves goes on in the `ELSE` of the same `CASE`; only the others nest. So a
//! nested `CASE` has at most half the leaves of the one around it, and a chain of a thousand
//! nodes nests no deeper than one: engines limit how deep expressions go (SQLite before 3.46
//! gives up at about 20 nested `CASE`s), not how long they are.

mod dialect;
mod literal;

pub use dialect::Dialect;

use std::fmt::Write;

use crate::data::dtype::{DType, Kind, Value};
use crate::error::{Error, Result};
use crate::spec::Missing;
use crate::tree::rule::Test;
use crate::tree::{Feature, Split, TreeData};
use literal::Use;

/// Most leaves a tree may have to be put into SQL.
pub const MAX_SQL_LEAVES: usize = 50_000;

impl TreeData {
    /// The tree's answer as an SQL expression over the columns it uses: a `CASE` of the class
    /// (as a value of the target's dtype) or the mean. It answers as [`Tree::score`] does.
    ///
    /// Missing is null, and NaN where the engine has one. Under [`Missing::Error`] a row with a
    /// missing value in a used column is answered with null, as an expression cannot refuse it.
    /// Columns are compared as columns of the model's dtype: booleans as booleans (1 and 0 in
    /// SQLite), text as text (cast an engine's own enum to text), zoned times as instants;
    /// SQLite keeps dates and times as ISO 8601 text, a space before the time, in UTC.
    /// Probabilities and means are `f64` literals that read back exactly.
    ///
    /// ```
    /// # #[cfg(feature = "polars")] {
    /// use gaintree::prelude::*;
    /// # use polars::prelude::*;
    /// let df = df!["wind" => [30, 7, 12, 28], "play" => ["no", "yes", "yes", "no"]]?;
    /// let tree = df.fit_tree("play", &TreeSpec::cart())?.tree;
    /// assert_eq!(
    ///     tree.to_sql(Dialect::DuckDb)?,
    ///     "CASE\n  WHEN \"wind\" IS NULL OR \"wind\" >= 20 THEN 'no'\n  ELSE 'yes'\nEND"
    /// );
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A tree of [`Missing::Fractional`], or of more than [`MAX_SQL_LEAVES`] leaves; a name, a
    /// level or a cut that the engine cannot hold.
    pub fn to_sql(&self, dialect: Dialect) -> Result<String> {
        let schema = self.schema();
        self.sql(dialect, &|node| match self.mean(node) {
            Some(mean) => Ok(dialect.float(mean)),
            None => {
                let class = &schema.classes[self.majority(node)];
                let what = format!("target `{}`", schema.target);
                dialect.value(&what, &schema.target_dtype, class, Use::Equal)
            }
        })
    }

    /// The probability of each class as an SQL expression, in class order.
    ///
    /// # Errors
    /// As [`Tree::to_sql`], and a numeric target.
    pub fn to_sql_probabilities(&self, dialect: Dialect) -> Result<Vec<String>> {
        if self.is_regression() {
            return Err(Error::spec(format!(
                "the model's target `{}` is a number, which has no class probabilities: leave \
                 them out",
                self.schema().target
            )));
        }
        (0..self.schema().classes.len())
            .map(|class| {
                self.sql(dialect, &|node| Ok(dialect.float(self.probability(node, class))))
            })
            .collect()
    }

    fn sql(&self, dialect: Dialect, answer: &dyn Fn(u32) -> Result<String>) -> Result<String> {
        let is_split = self.n_nodes() > 1;
        if self.spec().missing == Missing::Fractional && is_split {
            return Err(Error::spec(
                "the tree sends a missing value down every branch (missing = fractional), which \
                 a CASE cannot: score it otherwise, or fit it with missing = learn or majority",
            ));
        }
        if self.n_leaves() > MAX_SQL_LEAVES {
            return Err(Error::spec(format!(
                "the tree has {} leaves, and SQL of more than {MAX_SQL_LEAVES} is more than \
                 engines take: prune it, fit it with max_leaves, or score it otherwise",
                self.n_leaves()
            )));
        }
        let used: Vec<&Feature> =
            self.used_features().iter().map(|&f| &self.schema().features[f as usize]).collect();
        dialect.check_names(&used)?;
        let writer = Writer { tree: self, dialect, answer, leaves: self.leaves_below() };
        let mut sql = String::new();
        if self.spec().missing == Missing::Error && is_split {
            let missing = used.iter().map(|feature| Ok(Operand::new(dialect, feature)?.missing()));
            let missing: Vec<String> = missing.collect::<Result<_>>()?;
            write_to(
                &mut sql,
                format_args!("CASE\n  WHEN {} THEN NULL\n  ELSE ", missing.join(" OR ")),
            );
            writer.expression(0, 1, &mut sql)?;
            sql.push_str("\nEND");
        } else {
            writer.expression(0, 0, &mut sql)?;
        }
        Ok(sql)
    }

    /// The leaves at and below each node.
    fn leaves_below(&self) -> Vec<u32> {
        let mut leaves = vec![0; self.n_nodes()];
        // Branches follow their node.
        for (id, node) in self.node_slice().iter().enumerate().rev() {
            leaves[id] = match &node.split {
                None => 1,
                Some(split) => split.branches.iter().map(|&branch| leaves[branch as usize]).sum(),
            };
        }
        leaves
    }
}

/// Writing to a string does not fail.
fn write_to(sql: &mut String, text: std::fmt::Arguments) {
    let _ = sql.write_fmt(text);
}

struct Writer<'t> {
    tree: &'t TreeData,
    dialect: Dialect,
    answer: &'t dyn Fn(u32) -> Result<String>,
    leaves: Vec<u32>,
}

/// Where a condition leads.
#[derive(Clone, Copy)]
enum Outcome {
    Node(u32),
    /// The row stops, and this node answers.
    Stop(u32),
}

impl Writer<'_> {
    /// The expression of a node. It calls itself only for less than all of its leaves, at most
    /// half of them, and so never deep.
    fn expression(&self, node: u32, depth: usize, sql: &mut String) -> Result<()> {
        if self.tree.node_slice()[node as usize].split.is_none() {
            sql.push_str(&(self.answer)(node)?);
            return Ok(());
        }
        let indent = "  ".repeat(depth);
        sql.push_str("CASE");
        let mut next = Outcome::Node(node);
        while let Outcome::Node(node) = next
            && let Some(split) = &self.tree.node_slice()[node as usize].split
        {
            let mut arms = self.arms(node, split)?;
            let size = |outcome: Outcome| match outcome {
                Outcome::Node(node) => self.leaves[node as usize],
                Outcome::Stop(_) => 0,
            };
            let largest = (0..arms.len()).max_by_key(|&i| size(arms[i].1)).unwrap_or(0);
            next = arms.remove(largest).1;
            for (condition, outcome) in arms {
                write_to(sql, format_args!("\n{indent}  WHEN {condition} THEN "));
                self.outcome(outcome, depth + 1, sql)?;
            }
        }
        write_to(sql, format_args!("\n{indent}  ELSE "));
        self.outcome(next, depth + 1, sql)?;
        write_to(sql, format_args!("\n{indent}END"));
        Ok(())
    }

    fn outcome(&self, outcome: Outcome, depth: usize, sql: &mut String) -> Result<()> {
        match outcome {
            Outcome::Node(node) => self.expression(node, depth, sql)?,
            Outcome::Stop(node) => sql.push_str(&(self.answer)(node)?),
        }
        Ok(())
    }

    /// The conditions of a rule: of any row exactly one is true, the others false or null.
    fn arms(&self, node: u32, split: &Split) -> Result<Vec<(String, Outcome)>> {
        let feature = &self.tree.schema().features[split.rule.feature as usize];
        let x = Operand::new(self.dialect, feature)?;
        let branch = |i: u32| Outcome::Node(split.branches[i as usize]);
        let missing_to = split.rule.missing_to;
        let two_way = |holds: String, does_not: String| match missing_to {
            Some(1) => vec![(x.or_missing(&holds), branch(1)), (x.and_known(&does_not), branch(0))],
            Some(_) => vec![(x.or_missing(&does_not), branch(0)), (x.and_known(&holds), branch(1))],
            None => vec![
                (x.missing(), Outcome::Stop(node)),
                (x.and_known(&does_not), branch(0)),
                (x.and_known(&holds), branch(1)),
            ],
        };
        Ok(match &split.rule.test {
            Test::AtLeast(Value::Text(cut)) if let DType::Enum { categories } = &feature.dtype => {
                // In declared order; what is not declared is missing.
                let at = categories.iter().position(|c| c == cut).unwrap_or(0);
                let (below, above) = categories.split_at(at);
                two_way(x.one_of(above, false)?, x.one_of(below, false)?)
            }
            Test::AtLeast(cut) => {
                let cut = x.value(cut, Use::Cut)?;
                two_way(format!("{} >= {cut}", x.ordered), format!("{} < {cut}", x.ordered))
            }
            Test::Equals(level) => {
                let level = x.levels(&[*level])?;
                two_way(format!("{} = {level}", x.nominal), format!("{} <> {level}", x.nominal))
            }
            // What is in neither goes where missing goes.
            Test::In { right, left } => {
                let is = |levels: &[u32]| x.is_in(&x.levels(levels)?, false);
                let is_not = |levels: &[u32]| x.is_in(&x.levels(levels)?, true);
                match missing_to {
                    Some(1) => two_way(is_not(left)?, is(left)?),
                    Some(_) => two_way(is(right)?, is_not(right)?),
                    None => {
                        let neither = format!("{} AND {}", is_not(right)?, is_not(left)?);
                        let mut arms = two_way(is(right)?, is(left)?);
                        arms.push((x.and_known(&neither), Outcome::Stop(node)));
                        arms
                    }
                }
            }
            Test::Each(levels) => {
                let missing = missing_to.map_or(Outcome::Stop(node), branch);
                let mut arms = vec![(x.missing(), missing)];
                for (i, level) in levels.iter().enumerate() {
                    let is = format!("{} = {}", x.nominal, x.levels(&[*level])?);
                    arms.push((x.and_known(&is), branch(i as u32)));
                }
                let absent = x.is_in(&x.levels(levels)?, true)?;
                arms.push((x.and_known(&absent), Outcome::Stop(node)));
                arms
            }
            Test::IsMissing => vec![(x.missing(), branch(1)), (x.known(), branch(0))],
        })
    }
}

/// A feature as conditions name it.
struct Operand<'t> {
    dialect: Dialect,
    feature: &'t Feature,
    /// The column by its name.
    name: String,
    /// The column, to be compared by order.
    ordered: String,
    /// The column, to be compared for equality.
    nominal: String,
    /// A test that holds of the values that are missing and not null.
    also_missing: Option<String>,
}

impl<'t> Operand<'t> {
    fn new(dialect: Dialect, feature: &'t Feature) -> Result<Self> {
        let name = dialect.identifier(&format!("feature `{}`", feature.name), &feature.name)?;
        let [ordered, nominal] = if feature.dtype.is_text() {
            dialect.text_operands(&name)
        } else {
            [name.clone(), name.clone()]
        };
        let mut operand = Operand { dialect, feature, name, ordered, nominal, also_missing: None };
        operand.also_missing = match &feature.dtype {
            dtype if dtype.is_float() => dialect.is_nan(&operand.name),
            DType::Enum { categories } if feature.kind == Kind::Ordered => {
                Some(operand.one_of(categories, true)?)
            }
            _ => None,
        };
        Ok(operand)
    }

    fn missing(&self) -> String {
        match &self.also_missing {
            Some(also) => format!("({} IS NULL OR {also})", self.name),
            None => format!("{} IS NULL", self.name),
        }
    }

    fn known(&self) -> String {
        match &self.also_missing {
            Some(also) => format!("({} IS NOT NULL AND NOT ({also}))", self.name),
            None => format!("{} IS NOT NULL", self.name),
        }
    }

    fn or_missing(&self, condition: &str) -> String {
        format!("{} OR {condition}", self.missing())
    }

    /// A condition that is null of nulls, and so not true of them.
    fn and_known(&self, condition: &str) -> String {
        match &self.also_missing {
            Some(also) => format!("{condition} AND NOT ({also})"),
            None => condition.to_string(),
        }
    }

    fn what(&self) -> String {
        format!("feature `{}`", self.feature.name)
    }

    fn value(&self, value: &Value, how: Use) -> Result<String> {
        self.dialect.value(&self.what(), &self.feature.dtype, value, how)
    }

    /// Levels, with commas between them. They are kept as text, whatever their dtype.
    fn levels(&self, levels: &[u32]) -> Result<String> {
        let dtype = &self.feature.dtype;
        let level = |&level: &u32| {
            let text = &self.feature.levels[level as usize];
            let value = dtype.parse(text).unwrap_or_else(|| Value::Text(text.clone()));
            self.value(&value, Use::Equal)
        };
        Ok(levels.iter().map(level).collect::<Result<Vec<_>>>()?.join(", "))
    }

    /// Whether the text is one of some (or, negated, none of them).
    fn one_of(&self, texts: &[String], negated: bool) -> Result<String> {
        let text = |text: &String| self.dialect.text(&self.what(), text);
        self.is_in(&texts.iter().map(text).collect::<Result<Vec<_>>>()?.join(", "), negated)
    }

    fn is_in(&self, list: &str, negated: bool) -> Result<String> {
        let not = if negated { "NOT " } else { "" };
        Ok(match list {
            // No engine takes an empty list.
            "" => format!("{} IS {}NULL AND {} IS NOT NULL", self.name, not, self.name),
            _ => format!("{} {not}IN ({list})", self.nominal),
        })
    }
}
