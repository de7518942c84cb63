//! What a design's text was before: takes each new text with what was done, gives the text before or after. Without limit; a text
//! is a few kilobytes. Knows nothing of designs.

use std::sync::Arc;

/// A text and how it came about.
#[derive(Clone, Debug)]
pub struct Step {
    /// The text.
    pub text: Arc<str>,
    /// What was done, for the menu: `add a laser`.
    pub label: String,
    /// Steps of the same key that follow one another (letters typed into one field) are one.
    merge: Option<String>,
}

/// All texts of a design in order, and which of them is in force.
#[derive(Clone, Debug)]
pub struct History {
    steps: Vec<Step>,
    at: usize,
}

impl History {
    /// A history that begins with this text.
    pub fn new(text: Arc<str>) -> Self {
        Self { steps: vec![Step { text, label: String::new(), merge: None }], at: 0 }
    }

    /// The text in force.
    pub fn text(&self) -> &Arc<str> {
        &self.steps[self.at].text
    }

    /// Puts a new text in force; what had been undone is gone. A text equal to the one in force is no step.
    pub fn push(&mut self, text: Arc<str>, label: String, merge: Option<String>) {
        if text == *self.text() {
            return;
        }
        self.steps.truncate(self.at + 1);
        let last = &mut self.steps[self.at];
        if merge.is_some() && last.merge == merge {
            (last.text, last.label) = (text, label);
            return;
        }
        self.steps.push(Step { text, label, merge });
        self.at += 1;
    }

    /// Ends a run of merged steps: the next one is a step of its own.
    pub fn seal(&mut self) {
        self.steps[self.at].merge = None;
    }

    /// What undoing would undo.
    pub fn undoes(&self) -> Option<&str> {
        (self.at > 0).then(|| &*self.steps[self.at].label)
    }

    /// What redoing would do again.
    pub fn redoes(&self) -> Option<&str> {
        self.steps.get(self.at + 1).map(|step| &*step.label)
    }

    /// Goes back a step. False at the start.
    pub fn undo(&mut self) -> bool {
        self.seal();
        let can = self.at > 0;
        self.at -= usize::from(can);
        can
    }

    /// Goes forward a step. False at the end.
    pub fn redo(&mut self) -> bool {
        let can = self.at + 1 < self.steps.len();
        self.at += usize::from(can);
        self.seal();
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
        assert_eq!(history.undoes(), Some("three"), "what a run of steps came to");
        assert!(history.undo());
        assert_eq!((&**history.text(), history.redoes()), ("b", Some("three")));
        assert!(history.redo());
        assert_eq!(&**history.text(), "d");
        history.push("e".into(), "four".into(), Some("k".into()));
        assert!(history.undo() && history.undo() && history.undo() && !history.undo());
        assert_eq!(&**history.text(), "a");
        history.push("z".into(), "new".into(), None);
        assert_eq!(history.redoes(), None);
    }
}
