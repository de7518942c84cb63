//! A ship as panels see it: its evaluation, the job's options, its icons. Never draws.

use std::sync::Arc;

use super::fleet_roster::Roster;
use super::prepared_texts::{PreparedSlot, PreparedTexts};
use crate::sheet::layout::text_style::TextStyles;
use crate::sheet::page_setup::sheet_options::SheetOptions;
use moldloft_base::words::{Words, around_in_words};
use moldloft_drawing::art::GroupKind;
use moldloft_drawing::scene::Drawing;
use moldloft_rules::evaluate::{Evaluation, ResultRef, SlotScope};
use moldloft_rules::formula::{Formula, TextTemplate, Value};
use moldloft_rules::ruleset::{Ruleset, SheetKind};

/// More copies of a group only touch.
const MAX_COPIES: i64 = 60;
/// How far a group can be reduced or enlarged, percent.
const SCALES: (i64, i64) = (10, 400);

/// The source of the drawings that a ship's values name.
pub trait DrawingSource: Sync {
    /// The art and texts of a small template as one drawing.
    fn icon(&self, ruleset: &Ruleset, name: &str) -> Option<Arc<Drawing>>;

    /// The small template that draws the boxes of a track.
    fn box_template(&self, ruleset: &Arc<Ruleset>, track: &str, name: &str) -> Option<Arc<PreparedTexts>>;

    /// The silhouette that a design brings, a file beside its own.
    fn silhouette(&self, design_file: &str, name: &str) -> Option<Arc<Drawing>>;

    /// A small template as one drawing, its groups as often and as large as `values` says.
    fn grown(
        &self,
        ruleset: &Arc<Ruleset>,
        name: &str,
        values: &dyn Fn(&PreparedTexts) -> Vec<[i64; 2]>,
    ) -> Option<Arc<Drawing>>;
}

pub struct ShipView<'a> {
    pub evaluation: &'a Evaluation,
    pub options: SheetOptions,
    pub styles: TextStyles,
    pub drawings: &'a dyn DrawingSource,
    /// The fleet, on its own pages.
    pub roster: Option<&'a Roster<'a>>,
    /// Which conditions of some templates are true.
    conditions: Vec<TemplateConditions>,
}

type TemplateConditions = (Arc<PreparedTexts>, Vec<bool>);

impl<'a> ShipView<'a> {
    pub fn new(
        evaluation: &'a Evaluation,
        options: SheetOptions,
        styles: TextStyles,
        drawings: &'a dyn DrawingSource,
    ) -> Self {
        Self { evaluation, options, styles, drawings, roster: None, conditions: Vec::new() }
    }

