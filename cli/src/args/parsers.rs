//! Values of flags, parsed: the library's names for its options, numbers of threads, class weights.

use std::ffi::OsStr;
use std::marker::PhantomData;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::thread::available_parallelism;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use gaintree::{ClassWeights, FeatureGroup, Intervals, MaxFeatures};
use serde::de::value::{Error as NotAVariant, StrDeserializer};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, IntoDeserializer, Visitor};

/// A parser for any enum of unit variants, by the names serde has for them.
pub struct Choice<T>(PhantomData<T>);

pub fn choice<T>() -> Choice<T> {
    Choice(PhantomData)
}

impl<T> Clone for Choice<T> {
    fn clone(&self) -> Self {
        choice()
    }
}

impl<T: DeserializeOwned + Clone + Send + Sync + 'static> TypedValueParser for Choice<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        // Flags are in kebab case, so their values may be too.
        let word = value.to_string_lossy().to_lowercase().replace('-', "_");
        let known = PossibleValuesParser::new(names_of::<T>().iter().copied());
        let word = known.parse_ref(command, arg, OsStr::new(&word))?;
        let word: StrDeserializer<NotAVariant> = word.as_str().into_deserializer();
        T::deserialize(word).map_err(|e| clap::Error::raw(ErrorKind::InvalidValue, e))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names_of::<T>().iter().copied().map(PossibleValue::new)))
    }
}

/// `NAME=COL,…`: features that are permuted together.
pub fn feature_group(text: &str) -> Result<FeatureGroup, String> {
    let (name, features) = text
        .split_once('=')
        .filter(|(name, features)| !name.is_empty() && !features.is_empty())
        .ok_or("expected a name and features, as in size=width,height")?;
    let features = features.split(',').map(str::to_string).collect();
    Ok(FeatureGroup { name: name.to_string(), features })
}

/// `FEATURE=NUMBER`; a name may hold `=` itself.
pub fn coefficient(text: &str) -> Result<(String, f64), String> {
    let (feature, number) = text
        .rsplit_once('=')
        .filter(|(feature, _)| !feature.is_empty())
        .ok_or("expected a feature and a number, as in age=0.8")?;
    let number = number.parse().map_err(|_| format!("`{number}` is no number"))?;
    Ok((feature.to_string(), number))
}

/// The names of an enum's variants, which serde's derive passes to a deserializer.
fn names_of<'de, T: Deserialize<'de>>() -> &'static [&'static str] {
    struct NameProbe<'a>(&'a mut &'static [&'static str]);

    impl<'de> Deserializer<'de> for NameProbe<'_> {
        type Error = NotAVariant;

        fn deserialize_enum<V: Visitor<'de>>(
            self,
            _name: &'static str,
            variants: &'static [&'static str],
            _visitor: V,
        ) -> Result<V::Value, NotAVariant> {
            *self.0 = variants;
            Err(serde::de::Error::custom("only asked for the names"))
        }

        fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, NotAVariant> {
            Err(serde::de::Error::custom("not an enum"))
        }

        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
            option unit unit_struct newtype_struct seq tuple tuple_struct map struct identifier
            ignored_any
        }
    }

    let mut names: &'static [&'static str] = &[];
    let _ = T::deserialize(NameProbe(&mut names));
    names
}

/// One character of ASCII, or `tab`.
pub fn separator(word: &str) -> Result<u8, String> {
    match word.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !b"\"\r\n".contains(byte) => Ok(*byte),
        _ => Err("it has to be one character, as in ';', or tab".to_string()),
    }
}

/// What may stand between groups of digits.
pub fn thousands(word: &str) -> Result<char, String> {
    let mut chars = word.chars();
    match (chars.next(), chars.next()) {
        (Some(mark), None) if !mark.is_alphanumeric() && !"+-\"\r\n".contains(mark) => Ok(mark),
        _ => Err("it has to be one character that no number has, as in . or ,".to_string()),
    }
}

