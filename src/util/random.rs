//! Numbers for permutations and draws: the same for a seed on every machine and in every version.

/// SplitMix64 (Steele, Lea & Flood 2014).
pub(crate) struct Random(u64);

impl Random {
    /// The numbers of a seed, which was drawn.
    pub(crate) fn of_seed(seed: u64) -> Random {
        Random(seed)
    }

    /// The numbers of one of a seed's streams.
    pub(crate) fn of_stream(seed: u64, stream: [u64; 2]) -> Random {
        Random(stream.iter().fold(seed, |state, &part| mix(state ^ part)))
    }

    /// A number of 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`. Of 2^64 numbers, at most `n` more make one result than another.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    /// The numbers below `n` in random order.
    pub(crate) fn order(&mut self, n: usize) -> Vec<u32> {
        let mut order: Vec<u32> = (0..n as u32).collect();
        self.shuffle(&mut order);
        order
    }

    /// Puts items in random order (Fisher & Yates; Durstenfeld 1964).
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// For the distributions of `rand_distr`.
#[cfg(any(feature = "polars", feature = "arrow"))]
impl rand::TryRng for Random {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok((self.next() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(self.next())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

/// The first number of a seed. Seeds next to each other give unrelated numbers.
pub(crate) fn mix(seed: u64) -> u64 {
    Random(seed).next()
}

#[cfg(test)]
mod tests {
    use super::Random;

    /// Seeds are part of what a user writes down: the orders they make never change.
    #[test]
    fn a_seed_makes_the_same_order_for_ever() {
        assert_eq!(Random(1_234_567).next(), 6_457_827_717_110_365_317);
        let mut items: Vec<u32> = (0..8).collect();
        Random::of_stream(7, [0, 3]).shuffle(&mut items);
        assert_eq!(items, ORDER_OF_SEED_7);
    }

    const ORDER_OF_SEED_7: [u32; 8] = [0, 1, 5, 3, 7, 2, 6, 4];

    #[test]
    fn all_orders_are_as_frequent() {
        let mut seen = [0u32; 6];
        for stream in 0..6000 {
            let mut items = [0usize, 1, 2];
            Random::of_stream(1, [0, stream]).shuffle(&mut items);
            seen[items[0] * 2 + usize::from(items[1] > items[2])] += 1;
        }
        // Five standard deviations of a count are 144.
        assert!(seen.iter().all(|&n| n.abs_diff(1000) < 145), "{seen:?}");
    }
}