    /// With the conditions of these templates, which are asked for often, evaluated once.
    #[must_use]
    pub fn knowing<'t>(mut self, templates: impl IntoIterator<Item = &'t Arc<PreparedTexts>>) -> Self {
        let met = |texts: &Arc<PreparedTexts>| (Arc::clone(texts), self.conditions_met(texts, &SlotScope::default()));
        self.conditions = templates.into_iter().map(met).collect();
        self
    }

    /// Whether it is about the rules, not about a ship.
    pub fn is_reference(&self) -> bool {
        self.evaluation.sheet().is_some_and(|sheet| sheet.kind == SheetKind::Reference)
    }

    /// Whether a condition is true. On an empty sheet, unknown conditions count as true.
    pub fn condition_holds(&self, formula: &Formula, focus: &SlotScope) -> bool {
        match self.evaluation.eval(formula, focus) {
            Value::Flag(flag) => flag,
            Value::Int(n) => n != 0,
            Value::Null => self.options.is_blank,
            Value::Text(text) => !text.is_empty(),
            Value::List(list) => !list.is_empty(),
            Value::Record(_) => true,
        }
    }

    /// Whether a condition of a template and those around it are true for the ship as a whole.
    pub fn template_condition_holds(&self, texts: &Arc<PreparedTexts>, place: usize) -> bool {
        let known = self.conditions.iter().find(|(own, _)| Arc::ptr_eq(own, texts));
        let holds = |met: &[bool]| met.get(place).copied().unwrap_or(false);
        known.map_or_else(|| holds(&self.conditions_met(texts, &SlotScope::default())), |(_, met)| holds(met))
    }

    /// A text of the program or the rules in the language of the sheet.
    pub fn say(&self, text: &str) -> String {
        self.evaluation.say(text)
    }

    /// As [`ShipView::say`], for a shared text.
    pub fn say_shared(&self, text: &Arc<str>) -> Arc<str> {
        self.evaluation.ruleset.say_shared(text)
    }

    /// A value of the rules or the design in the language of the sheet: what a player wrote stays.
    pub fn value_in_words(&self, value: Value) -> Value {
        match (&self.evaluation.ruleset.words, value) {
            (Some(words), Value::Text(text)) => {
                let said = words.say_but(&text, &|text| self.evaluation.is_own(text));
                Value::Text(said.map_or(text, Arc::from))
            }
            (Some(words), Value::Flag(flag)) => Value::Text(words.say_shared(&format_value(&Value::Flag(flag)))),
            (_, value) => value,
        }
    }

    /// A text with its values; a hyphen that begins a number becomes a minus.
    pub fn render_text(&self, text: &TextTemplate, focus: &SlotScope) -> Option<String> {
        self.evaluation.render(text, focus).map(|words| with_minus_signs(&words))
    }

    /// A slot's text; `None` when it is to be written in.
    pub fn slot_text(&self, slot: &PreparedSlot, focus: &SlotScope) -> Option<String> {
        let own = self
            .render_text(&slot.text, focus)
            .filter(|words| !words.trim().is_empty() || slot.fallback.is_none() && slot.field_name.is_none());
        own.or_else(|| slot.fallback.as_ref().and_then(|or| self.render_text(or, focus)))
    }

    /// By index in the template's conditions: whether it and its enclosing conditions are true.
    pub fn conditions_met(&self, texts: &PreparedTexts, focus: &SlotScope) -> Vec<bool> {
        let mut met: Vec<bool> = Vec::with_capacity(texts.conditions.len());
        for (condition, formula) in texts.template.conditions.iter().zip(&texts.conditions) {
            let outer = condition.parent.is_none_or(|parent| met.get(parent).copied().unwrap_or(false));
            met.push(outer && formula.as_ref().is_some_and(|formula| self.condition_holds(formula, focus)));
        }
        met
    }

    /// The value of `it` in the heading of a mount's panel.
    pub fn mount_focus(&self, mount: Option<&str>) -> SlotScope {
        match mount {
            Some(id) => match self.evaluation.mounts.iter().position(|mount| *mount.id == *id) {
                Some(index) => SlotScope { it: ResultRef::Mount(index), ..SlotScope::default() },
                None => SlotScope::default(),
            },
            None => SlotScope::default(),
        }
    }

    pub fn icon(&self, name: &str) -> Option<Arc<Drawing>> {
        self.drawings.icon(&self.evaluation.ruleset, name)
    }

    /// A drawing as it is for the ship, with its groups as the ship has them.
    pub fn own_drawing(&self, name: &str) -> Option<Arc<Drawing>> {
        self.drawings.grown(&self.evaluation.ruleset, name, &|texts| self.group_values(texts))
    }

    /// By index in a template's groups: whether or how often each is drawn, or how wide and high in percent.
    fn group_values(&self, texts: &PreparedTexts) -> Vec<[i64; 2]> {
        let focus = SlotScope::default();
        let value = |place: usize| {
            let formula = texts.conditions[place].as_ref();
            match texts.template.conditions[place].kind {
                GroupKind::When | GroupKind::Ruler => {
                    [i64::from(formula.is_some_and(|it| self.condition_holds(it, &focus))), 0]
                }
                GroupKind::Repeat { .. } => match formula.map(|it| self.evaluation.eval(it, &focus)) {
                    Some(Value::Int(count)) => [count.clamp(0, MAX_COPIES), 0],
                    _ => [0, 0],
                },
                GroupKind::Scale => {
                    let sides = formula.map(|it| self.evaluation.eval(it, &focus));
                    let side = |n: usize| match &sides {
                        Some(Value::List(list)) => match list.get(n) {
                            Some(Value::Int(percent)) => (*percent).clamp(SCALES.0, SCALES.1),
                            _ => 100,
                        },
                        _ => 100,
                    };
                    [side(0), side(1)]
                }
            }
        };
        (0..texts.template.conditions.len()).map(value).collect()
    }

    /// The ship's silhouette: its own, else the game's.
    pub fn silhouette(&self) -> Option<Arc<Drawing>> {
        self.own_silhouette().or_else(|| self.game_silhouette())
    }

    /// The drawing that the ruleset names as every ship's silhouette; an empty sheet has none.
    pub fn game_silhouette(&self) -> Option<Arc<Drawing>> {
        let name = self.evaluation.ruleset.silhouette.as_ref()?;
        if self.options.is_blank { None } else { self.own_drawing(name) }
    }

    /// The silhouette that the design brings; `None` if it has none, or a file that cannot be drawn.
    pub fn own_silhouette(&self) -> Option<Arc<Drawing>> {
        let name = self.evaluation.silhouette.as_ref()?;
        self.drawings.silhouette(&self.evaluation.file, name)
    }

    /// The drawing of an icon named in a box: a file, or a word for the file `icons/WORD.svg`.
    pub fn icon_or_word(&self, word: &str) -> Option<Arc<Drawing>> {
        if word.ends_with(".svg") { self.icon(word) } else { self.icon(&format!("icons/{word}.svg")) }
    }

    pub fn box_template(&self, track: &str, name: &str) -> Option<Arc<PreparedTexts>> {
        self.drawings.box_template(&self.evaluation.ruleset, track, name)
    }
}

