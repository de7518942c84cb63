//! Parses a formula's text into an [`Expr`], or gives the first error. Never looks a name up.

use std::ops::Range;
use std::sync::Arc;

use moldloft_base::source::Span;

use super::FormulaError;
use super::lexer::{self, FormulaTokenKind as Token};
use super::limits::{MAX_NESTING, MAX_TREE_HEIGHT};
use super::syntax::{ArgumentExpr, CompareOp, Expr, ExprKind, Ident, ProductOp, SumOp};

pub(super) fn parse(text: &str, at: Span) -> Result<Expr, FormulaError> {
    let tokens = lexer::tokenize(text, at)?;
    let mut parser = Parser { text, at, tokens, next: 0, nested: 0 };
    if parser.peek() == &Token::End {
        return Err(FormulaError::new("empty-formula", "missing formula", at).help("add a number or a formula"));
    }
    let expr = parser.choice()?;
    match parser.peek() {
        Token::End => Ok(expr),
        _ => Err(parser.misplaced()),
    }
}

struct Parser<'t> {
    text: &'t str,
    at: Span,
    tokens: Vec<lexer::FormulaToken<'t>>,
    next: usize,
    nested: usize,
}

/// How tightly operators bind, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Not,
    Compare,
    Sum,
    Product,
}

const KEYWORDS: [&str; 8] = ["if", "else", "and", "or", "not", "in", "true", "false"];

/// Keywords of other languages, with the equivalent here.
const FOREIGN: [(&str, &str); 16] = [
    ("if", "put the condition after the value: `a if condition else b`"),
    ("is", "use `==`"),
    ("then", "use `a if condition else b`"),
    ("elif", "use `else b if condition else c`"),
    ("for", "there are no loops; use where, column, count or total"),
    ("lambda", "formulas cannot define functions"),
    ("div", "use `//`"),
    ("mod", "use `%`"),
    ("xor", "use `!=`"),
    ("equals", "use `==`"),
    ("AND", "use `and`"),
    ("OR", "use `or`"),
    ("NOT", "use `not`"),
    ("IF", "use `a if condition else b`"),
    ("And", "use `and`"),
    ("Or", "use `or`"),
];

