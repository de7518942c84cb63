//! What layers said, statement by statement: takes each as it is laid, gives what it replaced, whether it is in force, and where
//! what it spoke of was. The one place that knows how a layer is named.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::source::toml::{Data, Table};
use crate::source::{Source, Span};

use super::aside::LeftOut;
use super::base::Grounds;
use super::soften::Softened;
use super::{LISTS, named};
use crate::ruleset::model::Layer;
use crate::ruleset::reader::{Problems, brief};

/// What a statement does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// A new thing, or a new key of one.
    Added,
    /// Another value.
    Changed,
    /// Takes something out.
    Removed,
}

/// The smallest thing a layer says, which is in force or not as a whole.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    /// Its key, or the start of a new thing.
    pub span: Span,
    /// All of it.
    pub all: Span,
    /// What it does.
    pub sort: Sort,
    /// `system`.
    pub word: Arc<str>,
    /// `laser`.
    pub id: Arc<str>,
    /// What stood there before.
    pub before: Option<Span>,
    /// Why, as the layer says.
    pub reason: Option<Arc<str>>,
    /// Of what is within another thing, such as an option of a field: that thing.
    pub within: Option<Arc<str>>,
}

/// Of what a statement speaks.
#[derive(Clone, Debug)]
pub(super) struct At {
    pub word: Arc<str>,
    pub id: Arc<str>,
    pub before: Option<Span>,
    pub reason: Option<Arc<str>>,
    pub within: Option<Arc<str>>,
}

impl At {
    pub(super) fn new(word: &str, id: &str) -> Self {
        Self { word: word.into(), id: id.into(), before: None, reason: None, within: None }
    }

    /// Something within this thing, for the same reason if it has none of its own.
    pub(super) fn inner(&self, word: &str, id: &str, reason: Option<Arc<str>>) -> Self {
        let reason = reason.or_else(|| self.reason.clone());
        Self { word: word.into(), id: id.into(), before: None, reason, within: Some(self.id.clone()) }
    }

    pub(super) fn before(&self, span: Span) -> Self {
        Self { before: Some(span), ..self.clone() }
    }
}

/// All that layers said of a ruleset.
pub(crate) struct Laid<'l> {
    pub problems: &'l Problems<'l>,
    pub sources: &'l [Source],
    left_out: &'l LeftOut,
    /// The layers that each file extends, by number, near and far.
    knows: Vec<BTreeSet<u16>>,
    statements: RefCell<Vec<Statement>>,
    softened: RefCell<Vec<Softened>>,
    wrong: RefCell<BTreeMap<u16, usize>>,
    grounds: RefCell<Grounds>,
    /// The things of the ruleset that extends none.
    base: BTreeSet<(&'static str, String)>,
}

impl<'l> Laid<'l> {
    pub(crate) fn new(
        sources: &'l [Source],
        problems: &'l Problems<'l>,
        left_out: &'l LeftOut,
        knows: Vec<BTreeSet<u16>>,
    ) -> Self {
        Self {
            problems,
            sources,
            left_out,
            knows,
            statements: RefCell::default(),
            softened: RefCell::default(),
            wrong: RefCell::default(),
            grounds: RefCell::default(),
            base: BTreeSet::new(),
        }
    }

    /// Remembers the things of the ruleset that extends none.
    pub(crate) fn base(&mut self, root: &Table<'_>) {
        for (word, key) in LISTS {
            if let Some(Data::List(list)) = root.get(word).map(|node| &node.data) {
                self.base.extend(list.iter().filter_map(|node| Some((word, named(node, key)?.to_owned()))));
            }
        }
    }

    /// Looks which keys hold formulas in what is laid together next.
    pub(super) fn look(&self, trees: &[&Table<'_>]) {
        self.grounds.replace(Grounds::of(trees));
    }

    /// Whether a string under a key is a formula that may say `base`.
    pub(super) fn formula(&self, word: &str, key: &str) -> bool {
        self.grounds.borrow().formula(word, key)
    }

    pub(super) fn base_has(&self, word: &'static str, id: &str) -> bool {
        self.base.contains(&(word, id.to_owned()))
    }

    /// Remembers a statement; false when it was left out.
    pub(super) fn says(&self, span: Span, all: Span, sort: Sort, at: At) -> bool {
        let At { word, id, before, reason, within } = at;
        let statement = Statement { span, all, sort, word, id, before, reason, within };
        let stands = !self.left_out.has(span);
        if stands {
            self.statements.borrow_mut().push(statement);
        }
        stands
    }

    /// Whether no more faults are kept: then nothing need be looked up for a message.
    pub(super) fn is_full(&self) -> bool {
        self.problems.is_full(true)
    }

    /// The hint of [`suggest`](crate::ruleset::reader::suggest), looked for only while faults are kept.
    pub(super) fn suggest<'a>(&self, word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
        if self.is_full() { String::new() } else { crate::ruleset::reader::suggest(word, known) }
    }

    /// Tells of a statement that cannot be carried out: it is set aside.
    pub(super) fn wrong(&self, code: &'static str, span: Span, message: impl Into<String>, help: impl Into<String>) {
        if self.left_out.layer(span.file) {
            return;
        }
        *self.wrong.borrow_mut().entry(span.file).or_default() += 1;
        self.problems.set_aside(code, span, message, help);
    }

