//! The short code of a fleet: takes a fleet as it was mustered, gives sixteen signs that another copy of the program works out again from
//! the files. It stands for what counts in a game (rules, classes as designed, ships as stated, what comes of them), not for how a file is
//! laid out, its comments, line ends, or the order of ships. What it proves and what not is told in docs/packs.md.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::design::Ship;
use crate::evaluate::Evaluation;
use crate::finding::Finding;
use crate::formula::Value;
use crate::ruleset::Ruleset;

use super::fleet::Mustered;

/// Crockford's signs: no I, L, O or U, which are misread.
const SIGNS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Signs of a code.
const LENGTH: usize = 16;
/// Of these the first say which rules, the last checks the typing, all between say which fleet.
const RULES: usize = 3;
/// The setting that sizes chits: how large they are printed is no rule.
const CHIT_SIZE: &str = "chit_mm";

/// A fleet's short code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    digits: [u8; LENGTH],
}

/// How two codes compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// The same fleet under the same rules.
    Same,
    /// The rules are the same, the ships or the budget are not.
    OtherFleet,
    /// The rules are not the same, so that nothing can be said of the ships.
    OtherRules,
}

impl Code {
    /// The code of a fleet; `None` when its rules cannot be used.
    pub fn of(fleet: &Mustered) -> Option<Self> {
        let ruleset = fleet.ruleset.as_deref()?;
        let mut rules = Canon::new("moldloft rules 1");
        rules.rules(ruleset);
        let rules = rules.done();
        let mut whole = Canon::new("moldloft fleet 1");
        whole.bytes(&rules);
        whole.number(fleet.fleet.budget.map(|budget| budget.points));
        let mut units: Vec<[u8; 32]> = fleet.units.iter().map(|unit| of_unit(&unit.evaluation)).collect();
        units.sort_unstable();
        whole.count(units.len());
        units.iter().for_each(|unit| whole.bytes(unit));
        let whole = whole.done();
        let mut digits = [0; LENGTH];
        for (n, digit) in digits.iter_mut().enumerate().take(LENGTH - 1) {
            *digit = if n < RULES { five_bits(&rules, n) } else { five_bits(&whole, n - RULES) };
        }
        digits[LENGTH - 1] = check(&digits);
        Some(Self { digits })
    }

    /// A code as somebody typed it: capitals or not, with or without spaces and hyphens, O for 0, I or L for 1, U for V.
    ///
    /// # Errors
    /// `not-a-code` when it is none, or was mistyped.
    pub fn read(text: &str) -> Result<Self, Finding> {
        let wrong = |message: String| {
            let help = "a code has sixteen letters and digits in four groups, such as K7QF-2M9D-XW4T-8HNC";
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
            match SIGNS.iter().position(|known| char::from(*known) == sign) {
                Some(digit) => digits.push(digit as u8),
                None => return wrong(format!("invalid character `{}` in a code", sign.escape_default())),
            }
        }
        match <[u8; LENGTH]>::try_from(digits) {
            Ok(digits) if digits[LENGTH - 1] == check(&digits) => Ok(Self { digits }),
            Ok(_) => wrong("misspelled code: the last character does not match the others".to_owned()),
            Err(digits) => wrong(format!("expected {LENGTH} characters, found {}", digits.len())),
        }
    }

    /// How it compares with another.
    pub fn compare(&self, other: &Self) -> Likeness {
        match self == other {
            true => Likeness::Same,
            false if self.digits[..RULES] == other.digits[..RULES] => Likeness::OtherFleet,
            false => Likeness::OtherRules,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, digit) in self.digits.iter().enumerate() {
            let between = if n > 0 && n % 4 == 0 { "-" } else { "" };
            write!(out, "{between}{}", char::from(SIGNS[usize::from(*digit) % 32]))?;
        }
        Ok(())
    }
}