/// A number of threads. Polars would start all it is told to, so the library's bound is kept here too.
pub fn threads(word: &str) -> Result<usize, String> {
    let most = 8 * available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = word.parse().map(|threads: NonZeroUsize| threads.get().min(most));
    threads.map_err(|_| "it has to be a whole number, at least 1".to_string())
}

/// A number of permutations.
pub fn permutations(word: &str) -> Result<u32, String> {
    let permutations = word.parse().map(NonZeroU32::get);
    permutations
        .map_err(|_| "it has to be a whole number from 1 to 4294967295, as in 200".to_string())
}

/// What draws are made of.
pub fn seed(word: &str) -> Result<u64, String> {
    word.parse().map_err(|_| format!("it has to be a whole number from 0 to {}", u64::MAX))
}

/// A least number of rows.
pub fn rows(word: &str) -> Result<u64, String> {
    let rows = word.parse().map(NonZeroU64::get);
    rows.map_err(|_| "it has to be a whole number, at least 1".to_string())
}

/// `auto`, a number of features, or a share of them, which has a point in it.
pub fn max_features(word: &str) -> Result<MaxFeatures, String> {
    let parsed = match word {
        "auto" => Some(MaxFeatures::Auto),
        _ if word.contains('.') => word.parse().ok().map(MaxFeatures::Share),
        _ => word.parse().ok().map(MaxFeatures::Count),
    };
    parsed.ok_or_else(|| {
        "it has to be auto, a number of features as in 3, or a share of them as in 0.5".to_string()
    })
}

/// A number from 0 to 1.
pub fn quantile(word: &str) -> Result<f64, String> {
    let of_word = word.trim().parse().ok().filter(|quantile| (0.0..=1.0).contains(quantile));
    of_word.ok_or_else(|| "it has to be a number from 0 to 1".to_string())
}

/// `mdl`, or a number of intervals.
pub fn intervals(word: &str) -> Result<Intervals, String> {
    match word {
        "mdl" => Ok(Intervals::Mdl),
        _ => word
            .parse()
            .map(Intervals::Quantiles)
            .map_err(|_| "it has to be mdl, or a number of intervals".to_string()),
    }
}

/// `equal`, `balanced`, or weights by class; a class may hold `=` itself, but no comma.
pub fn class_weights(text: &str) -> Result<ClassWeights, String> {
    let one = |part: &str| {
        let (class, weight) = part
            .rsplit_once('=')
            .ok_or_else(|| format!("`{part}` is not equal, balanced or CLASS=WEIGHT"))?;
        let weight = weight.parse().map_err(|_| format!("`{weight}` is no number"))?;
        Ok((class.to_string(), weight))
    };
    match text {
        "equal" => Ok(ClassWeights::Equal),
        "balanced" => Ok(ClassWeights::Balanced),
        _ => text.split(',').map(one).collect::<Result<_, String>>().map(ClassWeights::Given),
    }
}

/// A size in bytes, as in 800MB or 2GB; units are powers of 1,000, or of 1,024 with an i.
pub fn memory(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let factor: u64 = match unit.trim().to_ascii_lowercase().trim_end_matches('b') {
        "" => 1,
        "k" => 1000,
        "ki" => 1 << 10,
        "m" => 1_000_000,
        "mi" => 1 << 20,
        "g" => 1_000_000_000,
        "gi" => 1 << 30,
        "t" => 1_000_000_000_000,
        _ => return Err(format!("`{unit}` is no unit of memory: write MB, GB, MiB or GiB")),
    };
    let bytes = number.parse::<f64>().map_err(|_| "write a size as 500MB or 2GB")? * factor as f64;
    match bytes >= (16u64 << 20) as f64 && bytes < 1e18 {
        true => Ok(bytes as u64),
        false => Err("take at least 16MiB".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_serde() {
        assert_eq!(names_of::<gaintree::LogBase>(), ["2", "e"]);
        assert!(names_of::<gaintree::Selection>().contains(&"ratio_above_mean_gain"));
    }
}
