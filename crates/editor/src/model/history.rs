//! Undo and redo: takes each new text with a label, gives the text before or after. Unlimited: a text takes a few
//! kilobytes.

use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct HistoryEntry {
    pub text: Arc<str>,
    /// For the menu: `add a laser`.
    pub label: String,
    /// Consecutive entries with the same key are merged.
    merge_key: Option<String>,
}

#[derive(Clone, Debug)]
pub struct History {
    entries: Vec<HistoryEntry>,
    current: usize,
}

impl History {
    pub fn new(text: Arc<str>) -> Self {
        Self { entries: vec![HistoryEntry { text, label: String::new(), merge_key: None }], current: 0 }
    }

    pub fn text(&self) -> &Arc<str> {
        &self.entries[self.current].text
    }

    /// Drops the undone entries. An equal text is ignored.
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

    pub fn end_merge(&mut self) {
        self.entries[self.current].merge_key = None;
    }

    pub fn undo_label(&self) -> Option<&str> {
        (self.current > 0).then(|| &*self.entries[self.current].label)
    }

    pub fn redo_label(&self) -> Option<&str> {
        self.entries.get(self.current + 1).map(|step| &*step.label)
    }

    /// False at the start.
    pub fn undo(&mut self) -> bool {
        self.end_merge();
        let can = self.current > 0;
        self.current -= usize::from(can);
        can
    }

    /// False at the end.
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
