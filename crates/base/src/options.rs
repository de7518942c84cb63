//! Options that may grow: made from their default, with a method for each field. Kinds of things that have a word each.

/// For each field of options a method of its name, which gives the same options with that value.
#[macro_export]
macro_rules! setters {
    ($options:ident $(<$life:lifetime>)? { $($field:ident: $kind:ty),* $(,)? }) => {
        impl $(<$life>)? $options $(<$life>)? {
            $(
                #[doc = concat!("The same with this [`", stringify!($field), "`](Self#structfield.", stringify!($field), ").")]
                #[must_use]
                pub fn $field(self, $field: $kind) -> Self {
                    Self { $field, ..self }
                }
            )*
        }
    };
}

/// An enum whose variants each have a word in files and reports: `pub enum Side { Port = "port", Starboard = "starboard" }`.
#[macro_export]
macro_rules! worded {
    ($(#[$about:meta])* $seen:vis enum $name:ident { $($(#[$of:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $(#[$about])*
        $seen enum $name { $($(#[$of])* $variant),* }

        impl $name {
            /// All, each with its word.
            pub const ALL: [(&'static str, Self); [$($word),*].len()] = [$(($word, Self::$variant)),*];

            /// Its word in files and reports.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),*
                }
            }

            /// The one with this word.
            pub fn named(word: &str) -> Option<Self> {
                Self::ALL.iter().find(|(known, _)| *known == word).map(|(_, one)| *one)
            }
        }
    };
}
