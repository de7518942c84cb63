//! TOML as a tree in file order, with a span for every key and value.

use std::borrow::Cow;

use super::Span;

#[derive(Clone, Debug)]
pub struct TomlNode<'a> {
    /// Including a string's quotes.
    pub span: Span,
    pub data: TomlValue<'a>,
}

/// A TOML value. Dates stay text.
#[derive(Clone, Debug)]
pub enum TomlValue<'a> {
    /// An integer within 64 bits.
    Int(i64),
    /// Any other number, as written.
    Float(Cow<'a, str>),
    Flag(bool),
    Text(Cow<'a, str>),
    /// As written.
    Date(String),
    List(Vec<TomlNode<'a>>),
    Table(TomlTable<'a>),
}

impl TomlValue<'_> {
    /// For messages: `a number`, `text`.
    pub fn type_name(&self) -> &'static str {
        match self {
            TomlValue::Int(_) => "a whole number",
            TomlValue::Float(_) => "a number with a fraction",
            TomlValue::Flag(_) => "true or false",
            TomlValue::Text(_) => "text",
            TomlValue::Date(_) => "a date",
            TomlValue::List(_) => "a list",
            TomlValue::Table(_) => "a table",
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct TomlTable<'a> {
    pub span: Span,
    pub entries: Vec<TomlEntry<'a>>,
}

#[derive(Clone, Debug)]
pub struct TomlEntry<'a> {
    pub key: Cow<'a, str>,
    pub span: Span,
    pub node: TomlNode<'a>,
}

impl TomlNode<'_> {
    pub fn into_owned(self) -> TomlNode<'static> {
        TomlNode { span: self.span, data: self.data.into_owned() }
    }
}

impl TomlValue<'_> {
    pub fn into_owned(self) -> TomlValue<'static> {
        match self {
            TomlValue::Int(number) => TomlValue::Int(number),
            TomlValue::Float(text) => TomlValue::Float(Cow::Owned(text.into_owned())),
            TomlValue::Flag(flag) => TomlValue::Flag(flag),
            TomlValue::Text(text) => TomlValue::Text(Cow::Owned(text.into_owned())),
            TomlValue::Date(date) => TomlValue::Date(date),
            TomlValue::List(list) => TomlValue::List(list.into_iter().map(TomlNode::into_owned).collect()),
            TomlValue::Table(table) => TomlValue::Table(table.into_owned()),
        }
    }
}

impl TomlEntry<'_> {
    pub fn into_owned(self) -> TomlEntry<'static> {
        TomlEntry { key: Cow::Owned(self.key.into_owned()), span: self.span, node: self.node.into_owned() }
    }
}

impl TomlTable<'_> {
    pub fn into_owned(self) -> TomlTable<'static> {
        TomlTable { span: self.span, entries: self.entries.into_iter().map(TomlEntry::into_owned).collect() }
    }
}

impl<'a> TomlNode<'a> {
    pub fn as_text(&self) -> Option<&str> {
        if let TomlValue::Text(text) = &self.data { Some(text) } else { None }
    }

    pub fn as_table(&self) -> Option<&TomlTable<'a>> {
        if let TomlValue::Table(table) = &self.data { Some(table) } else { None }
    }

    pub fn as_list(&self) -> Option<&[TomlNode<'a>]> {
        if let TomlValue::List(list) = &self.data { Some(list) } else { None }
    }

    /// Whether two values are equal, wherever they are; the order of a table's keys counts.
    pub fn has_same_value(&self, other: &TomlNode<'_>) -> bool {
        self.is_same(other, false)
    }

    fn is_same(&self, other: &TomlNode<'_>, in_any_order: bool) -> bool {
        match (&self.data, &other.data) {
            (TomlValue::Int(a), TomlValue::Int(b)) => a == b,
            (TomlValue::Flag(a), TomlValue::Flag(b)) => a == b,
            (TomlValue::Float(a), TomlValue::Float(b)) | (TomlValue::Text(a), TomlValue::Text(b)) => a == b,
            (TomlValue::Date(a), TomlValue::Date(b)) => a == b,
            (TomlValue::List(a), TomlValue::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_same(b, in_any_order))
            }
            (TomlValue::Table(a), TomlValue::Table(b)) => a.has_same_entries(b, in_any_order),
            _ => false,
        }
    }

    /// The text under a key of a table.
    pub fn text_at(&self, key: &str) -> Option<&str> {
        self.as_table()?.text(key)
    }
}

impl<'a> TomlTable<'a> {
    /// The text under a key.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_text()
    }

    /// The table under a key.
    pub fn table(&self, key: &str) -> Option<&TomlTable<'a>> {
        self.get(key)?.as_table()
    }

    /// The list under a key; empty when there is none.
    pub fn list(&self, key: &str) -> &[TomlNode<'a>] {
        self.get(key).and_then(TomlNode::as_list).unwrap_or_default()
    }

    /// Whether two tables have equal keys and values.
    pub fn has_same_entries(&self, other: &TomlTable<'_>, in_any_order: bool) -> bool {
        let same = |(place, entry): (usize, &TomlEntry<'_>)| {
            let next = || other.entries.get(place).filter(|other| other.key == entry.key).map(|other| &other.node);
            let found = if in_any_order { other.get(&entry.key) } else { next() };
            found.is_some_and(|node| entry.node.is_same(node, in_any_order))
        };
        self.entries.len() == other.entries.len() && self.entries.iter().enumerate().all(same)
    }

    /// A key with its value, to change it.
    pub fn entry_mut(&mut self, key: &str) -> Option<&mut TomlEntry<'a>> {
        self.entries.iter_mut().find(|entry| entry.key == key)
    }

    /// The list under a key, to change it.
    pub fn list_mut(&mut self, key: &str) -> Option<&mut Vec<TomlNode<'a>>> {
        match &mut self.entry_mut(key)?.node.data {
            TomlValue::List(list) => Some(list),
            _ => None,
        }
    }

    /// Removes a key.
    pub fn take(&mut self, key: &str) -> Option<TomlEntry<'a>> {
        self.entries.iter().position(|entry| entry.key == key).map(|n| self.entries.remove(n))
    }

    pub fn get(&self, key: &str) -> Option<&TomlNode<'a>> {
        let found = self.entries.iter().position(|entry| entry.key == key);
        crate::allowance::count_work(found.map_or(self.entries.len(), |place| place + 1));
        found.map(|place| &self.entries[place].node)
    }
}
