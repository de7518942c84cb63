//! A ship as panels see it: its evaluation, the job's options, its icons, and which parts panels already show. Never
//! draws.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::fleet_roster::Roster;
use super::prepared_texts::{PreparedSlot, PreparedTexts};
use crate::sheet::layout::text_style::TextStyles;
use crate::sheet::page_setup::sheet_options::SheetOptions;
use moldloft_drawing::scene::Drawing;
use moldloft_rules::evaluate::{Evaluation, ResultRef, SlotScope, TrackResult};
use moldloft_rules::formula::{Formula, TextTemplate, Value};
use moldloft_rules::ruleset::{Ruleset, SheetKind};

/// The source of the drawings that a ship's values name.
pub trait DrawingSource: Sync {
    /// The art and texts of a small template as one drawing.
    fn icon(&self, ruleset: &Ruleset, name: &str) -> Option<Arc<Drawing>>;

    /// The small template that draws the boxes of a track.
    fn box_template(&self, ruleset: &Arc<Ruleset>, track: &str, name: &str) -> Option<Arc<PreparedTexts>>;

    /// The silhouette that a design brings, a file beside its own.
    fn silhouette(&self, design_file: &str, name: &str) -> Option<Arc<Drawing>>;
}

pub struct ShipView<'a> {
    pub evaluation: &'a Evaluation,
    pub options: SheetOptions,
    pub styles: TextStyles,
    pub drawings: &'a dyn DrawingSource,
    /// The fleet, on its own pages.
    pub roster: Option<&'a Roster<'a>>,
    claims: RefCell<ClaimedParts>,
    /// The logs on the pages before, by their names, and the number of the last row of each.
    log_rows: RefCell<Vec<(Arc<str>, u32)>>,
    /// The conditions of templates that were asked for, by place.
    conditions: RefCell<Vec<TemplateConditions>>,
}

type TemplateConditions = (Arc<PreparedTexts>, Vec<Option<bool>>);

/// Parts that a panel already shows, so that nothing is drawn twice and unshown parts are found.
#[derive(Default)]
struct ClaimedParts {
    fits: BTreeSet<usize>,
    tracks: BTreeSet<usize>,
    tables: BTreeSet<usize>,
    /// Tables whose boxes are all shown.
    box_tables: BTreeSet<usize>,
}

impl<'a> ShipView<'a> {
    pub fn new(
        evaluation: &'a Evaluation,
        options: SheetOptions,
        styles: TextStyles,
        drawings: &'a dyn DrawingSource,
    ) -> Self {
        Self {
            evaluation,
            options,
            styles,
            drawings,
            roster: None,
            claims: RefCell::default(),
            log_rows: RefCell::default(),
            conditions: RefCell::default(),
        }
    }

    /// Notes the logs of a page that is drawn.
    pub fn note_log_rows(&self, rows: &[(Arc<str>, u32)]) {
        self.log_rows.borrow_mut().extend_from_slice(rows);
    }

    /// The logs on the pages before, by their names, and the number of the last row of each.
    pub fn log_rows(&self) -> Vec<(Arc<str>, u32)> {
        self.log_rows.borrow().clone()
    }

