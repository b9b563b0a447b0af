//! Where a test leads.

/// What follows a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Next {
    /// The test of this index.
    Test(u32),
    /// The answer of this index.
    Answer(u32),
}

impl Next {
    /// As one number: a test by its index, the answers by -1, -2, and so on.
    pub(super) fn number(self) -> i64 {
        match self {
            Next::Test(index) => index.into(),
            Next::Answer(index) => -1 - i64::from(index),
        }
    }
}
