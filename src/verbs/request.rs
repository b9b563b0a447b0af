//! From named columns and a spec to a training table: which columns are features, and why not.

use std::collections::{HashMap, HashSet};

use super::frame::{ColumnOrReason, NamedColumns, Needed, find};
use crate::data::column_data::Source;
use crate::data::dtype::{DType, Kind};
use crate::data::weights::check_weights;
use crate::encode::table::{Kinds, Table};
use crate::error::{Error, Result, listed};
use crate::spec::{Monitor, RankSpec, ScreenSpec, SelectSpec, Task, TreeSpec, WoeSpec};
use crate::tree::TreeData;

/// What a verb asks of a table.
#[derive(Default)]
pub(crate) struct Request {
    pub(crate) target: String,
    /// `None` is all columns without another role.
    pub(crate) features: Option<Vec<String>>,
    /// Columns that are no features.
    pub(crate) exclude: Vec<String>,
    pub(crate) ordered: Vec<String>,
    pub(crate) nominal: Vec<String>,
    pub(crate) task: Task,
    pub(crate) weight: Option<String>,
    /// The columns that group the rows.
    pub(crate) by: Vec<String>,
    /// The columns that are known already.
    pub(crate) given: Vec<String>,
    pub(crate) monitor: Option<Monitor>,
}

/// The request of a spec: all kinds of spec name these fields alike.
macro_rules! request {
    ($spec:expr, $target:expr, $task:expr) => {
        Request {
            target: $target.to_string(),
            features: $spec.features.clone(),
            exclude: $spec.exclude.clone(),
            ordered: $spec.ordered.clone(),
            nominal: $spec.nominal.clone(),
            task: $task,
            weight: $spec.weight.clone(),
            monitor: $spec.monitor.clone(),
            ..Request::default()
        }
    };
}

impl TreeSpec {
    pub(crate) fn request(&self, target: &str) -> Request {
        request!(self, target, self.task)
    }
}

impl ScreenSpec {
    pub(crate) fn request(&self, target: &str) -> Request {
        request!(self, target, self.task)
    }
}

impl SelectSpec {
    pub(crate) fn request(&self, target: &str) -> Request {
        request!(self, target, self.task)
    }
}

impl WoeSpec {
    pub(crate) fn request(&self, target: &str) -> Request {
        request!(self, target, Task::Classify)
    }
}

impl RankSpec {
    pub(crate) fn request(&self, target: &str) -> Request {
        let (by, given) = (self.by.clone(), self.given.clone());
        Request { by, given, ..request!(self, target, self.task) }
    }

    /// The request for one feature, rows not grouped.
    pub(crate) fn request_of_one(&self, target: &str, feature: &str) -> Request {
        let mut request = Request { by: Vec::new(), given: Vec::new(), ..self.request(target) };
        request.features = Some(vec![feature.to_string()]);
        request.exclude = Vec::new();
        request.retain(|name| name == feature);
        request
    }
}

impl TreeData {
    /// The request for a table like the one the tree was fitted on.
    pub(crate) fn request(&self) -> Request {
        let (schema, features) = (self.schema(), &self.schema().features);
        let of_kind = |kind: Kind| features.iter().filter(move |f| f.kind == kind);
        Request {
            target: schema.target.clone(),
            features: Some(features.iter().map(|f| f.name.clone()).collect()),
            ordered: of_kind(Kind::Ordered).map(|f| f.name.clone()).collect(),
            nominal: of_kind(Kind::Nominal).map(|f| f.name.clone()).collect(),
            task: if self.is_regression() { Task::Regress } else { Task::Classify },
            weight: self.spec().weight.clone(),
            ..Request::default()
        }
    }
}

