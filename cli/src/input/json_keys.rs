//! The keys of a JSON object, each as often as it stands there.

use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

struct DoubledKey;

impl<'de> Visitor<'de> for DoubledKey {
    type Value = Option<String>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Option<String>, A::Error> {
        let (mut keys, mut doubled) = (HashSet::new(), None);
        while let Some((key, IgnoredAny)) = object.next_entry::<String, _>()? {
            doubled = doubled.or_else(|| keys.replace(key));
        }
        Ok(doubled)
    }
}

/// A key that stands twice in an object. Polars would take one of the two.
pub(super) fn doubled_key(object: &str) -> Option<String> {
    let mut object = serde_json::Deserializer::from_str(object);
    let doubled = object.deserialize_map(DoubledKey).ok()?;
    object.end().ok().and(doubled)
}
