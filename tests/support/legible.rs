//! The promises of a printed page, measured on the scene: every box drawn, nothing below the smallest size, nothing over anything else
//! or off the page.

use moldloft::evaluate::{BoxKind, Evaluation};
use moldloft::finding::Finding;
use moldloft::fonts::FontFace;
use moldloft::scene::{MarkKind, Path, Rect, Scene, SceneItem, Segment, Shape};
use moldloft::sheet::{SheetOptions, box_audit};

/// Text's extent: capitals to descenders.
pub fn extent(item: &SceneItem) -> Option<Rect> {
    let Shape::Text(text) = &item.shape else { return None };
    let metrics = FontFace::Regular.metrics();
    let up = metrics.cap_height * text.size;
    Some(Rect::new(text.x, text.y - up, text.width(), up + 0.12 * text.size))
}

/// Holds everything that can be measured on the pages.
pub fn holds(ship: &Evaluation, scene: &Scene, findings: &[Finding], options: SheetOptions) {
    let lost: Vec<_> = findings.iter().filter(|finding| finding.code == "box-lost").collect();
    assert!(lost.is_empty(), "{lost:?}");
    let floor = options.minimum_sizes();
    let pages = scene.pages.iter().map(|page| page.items.as_slice());
    let drawn = box_audit::count_marks(pages);
    let due: u32 = ship.fits.iter().map(|fit| fit.count).sum();
    let shown: u32 = ship
        .fits
        .iter()
        .flat_map(|fit| (0..fit.count).map(move |n| format!("{}_{}_{}", fit.system, fit.mount, fit.first_mark + n)))
        .map(|name| drawn.get(name.as_str()).copied().unwrap_or(0))
        .sum();
    assert_eq!(shown, due, "a tick box for every system");
    for counter in ship.counters.iter().filter(|counter| &*counter.id == "missile") {
        assert!(drawn.len() as u32 >= counter.count);
    }
    for (n, page) in scene.pages.iter().enumerate() {
        let safe = Rect::new(4.99, 4.99, page.width - 9.98, page.height - 9.98);
        let inside = |rect: &Rect| {
            rect.x >= safe.x && rect.y >= safe.y && rect.right() <= safe.right() && rect.bottom() <= safe.bottom()
        };
        let mut ticks = Vec::new();
        let mut texts = Vec::new();
        for item in &page.items {
            if item.mark.as_ref().is_some_and(|mark| mark.kind == MarkKind::Tick) {
                let rect = match &item.shape {
                    Shape::Rect { rect, .. } => *rect,
                    Shape::Circle { x, y, radius, .. } => Rect::new(x - radius, y - radius, 2.0 * radius, 2.0 * radius),
                    Shape::Path(path, _) => bounds(path),
                    other => panic!("a tick box that is {other:?}"),
                };
                let name = item.mark.as_ref().map_or("", |mark| &*mark.name);
                let stem = name.rsplit_once('_').map_or(name, |(stem, _)| stem);
                // Boxes for anything but damage may be small ones beside another.
                let is_small = ship.tracks.iter().any(|track| *track.id == *stem && track.kind != BoxKind::Damage);
                let least = if is_small { floor.companion } else { floor.tick_box };
                assert!(rect.w.min(rect.h) >= least - 0.002, "page {n}: {name}, {rect:?}");
                assert!(inside(&rect), "page {n}: {rect:?}");
                ticks.push(rect);
            }
            if let (Some(rect), Shape::Text(text)) = (extent(item), &item.shape) {
                assert!(text.size >= floor.text - 0.001, "{} at {} mm", text.shaped.text, text.size);
                assert!(inside(&rect), "page {n}: {} at {rect:?}", text.shaped.text);
                texts.push((rect, text.shaped.text.to_string()));
            }
        }
        apart(&ticks, 0.05, |a, b| panic!("page {n}: boxes {a} and {b}: {:?} {:?}", ticks[a], ticks[b]));
        let boxes: Vec<Rect> = texts.iter().map(|text| text.0).collect();
        apart(&boxes, 0.25, |a, b| {
            panic!("page {n}: “{}” {:?} over “{}” {:?}", texts[a].1, boxes[a], texts[b].1, boxes[b])
        });
    }
}

/// What a path's points cover.
pub fn bounds(path: &Path) -> Rect {
    let mut points = Vec::new();
    for segment in &path.segments {
        match *segment {
            Segment::Move(x, y) | Segment::Line(x, y) | Segment::Curve(_, _, _, _, x, y) => points.push((x, y)),
            Segment::Close => {}
        }
    }
    let least = points.iter().fold((f32::MAX, f32::MAX), |a, b| (a.0.min(b.0), a.1.min(b.1)));
    let most = points.iter().fold((f32::MIN, f32::MIN), |a, b| (a.0.max(b.0), a.1.max(b.1)));
    Rect::new(least.0, least.1, most.0 - least.0, most.1 - least.1)
}

/// Tells of every pair that overlaps by more than `slack`.
pub fn apart(rects: &[Rect], slack: f32, told: impl Fn(usize, usize)) {
    let mut order: Vec<usize> = (0..rects.len()).collect();
    order.sort_by(|&a, &b| rects[a].y.total_cmp(&rects[b].y));
    for (n, &a) in order.iter().enumerate() {
        for &b in order[n + 1..].iter().take_while(|&&b| rects[b].y < rects[a].bottom() - slack) {
            if rects[a].overlaps(&rects[b], slack) {
                told(a.min(b), a.max(b));
            }
        }
    }
}
