//! Features chosen by a Polars selector, or by patterns of names.

use std::collections::HashSet;

use polars::prelude::{Expr, Schema, Selector, all, col};

use crate::adapters::frame::columns::dtypes::dtype_of;
use crate::data::dtype::Kind;
use crate::error::{Error, Result, listed};
use crate::spec::{RankSpec, ScreenSpec, SelectSpec, TreeSpec, WoeSpec};
use crate::verbs::frame::sealed;
use crate::verbs::request::Request;

impl RankSpec {
    /// Sets the features to the ordered columns that a Polars selector picks: columns that have cuts.
    /// See [`features_by`](FeatureSpec::features_by); set `ordered` and `nominal` first.
    ///
    /// ```
    /// # use gaintree::prelude::*;
    /// # use polars::prelude::*;
    /// # let df = df!["price" => [1, 2], "shop" => ["a", "b"], "churn" => ["n", "y"]]?;
    /// let spec = RankSpec::default().ordered_features_by(all(), df.schema(), "churn")?;
    /// assert_eq!(spec.features.as_deref(), Some(&["price".to_string()][..]));
    /// let cuts = df.mdl_cuts_by_feature("churn", &spec)?;
    /// # assert_eq!(cuts.height(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`features_by`](FeatureSpec::features_by), but none where all that it picks is
    /// nominal.
    pub fn ordered_features_by(
        self,
        selector: impl Into<Expr>,
        schema: &Schema,
        target: &str,
    ) -> Result<Self> {
        let mut spec = self.features_by(selector, schema, target)?;
        let request = spec.request(target);
        let kinds = request.kinds().by_name();
        let is_ordered = |name: &String| {
            let dtype = schema.get(name).and_then(dtype_of);
            dtype.is_some_and(|dtype| kinds.of(name, &dtype) == Kind::Ordered)
        };
        spec.features.iter_mut().for_each(|features| features.retain(is_ordered));
        Ok(spec)
    }
}

/// What the specs of fits, rankings, selections and bins do alike with the columns that they name. This
/// trait is sealed.
pub trait FeatureSpec: sealed::Sealed + Sized {
    /// Sets the features to the columns of a schema that a Polars selector picks.
    ///
    /// A selector is `all()`, `cols`, `col("^petal_.*$")` or a dtype's, or several of them
    /// combined by `|`, `&`, `-` and `!`. The target and the columns of other roles, such as the weight,
    /// are left out: set these first. Features keep the schema's order, or the order in which the selector
    /// names them.
    ///
    /// A DataFrame has a schema. A LazyFrame finds its schema without reading rows:
    ///
    /// ```
    /// # use gaintree::prelude::*;
    /// # use polars::prelude::*;
    /// # let df = df!["size" => [1.0, 2.0], "age" => [3.0, 4.0], "id" => ["a", "b"], "ripe" => [true, false]]?;
    /// let floats = DataTypeSelector::Float.as_selector();
    /// let spec = TreeSpec::cart().features_by(floats - cols(["age"]), df.schema(), "ripe")?;
    /// assert_eq!(spec.features.as_deref(), Some(&["size".to_string()][..]));
    ///
    /// let mut lf = df.lazy();
    /// let spec = TreeSpec::cart().features_by(col("^.*e$"), &*lf.collect_schema()?, "ripe")?;
    /// let tree = lf.fit_tree("ripe", &spec)?.tree;                  // collects size, age, ripe
    /// # assert_eq!(tree.schema().features.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the expression is not a selector, names a column that the schema
    /// does not have, or picks no feature.
    fn features_by(self, selector: impl Into<Expr>, schema: &Schema, target: &str) -> Result<Self>;

    /// The columns that the spec names, with the target; `None` where all columns are needed, as no
    /// features are named.
    fn needed_columns(&self, target: &str) -> Option<Vec<String>>;

    /// Maps each list of columns that the spec names: features, columns to exclude, and others.
    fn map_columns(&mut self, map: impl FnMut(&[String]) -> Vec<String>);

