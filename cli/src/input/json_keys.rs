//! The keys of a JSON object, each as often as it stands there.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};

struct Keys(Vec<String>);

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Keys, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Keys;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Keys, A::Error> {
                let mut keys = Vec::new();
                while let Some((key, IgnoredAny)) = object.next_entry()? {
                    keys.push(key);
                }
                Ok(Keys(keys))
            }
        }

        deserializer.deserialize_map(Object)
    }
}

/// A key that stands twice in an object. Polars would take one of the two.
pub(super) fn doubled_key(object: &str) -> Option<String> {
    let Keys(keys) = serde_json::from_str(object).ok()?;
    let doubled = (1..keys.len()).find(|&at| keys[..at].contains(&keys[at]))?;
    keys.into_iter().nth(doubled)
}
