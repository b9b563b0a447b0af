//! Routing: which node each row of a batch ends in.
//!
//! The columns a tree uses are brought to the model's keys and level places once; then each row
//! walks the tree on integers. Columns the tree does not use are never asked for.

use hashbrown::HashMap;
use rayon::prelude::*;

use crate::column::{Column, Levels};
use crate::dtype::{DType, Kind, Value};
use crate::encode::{Cells, MISSING};
use crate::error::{Error, Result, no_such_column};
use crate::rule::Test;
use crate::spec::{Missing, Task};
use crate::table::Source;
use crate::target::{Target, TargetValues};
use crate::tree::{Feature, Tree};

/// Where the rows of a batch ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Routes {
    /// The node each row stopped at: a leaf, or an inner node whose multiway rule has no branch
    /// for the row's value.
    pub nodes: Vec<u32>,
    /// Rows that met, on their way, a level the node never saw (under `x == level`: one that
    /// training never saw).
    pub absent_levels: u64,
}

/// A feature of the batch, as the tree compares it.
enum Prepared {
    Keys(Vec<u64>, Option<Vec<bool>>),
    Wide(Vec<i128>, Option<Vec<bool>>),
    /// Places in the feature's levels, [`MISSING`], or [`UNSEEN`].
    Levels(Vec<u32>),
    Missing,
}

/// The place of a level the training frame did not have.
const UNSEEN: u32 = u32::MAX - 1;

/// An inner node, ready to be asked.
struct Step<'t> {
    slot: usize,
    ask: Ask<'t>,
    branches: &'t [u32],
    /// The node of a missing value; the node itself to stop there.
    missing: u32,
}

enum Ask<'t> {
    Key(u64),
    Wide(i128),
    Level(u32),
    Set { right: &'t [u32], left: &'t [u32] },
    Each(&'t [u32]),
    IsMissing,
}

/// Rows a task routes at a time.
const ROWS: usize = 8192;

impl Tree {
    /// Finds the node each row ends in, rows in parallel in the current pool. `O(depth)` a row.
    ///
    /// `columns` finds a column by name, or answers `None`; `known` are the names there are,
    /// for the message.
    ///
    /// # Errors
    /// A used column that is absent or of a dtype the model cannot compare with, or one with
    /// missing values where the tree was fitted with [`Missing::Error`].
    pub fn route<S: Source>(
        &self,
        n_rows: usize,
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
    ) -> Result<Routes> {
        let used = self.used_features();
        let mut slots = vec![usize::MAX; self.schema.features.len()];
        let mut sources = Vec::new();
        for (slot, &f) in used.iter().enumerate() {
            let feature = &self.schema.features[f as usize];
            let source = column(&feature.name)?
                .ok_or_else(|| no_such_column("feature of the model", &feature.name, known))?;
            self.check(feature, &source)?;
            slots[f as usize] = slot;
            sources.push((f, source));
        }
        let cuts = self.text_cuts();
        let prepared: Vec<Prepared> = sources
            .par_iter()
            .map(|(f, source)| self.prepare(*f, source, &cuts[*f as usize]))
            .collect::<Result<_>>()?;
        let steps: Vec<Option<Step>> =
            (0..self.nodes.len()).map(|node| self.step(node, &slots, &cuts)).collect();

        let mut nodes = vec![0u32; n_rows];
        let absent_levels = nodes
            .par_chunks_mut(ROWS)
            .enumerate()
            .map(|(chunk, nodes)| {
                let mut absent_rows = 0;
                for (i, node) in nodes.iter_mut().enumerate() {
                    let mut absent = false;
                    *node = walk(&steps, &prepared, chunk * ROWS + i, &mut absent);
                    absent_rows += u64::from(absent);
                }
                absent_rows
            })
            .sum();
        Ok(Routes { nodes, absent_levels })
    }

