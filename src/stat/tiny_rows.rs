//! What a stat counts of the rows of a tiny node, copied together: at most [`TINY`] rows, whose
//! numbers are bytes.

use std::ops::{Index, IndexMut};

use super::Rating;

/// The most rows of a tiny node. One byte is left over, which is no row and no level.
pub(crate) const TINY: usize = u8::MAX as usize;

/// A value for each of at most [`TINY`] rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PerTinyRow<T>([T; TINY + 1]);

impl<T: Copy + Default> Default for PerTinyRow<T> {
    fn default() -> Self {
        PerTinyRow([T::default(); TINY + 1])
    }
}

impl<T> PerTinyRow<T> {
    pub(crate) fn as_slice(&self) -> &[T] {
        &self.0
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T> Index<u8> for PerTinyRow<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, row: u8) -> &T {
        &self.0[usize::from(row)]
    }
}

impl<T> IndexMut<u8> for PerTinyRow<T> {
    #[inline(always)]
    fn index_mut(&mut self, row: u8) -> &mut T {
        &mut self.0[usize::from(row)]
    }
}

/// The rows of a tiny node. Other nodes are parts of them.
pub(crate) trait TinyRows<R: Rating>: Default + Send {
    /// A node of at most this many rows is tiny; at most [`TINY`].
    const MAX_ROWS: usize;

    /// Begins a node, whose stat is `total`.
    fn begin_node(&mut self, rows: &[u8], total: &[R::Num]);

    fn add(&self, rows: &[u8], stat: &mut [R::Num]);

    /// The stat of the node's rows as [`proxies_along`](Self::proxies_along) takes it, from theirs: it
    /// may leave out classes that no row of the node is of.
    fn parent<'p>(&'p self, total: &'p [R::Num]) -> &'p [R::Num];

    /// The proxy of the split after each of some rows, which begin with the node's first row.
    fn proxies_along(&self, rating: &R, rows: &[u8], parent: &[R::Num], out: &mut [f64]);
}
