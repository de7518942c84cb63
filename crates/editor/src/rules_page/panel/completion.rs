//! Completion of names in a formula: takes what is typed and where the cursor is, offers names with their types.

use egui::text_edit::TextEditState;
use egui::{Button, Id, Key, Modifiers, RichText, Ui};

use crate::language::say;
use crate::theme::{SMALL, palette};
use crate::widgets::{muted_label, select_text, with_accessible_name};
use moldloft_rules::ruleset::FormulaName;

const MAX_OFFERS: usize = 6;

/// The word before the cursor: letters, digits, `_`, `-`, dots, after a quote if there is one.
fn word_before(text: &str, cursor: usize) -> String {
    let before: Vec<char> = text.chars().take(cursor).collect();
    let is_part = |c: &char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '\'');
    let start = before.iter().rposition(|c| !is_part(c)).map_or(0, |at| at + 1);
    let word: String = before[start..].iter().collect();
    // Only what an open quote begins.
    match word.rfind('\'') {
        Some(quote) if word[..quote].contains('\'') => word[quote..].to_owned(),
        Some(quote) => word[quote..].to_owned(),
        None => word.rsplit('-').next().unwrap_or_default().to_owned(),
    }
}

fn offers<'n>(names: &'n [FormulaName], word: &str) -> Vec<&'n FormulaName> {
    let bare = word.trim_start_matches('\'');
    if bare.is_empty() && !word.starts_with('\'') {
        return Vec::new();
    }
    let starts = names.iter().filter(|name| name.text.starts_with(word) && name.text != word);
    let holds = names.iter().filter(|name| {
        !name.text.starts_with(word) && bare.len() > 2 && name.text.contains(bare) && !word.starts_with('\'')
    });
    starts.chain(holds).take(MAX_OFFERS).collect()
}

/// Shows the names that go on from the cursor; gives the text with the chosen one put in. Ctrl+Space takes the first.
pub fn show(ui: &mut Ui, field: Id, typed: &str, names: &[FormulaName]) -> Option<String> {
    let edit = TextEditState::load(ui.ctx(), field)?;
    let end = typed.chars().count();
    let cursor = edit.cursor.char_range().map_or(end, |range| usize::from(range.primary.index).min(end));
    let word = word_before(typed, cursor);
    let offers = offers(names, &word);
    let has_focus = ui.memory(|memory| memory.has_focus(field));
    let key = has_focus && ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::Space));
    let mut chosen = offers.first().filter(|_| key).copied();
    if offers.is_empty() {
        muted_label(ui, "Names of fields, values, systems and functions are completed as you type.");
    } else {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            for (n, offer) in offers.iter().enumerate() {
                let text = format!("{}  {}", offer.text, offer.holds);
                let colour = palette(ui).accent;
                let button = ui.add(Button::new(RichText::new(text).size(SMALL).color(colour)));
                let hover = format!("{}{}", offer.about, if n == 0 { "\nCtrl+Space" } else { "" });
                if with_accessible_name(button, &format!("insert {}", offer.text)).on_hover_text(say(hover)).clicked() {
                    chosen = Some(offer);
                }
            }
        });
    }
    let chosen = chosen?;
    let start = cursor - word.chars().count();
    let before: String = typed.chars().take(start).collect();
    let after: String = typed.chars().skip(cursor).collect();
    let at = start + chosen.text.chars().count();
    select_text(ui.ctx(), field, at..at);
    ui.memory_mut(|memory| memory.request_focus(field));
    Some(format!("{before}{}{after}", chosen.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_at_the_cursor_is_completed() {
        assert_eq!(word_before("2 * struc", 9), "struc");
        assert_eq!(word_before("it.ma + 1", 5), "it.ma");
        assert_eq!(word_before("count('las", 10), "'las");
        assert_eq!(word_before("mass-hu", 7), "hu");
        assert_eq!(word_before("", 0), "");
        let name = |text: &str| FormulaName { text: text.into(), holds: String::new(), about: String::new() };
        let names = [name("structure"), name("'laser'"), name("lasers"), name("hull_structure")];
        let found = |word: &str| offers(&names, word).iter().map(|name| name.text.clone()).collect::<Vec<_>>();
        assert_eq!(found("stru"), ["structure", "hull_structure"]);
        assert_eq!(found("'l"), ["'laser'"]);
        assert_eq!(found(""), Vec::<String>::new());
        assert_eq!(found("structure"), ["hull_structure"]);
    }
}
