//! Reading a design: strict where a design itself knows (its own words and their types), forgiving otherwise: what is wrong
//! becomes a finding and the rest is still read.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::finding::{Finding, Place, nearest};
use crate::source::toml::{Data, Entry, Node, NotToml, Table, parse};
use crate::source::{Source, Span};

use super::concern::{Concern, Plain, Step, Subject};
use super::model::{Design, Fit, OwnSystem, Word};

/// The newest format of designs this program reads.
pub const SCHEMA: i64 = 1;
/// The most of one system that one fit may hold.
pub const COUNT_MOST: u32 = 9_999;

/// The most letters of a name: of a class, a ship, a captain, a fleet, a side.
pub const NAME_MOST: usize = 1_000;
/// The most letters of a fleet's notes: they are set as one text.
pub const NOTES_MOST: usize = 16_000;

/// What a fit's own keys are; the others are its system's parameters.
const FIT_KEYS: [&str; 3] = ["system", "mount", "count"];

/// Top-level keys of a design.
const KEYS: [&str; 7] = ["ruleset", "schema", "name", "notes", "fields", "fit", "system"];

impl Design {
    /// Reads a design. What is wrong with it stands in [`Design::findings`].
    ///
    /// # Errors
    /// The findings (each an error) when the file cannot be judged at all: its text is not TOML, or it is written in a
    /// newer format than [`SCHEMA`].
    pub fn read(source: &Source) -> Result<Design, Vec<Finding>> {
        let (root, faults) = parse(&source.text, 0);
        if !faults.is_empty() {
            return Err(faults.iter().take(20).map(|fault| not_toml(source, fault)).collect());
        }
        let reader = Reader::new(source, Span::default());
        // A fleet of a newer format is no design either.
        if !super::fleet::is_fleet(&root) {
            reader.schema(&root, "design", SCHEMA)?;
        }
        reader.is_design(&root)?;
        Ok(reader.design(root, None))
    }

    /// A design that stands as a table in a fleet's text, by the same reader; `ruleset` is the fleet's.
    pub(super) fn embedded(source: &Source, header: Span, table: Table<'_>, ruleset: Option<&Word>) -> Design {
        let reader = Reader::new(source, header);
        if let Err(findings) = reader.schema(&table, "design", SCHEMA) {
            return Design { top: header, findings, ..Design::empty(source.clone()) };
        }
        let inherited = ruleset.map(|word| Word { text: word.text.clone(), span: header });
        reader.design(table, Some(inherited))
    }
}

/// What a key of a design holds.
pub(super) enum Wanted {
    Text,
    Number,
    Table,
    Tables,
}

/// The most findings of one file; a player mends the first ones and looks again.
const MOST_FINDINGS: usize = 500;

pub(super) struct Reader<'s> {
    pub source: &'s Source,
    /// Where what is read begins.
    pub top: Span,
    pub findings: Vec<Finding>,
    /// What each of them concerns.
    pub concerns: Vec<Concern>,
    left_out: usize,
}

impl<'s> Reader<'s> {
    pub(super) fn new(source: &'s Source, top: Span) -> Self {
        Self { source, top, findings: Vec::new(), concerns: Vec::new(), left_out: 0 }
    }

    /// Whether no more findings are kept; counts the one that would be next. Ask before building one: what is not kept costs nothing.
    pub(super) fn is_full(&mut self) -> bool {
        let full = self.findings.len() >= MOST_FINDINGS;
        self.left_out += usize::from(full);
        full
    }

    pub(super) fn add(&mut self, finding: Finding, about: impl Into<Concern>) {
        if !self.is_full() {
            self.findings.push(finding);
            self.concerns.push(about.into());
        }
    }

    /// Whether a finding concerns this key of the file itself: a wrong type is reported once, not again as missing.
    pub(super) fn has_found(&self, key: &str) -> bool {
        self.concerns.iter().any(|concern| concern.subject == Subject::Head(key.into()))
    }

