//! How a model's answer for one row comes about, feature by feature.

pub(crate) struct Waterfall {
    /// The answer where no feature is known.
    pub(crate) base_value: f64,
    pub(crate) prediction: f64,
    /// The features that rules test, by absolute contribution, the most first and the earlier of equals.
    pub(crate) features: Vec<FeatureStep>,
}

/// What a feature contributes to the answer for a row.
pub(crate) struct FeatureStep {
    pub(crate) feature: String,
    /// The row's value as text; missing is `None`.
    pub(crate) value: Option<String>,
    /// Pictures alone read it.
    #[cfg_attr(not(feature = "plot"), expect(dead_code))]
    pub(crate) is_float: bool,
    pub(crate) contribution: f64,
}
