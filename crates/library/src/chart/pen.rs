//! Puts words, lines and bars of a chart on its page; no text is smaller than 6 pt.

use std::sync::Arc;

use moldloft_base::words::{Words, around_in_words};
use moldloft_drawing::fonts::{self, FontFace, ShapedLine};
use moldloft_drawing::scene::{
    Cap, Join, Mark, MarkKind, Paint, PaintStyle, Path, Rect, SceneItem, Segment, Shape, Stroke, TextLine, Transform,
};

/// 6 pt in mm.
pub const MIN_TEXT: f32 = 2.12;
pub(super) const INK: Paint = Paint::grey(20);
pub(super) const QUIET: Paint = Paint::grey(85);
pub(super) const BAR: Paint = Paint::grey(153);
pub(super) const GRID: Paint = Paint::grey(200);
pub(super) const SHADE: Paint = Paint::grey(217);
pub(super) const WHITE: Paint = Paint::grey(255);

/// How words look; the size in mm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ChartText {
    pub face: FontFace,
    pub size: f32,
    pub paint: Paint,
}

impl ChartText {
    pub const BODY: Self = Self { face: FontFace::Regular, size: 2.6, paint: INK };
    pub const QUIET: Self = Self { paint: QUIET, ..Self::BODY };
    pub const STRONG: Self = Self { face: FontFace::SemiBold, ..Self::BODY };
    pub const HEADING: Self = Self { face: FontFace::SemiBold, size: 3.1, paint: INK };
    pub const TITLE: Self = Self { face: FontFace::Bold, size: 5.6, paint: INK };
    pub const FOOT: Self = Self { size: 2.2, ..Self::QUIET };

    pub fn width(self, text: &str) -> f32 {
        shape(self.face, text).width * self.size
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Middle,
    Right,
}

#[derive(Debug, Default)]
pub(super) struct ChartPen<'w> {
    pub items: Vec<SceneItem>,
    words: Option<&'w Words>,
    /// Of ships: they are in no language.
    names: Vec<&'w str>,
}

impl<'w> ChartPen<'w> {
    pub fn new(words: Option<&'w Words>, names: Vec<&'w str>) -> Self {
        Self { items: Vec::new(), words, names }
    }

    /// A text in the language of the chart, before it is measured.
    pub fn say(&self, text: impl AsRef<str>) -> String {
        let text = text.as_ref();
        let said = self.words.and_then(|words| words.say_but(text, &|part| self.names.contains(&part)));
        said.unwrap_or_else(|| text.to_owned())
    }

    /// `Vigilant on Ardennes`
    pub fn say_pair(&self, attacker: &str, target: &str) -> String {
        around_in_words(self.words, "{1} on {2}", &[attacker, target])
    }

    /// Words with their left end, middle or right end at `x`, on the baseline `y`.
    pub fn text(&mut self, text: &str, words: ChartText, x: f32, y: f32, side: Side) {
        if let Some(line) = line(text, words, x, y, side) {
            self.push(Shape::Text(line), None);
        }
    }

    /// As [`ChartPen::text_within`], marked for programs that read the picture.
    pub fn marked_text(
        &mut self,
        text: &str,
        words: ChartText,
        (x, y): (f32, f32),
        width: f32,
        name: (String, String),
    ) {
        if let Some(line) = line(&fit(text, words, width), words, x, y, Side::Left) {
            self.push(Shape::Text(line), Some(mark(name)));
        }
    }

    /// As [`ChartPen::text`], cut to a width.
    pub fn text_within(&mut self, text: &str, words: ChartText, (x, y): (f32, f32), width: f32, side: Side) {
        self.text(&fit(text, words, width), words, x, y, side);
    }

    /// Words that run upwards from `(x, y)`.
    pub fn text_upwards(&mut self, text: &str, words: ChartText, x: f32, y: f32) {
        let Some(line) = line(text, words, 0.0, 0.0, Side::Left) else { return };
        let transform = Transform::translate(x, y).then_inner(&Transform::rotate(270.0));
        self.push(Shape::Group { transform, items: vec![SceneItem { shape: Shape::Text(line), mark: None }] }, None);
    }

    pub fn line(&mut self, points: &[(f32, f32)], width: f32, paint: Paint, dash: &[f32]) {
        let segments = points.iter().enumerate().map(|(number, (x, y))| match number {
            0 => Segment::Move(*x, *y),
            _ => Segment::Line(*x, *y),
        });
        let path = Path { segments: segments.collect(), even_odd: false };
        let stroke = Stroke { paint, width, dash: dash.to_vec(), cap: Cap::Butt, join: Join::Miter };
        self.push(Shape::Path(path, PaintStyle { fill: None, stroke: Some(stroke) }), None);
    }

    /// `name` marks it for programs that read the picture.
    pub fn bar(&mut self, rect: Rect, fill: Paint, outline: bool, name: Option<(String, String)>) {
        let stroke = outline.then(|| Stroke::new(INK, 0.2));
        self.push(Shape::Rect { rect, radius: 0.0, style: PaintStyle { fill: Some(fill), stroke } }, name.map(mark));
    }

    fn push(&mut self, shape: Shape, mark: Option<Mark>) {
        self.items.push(SceneItem { shape, mark: mark.map(Box::new) });
    }
}

fn mark((name, label): (String, String)) -> Mark {
    Mark { label: label.into(), ..Mark::new(name, MarkKind::Shown, None) }
}

/// Characters that no font has are written as `?`.
fn shape(face: FontFace, text: &str) -> Arc<ShapedLine> {
    let shaped = fonts::shape(face, text);
    if shaped.missing.is_empty() {
        return shaped;
    }
    let plain: String = text.chars().map(|c| if shaped.missing.contains(&c) { '?' } else { c }).collect();
    fonts::shape(face, &plain)
}

fn line(text: &str, words: ChartText, x: f32, y: f32, side: Side) -> Option<TextLine> {
    if text.is_empty() {
        return None;
    }
    let size = words.size.max(MIN_TEXT);
    let shaped = shape(words.face, text);
    let width = shaped.width * size;
    let x = match side {
        Side::Left => x,
        Side::Middle => x - width / 2.0,
        Side::Right => x - width,
    };
    Some(TextLine { shaped, x, y, size, spacing: 0.0, paint: words.paint })
}

/// The words cut with an ellipsis where they are wider.
pub(super) fn fit(text: &str, words: ChartText, width: f32) -> String {
    if words.width(text) <= width {
        return text.to_owned();
    }
    let mut kept: Vec<char> = text.chars().collect();
    while kept.pop().is_some() {
        let cut: String = kept.iter().collect::<String>().trim_end().to_owned() + "…";
        if words.width(&cut) <= width {
            return cut;
        }
    }
    String::new()
}

/// Lines of words that are no wider; a single word may be cut.
pub(super) fn wrap(text: &str, words: ChartText, width: f32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if words.width(&longer) <= width || line.is_empty() {
            line = longer;
        } else {
            lines.push(std::mem::replace(&mut line, word.to_owned()));
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines.iter().map(|line| fit(line, words, width)).collect()
}
