//! Limits as sentences: takes what a player fills in, gives the keys of the check.

use moldloft_base::sanitize::file_stem;

/// What a sentence says, with gaps for names and a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Limit {
    #[default]
    MostOnShip,
    LeastOnShip,
    Needs,
    NotTogether,
    MostOfNumber,
    LeastOfNumber,
    MostInFleet,
    MostOfClass,
    /// Written by hand.
    Formula,
}

/// A gap of a sentence, or the words between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SentencePart {
    Words(&'static str),
    Count,
    System,
    OtherSystem,
    Number,
}

/// A sentence as it is filled in: ids of systems, and of a number of the ship.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sentence {
    pub limit: Limit,
    pub system: String,
    pub other: String,
    pub number: String,
    pub count: i64,
}

/// The keys of a check that a sentence sets; `code` for a code that was not typed.
pub type SentenceCells = [(&'static str, String); 6];

impl Limit {
    pub const ALL: [Self; 9] = [
        Self::MostOnShip,
        Self::LeastOnShip,
        Self::Needs,
        Self::NotTogether,
        Self::MostOfNumber,
        Self::LeastOfNumber,
        Self::MostInFleet,
        Self::MostOfClass,
        Self::Formula,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::MostOnShip => "At most so many of a system on a ship",
            Self::LeastOnShip => "At least so many of a system on a ship",
            Self::Needs => "A system needs another one",
            Self::NotTogether => "Two systems are never on one ship",
            Self::MostOfNumber => "A number of the ship is limited",
            Self::LeastOfNumber => "A number of the ship has a minimum",
            Self::MostInFleet => "At most so many of a system in a fleet",
            Self::MostOfClass => "At most so many ships of a class in a fleet",
            Self::Formula => "Something else: a formula",
        }
    }

    pub fn parts(self) -> &'static [SentencePart] {
        use SentencePart::{Count, Number, OtherSystem, System, Words};
        match self {
            Self::MostOnShip => &[Words("A ship has at most"), Count, Words("×"), System],
            Self::LeastOnShip => &[Words("A ship has at least"), Count, Words("×"), System],
            Self::Needs => &[Words("A ship with"), System, Words("needs"), OtherSystem],
            Self::NotTogether => &[Words("No ship has both"), System, Words("and"), OtherSystem],
            Self::MostOfNumber => &[Words("A ship's"), Number, Words("is at most"), Count],
            Self::LeastOfNumber => &[Words("A ship's"), Number, Words("is at least"), Count],
            Self::MostInFleet => &[Words("A fleet has at most"), Count, Words("×"), System],
            Self::MostOfClass => &[Words("A fleet has at most"), Count, Words("ships of one class")],
            Self::Formula => &[],
        }
    }
}

impl Sentence {
    /// Whether all its gaps are filled in.
    pub fn is_complete(&self) -> bool {
        self.limit.parts().iter().all(|part| match part {
            SentencePart::System => !self.system.is_empty(),
            SentencePart::OtherSystem => !self.other.is_empty(),
            SentencePart::Number => !self.number.is_empty(),
            SentencePart::Words(_) | SentencePart::Count => true,
        })
    }

    /// `None` if gaps are left, or for a formula of one's own. `name`: of an id, for players.
    pub fn cells(&self, name: impl Fn(&str) -> String) -> Option<SentenceCells> {
        if self.limit == Limit::Formula || !self.is_complete() {
            return None;
        }
        let (count, has) = (self.count, |id: &str| format!("count('{id}')"));
        let (own, other, number) = (has(&self.system), has(&self.other), &self.number);
        let (system, second) = (name(&self.system), name(&self.other));
        let all = format!("sum(each({own}))");
        let (code, fails_when, message) = match self.limit {
            Limit::MostOnShip => (
                format!("too many {}", self.system),
                format!("{own} > {count}"),
                format!("{{{{ {own} }}}} × {system}, at most {count} on a ship"),
            ),
            Limit::LeastOnShip => (
                format!("too few {}", self.system),
                format!("{own} < {count}"),
                format!("{{{{ {own} }}}} × {system}, at least {count} on a ship"),
            ),
            Limit::Needs => (
                format!("{} without {}", self.system, self.other),
                format!("{own} > 0 and {other} == 0"),
                format!("{system} without {second}"),
            ),
            Limit::NotTogether => (
                format!("{} with {}", self.system, self.other),
                format!("{own} > 0 and {other} > 0"),
                format!("{system} and {second} on one ship"),
            ),
            Limit::MostOfNumber => (
                format!("{number} too high"),
                format!("{number} > {count}"),
                format!("{}: {{{{ {number} }}}}, at most {count}", name(number)),
            ),
            Limit::LeastOfNumber => (
                format!("{number} too low"),
                format!("{number} < {count}"),
                format!("{}: {{{{ {number} }}}}, at least {count}", name(number)),
            ),
            Limit::MostInFleet => (
                format!("too many {} in a fleet", self.system),
                format!("{all} > {count}"),
                format!("{{{{ {all} }}}} × {system} in the fleet, at most {count}"),
            ),
            Limit::MostOfClass | Limit::Formula => (
                "too many of a class".to_owned(),
                format!("it.count > {count}"),
                format!("{{{{ it.count }}}} ships of class {{{{ it.name }}}}, at most {count}"),
            ),
        };
        let is_of_fleet = matches!(self.limit, Limit::MostInFleet | Limit::MostOfClass);
        let points_at = matches!(self.limit, Limit::MostOnShip | Limit::Needs | Limit::NotTogether);
        let only = |is_used: bool, text: String| if is_used { text } else { String::new() };
        Some([
            ("code", file_stem(&code, "house-rule")),
            ("fails_when", fails_when),
            ("message", message),
            ("over", only(is_of_fleet, "fleet".to_owned())),
            ("for_each", only(self.limit == Limit::MostOfClass, "class".to_owned())),
            ("at", only(points_at, format!("system:{}", self.system))),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_with_gaps_is_no_check() {
        let of = |limit| Sentence { limit, system: "laser".to_owned(), count: 2, ..Sentence::default() };
        assert!(of(Limit::Needs).cells(str::to_owned).is_none());
        let cells = of(Limit::MostInFleet).cells(|_| "heavy laser".to_owned()).expect("complete");
        let expected = [
            ("code", "too-many-laser-in-a-fleet"),
            ("fails_when", "sum(each(count('laser'))) > 2"),
            ("message", "{{ sum(each(count('laser'))) }} × heavy laser in the fleet, at most 2"),
            ("over", "fleet"),
            ("for_each", ""),
            ("at", ""),
        ];
        assert_eq!(cells, expected.map(|(key, text)| (key, text.to_owned())));
    }
}
