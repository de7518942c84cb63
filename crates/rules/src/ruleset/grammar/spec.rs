//! How a section and a key of the ruleset language are declared.

/// A section `[[name]]`, or a table within a declaration.
#[derive(Debug)]
pub struct SectionSpec {
    /// `system`, or `parameter` for a nested table.
    pub name: &'static str,
    /// One sentence.
    pub about: &'static str,
    /// Of a section of declarations, the first is the declaration's id.
    pub keys: &'static [KeySpec],
    /// Whether other keys are the author's own data.
    pub open: bool,
    /// Whether only odds are made of it.
    pub is_for_odds: bool,
}

impl SectionSpec {
    pub(super) const fn new(name: &'static str, about: &'static str, keys: &'static [KeySpec]) -> Self {
        Self { name, about, keys, open: false, is_for_odds: false }
    }

    /// A section whose other keys are the author's own data.
    pub(super) const fn open(name: &'static str, about: &'static str, keys: &'static [KeySpec]) -> Self {
        Self { name, about, keys, open: true, is_for_odds: false }
    }

    pub(super) const fn for_odds(self) -> Self {
        Self { is_for_odds: true, ..self }
    }

    pub fn key(&self, name: &str) -> Option<&'static KeySpec> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// The key that identifies a declaration.
    pub fn id(&self) -> &'static KeySpec {
        &self.keys[0]
    }
}

#[derive(Debug)]
pub struct KeySpec {
    pub name: &'static str,
    pub holds: KeyType,
    /// Whether a missing key is an error.
    pub required: bool,
    pub about: &'static str,
    /// What a name in its table is called in messages; empty if layers may set names that are not there.
    pub entry_noun: &'static str,
    /// Whether a system that is like another, or a layer that leaves it out, does not inherit it.
    pub own: bool,
    /// Whether it is only a name, a wording or an order: no number of a ship depends on it.
    pub wording: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyType {
    /// Small letters, digits and `_`, for use in formulas.
    Name,
    /// Small letters, digits, `-` and `_`.
    Id,
    Text,
    /// Text with `{{ formula }}`.
    Template,
    Integer,
    Bool,
    StringOrList,
    /// One of these texts.
    Choice(&'static [&'static str]),
    /// A whole number, or a formula for one.
    Number,
    /// A boolean, or a formula for one.
    Condition,
    /// A list of whole numbers, or a formula for one.
    IntegerList,
    /// A literal or a formula.
    Anything,
    /// A number, boolean, text or list.
    Literal,
    /// The default of a field or setting: a number, boolean, text or empty list.
    Default,
    /// Names with formulas.
    FormulaTable,
    /// A list of tables with the keys of this section.
    Tables(&'static str),
    /// A list of tables of this section, or of ids only.
    TablesOrIds(&'static str),
    /// Tables of this section by id.
    TablesById(&'static str),
    /// One table of this section.
    TableOf(&'static str),
    /// A list of rows, each a list of cells.
    Rows,
    /// One size, or width and height; numbers or formulas.
    Size,
    /// Two whole numbers: across and down.
    Position,
    /// One of these texts, or a table of this section.
    ChoiceOrTable(&'static [&'static str], &'static str),
    /// Names with whole numbers.
    IntegersByName,
    /// A table with keys of any kind.
    AnyTable,
    /// A list of texts.
    TextList,
}

impl KeyType {
    /// Whether a string is a formula.
    pub fn is_formula(self) -> bool {
        matches!(self, Self::Number | Self::Condition | Self::IntegerList | Self::Anything | Self::FormulaTable)
    }

    /// The section of the tables that it holds.
    pub fn nested(self) -> Option<&'static str> {
        match self {
            Self::Tables(name)
            | Self::TablesOrIds(name)
            | Self::TablesById(name)
            | Self::TableOf(name)
            | Self::ChoiceOrTable(_, name) => Some(name),
            _ => None,
        }
    }
}

pub(super) const fn optional(name: &'static str, holds: KeyType, about: &'static str) -> KeySpec {
    KeySpec { name, holds, required: false, about, entry_noun: "", own: false, wording: false }
}

pub(super) const fn required(name: &'static str, holds: KeyType, about: &'static str) -> KeySpec {
    KeySpec { required: true, ..optional(name, holds, about) }
}

impl KeySpec {
    pub(super) const fn entry_noun(self, noun: &'static str) -> Self {
        Self { entry_noun: noun, ..self }
    }

    pub(super) const fn own(self) -> Self {
        Self { own: true, ..self }
    }

    pub(super) const fn wording(self) -> Self {
        Self { wording: true, ..self }
    }
}

/// The longest id, in characters.
const MAX_ID_CHARS: usize = 60;
/// Ids of type [`KeyType::Name`], as a regular expression.
pub const NAME_PATTERN: &str = "^[a-z][a-z0-9_]{0,59}$";
/// Ids of type [`KeyType::Id`], as a regular expression.
pub const ID_PATTERN: &str = "^[a-z0-9][a-z0-9_-]{0,59}$";

/// Whether an id matches [`ID_PATTERN`], or without hyphens [`NAME_PATTERN`].
pub fn is_valid_id(id: &str, hyphens: bool) -> bool {
    let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || (hyphens && c == '-');
    let first = |c: char| c.is_ascii_lowercase() || (hyphens && c.is_ascii_digit());
    id.len() <= MAX_ID_CHARS && id.chars().all(good) && id.chars().next().is_some_and(first)
}
