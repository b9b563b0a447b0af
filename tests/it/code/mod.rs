//! Trees and forests as source code: what compilers and Python make of it answers as scoring does.

mod harness;
mod random;
mod refused;
