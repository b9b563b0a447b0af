//! What the rules of the leaves say, read back from their text.

use std::cmp::Ordering;

use gaintree::engine::dtype::{DType, Value};
use gaintree::engine::{SHOWN_LEVELS, shorten_sets};
use gaintree::{Grouping, Missing, TreeSpec};
use proptest::prelude::*;
use proptest::sample::select;

use crate::frames::{Column, Frame, Weighing, frames};
use crate::oracle::{order, text};

/// The levels of a set, of which those that could be misread are in quotes.
fn levels(set: &str) -> Vec<String> {
    let (mut levels, mut from, mut quoted, mut escaped) = (Vec::new(), 0, false, false);
    for (at, c) in set.char_indices().chain([(set.len(), ',')]) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = quoted,
            '"' => quoted = !quoted,
            ',' if !quoted => {
                levels.push(level(set[from..at].trim()));
                from = at + 1;
            }
            _ => {}
        }
    }
    levels
}

fn level(word: &str) -> String {
    match word.starts_with('"') {
        true => serde_json::from_str(word).expect("a quoted level"),
        false => word.to_string(),
    }
}

/// Whether a value passes a condition on its column.
fn passes(column: &Column, value: Option<&Value>, condition: &str) -> bool {
    let (condition, or_missing) = match condition.strip_suffix(" or missing") {
        Some(known) => (known, true),
        None => (condition, false),
    };
    let x = &column.name;
    if condition == format!("{x} is missing") {
        return value.is_none();
    }
    let Some(value) = value else { return or_missing };
    let is = |cut: &str| order(column, value, &column.dtype.parse(cut).expect("a cut"));
    let own = text(&column.dtype, value);
    if let Some((low, high)) = condition.split_once(&format!(" <= {x} < ")) {
        return is(low) != Ordering::Less && is(high) == Ordering::Less;
    }
    let said = condition.strip_prefix(x.as_str()).expect("the column's name").trim_start();
    let set = |braces: &str| levels(braces.trim_matches(['{', '}']));
    match said.split_once(' ').expect("an operator") {
        (">=", cut) => is(cut) != Ordering::Less,
        ("<", cut) => is(cut) == Ordering::Less,
        ("==", one) => own == level(one),
        ("!=", one) => own != level(one),
        ("in", braces) => set(braces).contains(&own.into_owned()),
        ("not", braces) => {
            !set(braces.strip_prefix("in ").expect("a set")).contains(&own.into_owned())
        }
        ("is", "not missing") => true,
        _ => panic!("{condition}"),
    }
}

/// The conditions of a rule. Beside others, one with `or` is in brackets.
pub fn conditions(rule: &str) -> Vec<&str> {
    if rule == "always" {
        return Vec::new();
    }
    let mut parts: Vec<&str> = rule.split(" and ").collect();
    if parts.len() > 1 {
        for part in &mut parts {
            let bare = part.strip_prefix('(').and_then(|part| part.strip_suffix(')'));
            assert_eq!(bare.is_some(), part.contains(" or missing"), "{rule}");
            *part = bare.unwrap_or(part);
        }
    }
    parts
}

/// Conditions that all hold, as a rule says it.
pub fn conjunction(conditions: &[&str]) -> String {
    let beside = |condition: &&str| match conditions.len() > 1 && condition.contains(" or missing")
    {
        true => format!("({condition})"),
        false => condition.to_string(),
    };
    conditions.iter().map(beside).collect::<Vec<_>>().join(" and ")
}

/// Whether a condition is on a column.
pub fn is_on(condition: &str, column: &Column) -> bool {
    condition == column.name
        || condition.starts_with(&format!("{} ", column.name))
        || condition.contains(&format!(" <= {} < ", column.name))
}

fn fits(frame: &Frame, row: usize, rule: &str) -> bool {
    conditions(rule).iter().all(|condition| {
        let column = frame.columns.iter().find(|c| is_on(condition, c)).expect("a column");
        passes(column, column.known(row), condition)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    /// Each feature is said once, whole, and the rows that a rule describes are its leaf's.
    #[test]
    fn rules_describe_the_rows_of_their_leaves(
        frame in frames(Weighing::Whole),
        grouping in select(vec![Grouping::Multiway, Grouping::OneVsRest, Grouping::Subset]),
        missing in select(vec![Missing::Learn, Missing::Majority]),
    ) {
        let frame = Frame { weights: None, ..frame };
        // A zoned time is shown in its zone, and not to be read back.
        let is_zoned = |c: &Column| matches!(&c.dtype, DType::Datetime { zone: Some(_), .. });
        if frame.columns.iter().any(is_zoned) {
            return Ok(());
        }
        let spec = TreeSpec::cart().grouping(grouping).missing(missing);
        let Ok(tree) = frame.grow(&spec) else { return Ok(()) };
        let ends = frame.routes(&tree).nodes;
        for rule in tree.leaf_rules().expect("rules") {
            for column in &frame.columns {
                let name = |c: &&&str| c.split(' ').any(|word| word == column.name);
                let said = conditions(&rule.rule).iter().filter(name).count();
                prop_assert!(said <= 1 + usize::from(rule.otherwise), "{}", rule.rule);
            }
            if rule.otherwise {
                continue;
            }
            for (row, &end) in ends.iter().enumerate() {
                prop_assert_eq!(fits(&frame, row, &rule.rule), end == rule.leaf, "{}", rule.rule);
            }
        }
    }

    /// A screen names the first levels of a set and counts the others, whatever their names are.
    #[test]
    fn sets_are_shortened(names in prop::collection::vec("[a-c, {}\"\\\\]{0,3}", 1..12)) {
        let quoted = |name: &String| format!("{name:?}");
        let set = |names: &[String]| names.iter().map(quoted).collect::<Vec<_>>().join(", ");
        let rule = |set: String| format!("x in {{{set}}} and 1 <= y < 2 and z not in {{a, b}}");
        let mut short = set(&names[..names.len().min(SHOWN_LEVELS)]);
        if names.len() > SHOWN_LEVELS {
            short += &format!(", +{}", names.len() - SHOWN_LEVELS);
        }
        prop_assert_eq!(shorten_sets(&rule(set(&names)), SHOWN_LEVELS), rule(short));
    }
}
