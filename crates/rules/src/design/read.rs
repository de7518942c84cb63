//! Reads a design. Errors in a key become findings and the rest is still read.

use std::collections::BTreeMap;
use std::sync::Arc;

use moldloft_base::finding::{
    Cause, DesignEdit, DesignPart, Finding, FindingFix, FindingOrigin, Place, Scalar, nearest,
};
use moldloft_base::sanitize;
use moldloft_base::source::toml::{TomlEntry, TomlError, TomlErrorKind, TomlNode, TomlTable, TomlValue, parse};
use moldloft_base::source::{Source, Span};

use super::model::{CustomSystem, Design, Fit, SpannedText};

/// The newest design format that this program reads.
pub const SCHEMA: i64 = 1;
pub const MAX_COUNT: u32 = 9_999;

/// The most characters of a name: of a class, ship, captain, fleet or side.
pub const MAX_NAME: usize = 1_000;
/// The most characters of a fleet's notes; they become one text.
pub const MAX_NOTES: usize = 16_000;

/// The most characters of a word of the file in a message.
const MAX_QUOTED_CHARS: usize = 60;

/// All other keys are parameters of the system.
const FIT_KEYS: [&str; 3] = ["system", "mount", "count"];

const KEYS: [&str; 8] = ["ruleset", "schema", "name", "notes", "silhouette", "fields", "fit", "system"];

impl Design {
    /// Reads a design. Faults are in [`Design::findings`].
    ///
    /// # Errors
    /// The findings (all errors) when the text is not TOML, or uses a newer format than [`SCHEMA`].
    pub fn read(source: &Source) -> Result<Design, Vec<Finding>> {
        let (root, faults) = parse(&source.text, 0);
        if !faults.is_empty() {
            return Err(faults.iter().take(20).map(|fault| not_toml_finding(source, fault)).collect());
        }
        let reader = DesignReader::new(source, Span::default());
        // Nor is a fleet of a newer format a design.
        if !super::fleet::has_fleet_keys(&root) {
            reader.check_schema(&root, "design", SCHEMA)?;
        }
        reader.check_is_design(&root)?;
        Ok(reader.read_design(root, None))
    }

    /// Reads a design embedded in a fleet; `ruleset` is the fleet's.
    pub(super) fn read_embedded(
        source: &Source,
        header: Span,
        table: TomlTable<'_>,
        ruleset: Option<&SpannedText>,
    ) -> Design {
        let reader = DesignReader::new(source, header);
        if let Err(findings) = reader.check_schema(&table, "design", SCHEMA) {
            return Design { top: header, findings, ..Design::empty(source.clone()) };
        }
        let inherited = ruleset.map(|word| SpannedText { text: word.text.clone(), span: header });
        reader.read_design(table, Some(inherited))
    }
}

pub(super) enum ExpectedType {
    Text,
    Number,
    Table,
    Tables,
}

const MAX_FINDINGS: usize = 500;

pub(super) struct DesignReader<'s> {
    pub source: &'s Source,
    pub top: Span,
    pub findings: Vec<Finding>,
    left_out: usize,
}

impl<'s> DesignReader<'s> {
    pub(super) fn new(source: &'s Source, top: Span) -> Self {
        Self { source, top, findings: Vec::new(), left_out: 0 }
    }

    /// Whether no more findings are kept; counts the finding that would be next. Check it before building one.
    pub(super) fn is_full(&mut self) -> bool {
        let full = self.findings.len() >= MAX_FINDINGS;
        self.left_out += usize::from(full);
        full
    }

    pub(super) fn add(&mut self, finding: Finding, about: impl Into<FindingOrigin>) {
        if !self.is_full() {
            self.findings.push(finding.with_origin(about));
        }
    }

    pub(super) fn add_at(&mut self, span: Span, finding: Finding, about: impl Into<FindingOrigin>) {
        if !self.is_full() {
            self.findings.push(finding.at(self.source.place_with_snippet(span)).with_origin(about));
        }
    }

    /// Whether a finding already concerns this top-level key, so that a wrong type is not also reported as missing.
    pub(super) fn has_found(&self, key: &str) -> bool {
        self.findings.iter().any(|finding| matches!(finding.subject(), DesignPart::TopKey(top) if **top == *key))
    }