    /// The number of the last row of logs with these names on the pages before; 0 without any.
    pub fn drawn_log_rows(&self, names: &[Arc<str>]) -> u32 {
        let rows = self.log_rows.borrow();
        rows.iter().filter(|(name, _)| names.contains(name)).map(|(_, last)| *last).max().unwrap_or(0)
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

    /// Whether a condition of a template is true for the ship as a whole; each is evaluated once.
    pub fn template_condition_holds(&self, texts: &Arc<PreparedTexts>, place: usize) -> bool {
        let mut known = self.conditions.borrow_mut();
        let at = known.iter().position(|(own, _)| Arc::ptr_eq(own, texts)).unwrap_or_else(|| {
            known.push((Arc::clone(texts), vec![None; texts.conditions.len()]));
            known.len() - 1
        });
        let formula = texts.conditions.get(place).and_then(Option::as_ref);
        let holds = |formula| self.condition_holds(formula, &SlotScope::default());
        formula.is_some_and(|formula| *known[at].1[place].get_or_insert_with(|| holds(formula)))
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

    /// Nothing is shown yet: before a page is laid out once more.
    pub fn clear_claims(&self) {
        self.claims.take();
    }

    /// Marks a fit (an index in the evaluation) as shown; `false` if it already was.
    pub fn claim_fit(&self, fit: usize) -> bool {
        self.claims.borrow_mut().fits.insert(fit)
    }

    /// Marks a table (an index in the evaluation) as shown, and the boxes of fits in it if these columns (all if empty)
    /// have them and the rows are whole.
    pub fn claim_columns(&self, table: usize, columns: &[Arc<str>], is_whole: bool) {
        self.claim_table(table);
        let has_boxes = |(.., column): &(usize, usize, &Arc<str>)| columns.is_empty() || columns.contains(*column);
        if is_whole && self.evaluation.fits_in_table(table).first().is_some_and(has_boxes) {
            self.claims.borrow_mut().box_tables.insert(table);
        }
    }

    /// Marks a table (an index in the evaluation) as shown.
    pub fn claim_table(&self, table: usize) {
        self.claims.borrow_mut().tables.insert(table);
    }

    /// Tables that a layer added and no panel shows: all of them on a reference sheet, elsewhere those with a condition
    /// for ships.
    pub fn unclaimed_layer_tables(&self) -> Vec<usize> {
        let evaluation = self.evaluation;
        let all = evaluation.sheet().is_some_and(|sheet| sheet.kind == SheetKind::Reference);
        let claims = self.claims.borrow();
        let wanted = |n: &usize| {
            let declared = evaluation.ruleset.tables.iter().find(|table| table.id == evaluation.tables[*n].id);
            !claims.tables.contains(n)
                && declared.is_some_and(|table| table.is_new() && (all || table.is_conditional()))
        };
        (0..evaluation.tables.len()).filter(wanted).collect()
    }

    /// Marks a track (an index in the evaluation) as shown; `false` if it already was.
    pub fn claim_track(&self, track: usize) -> bool {
        self.claims.borrow_mut().tracks.insert(track)
    }

    /// Whether a fit has boxes of its own that are already ticked.
    fn has_ticked_boxes(&self, fit: usize) -> bool {
        let fit = &self.evaluation.fits[fit];
        let stem = format!("{}_{}", fit.system, fit.mount);
        let last = fit.first_mark.saturating_add(fit.count);
        self.evaluation.ship.damage.boxes(&stem).any(|n| (fit.first_mark..last).contains(&n))
    }

    /// Fits and tracks that no panel shows. A fit counts as shown where a track, or a table with boxes, of its hits or of its
    /// ammunition is.
    pub fn unclaimed_parts(&self) -> (Vec<usize>, Vec<usize>) {
        let claims = self.claims.borrow();
        let shown = |n: &usize| self.evaluation.tracks.get(*n).and_then(TrackResult::represented_fit);
        let mut elsewhere: BTreeSet<usize> = claims.tracks.iter().filter_map(shown).collect();
        for table in &claims.box_tables {
            elsewhere.extend(self.evaluation.fits_in_table(*table).into_iter().map(|(fit, ..)| fit));
        }
        let is_shown = |n: &usize| claims.fits.contains(n) || elsewhere.contains(n) && !self.has_ticked_boxes(*n);
        let fits = (0..self.evaluation.fits.len()).filter(|n| !is_shown(n)).collect();
        let tracks = (0..self.evaluation.tracks.len()).filter(|n| !claims.tracks.contains(n)).collect();
        (fits, tracks)
    }

    pub fn icon(&self, name: &str) -> Option<Arc<Drawing>> {
        self.drawings.icon(&self.evaluation.ruleset, name)
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

/// Adds the mark for house rules to a heading; the sheet's foot explains the mark, with the layers' names.
pub fn mark_house_rule(words: &str, house: bool) -> String {
    if house && !words.is_empty() { format!("{words}*") } else { words.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::with_minus_signs;

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
