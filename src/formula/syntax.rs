//! A formula's tree as written: names not yet looked up. Constructors keep it in one form (`a + b - c` is one sum, however
//! bracketed on the left), so that printing and parsing again gives the same tree.

use std::ops::Range;
use std::sync::Arc;

use super::Value;

/// An expression with its place in the formula's text.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub kind: Kind,
    pub span: Range<usize>,
    /// Levels of the tree below and with this one.
    pub height: u16,
}

/// Two expressions are equal when they say the same, wherever they stand.
impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

/// A name with its place.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub text: Arc<str>,
    pub span: Range<usize>,
}

impl PartialEq for Word {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Int(i64),
    Text(Arc<str>),
    Flag(bool),
    /// `choice.nation.discount`
    Path(Vec<Word>),
    Field(Box<Expr>, Word),
    Index(Box<Expr>, Box<Expr>),
    Call(Word, Vec<Given>),
    List(Vec<Expr>),
    Minus(Box<Expr>),
    Not(Box<Expr>),
    Sum(Box<Expr>, Vec<(Plus, Expr)>),
    Product(Box<Expr>, Vec<(Times, Expr)>),
    Compare(Box<Expr>, Vec<(Relation, Expr)>),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    /// then, condition, otherwise: in the order they are written
    If(Box<[Expr; 3]>),
    /// A value that a trace put in place of a name; never parsed.
    Put(Value),
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Given {
    pub name: Option<Word>,
    pub value: Expr,
}

/// `+` or `-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plus {
    Plus,
    Minus,
}

/// `*`, `//` or `%`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Times {
    By,
    Floor,
    Rest,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Equal,
    Unequal,
    Less,
    LessEqual,
    More,
    MoreEqual,
    In,
    NotIn,
}

impl Plus {
    pub fn sign(self) -> &'static str {
        match self {
            Self::Plus => "+",
            Self::Minus => "-",
        }
    }
}

impl Times {
    pub fn sign(self) -> &'static str {
        match self {
            Self::By => "*",
            Self::Floor => "//",
            Self::Rest => "%",
        }
    }
}

impl Relation {
    pub fn sign(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::Unequal => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::More => ">",
            Self::MoreEqual => ">=",
            Self::In => "in",
            Self::NotIn => "not in",
        }
    }
}

impl Expr {
    /// An expression of this kind. Sums, products, `and`, `or` and fields have constructors of their own.
    pub fn new(kind: Kind, span: Range<usize>) -> Self {
        let tallest = |items: &mut dyn Iterator<Item = &Expr>| items.map(|item| item.height).max().unwrap_or(0);
        let below = match &kind {
            Kind::Int(_) | Kind::Text(_) | Kind::Flag(_) | Kind::Put(_) => 0,
            // Each word beyond what the scope answers for is a level of its own.
            Kind::Path(words) => u16::try_from(words.len()).unwrap_or(u16::MAX),
            Kind::Field(inner, _) | Kind::Minus(inner) | Kind::Not(inner) => inner.height,
            Kind::Index(list, index) => list.height.max(index.height),
            Kind::Call(_, given) => tallest(&mut given.iter().map(|given| &given.value)),
            Kind::List(items) | Kind::And(items) | Kind::Or(items) => tallest(&mut items.iter()),
            Kind::Sum(first, rest) => first.height.max(tallest(&mut rest.iter().map(|(_, item)| item))),
            Kind::Product(first, rest) => first.height.max(tallest(&mut rest.iter().map(|(_, item)| item))),
            Kind::Compare(first, rest) => first.height.max(tallest(&mut rest.iter().map(|(_, item)| item))),
            Kind::If(parts) => tallest(&mut parts.iter()),
        };
        Self { kind, span, height: below.saturating_add(1) }
    }

    /// `first + a - b …`
    pub fn sum(first: Self, mut rest: Vec<(Plus, Self)>, span: Range<usize>) -> Self {
        match first.kind {
            _ if rest.is_empty() => first,
            Kind::Sum(first, mut before) => {
                before.append(&mut rest);
                Self::new(Kind::Sum(first, before), span)
            }
            _ => Self::new(Kind::Sum(Box::new(first), rest), span),
        }
    }

    /// `first * a // b …`
    pub fn product(first: Self, mut rest: Vec<(Times, Self)>, span: Range<usize>) -> Self {
        match first.kind {
            _ if rest.is_empty() => first,
            Kind::Product(first, mut before) => {
                before.append(&mut rest);
                Self::new(Kind::Product(first, before), span)
            }
            _ => Self::new(Kind::Product(Box::new(first), rest), span),
        }
    }

    /// `a and b …`, or the one item itself.
    pub fn and(items: Vec<Self>, span: Range<usize>) -> Self {
        Self::joined(items, span, Kind::And, |kind| match kind {
            Kind::And(inner) => Ok(inner),
            other => Err(other),
        })
    }

    /// `a or b …`, or the one item itself.
    pub fn or(items: Vec<Self>, span: Range<usize>) -> Self {
        Self::joined(items, span, Kind::Or, |kind| match kind {
            Kind::Or(inner) => Ok(inner),
            other => Err(other),
        })
    }

    fn joined(
        mut items: Vec<Self>,
        span: Range<usize>,
        kind: fn(Vec<Self>) -> Kind,
        open: fn(Kind) -> Result<Vec<Self>, Kind>,
    ) -> Self {
        if items.len() == 1 {
            return items.remove(0);
        }
        let mut flat = Vec::with_capacity(items.len());
        for item in items {
            match open(item.kind) {
                Ok(mut inner) => flat.append(&mut inner),
                Err(kind) => flat.push(Self { kind, span: item.span, height: item.height }),
            }
        }
        Self::new(kind(flat), span)
    }

    /// `inner.name`: a longer path where `inner` is one.
    pub fn field(inner: Self, name: Word, span: Range<usize>) -> Self {
        match inner.kind {
            Kind::Path(mut words) => {
                words.push(name);
                Self::new(Kind::Path(words), span)
            }
            kind => Self::new(Kind::Field(Box::new(Self { kind, ..inner }), name), span),
        }
    }
}
