//! What a kind of panel declares: its name, what its argument is, its options, how it is compiled.

use super::panel::Panel;
use super::panel_args::PanelArgs;

/// A kind of panel.
pub struct PanelKind {
    /// The first word of the label.
    pub name: &'static str,
    /// What the words after it are.
    pub argument: &'static str,
    /// What it shows.
    pub about: &'static str,
    /// Its own options, beside the common ones.
    pub options: &'static [(&'static str, &'static str)],
    /// Compiles one.
    pub compile: fn(&mut PanelArgs<'_>) -> Option<Box<dyn Panel>>,
}
