//! Rules: the test at an inner node, and where each of its outcomes leads.

use crate::data::dtype::Value;
use crate::tree::schema::Feature;

/// The test of one feature at an inner node.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The feature's place in the schema.
    pub feature: u32,
    /// What is asked of its value.
    pub test: Test,
    /// The branch a missing value takes (and a level absent from the node, under
    /// [`Test::In`]); `None` stops the row at the node, or sends it down every branch in a tree
    /// of [`Missing::Fractional`](crate::Missing::Fractional).
    pub missing_to: Option<u32>,
}

/// What a rule asks. The two-way tests send what does not hold to branch 0, the left, and what
/// holds to branch 1, the right. Levels are places in the feature's `levels`.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// `x >= cut`.
    AtLeast(Value),
    /// `x == level`; every other level, seen or not, is the rest.
    Equals(u32),
    /// `x in {right}`; `left` are the other levels the node saw. A level in neither goes where
    /// missing goes.
    In {
        /// Levels that go right, ascending.
        right: Vec<u32>,
        /// Levels that go left, ascending.
        left: Vec<u32>,
    },
    /// A branch per level, in this order, and one more where missing has its own.
    Each(Vec<u32>),
    /// `x is missing`.
    IsMissing,
}

/// The names a rule text gives before it counts the rest.
const SHOWN_LEVELS: usize = 6;

impl Rule {
    /// Branches.
    pub fn arity(&self) -> usize {
        match &self.test {
            Test::Each(levels) => {
                levels.len() + usize::from(self.missing_to == Some(levels.len() as u32))
            }
            _ => 2,
        }
    }

    /// The operator, as tables name it.
    pub fn op(&self) -> &'static str {
        match self.test {
            Test::AtLeast(_) => ">=",
            Test::Equals(_) => "==",
            Test::In { .. } => "in",
            Test::Each(_) => "each",
            Test::IsMissing => "is missing",
        }
    }

    /// The rule as text: `petal_length >= 2.45`.
    pub fn describe(&self, feature: &Feature) -> String {
        match &self.test {
            Test::Each(_) => format!("{} is", feature.name),
            _ => self.describe_branch(feature, 1),
        }
    }

    /// The same with the levels of a multiway rule: `outlook each {overcast, rainy, sunny}`.
    pub fn summary(&self, feature: &Feature) -> String {
        match &self.test {
            Test::Each(levels) => {
                format!("{} each {}", feature.name, set(feature, levels, SHOWN_LEVELS))
            }
            _ => self.describe(feature),
        }
    }

    /// What holds of the rows in a branch: `petal_length < 2.45`.
    pub fn describe_branch(&self, feature: &Feature, branch: u32) -> String {
        format!("{} {}", feature.name, self.condition(feature, branch, SHOWN_LEVELS))
    }

    /// The same without the feature's name, and with at most so many names of a set of levels;
    /// with none of them it says how many there are.
    pub(crate) fn condition(&self, feature: &Feature, branch: u32, shown: usize) -> String {
        let holds = branch == 1;
        match &self.test {
            Test::AtLeast(cut) => {
                let cut = feature.dtype.show(cut);
                format!("{} {cut}", if holds { ">=" } else { "<" })
            }
            Test::Equals(level) => {
                let level = quoted(feature, *level);
                format!("{} {level}", if holds { "==" } else { "!=" })
            }
            Test::In { right, left } => {
                format!("in {}", set(feature, if holds { right } else { left }, shown))
            }
            Test::Each(levels) => match levels.get(branch as usize) {
                Some(&level) => format!("== {}", quoted(feature, level)),
                None => "is missing".to_string(),
            },
            Test::IsMissing => format!("is {}missing", if holds { "" } else { "not " }),
        }
    }

    /// What a branch's condition leaves out: that rows without a value come this way too.
    pub(crate) fn or_missing(&self, feature: &Feature, branch: u32) -> &'static str {
        let said = match &self.test {
            Test::IsMissing => true,
            Test::Each(levels) => branch as usize == levels.len(),
            _ => false,
        };
        let come = feature.has_missing && self.missing_to == Some(branch);
        if come && !said { " or missing" } else { "" }
    }
}

/// A level as rules write it: text in quotes where it could be misread.
pub(crate) fn quoted(feature: &Feature, level: u32) -> String {
    quote(&feature.levels[level as usize])
}

/// A text as rules write it.
pub(crate) fn quote(text: &str) -> String {
    let plain =
        !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "_-.<>=+:/".contains(c));
    if plain { text.to_string() } else { format!("{text:?}") }
}

fn set(feature: &Feature, levels: &[u32], shown: usize) -> String {
    if shown == 0 {
        return format!("{{{} level{}}}", levels.len(), if levels.len() == 1 { "" } else { "s" });
    }
    let names = levels.iter().take(shown).map(|&level| quoted(feature, level));
    let mut names: Vec<String> = names.collect();
    if levels.len() > shown {
        names.push(format!("+{}", levels.len() - shown));
    }
    format!("{{{}}}", names.join(", "))
}
