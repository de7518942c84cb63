//! Tracks the graphics state of a content stream (colour, pen, font), and gives only the operators that change it.

use std::collections::BTreeSet;

use crate::export::number::{put, put_steps};
use moldloft_drawing::fonts::FontFace;
use moldloft_drawing::scene::{Cap, Join};

/// The name of a face among a page's resources.
pub fn font_name(face: FontFace) -> &'static str {
    match face {
        FontFace::Regular => "R",
        FontFace::SemiBold => "M",
        FontFace::Bold => "B",
        FontFace::Fallback => "F",
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Colour {
    pub rgb: [u8; 3],
    pub alpha: u8,
}

/// Decimals of the sizes and letter spacings of fonts.
pub(super) const FONT_PLACES: u8 = 1;

/// A stroke as written: width in steps of one decimal more than the stream's.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PdfPen {
    pub colour: Colour,
    pub width: i64,
    pub dash: Vec<i64>,
    pub cap: Cap,
    pub join: Join,
}

/// The state so far; `None` where unknown, as at the start of a drawing, which inherits its user's state. Opacities are
/// always reset before a drawing.
#[derive(Default)]
pub(super) struct GraphicsState {
    fill: Option<[u8; 3]>,
    stroke: Option<[u8; 3]>,
    fill_alpha: Option<u8>,
    stroke_alpha: Option<u8>,
    width: Option<i64>,
    dash: Option<Vec<i64>>,
    cap: Option<Cap>,
    join: Option<Join>,
    limit: bool,
    font: Option<(FontFace, i64)>,
    spacing: Option<i64>,
}

impl GraphicsState {
    pub fn for_page() -> Self {
        Self {
            dash: Some(Vec::new()),
            cap: Some(Cap::Butt),
            join: Some(Join::Miter),
            spacing: Some(0),
            ..Self::default()
        }
    }

    /// Sets the colour of fills and text; records its opacity.
    pub fn set_fill(&mut self, out: &mut Vec<u8>, colour: Colour, used: &mut BTreeSet<u8>) {
        if self.fill != Some(colour.rgb) {
            self.fill = Some(colour.rgb);
            put_colour(out, colour.rgb, "g\n", "rg\n");
        }
        used.insert(colour.alpha);
        self.set_fill_alpha(out, colour.alpha);
    }

    pub fn set_fill_alpha(&mut self, out: &mut Vec<u8>, alpha: u8) {
        if self.fill_alpha.unwrap_or(100) != alpha {
            out.extend_from_slice(format!("/F{alpha} gs\n").as_bytes());
        }
        self.fill_alpha = Some(alpha);
    }

    pub fn set_stroke_alpha(&mut self, out: &mut Vec<u8>, alpha: u8) {
        if self.stroke_alpha.unwrap_or(100) != alpha {
            out.extend_from_slice(format!("/S{alpha} gs\n").as_bytes());
        }
        self.stroke_alpha = Some(alpha);
    }

    pub fn set_pen(&mut self, out: &mut Vec<u8>, pen: &PdfPen, places: u8) {
        if self.stroke != Some(pen.colour.rgb) {
            self.stroke = Some(pen.colour.rgb);
            put_colour(out, pen.colour.rgb, "G\n", "RG\n");
        }
        if self.width != Some(pen.width) {
            self.width = Some(pen.width);
            put_steps(out, pen.width, places + 1);
            out.extend_from_slice(b" w\n");
        }
        if self.dash.as_ref() != Some(&pen.dash) {
            self.dash = Some(pen.dash.clone());
            out.push(b'[');
            for &part in &pen.dash {
                put_steps(out, part, places);
                out.push(b' ');
            }
            out.extend_from_slice(b"]0 d\n");
        }
        if self.cap != Some(pen.cap) {
            out.extend_from_slice(match pen.cap {
                Cap::Butt => b"0 J\n",
                Cap::Round => b"1 J\n",
                Cap::Square => b"2 J\n",
            });
        }
        self.cap = Some(pen.cap);
        if self.join != Some(pen.join) {
            out.extend_from_slice(match pen.join {
                Join::Miter => b"0 j\n",
                Join::Round => b"1 j\n",
                Join::Bevel => b"2 j\n",
            });
        }
        self.join = Some(pen.join);
        if !self.limit {
            // SVG's mitre limit, as art is drawn for it.
            self.limit = true;
            out.extend_from_slice(b"4 M\n");
        }
    }

    /// Size and letter spacing in steps of [`FONT_PLACES`].
    pub fn set_font(&mut self, out: &mut Vec<u8>, face: FontFace, size: i64, spacing: i64) {
        if self.font != Some((face, size)) {
            self.font = Some((face, size));
            put_font(out, face, size);
        }
        if self.spacing != Some(spacing) {
            self.spacing = Some(spacing);
            out.push(b' ');
            put_steps(out, spacing, FONT_PLACES);
            out.extend_from_slice(b" Tc");
        }
        out.push(b'\n');
    }
}

/// Appends the operator that sets the font; `size` is in steps of [`FONT_PLACES`].
pub(super) fn put_font(out: &mut Vec<u8>, face: FontFace, size: i64) {
    out.extend_from_slice(format!("/{} ", font_name(face)).as_bytes());
    put_steps(out, size, FONT_PLACES);
    out.extend_from_slice(b" Tf");
}

fn put_colour(out: &mut Vec<u8>, rgb: [u8; 3], grey: &str, colour: &str) {
    let level = |out: &mut Vec<u8>, level: u8| {
        put(out, f32::from(level) / 255.0, 3);
        out.push(b' ');
    };
    if rgb[0] == rgb[1] && rgb[1] == rgb[2] {
        level(out, rgb[0]);
        out.extend_from_slice(grey.as_bytes());
    } else {
        rgb.into_iter().for_each(|part| level(out, part));
        out.extend_from_slice(colour.as_bytes());
    }
}
