//! What is drawn for the trees of a forest: rows of each tree, features of each node, splits of each
//! feature. Draws are keyed by the seed, the tree and the node's path, so that no order of work changes
//! them.

use crate::grow::NodePath;
use crate::spec::ForestSpec;
use crate::util::random::{Random, mix};

/// Streams of a tree: one for its rows, one for each node, one for each feature of a node. The bits of
/// the tree's number are between them.
const OF_ROWS: u64 = 0;
const OF_NODES: u64 = 1;
const OF_SPLITS: u64 = 1 << 33;

/// The streams of permutations come after the streams of all trees.
const OF_PERMUTATIONS: u64 = 1 << 34;

fn random(spec: &ForestSpec, tree: u32, of: u64, key: u64) -> Random {
    random_of(spec.seed, [u64::from(tree) << 1 | of, key])
}

/// The seed is mixed first: a stream of a seed is none of its neighbours' for another tree.
fn random_of(seed: u64, stream: [u64; 2]) -> Random {
    Random::of_stream(mix(seed), stream)
}

/// How often each of `n` rows was drawn for a tree (counted from 0); `None` if each was once. `O(n)`.
///
/// With a bootstrap, `share * n` draws of any row (Breiman 1996), at least 1; without, as many rows
/// (Fan, Muller & Rezucha 1962).
pub fn drawn_rows(spec: &ForestSpec, tree: u32, n: usize) -> Option<Vec<u32>> {
    if spec.takes_all_rows() {
        return None;
    }
    let mut random = random(spec, tree, OF_ROWS, 0);
    let n_drawn = ((spec.sample_share * n as f64).round() as usize).clamp(1, n.max(1));
    let mut times = vec![0; n];
    if spec.bootstrap {
        (0..n_drawn).for_each(|_| times[random.below(n)] += 1);
        return Some(times);
    }
    let mut wanted = n_drawn;
    for (row, times) in times.iter_mut().enumerate() {
        let is_drawn = random.below(n - row) < wanted;
        *times = u32::from(is_drawn);
        wanted -= usize::from(is_drawn);
    }
    Some(times)
}

/// The order in which a node of a tree looks at `n` features, as indices. `O(n)`.
pub fn drawn_features(spec: &ForestSpec, tree: u32, path: NodePath, n: usize) -> Vec<u32> {
    random(spec, tree, OF_NODES, path.key()).order(n)
}

/// The number from which the split of a feature, by index, is drawn at a node of a tree whose
/// [splits are drawn](crate::engine::Splits::Drawn).
pub fn split_seed(spec: &ForestSpec, tree: u32, path: NodePath, feature: u32) -> u64 {
    random(spec, tree, OF_SPLITS, mix(path.key() ^ (u64::from(feature) + 1))).next()
}

/// The order in which permuted copies of features have the values of `n` rows: row `i` of the
/// copies has the values of row `order[i]`. `O(n)`.
pub fn rows_of_copies(seed: u64, permutation: u32, copy: u32, n: usize) -> Vec<u32> {
    random_of(seed, [OF_PERMUTATIONS | u64::from(permutation), copy.into()]).order(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seeds are written down: what they draw never changes.
    #[test]
    fn a_seed_draws_the_same_for_ever() {
        let spec = ForestSpec::default().seed(7);
        assert_eq!(drawn_rows(&spec, 3, 8).expect("drawn"), [1, 2, 1, 0, 1, 1, 2, 0]);
        let half = spec.clone().bootstrap(false).sample_share(0.5);
        assert_eq!(drawn_rows(&half, 3, 8).expect("drawn"), [0, 1, 0, 1, 1, 0, 1, 0]);
        assert_eq!(drawn_features(&spec, 3, NodePath::ROOT, 5), [2, 0, 4, 1, 3]);
        assert_eq!(drawn_features(&spec, 3, NodePath::ROOT.branch(1), 5), [0, 1, 4, 2, 3]);
        assert_eq!(rows_of_copies(7, 3, 0, 5), [0, 2, 3, 1, 4]);
        let seeds = [0, 4].map(|feature| split_seed(&spec, 3, NodePath::ROOT.branch(1), feature));
        assert_eq!(seeds, [8_155_221_157_139_142_553, 15_853_932_884_662_992_354]);
    }

    /// Forests of several seeds tell how far the seed matters: they must not have trees in common.
    #[test]
    fn neighbouring_seeds_share_no_draws() {
        let mut seen = std::collections::HashSet::new();
        for seed in 0..40 {
            let spec = ForestSpec::default().seed(seed);
            for tree in 0..40 {
                assert!(seen.insert(drawn_rows(&spec, tree, 30)), "{seed} {tree}");
                assert!(seen.insert(Some(rows_of_copies(seed, tree, 0, 30))), "{seed} {tree}");
            }
        }
    }

    #[test]
    fn as_many_rows_are_drawn_as_the_share_says() {
        for (bootstrap, share, drawn) in
            [(true, 1.0, 1000), (true, 0.25, 250), (false, 0.6321, 632), (false, 1e-9, 1)]
        {
            let spec = ForestSpec::default().bootstrap(bootstrap).sample_share(share);
            let times = drawn_rows(&spec, 0, 1000).expect("drawn");
            assert_eq!(times.iter().sum::<u32>(), drawn);
            assert!(bootstrap || times.iter().all(|&times| times < 2));
        }
        assert_eq!(drawn_rows(&ForestSpec::default().bootstrap(false), 0, 1000), None);
    }
}
