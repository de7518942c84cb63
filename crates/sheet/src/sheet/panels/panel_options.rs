//! The options of panels: each is declared once, with its key, its kind of value, its default and a sentence about it.
//! A declaration gives a struct with a field for each option, and the list for checks and documentation.

use std::sync::Arc;

use super::panel_args::PanelArgs;
use moldloft_rules::formula::{Formula, TextTemplate};
use moldloft_rules::ruleset::SlotContext;

/// What the documentation and the checks know of an option.
pub struct PanelOption {
    pub key: &'static str,
    about: &'static str,
    default: fn() -> Option<String>,
}

impl PanelOption {
    pub const fn new(key: &'static str, about: &'static str, default: fn() -> Option<String>) -> Self {
        Self { key, about, default }
    }

    /// What it does, with its default.
    pub fn description(&self) -> String {
        match (self.default)() {
            Some(default) => format!("{}; default {default}", self.about),
            None => self.about.to_owned(),
        }
    }
}

/// Declares options: `field: Type = "key", VALUE, "description";`, where `VALUE` is an [`OptionValue`] of that type.
macro_rules! panel_options {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($field_vis:vis $field:ident: $type:ty = $key:literal, $value:expr, $about:literal;)* }) => {
        $(#[$meta])*
        $vis struct $name {
            $($field_vis $field: $type,)*
        }

        impl $name {
            $vis const LIST: &'static [$crate::sheet::panels::panel_options::PanelOption] = &[$(
                $crate::sheet::panels::panel_options::PanelOption::new($key, $about, || {
                    $crate::sheet::panels::panel_options::OptionValue::default_text(&$value)
                })
            ),*];

            $vis fn read(args: &mut $crate::sheet::panels::panel_args::PanelArgs<'_>) -> Self {
                Self { $($field: $crate::sheet::panels::panel_options::OptionValue::read(&$value, args, $key),)* }
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $crate::sheet::panels::panel_options::OptionValue::default(&$value),)* }
            }
        }
    };
}

pub(super) use panel_options;

/// A kind of value with its default.
pub trait OptionValue {
    type Value;

    fn default(&self) -> Self::Value;

    /// The default as a panel's author would write it; `None` where the description says what happens without it.
    fn default_text(&self) -> Option<String>;

    /// The option's value, or the default if it is not set or wrong; what is wrong is reported.
    fn read(&self, args: &mut PanelArgs<'_>, key: &str) -> Self::Value;
}

/// A kind of value.
pub trait OptionKind {
    type Value;

    /// `None` if the option is not set or wrong, which is reported.
    fn parse(&self, args: &mut PanelArgs<'_>, key: &str) -> Option<Self::Value>;

    /// As a panel's author would write it, for a default worth printing.
    fn text(&self, _value: &Self::Value) -> Option<String> {
        None
    }
}

/// A value or, without the option, this default.
pub struct Or<K: OptionKind>(pub K, pub K::Value);

impl<K: OptionKind<Value: Clone>> OptionValue for Or<K> {
    type Value = K::Value;

    fn default(&self) -> K::Value {
        self.1.clone()
    }

    fn default_text(&self) -> Option<String> {
        self.0.text(&self.1)
    }

    fn read(&self, args: &mut PanelArgs<'_>, key: &str) -> K::Value {
        self.0.parse(args, key).unwrap_or_else(|| self.1.clone())
    }
}

/// A value or, without the option, `None`.
pub struct Maybe<K>(pub K);

impl<K: OptionKind> OptionValue for Maybe<K> {
    type Value = Option<K::Value>;

    fn default(&self) -> Option<K::Value> {
        None
    }

    fn default_text(&self) -> Option<String> {
        None
    }

    fn read(&self, args: &mut PanelArgs<'_>, key: &str) -> Option<K::Value> {
        self.0.parse(args, key)
    }
}

/// A whole number, brought into a range.
pub struct Integer(pub u32, pub u32);

impl OptionKind for Integer {
    type Value = u32;

    fn parse(&self, args: &mut PanelArgs<'_>, key: &str) -> Option<u32> {
        args.integer(key).map(|n| n.clamp(self.0, self.1))
    }

    fn text(&self, value: &u32) -> Option<String> {
        Some(value.to_string())
    }
}

/// A number, brought into a range.
pub struct Number(pub f32, pub f32);

impl OptionKind for Number {
    type Value = f32;

