//! Names as identifiers that C, C++, Rust and Python take alike.

use std::collections::HashSet;

/// Most bytes of an identifier, without what is put behind it: C tells 63 bytes apart.
const MAX_BYTES: usize = 40;

/// What is not to be a name: keywords, macros of the headers that code includes and of compilers, and
/// the methods of Python's named tuples and the names that code uses itself.
const RESERVED: &str = "
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t
    class co_await co_return co_yield compl concept const const_cast consteval constexpr constinit
    continue decltype default delete do double dynamic_cast else enum explicit export extern false
    float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or
    or_eq private protected public register reinterpret_cast requires restrict return short signed
    sizeof static static_assert static_cast struct switch template this thread_local throw true try
    typedef typeid typename typeof typeof_unqual union unsigned using virtual void volatile wchar_t while
    xor xor_eq
    EOF FP_FAST_FMA FP_ILOGB0 FP_ILOGBNAN FP_INFINITE FP_NAN FP_NORMAL FP_SUBNORMAL FP_ZERO HUGE_VAL
    INFINITY MATH_ERREXCEPT MATH_ERRNO M_1_PI M_2_PI M_2_SQRTPI M_E M_LN10 M_LN2 M_LOG10E M_LOG2E M_PI
    M_PI_2 M_PI_4 M_SQRT1_2 M_SQRT2 NAN NDEBUG NULL assert errno far huge i386 interface linux near offsetof
    small stderr stdin stdout unix unused
    Self abstract as async await become box crate dyn final fn gen impl in let loop macro match mod move
    override priv pub ref self super trait type unsafe unsized use virtual where yield
    False None True count def del elif except finally from global import index is lambda nonlocal pass
    raise with bisect_left bisect_right row";

/// How macros of integers begin and end in C: `INT8_MAX`.
const INTEGER_MACROS: ([&str; 6], [&str; 4]) =
    (["INT", "UINT", "PTRDIFF", "SIG_ATOMIC", "SIZE", "W"], ["_MAX", "_MIN", "_WIDTH", "_C"]);

/// The identifier nearest to a name: letters and digits of ASCII as they are, `_` for all else, and
/// never a word that a language has for itself.
pub(super) fn identifier(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut made: String = name.chars().take(MAX_BYTES).map(plain).collect();
    // C and Python reserve names that begin with `_`, and C++ reserves names with `__`.
    while made.contains("__") {
        made = made.replace("__", "_");
    }
    let made = made.trim_matches('_');
    match made.chars().next() {
        None => "x".to_string(),
        Some(first) if first.is_ascii_digit() => format!("x{made}"),
        Some(_) if is_reserved(made) => format!("{made}_"),
        Some(_) => made.to_string(),
    }
}

fn is_reserved(name: &str) -> bool {
    let (starts, ends) = INTEGER_MACROS;
    let is_macro = starts.iter().any(|start| name.starts_with(start))
        && ends.iter().any(|end| name.ends_with(end));
    is_macro || RESERVED.split_whitespace().any(|word| word == name)
}

/// Identifiers that differ, in upper case too.
#[derive(Default)]
pub(super) struct Identifiers(HashSet<String>);

impl Identifiers {
    /// The identifier of a name, with a number behind it where another name has it.
    pub(super) fn take(&mut self, name: &str) -> String {
        self.take_near(identifier(name))
    }

    /// An identifier, with a number behind it where it is taken.
    pub(super) fn take_near(&mut self, wished: String) -> String {
        let mut taken = wished.clone();
        let mut number = 1;
        while !self.0.insert(taken.to_ascii_lowercase()) {
            number += 1;
            taken = format!("{wished}_{number}");
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_identifiers() {
        for (name, made) in [
            ("petal_length", "petal_length"),
            ("Petal Length (cm)", "Petal_Length_cm"),
            ("", "x"),
            ("\0*/\n\"", "x"),
            ("2nd", "x2nd"),
            ("__init__", "init"),
            ("größe", "gr_e"),
            ("class", "class_"),
            ("lambda", "lambda_"),
            ("UINT64_C", "UINT64_C_"),
            ("INT_RATE", "INT_RATE"),
        ] {
            assert_eq!(identifier(name), made, "{name}");
        }
        assert_eq!(identifier(&"ab".repeat(40_000)).len(), MAX_BYTES);
    }

    #[test]
    fn identifiers_differ() {
        let mut taken = Identifiers::default();
        let names = ["a b", "a_b", "A-b", "a_b_2"].map(|name| taken.take(name));
        assert_eq!(names, ["a_b", "a_b_2", "A_b_3", "a_b_2_2"]);
    }
}
