//! Random attacks against plain enumeration of every throw, in fractions.

use std::collections::BTreeMap;
use std::fmt::Write;

use proptest::prelude::*;

use moldloft_rules::formula::{Value, Weight};

use super::fraction::Fraction;
use super::plain::volley_of;

/// A formula that can be written and, with the throws given, computed.
#[derive(Clone, Debug)]
enum Sum {
    Number(i64),
    Name(usize),
    Die(u32),
    Add(Box<Sum>, Box<Sum>),
    Less(Box<Sum>, Box<Sum>),
    Both(Box<Sum>, Box<Sum>),
    Choice(Box<Sum>, Box<Sum>, Box<Sum>),
    Times(i64, Box<Sum>),
    Least(Box<Sum>, Box<Sum>),
}

#[derive(Clone, Debug)]
enum Act {
    /// All at once.
    Set(Vec<(usize, Sum)>),
    When(Sum, Vec<Act>),
    Repeat(Sum, Vec<Act>),
}

/// 0 and 1 are names of the attack, 2 and 3 gauges of the target, 4 one of the firer.
const NAMES: [&str; 5] = ["a", "b", "left.hull", "left.fire", "own.hull"];
const MOST: [i64; 5] = [0, 0, 5, 3, 5];
/// More throws than this are not counted.
const MAX_THROWS: usize = 30_000;

/// Takes choices from bytes.
struct Maker<'b> {
    bytes: &'b [u8],
    dice: usize,
}

