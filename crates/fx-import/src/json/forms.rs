//! Forms of JSON that serde does not derive: unions, floats as strings, maps with unique keys.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess};

use crate::error::quoted;

/// Declares a union of the schema: an enum with one alternative per key, and its reader.
///
/// An alternative without a type holds `true`. `via` names a type that is read in place of the
/// alternative's own and turned into it.
macro_rules! union {
    ($(#[$meta:meta])* $name:ident {
        $($(#[$doc:meta])* $key:literal => $variant:ident $(($ty:ty $(, via $wire:ty)?))?,)+
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name { $($(#[$doc])* $variant $(($ty))?,)+ }

        impl $name {
            /// The key that names this alternative in the archive.
            pub fn key(&self) -> &'static str {
                match self { $(Self::$variant { .. } => $key,)+ }
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                struct Alternatives;
                impl<'de> serde::de::Visitor<'de> for Alternatives {
                    type Value = $name;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(f, "an object with one key of {}", stringify!($name))
                    }

                    fn visit_map<A: serde::de::MapAccess<'de>>(
                        self,
                        mut map: A,
                    ) -> Result<$name, A::Error> {
                        let value = match $crate::json::only_key(&mut map, &[$($key),+])? {
                            $($key => $crate::json::union!(
                                @value map, $name, $variant $(, $ty $(, $wire)?)?
                            ),)+
                            other => return Err(serde::de::Error::unknown_variant(other, &[])),
                        };
                        $crate::json::no_more_keys(&mut map)?;
                        Ok(value)
                    }
                }
                d.deserialize_map(Alternatives)
            }
        }
    };
    (@value $map:ident, $name:ident, $variant:ident) => {{
        $map.next_value::<$crate::json::True>()?;
        $name::$variant
    }};
    (@value $map:ident, $name:ident, $variant:ident, $ty:ty) => {
        $name::$variant($map.next_value::<$ty>()?)
    };
    (@value $map:ident, $name:ident, $variant:ident, $ty:ty, $wire:ty) => {
        $name::$variant($map.next_value::<$wire>()?.into())
    };
}
pub(crate) use union;

/// The first key of a union, which must be one of those given.
pub(crate) fn only_key<'de, A: MapAccess<'de>>(map: &mut A, keys: &'static [&'static str]) -> Result<&'static str, A::Error> {
    let none = || de::Error::custom("expected a union with one key, found an empty object");
    map.next_key_seed(OneOf(keys))?.ok_or_else(none)
}

pub(crate) fn no_more_keys<'de, A: MapAccess<'de>>(map: &mut A) -> Result<(), A::Error> {
    match map.next_key::<String>()? {
        None => Ok(()),
        Some(key) => Err(de::Error::custom(format_args!("expected a union with one key, found a further key {}", quoted(&key)))),
    }
}

struct OneOf(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for OneOf {
    type Value = &'static str;

    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<&'static str, D::Error> {
        d.deserialize_str(self)
    }
}

impl de::Visitor<'_> for OneOf {
    type Value = &'static str;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the key of a union")
    }

    fn visit_str<E: de::Error>(self, key: &str) -> Result<&'static str, E> {
        let found = self.0.iter().find(|known| **known == key);
        found.copied().ok_or_else(|| E::custom(format_args!("expected one of the keys {}, found {}", self.0.join(", "), quoted(key))))
    }
}

/// The value of an alternative that holds nothing.
#[derive(serde::Deserialize)]
#[serde(try_from = "bool")]
pub(crate) struct True;

impl TryFrom<bool> for True {
    type Error = &'static str;

    fn try_from(value: bool) -> Result<Self, Self::Error> {
        value.then_some(Self).ok_or("expected true, found false")
    }
}

/// A float as the schema writes it.
pub(crate) struct Float(f64);

impl From<Float> for f64 {
    fn from(float: Float) -> Self {
        float.0
    }
}

impl<'de> Deserialize<'de> for Float {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(FloatVisitor).map(Self)
    }
}

struct FloatVisitor;

impl de::Visitor<'_> for FloatVisitor {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, \"NaN\", \"Infinity\" or \"-Infinity\"")
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<f64, E> {
        Ok(value)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<f64, E> {
        Ok(value as f64)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<f64, E> {
        Ok(value as f64)
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<f64, E> {
        match value {
            "NaN" => Ok(f64::NAN),
            "Infinity" => Ok(f64::INFINITY),
            "-Infinity" => Ok(f64::NEG_INFINITY),
            other => Err(E::invalid_value(de::Unexpected::Str(other), &self)),
        }
    }
}

/// A list of floats.
#[derive(serde::Deserialize)]
pub(crate) struct Floats(Vec<Float>);

impl From<Floats> for Vec<f64> {
    fn from(floats: Floats) -> Self {
        floats.0.into_iter().map(f64::from).collect()
    }
}

/// A float field of a struct, for `deserialize_with`.
pub(crate) fn float<'de, D: Deserializer<'de>>(d: D) -> Result<f64, D::Error> {
    Float::deserialize(d).map(f64::from)
}

/// Reads an object as a map, for `deserialize_with`.
pub(crate) fn unique_map<'de, D, V>(d: D) -> Result<BTreeMap<String, V>, D::Error>
where
    D: Deserializer<'de>,
    V: Deserialize<'de>,
{
    d.deserialize_map(UniqueMap(PhantomData))
}

/// [`unique_map`] as a type, for alternatives of a union.
pub(crate) struct Unique<V>(BTreeMap<String, V>);

impl<V> From<Unique<V>> for BTreeMap<String, V> {
    fn from(map: Unique<V>) -> Self {
        map.0
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Unique<V> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        unique_map(d).map(Self)
    }
}

struct UniqueMap<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de>> de::Visitor<'de> for UniqueMap<V> {
    type Value = BTreeMap<String, V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut map = BTreeMap::new();
        while let Some(key) = access.next_key::<String>()? {
            if map.contains_key(&key) {
                let message = format_args!("expected unique keys, found {} twice", quoted(&key));
                return Err(de::Error::custom(message));
            }
            map.insert(key, access.next_value()?);
        }
        Ok(map)
    }
}
