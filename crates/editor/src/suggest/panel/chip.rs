//! The best purchase that an answer has for a mount, on the mount's card: a click takes it.

use egui::{RichText, Ui};

use crate::language::say;
use crate::suggest::model::SuggestCommand;
use crate::theme::palette;
use crate::widgets::{small_button, with_accessible_name};
use crate::{Command, Doc, EditorState, InspectorTab};
use moldloft_odds::suggest::{LeverChange, Proposal, Request};
use moldloft_rules::evaluate::MountResult;

/// In points.
const LEAST_WIDTH: f32 = 64.0;

/// Takes what room there is left in a line; nothing if there is nothing to buy, or too little room.
pub fn show(ui: &mut Ui, state: &EditorState, doc: &Doc, mount: &MountResult, out: &mut Vec<Command>) {
    let room = ui.available_width();
    let Some((n, proposal, change)) = best_for(state, doc, &mount.id).filter(|_| room >= LEAST_WIDTH) else { return };
    let name = change.label.split(',').next().unwrap_or_default();
    let price = doc.evaluation().and_then(|before| Some(proposal.after.points? - before.points?));
    let price = price.map(|price| format!(" · {price}")).unwrap_or_default();
    let text = format!("{} {name}{price}", more(change));
    let chip = ui.add(small_button(RichText::new(say(&text)).color(palette(ui).accent)).truncate());
    let chip = with_accessible_name(chip, &format!("take {text}, {}", mount.label));
    let lines = [proposal.title.as_str(), &proposal.values, proposal.odds.as_deref().unwrap_or_default()];
    let words: Vec<&str> = lines.into_iter().filter(|line| !line.is_empty()).collect();
    let chip = chip.on_hover_text(say(format!("{}\nClick: take it; undo takes it back", words.join("\n"))));
    out.extend(chip.clicked().then_some(Command::Suggest(SuggestCommand::Apply(n))));
}

/// Answers have the best purchase first.
fn best_for<'a>(state: &'a EditorState, doc: &Doc, mount: &str) -> Option<(usize, &'a Proposal, &'a LeverChange)> {
    let is_shown = state.visible_inspector_tab() == InspectorTab::Suggest;
    let view = state.suggestions.view(doc.id).filter(|view| is_shown && view.shows_answer)?;
    let asked = view.asked.as_ref().filter(|asked| matches!(asked.request, Request::Spend(_)) && asked.is_for(doc))?;
    let rows = asked.reply()?.proposals.iter().enumerate().filter(|(_, proposal)| !proposal.edits.is_empty());
    rows.into_iter().find_map(|(n, proposal)| {
        let bought = proposal.changes.iter().find(|change| change.follows.is_none())?;
        is_in(bought, mount).then_some((n, proposal, bought))
    })
}

/// Of mirrored mounts, each: `laser@port+starboard`.
fn is_in(change: &LeverChange, mount: &str) -> bool {
    let place = change.lever.split_once('@').filter(|(name, _)| !name.contains('.'));
    place.is_some_and(|(_, mounts)| mounts.split('+').any(|one| one == mount))
}

/// `+2`, or what it becomes.
fn more(change: &LeverChange) -> String {
    match (change.from.parse::<i64>(), change.to.parse::<i64>()) {
        (Ok(from), Ok(to)) => format!("{:+}", to - from),
        _ => change.to.to_string(),
    }
}
