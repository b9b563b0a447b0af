//! Argsort of integer keys by least-significant-digit radix sort.

/// Bits a pass sorts by: 2048 counters stay in the first-level cache.
const DIGIT: u32 = 11;

/// The rows `rows[i]` of `keys`, ordered by key, then by row; `rows` must be ascending.
///
/// A key's distance from the least one and its place in `rows` are packed into one word, and
/// the words sorted digit by digit, skipping digits that are the same in all. Where the two
/// do not fit, the low bits of the key are left out and the few runs they would have ordered
/// are sorted afterwards: for keys that are spread at all those runs are short or empty.
/// Linear in the rows, but for such runs (`r log r`).
pub(crate) fn argsort(keys: &[u64], rows: Option<&[u32]>) -> Vec<u32> {
    let n = rows.map_or(keys.len(), <[u32]>::len);
    if n == 0 {
        return Vec::new();
    }
    let row_at = |place: usize| rows.map_or(place as u32, |rows| rows[place]);
    let key_at = |place: usize| keys[row_at(place) as usize];
    let (min, max) = (0..n).map(key_at).fold((u64::MAX, 0), |(lo, hi), k| (lo.min(k), hi.max(k)));

    let place_bits = usize::BITS - (n - 1).leading_zeros();
    let key_bits = u64::BITS - (max - min).leading_zeros();
    let dropped = (place_bits + key_bits).saturating_sub(u64::BITS);
    let mut words: Vec<u64> = (0..n)
        .map(|place| shl((key_at(place) - min) >> dropped, place_bits) | place as u64)
        .collect();
    sort_words(&mut words, place_bits, place_bits + key_bits - dropped);

    let mask = shl(1, place_bits).wrapping_sub(1);
    let mut order: Vec<u32> = words.iter().map(|w| (w & mask) as u32).collect();
    if dropped > 0 {
        let mut start = 0;
        while start < n {
            let prefix = words[start] >> place_bits;
            let run = words[start..].iter().take_while(|&&w| w >> place_bits == prefix).count();
            if run > 1 {
                order[start..start + run]
                    .sort_unstable_by_key(|&place| (key_at(place as usize), place));
            }
            start += run;
        }
    }
    if let Some(rows) = rows {
        order.iter_mut().for_each(|place| *place = rows[*place as usize]);
    }
    order
}

/// `x << by`, where shifting all 64 bits out leaves 0.
fn shl(x: u64, by: u32) -> u64 {
    x.checked_shl(by).unwrap_or(0)
}

/// Stable sort by the bits `from..to`.
fn sort_words(words: &mut Vec<u64>, from: u32, to: u32) {
    let passes = (to - from).div_ceil(DIGIT) as usize;
    let digit = |word: u64, pass: usize| {
        let low = from + DIGIT * pass as u32;
        let width = DIGIT.min(to - low);
        (word >> low) as usize & ((1 << width) - 1)
    };
    let mut counts = vec![[0u32; 1 << DIGIT]; passes];
    for &word in words.iter() {
        for (pass, counts) in counts.iter_mut().enumerate() {
            counts[digit(word, pass)] += 1;
        }
    }
    let mut other = vec![0u64; words.len()];
    for (pass, counts) in counts.iter_mut().enumerate() {
        if counts.iter().any(|&c| c as usize == words.len()) {
            continue; // all words share this digit
        }
        let mut next = 0;
        for count in counts.iter_mut() {
            next += std::mem::replace(count, next);
        }
        for &word in words.iter() {
            let slot = &mut counts[digit(word, pass)];
            other[*slot as usize] = word;
            *slot += 1;
        }
        std::mem::swap(words, &mut other);
    }
}

#[cfg(test)]
mod tests {
    use super::argsort;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorts_as_the_library_does(
            keys in prop::collection::vec(prop_oneof![any::<u64>(), 0u64..5, Just(u64::MAX)], 0..300),
            keep: u64,
        ) {
            let rows: Vec<u32> =
                (0..keys.len() as u32).filter(|r| keep >> (r % 64) & 1 == 1).collect();
            let mut expected = rows.clone();
            expected.sort_by_key(|&r| keys[r as usize]);
            prop_assert_eq!(argsort(&keys, Some(&rows)), expected);
            let mut all: Vec<u32> = (0..keys.len() as u32).collect();
            all.sort_by_key(|&r| keys[r as usize]);
            prop_assert_eq!(argsort(&keys, None), all);
        }
    }
}
