//! Choices among many, as SQL.

/// What is said of each number `x`, and null of others.
pub(super) fn case_of(x: &str, arms: impl IntoIterator<Item = (usize, String)>) -> String {
    let mut arms: Vec<(usize, String)> = arms.into_iter().collect();
    arms.sort_unstable();
    let (mut starts, mut said) = (Vec::new(), vec!["NULL".to_string()]);
    let mut next = None;
    for (number, arm) in arms {
        let follows = next == Some(number);
        if let Some(gap) = next.filter(|_| !follows) {
            starts.push(gap);
            said.push("NULL".to_string());
        }
        // Neighbours with the same arm share it.
        if !follows || said.last() != Some(&arm) {
            starts.push(number);
            said.push(arm);
        }
        next = Some(number + 1);
    }
    if let Some(end) = next {
        starts.push(end);
        said.push("NULL".to_string());
    }
    let conditions: Vec<String> = starts.iter().map(|start| format!("{x} >= {start}")).collect();
    search(&conditions, &said)
}

/// A binary search among conditions. A condition holds only where all conditions before it hold. The
/// result is one of the texts `said`: the first one where no condition holds, else the one of the last
/// condition that holds. Engines try the arms of a `CASE` in turn, so this is a `CASE` in a `CASE`.
pub(super) fn search(conditions: &[String], said: &[String]) -> String {
    let middle = conditions.len() / 2;
    let Some(condition) = conditions.get(middle) else { return said[0].clone() };
    format!(
        "CASE WHEN {condition} THEN {} ELSE {} END",
        search(&conditions[middle + 1..], &said[middle + 1..]),
        search(&conditions[..middle], &said[..=middle])
    )
}
