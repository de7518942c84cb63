//! The keys of a frame. Takes what was pressed and the state, gives the commands of the table of actions.

use egui::{Event, KeyboardShortcut};

use crate::actions::{ACTIONS, Action};
use crate::{Command, EditorState, FormTarget, focus};

/// Keys act on the row or mount that has the keyboard: if one of them is pressed and another is selected, it is selected
/// first.
pub fn select_focused(ctx: &egui::Context, state: &EditorState) -> Option<Command> {
    let doc = state.current_doc().filter(|_| state.dialog.is_none() && !ctx.text_edit_focused())?;
    let place = focus::focused_place(ctx, doc)?;
    let is_mount = matches!(place, FormTarget::Mount(_));
    let command = match place {
        FormTarget::Fit(row) | FormTarget::Ship { ship: row, .. } if !doc.selected.contains(&row) => {
            Command::Select(vec![row])
        }
        FormTarget::Mount(mount) if doc.selected_mount.as_deref() != Some(&*mount) => {
            Command::SelectMount(mount.into())
        }
        _ => return None,
    };
    let acts = |action: &&Action| action.not_while_typing && (!is_mount || action.adds_to_mount);
    let mut keys = ACTIONS.iter().filter(acts).flat_map(|action| action.keys);
    let is_it = |event: &Event| match event {
        Event::Copy | Event::Cut => !is_mount,
        Event::Paste(_) => true,
        Event::Key { key, pressed: true, modifiers, .. } => {
            keys.any(|known| known.logical_key == *key && modifiers.matches_exact(known.modifiers))
        }
        _ => false,
    };
    ctx.input(|input| input.events.iter().any(is_it)).then_some(command)
}

/// The commands of the keys pressed in this frame, which are consumed.
pub fn pressed_commands(ctx: &egui::Context, state: &EditorState) -> Vec<Command> {
    // A dialog has the keyboard to itself.
    if state.dialog.is_some() {
        return Vec::new();
    }
    let typing = ctx.text_edit_focused();
    let mut commands = if typing { Vec::new() } else { clipboard_commands(ctx, state) };
    let actions = ACTIONS.iter().filter(|action| !(typing && action.not_while_typing));
    let mut keys: Vec<(&KeyboardShortcut, &Action)> =
        actions.flat_map(|action| action.keys.iter().map(move |key| (key, action))).collect();
    // Those with more modifiers first: Ctrl+Shift+Z is not Ctrl+Z.
    keys.sort_by_key(|(key, _)| std::cmp::Reverse(u8::from(key.modifiers.shift) + u8::from(key.modifiers.alt)));
    ctx.input_mut(|input| {
        let pressed = keys.iter().filter(|(key, _)| input.consume_shortcut(key));
        commands.extend(pressed.filter_map(|(_, action)| (action.command)(state)));
    });
    commands
}

/// The system's own cut, copy and paste events.
fn clipboard_commands(ctx: &egui::Context, state: &EditorState) -> Vec<Command> {
    let Some(doc) = state.current_doc() else { return Vec::new() };
    let some = !doc.selected.is_empty();
    let mut commands = Vec::new();
    ctx.input_mut(|input| {
        input.events.retain(|event| {
            commands.push(match event {
                egui::Event::Copy if some => Command::Copy,
                egui::Event::Cut if some => Command::Cut,
                egui::Event::Paste(text) => Command::Paste(text.clone()),
                _ => return true,
            });
            false
        });
    });
    commands
}