/// A value in the form printed for players.
pub fn format_value(value: &Value) -> Arc<str> {
    match value {
        Value::Null => "".into(),
        Value::Int(n) => with_minus_signs(&n.to_string()).into(),
        Value::Flag(true) => "yes".into(),
        Value::Flag(false) => "no".into(),
        Value::Text(text) => Arc::clone(text),
        Value::List(list) => list.iter().map(format_value).collect::<Vec<_>>().join(", ").into(),
        Value::Record(record) => {
            record.entries.iter().map(|(_, value)| format_value(value)).collect::<Vec<_>>().join(", ").into()
        }
    }
}

/// A number with its sign: `+4`, `−1`, `0`.
pub fn format_signed(n: i64) -> Arc<str> {
    if n > 0 { format!("+{n}").into() } else { with_minus_signs(&n.to_string()).into() }
}

/// Replaces hyphens by minus signs where a number begins: in `-1`, but not in `1-3` and `Mk-2`.
pub fn with_minus_signs(words: &str) -> String {
    if !words.contains('-') {
        return words.to_owned();
    }
    let mut out = String::with_capacity(words.len() + 4);
    let mut before = ' ';
    let mut letters = words.chars().peekable();
    while let Some(letter) = letters.next() {
        let number = letter == '-' && !before.is_alphanumeric() && letters.peek().is_some_and(char::is_ascii_digit);
        out.push(if number { '−' } else { letter });
        before = letter;
    }
    out
}

/// A text whose decimal numbers are as a language writes them, by its entry for `{1}.{2}`. What has several points, as a version, stays.
pub fn with_decimals(words: Option<&Words>, text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let is_part = |letter: char| letter.is_ascii_digit() || letter == '.';
        let end = rest[start..].find(|letter| !is_part(letter)).map_or(rest.len(), |length| start + length);
        out.push_str(&rest[..start]);
        match rest[start..end].split_once('.') {
            Some((whole, part)) if !part.is_empty() && !part.contains('.') => {
                out.push_str(&around_in_words(words, "{1}.{2}", &[whole, part]));
            }
            _ => out.push_str(&rest[start..end]),
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

/// Adds the mark for house rules to a heading; the sheet's foot explains the mark, with the layers' names.
pub fn mark_house_rule(words: &str, house: bool) -> String {
    if house && !words.is_empty() { format!("{words}*") } else { words.to_owned() }
}

#[cfg(test)]
mod tests {
    use moldloft_base::words::{Words, WordsEntry};

    use super::{with_decimals, with_minus_signs};

    #[test]
    fn decimal_numbers_are_as_a_language_writes_them() {
        let mut german = Words::default();
        german.add(&[WordsEntry { source: "{1}.{2}".into(), text: "{1},{2}".into(), span: Default::default() }]);
        for (text, said) in [
            ("25.67 · 8.1 %", "25,67 · 8,1 %"),
            ("rules 1.0.0", "rules 1.0.0"),
            ("at 8. Then .5", "at 8. Then .5"),
            ("none", "none"),
        ] {
            assert_eq!(with_decimals(Some(&german), text), said);
            assert_eq!(with_decimals(None, text), text);
        }
    }

    #[test]
    fn a_hyphen_before_a_number_is_a_minus_and_others_stay() {
        for (words, shown) in [
            ("-1", "−1"),
            ("die -2, +1", "die −2, +1"),
            ("(-3)", "(−3)"),
            ("1-3", "1-3"),
            ("Mk-2 -", "Mk-2 -"),
            ("2D10-4", "2D10-4"),
        ] {
            assert_eq!(with_minus_signs(words), shown);
        }
    }
}
