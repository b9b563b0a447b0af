//! The spec of a ranking that has all its columns.

pub fn full() -> gaintree::RankSpec {
    gaintree::RankSpec::default().full(true)
}
