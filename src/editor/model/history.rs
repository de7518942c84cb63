//! What a design's text was before: takes each new text with what was done, gives the text before or after. Without limit; a text
//! is a few kilobytes. Knows nothing of designs.

use std::sync::Arc;

/// A text and how it came about.
#[derive(Clone, Debug)]
pub struct HistoryEntry {
    /// The text.
    pub text: Arc<str>,
    /// What was done, for the menu: `add a laser`.
    pub label: String,
    /// Steps of the same key that follow one another (letters typed into one field) are one.
    merge_key: Option<String>,
}

/// All texts of a design in order, and which of them is in force.
#[derive(Clone, Debug)]
pub struct History {
    entries: Vec<HistoryEntry>,
    current: usize,
}

impl History {
    /// A history that begins with this text.
    pub fn new(text: Arc<str>) -> Self {
        Self { entries: vec![HistoryEntry { text, label: String::new(), merge_key: None }], current: 0 }
    }

    /// The text in force.
    pub fn text(&self) -> &Arc<str> {
        &self.entries[self.current].text
    }

    /// Puts a new text in force; what had been undone is gone. A text equal to the one in force is no step.
    pub fn push(&mut self, text: Arc<str>, label: String, merge: Option<String>) {
        if text == *self.text() {
            return;
        }
        self.entries.truncate(self.current + 1);
        let last = &mut self.entries[self.current];
        if merge.is_some() && last.merge_key == merge {
            (last.text, last.label) = (text, label);
            return;
        }
        self.entries.push(HistoryEntry { text, label, merge_key: merge });
        self.current += 1;
    }

    /// Ends a run of merged steps: the next one is a step of its own.
    pub fn end_merge(&mut self) {
        self.entries[self.current].merge_key = None;
    }

    /// What undoing would undo.
    pub fn undo_label(&self) -> Option<&str> {
        (self.current > 0).then(|| &*self.entries[self.current].label)
    }

    /// What redoing would do again.
    pub fn redo_label(&self) -> Option<&str> {
        self.entries.get(self.current + 1).map(|step| &*step.label)
    }

    /// Goes back a step. False at the start.
    pub fn undo(&mut self) -> bool {
        self.end_merge();
        let can = self.current > 0;
        self.current -= usize::from(can);
        can
    }

    /// Goes forward a step. False at the end.
    pub fn redo(&mut self) -> bool {
        let can = self.current + 1 < self.entries.len();
        self.current += usize::from(can);
        self.end_merge();
        can
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_back_and_forth() {
        let mut history = History::new("a".into());
        assert!(!history.undo() && !history.redo());
        history.push("b".into(), "one".into(), None);
        history.push("b".into(), "nothing".into(), None);
        history.push("c".into(), "two".into(), Some("k".into()));
        history.push("d".into(), "three".into(), Some("k".into()));
        assert_eq!(history.undo_label(), Some("three"), "what a run of steps came to");
        assert!(history.undo());
        assert_eq!((&**history.text(), history.redo_label()), ("b", Some("three")));
        assert!(history.redo());
        assert_eq!(&**history.text(), "d");
        history.push("e".into(), "four".into(), Some("k".into()));
        assert!(history.undo() && history.undo() && history.undo() && !history.undo());
        assert_eq!(&**history.text(), "a");
        history.push("z".into(), "new".into(), None);
        assert_eq!(history.redo_label(), None);
    }
}
