//! The fingerprint of a fleet: takes an evaluated fleet, gives sixteen characters that another copy of the program
//! computes from the same files. Depends on what counts in a game (rules, classes as designed, ships as stated,
//! results, and what of rules and drawings is not built in), not on layout, comments, line ends, or the order of ships. docs/guide/src/packs.md describes what it proves.

use std::collections::BTreeMap;
use std::fmt;

use sha2::{Digest, Sha256};

use crate::library::template_files::beside_design;
use crate::store;
use moldloft_base::finding::Finding;
use moldloft_base::source::Source;
use moldloft_base::source::toml::{self, TomlTable, TomlValue};
use moldloft_rules::design::Ship;
use moldloft_rules::evaluate::Evaluation;
use moldloft_rules::formula::Value;
use moldloft_rules::ruleset::Ruleset;
use moldloft_sheet::sheet::ArtFile;

use super::EvaluatedFleet;

/// Crockford's base 32: no I, L, O or U, which are misread.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// In characters.
const LENGTH: usize = 16;
/// The first characters that identify the rules; the last is the check digit, all between identify the fleet.
const RULESET_DIGITS: usize = 3;
/// The characters of [`ruleset_code`].
const RULESET_CODE_LENGTH: usize = 8;
/// The size of chits is a setting that is not a rule.
pub const CHIT_SIZE: &str = "chit_mm";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    digits: [u8; LENGTH],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FingerprintMatch {
    /// Equal fleet, equal rules.
    SameFleet,
    /// Equal rules; the ships or the budget differ.
    OtherFleet,
    /// The rules differ, so that the ships cannot be compared.
    OtherRules,
    /// Equal ships and rules; templates or outlines of a workspace differ.
    OtherTemplates,
    /// Equal ships and numbers; texts of a workspace's rules differ, or its templates. The code may be of a version before
    /// these counted.
    OtherTexts,
}

/// What a fingerprint covers besides the ships, their numbers, and the rules with their versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Coverage {
    /// Nothing, as in codes of earlier versions.
    Numbers,
    /// The texts of rules that are not built in.
    Texts,
    /// Those, and templates and outlines that are not built in.
    Whole,
}

impl Fingerprint {
    /// `None` when the fleet's rules cannot be used.
    pub fn of_fleet(fleet: &EvaluatedFleet) -> Option<Self> {
        Self::covering(fleet, Coverage::Whole)
    }

    fn covering(fleet: &EvaluatedFleet, coverage: Coverage) -> Option<Self> {
        let ruleset = fleet.ruleset.as_deref()?;
        let mut rules = CanonicalHasher::new("moldloft rules 1");
        rules.put_ruleset(ruleset);
        if coverage >= Coverage::Texts {
            own_texts(ruleset).for_each(|text| rules.put_toml_text(text));
        }
        let rules = rules.finish();
        let mut whole = CanonicalHasher::new("moldloft fleet 1");
        whole.put_bytes(&rules);
        whole.put_number(fleet.fleet.budget.map(|budget| budget.points));
        let mut units: Vec<[u8; 32]> = fleet.units.iter().map(|unit| unit_hash(&unit.evaluation)).collect();
        units.sort_unstable();
        whole.put_count(units.len());
        units.iter().for_each(|unit| whole.put_bytes(unit));
        if coverage >= Coverage::Whole {
            for (name, content) in own_drawings(fleet, ruleset) {
                whole.put_text(&name);
                whole.put_count(content.len());
                whole.put_bytes(&content);
            }
        }
        let whole = whole.finish();
        let mut digits = [0; LENGTH];
        for (n, digit) in digits.iter_mut().enumerate().take(LENGTH - 1) {
            *digit = if n < RULESET_DIGITS { five_bits(&rules, n) } else { five_bits(&whole, n - RULESET_DIGITS) };
        }
        digits[LENGTH - 1] = check_digit(&digits);
        Some(Self { digits })
    }

    /// Reads a fingerprint as typed: in any case, with or without spaces and hyphens, O for 0, I or L for 1, U for V.
    ///
    /// # Errors
    /// `not-a-code` for a text that is not a fingerprint, or a mistyped one.
    pub fn parse(text: &str) -> Result<Self, Finding> {
        let wrong = |message: String| {
            let help = "a code has sixteen letters and digits in four groups, such as K7QF-2M9D-XW4T-8HN9";
            Err(Finding::error("not-a-code", message).help(help))
        };
        let mut digits = Vec::with_capacity(LENGTH);
        for sign in text.chars().filter(|sign| !sign.is_whitespace() && !is_dash(*sign)) {
            let sign = match sign.to_ascii_uppercase() {
                'O' => '0',
                'I' | 'L' => '1',
                'U' => 'V',
                sign => sign,
            };
            match ALPHABET.iter().position(|known| char::from(*known) == sign) {
                Some(digit) => digits.push(digit as u8),
                None => return wrong(format!("invalid character `{}` in a code", sign.escape_default())),
            }
        }
        match <[u8; LENGTH]>::try_from(digits) {
            Ok(digits) if digits[LENGTH - 1] == check_digit(&digits) => Ok(Self { digits }),
            Ok(_) => wrong("misspelled code: the last character does not match the others".to_owned()),
            Err(digits) => wrong(format!("expected {LENGTH} characters, found {}", digits.len())),
        }
    }

