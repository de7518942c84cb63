//! The declaration of a kind of panel: its name, its argument, its options and how it is compiled. Data only.

use super::panel::Panel;
use super::panel_args::PanelArgs;
use super::panel_options::PanelOption;

pub struct PanelKind {
    /// The first word of the label.
    pub name: &'static str,
    /// Describes the words after it.
    pub argument: &'static str,
    /// A description for the documentation.
    pub about: &'static str,
    /// Its own options; the common ones are separate.
    pub options: &'static [PanelOption],
    pub compile: fn(&mut PanelArgs<'_>) -> Option<Box<dyn Panel>>,
}
