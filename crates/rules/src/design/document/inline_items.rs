//! Edits the inside of an array or inline table: adds, removes and moves items. Untouched items keep their spaces and
//! comments; a comment after an item's comma belongs to that item.

use super::tree::{DocumentNode, NodeBody};

#[derive(Clone, Debug, Default)]
pub(super) struct InlineItem {
    /// From the preceding comma or bracket.
    pub before: String,
    pub item: String,
    /// Up to the item's comma.
    after: String,
    /// On the same line, after the comma.
    trailing_comment: String,
}

#[derive(Clone, Debug)]
pub(super) struct InlineItems {
    is_table: bool,
    /// A comment after the opening bracket.
    head: String,
    pub items: Vec<InlineItem>,
    has_trailing_comma: bool,
    tail: String,
    newline: &'static str,
}

impl InlineItems {
    /// Takes the text of an array or inline table apart; `None` for a plain value.
    pub fn parse(text: &str, node: &DocumentNode, newline: &'static str) -> Option<Self> {
        let (parts, is_table) = match &node.body {
            NodeBody::Plain => return None,
            NodeBody::List(parts) => (parts, false),
            NodeBody::Table(parts) => (parts, true),
        };
        let inner = node.span.start + 1..node.span.end - 1;
        let mut at = inner.start;
        let head = leading_comment(&text[at..inner.end.min(parts.first().map_or(inner.end, |part| part.span.start))]);
        at += head.len();
        let mut pieces = Vec::with_capacity(parts.len());
        for (place, part) in parts.iter().enumerate() {
            let before = text[at..part.span.start].to_owned();
            let item = text[part.span.clone()].to_owned();
            let after = part.comma.map_or("", |comma| &text[part.span.end..comma]).to_owned();
            at = part.comma.map_or(part.span.end, |comma| comma + 1);
            let limit = parts.get(place + 1).map_or(inner.end, |next| next.span.start);
            let behind = leading_comment(&text[at..limit]).to_owned();
            at += behind.len();
            pieces.push(InlineItem { before, item, after, trailing_comment: behind });
        }
        let comma = parts.last().is_some_and(|part| part.comma.is_some());
        let (head, tail) = (head.to_owned(), text[at..inner.end].to_owned());
        Some(Self { is_table, head, items: pieces, has_trailing_comma: comma, tail, newline })
    }

    /// An empty array that puts each item on a line of its own.
    pub fn empty_array(newline: &'static str) -> Self {
        let tail = newline.to_owned();
        Self { is_table: false, head: String::new(), items: Vec::new(), has_trailing_comma: true, tail, newline }
    }

    pub fn to_text(&self) -> String {
        let mut out = String::from(if self.is_table { "{" } else { "[" });
        out.push_str(&self.head);
        // Nothing may follow a comment on its line.
        let mut commented = self.head.contains('#');
        let add = |out: &mut String, space: &str, commented: bool| {
            if commented && !space.trim_start_matches([' ', '\t', '\r']).starts_with('\n') {
                out.push_str(self.newline);
            }
            out.push_str(space);
        };
        for (place, piece) in self.items.iter().enumerate() {
            add(&mut out, &piece.before, commented);
            out.push_str(&piece.item);
            out.push_str(&piece.after);
            if place + 1 < self.items.len() || self.has_trailing_comma {
                out.push(',');
            }
            out.push_str(&piece.trailing_comment);
            commented = piece.trailing_comment.contains('#');
        }
        add(&mut out, &self.tail, commented);
        out.push(if self.is_table { '}' } else { ']' });
        out
    }