impl Request {
    pub(crate) fn kinds(&self) -> Kinds<'_> {
        Kinds { task: self.task, ordered: &self.ordered, nominal: &self.nominal }
    }

    fn kinds_of_target(&self) -> Kinds<'_> {
        Kinds { task: self.task, ..Kinds::default() }
    }

    /// Asks for features only as far as `keep` holds of them.
    pub(crate) fn retain(&mut self, keep: impl Fn(&String) -> bool) {
        let lists = self.features.iter_mut().chain([&mut self.ordered, &mut self.nominal]);
        lists.for_each(|names| names.retain(&keep));
    }

    /// The columns of another role than feature, and the role.
    pub(crate) fn reserved(&self) -> impl Iterator<Item = (&str, &str)> {
        let weight = self.weight.iter().map(|name| ("the weight", name.as_str()));
        [("the target", self.target.as_str())]
            .into_iter()
            .chain(weight)
            .chain(self.by.iter().map(|name| ("a group's column", name.as_str())))
            .chain(self.given.iter().map(|name| ("given", name.as_str())))
    }

    /// The role of each column that has another one than feature.
    fn roles(&self) -> HashMap<&str, &str> {
        let mut roles = HashMap::new();
        self.reserved().for_each(|(role, name)| _ = roles.entry(name).or_insert(role));
        roles
    }

    /// The features in column order (or as they are named).
    pub(crate) fn features<F: NamedColumns>(
        &self,
        frame: &F,
    ) -> Result<Vec<ColumnOrReason<F::Column>>> {
        let (known, roles) = (frame.names(), self.roles());
        for name in &self.exclude {
            find(frame, "column to exclude", name)?;
        }
        let excluded: HashSet<&str> = self.exclude.iter().map(String::as_str).collect();
        let chosen: Vec<&str> = match &self.features {
            None => known.iter().copied().filter(|name| !roles.contains_key(name)).collect(),
            Some(chosen) => {
                let mut seen = HashSet::new();
                for name in chosen {
                    if let Some(role) = roles.get(name.as_str()) {
                        return Err(Error::spec(format!(
                            "feature `{name}` is {role}, which is never a feature: leave it out"
                        )));
                    }
                    if !seen.insert(name) {
                        return Err(Error::spec(format!("feature `{name}` is named twice")));
                    }
                }
                chosen.iter().map(String::as_str).collect()
            }
        };
        chosen
            .into_iter()
            .filter(|name| !excluded.contains(name))
            .map(|name| find(frame, "feature", name))
            .collect()
    }

    pub(crate) fn target<F: NamedColumns>(&self, frame: &F) -> Result<F::Column> {
        match find(frame, "target", &self.target)? {
            ColumnOrReason::Usable(column) => Ok(column),
            ColumnOrReason::Excluded { name, dtype, .. } => Err(no_target(&name, &dtype)),
        }
    }

    pub(crate) fn weights<F: NamedColumns>(&self, frame: &F) -> Result<Option<Vec<f64>>> {
        let Some(name) = &self.weight else { return Ok(None) };
        let not_a_number = |dtype: &dyn std::fmt::Display| {
            Error::data(format!(
                "weight `{name}` ({dtype}) is not a number: name a column of non-negative numbers"
            ))
        };
        match find(frame, "weight", name)? {
            ColumnOrReason::Usable(column) if column.dtype().may_be_number() => {
                let numbers = column.cells().numbers(column.dtype());
                check_weights(name, &column.dtype().to_string(), numbers.into_iter()).map(Some)
            }
            ColumnOrReason::Usable(column) => Err(not_a_number(column.dtype())),
            ColumnOrReason::Excluded { dtype, .. } => Err(not_a_number(&dtype)),
        }
    }

    /// The columns that are needed: all, where the features are not named.
    pub(crate) fn needed(&self) -> Needed<'_> {
        let Some(features) = &self.features else { return Needed::All };
        fn of_role<'a>(
            role: &'static str,
            names: &'a [String],
        ) -> impl Iterator<Item = (&'static str, &'a str)> {
            names.iter().map(move |name| (role, name.as_str()))
        }
        Needed::Named(
            of_role("group column", &self.by)
                .chain(of_role("given column", &self.given))
                .chain(of_role("feature", features))
                .chain([("target", self.target.as_str())])
                .chain(of_role("column to exclude", &self.exclude))
                .chain(of_role("weight", self.weight.as_slice()))
                .collect(),
        )
    }

    /// The features that can serve; one that is named must.
    pub(crate) fn sources<F: NamedColumns>(&self, frame: &F) -> Result<Vec<F::Column>> {
        let features = self.features(frame)?;
        match &self.features {
            Some(_) => usable(features),
            None => Ok(features.into_iter().filter_map(ColumnOrReason::column).collect()),
        }
    }

    /// Encodes what was asked for.
    pub(crate) fn table<F: NamedColumns>(
        &self,
        frame: &F,
        features: &[F::Column],
    ) -> Result<Table> {
        let target = self.target(frame)?;
        let weights = self.weights(frame)?;
        Table::encode_until(features, &target, weights, self.kinds(), self.monitor.as_ref())
    }

    /// Encodes what was asked for, where every feature must serve.
    pub(crate) fn training_table<F: NamedColumns>(&self, frame: &F) -> Result<Table> {
        self.table(frame, &all_usable(self.features(frame)?, &self.target)?)
    }

    /// The target and the weights, without features.
    pub(crate) fn table_of_target<F: NamedColumns>(&self, frame: &F) -> Result<Table> {
        let target = self.target(frame)?;
        let (weights, kinds) = (self.weights(frame)?, self.kinds_of_target());
        Table::encode_until(&[], &target, weights, kinds, self.monitor.as_ref())
    }
}

/// The error of a target whose dtype is neither ordered nor nominal.
pub(super) fn no_target(name: &str, dtype: &str) -> Error {
    Error::data(format!(
        "target `{name}` ({dtype}) is neither classes nor a number: choose an integer, boolean, \
         text, float or decimal column"
    ))
}

/// The features; each must serve.
pub(crate) fn usable<C>(features: Vec<ColumnOrReason<C>>) -> Result<Vec<C>> {
    features.into_iter().map(|feature| feature.usable("feature")).collect()
}

/// Every feature must serve to fit, and some must have values. A ranking lists features that cannot
/// serve.
pub(crate) fn all_usable<C: Source>(
    features: Vec<ColumnOrReason<C>>,
    target: &str,
) -> Result<Vec<C>> {
    let usable = usable(features)?;
    if !usable.is_empty() && usable.iter().all(|c| *c.dtype() == DType::Null) {
        let names: Vec<&str> = usable.iter().map(|c| c.name()).collect();
        return Err(Error::data(format!(
            "no usable feature beside target `{target}`: there are only nulls in {} (null); add \
             columns with values",
            listed(&names)
        )));
    }
    Ok(usable)
}
