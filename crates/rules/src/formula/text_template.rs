//! Text with `{{ expression }}` parts, for messages, labels and template slots: compiles it and gives the text with its
//! values.

use std::fmt;
use std::sync::Arc;

use moldloft_base::source::Span;
use moldloft_base::words::Words;

use super::limits::{MAX_RESULT_BYTES, MAX_TEXT_BYTES};
use super::{Formula, FormulaError, Host, Scope, Slot, Type};

/// Text with `{{ expression }}` parts; cheap to clone.
#[derive(Clone)]
pub struct TextTemplate {
    pub source: Arc<str>,
    pub at: Span,
    /// Empty for literal text.
    parts: Arc<[TextSegment]>,
}

#[derive(Debug)]
enum TextSegment {
    Literal(Box<str>),
    Slot(Formula),
}

impl fmt::Debug for TextTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Text").field("source", &self.source).field("at", &self.at).finish_non_exhaustive()
    }
}

impl Default for TextTemplate {
    fn default() -> Self {
        Self::literal("", Span::default())
    }
}

impl TextTemplate {
    /// Compiles `text`, which is at `at`.
    ///
    /// # Errors
    /// The first error, with its place in the file.
    pub fn compile(text: &str, at: Span, scope: &dyn Scope) -> Result<Self, FormulaError> {
        if text.len() > MAX_TEXT_BYTES {
            let message = format!("text of {} bytes, at most {MAX_TEXT_BYTES} are allowed", text.len());
            return Err(FormulaError::new("too-long", message, at).help("make it shorter"));
        }
        // Most texts have no expression: to look for two letters together takes much longer.
        if !text.bytes().any(|byte| matches!(byte, b'{' | b'}')) {
            return Ok(Self::literal(text, at));
        }
        let mut parts = Vec::new();
        let mut start = 0;
        while let Some(open) = text[start..].find("{{").map(|open| start + open) {
            plain(&mut parts, text, start..open, at)?;
            let Some(close) = closing(&text[open + 2..]).map(|close| open + 2 + close) else {
                let error = FormulaError::new("unclosed-slot", "unclosed `{{`", at.subspan(open..open + 2));
                return Err(error.help("use {{ expression }} for an expression in text"));
            };
            let inner = open + 2..close;
            if text[inner.clone()].trim().is_empty() {
                let error = FormulaError::new(
                    "empty-formula",
                    "missing expression between `{{` and `}}`",
                    at.subspan(open..close + 2),
                );
                return Err(error.help("add a name or an expression"));
            }
            parts.push(TextSegment::Slot(Formula::compile(
                &text[inner.clone()],
                at.subspan(inner),
                scope,
                &Type::Any,
            )?));
            start = close + 2;
        }
        if parts.is_empty() {
            plain(&mut parts, text, 0..text.len(), at)?;
            return Ok(Self::literal(text, at));
        }
        plain(&mut parts, text, start..text.len(), at)?;
        Ok(Self { source: Arc::from(text), at, parts: parts.into() })
    }

    /// Text used verbatim, even with `{{`.
    pub fn literal(text: &str, at: Span) -> Self {
        Self { source: Arc::from(text), at, parts: Arc::from([]) }
    }

    /// The text with its values put in; `None` when one of them is null. Numbers print plain with `-`, flags as yes or no, lists
    /// joined with `, `, records as `name: value`.
    ///
    /// # Errors
    /// As [`Formula::eval`].
    pub fn eval(&self, host: &dyn Host) -> Result<Option<String>, FormulaError> {
        if let Some(text) = self.is_literal() {
            return Ok(Some(text.to_owned()));
        }
        let mut out = String::new();
        for part in self.parts.iter() {
            match part {
                TextSegment::Literal(text) => out.push_str(text),
                TextSegment::Slot(formula) => {
                    if !formula.eval(host)?.write_display(&mut out, MAX_RESULT_BYTES) {
                        return Ok(None);
                    }
                    if out.len() > MAX_RESULT_BYTES {
                        let error = FormulaError::new("too-long", "this text is too long", formula.at);
                        return Err(error.help("show fewer items"));
                    }
                }
            }
        }
        Ok(Some(out))
    }

