//! Collects the glyphs (with their text) and drawings that a scene uses, before anything is written. Numbers depend
//! only on the order in the scene.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use rayon::prelude::*;

use super::code_map;
use super::stamp::{SharedStamps, StampCounts};
use super::syntax::put_string_bytes;
use crate::export::flatten::{finite_transform, for_each_nested_shape, for_each_shape, max_scale};
use crate::export::limits::MAX_DEPTH;
use crate::export::picture::PixelStreams;
use moldloft_drawing::fonts::{self, FontFace, ShapedLine, Subset};
use moldloft_drawing::scene::{Drawing, Scene, Shape, Transform};

#[derive(Default)]
pub struct SceneUsage {
    /// By face; `None` if unused.
    pub fonts: [Option<EmbeddedFont>; 4],
    /// In order of appearance; the index is the drawing's number.
    pub drawings: Vec<DrawingUse>,
    numbers: HashMap<usize, usize>,
    /// Outlines that several pages draw.
    pub stamps: SharedStamps,
}

pub struct EmbeddedFont {
    pub subset: Subset,
    /// By code: the new glyph id, and its text.
    pub letters: BTreeMap<u16, (u16, String)>,
    /// By old glyph id.
    codes: Vec<u16>,
    is_short: bool,
}

pub struct DrawingUse {
    pub drawing: Arc<Drawing>,
    /// Largest scale, which determines the decimals needed.
    pub scale: f32,
    /// How often pages and drawings show it.
    pub times: usize,
    /// What is written where it is shown, if it has no form of its own.
    pub inline: Option<Vec<u8>>,
    /// Under its shapes.
    pub picture: Option<PixelStreams>,
}

impl EmbeddedFont {
    /// Appends the code of a glyph, for a string.
    pub fn put_code(&self, out: &mut Vec<u8>, glyph: u16) {
        let code = self.codes.get(usize::from(glyph)).copied().unwrap_or(0).to_be_bytes();
        put_string_bytes(out, &code[code.len() - self.code_bytes()..]);
    }

    /// The length of its codes.
    pub fn code_bytes(&self) -> usize {
        if self.is_short { 1 } else { 2 }
    }
}

impl SceneUsage {
    /// `None` if it is nested too deeply to be drawn.
    pub fn number(&self, drawing: &Arc<Drawing>) -> Option<usize> {
        self.numbers.get(&address(drawing)).copied()
    }
}

/// Identifies a shared value; never used for ordering.
fn address<T>(shared: &Arc<T>) -> usize {
    Arc::as_ptr(shared).addr()
}

/// By face and glyph id; `None` if unused.
type GlyphWords<'a> = [Vec<Option<&'a str>>; 4];

/// What one page or drawing uses directly.
#[derive(Default)]
struct PageUsage<'a> {
    glyphs: GlyphWords<'a>,
    /// Each with its largest scale, and how often it is shown.
    drawings: Vec<(&'a Arc<Drawing>, f32, usize)>,
    stamps: StampCounts,
}

impl<'a> PageUsage<'a> {
    fn note_shape(&mut self, shape: &'a Shape, scale: f32) {
        match shape {
            Shape::Text(text) => self.note_run(&text.shaped),
            Shape::Use { drawing, transform } => self.note_use(drawing, transform, scale),
            _ => {}
        }
    }

    fn note_run(&mut self, run: &'a ShapedLine) {
        for glyph in &run.glyphs {
            let words = run.text.get(glyph.text.start as usize..glyph.text.end as usize);
            add_words(&mut self.glyphs[glyph.face as usize], glyph.id, words.unwrap_or_default());
        }
    }

    fn note_use(&mut self, drawing: &'a Arc<Drawing>, transform: &Transform, scale: f32) {
        let scale = scale * max_scale(&finite_transform(transform));
        match self.drawings.iter_mut().find(|(known, ..)| Arc::ptr_eq(known, drawing)) {
            Some((_, known, times)) => (*known, *times) = (known.max(scale), *times + 1),
            None => self.drawings.push((drawing, scale, 1)),
        }
    }
}

