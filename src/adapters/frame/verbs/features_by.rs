//! Features chosen by a Polars selector.

use polars::prelude::{Expr, Schema, Selector};

use crate::adapters::frame::columns::dtypes::dtype_of;
use crate::data::dtype::Kind;
use crate::error::{Error, Result, listed};
use crate::spec::{RankSpec, TreeSpec};
use crate::verbs::request::Request;

impl TreeSpec {
    /// Sets the features to the columns of a schema that a Polars selector picks.
    ///
    /// A selector is `all()`, `cols`, `col("^petal_.*$")` or a dtype's, or several of them
    /// combined by `|`, `&`, `-` and `!`. The target and the weight are left out, so set the
    /// weight first. Features keep the schema's order, or the order in which the selector names
    /// them.
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
    pub fn features_by(
        self,
        selector: impl Into<Expr>,
        schema: &Schema,
        target: &str,
    ) -> Result<Self> {
        let features = selected(selector.into(), schema, &self.request(target))?;
        Ok(self.features(features))
    }
}

impl RankSpec {
    /// Sets the features to the columns of a schema that a Polars selector picks. See
    /// [`TreeSpec::features_by`]. The columns of `by` and `given` are left out too.
    ///
    /// # Errors
    /// Returns the errors of [`TreeSpec::features_by`].
    pub fn features_by(
        self,
        selector: impl Into<Expr>,
        schema: &Schema,
        target: &str,
    ) -> Result<Self> {
        let features = selected(selector.into(), schema, &self.request(target))?;
        Ok(self.features(features))
    }

    /// Sets the features to the ordered columns that a Polars selector picks: columns that have cuts.
    /// See [`features_by`](Self::features_by); set `ordered` and `nominal` first.
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
    /// Returns the errors of [`features_by`](Self::features_by), but none where all that it picks is
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
