//! Text styles: takes an element and its parent's style, gives size, weight, colour, anchor and spacing. Reads
//! presentation attributes, `<style>` rules and `style="…"`, in increasing priority. Art is styled by usvg.

use std::str::FromStr;

use std::collections::BTreeSet;

use simplecss::{AttributeOperator, Element, PseudoClass, StyleSheet};
use usvg::roxmltree::Node;

use super::newer_css::plain_colour;
use super::svg::XML_NAMESPACE;
use super::template::Anchor;
use super::text_features::TextFeature;
use crate::fonts::FontFace;
use crate::scene::Paint;

/// The properties of text; lengths in the element's own units.
#[derive(Clone, Debug)]
pub(super) struct CssStyle {
    pub is_displayed: bool,
    pub is_visible: bool,
    pub size: f64,
    pub weight: u16,
    pub spacing: f64,
    pub anchor: Anchor,
    pub fill: [u8; 3],
    pub fill_alpha: f32,
    pub has_fill: bool,
    pub color: [u8; 3],
    pub opacity: f32,
    pub preserves_space: bool,
    /// The colour of a stroke; `None` for none.
    pub stroke: Option<[u8; 3]>,
    pub stroke_width: f64,
    pub baseline: Baseline,
    /// Set for raised and lowered letters.
    pub shift: Option<Shift>,
    /// What a slot cannot show, besides a stroke.
    pub features: BTreeSet<TextFeature>,
    /// In CSS: of a style attribute or a rule.
    pub transform: Option<String>,
}

/// The height of a text that is at its `y`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Baseline {
    #[default]
    Alphabetic,
    Middle,
    Central,
    Hanging,
    Mathematical,
    Top,
    Bottom,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shift {
    Raised,
    Lowered,
}

impl Shift {
    /// The same digits in the small figures that fonts have; `None` for any other text.
    pub fn small_figures(self, text: &str) -> Option<String> {
        let small = match self {
            Self::Raised => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'],
            Self::Lowered => ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉'],
        };
        text.chars().map(|c| Some(small[c.to_digit(10)? as usize])).collect()
    }
}

impl Default for CssStyle {
    fn default() -> Self {
        Self {
            is_displayed: true,
            is_visible: true,
            size: 16.0,
            weight: 400,
            spacing: 0.0,
            anchor: Anchor::Start,
            fill: [0; 3],
            fill_alpha: 1.0,
            has_fill: true,
            color: [0; 3],
            opacity: 1.0,
            preserves_space: false,
            stroke: None,
            stroke_width: 1.0,
            baseline: Baseline::default(),
            shift: None,
            features: BTreeSet::new(),
            transform: None,
        }
    }
}

impl CssStyle {
    pub fn for_child(&self, node: Node, sheet: &StyleSheet) -> Self {
        let mut style = Self { transform: None, ..self.clone() };
        let mut own_opacity = 1.0;
        {
            let mut take = |name: &str, value: &str| style.apply_property(self, &mut own_opacity, name, value.trim());
            // What it replaces may follow.
            let font = node.attribute("font").into_iter();
            font.for_each(|value| take("font", value));
            for attribute in node.attributes().filter(|a| a.namespace().is_none() && a.name() != "transform") {
                take(attribute.name(), attribute.value());
            }
            for rule in &sheet.rules {
                if rule.selector.matches(&SelectorElement(node)) {
                    for declaration in &rule.declarations {
                        take(declaration.name, declaration.value);
                    }
                }
            }
            for declaration in node.attribute("style").into_iter().flat_map(|text| text.split(';')) {
                if let Some((name, value)) = declaration.split_once(':') {
                    take(name.trim(), value);
                }
            }
        }
        if let Some(space) = node.attribute((XML_NAMESPACE, "space")) {
            style.preserves_space = space == "preserve";
        }
        style.opacity = self.opacity * own_opacity;
        style
    }

    pub fn face(&self) -> FontFace {
        match self.weight {
            650.. => FontFace::Bold,
            550..650 => FontFace::SemiBold,
            _ => FontFace::Regular,
        }
    }

    /// The colour with all opacities multiplied; that of the stroke for letters with a stroke alone.
    pub fn paint(&self) -> Paint {
        match self.stroke.filter(|_| !self.has_fill && self.stroke_width > 0.0) {
            Some(rgb) => Paint { rgb, alpha: self.opacity },
            None => Paint { rgb: self.fill, alpha: if self.has_fill { self.fill_alpha * self.opacity } else { 0.0 } },
        }
    }