pub fn collect_usage(scene: &Scene) -> SceneUsage {
    let pages: Vec<PageUsage> = scene
        .pages
        .par_iter()
        .map(|page| {
            let mut used = PageUsage::default();
            if !page.compact.is_empty() {
                page.compact.runs().for_each(|run| used.note_run(run));
                // Expanded items are dropped with their page: drawings are known by the page's own references.
                for_each_shape(&page.items_for_drawing()[..], &mut |shape, transform| {
                    used.stamps.note(shape, transform);
                    if let Shape::Use { drawing, transform: inner } = shape {
                        let own = page.compact.drawings().find(|known| Arc::ptr_eq(known, drawing));
                        own.into_iter().for_each(|own| used.note_use(own, inner, max_scale(transform)));
                    }
                });
            }
            for_each_shape(&page.items, &mut |shape, transform| {
                used.note_shape(shape, max_scale(transform));
                used.stamps.note(shape, transform);
            });
            used
        })
        .collect();

    let mut glyphs = GlyphWords::default();
    let mut usage = SceneUsage::default();
    let mut stamps = StampCounts::default();
    let mut children: Vec<Vec<(usize, f32)>> = Vec::new();
    for used in pages {
        merge_glyphs(&mut glyphs, used.glyphs);
        stamps.add_page(used.stamps);
        for (drawing, scale, times) in used.drawings {
            note_drawing(&mut usage, &mut children, &mut glyphs, (drawing, scale, times), MAX_DEPTH);
        }
    }
    usage.stamps = stamps.shared();
    // A drawing inside others is scaled with them. Scales only grow and nesting is bounded, so a few rounds suffice.
    for _ in 0..MAX_DEPTH {
        let mut grown = false;
        for (user, inner) in children.iter().enumerate() {
            for &(child, scale) in inner {
                let scale = scale * usage.drawings[user].scale;
                if scale > usage.drawings[child].scale {
                    usage.drawings[child].scale = scale;
                    grown = true;
                }
            }
        }
        if !grown {
            break;
        }
    }
    for face in FontFace::WITH_FALLBACK {
        let used = &glyphs[face as usize];
        if !used.is_empty() {
            usage.fonts[face as usize] = Some(embed_font(face, used));
        }
    }
    usage
}

fn merge_glyphs<'a>(into: &mut GlyphWords<'a>, from: GlyphWords<'a>) {
    for (into, from) in into.iter_mut().zip(from) {
        for (glyph, words) in (0..).zip(from) {
            words.into_iter().for_each(|words| add_words(into, glyph, words));
        }
    }
}

/// A glyph has the first text found; further glyphs of one character have none.
fn add_words<'a>(known: &mut Vec<Option<&'a str>>, glyph: u16, words: &'a str) {
    let at = usize::from(glyph);
    if known.len() <= at {
        known.resize(at + 1, None);
    }
    if known[at].is_none_or(str::is_empty) {
        known[at] = Some(words);
    }
}

fn note_drawing<'a>(
    usage: &mut SceneUsage,
    children: &mut Vec<Vec<(usize, f32)>>,
    glyphs: &mut GlyphWords<'a>,
    (drawing, scale, times): (&'a Arc<Drawing>, f32, usize),
    depth: usize,
) -> Option<usize> {
    if let Some(number) = usage.number(drawing) {
        usage.drawings[number].scale = usage.drawings[number].scale.max(scale);
        usage.drawings[number].times += times;
        return Some(number);
    }
    let depth = depth.checked_sub(1)?;
    let number = usage.drawings.len();
    usage.numbers.insert(address(drawing), number);
    usage.drawings.push(DrawingUse { drawing: Arc::clone(drawing), scale, times, inline: None, picture: None });
    children.push(Vec::new());
    let mut used = PageUsage::default();
    for_each_nested_shape(&drawing.shapes, &mut |shape, transform| used.note_shape(shape, max_scale(transform)));
    merge_glyphs(glyphs, used.glyphs);
    for (inner, scale, times) in used.drawings {
        let inner = (inner, scale * usage.drawings[number].scale, times);
        if let Some(child) = note_drawing(usage, children, glyphs, inner, depth) {
            children[number].push((child, scale));
        }
    }
    Some(number)
}

fn embed_font(face: FontFace, used: &[Option<&str>]) -> EmbeddedFont {
    let mut codes = vec![0; used.len()];
    // Control characters are shaped as spaces, and a no-break space should be found as a space.
    let plain = |text: &str| text.chars().map(|c| if c.is_control() || c == '\u{a0}' { ' ' } else { c }).collect();
    let used = (0_u16..).zip(used).filter_map(|(glyph, text)| Some((glyph, plain((*text)?))));
    let used: Vec<(u16, String)> = used.collect();
    let short = code_map::short_codes(used.iter().map(|(_, text)| &**text));
    // Glyphs are numbered as their codes are ordered.
    let mut order: Vec<usize> = (0..used.len()).collect();
    order.sort_by_key(|&n| short.as_ref().map(|codes| codes[n]));
    let subset = fonts::subset(face, order.iter().map(|&n| used[n].0));
    let mut letters = BTreeMap::new();
    for (n, (glyph, text)) in used.into_iter().enumerate() {
        let own = subset.glyphs.get(&glyph).copied().unwrap_or(0);
        let code = short.as_ref().map_or(own, |codes| codes[n]);
        codes[usize::from(glyph)] = code;
        letters.insert(code, (own, text));
    }
    EmbeddedFont { subset, letters, codes, is_short: short.is_some() }
}
