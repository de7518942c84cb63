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
                Phrase { text: "the same for every design".to_owned(), ends: String::new(), is_sum: false }
            }
            NodeOp::Slot(slot) | NodeOp::IntSlot(slot) if !wording.is_rate(*slot) => {
                Phrase::new(format!("the same as {}", wording.slot_name(*slot)?))
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
fn joined(items: &[String]) -> Option<String> {
    let (last, first) = items.split_last()?;
    Some(if first.is_empty() { last.clone() } else { format!("{} and {last}", first.join(", ")) })
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
                let name = format!("{} in {table}", name.replace('_', " "));
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
            NodeOp::Not(inner) => Phrase::new(format!("not {}", self.say(inner)?.part())),
            NodeOp::IsNotEmpty(inner) => self.say(inner)?,
            NodeOp::Compare { first, rest, .. } => {
                let mut text = self.say(first)?.part();
                for (relation, item) in rest {
                    text.push_str(&format!(" {} {}", relation_words(*relation), self.say(item)?.part()));
                }
                Phrase::new(text)
            }
            NodeOp::And(items) => self.say_joined(items, " and ")?,
            NodeOp::Or(items) => self.say_joined(items, " or ")?,
            NodeOp::Index(parts) => {
                let value = plain(&node.value(self.run).ok()?)?;
                let Value::Int(place) = parts[1].value(self.run).ok()? else { return None };
                self.note_reads(&parts[1]);
                // Places count from 0, or from the end.
                let place = match place {
                    -1 => "the last".to_owned(),
                    ..0 => return None,
                    place => format!("number {}", place + 1),
                };
                let list = self.say_list(&parts[0])?;
                Phrase::new(format!("{place} of {list}, which is {value}"))
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
                joined(&items?)
            }
            NodeOp::ValueCall(function, _, items, _) => {
                let inner = || items.first();
                match function.name {
                    "sort" => Some(format!("{} in order", self.say_list(inner()?)?)),
                    "unique" => Some(format!("each once of {}", self.say_list(inner()?)?)),
                    "column" | "where" | "take" => self.say_list(inner()?),
                    _ => self.listed_value(node),
                }
            }
            _ => self.listed_value(node),
        }
    }

    /// The items of a short list, as they are.
    fn listed_value(&mut self, node: &FormulaNode) -> Option<String> {
        let Value::List(items) = node.value(self.run).ok()? else { return None };
        if items.len() > MAX_LISTED {
            return None;
        }
        self.note_reads(node);
        let items: Option<Vec<String>> = items.iter().map(plain).collect();
        joined(&items?)
    }

    fn say_list_function(&mut self, function: &Function, items: &[FormulaNode], node: &FormulaNode) -> Option<Phrase> {
        let list = items.first()?;
        Some(Phrase::new(match function.name {
            "length" => format!("the number of {}", self.say_list(list)?),
            "sum" => format!("the sum of {}", self.say_list(list)?),
            "max" => format!("the greatest of {}", self.say_list(list)?),
            "min" => format!("the least of {}", self.say_list(list)?),
            "rising" => format!("{} never fall", self.say_list(list)?),
            "repeat" => {
                let times = items.get(1)?;
                format!("{} times {}", self.say(times)?.part(), self.say(list)?.part())
            }
            _ => self.say_list(node)?,
        }))
    }

    fn say_joined(&mut self, items: &[FormulaNode], word: &str) -> Option<Phrase> {
        let parts: Option<Vec<String>> = items.iter().map(|item| self.say(item).map(Phrase::part)).collect();
        Some(Phrase { is_sum: true, ..Phrase::new(parts?.join(word)) })
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
                return Some(Phrase::new(format!("all of {}", amount.part())));
            }
            return Some(rounded(format!("{percent} % of {}", amount.part()), "down"));
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
                    rounded(text, "down")
                }
                ProductOp::Remainder => {
                    Phrase::new(format!("the remainder of {} divided by {}", phrase.part(), self.say(item)?.part()))
                }
            };
        }
        Some(phrase)
    }

    fn divided(&mut self, amount: Phrase, by: &FormulaNode) -> Option<String> {
        let share = match &by.op {
            NodeOp::Const(Value::Int(2)) => Some("half"),
            NodeOp::Const(Value::Int(3)) => Some("a third"),
            NodeOp::Const(Value::Int(4)) => Some("a quarter"),
            NodeOp::Const(Value::Int(5)) => Some("a fifth"),
            _ => None,
        };
        Some(match share {
            Some(share) => format!("{share} of {}", amount.part()),
            None => format!("{} divided by {}", amount.part(), self.say(by)?.part()),
        })
    }

    fn say_function(&mut self, function: &Function, items: &[FormulaNode]) -> Option<Phrase> {
        match (function.name, items) {
            ("ceil_div" | "round_div", [amount, by]) => {
                let amount = self.say(amount)?;
                let text = self.divided(amount, by)?;
                Some(rounded(text, if function.name == "ceil_div" { "up" } else { "to the nearest" }))
            }
            ("max" | "min", [one, other]) => {
                let bound = if function.name == "max" { "at least" } else { "at most" };
                let extreme = if function.name == "max" { "greater" } else { "lesser" };
                let is_fixed = |node: &FormulaNode| matches!(node.op, NodeOp::Const(_));
                Some(match (is_fixed(one), is_fixed(other)) {
                    (true, false) => {
                        Phrase::new(format!("{}, {bound} {}", self.say(other)?.whole(), self.say(one)?.part()))
                    }
                    (false, true) => {
                        Phrase::new(format!("{}, {bound} {}", self.say(one)?.whole(), self.say(other)?.part()))
                    }
                    _ => Phrase::new(format!(
                        "the {extreme} of {} and {}",
                        self.say(one)?.part(),
                        self.say(other)?.part()
                    )),
                })
            }
            ("max" | "min" | "sum" | "length", [list]) => {
                let what = match function.name {
                    "max" => "the greatest of",
                    "min" => "the least of",
                    "sum" => "the sum of",
                    _ => "the number of",
                };
                Some(Phrase::new(format!("{what} {}", self.say_list(list)?)))
            }
            ("max" | "min", items) => {
                let parts: Option<Vec<String>> = items.iter().map(|item| self.say(item).map(Phrase::part)).collect();
                let extreme = if function.name == "max" { "greatest" } else { "least" };
                Some(Phrase::new(format!("the {extreme} of {}", parts?.join(", "))))
            }
            ("clamp", [amount, low, high]) => {
                let amount = self.say(amount)?.whole();
                Some(Phrase::new(format!("{amount}, between {} and {}", self.say(low)?.part(), self.say(high)?.part())))
            }
            ("abs", [amount]) => Some(Phrase::new(format!("{} without its sign", self.say(amount)?.part()))),
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

fn rounded(text: String, how: &str) -> Phrase {
    Phrase { text, ends: format!(", rounded {how}"), is_sum: false }
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