    /// Puts columns of a schema in place of patterns `^…$` among the features and the columns to
    /// exclude. The columns to exclude are then taken out of the features.
    ///
    /// A pattern stands for the columns that it matches, without the target and the columns of another
    /// role. It may be the name of a column itself.
    ///
    /// ```
    /// # use gaintree::prelude::*;
    /// # use polars::prelude::*;
    /// # let df = df!["petal_length" => [1, 2], "petal_width" => [1, 2], "id" => [3, 4], "kind" => ["a", "b"]]?;
    /// let mut spec = TreeSpec::cart().features(["^petal_.*$"]);
    /// spec.choose_features(df.schema(), "kind")?;
    /// assert_eq!(spec.features.as_deref(), Some(&["petal_length", "petal_width"].map(String::from)[..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`features_by`](Self::features_by).
    fn choose_features(&mut self, schema: &Schema, target: &str) -> Result<()>;
}

macro_rules! feature_specs {
    ($($spec:ty: $($list:ident),*;)*) => {$(
        impl sealed::Sealed for $spec {}

        impl FeatureSpec for $spec {
            fn features_by(
                self,
                selector: impl Into<Expr>,
                schema: &Schema,
                target: &str,
            ) -> Result<Self> {
                let features = selected(selector.into(), schema, &self.request(target))?;
                Ok(self.features(features))
            }

            fn needed_columns(&self, target: &str) -> Option<Vec<String>> {
                self.request(target).needed().names()
            }

            fn map_columns(&mut self, mut map: impl FnMut(&[String]) -> Vec<String>) {
                let lists = self.features.iter_mut().chain([$(&mut self.$list),*]);
                lists.for_each(|list| *list = map(list));
            }

            fn choose_features(&mut self, schema: &Schema, target: &str) -> Result<()> {
                (self.features, self.exclude) = chosen(schema, self.request(target))?;
                Ok(())
            }
        }
    )*};
}

feature_specs! {
    TreeSpec: exclude, ordered, nominal;
    SelectSpec: exclude, ordered, nominal;
    ScreenSpec: exclude, ordered, nominal;
    WoeSpec: exclude, ordered, nominal;
    RankSpec: exclude, ordered, nominal, by, given;
}

/// The features of a request, and the columns to exclude, without patterns.
fn chosen(schema: &Schema, request: Request) -> Result<(Option<Vec<String>>, Vec<String>)> {
    let matched = |names: &[String]| -> Result<Vec<String>> {
        let mut columns: Vec<String> = Vec::new();
        for name in names {
            if !name.starts_with('^') || !name.ends_with('$') || schema.contains(name) {
                columns.push(name.clone());
                continue;
            }
            let known: HashSet<String> = columns.iter().cloned().collect();
            let found = selected(col(name.as_str()), schema, &request)?;
            columns.extend(found.into_iter().filter(|column| !known.contains(column)));
        }
        Ok(columns)
    };
    let features = request.features.as_deref().map(matched).transpose()?;
    let exclude = matched(&request.exclude)?;
    // A name that is no column is left to the verb, which says so.
    if exclude.is_empty() || !exclude.iter().all(|name| schema.contains(name)) {
        return Ok((features, exclude));
    }
    let mut features = match features {
        Some(named) => named,
        None => selected(all().into(), schema, &request)?,
    };
    let excluded: HashSet<String> = exclude.into_iter().collect();
    features.retain(|name| !excluded.contains(name));
    Ok((Some(features), Vec::new()))
}

/// The columns that the selector picks, without columns of another role.
fn selected(selector: Expr, schema: &Schema, request: &Request) -> Result<Vec<String>> {
    let text = match &selector {
        Expr::Selector(Selector::Matches(pattern)) => pattern.to_string(),
        other => other.to_string(),
    };
    let known = || listed(&schema.iter_names().map(|name| name.as_str()).collect::<Vec<_>>());
    let refused = |e: polars::error::PolarsError| {
        Error::spec(format!("features `{text}`: {e}; the columns are {}", known())).caused_by(e)
    };
    let selector = selector.try_into_selector().map_err(|e| {
        Error::spec(format!("features `{text}`: that is no selector of columns, as all() is"))
            .caused_by(e)
    })?;
    let picked = selector.into_columns(schema, &Default::default()).map_err(refused)?;
    let reserved: Vec<&str> = request.reserved().map(|(_, name)| name).collect();
    let names: Vec<String> =
        picked.iter().filter(|n| !reserved.contains(&n.as_str())).map(|n| n.to_string()).collect();
    if names.is_empty() {
        return Err(Error::spec(format!(
            "features `{text}`: no column is selected beside {}; the columns are {}",
            listed(&reserved),
            known()
        )));
    }
    Ok(names)
}
