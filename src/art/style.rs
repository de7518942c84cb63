//! What style a text has: takes an element and its parent's style, gives size, weight, colour, anchor and spacing. Reads
//! presentation attributes, `<style>` rules and `style="…"`, in that order of strength. Never styles art; usvg does.

use std::str::FromStr;

use simplecss::{AttributeOperator, Element, PseudoClass, StyleSheet};
use usvg::roxmltree::Node;

use super::svg::XML;
use super::template::Anchor;
use crate::fonts::Face;
use crate::scene::Paint;

/// The properties that text needs; lengths in the element's own units.
#[derive(Clone, Debug)]
pub(super) struct Style {
    pub shown: bool,
    pub visible: bool,
    pub size: f64,
    pub weight: u16,
    pub spacing: f64,
    pub anchor: Anchor,
    pub fill: [u8; 3],
    pub fill_alpha: f32,
    pub filled: bool,
    pub color: [u8; 3],
    pub opacity: f32,
    pub preserve: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            shown: true,
            visible: true,
            size: 16.0,
            weight: 400,
            spacing: 0.0,
            anchor: Anchor::Start,
            fill: [0; 3],
            fill_alpha: 1.0,
            filled: true,
            color: [0; 3],
            opacity: 1.0,
            preserve: false,
        }
    }
}

impl Style {
    /// The style of an element whose parent has this style.
    pub fn of(&self, node: Node, sheet: &StyleSheet) -> Self {
        let mut style = self.clone();
        let mut own_opacity = 1.0;
        {
            let mut take = |name: &str, value: &str| style.take(self, &mut own_opacity, name, value.trim());
            for attribute in node.attributes().filter(|a| a.namespace().is_none()) {
                take(attribute.name(), attribute.value());
            }
            for rule in &sheet.rules {
                if rule.selector.matches(&Xml(node)) {
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
        if let Some(space) = node.attribute((XML, "space")) {
            style.preserve = space == "preserve";
        }
        style.opacity = self.opacity * own_opacity;
        style
    }

    /// The bundled face nearest to the weight.
    pub fn face(&self) -> Face {
        match self.weight {
            650.. => Face::Bold,
            550..650 => Face::SemiBold,
            _ => Face::Regular,
        }
    }

    /// The colour with all opacities.
    pub fn paint(&self) -> Paint {
        Paint { rgb: self.fill, alpha: if self.filled { self.fill_alpha * self.opacity } else { 0.0 } }
    }

    fn take(&mut self, parent: &Self, own_opacity: &mut f32, name: &str, value: &str) {
        let value = value.strip_suffix("!important").map_or(value, str::trim);
        match name {
            "display" => self.shown = parent.shown && value != "none",
            "visibility" => self.visible = !matches!(value, "hidden" | "collapse"),
            "font-size" => {
                if let Some(size) = length(value, parent.size, parent.size).filter(|size| *size >= 0.0) {
                    self.size = size;
                }
            }
            "font-weight" => {
                self.weight = match value {
                    "normal" => 400,
                    "bold" => 700,
                    "bolder" => parent.weight.max(400).saturating_add(300).min(900),
                    "lighter" => parent.weight.saturating_sub(300).max(100),
                    _ => value.parse().ok().filter(|weight| (1..=1000).contains(weight)).unwrap_or(parent.weight),
                }
            }
            "letter-spacing" => self.spacing = length(value, self.size, 0.0).unwrap_or(0.0),
            "text-anchor" => {
                self.anchor = match value {
                    "middle" => Anchor::Middle,
                    "end" => Anchor::End,
                    "start" => Anchor::Start,
                    _ => parent.anchor,
                }
            }
            "color" => {
                if let Some((rgb, _)) = color(value) {
                    self.color = rgb;
                }
            }
            "fill" => match value {
                "none" | "transparent" => self.filled = false,
                "inherit" => {}
                "currentColor" | "currentcolor" => (self.fill, self.filled) = (self.color, true),
                _ => {
                    if let Some((rgb, alpha)) = color(value) {
                        (self.fill, self.filled) = (rgb, true);
                        if alpha < 1.0 {
                            self.fill_alpha = alpha;
                        }
                    }
                }
            },
            "fill-opacity" => self.fill_alpha = opacity(value).unwrap_or(parent.fill_alpha),
            "opacity" => *own_opacity = opacity(value).unwrap_or(1.0),
            "white-space" => self.preserve = value.starts_with("pre"),
            _ => {}
        }
    }
}

/// A length in user units: `em` and `ex` of `em`, per cent of `whole`.
pub(super) fn length(value: &str, em: f64, whole: f64) -> Option<f64> {
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

fn color(value: &str) -> Option<([u8; 3], f32)> {
    let color = svgtypes::Color::from_str(value).ok()?;
    Some(([color.red, color.green, color.blue], f32::from(color.alpha) / 255.0))
}

fn opacity(value: &str) -> Option<f32> {
    let number = match value.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f32>().ok()? / 100.0,
        None => value.parse().ok()?,
    };
    number.is_finite().then(|| number.clamp(0.0, 1.0))
}

/// An element as style rules see it.
struct Xml<'a, 'input>(Node<'a, 'input>);

impl Element for Xml<'_, '_> {
    fn parent_element(&self) -> Option<Self> {
        self.0.parent_element().map(Xml)
    }
    fn prev_sibling_element(&self) -> Option<Self> {
        self.0.prev_sibling_element().map(Xml)
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
