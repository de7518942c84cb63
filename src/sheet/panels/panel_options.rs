//! Declares the options of a kind of panel once: takes name, description, type and reader of each, gives a struct with
//! a field for each, and the list for documentation and checks.

use super::panel_args::PanelArgs;

/// `field: Type = "key", "description" => reader;`: the reader takes [`PanelArgs`] and the key, and returns the field's
/// value.
macro_rules! panel_options {
    (struct $name:ident { $($field:ident: $type:ty = $key:literal, $about:expr => $read:expr;)* }) => {
        struct $name {
            $($field: $type,)*
        }

        impl $name {
            const LIST: &'static [(&'static str, &'static str)] = &[$(($key, $about)),*];

            fn read(args: &mut $crate::sheet::panels::panel_args::PanelArgs<'_>) -> Self {
                Self { $($field: $crate::sheet::panels::panel_options::read_option(args, $key, $read),)* }
            }
        }
    };
}

pub(super) use panel_options;

/// Lets the compiler infer the types of a reader's arguments.
pub fn read_option<'a, T>(args: &mut PanelArgs<'a>, key: &str, read: impl FnOnce(&mut PanelArgs<'a>, &str) -> T) -> T {
    read(args, key)
}