    /// Compares with the fingerprint of a fleet, and says more exactly what differs. `None` when its rules cannot be used.
    pub fn compare_fleet(&self, fleet: &EvaluatedFleet) -> Option<FingerprintMatch> {
        let known = self.compare(&Self::of_fleet(fleet)?);
        let is = |coverage| Self::covering(fleet, coverage).is_some_and(|less| less == *self);
        Some(match known {
            FingerprintMatch::SameFleet => known,
            _ if is(Coverage::Texts) => FingerprintMatch::OtherTemplates,
            _ if is(Coverage::Numbers) => FingerprintMatch::OtherTexts,
            _ => known,
        })
    }

    pub fn compare(&self, other: &Self) -> FingerprintMatch {
        match self == other {
            true => FingerprintMatch::SameFleet,
            false if self.digits[..RULESET_DIGITS] == other.digits[..RULESET_DIGITS] => FingerprintMatch::OtherFleet,
            false => FingerprintMatch::OtherRules,
        }
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, digit) in self.digits.iter().enumerate() {
            let between = if n > 0 && n % 4 == 0 { "-" } else { "" };
            write!(out, "{between}{}", char::from(ALPHABET[usize::from(*digit) % 32]))?;
        }
        Ok(())
    }
}

/// Eight characters that tell two texts of a ruleset with its layers apart, also those of one version.
pub fn ruleset_code(ruleset: &Ruleset) -> String {
    let mut hash = CanonicalHasher::new("moldloft ruleset text 1");
    hash.put_ruleset(ruleset);
    for text in ruleset.texts() {
        hash.put_text(&text.replace("\r\n", "\n"));
    }
    let hash = hash.finish();
    (0..RULESET_CODE_LENGTH).map(|n| char::from(ALPHABET[usize::from(five_bits(&hash, n))])).collect()
}

/// The texts of a ruleset and its layers that are not built in, in the order of the layers.
fn own_texts(ruleset: &Ruleset) -> impl Iterator<Item = &str> {
    let ids = std::iter::once(&ruleset.base).chain(&ruleset.layers).map(|layer| &layer.id);
    let built_in = ids.filter_map(|id| store::built_in_source(&format!("rulesets/{id}.toml")));
    let built_in: Vec<Source> = built_in.collect();
    ruleset.texts().filter(move |text| !built_in.iter().any(|known| *known.text == **text))
}

/// The templates of a workspace that these rules can print with, and the outlines of the designs; each with its name, sorted.
/// A copy of a built-in template in its place does not count.
fn own_drawings(fleet: &EvaluatedFleet, ruleset: &Ruleset) -> BTreeMap<String, Vec<u8>> {
    let with_one_line_end = |text: &str| text.replace("\r\n", "\n");
    let mut drawings = BTreeMap::new();
    let ids: Vec<&str> = ruleset.templates.iter().map(|id| &**id).collect();
    for (name, source) in fleet.store.own_templates(&ids) {
        let text = source.map_or_else(|_| "unreadable".to_owned(), |source| with_one_line_end(&source.text));
        if store::built_in_source(&name).is_none_or(|known| with_one_line_end(&known.text) != text) {
            drawings.insert(name, text.into_bytes());
        }
    }
    for unit in &fleet.units {
        let Some(name) = &unit.evaluation.silhouette else { continue };
        let content = match beside_design(&unit.evaluation.file, name) {
            Some(Ok(ArtFile::Svg(source))) => with_one_line_end(&source.text).into_bytes(),
            Some(Ok(ArtFile::Picture(bytes))) => bytes,
            _ => continue,
        };
        drawings.insert(format!("{} {name}", unit.evaluation.name), content);
    }
    drawings
}

