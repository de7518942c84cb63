//! The keys of a frame. Takes what was pressed and the state, gives the commands of the table of actions.

use egui::KeyboardShortcut;

use crate::actions::{ACTIONS, Action};
use crate::{Command, EditorState};

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
