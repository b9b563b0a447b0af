//! The logarithmic loss of a probability.

/// Probabilities are clipped to this before their logarithm is taken: 2^-52.
const LEAST_PROBABILITY: f64 = f64::EPSILON;

/// `-ln p` of the probability of what came, p clipped to [2^-52, 1]. In nats; never below 0.
pub(crate) fn log_loss(p: f64) -> f64 {
    -p.clamp(LEAST_PROBABILITY, 1.0).ln() + 0.0 // not -0
}