    /// The class of each row of a column of actual classes; `None` for one the tree was never
    /// trained on.
    ///
    /// # Errors
    /// A column of another dtype than the target's, a missing value in it, or a numeric target.
    pub fn actual_classes(&self, source: &impl Source) -> Result<Vec<Option<u32>>> {
        let schema = &self.schema;
        if self.is_regression() {
            return Err(Error::spec(format!(
                "the model's target `{}` is a number: it has no classes to compare",
                schema.target
            )));
        }
        let levels = schema.classes.iter().map(|c| schema.target_dtype.write(c)).collect();
        let target = Feature {
            name: schema.target.clone(),
            dtype: schema.target_dtype.clone(),
            kind: Kind::Nominal,
            has_missing: false,
            levels,
        };
        self.check(&target, source)?;
        let places = match self.prepare_as(&target, source, &[])? {
            Prepared::Levels(places) => places,
            _ => vec![MISSING; source.cells().len()],
        };
        if let Some(row) = places.iter().position(|&p| p == MISSING) {
            return Err(Error::data(format!(
                "target `{}` ({}) is missing in row {row}; a row without its class cannot be \
                 judged: fill it or drop the row",
                target.name,
                source.dtype()
            )));
        }
        Ok(places.into_iter().map(|p| (p != UNSEEN).then_some(p)).collect())
    }

    /// The number of each row of a column of actual numbers.
    ///
    /// # Errors
    /// A column that holds no numbers, or a number that is missing or infinite.
    pub fn actual_numbers(&self, source: &impl Source) -> Result<Vec<f64>> {
        let (name, dtype) = (&self.schema.target, source.dtype().clone());
        let target = Target::encode(name.as_str(), dtype, Task::Regress, source.cells(), None)?;
        Ok(match target.values {
            TargetValues::Numbers(numbers) => numbers,
            TargetValues::Classes { .. } => Vec::new(), // not of a regression
        })
    }

    /// The rows whose way passes a node, of rows that ended in these.
    pub(crate) fn rows_through(&self, node: u32, ends: &[u32]) -> Vec<u32> {
        // Nodes are in preorder, so a parent is decided before its branches.
        let mut below = vec![false; self.nodes.len()];
        for (id, n) in self.nodes.iter().enumerate() {
            below[id] = id as u32 == node || n.parent.is_some_and(|parent| below[parent as usize]);
        }
        (0..ends.len() as u32).filter(|&row| below[ends[row as usize] as usize]).collect()
    }

    pub(crate) fn check(&self, feature: &Feature, source: &impl Source) -> Result<()> {
        if feature.dtype.accepts(source.dtype()) {
            return Ok(());
        }
        Err(Error::data(format!(
            "column `{}` is {} here, but the model was fitted on {}: cast it to {}",
            feature.name,
            source.dtype(),
            feature.dtype,
            feature.dtype
        )))
    }

    /// Per feature, the distinct cuts of text taken as ordered, in the feature's order.
    fn text_cuts(&self) -> Vec<Vec<&str>> {
        let mut cuts = vec![Vec::new(); self.schema.features.len()];
        for split in self.nodes.iter().filter_map(|n| n.split.as_ref()) {
            if let Test::AtLeast(Value::Text(cut)) = &split.rule.test {
                cuts[split.rule.feature as usize].push(cut.as_str());
            }
        }
        for (cuts, feature) in cuts.iter_mut().zip(&self.schema.features) {
            cuts.sort_by_key(|cut| text_rank(&feature.dtype, cut));
            cuts.dedup();
        }
        cuts
    }

    fn prepare(&self, feature: u32, source: &impl Source, cuts: &[&str]) -> Result<Prepared> {
        let feature = &self.schema.features[feature as usize];
        let prepared = self.prepare_as(feature, source, cuts)?;
        if self.spec.missing == Missing::Error
            && let Some(row) = prepared.first_missing()
        {
            return Err(Error::data(format!(
                "column `{}` ({}) is missing in row {row}, and the model was fitted with missing \
                 = error: fill it, or fit with another way with missing values",
                feature.name,
                source.dtype()
            )));
        }
        Ok(prepared)
    }

