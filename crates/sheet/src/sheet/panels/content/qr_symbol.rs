//! A QR code: takes a text, draws its symbol as one path, as large as the rectangle; a text too long to be read from
//! paper is reported instead.

use std::collections::BTreeMap;

use qrcode::types::Color;
use qrcode::{EcLevel, QrCode};

use crate::sheet::layout::flowable::{Flowable, SizeHint};
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::TextStyles;
use moldloft_base::finding::Finding;
use moldloft_drawing::scene::{Paint, Rect};

/// The free space on each side of a symbol, in modules, as the standard requires.
const QUIET_ZONE: usize = 4;
/// The smallest module that phones and scanners read from paper, mm.
const MIN_MODULE: f32 = 0.4;
/// The preferred module, mm.
const MODULE: f32 = 0.5;

#[derive(Debug)]
pub struct QrSymbol {
    /// Empty when the design has no code.
    pub text: String,
    /// For messages.
    pub ship: String,
    /// The module to keep wherever the width allows it, mm of paper.
    pub module: Option<f32>,
}

impl QrSymbol {
    /// The symbol for a square of this many mm: with error correction M if its modules have the preferred size, else
    /// with L, whose modules are larger. A higher level that needs no larger symbol costs nothing. Where the template
    /// gives a module, large modules come before correction.
    fn symbol(&self, room: f32) -> Option<QrCode> {
        if self.text.is_empty() {
            return None;
        }
        // A hundredth of a module for sums of floating-point numbers.
        let of_level = |level, module: f32| {
            let modules = (room / module + 0.01) as usize;
            let code = QrCode::with_error_correction_level(&self.text, level).ok();
            code.filter(|code| code.width() + 2 * QUIET_ZONE <= modules)
        };
        let corrected = if self.module.is_none() { of_level(EcLevel::M, MODULE) } else { None };
        let smallest = corrected.or_else(|| of_level(EcLevel::L, MIN_MODULE))?;
        let stronger = [EcLevel::H, EcLevel::Q, EcLevel::M].into_iter();
        let same_size = |level| QrCode::with_version(&self.text, smallest.version(), level).ok();
        Some(stronger.filter_map(same_size).next().unwrap_or(smallest))
    }

    /// Modules on a side of the smallest symbol, its quiet zone included.
    fn least_modules(&self) -> Option<usize> {
        let symbol = QrCode::with_error_correction_level(&self.text, EcLevel::L).ok().filter(|_| !self.text.is_empty());
        symbol.map(|symbol| symbol.width() + 2 * QUIET_ZONE)
    }

    fn too_large(&self, room: f32) -> Finding {
        let message = match self.least_modules() {
            Some(modules) => {
                let least = (modules as f32 * MIN_MODULE).ceil();
                format!(
                    "{}: no QR code, its design needs {least:.0} × {least:.0} mm and `panel: qr` has {room:.0} × {room:.0} mm",
                    self.ship
                )
            }
            None => format!("{}: no QR code, its design is larger than any code holds", self.ship),
        };
        Finding::warning("qr-too-large", message).help("make `panel: qr` larger in the template, or shorten the notes")
    }
}

/// The height of a panel whose code does not fit, mm: it takes no room.
const NOTHING: SizeHint = SizeHint::fixed(0.0);

impl Flowable for QrSymbol {
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        let scale = styles.minimums.page_scale;
        let Some(symbol) = self.symbol(width * scale) else { return NOTHING };
        let modules = (symbol.width() + 2 * QUIET_ZONE) as f32;
        let height = |module: f32| (modules * module / scale).min(width);
        let (least, preferred) = self.module.map_or((MIN_MODULE, MODULE), |module| (module, module));
        SizeHint { min_start: 0.0, min: height(least), natural: height(preferred), max: height(preferred) }
    }

    fn draw(self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let side = rect.w.min(rect.h);
        let room = side * pen.styles.minimums.page_scale;
        let Some(symbol) = self.symbol(room) else {
            pen.findings.push(self.too_large(room));
            return None;
        };
        let module = side / (symbol.width() + 2 * QUIET_ZONE) as f32;
        let left = rect.x + (rect.w - side) / 2.0 + module * QUIET_ZONE as f32;
        let top = rect.y + (rect.h - side) / 2.0 + module * QUIET_ZONE as f32;
        let to_rect = |&(x, y): &(usize, usize)| (left + x as f32 * module, top + y as f32 * module);
        let outlines = outlines(&symbol).into_iter().map(|outline| outline.iter().map(to_rect).collect());
        pen.fill(outlines, Paint::grey(0));
        None
    }
}