fn is_dash(sign: char) -> bool {
    matches!(sign, '-' | '_' | '.' | '\u{ad}' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

fn five_bits(hash: &[u8; 32], n: usize) -> u8 {
    let bit = n * 5;
    let pair = u16::from_be_bytes([hash[bit / 8], hash[bit / 8 + 1]]);
    ((pair >> (11 - bit % 8)) & 31) as u8
}

/// One wrong sign always shows, and nearly always two that changed places.
fn check(digits: &[u8; LENGTH]) -> u8 {
    let sum: usize = digits[..LENGTH - 1].iter().enumerate().map(|(n, digit)| (2 * n + 1) * usize::from(*digit)).sum();
    (sum % 32) as u8
}

/// What counts, written so that no two things are written alike.
struct Canon(Sha256);

impl Canon {
    fn new(what: &str) -> Self {
        let mut canon = Self(Sha256::new());
        canon.text(what);
        canon
    }

    fn done(self) -> [u8; 32] {
        self.0.finalize().into()
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn count(&mut self, many: usize) {
        self.bytes(&(many as u64).to_be_bytes());
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes(text.as_bytes());
    }

    /// Text of the player, without the space around it; absent is as empty.
    fn said(&mut self, text: Option<&str>) {
        self.text(text.unwrap_or_default().trim());
    }

    fn number(&mut self, number: Option<i64>) {
        match number {
            Some(number) => {
                self.bytes(&[1]);
                self.bytes(&number.to_be_bytes());
            }
            None => self.bytes(&[0]),
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.bytes(b"n"),
            Value::Int(number) => {
                self.bytes(b"i");
                self.bytes(&number.to_be_bytes());
            }
            Value::Flag(flag) => self.bytes(if *flag { b"t" } else { b"f" }),
            Value::Text(text) => {
                self.bytes(b"s");
                self.text(text);
            }
            Value::List(list) => {
                self.bytes(b"l");
                self.count(list.len());
                list.iter().for_each(|value| self.value(value));
            }
            Value::Record(record) => {
                self.bytes(b"r");
                self.count(record.entries.len());
                for (name, value) in &record.entries {
                    self.text(name);
                    self.value(value);
                }
            }
        }
    }

    /// Parts in an order of their own, so that theirs in the file does not count.
    fn sorted(&mut self, mut parts: Vec<[u8; 32]>) {
        parts.sort_unstable();
        self.count(parts.len());
        parts.iter().for_each(|part| self.bytes(part));
    }

    /// Which rules are in force: the ruleset, its layers, its settings.
    fn rules(&mut self, ruleset: &Ruleset) {
        self.text(&ruleset.id);
        self.count(1 + ruleset.layers.len());
        for layer in std::iter::once(&ruleset.base).chain(&ruleset.layers) {
            self.text(&layer.id);
            self.text(&layer.version);
        }
        let settings = ruleset.settings.iter().filter(|setting| *setting.id != *CHIT_SIZE);
        let parts = settings.map(|setting| {
            let mut part = Self::new("setting");
            part.text(&setting.id);
            part.value(&setting.value);
            part.done()
        });
        let parts = parts.collect();
        self.sorted(parts);
    }

    /// Which ship it is and what the fleet states of her; not who commands her, nor notes.
    fn ship(&mut self, ship: &Ship) {
        self.said(ship.name.as_deref());
        self.said(ship.hull_number.as_deref());
        self.said(ship.group.as_deref());
        match &ship.carried_by {
            Some(by) => {
                self.text(&by.relation);
                self.text(&by.carrier);
            }
            None => self.text(""),
        }
        let relations = ship.relations.iter().map(|asks| {
            let mut part = Self::new("relation");
            part.text(&asks.relation);
            part.number(Some(asks.count));
            part.done()
        });
        let relations = relations.collect();
        self.sorted(relations);
        self.count(ship.damage.stems().count());
        for stem in ship.damage.stems() {
            self.text(stem);
            self.text(&ship.damage.words(stem));
        }
    }

    /// The class as designed, with the load that this ship carries.
    fn design(&mut self, unit: &Evaluation) {
        self.said(Some(&unit.name));
        self.count(unit.fields.len());
        for field in &unit.fields {
            self.text(&field.id);
            self.value(&field.value);
        }
        let fits = unit.fits.iter().map(|fit| {
            let mut part = Self::new("fit");
            part.text(&fit.system);
            part.text(&fit.mount);
            part.count(fit.count as usize);
            part.count(fit.answers.len());
            for (name, value) in &fit.answers {
                part.text(name);
                part.value(value);
            }
            part.done()
        });
        let fits = fits.collect();
        self.sorted(fits);
    }

    /// What the rules make of it: a ruleset that was changed under the same version shows here.
    fn results(&mut self, unit: &Evaluation) {
        self.number(unit.points);
        self.bytes(&[u8::from(unit.legal)]);
        self.count(unit.values.len());
        for value in &unit.values {
            self.text(&value.id);
            self.value(&value.value);
        }
        let parts = unit.tracks.iter().map(|track| {
            let mut part = Self::new("track");
            part.text(&track.track);
            part.said(track.mount.as_deref());
            part.count(track.rows.len());
            track.rows.iter().for_each(|boxes| part.count(*boxes as usize));
            part.done()
        });
        let parts = parts.collect();
        self.sorted(parts);
        self.count(unit.tables.len());
        for table in &unit.tables {
            self.text(&table.id);
            // Rows of fits stand in the file's order, which does not count.
            let rows = table.rows.iter().map(|row| {
                let mut part = Self::new("row");
                row.iter().for_each(|value| part.value(value));
                part.done()
            });
            let rows = rows.collect();
            self.sorted(rows);
        }
        let parts = unit.counters.iter().map(|counter| {
            let mut part = Self::new("counter");
            part.text(&counter.id);
            part.count(counter.count as usize);
            part.done()
        });
        let parts = parts.collect();
        self.sorted(parts);
    }
}

fn of_unit(unit: &Evaluation) -> [u8; 32] {
    let mut canon = Canon::new("unit");
    canon.ship(&unit.ship);
    canon.design(unit);
    canon.results(unit);
    canon.done()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Code {
        let mut canon = Canon::new("test");
        canon.text(text);
        let hash = canon.done();
        let mut digits = [0; LENGTH];
        (0..LENGTH - 1).for_each(|n| digits[n] = five_bits(&hash, n));
        digits[LENGTH - 1] = check(&digits);
        Code { digits }
    }

    #[test]
    fn a_code_is_read_as_people_type_it() {
        for n in 0..200 {
            let one = code(&n.to_string());
            let shown = one.to_string();
            assert_eq!(shown.len(), 19);
            assert_eq!(Code::read(&shown), Ok(one));
            let typed = shown.to_lowercase().replace('0', "o").replace('1', "l").replace('-', " ").replace('v', "u");
            assert_eq!(Code::read(&typed), Ok(one));
            assert_eq!(Code::read(&shown.replace('-', "–").replace('1', "I")), Ok(one));
            assert_eq!(Code::read(&shown.replace('-', "")), Ok(one));
        }
    }

    #[test]
    fn a_slip_is_told_from_another_fleet() {
        let shown: Vec<char> = code("slip").to_string().chars().collect();
        for at in (0..shown.len()).filter(|at| shown[*at] != '-') {
            for sign in SIGNS.iter().map(|sign| char::from(*sign)).filter(|sign| *sign != shown[at]) {
                let mut typed = shown.clone();
                typed[at] = sign;
                let typed: String = typed.into_iter().collect();
                let finding = Code::read(&typed).expect_err(&typed);
                assert!(finding.message.contains("misspelled"), "{}", finding.message);
            }
        }
        assert!(Code::read("K7QF").expect_err("short").message.contains("found 4"));
        assert!(Code::read("K7QF-2M9D-XW4T-8HN*").expect_err("a star").message.contains('*'));
        assert!(Code::read("").is_err());
    }
}
