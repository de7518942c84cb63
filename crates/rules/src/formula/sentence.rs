//! Says in words how a compiled formula came to its result: takes the numbers and the names for players, gives a phrase
//! such as `30 % of mass 125 (Manticore Alliance, starship), rounded down`. Gives nothing for what it has no words for.

use super::functions::Function;
use super::node::{FormulaNode, NodeOp};
use super::run::FormulaRun;
use super::syntax::{CompareOp, ProductOp, SumOp};
use super::{Formula, Host, Slot, Value};

/// The names for players of what a formula reads.
pub trait Wording {
    /// `mass` for a slot whose number follows; `None` if it has no name.
    fn slot_name(&self, slot: Slot) -> Option<String>;

    /// What a slot says of the ship where it decides about a number: `Manticore Alliance`, `no pods in tow`.
    fn circumstance(&self, slot: Slot, value: &Value) -> Option<String>;

    /// Whether a slot only says how a number is computed, such as the percentage of a nation.
    fn is_rate(&self, slot: Slot) -> bool;

    /// A phrase with numbered holes, `the number of {1}`, with these values in them.
    fn tell(&self, phrase: &str, values: &[&str]) -> String;

    /// `alpha nodes aboard` for a bound call whose number follows.
    fn call_name(&self, call: u32, arguments: &[Value]) -> Option<String>;
}

/// Longer phrases are harder to read than the formula.
const MAX_CHARS: usize = 240;
const MAX_CIRCUMSTANCES: usize = 4;
/// Items of a list that are said one by one.
const MAX_LISTED: usize = 12;

impl Formula {
    /// How its number comes about, in words, without the number itself; `None` if there are no words for it.
    pub fn phrase(&self, host: &dyn Host, wording: &dyn Wording) -> Option<String> {
        let node = &self.tree.node;
        let run = FormulaRun::new(host, node.size());
        let mut speaker = Speaker { run: &run, wording, circumstances: Vec::new(), said: Vec::new() };
        let phrase = match &node.op {
            NodeOp::Const(Value::Int(_) | Value::Flag(_) | Value::Text(_)) => {
                Phrase { text: wording.tell("the same for every design", &[]), ends: String::new(), is_sum: false }
            }
            NodeOp::Slot(slot) | NodeOp::IntSlot(slot) if !wording.is_rate(*slot) => {
                Phrase::new(wording.tell("the same as {1}", &[&wording.slot_name(*slot)?]))
            }
            NodeOp::HostCall(call, items) => {
                let given: Option<Vec<Value>> = items.iter().map(|item| item.value(&run).ok()).collect();
                Phrase::new(wording.call_name(*call, &given?)?)
            }
            _ => speaker.say(node)?,
        };
        let said = speaker.said;
        let more = speaker.circumstances.into_iter().filter(|(slot, _)| !said.contains(slot));
        let mut circumstances: Vec<String> = Vec::new();
        for (_, text) in more {
            if !circumstances.contains(&text) {
                circumstances.push(text);
            }
        }
        circumstances.truncate(MAX_CIRCUMSTANCES);
        let circumstances =
            if circumstances.is_empty() { String::new() } else { format!(" ({})", circumstances.join(", ")) };
        let text = format!("{}{circumstances}{}", phrase.text, phrase.ends);
        (text.chars().count() <= MAX_CHARS).then_some(text)
    }
}

/// `3, 4 and 5`; `None` for no items.
fn joined(wording: &dyn Wording, items: &[String]) -> Option<String> {
    let (last, first) = items.split_last()?;
    Some(if first.is_empty() { last.clone() } else { wording.tell("{1} and {2}", &[&first.join(", "), last]) })
}

struct Phrase {
    text: String,
    /// `, rounded down`: follows the circumstances.
    ends: String,
    is_sum: bool,
}

impl Phrase {
    fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ends: String::new(), is_sum: false }
    }

    /// As a part of a longer phrase.
    fn part(self) -> String {
        if self.is_sum || !self.ends.is_empty() { format!("({}{})", self.text, self.ends) } else { self.text }
    }

    fn whole(self) -> String {
        format!("{}{}", self.text, self.ends)
    }
}

struct Speaker<'r, 'h> {
    run: &'r FormulaRun<'h>,
    wording: &'r dyn Wording,
    circumstances: Vec<(Slot, String)>,
    /// Slots whose numbers are in the phrase.
    said: Vec<Slot>,
}

