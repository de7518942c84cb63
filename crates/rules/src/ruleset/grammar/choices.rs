//! The words that keys choose from, each with what it names: the compiler reads by them, the schema and the manual list
//! them.

use moldloft_base::finding::Severity;
use moldloft_base::worded;

/// What a value of a field, column, parameter or attribute is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    Integer,
    Flag,
    Text,
    Choice,
    /// Whole numbers.
    Integers,
    /// Of values of any kind.
    List,
    Rows,
    Mount,
    System,
}

worded! {
    /// Whether a check is for one ship or for all of a fleet together.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum CheckScope {
        Design = "design",
        Fleet = "fleet",
    }
}

/// Tags of systems that say what they are for: editors colour by the first that one has, whether or not a rule uses them.
pub const ROLE_TAGS: [&str; 4] = ["defence", "weapon", "drive", "command"];

pub const FIELD_KINDS: [(&str, ValueKind); 5] = [
    ("choice", ValueKind::Choice),
    ("integer", ValueKind::Integer),
    ("flag", ValueKind::Flag),
    ("text", ValueKind::Text),
    ("rows", ValueKind::Rows),
];

pub const COLUMN_KINDS: [(&str, ValueKind); 6] = [
    ("integer", ValueKind::Integer),
    ("flag", ValueKind::Flag),
    ("text", ValueKind::Text),
    ("mount", ValueKind::Mount),
    ("system", ValueKind::System),
    ("choice", ValueKind::Choice),
];

pub const PARAMETER_KINDS: [(&str, ValueKind); 5] = [
    ("integer", ValueKind::Integer),
    ("flag", ValueKind::Flag),
    ("text", ValueKind::Text),
    ("choice", ValueKind::Choice),
    ("numbers", ValueKind::Integers),
];

pub const ATTRIBUTE_TYPES: [(&str, ValueKind); 4] =
    [("integer", ValueKind::Integer), ("text", ValueKind::Text), ("flag", ValueKind::Flag), ("list", ValueKind::List)];

/// Whether a parameter is for the whole fit.
pub const PARAMETER_SCOPES: [(&str, bool); 2] = [("each", false), ("fit", true)];

/// Whether a layer is a supplement.
pub const LAYER_KINDS: [(&str, bool); 2] = [("house", false), ("supplement", true)];

/// `None`: the check is off.
pub const SEVERITIES: [(&str, Option<Severity>); 4] = [
    ("error", Some(Severity::Error)),
    ("warning", Some(Severity::Warning)),
    ("info", Some(Severity::Info)),
    ("off", None),
];

/// What a counter can be besides a counter.
pub const COUNTER_ROLES: [(&str, ()); 1] = [("ship", ())];

pub const SITUATION_KINDS: [(&str, ValueKind); 3] =
    [("integer", ValueKind::Integer), ("flag", ValueKind::Flag), ("choice", ValueKind::Choice)];

/// The words of a list of choices.
pub(super) const fn words<T, const N: usize>(choices: &[(&'static str, T); N]) -> [&'static str; N] {
    let mut words = [""; N];
    let mut n = 0;
    while n < N {
        words[n] = choices[n].0;
        n += 1;
    }
    words
}