    fn parse(&self, args: &mut PanelArgs<'_>, key: &str) -> Option<f32> {
        args.number(key).map(|n| n.clamp(self.0, self.1))
    }

    fn text(&self, value: &f32) -> Option<String> {
        Some(value.to_string())
    }
}

/// A share of a width: a part of 1, or a percentage.
pub struct Share;

impl OptionKind for Share {
    type Value = f32;

    fn parse(&self, args: &mut PanelArgs<'_>, key: &str) -> Option<f32> {
        args.number(key).map(|share| if share > 1.0 { share / 100.0 } else { share })
    }
}

/// True or false; the description says what the value other than the default does.
pub struct Flag;

impl OptionKind for Flag {
    type Value = bool;

    fn parse(&self, args: &mut PanelArgs<'_>, key: &str) -> Option<bool> {
        args.boolean(key)
    }
}

/// One of a few words, each with its value.
pub struct Choice<T: 'static>(pub &'static [(&'static str, T)]);

impl<T: Copy + PartialEq> OptionKind for Choice<T> {
    type Value = T;

    fn parse(&self, args: &mut PanelArgs<'_>, key: &str) -> Option<T> {
        args.one_of(key, self.0)
    }

    fn text(&self, value: &T) -> Option<String> {
        self.0.iter().find(|(_, known)| known == value).map(|(word, _)| format!("`{word}`"))
    }
}

/// Plain text, not compiled.
pub struct Text;

impl OptionKind for Text {
    type Value = Arc<str>;

    fn parse(&self, args: &mut PanelArgs<'_>, key: &str) -> Option<Arc<str>> {
        args.string(key)
    }

    fn text(&self, value: &Arc<str>) -> Option<String> {
        Some(format!("`{value}`"))
    }
}

/// A list of plain texts; a single text counts as a list of one.
pub struct Texts;

impl OptionKind for Texts {
    type Value = Vec<Arc<str>>;

    fn parse(&self, args: &mut PanelArgs<'_>, key: &str) -> Option<Vec<Arc<str>>> {
        args.string_list(key)
    }
}

/// Plain texts by name.
pub struct TextsByName;

impl OptionKind for TextsByName {
    type Value = Vec<(Arc<str>, Arc<str>)>;

    fn parse(&self, args: &mut PanelArgs<'_>, key: &str) -> Option<Self::Value> {
        args.string_map(key)
    }
}

pub struct NumberList;

impl OptionKind for NumberList {
    type Value = Vec<f32>;

    fn parse(&self, args: &mut PanelArgs<'_>, key: &str) -> Option<Vec<f32>> {
        args.numbers(key)
    }
}

/// Text with `{{ }}`.
pub struct TemplateText(pub SlotContext);

impl OptionKind for TemplateText {
    type Value = TextTemplate;

    fn parse(&self, args: &mut PanelArgs<'_>, key: &str) -> Option<TextTemplate> {
        args.template_text(key, &self.0)
    }
}

/// A list of texts with `{{ }}`; a single text counts as a list of one.
pub struct TemplateTexts(pub SlotContext);

impl OptionKind for TemplateTexts {
    type Value = Vec<TextTemplate>;

    fn parse(&self, args: &mut PanelArgs<'_>, key: &str) -> Option<Self::Value> {
        args.template_texts(key, &self.0)
    }
}

/// Text with `{{ }}` of the panel's heading.
pub struct HeadingTemplate;

impl OptionKind for HeadingTemplate {
    type Value = TextTemplate;

    fn parse(&self, args: &mut PanelArgs<'_>, key: &str) -> Option<TextTemplate> {
        let within = args.heading_context.clone();
        args.template_text(key, &within)
    }
}

/// A formula that gives true or false.
pub struct ConditionOption(pub SlotContext);

impl OptionKind for ConditionOption {
    type Value = Formula;

    fn parse(&self, args: &mut PanelArgs<'_>, key: &str) -> Option<Formula> {
        args.condition(key, &self.0)
    }
}

/// A kind of value of one panel only: how it is parsed.
pub struct Custom<T>(pub fn(&mut PanelArgs<'_>, &str) -> Option<T>);

impl<T> OptionKind for Custom<T> {
    type Value = T;

    fn parse(&self, args: &mut PanelArgs<'_>, key: &str) -> Option<T> {
        (self.0)(args, key)
    }
}
