//! What the two faces share: reading numeric and text columns, and pools of threads.

pub(crate) mod numeric;
pub(crate) mod pool;
pub(crate) mod texts;
