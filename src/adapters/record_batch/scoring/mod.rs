//! Predictions for record batches.

mod predictions;
mod score;