    pub(super) fn check_schema(&self, root: &TomlTable<'_>, what: &str, newest: i64) -> Result<(), Vec<Finding>> {
        let refused = |node: &TomlNode<'_>, message: String, help: &str| {
            Err(vec![Finding::error("newer-schema", message).help(help).at(self.source.place_with_snippet(node.span))])
        };
        match root.get("schema") {
            None => Ok(()),
            Some(TomlNode { data: TomlValue::Int(known), .. }) if (1..=newest).contains(known) => Ok(()),
            Some(node @ TomlNode { data: TomlValue::Int(newer), .. }) if *newer > newest => refused(
                node,
                format!("unsupported {what} format {newer}; this Moldloft reads format {newest} and older"),
                "use a newer Moldloft; the file was not read",
            ),
            Some(node) => Err(vec![
                Finding::error("wrong-type", "expected a format number for `schema`")
                    .help(format!("write `schema = {newest}`, or remove the line"))
                    .at(self.source.place_with_snippet(node.span)),
            ]),
        }
    }

    fn check_is_design(&self, root: &TomlTable<'_>) -> Result<(), Vec<Finding>> {
        let (what, help) = match root.get("ruleset") {
            Some(TomlNode { data: TomlValue::Table(_), .. }) => {
                ("this is a ruleset, not a design", "use `moldloft rules check` for rulesets")
            }
            _ if super::fleet::has_fleet_keys(root) => {
                ("this is a fleet, not a design", "use `moldloft check` for fleets; open a design by its own file")
            }
            _ if ["ruleset", "fields", "fit", "system"].iter().any(|key| root.get(key).is_some()) => return Ok(()),
            _ => (
                "this is not a design: it has no ruleset, no fields and no fits",
                "start a design with lines such as ruleset = \"wars-of-honor\" and name = \"Vigilant\"",
            ),
        };
        Err(vec![Finding::caused(Cause::NotADesign, what).help(help).at(self.source.place(Span::default()))])
    }

    /// `inherited`: for an embedded design, the ruleset of the fleet.
    fn read_design(mut self, root: TomlTable<'_>, inherited: Option<Option<SpannedText>>) -> Design {
        let mut design = Design { top: self.top, ..Design::empty(self.source.clone()) };
        for entry in root.entries {
            match entry.key.as_ref() {
                "schema" => {}
                "ruleset" => design.ruleset = self.read_text("ruleset", entry.node, None),
                "name" => design.name = self.read_name("name", entry.node),
                "notes" => design.notes = self.read_text("notes", entry.node, None),
                "silhouette" => design.silhouette = self.read_text("silhouette", entry.node, None),
                "fields" => match entry.node.data {
                    TomlValue::Table(table) => {
                        design.fields = table.entries.into_iter().map(TomlEntry::into_owned).collect()
                    }
                    other => {
                        self.wrong_type(entry.node.span, "fields", &ExpectedType::Table, &other, DesignPart::Design)
                    }
                },
                "fit" => {
                    for (index, (span, table)) in self.tables("fit", entry.node).into_iter().enumerate() {
                        design.fits.extend(self.read_fit(u32::try_from(index).unwrap_or(u32::MAX), span, table));
                    }
                }
                "system" => {
                    let mut ids = BTreeMap::new();
                    for (span, table) in self.tables("system", entry.node) {
                        if let Some(system) = self.read_system(span, table, &mut ids) {
                            design.systems.push(system);
                        }
                    }
                }
                key => {
                    // With `ship` it would be a fleet.
                    let known = [&KEYS[..], &["ship"]].concat();
                    self.unknown_key(("a design", key), entry.span, &known, "put fields of the ruleset under [fields]");
                    design.unknown.push(entry.into_owned());
                }
            }
        }
        let (source, top) = (self.source, self.top);
        let top = || source.place(top);
        if let Some(inherited) = inherited {
            // A fleet without a ruleset has a finding of its own.
            design.ruleset = design.ruleset.or(inherited);
        } else if design.ruleset.as_ref().is_none_or(|word| word.text.is_empty()) && !self.has_found("ruleset") {
            design.ruleset = None;
            let finding = Finding::error("missing-ruleset", "missing `ruleset` in the design")
                .help("start the file with a line such as ruleset = \"wars-of-honor\"; run `moldloft list rulesets` for all rulesets")
                .at(top());
            self.add(finding, DesignPart::TopKey("ruleset".into()));
        }
        if design.name.as_ref().is_none_or(|word| word.text.trim().is_empty()) && !self.has_found("name") {
            let finding = Finding::warning("missing-name", "missing class name")
                .help("add a line such as name = \"Vigilant\"; without it the sheet has a blank line for the name")
                .at(top());
            self.add(finding, DesignPart::TopKey("name".into()));
        }
        self.report_left_out(top);
        design.findings = self.findings;
        design
    }

    pub(super) fn report_left_out(&mut self, top: impl FnOnce() -> Place) {
        if self.left_out > 0 {
            let s = if self.left_out == 1 { "" } else { "s" };
            let finding = Finding::error("too-many-findings", format!("{} more finding{s} not shown", self.left_out));
            let finding = finding.help("fix the first ones and check again").at(top());
            self.findings.push(finding.with_origin(FindingOrigin::default().leaving_out()));
        }
    }

    pub(super) fn tables<'a>(&mut self, key: &str, node: TomlNode<'a>) -> Vec<(Span, TomlTable<'a>)> {
        let mut tables = Vec::new();
        match node.data {
            TomlValue::List(list) => {
                for item in list {
                    match item.data {
                        TomlValue::Table(table) => tables.push((item.span, table)),
                        other => self.wrong_type(item.span, key, &ExpectedType::Tables, &other, DesignPart::Design),
                    }
                }
            }
            TomlValue::Table(table) => {
                let finding = Finding::error("wrong-type", format!("expected [[{key}]], found [{key}]"))
                    .help(format!("use double brackets: [[{key}]]"));
                self.add_at(node.span, finding, FindingOrigin::default().leaving_out());
                tables.push((node.span, table));
            }
            other => self.wrong_type(node.span, key, &ExpectedType::Tables, &other, DesignPart::Design),
        }
        tables
    }

    fn read_fit(&mut self, index: u32, span: Span, table: TomlTable<'_>) -> Option<Fit> {
        let mut system = None;
        let mut named = false;
        let mut mount = None;
        let (mut count, mut written_count) = (1, 1);
        let mut parameters = Vec::new();
        let before = self.findings.len();
        for entry in table.entries {
            match entry.key.as_ref() {
                "system" => {
                    named = true;
                    system = self.read_text("system", entry.node, Some(index));
                }
                "mount" => mount = self.read_text("mount", entry.node, Some(index)),
                "count" => {
                    count = self.read_count(&entry.node, index);
                    written_count = if let TomlValue::Int(written) = entry.node.data { written } else { count.into() };
                }
                _ => parameters.push(entry.into_owned()),
            }
        }
        if !named {
            self.report_fit_without_system(index, span, &parameters, mount.is_some());
        }
        if self.findings.len() > before {
            let words: Vec<String> = [&system, &mount].into_iter().flatten().map(|word| shorten(&word.text)).collect();
            let item: Arc<str> =
                if words.is_empty() { format!("fit {}", u64::from(index) + 1) } else { words.join(", ") }.into();
            self.findings[before..].iter_mut().for_each(|finding| finding.at.item = Some(item.clone()));
        }
        Some(Fit { index, system: system?, mount, count, written_count, parameters, span })
    }

    /// Reports a fit without a system: one of its keys may be a misspelt `system`. Its other keys are not checked.
    fn report_fit_without_system(&mut self, fit: u32, span: Span, keys: &[TomlEntry<'static>], has_mount: bool) {
        if !self.is_full() {
            let finding = Finding::error("fit-without-system", "missing `system` in a fit")
                .help("add a line such as system = \"laser\", or remove the fit");
            self.add_at(span, finding, DesignPart::Fit(fit));
        }
        for entry in keys.iter().take(MAX_FINDINGS) {
            let Some(near) = nearest(&entry.key, FIT_KEYS) else { continue };
            if self.is_full() {
                continue;
            }
            let finding = Finding::warning("unknown-key", format!("unknown key `{}` in a fit", entry.key))
                .help(format!("did you mean `{near}`?"))
                .at(self.source.place_with_snippet(entry.span));
            let mut about = FindingOrigin::from(DesignPart::Fit(fit));
            if let Some(value) = scalar(&entry.node.data).filter(|_| near != "mount" || !has_mount) {
                let key: Arc<str> = entry.key.as_ref().into();
                about.fix = FindingFix::Edits(vec![
                    DesignEdit::SetFit { fit, key: near.into(), value },
                    DesignEdit::RemoveKey { part: DesignPart::Fit(fit), key },
                ]);
            }
            self.add(finding, about);
        }
    }

    fn read_count(&mut self, node: &TomlNode<'_>, fit: u32) -> u32 {
        let set = |count: u32| {
            let edit = DesignEdit::SetFit { fit, key: "count".into(), value: Scalar::Number(count.into()) };
            FindingOrigin::with_edits(DesignPart::Fit(fit), vec![edit])
        };
        match &node.data {
            TomlValue::Int(count) => {
                if let Some(count) = u32::try_from(*count).ok().filter(|count| *count <= MAX_COUNT) {
                    return count;
                }
                self.count_out_of_range(node.span, &count.to_string(), set(if *count < 0 { 0 } else { MAX_COUNT }));
            }
            TomlValue::Float(text) if text.bytes().all(|b| b.is_ascii_digit()) => {
                self.count_out_of_range(node.span, text, set(MAX_COUNT));
            }
            other => {
                let meant = match other {
                    TomlValue::Text(text) => text.trim().parse().ok().filter(|count| *count <= MAX_COUNT),
                    _ => None,
                };
                let about = meant.map_or_else(|| DesignPart::Fit(fit).into(), set);
                self.wrong_type(node.span, "count", &ExpectedType::Number, other, about);
            }
        }
        0
    }

    fn count_out_of_range(&mut self, span: Span, written: &str, about: FindingOrigin) {
        if self.is_full() {
            return;
        }
        let written: String = written.chars().take(24).collect();
        let finding = Finding::error("value-out-of-range", format!("count = {written}, expected 0 to {MAX_COUNT}"))
            .help("fix the count; until then the fit counts as 0");
        self.add_at(span, finding, about.leaving_out());
    }

    /// `ids`: the ids so far with their places.
    fn read_system(
        &mut self,
        span: Span,
        table: TomlTable<'_>,
        ids: &mut BTreeMap<Arc<str>, Span>,
    ) -> Option<CustomSystem> {
        let mut id = None;
        let mut named = false;
        let mut like = None;
        let mut keys = Vec::new();
        let before = self.findings.len();
        for entry in table.entries {
            match entry.key.as_ref() {
                "id" => {
                    named = true;
                    id = self.read_text("id", entry.node, None);
                }
                "like" => like = self.read_text("like", entry.node, None),
                _ => keys.push(entry.into_owned()),
            }
        }
        if !named && !self.is_full() {
            let finding = Finding::error("system-without-id", "missing `id` in a [[system]] of the design")
                .help("add a line such as id = \"old-laser\", and name it in a [[fit]]");
            self.add_at(span, finding, FindingOrigin::default().leaving_out());
        }
        let part = id.as_ref().map_or(DesignPart::Design, |id| DesignPart::CustomSystem(id.text.clone()));
        for finding in &mut self.findings[before..] {
            let origin = finding.origin.take().map(|origin| *origin).unwrap_or_default();
            finding.set_origin(FindingOrigin { subject: part.clone(), ..origin });
        }
        let id = id?;
        if let Some(first) = ids.get(&id.text) {
            if self.is_full() {
                return None;
            }
            let (line, _) = self.source.line_column(first.start);
            let finding = Finding::error("duplicate-id", format!("duplicate system id `{}`", shorten(&id.text)))
                .help(format!("give this one another id; the first, in line {line}, is used"));
            self.add_at(id.span, finding, part);
            return None;
        }
        ids.insert(id.text.clone(), id.span);
        Some(CustomSystem { id, like, keys, span })
    }

    /// `fit`: the fit that holds it, `None` for the top level.
    pub(super) fn read_text(&mut self, key: &str, node: TomlNode<'_>, fit: Option<u32>) -> Option<SpannedText> {
        match node.data {
            TomlValue::Text(text) => Some(SpannedText { text: text.as_ref().into(), span: node.span }),
            other => {
                self.wrong_type(
                    node.span,
                    key,
                    &ExpectedType::Text,
                    &other,
                    fit.map_or_else(|| DesignPart::TopKey(key.into()), DesignPart::Fit),
                );
                None
            }
        }
    }

    pub(super) fn read_name(&mut self, key: &str, node: TomlNode<'_>) -> Option<SpannedText> {
        let word = self.read_text(key, node, None)?;
        Some(self.truncate_text(key, word, MAX_NAME))
    }

    pub(super) fn truncate_text(&mut self, key: &str, word: SpannedText, most: usize) -> SpannedText {
        let Some((end, _)) = word.text.char_indices().nth(most) else { return word };
        let cut = SpannedText { text: word.text[..end].into(), span: word.span };
        if !self.is_full() {
            let letters = word.text.chars().count();
            let message = format!("`{key}`: expected at most {most} characters, found {letters}; the rest is cut off");
            let finding = Finding::error("too-long", message).help(if most == MAX_NAME {
                "put the rest into the notes"
            } else {
                "move what concerns one ship to that ship's notes"
            });
            self.add_at(word.span, finding, FindingOrigin::from(DesignPart::TopKey(key.into())).leaving_out());
        }
        cut
    }

    pub(super) fn wrong_type(
        &mut self,
        span: Span,
        key: &str,
        wanted: &ExpectedType,
        got: &TomlValue<'_>,
        about: impl Into<FindingOrigin>,
    ) {
        if self.is_full() {
            return;
        }
        let (wanted, help) = match wanted {
            ExpectedType::Text => ("text", format!("write {key} = \"…\", with quotes")),
            ExpectedType::Number => ("a whole number", format!("write {key} = 2, without quotes or fraction")),
            ExpectedType::Table => {
                ("a table", format!("write [{key}] on a separate line and its contents on the lines below"))
            }
            ExpectedType::Tables => ("a list of tables", format!("write [[{key}]] on a separate line, once for each")),
        };
        let finding = Finding::error("wrong-type", format!("expected {wanted} for `{key}`, found {}", got.type_name()))
            .help(help);
        self.add_at(span, finding, about.into().leaving_out());
    }

    /// `of` names the holder of the key; `else_help` is used when no key in `known` is similar.
    pub(super) fn unknown_key(&mut self, (of, key): (&str, &str), span: Span, known: &[&str], else_help: &str) {
        if self.is_full() {
            return;
        }
        let message = format!("unknown key `{}` in {of}; it is kept but has no effect", shorten(key));
        let mut finding = Finding::warning("unknown-key", message).at(self.source.place_with_snippet(span));
        let mut about = FindingOrigin::from(DesignPart::TopKey(key.into()));
        finding.help = Some(match nearest(key, known.iter().copied()) {
            Some(known) => format!("did you mean `{known}`?"),
            None => {
                let edit = DesignEdit::RemoveKey { part: DesignPart::Design, key: key.into() };
                about.fix = FindingFix::Edits(vec![edit]);
                else_help.to_owned()
            }
        });
        self.add(finding, about);
    }
}

pub(super) fn not_toml_finding(source: &Source, fault: &TomlError) -> Finding {
    let message = if fault.kind == TomlErrorKind::DuplicateKey {
        let key = source.text.get(fault.span.start as usize..fault.span.end as usize).unwrap_or_default();
        let key: String = key.chars().take(60).collect();
        format!("duplicate key `{key}` in the same table")
    } else {
        format!("invalid TOML: {}", fault.message)
    };
    let help = "use lines of `key = value` under headers such as [fields] and [[fit]], with text in \"quotes\"";
    let help = fault.hint(&source.text).unwrap_or_else(|| help.to_owned());
    Finding::error("not-toml", message).help(help).at(source.place_with_snippet(fault.span))
}

/// A word of the file for a message.
pub(super) fn shorten(text: &str) -> String {
    sanitize::shorten(text, MAX_QUOTED_CHARS)
}

fn scalar(data: &TomlValue<'_>) -> Option<Scalar> {
    match data {
        TomlValue::Int(number) => Some(Scalar::Number(*number)),
        TomlValue::Flag(flag) => Some(Scalar::Flag(*flag)),
        TomlValue::Text(text) => Some(Scalar::Text(text.as_ref().into())),
        _ => None,
    }
}
