//! The look of the window: fonts, sizes, colours, light and dark. Takes the settings and changes only egui's style.

use std::sync::Arc;

use egui::{Color32, CornerRadius, FontData, FontDefinitions, FontFamily, FontId, Stroke, TextStyle, Visuals};

use crate::{Settings, Theme, icons};
use moldloft_drawing::fonts::FontFace;

/// Colours with a meaning, always next to a word or a shape.
#[derive(Clone, Copy, Debug)]
pub struct Palette {
    pub accent: Color32,
    pub on_accent: Color32,
    pub error: Color32,
    pub error_background: Color32,
    pub warning: Color32,
    pub muted: Color32,
    pub good: Color32,
    /// Of the other ship in a fight.
    pub rival: Color32,
    pub card: Color32,
    pub bar: Color32,
    pub line: Color32,
    pub selection: Color32,
    /// Of signs, in the order of `ROLE_TAGS`: told apart by all eyes, and by their letters.
    pub roles: [Color32; 4],
}

/// The accent on drawn pages, which are white in either theme.
pub const PAGE_ACCENT: Color32 = Color32::from_rgb(0x1f, 0x55, 0xc4);

const LIGHT: Palette = Palette {
    accent: PAGE_ACCENT,
    on_accent: Color32::WHITE,
    error: Color32::from_rgb(0xb0, 0x1f, 0x24),
    error_background: Color32::from_rgb(0xfd, 0xec, 0xec),
    warning: Color32::from_rgb(0x8a, 0x5a, 0x00),
    muted: Color32::from_rgb(0x5f, 0x64, 0x6d),
    good: Color32::from_rgb(0x1c, 0x6e, 0x3c),
    rival: Color32::from_rgb(0x9c, 0x46, 0x00),
    card: Color32::WHITE,
    bar: Color32::from_rgb(0xe8, 0xea, 0xee),
    line: Color32::from_rgb(0xd0, 0xd4, 0xda),
    selection: Color32::from_rgb(0xdd, 0xe7, 0xfa),
    roles: [
        Color32::from_rgb(0x00, 0x5f, 0x9e),
        Color32::from_rgb(0xa8, 0x3a, 0x00),
        Color32::from_rgb(0x00, 0x6b, 0x4f),
        Color32::from_rgb(0x8a, 0x35, 0x68),
    ],
};

const DARK: Palette = Palette {
    accent: Color32::from_rgb(0x8a, 0xb4, 0xff),
    on_accent: Color32::from_rgb(0x0c, 0x14, 0x24),
    error: Color32::from_rgb(0xff, 0x8d, 0x8a),
    error_background: Color32::from_rgb(0x46, 0x1f, 0x22),
    warning: Color32::from_rgb(0xf0, 0xb9, 0x55),
    muted: Color32::from_rgb(0xa2, 0xa8, 0xb3),
    good: Color32::from_rgb(0x7f, 0xd1, 0x9b),
    rival: Color32::from_rgb(0xff, 0xa8, 0x62),
    card: Color32::from_rgb(0x24, 0x27, 0x2d),
    bar: Color32::from_rgb(0x17, 0x19, 0x1d),
    line: Color32::from_rgb(0x41, 0x46, 0x50),
    selection: Color32::from_rgb(0x25, 0x3a, 0x60),
    roles: [
        Color32::from_rgb(0x7c, 0xc4, 0xf5),
        Color32::from_rgb(0xff, 0x9a, 0x5c),
        Color32::from_rgb(0x5f, 0xd3, 0xac),
        Color32::from_rgb(0xe8, 0xa3, 0xcc),
    ],
};

pub fn palette(ui: &egui::Ui) -> &'static Palette {
    if ui.visuals().dark_mode { &DARK } else { &LIGHT }
}

fn dims_paper_id() -> egui::Id {
    egui::Id::unique("paper is dimmed")
}

