//! Declares an enum and, from the same lines, the enum of its kinds, so that a list of all kinds needs no second
//! declaration.

/// `pub enum Command as CommandKind { … }` declares both, with `CommandKind::ALL` and `Command::kind`.
macro_rules! with_kinds {
    (
        $(#[$outer:meta])*
        pub enum $name:ident as $kind:ident {
            $(
                $(#[$inner:meta])*
                $variant:ident
                $( ( $($held:ty),* $(,)? ) )?
                $( { $( $(#[$field_meta:meta])* $field:ident: $field_type:ty ),* $(,)? } )?
            ),* $(,)?
        }
    ) => {
        $(#[$outer])*
        pub enum $name {
            $(
                $(#[$inner])*
                $variant $( ( $($held),* ) )? $( { $( $(#[$field_meta])* $field: $field_type ),* } )?
            ),*
        }

        #[doc = concat!("What a [`", stringify!($name), "`] is, without what it holds.")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $kind {
            $(
                #[doc = concat!("[`", stringify!($name), "::", stringify!($variant), "`]")]
                $variant
            ),*
        }

        impl $kind {
            pub const ALL: &[Self] = &[$(Self::$variant),*];
        }

        impl $name {
            #[must_use]
            pub const fn kind(&self) -> $kind {
                match self {
                    $(Self::$variant { .. } => $kind::$variant),*
                }
            }
        }
    };
}

pub(crate) use with_kinds;