/// The outlines of a symbol's dark areas by their corners, in modules: closed, holes too.
fn outlines(symbol: &QrCode) -> Vec<Vec<(usize, usize)>> {
    type Point = (usize, usize);
    let width = symbol.width();
    let dark = |x: usize, y: usize| {
        (1..=width).contains(&x) && (1..=width).contains(&y) && symbol[(x - 1, y - 1)] == Color::Dark
    };
    // Edges between dark and light, dark on the right hand; as many begin as end at each point.
    let mut edges: BTreeMap<Point, Vec<Point>> = BTreeMap::new();
    for y in 0..=width {
        for x in 0..=width {
            // Modules count from 1 here: (x + 1, y) is above the edge that begins at (x, y), (x + 1, y + 1) is below.
            match (dark(x + 1, y), dark(x + 1, y + 1)) {
                (false, true) => edges.entry((x, y)).or_default().push((x + 1, y)),
                (true, false) => edges.entry((x + 1, y)).or_default().push((x, y)),
                _ => {}
            }
            match (dark(x, y + 1), dark(x + 1, y + 1)) {
                (false, true) => edges.entry((x, y + 1)).or_default().push((x, y)),
                (true, false) => edges.entry((x, y)).or_default().push((x, y + 1)),
                _ => {}
            }
        }
    }
    let mut outlines = Vec::new();
    while let Some((&start, _)) = edges.first_key_value() {
        let mut outline: Vec<Point> = Vec::new();
        let mut at = start;
        while let Some(ends) = edges.get_mut(&at) {
            let Some(next) = ends.pop() else { break };
            if ends.is_empty() {
                edges.remove(&at);
            }
            outline.push(at);
            at = next;
            if at == start {
                break;
            }
        }
        outlines.push(corners(&outline));
    }
    outlines
}

/// A closed outline without the points in the middle of its straight lines.
fn corners(outline: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let count = outline.len();
    let is_corner = |n: &usize| {
        let (before, at, after) = (outline[(n + count - 1) % count], outline[*n], outline[(n + 1) % count]);
        !(before.0 == at.0 && at.0 == after.0 || before.1 == at.1 && at.1 == after.1)
    };
    (0..count).filter(is_corner).map(|n| outline[n]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::layout::minimum_sizes::MinimumSizes;
    use moldloft_drawing::scene::{Segment, Shape};

    fn drawn(letters: usize, side: f32) -> SheetPen {
        let text: String = "MOLDLOFT1:9Z+".chars().cycle().take(letters).collect();
        let mut pen = SheetPen::new(TextStyles::new(MinimumSizes::default()), (0.0, 0.0));
        let symbol = Box::new(QrSymbol { text, ship: "Argus".to_owned(), module: None });
        assert!(symbol.draw(Rect::new(10.0, 20.0, side, side), &mut pen).is_none());
        pen
    }

    #[test]
    fn outlines_cover_the_dark_modules() {
        let symbol = QrCode::new("MOLDLOFT1:0123456789").expect("short");
        let outlines = outlines(&symbol);
        for y in 0..symbol.width() {
            let mut dark = false;
            for x in 0..symbol.width() {
                // Even-odd: each vertical edge crossed changes the side.
                for outline in &outlines {
                    for (n, &(ax, ay)) in outline.iter().enumerate() {
                        let (bx, by) = outline[(n + 1) % outline.len()];
                        dark ^= ax == bx && ax == x && (ay.min(by)..ay.max(by)).contains(&y);
                    }
                }
                assert_eq!(dark, symbol[(x, y)] == Color::Dark, "{x} {y}");
            }
        }
    }

    #[test]
    fn a_code_is_one_path_inside_its_quiet_zone() {
        let pen = drawn(500, 40.0);
        let [item] = pen.items.as_slice() else { panic!("{} items", pen.items.len()) };
        let Shape::Path(path, _) = &item.shape else { panic!("no path") };
        let bounds = path.bounds().expect("dark modules");
        assert!(bounds.x >= 10.0 + 1.6 && bounds.right() <= 50.0 - 1.6, "{bounds:?}");
        assert!(path.segments.iter().all(|segment| !matches!(segment, Segment::Curve(..))) && pen.findings.is_empty());
    }

    /// Where the template gives a module, the code has it rather than more correction.
    #[test]
    fn a_module_of_the_template_is_kept() {
        let text: String = "MOLDLOFT1:9Z+".chars().cycle().take(2_000).collect();
        let styles = TextStyles::new(MinimumSizes::default());
        let height = |module: Option<f32>| {
            let symbol = QrSymbol { text: text.clone(), ship: "Argus".to_owned(), module };
            let modules = symbol.least_modules().expect("short enough") as f32;
            (symbol.measure(190.0, &styles).min, modules)
        };
        let (wide, modules) = height(Some(0.7));
        assert!((wide - modules * 0.7).abs() < 0.01, "{wide}");
        assert!(height(None).0 < modules * 0.6);
        assert!(height(Some(2.0)).0 <= 190.0);
    }

    #[test]
    fn a_code_too_fine_to_be_read_is_reported_and_not_drawn() {
        for (letters, side) in [(500, 25.0), (4_000, 60.0), (5_000, 150.0)] {
            let pen = drawn(letters, side);
            assert!(pen.items.is_empty());
            assert_eq!(pen.findings.len(), 1, "{letters}");
        }
    }
}
