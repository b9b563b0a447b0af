//! What the two faces share: reading numeric and text columns.

pub(crate) mod numeric;
pub(crate) mod texts;
