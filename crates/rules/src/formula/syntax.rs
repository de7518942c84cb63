//! A formula's tree as written, with unresolved names. Constructors normalise it (`a + b - c` is one sum, however
//! bracketed on the left), so that printing and parsing gives the same tree.

use std::ops::Range;
use std::sync::Arc;

use super::Value;

#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub kind: ExprKind,
    pub span: Range<usize>,
    pub height: u16,
}

/// Places are ignored.
impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

#[derive(Clone, Debug)]
pub(super) struct Ident {
    pub text: Arc<str>,
    pub span: Range<usize>,
}

impl PartialEq for Ident {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum ExprKind {
    Int(i64),
    Text(Arc<str>),
    Flag(bool),
    /// `choice.nation.discount`
    Path(Vec<Ident>),
    Field(Box<Expr>, Ident),
    Index(Box<Expr>, Box<Expr>),
    Call(Ident, Vec<ArgumentExpr>),
    List(Vec<Expr>),
    Negate(Box<Expr>),
    Not(Box<Expr>),
    Sum(Box<Expr>, Vec<(SumOp, Expr)>),
    Product(Box<Expr>, Vec<(ProductOp, Expr)>),
    Compare(Box<Expr>, Vec<(CompareOp, Expr)>),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    /// then, condition, otherwise: in source order
    If(Box<[Expr; 3]>),
    /// A value that a trace substituted; never parsed.
    Substituted(Value),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct ArgumentExpr {
    pub name: Option<Ident>,
    pub value: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SumOp {
    Add,
    Subtract,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProductOp {
    Multiply,
    FloorDivide,
    Remainder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CompareOp {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    NotIn,
}

impl SumOp {
    pub fn sign(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
        }
    }
}

impl ProductOp {
    pub fn sign(self) -> &'static str {
        match self {
            Self::Multiply => "*",
            Self::FloorDivide => "//",
            Self::Remainder => "%",
        }
    }
}

impl CompareOp {
    pub fn sign(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::In => "in",
            Self::NotIn => "not in",
        }
    }
}

impl Expr {
    pub fn new(kind: ExprKind, span: Range<usize>) -> Self {
        let tallest = |items: &mut dyn Iterator<Item = &Expr>| items.map(|item| item.height).max().unwrap_or(0);
        let below = match &kind {
            ExprKind::Int(_) | ExprKind::Text(_) | ExprKind::Flag(_) | ExprKind::Substituted(_) => 0,
            // Each word beyond the scope's part may be a level of its own.
            ExprKind::Path(words) => u16::try_from(words.len()).unwrap_or(u16::MAX),
            ExprKind::Field(inner, _) | ExprKind::Negate(inner) | ExprKind::Not(inner) => inner.height,
            ExprKind::Index(list, index) => list.height.max(index.height),
            ExprKind::Call(_, given) => tallest(&mut given.iter().map(|given| &given.value)),
            ExprKind::List(items) | ExprKind::And(items) | ExprKind::Or(items) => tallest(&mut items.iter()),
            ExprKind::Sum(first, rest) => first.height.max(tallest(&mut rest.iter().map(|(_, item)| item))),
            ExprKind::Product(first, rest) => first.height.max(tallest(&mut rest.iter().map(|(_, item)| item))),
            ExprKind::Compare(first, rest) => first.height.max(tallest(&mut rest.iter().map(|(_, item)| item))),
            ExprKind::If(parts) => tallest(&mut parts.iter()),
        };
        Self { kind, span, height: below.saturating_add(1) }
    }

    pub fn sum(first: Self, mut rest: Vec<(SumOp, Self)>, span: Range<usize>) -> Self {
        match first.kind {
            _ if rest.is_empty() => first,
            ExprKind::Sum(first, mut before) => {
                before.append(&mut rest);
                Self::new(ExprKind::Sum(first, before), span)
            }
            _ => Self::new(ExprKind::Sum(Box::new(first), rest), span),
        }
    }

    pub fn product(first: Self, mut rest: Vec<(ProductOp, Self)>, span: Range<usize>) -> Self {
        match first.kind {
            _ if rest.is_empty() => first,
            ExprKind::Product(first, mut before) => {
                before.append(&mut rest);
                Self::new(ExprKind::Product(first, before), span)
            }
            _ => Self::new(ExprKind::Product(Box::new(first), rest), span),
        }
    }

    /// `a and b …`; a single item is returned itself.
    pub fn and(items: Vec<Self>, span: Range<usize>) -> Self {
        Self::joined(items, span, ExprKind::And, |kind| match kind {
            ExprKind::And(inner) => Ok(inner),
            other => Err(other),
        })
    }

    /// `a or b …`; a single item is returned itself.
    pub fn or(items: Vec<Self>, span: Range<usize>) -> Self {
        Self::joined(items, span, ExprKind::Or, |kind| match kind {
            ExprKind::Or(inner) => Ok(inner),
            other => Err(other),
        })
    }

    fn joined(
        mut items: Vec<Self>,
        span: Range<usize>,
        kind: fn(Vec<Self>) -> ExprKind,
        open: fn(ExprKind) -> Result<Vec<Self>, ExprKind>,
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

    pub fn field(inner: Self, name: Ident, span: Range<usize>) -> Self {
        match inner.kind {
            ExprKind::Path(mut words) => {
                words.push(name);
                Self::new(ExprKind::Path(words), span)
            }
            kind => Self::new(ExprKind::Field(Box::new(Self { kind, ..inner }), name), span),
        }
    }

    /// The value of a literal, such as `3`, `'laser'` or `[1, 2]`.
    pub fn literal(&self) -> Option<Value> {
        Some(match &self.kind {
            ExprKind::Int(number) => Value::Int(*number),
            ExprKind::Text(text) => Value::Text(text.clone()),
            ExprKind::Flag(flag) => Value::Flag(*flag),
            ExprKind::Negate(inner) => match inner.literal()? {
                Value::Int(number) => Value::Int(-number),
                _ => return None,
            },
            ExprKind::List(items) => Value::List(items.iter().map(Self::literal).collect::<Option<_>>()?),
            _ => return None,
        })
    }
}
