//! An order of levels for more than two classes: along the first principal component of their
//! class shares (Coppersmith, Hong & Hosking 1999, "Partitioning nominal attributes in decision
//! trees"). Levels with similar shares lie together, so a cut of the order is a good subset.

/// Rounds of the power iteration. Only the order matters, and it settles early.
const ROUNDS: usize = 8;

/// The levels by component, ties in level order. `counts` holds `width` class weights a level.
/// Linear in levels times classes: the class covariance is never formed.
pub(super) fn order_by_principal_component(counts: &[f64], width: usize) -> Vec<usize> {
    let levels = counts.chunks_exact(width);
    let weights: Vec<f64> = levels.clone().map(|level| level.iter().sum()).collect();
    let total: f64 = weights.iter().sum();
    let mut mean = vec![0.0; width];
    for level in levels.clone() {
        mean.iter_mut().zip(level).for_each(|(m, c)| *m += c / total);
    }
    // Each level's shares less the shares of all rows.
    let centred: Vec<f64> = levels
        .zip(&weights)
        .flat_map(|(level, weight)| level.iter().zip(&mean).map(move |(c, m)| c / weight - m))
        .collect();
    let rows = || centred.chunks_exact(width);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();

    // The level farthest out cannot be orthogonal to all levels, so it is a good start.
    let farthest =
        rows().zip(&weights).max_by(|a, b| (a.1 * dot(a.0, a.0)).total_cmp(&(b.1 * dot(b.0, b.0))));
    let mut axis = farthest.map_or(vec![0.0; width], |(row, _)| row.to_vec());
    for _ in 0..ROUNDS {
        let mut next = vec![0.0; width];
        for (row, weight) in rows().zip(&weights) {
            let pull = weight / total * dot(row, &axis);
            next.iter_mut().zip(row).for_each(|(n, r)| *n += pull * r);
        }
        let length = dot(&next, &next).sqrt();
        if length == 0.0 {
            break; // all levels have the same shares
        }
        next.iter_mut().for_each(|x| *x /= length);
        axis = next;
    }
    let scores: Vec<f64> = rows().map(|row| dot(row, &axis)).collect();
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[a].total_cmp(&scores[b]));
    order
}
