//! A box drawn from a small template: takes the prepared template and one box of a track, gives its art and its filled
//! texts, scaled into the box; a box that is wider for its proportions stretches the art, not the letters. Its texts are
//! never smaller than the minimum: it reports how large a box they need.

use std::sync::Arc;

use crate::sheet::assembly::prepared_texts::{PreparedSlot, PreparedTexts};
use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::{TextRole, TextStyle, TextStyles};
use moldloft_drawing::scene::Rect;
use moldloft_rules::evaluate::{ResultRef, SlotScope};

/// A small template filled for one box.
#[derive(Clone)]
pub struct BoxTemplate {
    template: Arc<PreparedTexts>,
    /// By index in the template's conditions.
    conditions_met: Vec<bool>,
    /// Filled texts, with their indices among the prepared texts.
    texts: Vec<(usize, String)>,
}

/// A text on a box takes the next larger named size if that is at most so much larger.
const MAX_GROWTH: f32 = 1.16;

impl std::fmt::Debug for BoxTemplate {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("BoxTemplate").field("words", &self.texts).finish_non_exhaustive()
    }
}

impl BoxTemplate {
    /// The face of a box (from 0) of a track, by its index in the evaluation; without a track for an empty sheet.
    pub fn fill(face: &Arc<PreparedTexts>, track: Option<usize>, n: usize, view: &ShipView<'_>) -> Self {
        let it = track.map_or(ResultRef::Nothing, |track| ResultRef::Box { track, n });
        let focus = SlotScope { it, ..SlotScope::default() };
        let template = &face.template;
        let holds = view.conditions_met(face, &focus);
        let shown = |when: Option<usize>| when.is_none_or(|when| holds.get(when).copied().unwrap_or(false));
        let words = face.slots.iter().enumerate().filter(|(_, filled)| shown(template.slots[filled.slot_index].when));
        let words = words.filter_map(|(n, filled)| Some((n, view.slot_text(filled, &focus)?)));
        let words = words.filter(|(_, words)| !words.trim().is_empty()).collect();
        Self { template: Arc::clone(face), texts: words, conditions_met: holds }
    }

    /// The style of a text on a box drawn at this scale and as much as `across` wider, and its maximum width, mm.
    fn text_style(
        &self,
        filled: &PreparedSlot,
        words: &str,
        (scale, across): (f32, f32),
        styles: &TextStyles,
    ) -> (TextStyle, f32) {
        let slot = &self.template.template.slots[filled.slot_index];
        let role = text_role(filled);
        let size = styles.minimums.named_size_mm(slot.size * scale * MAX_GROWTH, role);
        let style = TextStyle { face: slot.face, size, paint: slot.paint, spacing: slot.spacing / slot.size.max(0.01) };
        let room = filled.width.unwrap_or(self.template.template.width) * scale * across;
        let size = styles.minimums.shrink_to_width(size, style.width(words) / size.mm(), room, role);
        (TextStyle { size, ..style }, room)
    }

    /// The least height of the box, mm, at which its texts are legible.
    pub fn min_height(&self, styles: &TextStyles) -> f32 {
        let template = &self.template.template;
        let one = |(n, _): &(usize, String)| {
            let filled = &self.template.slots[*n];
            let smallest = match text_role(filled) {
                TextRole::Play => styles.minimums.play_text,
                TextRole::Label => styles.minimums.text,
            };
            smallest / template.slots[filled.slot_index].size.max(0.1) * template.height
        };
        self.texts.iter().map(one).fold(0.0, f32::max)
    }

    /// The least width of the box, mm, at which its texts are within their widths.
    pub fn min_width(&self, styles: &TextStyles) -> f32 {
        let template = &self.template.template;
        let one = |(n, words): &(usize, String)| {
            let filled = &self.template.slots[*n];
            // At scale 0, the style has the minimum size.
            let (style, _) = self.text_style(filled, words, (0.0, 1.0), styles);
            style.width(words) / filled.width.unwrap_or(template.width).max(0.1) * template.width
        };
        self.texts.iter().map(one).fold(0.0, f32::max)
    }

    pub fn draw(&self, rect: Rect, pen: &mut SheetPen) {
        let template = &self.template.template;
        let scale = (rect.w / template.width.max(0.1)).min(rect.h / template.height.max(0.1));
        let across = (rect.w / (template.width * scale).max(0.1)).max(1.0);
        let (width, height) = (template.width * scale * across, template.height * scale);
        let place = Rect::new(rect.x + (rect.w - width) / 2.0, rect.y + (rect.h - height) / 2.0, width, height);
        let shown =
            |when: Option<usize>| when.is_none_or(|when| self.conditions_met.get(when).copied().unwrap_or(false));
        for piece in template.art.iter().filter(|piece| shown(piece.when)) {
            pen.stretched_drawing(&piece.drawing, place);
        }
        for (n, words) in &self.texts {
            let filled = &self.template.slots[*n];
            let slot = &template.slots[filled.slot_index];
            let (style, _) = self.text_style(filled, words, (scale, across), &pen.styles);
            pen.text(words, style, place.x + slot.x * scale * across, place.y + slot.y * scale, slot.anchor);
        }
    }
}