impl Speaker<'_, '_> {
    fn say(&mut self, node: &FormulaNode) -> Option<Phrase> {
        Some(match &node.op {
            NodeOp::Const(value) => Phrase::new(plain(value)?),
            NodeOp::Slot(slot) | NodeOp::IntSlot(slot) => {
                let value = node.value(self.run).ok()?;
                if self.wording.is_rate(*slot) {
                    self.note(*slot, &value);
                    return Some(Phrase::new(plain(&value)?));
                }
                self.said.push(*slot);
                Phrase::new(named(&self.wording.slot_name(*slot)?, &plain(&value)?))
            }
            NodeOp::HostCall(call, items) => {
                let given: Option<Vec<Value>> = items.iter().map(|item| item.value(self.run).ok()).collect();
                let name = self.wording.call_name(*call, &given?)?;
                Phrase::new(named(&name, &plain(&node.value(self.run).ok()?)?))
            }
            NodeOp::Field(inner, name) => {
                let NodeOp::HostCall(call, items) = &inner.op else { return None };
                let given: Option<Vec<Value>> = items.iter().map(|item| item.value(self.run).ok()).collect();
                let table = self.wording.call_name(*call, &given?)?;
                self.note_reads(inner);
                let name = self.wording.tell("{1} in {2}", &[&self.wording.tell(&name.replace('_', " "), &[]), &table]);
                Phrase::new(named(&name, &plain(&node.value(self.run).ok()?)?))
            }
            NodeOp::Sum { first, rest, .. } => {
                let mut text = self.say(first)?.part();
                for (sign, item) in rest {
                    // What adds nothing is left out.
                    if matches!(item.value(self.run), Ok(Value::Int(0))) && !matches!(item.op, NodeOp::IntSlot(_)) {
                        self.note_reads(item);
                        continue;
                    }
                    let sign = if *sign == SumOp::Add { "+" } else { "−" };
                    text.push_str(&format!(" {sign} {}", self.say(item)?.part()));
                }
                let is_sum = text.contains(" + ") || text.contains(" − ");
                Phrase { text, ends: String::new(), is_sum }
            }
            NodeOp::Product { first, rest } => self.say_product(first, rest)?,
            NodeOp::NumberCall(function, _, items) => self.say_function(function, items)?,
            NodeOp::If(parts) => {
                let taken = match parts[1].eval_flag(self.run) {
                    Ok(Some(true)) => &parts[0],
                    Ok(Some(false)) => &parts[2],
                    Ok(None) | Err(_) => return None,
                };
                self.note_reads(&parts[1]);
                self.say(taken)?
            }
            NodeOp::Negate(inner) => Phrase::new(format!("−{}", self.say(inner)?.part())),
            NodeOp::Not(inner) => {
                let inner = self.say(inner)?.part();
                Phrase::new(self.wording.tell("not {1}", &[&inner]))
            }
            NodeOp::IsNotEmpty(inner) => self.say(inner)?,
            NodeOp::Compare { first, rest, .. } => {
                let mut text = self.say(first)?.part();
                for (relation, item) in rest {
                    let relation = self.wording.tell(relation_words(*relation), &[]);
                    text.push_str(&format!(" {relation} {}", self.say(item)?.part()));
                }
                Phrase::new(text)
            }
            NodeOp::And(items) => self.say_joined(items, "{1} and {2}")?,
            NodeOp::Or(items) => self.say_joined(items, "{1} or {2}")?,
            NodeOp::Index(parts) => {
                let value = plain(&node.value(self.run).ok()?)?;
                let Value::Int(place) = parts[1].value(self.run).ok()? else { return None };
                self.note_reads(&parts[1]);
                // Places count from 0, or from the end.
                let place = match place {
                    -1 => self.wording.tell("the last", &[]),
                    ..0 => return None,
                    place => self.wording.tell("number {1}", &[&(place + 1).to_string()]),
                };
                let list = self.say_list(&parts[0])?;
                Phrase::new(self.wording.tell("{1} of {2}, which is {3}", &[&place, &list, &value]))
            }
            NodeOp::ValueCall(function, _, items, _) => self.say_list_function(function, items, node)?,
            NodeOp::List { .. } => Phrase::new(self.say_list(node)?),
            NodeOp::Roll(..) => return None,
        })
    }

    /// A list by its name, or by its items.
    fn say_list(&mut self, node: &FormulaNode) -> Option<String> {
        match &node.op {
            NodeOp::Slot(slot) if !self.wording.is_rate(*slot) => {
                self.said.push(*slot);
                self.wording.slot_name(*slot)
            }
            NodeOp::HostCall(call, items) => {
                let given: Option<Vec<Value>> = items.iter().map(|item| item.value(self.run).ok()).collect();
                self.note_reads(node);
                self.wording.call_name(*call, &given?)
            }
            NodeOp::List { items, .. } if items.len() <= MAX_LISTED => {
                let items: Option<Vec<String>> = items.iter().map(|item| self.say(item).map(Phrase::part)).collect();
                joined(self.wording, &items?)
            }
            NodeOp::ValueCall(function, _, items, _) => {
                let inner = || items.first();
                match function.name {
                    "sort" => self.tell_list("{1} in order", inner()?),
                    "unique" => self.tell_list("each once of {1}", inner()?),
                    "column" | "where" | "take" => self.say_list(inner()?),
                    _ => self.listed_value(node),
                }
            }
            _ => self.listed_value(node),
        }
    }

