//! What a model says of the classes of rows, whatever the model is.

use crate::score::{ForestAnswers, PreparedTree, Routes};

/// Answers, and which of them each row got. Rows that went the same path down a tree share one.
pub(crate) struct ClassAnswers {
    pub(crate) of_row: Vec<u32>,
    /// The class of each answer.
    pub(crate) predicted: Vec<u32>,
    /// Class by class, the answers in which its probability is not 0, ascending, and the
    /// probability. Most of many classes have none in most answers.
    pub(crate) probabilities: Vec<Vec<(u32, f64)>>,
    pub(crate) absent_levels: u64,
}

impl PreparedTree<'_> {
    /// The answers of rows that are routed. `O(answers x classes)` beside the rows.
    pub(crate) fn class_answers(self, routes: &Routes) -> ClassAnswers {
        let (paths, of_row) = routes.paths(self.data.nodes.len());
        let mut mixtures = paths.mixtures.iter().peekable();
        let mut probabilities = vec![Vec::new(); self.data.schema.classes.len()];
        for (answer, &node) in (0..).zip(&paths.nodes) {
            match mixtures.next_if(|(mixture, _)| *mixture == answer) {
                Some((_, parts)) => add(answer, self.data.mixed_shares(parts), &mut probabilities),
                None => add(answer, self.data.shares(node), &mut probabilities),
            }
        }
        let (predicted, absent_levels) = (self.classes(&paths), routes.absent_levels);
        ClassAnswers { of_row, predicted, probabilities, absent_levels }
    }
}

impl ForestAnswers {
    /// The probability of a class in each row, where there are `n_classes` classes.
    pub(crate) fn probabilities(
        &self,
        class: usize,
        n_classes: usize,
    ) -> impl Iterator<Item = f64> {
        self.values.iter().skip(class).step_by(n_classes).copied()
    }

    /// An answer a row.
    pub(crate) fn class_answers(&self, n_classes: usize) -> ClassAnswers {
        let mut probabilities = vec![Vec::new(); n_classes];
        for (answer, shares) in (0..).zip(self.values.chunks(n_classes)) {
            add(answer, shares.iter().copied(), &mut probabilities);
        }
        ClassAnswers {
            of_row: (0..self.classes.len() as u32).collect(),
            predicted: self.classes.clone(),
            probabilities,
            absent_levels: self.absent_levels,
        }
    }
}

/// Adds the probabilities of an answer, in class order.
fn add(answer: u32, shares: impl IntoIterator<Item = f64>, of_classes: &mut [Vec<(u32, f64)>]) {
    for (of_class, share) in of_classes.iter_mut().zip(shares) {
        if share != 0.0 {
            of_class.push((answer, share));
        }
    }
}
