//! The arguments that several commands share, and what they mean. Every field of a spec is a flag of its name.

pub mod growth;
pub mod parsers;
pub mod pruning;
pub mod shared;
pub mod show;
