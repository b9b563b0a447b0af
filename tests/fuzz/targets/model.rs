//! Bytes as a model file: refused, or a tree that keeps its bytes and can be used.
#![no_main]

use gaintree::{Dialect, Tree};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(tree) = Tree::from_json(text) else { return };
    let saved = tree.to_json();
    let again = Tree::from_json(&saved).expect("what was saved loads");
    assert_eq!(again, tree);
    assert_eq!(again.to_json(), saved);
    let _ = (tree.to_text(20), tree.to_dot(20));
    for dialect in Dialect::ALL {
        let _ = tree.to_sql(dialect);
    }
    let pruned = tree.prune_cost_complexity(0.0).expect("0 is an alpha");
    assert!(pruned.n_leaves() <= tree.n_leaves());
    assert_eq!(Tree::from_json(&pruned.to_json()).expect("loads"), pruned);
    let _ = tree.prune_pessimistic(0.25);
});
