//! Options that may grow: made from their default, with a method for each field.

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
