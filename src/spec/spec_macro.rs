//! How a spec is written: each field once.

/// Makes a spec of a list of fields: the struct, its `Default` and its [`setters!`].
///
/// A field starts with the value after `=`, or with its type's default. `with threads and monitor`
/// adds these two. Constructors stand above the spec, because the docs keep the source's order.
macro_rules! spec {
    ($(#[$about:meta])* pub struct $Spec:ident { $($fields:tt)* } with threads and monitor) => {
        $crate::spec::spec! {
            $(#[$about])*
            pub struct $Spec {
                $($fields)*
                /// The number of threads, at most 8 per processor; `None` uses the caller's pool.
                #[serde(skip)]
                pub threads: Option<usize>,
                /// Watches the work, and may end it.
                #[serde(skip)]
                pub monitor: Option<$crate::spec::Monitor>,
            }
        }
    };
    ($(#[$about:meta])* pub struct $Spec:ident { $($fields:tt)* }) => {
        $crate::spec::spec! { @struct $(#[$about])* $Spec { $($fields)* } }
        impl $Spec {
            $crate::spec::setters! { $($fields)* }
        }
    };
    (@struct $(#[$about:meta])* $Spec:ident { $(
        $(#[$of_field:meta])* pub $field:ident: $type:ty $(= $value:expr)? $(=> $setter:expr)?,
    )* }) => {
        $(#[$about])*
        #[non_exhaustive]
        pub struct $Spec { $($(#[$of_field])* pub $field: $type,)* }

        impl Default for $Spec {
            fn default() -> Self {
                $Spec { $($field: $crate::spec::spec!(@value $($value)?),)* }
            }
        }
    };
    (@value) => { Default::default() };
    (@value $value:expr) => { $value };
}

/// Makes setters, named after their fields. The field's type says what one takes.
/// `=> |argument: Type| value` says it otherwise, and `=> by_hand` makes none.
///
/// The fields are taken one at a time, because only the tokens of a type tell it from others.
macro_rules! setters {
    () => {};
    ($(#[$of_field:meta])* $visible:vis $field:ident: $($rest:tt)*) => {
        $crate::spec::setters! { @of $field: $($rest)* }
    };
    (@of $field:ident: $type:ty $(= $value:expr)? => by_hand, $($rest:tt)*) => {
        $crate::spec::setters! { $($rest)* }
    };
    (@of $field:ident: $type:ty $(= $value:expr)? => |$argument:ident: $taken:ty| $stored:expr,
        $($rest:tt)*) => {
        #[doc = concat!("Sets [`", stringify!($field), "`](Self#structfield.", stringify!($field), ").")]
        #[must_use]
        pub fn $field(mut self, $argument: $taken) -> Self {
            self.$field = $stored;
            self
        }
        $crate::spec::setters! { $($rest)* }
    };
    // What the setter of a type takes. Special types come first, because every type fits the last rule.
    (@of $field:ident: Option<Vec<String>> $(= $value:expr)?, $($rest:tt)*) => {
        $crate::spec::setters! { @of $field: _
            => |$field: impl IntoIterator<Item = impl Into<String>>|
            Some($field.into_iter().map(Into::into).collect()), $($rest)* }
    };
    (@of $field:ident: Vec<String> $(= $value:expr)?, $($rest:tt)*) => {
        $crate::spec::setters! { @of $field: _
            => |$field: impl IntoIterator<Item = impl Into<String>>|
            $field.into_iter().map(Into::into).collect(), $($rest)* }
    };
    (@of $field:ident: Option<String> $(= $value:expr)?, $($rest:tt)*) => {
        $crate::spec::setters! { @of $field: _
            => |$field: impl Into<String>| Some($field.into()), $($rest)* }
    };
    (@of $field:ident: Option<$type:ty> $(= $value:expr)?, $($rest:tt)*) => {
        $crate::spec::setters! { @of $field: _ => |$field: $type| Some($field), $($rest)* }
    };
    (@of $field:ident: $type:ty $(= $value:expr)?, $($rest:tt)*) => {
        $crate::spec::setters! { @of $field: _ => |$field: $type| $field, $($rest)* }
    };
}

pub(crate) use {setters, spec};
