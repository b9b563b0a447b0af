//! Rules as text.

use crate::data::dtype::DType;
use crate::tree::rule::{Rule, Test};
use crate::tree::schema::Feature;

/// The most levels of a set that a screen shows; it counts the others.
pub const SHOWN_LEVELS: usize = 6;

impl Rule {
    /// The rule as text: `petal_length >= 2.45`.
    pub fn describe(&self, feature: &Feature) -> String {
        match &self.test {
            Test::Each(_) => format!("{} is", feature.name),
            Test::AtLeast(_) | Test::Equals(_) | Test::In { .. } | Test::IsMissing => {
                self.describe_branch(feature, 1)
            }
        }
    }

    /// The rule as text, with the levels of a multiway rule: `outlook each {overcast, rainy, sunny}`.
    pub fn summary(&self, feature: &Feature) -> String {
        self.short_summary(feature, usize::MAX)
    }

    /// The [summary](Self::summary) with at most `shown` levels of a set named.
    pub(crate) fn short_summary(&self, feature: &Feature, shown: usize) -> String {
        match &self.test {
            Test::Each(levels) => {
                let level = |l: u32| &feature.levels[l as usize];
                format!("{} each {}", feature.name, level_set(levels, level, shown))
            }
            Test::AtLeast(_) | Test::Equals(_) | Test::In { .. } | Test::IsMissing => {
                format!("{} {}", feature.name, self.condition(feature, 1, shown))
            }
        }
    }

    /// The condition for a row to take a branch: `petal_length < 2.45`. All levels of a set are
    /// named.
    pub fn describe_branch(&self, feature: &Feature, branch: u32) -> String {
        format!("{} {}", feature.name, self.condition(feature, branch, usize::MAX))
    }

    /// The condition for a row to take a branch, without the feature's name: `< 2.45`. At most `shown`
    /// levels of a set are named.
    pub(crate) fn condition(&self, feature: &Feature, branch: u32, shown: usize) -> String {
        let level = |l: u32| &feature.levels[l as usize];
        condition(&self.test, branch, &feature.dtype, level, shown)
    }

    /// The part that a branch's [condition](Self::condition) leaves out: ` or missing` if missing
    /// values take the branch too.
    pub(crate) fn or_missing(&self, feature: &Feature, branch: u32) -> &'static str {
        let takes_missing = feature.has_missing && self.missing_to == Some(branch);
        if takes_missing && !self.says_missing(branch) { " or missing" } else { "" }
    }

    /// Whether a branch's [condition](Self::condition) is about missing values.
    pub(crate) fn says_missing(&self, branch: u32) -> bool {
        match &self.test {
            Test::IsMissing => true,
            Test::Each(levels) => branch as usize == levels.len(),
            Test::AtLeast(_) | Test::Equals(_) | Test::In { .. } => false,
        }
    }
}

/// The condition for a row to take a branch of a test, without the feature's name: `< 2.45`,
/// `== red`, `in {a, b, +3}`. `level` gives the text of a level.
pub(crate) fn condition<T: AsRef<str>>(
    test: &Test,
    branch: u32,
    dtype: &DType,
    level: impl Fn(u32) -> T,
    shown: usize,
) -> String {
    let holds = branch == 1;
    match test {
        Test::AtLeast(cut) => [if holds { ">= " } else { "< " }, &dtype.show(cut)].concat(),
        Test::Equals(l) => {
            format!("{} {}", if holds { "==" } else { "!=" }, quote(level(*l).as_ref()))
        }
        Test::In { right, left } => {
            format!("in {}", level_set(if holds { right } else { left }, level, shown))
        }
        Test::Each(levels) => match levels.get(branch as usize) {
            Some(&l) => format!("== {}", quote(level(l).as_ref())),
            None => "is missing".to_string(),
        },
        Test::IsMissing => format!("is {}missing", if holds { "" } else { "not " }),
    }
}

/// A text as rules write it: in quotes where it could be misread.
pub(crate) fn quote(text: &str) -> String {
    let plain =
        !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "_-.<>=+:/".contains(c));
    if plain { text.to_string() } else { format!("{text:?}") }
}

/// A rule for a screen: of each set of levels the first few, and how many more there are. Rules
/// write a set as `in {a, b}`, and levels that could be misread in quotes.
pub fn shorten_sets(rule: &str, shown: usize) -> String {
    let mut short = String::with_capacity(rule.len());
    let mut rest = rule;
    while let Some(start) =
        [" in {", " each {"].iter().filter_map(|s| Some(rest.find(s)? + s.len())).min()
    {
        short.push_str(&rest[..start]);
        rest = &rest[start..];
        let (mut levels, mut kept, mut end) = (1, rest.len(), rest.len());
        let (mut quoted, mut escaped) = (false, false);
        for (at, c) in rest.char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = quoted,
                '"' => quoted = !quoted,
                ',' if !quoted => {
                    if levels == shown {
                        kept = at;
                    }
                    levels += 1;
                }
                '}' if !quoted => {
                    end = at;
                    break;
                }
                _ => {}
            }
        }
        short.push_str(&rest[..kept.min(end)]);
        if levels > shown {
            short.push_str(&format!(", +{}", levels - shown));
        }
        rest = &rest[end..];
    }
    short + rest
}

/// `{a, b, +3}`, or `{5 levels}` if none is to be shown.
pub(crate) fn level_set<T: AsRef<str>>(
    levels: &[u32],
    level: impl Fn(u32) -> T,
    shown: usize,
) -> String {
    if shown == 0 {
        return format!("{{{} level{}}}", levels.len(), if levels.len() == 1 { "" } else { "s" });
    }
    let names = levels.iter().take(shown).map(|&l| quote(level(l).as_ref()));
    let mut names: Vec<String> = names.collect();
    if levels.len() > shown {
        names.push(format!("+{}", levels.len() - shown));
    }
    format!("{{{}}}", names.join(", "))
}
