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

/// Indices; `None`: all.
pub type SystemSet = Option<Vec<usize>>;