/// Of sheets, and what their pictures are multiplied by.
pub fn paper(ui: &egui::Ui) -> Color32 {
    let is_dim = ui.visuals().dark_mode && ui.data(|data| data.get_temp(dims_paper_id()).unwrap_or(false));
    if is_dim { Color32::from_gray(176) } else { Color32::WHITE }
}

/// The sizes of texts, in points: every text of the window has one of these four.
pub const DISPLAY: f32 = 24.0;
pub const TITLE: f32 = 18.0;
pub const BODY: f32 = 15.0;
pub const SMALL: f32 = 13.0;

pub fn bold() -> FontFamily {
    FontFamily::Name("bold".into())
}

pub fn install_fonts_and_styles(ctx: &egui::Context) {
    let mut fonts = FontDefinitions::empty();
    for (name, face) in [("plex", FontFace::Regular), ("plex-semibold", FontFace::SemiBold)] {
        fonts.font_data.insert(name.into(), Arc::new(FontData::from_static(face.bytes())));
    }
    fonts.font_data.insert("icons".into(), Arc::new(FontData::from_static(icons::FONT)));
    fonts.families.insert(icons::family(), vec!["icons".into()]);
    fonts.families.insert(FontFamily::Proportional, vec!["plex".into()]);
    fonts.families.insert(FontFamily::Monospace, vec!["plex".into()]);
    fonts.families.insert(bold(), vec!["plex-semibold".into()]);
    ctx.set_fonts(fonts);
    for (theme, palette) in [(egui::Theme::Light, &LIGHT), (egui::Theme::Dark, &DARK)] {
        ctx.style_mut_of(theme, |style| {
            style.visuals = visuals(theme, palette);
            style.text_styles = [
                (TextStyle::Heading, FontId::new(TITLE, bold())),
                (TextStyle::Body, FontId::proportional(BODY)),
                (TextStyle::Button, FontId::proportional(BODY)),
                (TextStyle::Monospace, FontId::proportional(BODY)),
                (TextStyle::Small, FontId::proportional(SMALL)),
            ]
            .into();
            style.spacing.item_spacing = egui::vec2(8.0, 6.0);
            style.spacing.button_padding = egui::vec2(8.0, 3.0);
            style.spacing.interact_size = egui::vec2(28.0, 26.0);
            style.interaction.resize_grab_radius_side = 8.0;
            style.spacing.icon_width = 18.0;
            style.spacing.icon_width_inner = 11.0;
        });
    }
}

fn visuals(theme: egui::Theme, palette: &Palette) -> Visuals {
    let dark = theme == egui::Theme::Dark;
    let mut visuals = if dark { Visuals::dark() } else { Visuals::light() };
    let ink = if dark { Color32::from_rgb(0xea, 0xec, 0xf0) } else { Color32::from_rgb(0x1a, 0x1c, 0x20) };
    visuals.panel_fill = if dark { Color32::from_rgb(0x1e, 0x20, 0x25) } else { Color32::from_rgb(0xfa, 0xfb, 0xfc) };
    visuals.window_fill = palette.card;
    visuals.window_stroke = Stroke::new(1.0, palette.line);
    visuals.extreme_bg_color = palette.card;
    visuals.weak_text_color = Some(palette.muted);
    visuals.hyperlink_color = palette.accent;
    visuals.error_fg_color = palette.error;
    visuals.warn_fg_color = palette.warning;
    visuals.selection.bg_fill = palette.selection;
    visuals.selection.stroke = Stroke::new(1.5, palette.accent);
    let field = if dark { Color32::from_rgb(0x2c, 0x30, 0x37) } else { Color32::from_rgb(0xf1, 0xf3, 0xf6) };
    let hover = if dark { Color32::from_rgb(0x38, 0x3d, 0x47) } else { Color32::from_rgb(0xe3, 0xe8, 0xf0) };
    let edge = if dark { Color32::from_rgb(0x6b, 0x72, 0x7f) } else { Color32::from_rgb(0x9a, 0xa1, 0xac) };
    let round = CornerRadius::same(4);
    for widget in [
        &mut visuals.widgets.noninteractive,
        &mut visuals.widgets.inactive,
        &mut visuals.widgets.hovered,
        &mut visuals.widgets.active,
        &mut visuals.widgets.open,
    ] {
        widget.corner_radius = round;
        widget.fg_stroke = Stroke::new(1.2, ink);
        widget.expansion = 0.0;
    }
    visuals.widgets.noninteractive.bg_stroke = Stroke::new(1.0, palette.line);
    visuals.widgets.inactive.bg_stroke = Stroke::new(1.0, edge);
    visuals.widgets.inactive.bg_fill = field;
    visuals.widgets.inactive.weak_bg_fill = field;
    visuals.widgets.hovered.bg_stroke = Stroke::new(1.0, palette.accent);
    visuals.widgets.hovered.bg_fill = hover;
    visuals.widgets.hovered.weak_bg_fill = hover;
    visuals.widgets.active.bg_stroke = Stroke::new(2.0, palette.accent);
    visuals.widgets.active.bg_fill = hover;
    visuals.widgets.active.weak_bg_fill = hover;
    visuals.widgets.open.bg_stroke = Stroke::new(1.0, palette.accent);
    visuals.widgets.open.bg_fill = hover;
    visuals.widgets.open.weak_bg_fill = hover;
    visuals
}