    /// What a slot cannot show.
    pub fn unusual(&self) -> impl Iterator<Item = TextFeature> + '_ {
        let has_stroke = self.stroke.is_some() && self.stroke_width > 0.0;
        let stroke = has_stroke.then_some(TextFeature::Stroke);
        self.features.iter().copied().chain(stroke).chain(self.shift.map(|_| TextFeature::Heights))
    }

    /// How far below its `y` the letters' own baseline is, in the element's units.
    pub fn baseline_shift(&self) -> f64 {
        let metrics = self.face().metrics();
        let (ascent, descent) = (f64::from(metrics.ascent), f64::from(metrics.descent.abs()));
        self.size
            * match self.baseline {
                Baseline::Alphabetic => 0.0,
                Baseline::Middle => f64::from(metrics.x_height) / 2.0,
                Baseline::Central => (ascent - descent) / 2.0,
                Baseline::Hanging => ascent * 0.8,
                Baseline::Mathematical => ascent / 2.0,
                Baseline::Top => ascent,
                Baseline::Bottom => -descent,
            }
    }

    fn set_feature(&mut self, feature: TextFeature, is_on: bool) {
        if is_on {
            self.features.insert(feature);
        } else {
            self.features.remove(&feature);
        }
    }

    fn apply_property(&mut self, parent: &Self, own_opacity: &mut f32, name: &str, value: &str) {
        let value = value.strip_suffix("!important").map_or(value, str::trim);
        match name {
            "display" => self.is_displayed = parent.is_displayed && value != "none",
            "visibility" => self.is_visible = !matches!(value, "hidden" | "collapse"),
            "font" => {
                if let Ok(font) = svgtypes::FontShorthand::from_str(value) {
                    for (name, value) in [
                        ("font-style", font.font_style.unwrap_or("normal")),
                        ("font-variant", font.font_variant.unwrap_or("normal")),
                        ("font-weight", font.font_weight.unwrap_or("normal")),
                        ("font-size", font.font_size),
                    ] {
                        self.apply_property(parent, own_opacity, name, value);
                    }
                }
            }
            "font-size" => {
                let size = named_size(value, parent.size).or_else(|| parse_length(value, parent.size, parent.size));
                if let Some(size) = size.filter(|size| *size >= 0.0) {
                    self.size = size;
                }
            }
            "font-style" => {
                self.set_feature(TextFeature::Italics, value.starts_with("italic") || value.starts_with("oblique"))
            }
            "font-variant" | "font-variant-caps" => {
                self.set_feature(TextFeature::SmallCapitals, value.contains("small-caps"))
            }
            "text-transform" => {
                self.set_feature(TextFeature::Capitals, matches!(value, "uppercase" | "lowercase" | "capitalize"));
            }
            // Lines of the parent are drawn through its parts, too.
            "text-decoration" | "text-decoration-line"
                if ["underline", "overline", "line-through"].iter().any(|line| value.contains(line)) =>
            {
                self.features.insert(TextFeature::Lines);
            }
            "word-spacing" => {
                let space = parse_length(value, self.size, 0.0).unwrap_or(0.0);
                self.set_feature(TextFeature::WordSpaces, space != 0.0);
            }
            "writing-mode" => {
                let is_level = matches!(value, "horizontal-tb" | "lr" | "lr-tb" | "rl" | "rl-tb" | "initial");
                self.set_feature(TextFeature::Vertical, !is_level && value != "inherit");
            }
            "baseline-shift" => {
                let height = match value {
                    "super" => 1.0,
                    "sub" => -1.0,
                    _ => parse_length(value, self.size, 1.0).unwrap_or(0.0),
                };
                if height != 0.0 {
                    self.shift = Some(if height > 0.0 { Shift::Raised } else { Shift::Lowered });
                }
            }
            "dominant-baseline" | "alignment-baseline" => {
                self.baseline = match value {
                    "middle" => Baseline::Middle,
                    "central" => Baseline::Central,
                    "hanging" => Baseline::Hanging,
                    "mathematical" => Baseline::Mathematical,
                    "text-before-edge" | "before-edge" | "text-top" => Baseline::Top,
                    "text-after-edge" | "after-edge" | "text-bottom" | "ideographic" => Baseline::Bottom,
                    "inherit" | "no-change" => parent.baseline,
                    _ => Baseline::Alphabetic,
                }
            }
            "stroke" => {
                self.stroke = match value {
                    "none" | "transparent" => None,
                    "inherit" => parent.stroke,
                    "currentColor" | "currentcolor" => Some(self.color),
                    _ => parse_color(value).map(|(rgb, _)| rgb).or_else(|| value.starts_with("url(").then_some([0; 3])),
                }
            }
            "stroke-width" => {
                self.stroke_width = parse_length(value, self.size, 0.0).unwrap_or(parent.stroke_width);
            }
            "transform" if value != "none" => self.transform = Some(value.to_owned()),
            "font-weight" => {
                self.weight = match value {
                    "normal" => 400,
                    "bold" => 700,
                    "bolder" => parent.weight.max(400).saturating_add(300).min(900),
                    "lighter" => parent.weight.saturating_sub(300).max(100),
                    _ => value.parse().ok().filter(|weight| (1..=1000).contains(weight)).unwrap_or(parent.weight),
                }
            }
            "letter-spacing" => self.spacing = parse_length(value, self.size, 0.0).unwrap_or(0.0),
            "text-anchor" => {
                self.anchor = match value {
                    "middle" => Anchor::Middle,
                    "end" => Anchor::End,
                    "start" => Anchor::Start,
                    _ => parent.anchor,
                }
            }
            "color" => {
                if let Some((rgb, _)) = parse_color(value) {
                    self.color = rgb;
                }
            }
            "fill" if value.starts_with("url(") => {
                self.features.insert(TextFeature::Gradient);
                self.has_fill = true;
            }
            "fill" => match value {
                "none" | "transparent" => self.has_fill = false,
                "inherit" => {}
                "currentColor" | "currentcolor" => (self.fill, self.has_fill) = (self.color, true),
                _ => {
                    if let Some((rgb, alpha)) = parse_color(value) {
                        self.features.remove(&TextFeature::Gradient);
                        (self.fill, self.has_fill) = (rgb, true);
                        if alpha < 1.0 {
                            self.fill_alpha = alpha;
                        }
                    }
                }
            },
            "fill-opacity" => self.fill_alpha = parse_opacity(value).unwrap_or(parent.fill_alpha),
            "opacity" => *own_opacity = parse_opacity(value).unwrap_or(1.0),
            "white-space" => self.preserves_space = value.starts_with("pre"),
            _ => {}
        }
    }
}

