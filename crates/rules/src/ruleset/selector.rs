//! What a `for_each` goes over. Plain data.

#[derive(Clone, Debug, PartialEq)]
pub enum Selector {
    /// Fits of these systems.
    Fit(SystemSet),
    /// Systems aboard, each once.
    System(SystemSet),
    /// `None`: all.
    Mount(Option<Vec<usize>>),
    /// Rows of a rows field.
    Field(usize),
    /// Rows of a table.
    Table(usize),
}

impl Selector {
    /// What was to go over the rows of something that a layer removed.
    pub const NOTHING: Self = Self::Mount(Some(Vec::new()));
}

/// Indices; `None`: all.
pub type SystemSet = Option<Vec<usize>>;
