//! Spreads keys over frames: takes the events of a frame, gives those that the frame may see. What is typed behind a key
//! that opens or closes something waits until it is there, so that slow frames lose no letter and Enter takes what was
//! typed before it.

use std::collections::VecDeque;

use egui::{Event, Key};

/// After a command: one to carry it out, one to show what it opens, one to give that the focus.
const FRAMES_TO_OPEN: u8 = 3;

#[derive(Default)]
pub struct TypedEvents {
    held: VecDeque<Event>,
    frames_to_wait: u8,
}

enum Role {
    /// Letters and their keys, which may press what has the focus.
    Text,
    Command,
    Other,
}

fn role(event: &Event) -> Role {
    match event {
        Event::Text(_) | Event::Ime(_) => Role::Text,
        Event::Key { key, pressed: true, modifiers, .. } => {
            let is_function = key.name().strip_prefix('F').is_some_and(|number| number.parse::<u8>().is_ok());
            match key {
                _ if is_function || modifiers.command || modifiers.alt => Role::Command,
                Key::Enter | Key::Tab | Key::Escape | Key::Insert => Role::Command,
                Key::ArrowUp | Key::ArrowDown | Key::PageUp | Key::PageDown => Role::Command,
                _ => Role::Text,
            }
        }
        Event::PointerButton { .. } => Role::Command,
        _ => Role::Other,
    }
}

impl TypedEvents {
    /// The events of this frame, in their order; the others are kept for the next.
    pub fn of_frame(&mut self, events: Vec<Event>) -> Vec<Event> {
        self.held.extend(events);
        self.frames_to_wait = self.frames_to_wait.saturating_sub(1);
        let (mut seen, mut has_text) = (Vec::new(), false);
        while let Some(event) = self.held.front() {
            match role(event) {
                Role::Text if self.frames_to_wait > 0 => break,
                Role::Text => has_text = true,
                Role::Command if has_text => break,
                Role::Command => self.frames_to_wait = FRAMES_TO_OPEN,
                Role::Other => {}
            }
            seen.extend(self.held.pop_front());
        }
        seen
    }

    /// Whether another frame is needed.
    pub fn is_holding(&self) -> bool {
        !self.held.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::Modifiers;

    fn key(key: Key, modifiers: Modifiers) -> Event {
        Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers }
    }

    fn frames(events: &[Event]) -> Vec<Vec<Event>> {
        let mut typed = TypedEvents::default();
        let mut all = vec![typed.of_frame(events.to_vec())];
        while typed.is_holding() {
            all.push(typed.of_frame(Vec::new()));
        }
        all
    }

    #[test]
    fn enter_comes_a_frame_behind_what_was_typed_and_text_waits_for_what_opens() {
        let (text, enter) = (Event::Text("graser".into()), key(Key::Enter, Modifiers::NONE));
        assert_eq!(frames(&[text.clone(), enter.clone()]), [[text.clone()].to_vec(), [enter.clone()].to_vec()]);
        let find = key(Key::K, Modifiers::COMMAND);
        let letter = key(Key::G, Modifiers::NONE);
        let all = frames(&[find.clone(), letter.clone(), text.clone(), enter.clone()]);
        assert_eq!(all, [vec![find], vec![], vec![], vec![letter, text.clone()], vec![enter.clone()]]);
        assert_eq!(all.concat().len(), 4, "none is lost");
        // Keys alone, and letters alone, are all of one frame.
        let arrows = vec![key(Key::ArrowDown, Modifiers::NONE), key(Key::ArrowDown, Modifiers::NONE), enter];
        assert_eq!(frames(&arrows), std::slice::from_ref(&arrows));
        let letters = vec![key(Key::A, Modifiers::NONE), Event::Text("a".into()), Event::Text("b".into())];
        assert_eq!(frames(&letters), std::slice::from_ref(&letters));
    }
}
