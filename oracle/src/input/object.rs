//! Reading objects, and nothing else, where the wire has an object.
//!
//! A derived reader also takes an array for a struct, its elements for the fields in their order:
//! `["allow"]` would be an answer. So no struct of the wire implements `Deserialize` by derive: it
//! derives its reader as an inherent function (`remote = "Self"`), and [`objects!`] puts a
//! deserializer in front of it that knows maps alone.

use std::fmt;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde::forward_to_deserialize_any;

/// Implements `Deserialize` for structs that derive it with `#[serde(remote = "Self")]`.
macro_rules! objects {
    ($($name:ident),+ $(,)?) => {
        $(impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                // The inherent function that the derive made, not this one.
                $name::deserialize($crate::input::object::Object(deserializer))
            }
        })+
    };
}
pub(crate) use objects;

/// A deserializer whose value must be an object, whatever its reader asks for.
pub(crate) struct Object<D>(pub(crate) D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Object<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(Keys(visitor))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

/// The reader of a struct, as far as it reads keys and values.
struct Keys<V>(V);

impl<'de, V: Visitor<'de>> Visitor<'de> for Keys<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(map)
    }
}
