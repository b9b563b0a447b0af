//! What expressions carry as text, models, bins and scorecards: parsed once, and then found by its hash.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use gaintree::engine::Schema;
use gaintree::{Forest, Model, ModelRef, Scorecard, Tree, Voting, WoeBins};

/// A query uses one model or a few; a model is as large as its file.
static MODELS: Kept<KeptModel> = Kept::new(16);

/// A query has an expression for each of its features, each of one feature's bins.
static BINS: Kept<WoeBins> = Kept::new(1024);

static CARDS: Kept<Scorecard> = Kept::new(16);

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

/// A model that a Python object and expressions share.
#[derive(Clone)]
pub enum KeptModel {
    Tree(Arc<Tree>),
    Forest(Arc<Forest>),
}

impl From<Tree> for KeptModel {
    fn from(tree: Tree) -> Self {
        KeptModel::Tree(Arc::new(tree))
    }
}

impl From<Forest> for KeptModel {
    fn from(forest: Forest) -> Self {
        KeptModel::Forest(Arc::new(forest))
    }
}

impl From<Model> for KeptModel {
    fn from(model: Model) -> Self {
        match model {
            Model::Tree(tree) => tree.into(),
            Model::Forest(forest) => forest.into(),
        }
    }
}

impl KeptModel {
    /// The model, of either kind.
    pub fn model(&self) -> ModelRef<'_> {
        self.of(|tree| tree.into(), |forest| forest.into())
    }

    /// What trees and forests have each as their own.
    pub fn of<'a, R>(
        &'a self,
        of_tree: impl FnOnce(&'a Tree) -> R,
        of_forest: impl FnOnce(&'a Forest) -> R,
    ) -> R {
        match self {
            KeptModel::Tree(tree) => of_tree(tree),
            KeptModel::Forest(forest) => of_forest(forest),
        }
    }

    pub fn schema(&self) -> &Schema {
        self.of(|tree| tree.schema(), |forest| forest.schema())
    }
}

/// How the trees of a forest vote.
pub fn voting(votes: bool) -> Voting {
    if votes { Voting::Hard } else { Voting::Soft }
}

/// Keeps a model under the hash of its JSON text.
pub fn keep(hash: &str, model: KeptModel) {
    MODELS.keep(hash, Arc::new(model));
}

/// Keeps a scorecard under the hash of its JSON text.
pub fn keep_card(hash: &str, card: Arc<Scorecard>) {
    CARDS.keep(hash, card);
}

/// The model of a hash; if it is not kept, it is parsed from its JSON text.
///
/// # Errors
/// A text that is no model.
pub fn model_of(hash: &str, json: &str) -> gaintree::Result<Arc<KeptModel>> {
    MODELS.found_or(hash, || Model::from_json(json).map(KeptModel::from))
}

/// The bins of a hash; if they are not kept, they are parsed from their JSON text.
///
/// # Errors
/// A text that is none of bins.
pub fn bins_of(hash: &str, json: &str) -> gaintree::Result<Arc<WoeBins>> {
    BINS.found_or(hash, || WoeBins::from_json(json))
}

/// The scorecard with a hash; if it is not kept, it is parsed from its JSON text.
///
/// # Errors
/// A text that is not a scorecard.
pub fn card_of(hash: &str, json: &str) -> gaintree::Result<Arc<Scorecard>> {
    CARDS.found_or(hash, || Scorecard::from_json(json))
}
