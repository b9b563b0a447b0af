//! Where rows ended.

/// Where the rows of a table ended.
///
/// A row ends in one node. Only in a tree of
/// [`Missing::Fractional`](crate::Missing::Fractional) a row with a missing value goes down every
/// branch and ends in several nodes; its prediction is the mixture of theirs.
#[derive(Clone, Debug, PartialEq)]
pub struct Routes {
    /// The node each row stopped at: a leaf, or an inner node whose multiway rule has no branch for
    /// the row's value. If a row stopped at several, the node of the largest share, the lowest of
    /// equals.
    pub nodes: Vec<u32>,
    /// The rows that ended in several nodes.
    pub mixtures: Mixtures,
    /// Rows that met a level the node never saw (under `x == level`: that training never saw).
    pub absent_levels: u64,
}

/// The part of a row that ended in one of several nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Where it ended.
    pub node: u32,
    /// Its share of the row: the product of the branches' shares of the weight along the path.
    pub share: f64,
}

/// The rows that ended in several nodes, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mixtures {
    rows: Vec<u32>,
    /// The end of each row's range of `parts`.
    ends: Vec<usize>,
    parts: Vec<Part>,
}

impl Mixtures {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether every row ended in one node.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Each row and its parts, which are in order of their nodes; their shares sum to 1.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &[Part])> {
        let start = |i: usize| if i == 0 { 0 } else { self.ends[i - 1] };
        (0..self.rows.len()).map(move |i| (self.rows[i], &self.parts[start(i)..self.ends[i]]))
    }

    /// Adds the mixtures of later rows; `first` is the number of the first one.
    fn append(&mut self, first: usize, later: Mixtures) {
        let before = self.parts.len();
        self.rows.extend(later.rows.iter().map(|row| first as u32 + row));
        self.ends.extend(later.ends.iter().map(|end| before + end));
        self.parts.extend(later.parts);
    }

    /// The parts; the parts of the next row are appended to them.
    pub(super) fn next_parts(&mut self) -> &mut Vec<Part> {
        &mut self.parts
    }

    /// Ends a row whose parts were appended; returns the node of the largest. A single part is no
    /// mixture.
    pub(super) fn end_row(&mut self, row: usize) -> u32 {
        let start = self.ends.last().copied().unwrap_or(0);
        let parts = &self.parts[start..];
        let larger = |a: Part, b: &Part| if b.share > a.share { *b } else { a };
        let largest = parts.iter().fold(Part { node: 0, share: 0.0 }, larger);
        if parts.len() > 1 {
            self.rows.push(row as u32);
            self.ends.push(self.parts.len());
        } else {
            self.parts.truncate(start);
        }
        largest.node
    }
}

/// What routing found besides the nodes.
#[derive(Debug, Default)]
pub(crate) struct RouteStats {
    pub(super) mixtures: Mixtures,
    pub(super) absent_levels: u64,
}

/// Joins the parts of a table, in order, each with the number of its first row.
impl FromIterator<(usize, RouteStats)> for RouteStats {
    fn from_iter<I: IntoIterator<Item = (usize, RouteStats)>>(parts: I) -> Self {
        let mut whole = RouteStats::default();
        for (first, RouteStats { mixtures, absent_levels }) in parts {
            whole.mixtures.append(first, mixtures);
            whole.absent_levels += absent_levels;
        }
        whole
    }
}

/// Each row ended in one node.
impl From<Vec<u32>> for Routes {
    fn from(nodes: Vec<u32>) -> Self {
        Routes { nodes, mixtures: Mixtures::default(), absent_levels: 0 }
    }
}

impl Routes {
    pub(crate) fn new(nodes: Vec<u32>, stats: RouteStats) -> Self {
        Routes { nodes, mixtures: stats.mixtures, absent_levels: stats.absent_levels }
    }

    #[cfg(any(feature = "polars", feature = "arrow"))]
    pub(crate) fn append(&mut self, later: Routes) {
        self.mixtures.append(self.nodes.len(), later.mixtures);
        self.nodes.extend(later.nodes);
        self.absent_levels += later.absent_levels;
    }

    /// One row of each path that rows went down a tree of `n_nodes` nodes, and the path of each
    /// row. Rows that ended in one node went the same path, and each that ended in several went its
    /// own.
    #[cfg(any(feature = "polars", feature = "arrow"))]
    pub(crate) fn paths(&self, n_nodes: usize) -> (Routes, Vec<u32>) {
        let mut paths = Routes::from(Vec::new());
        let mut of_node = vec![None; n_nodes];
        let mut mixed = self.mixtures.rows.iter().copied().peekable();
        let mut of_row = Vec::with_capacity(self.nodes.len());
        for (row, &node) in (0..).zip(&self.nodes) {
            let new = paths.nodes.len() as u32;
            let path = match mixed.next_if_eq(&row) {
                Some(_) => {
                    paths.mixtures.rows.push(new);
                    new
                }
                None => *of_node[node as usize].get_or_insert(new),
            };
            if path == new {
                paths.nodes.push(node);
            }
            of_row.push(path);
        }
        // Every mixture has a path, in the same order.
        paths.mixtures.ends.clone_from(&self.mixtures.ends);
        paths.mixtures.parts.clone_from(&self.mixtures.parts);
        (paths, of_row)
    }

    /// Each row with each node it ended in and its share there.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (usize, Part)> {
        let mut mixed = self.mixtures.iter().peekable();
        (0u32..).zip(&self.nodes).flat_map(move |(row, &node)| {
            let parts = mixed.next_if(|(mixed, _)| *mixed == row).map(|(_, parts)| parts);
            let whole = parts.is_none().then_some(Part { node, share: 1.0 });
            let parts = parts.into_iter().flatten().copied().chain(whole);
            parts.map(move |part| (row as usize, part))
        })
    }
}