/// A size in words, as browsers take it; `None` for another.
fn named_size(value: &str, parent: f64) -> Option<f64> {
    Some(match value {
        "xx-small" => 9.0,
        "x-small" => 10.0,
        "small" => 13.0,
        "medium" => 16.0,
        "large" => 18.0,
        "x-large" => 24.0,
        "xx-large" => 32.0,
        "xxx-large" => 48.0,
        "larger" => parent * 1.2,
        "smaller" => parent / 1.2,
        _ => return None,
    })
}

/// In user units; `em` and `ex` are relative to `em`, per cent to `whole`.
pub(super) fn parse_length(value: &str, em: f64, whole: f64) -> Option<f64> {
    use svgtypes::LengthUnit as Unit;
    let length = svgtypes::Length::from_str(value.trim()).ok()?;
    let number = length.number;
    let result = match length.unit {
        Unit::None | Unit::Px => number,
        Unit::Em => number * em,
        Unit::Ex => number * em / 2.0,
        Unit::In => number * 96.0,
        Unit::Cm => number * 96.0 / 2.54,
        Unit::Mm => number * 96.0 / 25.4,
        Unit::Pt => number * 96.0 / 72.0,
        Unit::Pc => number * 16.0,
        Unit::Percent => number * whole / 100.0,
    };
    result.is_finite().then_some(result)
}

fn parse_color(value: &str) -> Option<([u8; 3], f32)> {
    let color = svgtypes::Color::from_str(&plain_colour(value)?).ok()?;
    Some(([color.red, color.green, color.blue], f32::from(color.alpha) / 255.0))
}

fn parse_opacity(value: &str) -> Option<f32> {
    let number = match value.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f32>().ok()? / 100.0,
        None => value.parse().ok()?,
    };
    number.is_finite().then(|| number.clamp(0.0, 1.0))
}

struct SelectorElement<'a, 'input>(Node<'a, 'input>);

impl Element for SelectorElement<'_, '_> {
    fn parent_element(&self) -> Option<Self> {
        self.0.parent_element().map(SelectorElement)
    }
    fn prev_sibling_element(&self) -> Option<Self> {
        self.0.prev_sibling_element().map(SelectorElement)
    }
    fn has_local_name(&self, name: &str) -> bool {
        self.0.tag_name().name() == name
    }
    fn attribute_matches(&self, name: &str, operator: AttributeOperator<'_>) -> bool {
        self.0.attribute(name).is_some_and(|value| operator.matches(value))
    }
    fn pseudo_class_matches(&self, class: PseudoClass<'_>) -> bool {
        matches!(class, PseudoClass::FirstChild) && self.0.prev_sibling_element().is_none()
    }
}