fn text_role(filled: &PreparedSlot) -> TextRole {
    if filled.is_play_value { TextRole::Play } else { TextRole::Label }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::BoxTemplate;
    use crate::sheet::assembly::ship_view::ShipView;
    use crate::sheet::assembly::template_cache::TemplateCache;
    use crate::sheet::layout::pen::SheetPen;
    use crate::sheet::layout::text_style::TextStyles;
    use crate::sheet::page_setup::sheet_options::SheetOptions;
    use moldloft_base::source::Source;
    use moldloft_rules::design::{Design, Ship};
    use moldloft_rules::evaluate::evaluate;
    use moldloft_rules::ruleset::Ruleset;

    const RULES: &str = "[ruleset]\nid = \"game\"\ntitle = \"Game\"\nversion = \"1\"\nschema = 1\n\
        [[field]]\nid = \"guns\"\nkind = \"integer\"\ndefault = 0\n\
        [[track]]\nid = \"power\"\nboxes = 3\ncell = { left = \"guns * box\" }\nface = \"face.svg\"\n";

    /// A box 10 mm square with one number 3 mm high that may be 4 mm wide, and a group that only an armed ship shows.
    fn face(word: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:inkscape=\"http://www.inkscape.org/namespaces/inkscape\" \
             width=\"10mm\" height=\"10mm\" viewBox=\"0 0 10 10\"><text x=\"5\" y=\"6\" style=\"font-size:3px\">\
             <desc>width = 4</desc>{{{{ {word} }}}}</text><g inkscape:label=\"when: guns\"><text x=\"1\" y=\"9\" \
             style=\"font-size:3px\">{{{{ box }}}} of {{{{ boxes }}}}</text></g></svg>"
        )
    }

    fn with<T>(word: &str, guns: i64, ask: impl FnOnce(&ShipView<'_>) -> T) -> (T, Vec<String>) {
        let rules = Arc::new(Ruleset::load(&Source::new("game.toml", RULES)).0.unwrap());
        let text = format!("ruleset = \"game\"\nname = \"Ship\"\n[fields]\nguns = {guns}\n");
        let ship = evaluate(&rules, &Design::read(&Source::new("ship.toml", &text)).unwrap(), &Ship::default());
        let svg = face(word);
        let templates = TemplateCache::new(move |_, name| Some(Ok(Source::new(name, &svg))));
        let options = SheetOptions::default();
        let answer = ask(&ShipView::new(&ship, options, TextStyles::new(options.minimum_sizes()), &templates));
        (answer, templates.findings().iter().map(|finding| format!("{}: {}", finding.code, finding.message)).collect())
    }

    fn words(guns: i64, n: usize) -> Vec<String> {
        let (words, findings) = with("left", guns, |view| {
            let face = view.box_template("power", "face.svg").unwrap();
            BoxTemplate::fill(&face, Some(0), n, view).texts.into_iter().map(|(_, words)| words).collect()
        });
        assert!(findings.is_empty(), "{findings:?}");
        words
    }

    #[test]
    fn a_box_shows_the_words_of_its_own_cell_and_what_its_conditions_allow() {
        assert_eq!(words(4, 0), ["4", "1 of 3"]);
        assert_eq!(words(4, 2), ["12", "3 of 3"]);
        assert_eq!(words(0, 2), ["0"]);
    }

    #[test]
    fn a_misspelt_word_on_a_face_is_told() {
        let (_, findings) = with("letf", 1, |view| view.box_template("power", "face.svg"));
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert!(findings[0].contains("letf"), "{findings:?}");
    }

    #[test]
    fn a_box_is_as_large_as_its_longest_number_needs() {
        let least = |guns: i64| {
            let (least, _) = with("left", guns, |view| {
                let face = BoxTemplate::fill(&view.box_template("power", "face.svg").unwrap(), Some(0), 0, view);
                (face.min_width(&view.styles), face.min_height(&view.styles))
            });
            least
        };
        // 6 pt are 2.117 mm: a text 3 mm high in a box of 10 mm needs 7.06 mm; six figures need more width, not more height.
        assert!((least(4).1 - 7.056).abs() < 0.01 && least(4).0 < 7.0, "{:?}", least(4));
        assert!((least(400_000).1 - 7.056).abs() < 0.01 && least(400_000).0 > 12.0, "{:?}", least(400_000));
        let ((), _) = with("left", 400_000, |view| {
            let face = BoxTemplate::fill(&view.box_template("power", "face.svg").unwrap(), Some(0), 0, view);
            let (wide, high) = (face.min_width(&view.styles), face.min_height(&view.styles));
            let mut pen = SheetPen::new(view.styles, (0.0, 0.0));
            face.draw(moldloft_drawing::scene::Rect::new(0.0, 0.0, wide, high), &mut pen);
            let numbers = pen.items.iter().filter_map(|item| match &item.shape {
                moldloft_drawing::scene::Shape::Text(text) if &*text.shaped.text == "400000" => {
                    Some((text.width(), text.x))
                }
                _ => None,
            });
            let (widest, x) = numbers.fold((0.0, 0.0), |a: (f32, f32), b| (a.0.max(b.0), b.1));
            assert!(widest > 0.0 && widest <= 0.4 * wide + 0.01, "{widest} in {wide}");
            assert!((x / wide - 0.5).abs() < 0.01, "as far across as in the drawing: {x} of {wide}");
        });
    }
}
