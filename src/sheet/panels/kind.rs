//! The declaration of a kind of panel: its name, its argument, its options and how it is compiled. Data only.

use super::panel::Panel;
use super::panel_args::PanelArgs;

pub struct PanelKind {
    /// The first word of the label.
    pub name: &'static str,
    /// Describes the words after it.
    pub argument: &'static str,
    /// A description for the documentation.
    pub about: &'static str,
    /// Names and descriptions of its own options; the common ones are separate.
    pub options: &'static [(&'static str, &'static str)],
    pub compile: fn(&mut PanelArgs<'_>) -> Option<Box<dyn Panel>>,
}