    pub(super) fn schema(&self, root: &Table<'_>, what: &str, newest: i64) -> Result<(), Vec<Finding>> {
        let refused = |node: &Node<'_>, message: String, help: &str| {
            Err(vec![Finding::error("newer-schema", message).help(help).at(self.source.shown(node.span))])
        };
        match root.get("schema") {
            None => Ok(()),
            Some(Node { data: Data::Int(known), .. }) if (1..=newest).contains(known) => Ok(()),
            Some(node @ Node { data: Data::Int(newer), .. }) if *newer > newest => refused(
                node,
                format!("unsupported {what} format {newer}; this Moldloft reads format {newest} and older"),
                "use a newer Moldloft; the file was not read",
            ),
            Some(node) => Err(vec![
                Finding::error("wrong-type", "expected a format number for `schema`")
                    .help(format!("write `schema = {newest}`, or remove the line"))
                    .at(self.source.shown(node.span)),
            ]),
        }
    }

    /// Tells other TOML files of this house, and of other houses, from designs.
    fn is_design(&self, root: &Table<'_>) -> Result<(), Vec<Finding>> {
        let (what, help) = match root.get("ruleset") {
            Some(Node { data: Data::Table(_), .. }) => {
                ("this is a ruleset, not a design", "use `moldloft rules check` for rulesets")
            }
            _ if super::fleet::is_fleet(root) => {
                ("this is a fleet, not a design", "use `moldloft check` for fleets; open a design by its own file")
            }
            _ if ["ruleset", "fields", "fit", "system"].iter().any(|key| root.get(key).is_some()) => return Ok(()),
            _ => (
                "this is not a design: it has no ruleset, no fields and no fits",
                "start a design with lines such as ruleset = \"wars-of-honor\" and name = \"Vigilant\"",
            ),
        };
        Err(vec![Finding::error("not-a-design", what).help(help).at(self.source.place(Span::default()))])
    }

    /// `inherited` is the ruleset of the fleet that the design stands in, if it stands in one.
    fn design(mut self, root: Table<'_>, inherited: Option<Option<Word>>) -> Design {
        let mut design = Design { top: self.top, ..Design::empty(self.source.clone()) };
        for entry in root.entries {
            match entry.key.as_ref() {
                "schema" => {}
                "ruleset" => design.ruleset = self.word("ruleset", entry.node, None),
                "name" => design.name = self.name("name", entry.node),
                "notes" => design.notes = self.word("notes", entry.node, None),
                "fields" => match entry.node.data {
                    Data::Table(table) => design.fields = table.entries.into_iter().map(Entry::into_owned).collect(),
                    other => self.wrong_type(entry.node.span, "fields", &Wanted::Table, &other, Subject::Design),
                },
                "fit" => {
                    for (index, (span, table)) in self.tables("fit", entry.node).into_iter().enumerate() {
                        design.fits.extend(self.fit(u32::try_from(index).unwrap_or(u32::MAX), span, table));
                    }
                }
                "system" => {
                    let mut ids = BTreeMap::new();
                    for (span, table) in self.tables("system", entry.node) {
                        if let Some(system) = self.system(span, table, &mut ids) {
                            design.systems.push(system);
                        }
                    }
                }
                key => {
                    self.unknown_key(("a design", key), entry.span, &KEYS, "put fields of the ruleset under [fields]");
                    design.unknown.push(entry.into_owned());
                }
            }
        }
        let top = self.source.place(self.top);
        if let Some(inherited) = inherited {
            // A fleet without a ruleset says so itself.
            design.ruleset = design.ruleset.or(inherited);
        } else if design.ruleset.as_ref().is_none_or(|word| word.text.is_empty()) && !self.has_found("ruleset") {
            design.ruleset = None;
            let finding = Finding::error("missing-ruleset", "missing `ruleset` in the design")
                .help("start the file with a line such as ruleset = \"wars-of-honor\"; run `moldloft list rulesets` for all rulesets")
                .at(top.clone());
            self.add(finding, Subject::Head("ruleset".into()));
        }
        if design.name.as_ref().is_none_or(|word| word.text.trim().is_empty()) && !self.has_found("name") {
            let finding = Finding::warning("missing-name", "missing class name")
                .help("add a line such as name = \"Vigilant\"; without it the sheet has a blank line for the name")
                .at(top.clone());
            self.add(finding, Subject::Head("name".into()));
        }
        self.close(top);
        design.findings = self.findings;
        design.concerns = self.concerns;
        design
    }

    /// Tells of findings that are not shown.
    pub(super) fn close(&mut self, top: Place) {
        if self.left_out > 0 {
            let s = if self.left_out == 1 { "" } else { "s" };
            let finding = Finding::error("too-many-findings", format!("{} more finding{s} not shown", self.left_out));
            self.findings.push(finding.help("fix the first ones and check again").at(top));
            self.concerns.push(Concern::default());
        }
    }

    /// The tables of an array of tables, each with the place of its header.
    pub(super) fn tables<'a>(&mut self, key: &str, node: Node<'a>) -> Vec<(Span, Table<'a>)> {
        let mut tables = Vec::new();
        match node.data {
            Data::List(list) => {
                for item in list {
                    match item.data {
                        Data::Table(table) => tables.push((item.span, table)),
                        other => self.wrong_type(item.span, key, &Wanted::Tables, &other, Subject::Design),
                    }
                }
            }
            Data::Table(table) => {
                let finding = Finding::error("wrong-type", format!("expected [[{key}]], found [{key}]"))
                    .help(format!("use double brackets: [[{key}]]"))
                    .at(self.source.shown(node.span));
                self.add(finding, Subject::Design);
                tables.push((node.span, table));
            }
            other => self.wrong_type(node.span, key, &Wanted::Tables, &other, Subject::Design),
        }
        tables
    }

    fn fit(&mut self, index: u32, span: Span, table: Table<'_>) -> Option<Fit> {
        let mut system = None;
        let mut named = false;
        let mut mount = None;
        let mut count = 1;
        let mut parameters = Vec::new();
        let before = self.findings.len();
        for entry in table.entries {
            match entry.key.as_ref() {
                "system" => {
                    named = true;
                    system = self.word("system", entry.node, Some(index));
                }
                "mount" => mount = self.word("mount", entry.node, Some(index)),
                "count" => count = self.count(&entry.node, index),
                _ => parameters.push(entry.into_owned()),
            }
        }
        if !named {
            self.without_system(index, span, &parameters, mount.is_some());
        }
        if self.findings.len() > before {
            let words: Vec<String> = [&system, &mount].into_iter().flatten().map(|word| short(&word.text)).collect();
            let item: Arc<str> =
                if words.is_empty() { format!("fit {}", u64::from(index) + 1) } else { words.join(", ") }.into();
            self.findings[before..].iter_mut().for_each(|finding| finding.at.item = Some(item.clone()));
        }
        Some(Fit { index, system: system?, mount, count, parameters, span })
    }

    /// A fit that names no system: one of its keys may be meant for it. What else it holds nobody can judge without a system.
    fn without_system(&mut self, fit: u32, span: Span, keys: &[Entry<'static>], has_mount: bool) {
        if !self.is_full() {
            let finding = Finding::error("fit-without-system", "missing `system` in a fit")
                .help("add a line such as system = \"laser\", or remove the fit")
                .at(self.source.shown(span));
            self.add(finding, Subject::Fit(fit));
        }
        for entry in keys.iter().take(MOST_FINDINGS) {
            let Some(near) = nearest(&entry.key, FIT_KEYS) else { continue };
            if self.is_full() {
                continue;
            }
            let finding = Finding::warning("unknown-key", format!("unknown key `{}` in a fit", entry.key))
                .help(format!("did you mean `{near}`?"))
                .at(self.source.shown(entry.span));
            let mut about = Concern::from(Subject::Fit(fit));
            if let Some(value) = plain(&entry.node.data).filter(|_| near != "mount" || !has_mount) {
                let key: Arc<str> = entry.key.as_ref().into();
                about.steps =
                    vec![Step::SetFit { fit, key: near.into(), value }, Step::RemoveKey { of: Subject::Fit(fit), key }];
            }
            self.add(finding, about);
        }
    }

    fn count(&mut self, node: &Node<'_>, fit: u32) -> u32 {
        let set = |count: u32| Concern {
            subject: Subject::Fit(fit),
            steps: vec![Step::SetFit { fit, key: "count".into(), value: Plain::Number(count.into()) }],
        };
        match &node.data {
            Data::Int(count) => {
                if let Some(count) = u32::try_from(*count).ok().filter(|count| *count <= COUNT_MOST) {
                    return count;
                }
                self.count_out_of_range(node.span, &count.to_string(), set(if *count < 0 { 0 } else { COUNT_MOST }));
            }
            Data::Float(text) if text.bytes().all(|b| b.is_ascii_digit()) => {
                self.count_out_of_range(node.span, text, set(COUNT_MOST));
            }
            other => {
                let meant = match other {
                    Data::Text(text) => text.trim().parse().ok().filter(|count| *count <= COUNT_MOST),
                    _ => None,
                };
                let about = meant.map_or_else(|| Subject::Fit(fit).into(), set);
                self.wrong_type(node.span, "count", &Wanted::Number, other, about);
            }
        }
        0
    }

    fn count_out_of_range(&mut self, span: Span, written: &str, about: Concern) {
        if self.is_full() {
            return;
        }
        let written: String = written.chars().take(24).collect();
        let finding = Finding::error("value-out-of-range", format!("count = {written}, expected 0 to {COUNT_MOST}"))
            .help("fix the count; until then the fit counts as 0")
            .at(self.source.shown(span));
        self.add(finding, about);
    }

    /// `ids` holds the ids so far, and where each stands.
    fn system(&mut self, span: Span, table: Table<'_>, ids: &mut BTreeMap<Arc<str>, Span>) -> Option<OwnSystem> {
        let mut id = None;
        let mut named = false;
        let mut like = None;
        let mut keys = Vec::new();
        let before = self.concerns.len();
        for entry in table.entries {
            match entry.key.as_ref() {
                "id" => {
                    named = true;
                    id = self.word("id", entry.node, None);
                }
                "like" => like = self.word("like", entry.node, None),
                _ => keys.push(entry.into_owned()),
            }
        }
        if !named && !self.is_full() {
            let finding = Finding::error("system-without-id", "missing `id` in a [[system]] of the design")
                .help("add a line such as id = \"old-laser\", and name it in a [[fit]]")
                .at(self.source.shown(span));
            self.add(finding, Subject::Design);
        }
        let whose = id.as_ref().map_or(Subject::Design, |id| Subject::Own(id.text.clone()));
        self.concerns[before..].iter_mut().for_each(|about| about.subject = whose.clone());
        let id = id?;
        if let Some(first) = ids.get(&id.text) {
            if self.is_full() {
                return None;
            }
            let (line, _) = self.source.line_column(first.start);
            let finding = Finding::error("duplicate-id", format!("duplicate system id `{}`", short(&id.text)))
                .help(format!("give this one another id; the first, in line {line}, is used"))
                .at(self.source.shown(id.span));
            self.add(finding, whose);
            return None;
        }
        ids.insert(id.text.clone(), id.span);
        Some(OwnSystem { id, like, keys, span })
    }

    /// A text of a fit, or of the file's head.
    pub(super) fn word(&mut self, key: &str, node: Node<'_>, fit: Option<u32>) -> Option<Word> {
        match node.data {
            Data::Text(text) => Some(Word { text: text.as_ref().into(), span: node.span }),
            other => {
                self.wrong_type(
                    node.span,
                    key,
                    &Wanted::Text,
                    &other,
                    fit.map_or_else(|| Subject::Head(key.into()), Subject::Fit),
                );
                None
            }
        }
    }

    /// A name: longer than [`NAME_MOST`] it is cut.
    pub(super) fn name(&mut self, key: &str, node: Node<'_>) -> Option<Word> {
        let word = self.word(key, node, None)?;
        Some(self.cut(key, word, NAME_MOST))
    }

    /// A text with so many letters at most; what is longer is cut, and that is reported.
    pub(super) fn cut(&mut self, key: &str, word: Word, most: usize) -> Word {
        let Some((end, _)) = word.text.char_indices().nth(most) else { return word };
        let cut = Word { text: word.text[..end].into(), span: word.span };
        if !self.is_full() {
            let letters = word.text.chars().count();
            let message = format!("`{key}`: expected at most {most} letters, found {letters}; cut the rest");
            let finding = Finding::error("too-long", message)
                .help(if most == NAME_MOST {
                    "what a name does not hold goes into notes"
                } else {
                    "write what is about one ship into her own notes"
                })
                .at(self.source.shown(word.span));
            self.add(finding, Subject::Head(key.into()));
        }
        cut
    }

    pub(super) fn wrong_type(
        &mut self,
        span: Span,
        key: &str,
        wanted: &Wanted,
        got: &Data<'_>,
        about: impl Into<Concern>,
    ) {
        if self.is_full() {
            return;
        }
        let (wanted, help) = match wanted {
            Wanted::Text => ("text", format!("write {key} = \"…\", with quotes")),
            Wanted::Number => ("a whole number", format!("write {key} = 2, without quotes or fraction")),
            Wanted::Table => {
                ("a table", format!("write [{key}] on a separate line and its contents on the lines below"))
            }
            Wanted::Tables => ("a list of tables", format!("write [[{key}]] on a separate line, once for each")),
        };
        let finding = Finding::error("wrong-type", format!("expected {wanted} for `{key}`, found {}", got.kind()))
            .help(help)
            .at(self.source.shown(span));
        self.add(finding, about);
    }

    /// A key that nobody knows: `of` is whose, `known` what may be meant, `else_help` what to say where nothing is near.
    pub(super) fn unknown_key(&mut self, (of, key): (&str, &str), span: Span, known: &[&str], else_help: &str) {
        if self.is_full() {
            return;
        }
        let message = format!("unknown key `{}` in {of}; it is kept but has no effect", short(key));
        let mut finding = Finding::warning("unknown-key", message).at(self.source.shown(span));
        let mut about = Concern::from(Subject::Head(key.into()));
        finding.help = Some(match nearest(key, known.iter().copied()) {
            Some(known) => format!("did you mean `{known}`?"),
            None => {
                about.steps = vec![Step::RemoveKey { of: Subject::Design, key: key.into() }];
                else_help.to_owned()
            }
        });
        self.add(finding, about);
    }
}