    fn prepare_as(
        &self,
        feature: &Feature,
        source: &impl Source,
        cuts: &[&str],
    ) -> Result<Prepared> {
        // Integers taken as nominal match by their text, which is the same in every width.
        let dtype = match feature.kind {
            Kind::Nominal if source.dtype().is_integer() => source.dtype(),
            _ => &feature.dtype,
        };
        let cells = convert(source.cells(), source.dtype(), dtype);
        Ok(match (feature.kind, cells) {
            (_, Cells::Missing(_)) => Prepared::Missing,
            (Kind::Nominal, cells) => Prepared::Levels(places(feature, dtype, cells)?),
            (Kind::Ordered, Cells::Keys(keys, missing)) => Prepared::Keys(keys, missing),
            (Kind::Ordered, Cells::Wide(keys, missing)) => Prepared::Wide(keys, missing),
            (Kind::Ordered, Cells::Text(ids, texts)) => {
                let key = |text: &String| {
                    let rank = text_rank(&feature.dtype, text);
                    let at = cuts.partition_point(|cut| text_rank(&feature.dtype, cut) <= rank);
                    (at as u64, rank == TextRank::Undeclared)
                };
                let keys: Vec<(u64, bool)> = texts.iter().map(key).collect();
                let key = |&id: &u32| if id == MISSING { (0, true) } else { keys[id as usize] };
                let (keys, missing) = ids.iter().map(key).unzip();
                Prepared::Keys(keys, Some(missing))
            }
        })
    }

    fn step<'t>(
        &'t self,
        node: usize,
        slots: &[usize],
        text_cuts: &[Vec<&str>],
    ) -> Option<Step<'t>> {
        let split = self.nodes[node].split.as_ref()?;
        let f = split.rule.feature as usize;
        let dtype = &self.schema.features[f].dtype;
        let ask = match &split.rule.test {
            Test::AtLeast(Value::Text(cut)) => {
                let rank = text_rank(dtype, cut);
                Ask::Key(text_cuts[f].partition_point(|c| text_rank(dtype, c) <= rank) as u64)
            }
            Test::AtLeast(cut) => match dtype.wide_of_value(cut) {
                Some(key) if dtype.is_wide() => Ask::Wide(key),
                // A cut of another sort than its dtype cannot come from growth or a model file.
                _ => Ask::Key(dtype.key_of_value(cut).unwrap_or(u64::MAX)),
            },
            Test::Equals(level) => Ask::Level(*level),
            Test::In { right, left } => Ask::Set { right, left },
            Test::Each(levels) => Ask::Each(levels),
            Test::IsMissing => Ask::IsMissing,
        };
        let missing = match (split.rule.missing_to, &ask) {
            (_, Ask::IsMissing) => split.branches[1],
            (Some(branch), _) => split.branches[branch as usize],
            (None, _) => node as u32,
        };
        Some(Step { slot: slots[f], ask, branches: &split.branches, missing })
    }
}

/// Follows one row from the root; the node it stops at.
fn walk(steps: &[Option<Step>], columns: &[Prepared], row: usize, absent: &mut bool) -> u32 {
    let mut node = 0;
    while let Some(step) = &steps[node as usize] {
        let next = step.next(node, &columns[step.slot], row, absent);
        if next == node {
            break;
        }
        node = next;
    }
    node
}

impl Step<'_> {
    #[inline]
    fn next(&self, node: u32, column: &Prepared, row: usize, absent: &mut bool) -> u32 {
        if column.is_missing(row) {
            return self.missing;
        }
        let holds = match (&self.ask, column) {
            (Ask::Key(cut), Prepared::Keys(keys, _)) => keys[row] >= *cut,
            (Ask::Wide(cut), Prepared::Wide(keys, _)) => keys[row] >= *cut,
            (Ask::Level(level), Prepared::Levels(places)) => {
                *absent |= places[row] == UNSEEN;
                places[row] == *level
            }
            (Ask::Set { right, left }, Prepared::Levels(places)) => {
                let is_right = right.binary_search(&places[row]).is_ok();
                if !is_right && left.binary_search(&places[row]).is_err() {
                    *absent = true;
                    return self.missing;
                }
                is_right
            }
            (Ask::Each(levels), Prepared::Levels(places)) => {
                return match levels.binary_search(&places[row]) {
                    Ok(branch) => self.branches[branch],
                    Err(_) => {
                        *absent = true;
                        node
                    }
                };
            }
            _ => false, // `is missing` of a value that is there
        };
        self.branches[usize::from(holds)]
    }
}