impl<'t> Parser<'t> {
    fn peek(&self) -> &Token<'t> {
        &self.tokens[self.next].kind
    }

    fn span(&self) -> Range<usize> {
        let token = &self.tokens[self.next];
        token.start..token.end
    }

    fn advance(&mut self) {
        self.next = (self.next + 1).min(self.tokens.len() - 1);
    }

    fn end(&self) -> usize {
        self.next.checked_sub(1).map_or(0, |last| self.tokens[last].end)
    }

    fn sign(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Token::Sign(found) if *found == sign);
        if found {
            self.advance();
        }
        found
    }

    fn word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Ident(found) if *found == word);
        if found {
            self.advance();
        }
        found
    }

    fn misplaced(&self) -> FormulaError {
        let span = self.span();
        let at = self.at.subspan(span.clone());
        let written = &self.text[span.clone()];
        match self.peek() {
            Token::End => {
                let last = self.next.checked_sub(1).map(|last| &self.tokens[last]);
                let written = last.map_or("", |last| &self.text[last.start..last.end]);
                let at = last.map_or(at, |last| self.at.subspan(last.start..last.end));
                let help =
                    (written == "%").then(|| "`%` is the remainder; 10 per cent of a is `a * 10 // 100`".to_owned());
                FormulaError::new("not-a-formula", format!("unexpected end after `{written}`"), at).maybe_help(help)
            }
            Token::Sign("=") => {
                FormulaError::new("wrong-sign", "unexpected `=`: it only names arguments of functions", at)
                    .help("use `==` to compare")
            }
            _ => {
                let help = FOREIGN.iter().find(|(word, _)| *word == written).map(|(_, help)| (*help).to_owned());
                let help = help.or_else(|| match self.peek() {
                    Token::Ident(word) if KEYWORDS.contains(word) => None,
                    Token::Ident(_) | Token::Int(_) | Token::Text(_) => {
                        Some("put a sign such as `+` or a word such as `and` between two values".to_owned())
                    }
                    _ => None,
                });
                let short: String = written.chars().take(40).collect();
                FormulaError::new("not-a-formula", format!("unexpected `{short}`"), at).maybe_help(help)
            }
        }
    }

    /// Parses one level deeper; the limit keeps the stack small.
    fn deeper(&mut self, parse: fn(&mut Self) -> Result<Expr, FormulaError>) -> Result<Expr, FormulaError> {
        if self.nested >= MAX_NESTING {
            return Err(self.too_deep(self.span()));
        }
        self.nested += 1;
        let expr = parse(self);
        self.nested -= 1;
        self.bounded(expr?)
    }

    fn too_deep(&self, span: Range<usize>) -> FormulaError {
        FormulaError::new(
            "too-deep",
            format!("brackets or conditions nested more than {MAX_NESTING} deep"),
            self.at.subspan(span),
        )
        .help("move parts of it to values")
    }

    fn bounded(&self, expr: Expr) -> Result<Expr, FormulaError> {
        if expr.height > MAX_TREE_HEIGHT { Err(self.too_deep(expr.span)) } else { Ok(expr) }
    }

    /// `a if condition else b`
    fn choice(&mut self) -> Result<Expr, FormulaError> {
        if let Some(word) = self.lone_word() {
            self.advance();
            return Ok(word);
        }
        let then = self.expression(Level::Or)?;
        if !self.word("if") {
            return Ok(then);
        }
        let start = then.span.start;
        let condition = self.expression(Level::Or)?;
        if !self.word("else") {
            let at = self.at.subspan(start..self.end());
            return Err(FormulaError::new("not-a-formula", "`if` without `else`", at)
                .help("add the other value: `a if condition else b`"));
        }
        let otherwise = self.deeper(Self::choice)?;
        let span = start..self.end();
        self.bounded(Expr::new(ExprKind::If(Box::new([then, condition, otherwise])), span))
    }

    /// A number, text or name that is the whole of an expression: most are, and need not go down through all signs.
    fn lone_word(&self) -> Option<Expr> {
        let next = self.tokens.get(self.next + 1)?;
        if !matches!(next.kind, Token::End | Token::Sign("," | ")" | "]")) {
            return None;
        }
        let span = self.span();
        let kind = match self.peek() {
            Token::Int(number) => ExprKind::Int(*number),
            Token::Text(text) => ExprKind::Text(Arc::from(&**text)),
            Token::Ident(word) if !KEYWORDS.contains(word) => {
                ExprKind::Path(vec![Ident { text: Arc::from(*word), span: span.clone() }])
            }
            _ => return None,
        };
        Some(Expr::new(kind, span))
    }

    /// Operators that bind at least so tightly.
    fn expression(&mut self, least: Level) -> Result<Expr, FormulaError> {
        let start = self.span().start;
        let mut expr = if least <= Level::Not && self.word("not") {
            let inner = self.deeper(|parser| parser.expression(Level::Not))?;
            Expr::new(ExprKind::Not(Box::new(inner)), start..self.end())
        } else {
            self.minus()?
        };
        while let Some(level) = self.level().filter(|level| *level >= least) {
            expr = match level {
                Level::Or => Expr::or(self.items(expr, "or", Level::And)?, start..self.end()),
                Level::And => Expr::and(self.items(expr, "and", Level::Not)?, start..self.end()),
                Level::Not | Level::Compare => {
                    let rest = self.rest(Self::relation, |parser| parser.expression(Level::Sum))?;
                    Expr::new(ExprKind::Compare(Box::new(expr), rest), start..self.end())
                }
                Level::Sum => {
                    let rest = self.rest(Self::sum_sign, |parser| parser.expression(Level::Product))?;
                    Expr::sum(expr, rest, start..self.end())
                }
                Level::Product => {
                    let rest = self.rest(Self::product_sign, Self::minus)?;
                    Expr::product(expr, rest, start..self.end())
                }
            };
            expr = self.bounded(expr)?;
        }
        Ok(expr)
    }

    /// Of the operator that comes next.
    fn level(&self) -> Option<Level> {
        Some(match self.peek() {
            Token::Ident("or") => Level::Or,
            Token::Ident("and") => Level::And,
            Token::Ident("in") => Level::Compare,
            Token::Ident("not") if self.is_not_in() => Level::Compare,
            Token::Sign("+" | "-") => Level::Sum,
            Token::Sign("*" | "//" | "%") => Level::Product,
            Token::Sign("==" | "!=" | "<" | "<=" | ">" | ">=") => Level::Compare,
            _ => return None,
        })
    }

    fn is_not_in(&self) -> bool {
        self.tokens.get(self.next + 1).is_some_and(|token| token.kind == Token::Ident("in"))
    }

    fn items(&mut self, first: Expr, word: &str, level: Level) -> Result<Vec<Expr>, FormulaError> {
        let mut items = vec![first];
        while self.word(word) {
            items.push(self.expression(level)?);
        }
        Ok(items)
    }

    fn rest<O>(
        &mut self,
        sign: fn(&mut Self) -> Option<O>,
        item: fn(&mut Self) -> Result<Expr, FormulaError>,
    ) -> Result<Vec<(O, Expr)>, FormulaError> {
        let mut rest = Vec::new();
        while let Some(sign) = sign(self) {
            rest.push((sign, item(self)?));
        }
        Ok(rest)
    }

    fn relation(&mut self) -> Option<CompareOp> {
        let relation = match self.peek() {
            Token::Sign("==") => CompareOp::Equal,
            Token::Sign("!=") => CompareOp::NotEqual,
            Token::Sign("<") => CompareOp::Less,
            Token::Sign("<=") => CompareOp::LessEqual,
            Token::Sign(">") => CompareOp::Greater,
            Token::Sign(">=") => CompareOp::GreaterEqual,
            Token::Ident("in") => CompareOp::In,
            Token::Ident("not") if self.is_not_in() => {
                self.advance();
                CompareOp::NotIn
            }
            _ => return None,
        };
        self.advance();
        Some(relation)
    }

    fn sum_sign(&mut self) -> Option<SumOp> {
        let sign = match self.peek() {
            Token::Sign("+") => SumOp::Add,
            Token::Sign("-") => SumOp::Subtract,
            _ => return None,
        };
        self.advance();
        Some(sign)
    }

    fn product_sign(&mut self) -> Option<ProductOp> {
        let sign = match self.peek() {
            Token::Sign("*") => ProductOp::Multiply,
            Token::Sign("//") => ProductOp::FloorDivide,
            Token::Sign("%") => ProductOp::Remainder,
            _ => return None,
        };
        self.advance();
        Some(sign)
    }

    fn minus(&mut self) -> Result<Expr, FormulaError> {
        let start = self.span().start;
        if !self.sign("-") {
            return self.postfix();
        }
        let inner = self.deeper(Self::minus)?;
        Ok(Expr::new(ExprKind::Negate(Box::new(inner)), start..self.end()))
    }

    fn postfix(&mut self) -> Result<Expr, FormulaError> {
        let start = self.span().start;
        let mut expr = self.atom()?;
        loop {
            let open = self.span();
            if self.sign(".") {
                let name = self.name()?;
                expr = Expr::field(expr, name, start..self.end());
            } else if self.sign("[") {
                let index = self.deeper(Self::choice)?;
                if matches!(self.peek(), Token::Sign("," | ".") | Token::Sign("=")) {
                    return Err(self.misplaced());
                }
                self.close("]", &open)?;
                expr = Expr::new(ExprKind::Index(Box::new(expr), Box::new(index)), start..self.end());
            } else if matches!(self.peek(), Token::Sign("("))
                && let ExprKind::Path(words) = &expr.kind
                && let [whose, function] = words.as_slice()
                && &*whose.text == "target"
            {
                let text = format!("{}.{}", whose.text, function.text).into();
                expr = self.call(Ident { text, span: expr.span.clone() })?;
            } else if matches!(self.peek(), Token::Sign("(")) {
                let at = self.at.subspan(start..open.end);
                return Err(FormulaError::new("not-a-formula", "expected the name of a function before `(`", at)
                    .help("put the function first: length(x), not x.length()"));
            } else {
                return Ok(expr);
            }
            expr = self.bounded(expr)?;
        }
    }

    fn name(&mut self) -> Result<Ident, FormulaError> {
        let span = self.span();
        match *self.peek() {
            Token::Ident(word) => {
                self.advance();
                Ok(Ident { text: Arc::from(word), span })
            }
            _ => Err(self.misplaced()),
        }
    }

    fn close(&mut self, sign: &str, open: &Range<usize>) -> Result<(), FormulaError> {
        if self.sign(sign) {
            return Ok(());
        }
        if self.peek() == &Token::End {
            let opened = &self.text[open.clone()];
            return Err(FormulaError::new(
                "not-a-formula",
                format!("unclosed `{opened}`"),
                self.at.subspan(open.clone()),
            )
            .help(format!("add `{sign}`")));
        }
        Err(self.misplaced())
    }

    fn atom(&mut self) -> Result<Expr, FormulaError> {
        let span = self.span();
        let kind = match self.peek() {
            Token::Int(number) => ExprKind::Int(*number),
            Token::Text(text) => ExprKind::Text(Arc::from(&**text)),
            Token::Ident("true") => ExprKind::Flag(true),
            Token::Ident("false") => ExprKind::Flag(false),
            Token::Ident("not") => {
                return Err(FormulaError::new("not-a-formula", "unexpected `not`", self.at.subspan(span))
                    .help("add brackets around it: (not x)"));
            }
            Token::Ident(word) if KEYWORDS.contains(word) => return Err(self.misplaced()),
            Token::Ident(word) => {
                let word = Ident { text: Arc::from(*word), span: span.clone() };
                self.advance();
                if matches!(self.peek(), Token::Sign("(")) {
                    return self.call(word);
                }
                return Ok(Expr::new(ExprKind::Path(vec![word]), span));
            }
            Token::Sign("(") => {
                self.advance();
                let inner = self.deeper(Self::choice)?;
                if matches!(self.peek(), Token::Sign(",")) {
                    return Err(self.misplaced().help("use [1, 2, 3] for a list"));
                }
                self.close(")", &span)?;
                return Ok(Expr { span: span.start..self.end(), ..inner });
            }
            Token::Sign("[") => {
                self.advance();
                let mut items = Vec::new();
                while !matches!(self.peek(), Token::Sign("]")) {
                    items.push(self.deeper(Self::choice)?);
                    if !self.sign(",") {
                        break;
                    }
                }
                self.close("]", &span)?;
                return self.bounded(Expr::new(ExprKind::List(items), span.start..self.end()));
            }
            Token::Sign("+") => return Err(self.misplaced().help("remove it: numbers are positive without a sign")),
            Token::Sign(_) | Token::End => return Err(self.misplaced()),
        };
        self.advance();
        Ok(Expr::new(kind, span))
    }

    fn call(&mut self, function: Ident) -> Result<Expr, FormulaError> {
        let open = self.span();
        self.advance();
        let mut given: Vec<ArgumentExpr> = Vec::new();
        while !matches!(self.peek(), Token::Sign(")")) {
            let named = matches!(self.peek(), Token::Ident(word) if !KEYWORDS.contains(word))
                && self.tokens.get(self.next + 1).is_some_and(|token| token.kind == Token::Sign("="));
            let name = if named {
                let name = self.name()?;
                self.advance();
                Some(name)
            } else {
                None
            };
            if let Some(name) = &name
                && given.iter().any(|before| before.name.as_ref() == Some(name))
            {
                let at = self.at.subspan(name.span.clone());
                return Err(FormulaError::new("unknown-argument", format!("duplicate argument `{}`", name.text), at));
            }
            let value = self.deeper(Self::choice)?;
            if name.is_none() && given.iter().any(|before| before.name.is_some()) {
                let at = self.at.subspan(value.span);
                return Err(FormulaError::new("not-a-formula", "positional argument after a named one", at)
                    .help("put positional arguments first"));
            }
            given.push(ArgumentExpr { name, value });
            if !self.sign(",") {
                break;
            }
        }
        self.close(")", &open)?;
        let span = function.span.start..self.end();
        self.bounded(Expr::new(ExprKind::Call(function, given), span))
    }
}
