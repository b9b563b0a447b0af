//! What is written reads back, and nothing else is read.

mod damage;
mod disk;
mod round_trip;
mod trees;