impl Prepared {
    #[inline]
    fn is_missing(&self, row: usize) -> bool {
        match self {
            Prepared::Keys(_, missing) | Prepared::Wide(_, missing) => {
                missing.as_ref().is_some_and(|m| m[row])
            }
            Prepared::Levels(places) => places[row] == MISSING,
            Prepared::Missing => true,
        }
    }

    fn first_missing(&self) -> Option<usize> {
        match self {
            Prepared::Keys(_, missing) | Prepared::Wide(_, missing) => {
                missing.as_ref()?.iter().position(|&m| m)
            }
            Prepared::Levels(places) => places.iter().position(|&p| p == MISSING),
            Prepared::Missing => Some(0),
        }
    }
}

/// Where a text stands in the order of its dtype.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TextRank<'a> {
    /// Not one of an enum's categories.
    Undeclared,
    Declared(usize),
    Text(&'a str),
}

fn text_rank<'a>(dtype: &DType, text: &'a str) -> TextRank<'a> {
    match dtype {
        DType::Enum { categories } => categories
            .iter()
            .position(|c| c == text)
            .map_or(TextRank::Undeclared, TextRank::Declared),
        _ => TextRank::Text(text),
    }
}

/// A batch's cells in the keys of the model's dtype, which accepts the batch's.
fn convert(cells: Cells, from: &DType, to: &DType) -> Cells {
    let same_keys = from == to || (from.has_i64_keys() && to.has_i64_keys());
    let widen = |missing| (missing, to.is_wide());
    match cells {
        Cells::Keys(keys, missing) if !same_keys => match widen(missing) {
            (missing, true) => {
                let wide = |&k: &u64| to.wide_of_value(&from.value_of_key(k)).unwrap_or(i128::MAX);
                Cells::Wide(keys.iter().map(wide).collect(), missing)
            }
            (missing, false) => {
                let key = |&k: &u64| to.key_of_value(&from.value_of_key(k)).unwrap_or(u64::MAX);
                Cells::Keys(keys.iter().map(key).collect(), missing)
            }
        },
        Cells::Wide(keys, missing) if from != to => match widen(missing) {
            (missing, true) => {
                let wide =
                    |&k: &i128| to.wide_of_value(&from.value_of_wide(k)).unwrap_or(i128::MAX);
                Cells::Wide(keys.iter().map(wide).collect(), missing)
            }
            (missing, false) => {
                let key = |&k: &i128| to.key_of_value(&from.value_of_wide(k)).unwrap_or(u64::MAX);
                Cells::Keys(keys.iter().map(key).collect(), missing)
            }
        },
        same => same,
    }
}

/// Each row's place in a nominal feature's levels, looked up once a level.
fn places(feature: &Feature, dtype: &DType, cells: Cells) -> Result<Vec<u32>> {
    let known: HashMap<&str, u32> =
        feature.levels.iter().enumerate().map(|(i, l)| (l.as_str(), i as u32)).collect();
    let place = |text: &String| known.get(text.as_str()).copied().unwrap_or(UNSEEN);
    let (ids, texts) = match cells {
        Cells::Text(ids, texts) => (ids, texts),
        // Numbers taken as nominal match by their text, as they were encoded in training.
        cells => {
            let name = feature.name.as_str();
            let column = Column::encode(name, dtype.clone(), Kind::Nominal, cells)?;
            let missing = column.missing_code();
            let ids = column.codes.by_row().into_iter();
            let ids = ids.map(|c| if c == missing { MISSING } else { c }).collect();
            match column.levels {
                Levels::Text(texts) => (ids, texts),
                _ => (ids, Vec::new()),
            }
        }
    };
    let places: Vec<u32> = texts.iter().map(place).collect();
    Ok(ids.iter().map(|&id| if id == MISSING { MISSING } else { places[id as usize] }).collect())
}