fn is_dash(sign: char) -> bool {
    matches!(sign, '-' | '_' | '.' | '\u{ad}' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

fn five_bits(hash: &[u8; 32], n: usize) -> u8 {
    let bit = n * 5;
    let pair = u16::from_be_bytes([hash[bit / 8], hash[bit / 8 + 1]]);
    ((pair >> (11 - bit % 8)) & 31) as u8
}

/// Detects every single wrong character, and nearly every exchange of two.
fn check_digit(digits: &[u8; LENGTH]) -> u8 {
    let sum: usize = digits[..LENGTH - 1].iter().enumerate().map(|(n, digit)| (2 * n + 1) * usize::from(*digit)).sum();
    (sum % 32) as u8
}

/// Hashes the content without ambiguity: different contents give different bytes.
struct CanonicalHasher(Sha256);

impl CanonicalHasher {
    fn new(what: &str) -> Self {
        let mut canon = Self(Sha256::new());
        canon.put_text(what);
        canon
    }

    fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }

    fn put_bytes(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn put_count(&mut self, many: usize) {
        self.put_bytes(&(many as u64).to_be_bytes());
    }

    fn put_text(&mut self, text: &str) {
        self.put_count(text.len());
        self.put_bytes(text.as_bytes());
    }

    /// A player's text, trimmed; `None` is the same as empty.
    fn put_optional_text(&mut self, text: Option<&str>) {
        self.put_text(text.unwrap_or_default().trim());
    }

    fn put_number(&mut self, number: Option<i64>) {
        match number {
            Some(number) => {
                self.put_bytes(&[1]);
                self.put_bytes(&number.to_be_bytes());
            }
            None => self.put_bytes(&[0]),
        }
    }

    fn put_value(&mut self, value: &Value) {
        match value {
            Value::Null => self.put_bytes(b"n"),
            Value::Int(number) => {
                self.put_bytes(b"i");
                self.put_bytes(&number.to_be_bytes());
            }
            Value::Flag(flag) => self.put_bytes(if *flag { b"t" } else { b"f" }),
            Value::Text(text) => {
                self.put_bytes(b"s");
                self.put_text(text);
            }
            Value::List(list) => {
                self.put_bytes(b"l");
                self.put_count(list.len());
                list.iter().for_each(|value| self.put_value(value));
            }
            Value::Record(record) => {
                self.put_bytes(b"r");
                self.put_count(record.entries.len());
                for (name, value) in &record.entries {
                    self.put_text(name);
                    self.put_value(value);
                }
            }
        }
    }

    /// A TOML file's content: neither comments, layout nor the order of keys count.
    fn put_toml_text(&mut self, text: &str) {
        let (root, faults) = toml::parse(text, 0);
        if faults.is_empty() { self.put_toml_table(&root) } else { self.put_text(&text.replace("\r\n", "\n")) }
    }

    fn put_toml_table(&mut self, table: &TomlTable<'_>) {
        let parts = table.entries.iter().map(|entry| {
            let mut part = Self::new("key");
            part.put_text(&entry.key);
            part.put_toml_value(&entry.node.data);
            part.finish()
        });
        let parts = parts.collect();
        self.put_sorted(parts);
    }

    fn put_toml_value(&mut self, value: &TomlValue<'_>) {
        self.put_text(value.type_name());
        match value {
            TomlValue::Int(number) => self.put_number(Some(*number)),
            TomlValue::Float(text) | TomlValue::Text(text) => self.put_text(text),
            TomlValue::Date(text) => self.put_text(text),
            TomlValue::Flag(flag) => self.put_bytes(&[u8::from(*flag)]),
            TomlValue::List(list) => {
                self.put_count(list.len());
                list.iter().for_each(|node| self.put_toml_value(&node.data));
            }
            TomlValue::Table(table) => self.put_toml_table(table),
        }
    }

    /// Sorts the parts, so that their order in the file does not count.
    fn put_sorted(&mut self, mut parts: Vec<[u8; 32]>) {
        parts.sort_unstable();
        self.put_count(parts.len());
        parts.iter().for_each(|part| self.put_bytes(part));
    }

    /// The rules: the ruleset, its layers, its settings.
    fn put_ruleset(&mut self, ruleset: &Ruleset) {
        self.put_text(&ruleset.id);
        self.put_count(1 + ruleset.layers.len());
        for layer in std::iter::once(&ruleset.base).chain(&ruleset.layers) {
            self.put_text(&layer.id);
            self.put_text(&layer.version);
        }
        let settings = ruleset.settings.iter().filter(|setting| *setting.id != *CHIT_SIZE);
        let parts = settings.map(|setting| {
            let mut part = Self::new("setting");
            part.put_text(&setting.id);
            part.put_value(&setting.value);
            part.finish()
        });
        let parts = parts.collect();
        self.put_sorted(parts);
    }

    /// The ship as the fleet states it, without captain and notes.
    fn put_ship(&mut self, ship: &Ship) {
        self.put_optional_text(ship.name.as_deref());
        self.put_optional_text(ship.hull_number.as_deref());
        self.put_optional_text(ship.group.as_deref());
        match &ship.carried_by {
            Some(by) => {
                self.put_text(&by.relation);
                self.put_text(&by.carrier);
            }
            None => self.put_text(""),
        }
        let relations = ship.relations.iter().map(|asks| {
            let mut part = Self::new("relation");
            part.put_text(&asks.relation);
            part.put_number(Some(asks.count));
            part.finish()
        });
        let relations = relations.collect();
        self.put_sorted(relations);
        self.put_count(ship.damage.stems().count());
        for stem in ship.damage.stems() {
            self.put_text(stem);
            self.put_text(&ship.damage.runs_text(stem));
        }
    }

    /// The class as designed, with this ship's load.
    fn put_design(&mut self, unit: &Evaluation) {
        self.put_optional_text(Some(&unit.name));
        self.put_count(unit.fields.len());
        for field in &unit.fields {
            self.put_text(&field.id);
            self.put_value(&field.value);
        }
        let fits = unit.fits.iter().map(|fit| {
            let mut part = Self::new("fit");
            part.put_text(&fit.system);
            part.put_text(&fit.mount);
            part.put_count(fit.count as usize);
            part.put_count(fit.answers.len());
            for (name, value) in &fit.answers {
                part.put_text(name);
                part.put_value(value);
            }
            part.finish()
        });
        let fits = fits.collect();
        self.put_sorted(fits);
    }

    /// The results: they show a ruleset that was changed without a new version.
    fn put_results(&mut self, unit: &Evaluation) {
        self.put_number(unit.points);
        self.put_bytes(&[u8::from(unit.legal)]);
        self.put_count(unit.values.len());
        for value in &unit.values {
            self.put_text(&value.id);
            self.put_value(&value.value);
        }
        let parts = unit.tracks.iter().map(|track| {
            let mut part = Self::new("track");
            part.put_text(&track.track);
            part.put_optional_text(track.mount.as_deref());
            part.put_count(track.rows.len());
            track.rows.iter().for_each(|boxes| part.put_count(*boxes as usize));
            part.finish()
        });
        let parts = parts.collect();
        self.put_sorted(parts);
        self.put_count(unit.tables.len());
        for table in &unit.tables {
            self.put_text(&table.id);
            // Rows for fits are in file order, which does not count.
            let rows = table.rows.iter().map(|row| {
                let mut part = Self::new("row");
                row.iter().for_each(|value| part.put_value(value));
                part.finish()
            });
            let rows = rows.collect();
            self.put_sorted(rows);
        }
        let parts = unit.counters.iter().map(|counter| {
            let mut part = Self::new("counter");
            part.put_text(&counter.id);
            part.put_count(counter.count as usize);
            part.finish()
        });
        let parts = parts.collect();
        self.put_sorted(parts);
    }
}

fn unit_hash(unit: &Evaluation) -> [u8; 32] {
    let mut canon = CanonicalHasher::new("unit");
    canon.put_ship(&unit.ship);
    canon.put_design(unit);
    canon.put_results(unit);
    canon.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Fingerprint {
        let mut canon = CanonicalHasher::new("test");
        canon.put_text(text);
        let hash = canon.finish();
        let mut digits = [0; LENGTH];
        (0..LENGTH - 1).for_each(|n| digits[n] = five_bits(&hash, n));
        digits[LENGTH - 1] = check_digit(&digits);
        Fingerprint { digits }
    }

    #[test]
    fn a_code_is_read_as_people_type_it() {
        for n in 0..200 {
            let one = code(&n.to_string());
            let shown = one.to_string();
            assert_eq!(shown.len(), 19);
            assert_eq!(Fingerprint::parse(&shown), Ok(one));
            let typed = shown.to_lowercase().replace('0', "o").replace('1', "l").replace('-', " ").replace('v', "u");
            assert_eq!(Fingerprint::parse(&typed), Ok(one));
            assert_eq!(Fingerprint::parse(&shown.replace('-', "–").replace('1', "I")), Ok(one));
            assert_eq!(Fingerprint::parse(&shown.replace('-', "")), Ok(one));
        }
    }

    #[test]
    fn a_slip_is_told_from_another_fleet() {
        let shown: Vec<char> = code("slip").to_string().chars().collect();
        for at in (0..shown.len()).filter(|at| shown[*at] != '-') {
            for sign in ALPHABET.iter().map(|sign| char::from(*sign)).filter(|sign| *sign != shown[at]) {
                let mut typed = shown.clone();
                typed[at] = sign;
                let typed: String = typed.into_iter().collect();
                let finding = Fingerprint::parse(&typed).expect_err(&typed);
                assert!(finding.message.contains("misspelled"), "{}", finding.message);
            }
        }
        assert!(Fingerprint::parse("K7QF").expect_err("short").message.contains("found 4"));
        assert!(Fingerprint::parse("K7QF-2M9D-XW4T-8HN*").expect_err("a star").message.contains('*'));
        assert!(Fingerprint::parse("").is_err());
    }
}