    /// `comments` go on lines above the item.
    pub fn insert(&mut self, at: usize, item: String, comments: &[&str]) {
        let at = at.min(self.items.len());
        let mut before = if self.items.is_empty() {
            self.space_of_single_item()
        } else if at == 0 {
            let space = without_comments(&self.items[0].before, self.newline);
            if !space.contains('\n') {
                let later = self.item_space();
                let first = &mut self.items[0].before;
                if first.trim().is_empty() {
                    *first = later;
                }
            }
            space
        } else {
            self.item_space()
        };
        if !comments.is_empty() {
            let indent = before.rsplit('\n').next().unwrap_or_default().to_owned();
            let lines: String = comments.iter().map(|line| format!("{}{indent}{line}", self.newline)).collect();
            before = format!("{lines}{}{indent}", self.newline);
        }
        self.items.insert(at, InlineItem { before, item, ..InlineItem::default() });
    }

    /// Removes an item and returns its comments, of which `inner` are those inside it.
    pub fn remove(&mut self, at: usize, inner: &[&str]) -> Vec<String> {
        let gone = self.items.remove(at);
        let mut comments = comment_lines(&gone.before);
        comments.extend(inner.iter().map(|&comment| comment.to_owned()));
        comments.extend(comment_lines(&gone.after));
        comments.extend(comment_lines(&gone.trailing_comment));
        if at == 0
            && !gone.before.contains('\n')
            && let Some(first) = self.items.first_mut()
            && first.before.trim().is_empty()
            && !first.before.contains('\n')
        {
            first.before = gone.before;
        }
        comments
    }

    pub fn insert_comments(&mut self, at: usize, comments: &[String]) {
        if comments.is_empty() {
            return;
        }
        let space = self.items.first().map_or("  ", |piece| piece.before.rsplit('\n').next().unwrap_or_default());
        let indent: String = space.chars().filter(|c| matches!(c, ' ' | '\t')).collect();
        let mut lines: String = comments.iter().map(|line| format!("{}{indent}{line}", self.newline)).collect();
        let next = self.items.get_mut(at).map_or(&mut self.tail, |piece| &mut piece.before);
        if !next.trim_start_matches([' ', '\t', '\r']).starts_with('\n') {
            lines.push_str(self.newline);
        }
        next.insert_str(0, &lines);
    }

    /// Moves an item; `to` is its index after it has been removed.
    pub fn move_item(&mut self, from: usize, to: usize) {
        let later = self.item_space();
        let first = self.items[0].before.clone();
        let moved = self.items.remove(from);
        self.items.insert(to.min(self.items.len()), moved);
        // On one line, the first item keeps its own space before it, and the others keep theirs.
        if (from == 0 || to == 0) && !first.contains('\n') {
            for (place, piece) in self.items.iter_mut().enumerate() {
                if place == 0 && !piece.before.contains('\n') {
                    piece.before.clone_from(&first);
                } else if place > 0 && piece.before == first {
                    piece.before.clone_from(&later);
                }
            }
        }
    }

    fn item_space(&self) -> String {
        match self.items.get(1).or(self.items.first()) {
            Some(piece) => {
                let space = without_comments(&piece.before, self.newline);
                if space.is_empty() || (self.items.len() == 1 && !space.contains('\n')) {
                    " ".to_owned()
                } else {
                    space
                }
            }
            None => " ".to_owned(),
        }
    }

    fn space_of_single_item(&mut self) -> String {
        if self.tail.contains('\n') {
            return format!("{}  ", self.newline);
        }
        if self.is_table && self.tail.is_empty() {
            self.tail.push(' ');
        }
        self.tail.clone()
    }
}

fn leading_comment(text: &str) -> &str {
    let line = text.split('\n').next().unwrap_or_default().trim_end_matches('\r');
    if line.trim_start().starts_with('#') { line } else { "" }
}

fn comment_lines(text: &str) -> Vec<String> {
    text.lines().filter_map(|line| line.find('#').map(|at| line[at..].trim_end().to_owned())).collect()
}

/// Whitespace without comments: a line end and the last line's indent, or the spaces on the line.
fn without_comments(space: &str, newline: &str) -> String {
    match space.rsplit_once('\n') {
        Some((_, indent)) => format!("{newline}{indent}"),
        None => space.to_owned(),
    }
}