    fn tell_list(&mut self, phrase: &str, list: &FormulaNode) -> Option<String> {
        let list = self.say_list(list)?;
        Some(self.wording.tell(phrase, &[&list]))
    }

    /// The items of a short list, as they are.
    fn listed_value(&mut self, node: &FormulaNode) -> Option<String> {
        let Value::List(items) = node.value(self.run).ok()? else { return None };
        if items.len() > MAX_LISTED {
            return None;
        }
        self.note_reads(node);
        let items: Option<Vec<String>> = items.iter().map(plain).collect();
        joined(self.wording, &items?)
    }

    fn say_list_function(&mut self, function: &Function, items: &[FormulaNode], node: &FormulaNode) -> Option<Phrase> {
        let list = items.first()?;
        Some(Phrase::new(match function.name {
            "length" => self.tell_list("the number of {1}", list)?,
            "sum" => self.tell_list("the sum of {1}", list)?,
            "max" => self.tell_list("the greatest of {1}", list)?,
            "min" => self.tell_list("the least of {1}", list)?,
            "rising" => self.tell_list("{1} never fall", list)?,
            "repeat" => {
                let times = items.get(1)?;
                let (times, list) = (self.say(times)?.part(), self.say(list)?.part());
                self.wording.tell("{1} times {2}", &[&times, &list])
            }
            _ => self.say_list(node)?,
        }))
    }

    fn say_joined(&mut self, items: &[FormulaNode], phrase: &str) -> Option<Phrase> {
        let parts: Option<Vec<String>> = items.iter().map(|item| self.say(item).map(Phrase::part)).collect();
        let parts = parts?;
        let joined = parts.into_iter().reduce(|text, part| self.wording.tell(phrase, &[&text, &part]))?;
        Some(Phrase { is_sum: true, ..Phrase::new(joined) })
    }

    /// `30 % of mass 125`, `half of …`, `2 × …`.
    fn say_product(&mut self, first: &FormulaNode, rest: &[(ProductOp, FormulaNode)]) -> Option<Phrase> {
        if let [(ProductOp::Multiply, second), (ProductOp::FloorDivide, whole)] = rest
            && matches!(whole.op, NodeOp::Const(Value::Int(100)))
        {
            let (rate, amount) = match (self.is_rate(first), self.is_rate(second)) {
                (true, false) => (first, second),
                (false, true) => (second, first),
                _ => return self.say_plain_product(first, rest),
            };
            let percent = plain(&rate.value(self.run).ok()?)?;
            self.note_reads(rate);
            let amount = self.say(amount)?;
            if percent == "100" {
                return Some(Phrase::new(self.wording.tell("all of {1}", &[&amount.part()])));
            }
            let share = self.wording.tell("{1} % of {2}", &[&percent, &amount.part()]);
            return Some(self.rounded(share, ", rounded down"));
        }
        self.say_plain_product(first, rest)
    }

    fn say_plain_product(&mut self, first: &FormulaNode, rest: &[(ProductOp, FormulaNode)]) -> Option<Phrase> {
        let mut phrase = self.say(first)?;
        for (operation, item) in rest {
            phrase = match operation {
                ProductOp::Multiply if matches!(item.op, NodeOp::Const(Value::Int(1))) => phrase,
                ProductOp::Multiply => Phrase::new(format!("{} × {}", phrase.part(), self.say(item)?.part())),
                ProductOp::FloorDivide => {
                    let text = self.divided(phrase, item)?;
                    self.rounded(text, ", rounded down")
                }
                ProductOp::Remainder => {
                    let by = self.say(item)?.part();
                    Phrase::new(self.wording.tell("the remainder of {1} divided by {2}", &[&phrase.part(), &by]))
                }
            };
        }
        Some(phrase)
    }

    fn divided(&mut self, amount: Phrase, by: &FormulaNode) -> Option<String> {
        let share = match &by.op {
            NodeOp::Const(Value::Int(2)) => Some("half of {1}"),
            NodeOp::Const(Value::Int(3)) => Some("a third of {1}"),
            NodeOp::Const(Value::Int(4)) => Some("a quarter of {1}"),
            NodeOp::Const(Value::Int(5)) => Some("a fifth of {1}"),
            _ => None,
        };
        Some(match share {
            Some(share) => self.wording.tell(share, &[&amount.part()]),
            None => {
                let by = self.say(by)?.part();
                self.wording.tell("{1} divided by {2}", &[&amount.part(), &by])
            }
        })
    }

