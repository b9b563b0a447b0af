//! Means of a few numbers.

/// A mean, and how far it may be off.
pub(crate) struct MeanOfNumbers {
    /// NaN without numbers.
    pub(crate) mean: f64,
    /// The standard error of the mean, from the spread of the numbers; `None` for fewer than two.
    pub(crate) standard_error: Option<f64>,
}

impl MeanOfNumbers {
    pub(crate) fn new(numbers: impl ExactSizeIterator<Item = f64> + Clone) -> MeanOfNumbers {
        let n = numbers.len() as f64;
        let mean = numbers.clone().sum::<f64>() / n;
        let squares: f64 = numbers.map(|x| (x - mean).powi(2)).sum();
        let standard_error = (n > 1.0).then(|| (squares / (n - 1.0) / n).sqrt());
        MeanOfNumbers { mean, standard_error }
    }
}
