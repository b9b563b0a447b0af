//! What expressions carry as text, trees and bins: parsed once, and then found by its hash.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use gaintree::{Tree, WoeBins};

/// A query uses one tree or a few; a tree is as large as its model file.
static TREES: Kept<Tree> = Kept::new(16);

/// A query has an expression for each of its features, each of one feature's bins.
static BINS: Kept<WoeBins> = Kept::new(1024);

/// The values used last, the most recent one at the front.
struct Kept<T> {
    most: usize,
    values: Mutex<VecDeque<(String, Arc<T>)>>,
}

impl<T> Kept<T> {
    const fn new(most: usize) -> Self {
        Kept { most, values: Mutex::new(VecDeque::new()) }
    }

    fn keep(&self, hash: &str, value: Arc<T>) {
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        values.retain(|(known, _)| known != hash);
        values.push_front((hash.to_string(), value));
        values.truncate(self.most);
    }

    fn found_or(
        &self,
        hash: &str,
        parse: impl FnOnce() -> gaintree::Result<T>,
    ) -> gaintree::Result<Arc<T>> {
        let known = {
            let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
            let at = values.iter().position(|(known, _)| known == hash);
            at.and_then(|at| values.remove(at)).inspect(|found| values.push_front(found.clone()))
        };
        if let Some((_, value)) = known {
            return Ok(value);
        }
        let value = Arc::new(parse()?);
        self.keep(hash, Arc::clone(&value));
        Ok(value)
    }
}

/// Keeps a tree under the hash of its JSON text.
pub fn keep(hash: &str, tree: Arc<Tree>) {
    TREES.keep(hash, tree);
}

/// The tree of a hash; else it is parsed of its JSON text.
///
/// # Errors
/// A text that is no model.
pub fn tree_of(hash: &str, json: &str) -> gaintree::Result<Arc<Tree>> {
    TREES.found_or(hash, || Tree::from_json(json))
}

/// The bins of a hash; else they are parsed of their JSON text.
///
/// # Errors
/// A text that is none of bins.
pub fn bins_of(hash: &str, json: &str) -> gaintree::Result<Arc<WoeBins>> {
    BINS.found_or(hash, || WoeBins::from_json(json))
}
