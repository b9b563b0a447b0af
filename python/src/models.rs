//! Trees that expressions carry: parsed once, and then found by their hash.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use gaintree::Tree;

/// Trees kept. A query uses one or a few; a tree is as large as its model file.
const KEPT: usize = 16;

static TREES: Mutex<VecDeque<(String, Arc<Tree>)>> = Mutex::new(VecDeque::new());

/// Keeps a tree under the hash of its JSON text.
pub fn keep(hash: &str, tree: Arc<Tree>) {
    let mut trees = TREES.lock().unwrap_or_else(PoisonError::into_inner);
    trees.retain(|(known, _)| known != hash);
    trees.push_front((hash.to_string(), tree));
    trees.truncate(KEPT);
}

/// The tree of a hash; else it is parsed of its JSON text.
///
/// # Errors
/// A text that is no model.
pub fn tree_of(hash: &str, json: &str) -> gaintree::Result<Arc<Tree>> {
    let known = {
        let mut trees = TREES.lock().unwrap_or_else(PoisonError::into_inner);
        let at = trees.iter().position(|(known, _)| known == hash);
        // The most recent one is at the front.
        at.and_then(|at| trees.remove(at)).inspect(|found| trees.push_front(found.clone()))
    };
    if let Some((_, tree)) = known {
        return Ok(tree);
    }
    let tree = Arc::new(Tree::from_json(json)?);
    keep(hash, Arc::clone(&tree));
    Ok(tree)
}