pub fn apply_settings(ctx: &egui::Context, settings: &Settings) {
    let wanted = match settings.theme {
        Theme::System => egui::ThemePreference::System,
        Theme::Light => egui::ThemePreference::Light,
        Theme::Dark => egui::ThemePreference::Dark,
    };
    if ctx.options(|options| options.theme_preference) != wanted {
        ctx.set_theme(wanted);
    }
    ctx.data_mut(|data| data.insert_temp(dims_paper_id(), settings.dim_paper));
    let scale = settings.scale as f32 / 100.0;
    if (ctx.zoom_factor() - scale).abs() > 0.001 {
        ctx.set_zoom_factor(scale);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// WCAG 2 contrast ratio.
    fn contrast(one: Color32, two: Color32) -> f32 {
        let light = |colour: Color32| {
            let part = |value: u8| {
                let value = f32::from(value) / 255.0;
                if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * part(colour.r()) + 0.7152 * part(colour.g()) + 0.0722 * part(colour.b()) + 0.05
        };
        let (one, two) = (light(one), light(two));
        one.max(two) / one.min(two)
    }

    #[test]
    fn text_stands_out_from_every_ground() {
        for (theme, palette) in [(egui::Theme::Light, &LIGHT), (egui::Theme::Dark, &DARK)] {
            let visuals = visuals(theme, palette);
            let grounds = [visuals.panel_fill, palette.card, palette.bar, visuals.widgets.inactive.weak_bg_fill];
            let colours = [palette.error, palette.warning, palette.good, palette.accent, palette.rival];
            let colours = colours.into_iter().chain(palette.roles);
            let texts = [visuals.text_color(), palette.muted].into_iter().chain(colours).collect::<Vec<_>>();
            let mut pairs: Vec<(Color32, Color32)> =
                grounds.iter().flat_map(|ground| texts.iter().map(|text| (*text, *ground))).collect();
            pairs.push((palette.on_accent, palette.accent));
            pairs.extend([palette.error, visuals.text_color()].map(|text| (text, palette.error_background)));
            pairs.extend([palette.accent, visuals.text_color(), palette.muted].map(|text| (text, palette.selection)));
            pairs.push((visuals.text_color(), visuals.widgets.hovered.weak_bg_fill));
            for (text, ground) in pairs {
                let contrast = contrast(text, ground);
                assert!(contrast >= 4.5, "{theme:?}: {text:?} on {ground:?} is {contrast:.2}");
            }
            // Inputs must be recognizable by their edge.
            for ground in [visuals.panel_fill, palette.card] {
                assert!(contrast(visuals.widgets.active.bg_stroke.color, ground) >= 3.0, "{theme:?}");
            }
        }
    }
}