    fn say_function(&mut self, function: &Function, items: &[FormulaNode]) -> Option<Phrase> {
        match (function.name, items) {
            ("ceil_div" | "round_div", [amount, by]) => {
                let amount = self.say(amount)?;
                let text = self.divided(amount, by)?;
                let how = if function.name == "ceil_div" { ", rounded up" } else { ", rounded to the nearest" };
                Some(self.rounded(text, how))
            }
            ("max" | "min", [one, other]) => {
                let is_max = function.name == "max";
                let is_fixed = |node: &FormulaNode| matches!(node.op, NodeOp::Const(_));
                let (amount, bound) = match (is_fixed(one), is_fixed(other)) {
                    (true, false) => (other, one),
                    (false, true) => (one, other),
                    _ => {
                        let phrase = if is_max { "the greater of {1} and {2}" } else { "the lesser of {1} and {2}" };
                        let (one, other) = (self.say(one)?.part(), self.say(other)?.part());
                        return Some(Phrase::new(self.wording.tell(phrase, &[&one, &other])));
                    }
                };
                let phrase = if is_max { "{1}, at least {2}" } else { "{1}, at most {2}" };
                let (amount, bound) = (self.say(amount)?.whole(), self.say(bound)?.part());
                Some(Phrase::new(self.wording.tell(phrase, &[&amount, &bound])))
            }
            ("max" | "min" | "sum" | "length", [list]) => {
                let what = match function.name {
                    "max" => "the greatest of {1}",
                    "min" => "the least of {1}",
                    "sum" => "the sum of {1}",
                    _ => "the number of {1}",
                };
                Some(Phrase::new(self.tell_list(what, list)?))
            }
            ("max" | "min", items) => {
                let parts: Option<Vec<String>> = items.iter().map(|item| self.say(item).map(Phrase::part)).collect();
                let phrase = if function.name == "max" { "the greatest of {1}" } else { "the least of {1}" };
                Some(Phrase::new(self.wording.tell(phrase, &[&parts?.join(", ")])))
            }
            ("clamp", [amount, low, high]) => {
                let amount = self.say(amount)?.whole();
                let (low, high) = (self.say(low)?.part(), self.say(high)?.part());
                Some(Phrase::new(self.wording.tell("{1}, between {2} and {3}", &[&amount, &low, &high])))
            }
            ("abs", [amount]) => {
                let amount = self.say(amount)?.part();
                Some(Phrase::new(self.wording.tell("{1} without its sign", &[&amount])))
            }
            _ => None,
        }
    }

    /// Whether all that a part reads says only how to compute.
    fn is_rate(&self, node: &FormulaNode) -> bool {
        let taken = match &node.op {
            NodeOp::If(parts) => match parts[1].eval_flag(self.run) {
                Ok(Some(true)) => &parts[0],
                Ok(Some(false)) => &parts[2],
                Ok(None) | Err(_) => node,
            },
            _ => node,
        };
        let (mut slots, mut calls) = (Vec::new(), Vec::new());
        taken.reads(&mut slots, &mut calls);
        calls.is_empty() && slots.iter().all(|slot| self.wording.is_rate(*slot))
    }

    fn rounded(&self, text: String, how: &str) -> Phrase {
        Phrase { text, ends: self.wording.tell(how, &[]), is_sum: false }
    }

    fn note_reads(&mut self, node: &FormulaNode) {
        let (mut slots, mut calls) = (Vec::new(), Vec::new());
        node.reads(&mut slots, &mut calls);
        for slot in slots {
            let value = self.run.host.read(slot);
            self.note(slot, &value);
        }
    }

    fn note(&mut self, slot: Slot, value: &Value) {
        if let Some(text) = self.wording.circumstance(slot, value) {
            self.circumstances.push((slot, text));
        }
    }
}

fn named(name: &str, value: &str) -> String {
    format!("{name} {value}")
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::Int(number) if *number < 0 => Some(format!("−{}", number.unsigned_abs())),
        Value::Int(number) => Some(number.to_string()),
        Value::Flag(true) => Some("yes".to_owned()),
        Value::Flag(false) => Some("no".to_owned()),
        Value::Text(text) if !text.is_empty() && text.chars().count() <= 60 => Some(format!("“{text}”")),
        _ => None,
    }
}

const fn relation_words(relation: CompareOp) -> &'static str {
    match relation {
        CompareOp::Equal => "is",
        CompareOp::NotEqual => "is not",
        CompareOp::Less => "is less than",
        CompareOp::LessEqual => "is at most",
        CompareOp::Greater => "is more than",
        CompareOp::GreaterEqual => "is at least",
        CompareOp::In => "is one of",
        CompareOp::NotIn => "is none of",
    }
}
