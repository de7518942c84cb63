//! What is shown where: tabs, panes, places of the form, notices. Plain data.

/// Tells open files apart; never given twice while the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocId(pub u64);

/// What stands in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    /// The start page.
    Start,
    /// An open design.
    Doc(DocId),
}

/// What stands below the sheet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InspectorTab {
    /// What is wrong.
    #[default]
    Findings,
    /// The ship of a fleet whose sheet is shown: what she has suffered, what she is loaded with.
    Ship,
    /// Where a number comes from.
    Explain,
    /// Another design beside this one.
    Compare,
    /// The rules it is judged by.
    Rules,
}

/// The part of an open file that is shown where there is room for one only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pane {
    /// The form of a design, the table of a fleet; on the start page what can be begun.
    #[default]
    Form,
    /// The sheet; on the start page the library.
    Sheet,
    /// What is known of it: findings, explanations, rules.
    Inspector,
}

/// Something to tell the player, until it is dismissed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Whether something went wrong.
    pub is_error: bool,
    /// What.
    pub text: String,
}

impl Notice {
    /// Something that went well.
    pub fn info(text: impl Into<String>) -> Self {
        Self { is_error: false, text: text.into() }
    }

    /// Something that went wrong.
    pub fn error(text: impl Into<String>) -> Self {
        Self { is_error: true, text: text.into() }
    }
}

/// The list of systems that can be added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SystemPicker {
    /// The mount they are added to; `None` in games without mounts.
    pub mount: Option<String>,
    /// What was typed.
    pub query: String,
    /// The line that Enter adds.
    pub highlighted: usize,
}

/// A place of the form that a player is brought to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormTarget {
    /// The name, notes.
    TopKey(&'static str),
    /// A field.
    Field(String),
    /// A fit, by its place in the file.
    Fit(u32),
    /// A mount.
    Mount(String),
    /// A cell of a fleet's ship, by her place in the file.
    Ship {
        /// Which.
        ship: u32,
        /// The key of the file that the cell stands for.
        key: &'static str,
    },
    /// A group of a fleet.
    Group(u32),
}