impl Maker<'_> {
    fn pick(&mut self, of: usize) -> usize {
        let Some((first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        usize::from(*first) % of
    }

    fn sum(&mut self, depth: usize) -> Sum {
        let kind = if depth == 0 { self.pick(3) } else { self.pick(9) };
        let more = |maker: &mut Self| Box::new(maker.sum(depth - 1));
        match kind {
            0 => Sum::Number(self.pick(4) as i64),
            1 => Sum::Name(self.pick(NAMES.len())),
            2 if self.dice == 0 => Sum::Number(1),
            2 => {
                self.dice -= 1;
                Sum::Die(2 + self.pick(3) as u32)
            }
            3 => Sum::Add(more(self), more(self)),
            4 => Sum::Less(more(self), more(self)),
            5 => Sum::Both(more(self), more(self)),
            6 => Sum::Choice(more(self), more(self), more(self)),
            7 => Sum::Times(self.pick(3) as i64, more(self)),
            _ => Sum::Least(more(self), more(self)),
        }
    }

    fn acts(&mut self, depth: usize) -> Vec<Act> {
        let count = 1 + self.pick(2);
        (0..count)
            .map(|_| match if depth == 0 { 0 } else { self.pick(4) } {
                0 | 1 => {
                    let first = self.pick(NAMES.len());
                    let mut set = vec![(first, self.sum(2))];
                    let second = self.pick(NAMES.len());
                    if second != first {
                        set.push((second, self.sum(1)));
                    }
                    Act::Set(set)
                }
                2 => Act::When(self.sum(1), self.acts(depth - 1)),
                _ => Act::Repeat(self.sum(1), self.acts(depth - 1)),
            })
            .collect()
    }
}

fn write_sum(sum: &Sum) -> String {
    let inner = |sum: &Sum| write_sum(sum);
    match sum {
        Sum::Number(number) => number.to_string(),
        Sum::Name(name) => NAMES[*name].to_owned(),
        Sum::Die(sides) => format!("d{sides}"),
        Sum::Add(a, b) => format!("({} + {})", inner(a), inner(b)),
        Sum::Less(a, b) => format!("(1 if {} < {} else 0)", inner(a), inner(b)),
        Sum::Both(a, b) => format!("(1 if {} and {} else 0)", inner(a), inner(b)),
        Sum::Choice(a, b, c) => format!("({} if {} else {})", inner(a), inner(b), inner(c)),
        Sum::Times(count, each) => format!("times({count}, {})", inner(each)),
        Sum::Least(a, b) => format!("min({}, {})", inner(a), inner(b)),
    }
}

fn write_acts(acts: &[Act], path: &str, out: &mut String) {
    for act in acts {
        let _ = writeln!(out, "[[{path}]]");
        match act {
            Act::Set(set) => set.iter().for_each(|(name, sum)| {
                let sign = if *name >= 2 { format!("{} - ", NAMES[*name]) } else { String::new() };
                let _ = writeln!(out, "{} = \"{sign}{}\"", NAMES[*name], write_sum(sum));
            }),
            Act::When(when, inner) => {
                let _ = writeln!(out, "when = \"{} > 1\"", write_sum(when));
                write_acts(inner, &format!("{path}.each"), out);
            }
            Act::Repeat(count, inner) => {
                let _ = writeln!(out, "repeat = \"min(2, {})\"", write_sum(count));
                write_acts(inner, &format!("{path}.each"), out);
            }
        }
    }
}

/// Throws, one after the other; all combinations in turn.
#[derive(Default)]
struct Throws {
    /// What was thrown, and the sides.
    thrown: Vec<(u32, u32)>,
    next: usize,
}

impl Throws {
    fn throw(&mut self, sides: u32) -> i64 {
        if self.next == self.thrown.len() {
            self.thrown.push((1, sides));
        }
        self.next += 1;
        i64::from(self.thrown[self.next - 1].0)
    }

    fn weight(&self) -> Fraction {
        self.thrown.iter().fold(Fraction::one(), |weight, (_, sides)| weight.times(&Fraction::ratio(1, *sides)))
    }

    /// False after the last combination.
    fn advance(&mut self) -> bool {
        self.next = 0;
        while let Some((face, sides)) = self.thrown.pop() {
            if face < sides {
                self.thrown.push((face + 1, sides));
                return true;
            }
        }
        false
    }
}

fn compute(sum: &Sum, names: &[i64; 5], throws: &mut Throws) -> i64 {
    let mut value = |sum: &Sum| compute(sum, names, throws);
    match sum {
        Sum::Number(number) => *number,
        Sum::Name(name) => names[*name],
        Sum::Die(sides) => throws.throw(*sides),
        Sum::Add(a, b) => value(a) + value(b),
        Sum::Less(a, b) => i64::from(value(a) < value(b)),
        Sum::Both(a, b) => i64::from((value(a) != 0) & (value(b) != 0)),
        Sum::Choice(a, b, c) => {
            if value(b) != 0 {
                value(a)
            } else {
                value(c)
            }
        }
        Sum::Times(count, each) => (0..*count).map(|_| value(each)).sum(),
        Sum::Least(a, b) => value(a).min(value(b)),
    }
}

fn perform(acts: &[Act], names: &mut [i64; 5], throws: &mut Throws) {
    for act in acts {
        match act {
            Act::Set(set) => {
                let before = *names;
                for (name, sum) in set {
                    let value = compute(sum, &before, throws);
                    names[*name] = match name {
                        0 | 1 => value,
                        _ => (before[*name] - value).clamp(0, MOST[*name]),
                    };
                }
            }
            Act::When(when, inner) => {
                if compute(when, names, throws) > 1 {
                    perform(inner, names, throws);
                }
            }
            Act::Repeat(count, inner) => {
                for _ in 0..compute(count, names, throws).min(2) {
                    perform(inner, names, throws);
                }
            }
        }
    }
}

/// Both gauges of the target together, by counting; `None` if there are too many throws.
fn counted(acts: &[Act]) -> Option<BTreeMap<i64, Fraction>> {
    let mut found: BTreeMap<i64, Fraction> = BTreeMap::new();
    let mut throws = Throws::default();
    for _ in 0..MAX_THROWS {
        let mut names = [0, 0, 5, 0, 5];
        perform(acts, &mut names, &mut throws);
        found.entry(10 * names[2] + names[3]).or_insert_with(Fraction::zero).add(&throws.weight());
        if !throws.advance() {
            return Some(found);
        }
    }
    None
}

fn toml(acts: &[Act]) -> String {
    let mut text = "[[gauge]]\nid = \"hull\"\nboxes = 5\nends = true\n[[gauge]]\nid = \"fire\"\nmost = 3\n\
        [[outcome]]\nid = \"both\"\nformula = \"10 * left.hull + left.fire\"\n\
        [[attack]]\nid = \"a\"\n[[attack.step]]\na = \"0\"\nb = \"0\"\n"
        .to_owned();
    write_acts(acts, "attack.step", &mut text);
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn every_throw_is_counted(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        let acts = Maker { bytes: &bytes, dice: 4 }.acts(2);
        let Some(wanted) = counted(&acts) else { return Ok(()) };
        let text = toml(&acts);
        let volley = volley_of::<Fraction>(&text).unwrap();
        prop_assert!(volley.errors.is_empty(), "{:?}\n{}", volley.errors, text);
        let both = &volley.outcomes[0].spread;
        let found: BTreeMap<i64, Fraction> = both
            .outcomes
            .iter()
            .map(|(value, weight)| (if let Value::Int(number) = value { *number } else { -1 }, weight.clone()))
            .collect();
        prop_assert_eq!(&found, &wanted, "{}", text);
        // Each gauge by itself is as in the joint run.
        for gauge in &volley.gauges {
            let mut alone: BTreeMap<i64, Fraction> = BTreeMap::new();
            for (joint, weight) in &wanted {
                let lost = if gauge.gauge == 0 { 5 - joint / 10 } else { joint % 10 };
                alone.entry(lost).or_insert_with(Fraction::zero).add(weight);
            }
            let found: BTreeMap<i64, Fraction> = gauge.lost.iter().cloned().collect();
            prop_assert_eq!(&found, &alone, "{}", text);
        }
        // Doubles agree.
        let double = volley_of::<f64>(&text).unwrap();
        for ((_, weight), (_, exact)) in double.outcomes[0].spread.outcomes.iter().zip(&both.outcomes) {
            prop_assert!((weight - exact.value()).abs() < 1e-12, "{}", text);
        }
    }
}