    pub(super) fn soften(&self, softened: Softened) {
        let mut all = self.softened.borrow_mut();
        all.retain(|known| known.code != softened.code);
        all.push(softened);
    }

    /// Whether the layer of one file knows of that of another: it extends it, near or far.
    pub(super) fn knows(&self, layer: u16, other: u16) -> bool {
        other == 0 || layer == other || self.knows.get(usize::from(layer)).is_some_and(|all| all.contains(&other))
    }

    /// `rulesets/wars-of-honor.toml:88`.
    pub(super) fn place(&self, span: Span) -> String {
        place(self.sources, span)
    }

    /// Who took a thing out, if a layer did.
    pub(super) fn removed(&self, word: &str, id: &str) -> Option<String> {
        let statements = self.statements.borrow();
        let by = statements
            .iter()
            .find(|one| one.sort == Sort::Removed && *one.word == *word && *one.id == *id && one.before.is_none())?;
        Some(format!("removed by an earlier layer, at {}", self.place(by.span)))
    }

    /// The statements that stand, what they soften, and how many of each file could not be carried out.
    pub(crate) fn into_parts(self) -> (Vec<Statement>, Vec<Softened>, BTreeMap<u16, usize>) {
        (self.statements.into_inner(), self.softened.into_inner(), self.wrong.into_inner())
    }
}

/// `rulesets/wars-of-honor.toml:88`.
pub(crate) fn place(sources: &[Source], span: Span) -> String {
    match sources.get(usize::from(span.file)) {
        Some(source) => format!("{}:{}", source.file, source.line_column(span.start).0),
        None => "?".to_owned(),
    }
}

/// The text of a value, as a player reads it in a line.
pub(crate) fn written(sources: &[Source], span: Span) -> String {
    let text =
        sources.get(usize::from(span.file)).and_then(|source| source.text.get(span.start as usize..span.end as usize));
    let text = text.unwrap_or_default();
    let bare = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    brief(bare)
}

/// Statements by where they stand, so that the one that wrote something is found without going through all.
pub(crate) struct Index {
    /// Places of statements, by file and first byte.
    order: Vec<usize>,
    /// The furthest end, with its file, of a statement and those before it in that order.
    ends: Vec<(u16, u32)>,
}

impl Index {
    pub(crate) fn new(statements: &[Statement]) -> Self {
        let mut order: Vec<usize> = (0..statements.len()).collect();
        order.sort_by_key(|&n| (statements[n].all.file, statements[n].all.start));
        let mut furthest = (0, 0);
        let ends = order.iter().map(|&n| {
            furthest = furthest.max((statements[n].all.file, statements[n].all.end));
            furthest
        });
        Self { ends: ends.collect(), order }
    }

    /// The smallest statement that wrote what stands at a place.
    pub(crate) fn of<'s>(&self, statements: &'s [Statement], span: Span) -> Option<&'s Statement> {
        if span.file == 0 {
            return None;
        }
        let after = self.order.partition_point(|&n| {
            let all = statements[n].all;
            (all.file, all.start) <= (span.file, span.start)
        });
        // Those that begin before it, back to where none reaches so far.
        let before = (0..after).rev().take_while(|&place| self.ends[place] >= (span.file, span.end));
        before
            .map(|place| &statements[self.order[place]])
            .filter(|one| one.all.file == span.file && span.end <= one.all.end)
            .min_by_key(|one| one.all.end - one.all.start)
    }
}

/// The statement that wrote what stands at a place.
fn of(statements: &[Statement], span: Span) -> Option<&Statement> {
    if span.file == 0 {
        return None;
    }
    let holds = |one: &&Statement| one.all.file == span.file && one.all.start <= span.start && span.end <= one.all.end;
    statements.iter().filter(holds).min_by_key(|one| one.all.end - one.all.start)
}

/// `Our lasers 1.0 (woh-lasers, rulesets/woh-lasers.toml:13); base: 10; they hit harder`.
pub(crate) fn told(
    sources: &[Source],
    statements: &[Statement],
    statement: &Statement,
    base: &Layer,
    layers: &[Layer],
) -> String {
    let layer = |file: u16| if file == 0 { Some(base) } else { layers.get(usize::from(file) - 1) };
    let Some(own) = layer(statement.span.file) else { return String::new() };
    let mut text =
        format!("{} {} ({}, {})", brief(&own.title), brief(&own.version), own.id, place(sources, statement.span));
    // Layers over layers: what each made of it, down to the ruleset that extends none.
    let mut before = statement.before;
    for _ in 0..layers.len() {
        match before {
            Some(span) if span.file > 0 => {
                let name = layer(span.file).map_or("", |layer| &*layer.id);
                text.push_str(&format!("; {name}: {}", written(sources, span)));
                before = of(statements, span).and_then(|one| one.before);
            }
            _ => break,
        }
    }
    match before {
        Some(span) => text.push_str(&format!("; base: {}", written(sources, span))),
        None => text.push_str("; base: not set"),
    }
    if let Some(reason) = &statement.reason {
        text.push_str(&format!("; {reason}"));
    }
    text
}

/// What stood before a layer wrote what stands at a place; nothing where no layer changed it.
pub(crate) fn before(sources: &[Source], statements: &[Statement], span: Span) -> Option<String> {
    let before = of(statements, span).and_then(|one| one.before)?;
    Some(written(sources, before))
}
