//! Rules that find a rare class without errors, beside all rules there are.

use std::collections::HashMap;

use gaintree::prelude::*;
use polars::prelude::*;

use crate::messy::Draws;

const ROWS: usize = 2_000;

/// The rows of a rule, and the events among them.
type Counts = [usize; 2];

/// The rows of the rule that finds most events of those that are pure, by looking at each rule. Of equal
/// ones the first, in this order: missing or known, below a cut, above a cut, a level.
fn purest(ranks: &[Option<usize>], is_ordered: bool, event: &[bool]) -> Option<Counts> {
    let count = |is_in: &dyn Fn(Option<usize>) -> bool| -> Counts {
        let of = ranks.iter().zip(event).filter(|(rank, _)| is_in(**rank));
        of.fold([0, 0], |[n, found], (_, event)| [n + 1, found + usize::from(*event)])
    };
    let mut levels: Vec<usize> = ranks.iter().flatten().copied().collect();
    levels.sort_unstable();
    levels.dedup();
    let mut rules = vec![count(&|rank| rank.is_none()), count(&|rank| rank.is_some())];
    if is_ordered {
        let cuts = levels.iter().skip(1);
        rules.extend(cuts.clone().map(|cut| count(&|rank| rank.is_some_and(|rank| rank < *cut))));
        rules.extend(cuts.rev().map(|cut| count(&|rank| rank.is_some_and(|rank| rank >= *cut))));
    }
    rules.extend(levels.iter().map(|level| count(&|rank| rank == Some(*level))));
    let [_, events] = count(&|_| true);
    let is_pure = |[n, found]: &Counts| {
        *n < ROWS && *found as f64 >= 0.1 * events as f64 && *found as f64 >= 0.99 * *n as f64
    };
    let best = rules.iter().filter(|rule| is_pure(rule)).map(|rule| rule[1]).max()?;
    let rule = *rules.iter().find(|rule| is_pure(rule) && rule[1] == best)?;
    // Hoeffding's bound of as pure a rule, times the rules.
    let (all, share) = (events as f64 / ROWS as f64, rule[1] as f64 / rule[0] as f64);
    let term = |p: f64, q: f64| if p > 0.0 { p * (p / q).log2() } else { 0.0 };
    let bits = rule[0] as f64 * (term(share, all) + term(1.0 - share, 1.0 - all));
    let n_rules = if is_ordered { 3 * levels.len() } else { levels.len() } + 2;
    (bits - (n_rules as f64).log2() >= 20.0).then_some(rule)
}

/// The rows and the events of the rule that a note names.
fn counts_of(note: &str) -> Option<Counts> {
    let counts = note.split("gives the target away: ").nth(1)?.split(" rows with ").next()?;
    let (found, n) = counts.split_once(" of ")?;
    Some([n.parse().ok()?, found.parse().ok()?])
}

/// The notes of a ranking that name a rule.
fn notes(ranking: &DataFrame) -> HashMap<String, Option<Counts>> {
    let text = |name: &str| ranking.column(name).expect("there").str().expect("texts").clone();
    let (features, notes) = (text("feature"), text("note"));
    let lines = features.iter().zip(notes.iter());
    lines.map(|(of, note)| (of.expect("a name").to_string(), note.and_then(counts_of))).collect()
}

#[test]
fn the_rule_of_a_note_is_the_purest_of_all() {
    let mut n_found = 0;
    for seed in 0..40 {
        let mut draw = Draws(seed);
        let rate = [0.02, 0.05, 0.15, 0.25][draw.below(4)];
        let event: Vec<bool> = (0..ROWS).map(|_| draw.share() < rate).collect();
        let mut columns = Vec::new();
        let mut expected = HashMap::new();
        for (name, levels, is_ordered) in [
            ("few", 12, true),
            ("many", 300, true),
            ("distinct", usize::MAX, true),
            ("word", 30, false),
            ("words", 400, false),
        ] {
            // Some events, and hardly others, are put at an end, at a level, or have no value.
            let [found, missing] = [draw.share() * 0.7, 0.2 * draw.share()];
            let errors = [0.0, 0.0005, 0.002][draw.below(3)];
            let place = draw.below(4);
            let ranks: Vec<Option<usize>> = (0..ROWS)
                .map(|row| {
                    let is_put = draw.share() < if event[row] { found } else { errors };
                    let is_missing = place != 3 && draw.share() < missing;
                    let free = match levels {
                        usize::MAX => 10 + row * 7_919 % ROWS,
                        levels => 10 + draw.below(levels),
                    };
                    match (is_put, place) {
                        (true, 0) => Some(draw.below(8)),
                        (true, 1) => Some(5_000 + draw.below(8)),
                        (true, 2) => Some(11),
                        (true, _) => None,
                        (false, _) => Some(free).filter(|_| !is_missing),
                    }
                })
                .collect();
            expected.insert(name.to_string(), purest(&ranks, is_ordered, &event));
            columns.push(match is_ordered {
                true => {
                    let values = ranks.iter().map(|rank| rank.map(|rank| rank as f64 + 0.5));
                    Column::new(name.into(), values.collect::<Vec<_>>())
                }
                false => {
                    let values = ranks.iter().map(|rank| rank.map(|rank| format!("w{rank:05}")));
                    Column::new(name.into(), values.collect::<Vec<_>>())
                }
            });
        }
        let y = event.iter().map(|event| if *event { "yes" } else { "no" }).collect::<Vec<_>>();
        columns.push(Column::new("y".into(), y));
        columns.push(Column::new("one".into(), vec![1; ROWS]));
        let df = DataFrame::new(ROWS, columns).expect("a frame");
        let spec = RankSpec::default().exclude(["one"]);
        let ranking = df.rank_gain("y", &spec).expect("ranks");
        if rate > 0.2 {
            expected.values_mut().for_each(|counts| *counts = None);
        }
        assert_eq!(notes(&ranking), expected, "{seed} {ranking}");
        // Encoded first, as groups are.
        let by_one = df.rank_gain("y", &spec.clone().by(["one"])).expect("ranks");
        assert_eq!(notes(&by_one), expected, "{seed} {by_one}");
        let spec = TreeSpec::cart().exclude(["one"]).max_depth(1).max_subset_levels(2);
        let fit = df.fit_tree("y", &spec).expect("fits");
        for (name, counts) in &expected {
            let start = format!("feature `{name}` (");
            let of_feature = fit.notes.iter().filter(|note| note.starts_with(&start));
            let told = of_feature.filter_map(|note| counts_of(note)).next();
            assert_eq!(told, *counts, "{seed} {:?}", fit.notes);
            n_found += usize::from(counts.is_some());
        }
    }
    assert!(n_found > 40, "{n_found}");
}