/// The finding for text that is not TOML.
pub(super) fn not_toml(source: &Source, fault: &NotToml) -> Finding {
    let (message, help) = if fault.message == "duplicate key" {
        let key = source.text.get(fault.span.start as usize..fault.span.end as usize).unwrap_or_default();
        let key: String = key.chars().take(60).collect();
        (format!("duplicate key `{key}` in the same table"), "remove one of the two".to_owned())
    } else {
        let help = "use lines of `key = value` under headers such as [fields] and [[fit]], with text in \"quotes\"";
        let help = fault.hint(&source.text).unwrap_or_else(|| help.to_owned());
        (format!("invalid TOML: {}", fault.message), help)
    };
    Finding::error("not-toml", message).help(help).at(source.shown(fault.span))
}

/// A word as messages show it.
pub(super) fn short(text: &str) -> String {
    let cut: String = text.chars().take(60).collect();
    if cut.len() < text.len() { cut + "…" } else { cut }
}

/// A plain value, such as a key may be given.
fn plain(data: &Data<'_>) -> Option<Plain> {
    match data {
        Data::Int(number) => Some(Plain::Number(*number)),
        Data::Flag(flag) => Some(Plain::Flag(*flag)),
        Data::Text(text) => Some(Plain::Text(text.as_ref().into())),
        _ => None,
    }
}