    /// What is looked up of it in another language: its words with its values as holes, `page {1} of {2}`.
    pub fn words_key(&self) -> String {
        if let Some(text) = self.is_literal() {
            return text.to_owned();
        }
        let mut holes = 0;
        let part = |part: &TextSegment| match part {
            TextSegment::Literal(text) => text.to_string(),
            TextSegment::Slot(_) => {
                holes += 1;
                format!("{{{holes}}}")
            }
        };
        self.parts.iter().map(part).collect()
    }

    /// As [`TextTemplate::eval`] in another language: the words around the values are one entry, `page {1} of {2}`; each value that is
    /// a text is one of its own, unless a player wrote it.
    ///
    /// # Errors
    /// As [`Formula::eval`].
    pub fn eval_in(
        &self,
        words: &Words,
        is_own: &dyn Fn(&str) -> bool,
        host: &dyn Host,
    ) -> Result<Option<String>, FormulaError> {
        if let Some(text) = self.is_literal() {
            return Ok(Some(words.say(text).unwrap_or_else(|| text.to_owned())));
        }
        let (mut values, mut plain) = (Vec::new(), String::new());
        for part in self.parts.iter() {
            match part {
                TextSegment::Literal(text) => plain.push_str(text),
                TextSegment::Slot(formula) => {
                    let mut value = String::new();
                    if !formula.eval(host)?.write_display(&mut value, MAX_RESULT_BYTES) {
                        return Ok(None);
                    }
                    if let Some(said) = words.say_but(&value, is_own) {
                        value = said;
                    }
                    plain.push_str(&value);
                    values.push(value);
                }
            }
            if plain.len() > MAX_RESULT_BYTES {
                return Err(FormulaError::new("too-long", "this text is too long", self.at).help("show fewer items"));
            }
        }
        Ok(Some(words.say_around(&self.words_key(), &values).unwrap_or(plain)))
    }

    /// The whole text, if it has no expression.
    pub fn is_literal(&self) -> Option<&str> {
        self.parts.is_empty().then_some(&*self.source)
    }

    /// Whether it gives a text whatever its names are, as long as work is left; false where that is not known.
    pub fn never_fails(&self) -> bool {
        let is_short = |formula: &Formula| matches!(formula.ty, Type::Int | Type::Flag);
        self.source.len() < MAX_RESULT_BYTES / 16
            && self.formulas().all(|formula| formula.never_fails() && is_short(formula))
    }

    pub fn formulas(&self) -> impl Iterator<Item = &Formula> + '_ {
        self.parts.iter().filter_map(|part| match part {
            TextSegment::Slot(formula) => Some(formula),
            TextSegment::Literal(_) => None,
        })
    }

    /// Each slot once.
    pub fn reads(&self) -> impl Iterator<Item = Slot> + '_ {
        unique(self.formulas().flat_map(Formula::reads))
    }

    /// Each bound call once.
    pub fn calls(&self) -> impl Iterator<Item = u32> + '_ {
        unique(self.formulas().flat_map(Formula::calls))
    }
}

fn unique(numbers: impl Iterator<Item = u32>) -> impl Iterator<Item = u32> {
    let mut seen = Vec::new();
    numbers.filter(move |number| {
        let new = !seen.contains(number);
        if new {
            seen.push(*number);
        }
        new
    })
}

fn plain(
    parts: &mut Vec<TextSegment>,
    text: &str,
    range: std::ops::Range<usize>,
    at: Span,
) -> Result<(), FormulaError> {
    if let Some(stray) = text[range.clone()].find("}}").map(|stray| range.start + stray) {
        let error = FormulaError::new("unclosed-slot", "unexpected `}}` without `{{`", at.subspan(stray..stray + 2));
        return Err(error.help("use {{ expression }} for an expression in text"));
    }
    if !range.is_empty() {
        parts.push(TextSegment::Literal(text[range].into()));
    }
    Ok(())
}

/// Position of the `}}` that ends an expression, ignoring quoted text.
fn closing(text: &str) -> Option<usize> {
    let (mut quote, mut escaped) = (None, false);
    for (place, c) in text.char_indices() {
        match quote {
            Some(mark) => {
                if c == mark && !escaped {
                    quote = None;
                }
                escaped = c == '\\' && !escaped;
            }
            None if c == '\'' || c == '"' => quote = Some(c),
            None if text[place..].starts_with("}}") => return Some(place),
            None if text[place..].starts_with("{{") => return None,
            None => {}
        }
    }
    None
}
