//! Argsort of integer keys by least-significant-digit radix sort.

/// Bits a pass sorts by: 2048 counters stay in the first-level cache.
const DIGIT: u32 = 11;

/// Bits of a key that are sorted by digits. Three passes tell nearly all keys of a million spread
/// floats apart; a fourth took longer than sorting the few runs that are left.
const KEPT: u32 = 3 * DIGIT;

/// A run of so many equal prefixes is sorted by digits again, with the bits that tell it apart.
const LONG_RUN: usize = 256;

/// The rows `rows[i]` of `keys`, ordered by key, then by row; `rows` must be ascending.
///
/// The high bits of a key's distance from the least one and its place in `rows` are packed into
/// one word, and the words sorted digit by digit, skipping digits that are the same in all. The
/// runs that the low bits would have ordered are sorted afterwards: for keys that are spread at
/// all those runs are short or empty. Keys in order are left as they are. Linear in the rows,
/// but for the runs (`r log r` of a short one).
pub(crate) fn argsort(keys: &[u64], rows: Option<&[u32]>) -> Vec<u32> {
    match rows {
        None => sorted_places(keys.len(), |place| keys[place]),
        Some(rows) => {
            let mut order = sorted_places(rows.len(), |place| keys[rows[place] as usize]);
            order.iter_mut().for_each(|place| *place = rows[*place as usize]);
            order
        }
    }
}

fn sorted_places(n: usize, key_at: impl Fn(usize) -> u64) -> Vec<u32> {
    let (mut min, mut max, mut last, mut is_sorted) = (u64::MAX, 0, 0, true);
    for key in (0..n).map(&key_at) {
        (min, max) = (min.min(key), max.max(key));
        is_sorted &= last <= key;
        last = key;
    }
    if is_sorted {
        return (0..n as u32).collect();
    }

    let place_bits = usize::BITS - (n - 1).leading_zeros();
    let key_bits = u64::BITS - (max - min).leading_zeros();
    let kept = key_bits.min(KEPT).min(u64::BITS - place_bits);
    let dropped = key_bits - kept;
    let words = (0..n).map(|place| (key_at(place) - min) >> dropped << place_bits | place as u64);
    let mut words: Vec<u64> = words.collect();
    sort_words(&mut words, place_bits, place_bits + kept);

    let mask = (1u64 << place_bits) - 1;
    let mut order: Vec<u32> = words.iter().map(|w| (w & mask) as u32).collect();
    if dropped > 0 {
        let runs = words.chunk_by(|a, b| a >> place_bits == b >> place_bits);
        let mut start = 0;
        for run in runs {
            if run.len() > 1 {
                sort_run(&mut order[start..start + run.len()], &key_at);
            }
            start += run.len();
        }
    }
    order
}

/// Sorts places that are ascending by key.
fn sort_run(run: &mut [u32], key_at: &dyn Fn(usize) -> u64) {
    let key_of = |place: u32| key_at(place as usize);
    if run.windows(2).all(|pair| key_of(pair[0]) <= key_of(pair[1])) {
        return;
    }
    if run.len() < LONG_RUN {
        run.sort_unstable_by_key(|&place| (key_of(place), place));
    } else {
        // Fewer bits tell these apart: there is no third time.
        let places = run.to_vec();
        let order = sorted_places(run.len(), |i| key_of(places[i]));
        run.iter_mut().zip(order).for_each(|(to, i)| *to = places[i as usize]);
    }
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

    /// Runs that the digits leave, short and long, of keys that differ in their low bits.
    #[test]
    fn sorts_runs_of_equal_prefixes() {
        let low = |i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        for n in [3, 100, 5000] {
            let mut keys: Vec<u64> = (0..n).map(|i| (i % 3) << 50 | low(i)).collect();
            keys.push(u64::MAX);
            let mut expected: Vec<u32> = (0..keys.len() as u32).collect();
            expected.sort_by_key(|&row| keys[row as usize]);
            assert_eq!(argsort(&keys, None), expected);
        }
    }

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
