//! A made-up crowded sheet that the writers' tests and benches print: header, boxes in fives, words, shared art, turned and mirrored groups,
//! dashes, opacity, a hatch. No game and no template stands behind it.

use std::sync::Arc;

use moldloft::fonts::{FontFace, shape};
use moldloft::scene::{
    Cap, Drawing, Join, Mark, MarkKind, Meta, Page, Paint, PaintStyle, Path, Rect, Scene, SceneItem, Segment, Shape,
    Stroke, TextLine, Transform,
};

/// Ink of most lines.
const INK: Paint = Paint::rgb(28, 32, 38);

/// A job of so many pages, each for another ship, all with one piece of art.
pub fn scene(pages: usize) -> Scene {
    let art = Arc::new(art());
    let icon = Arc::new(icon());
    Scene {
        meta: Meta {
            title: "HMS Sample, control sheet".into(),
            author: "Somebody’s rules".into(),
            subject: "A crowded sheet".into(),
            language: String::new(),
        },
        pages: (1..=pages).map(|number| page(number, &art, &icon)).collect(),
    }
}

/// A line of text.
pub fn text(words: &str, face: FontFace, x: f32, y: f32, size: f32) -> Shape {
    Shape::Text(TextLine { shaped: shape(face, words), x, y, size, spacing: 0.0, paint: INK })
}

fn item(shape: Shape) -> SceneItem {
    SceneItem { shape, mark: None }
}

fn marked(shape: Shape, name: String, kind: MarkKind) -> SceneItem {
    SceneItem { shape, mark: Some(Box::new(Mark::new(name, kind, None))) }
}

fn outlined(width: f32) -> PaintStyle {
    PaintStyle { fill: Some(Paint::grey(255)), stroke: Some(Stroke::new(INK, width)) }
}

fn line(points: &[(f32, f32)], stroke: Stroke) -> Shape {
    let mut segments: Vec<Segment> = points.iter().map(|&(x, y)| Segment::Line(x, y)).collect();
    if let Some(&(x, y)) = points.first() {
        segments[0] = Segment::Move(x, y);
    }
    Shape::Path(Path { segments, even_odd: false }, PaintStyle { fill: None, stroke: Some(stroke) })
}

fn page(number: usize, art: &Arc<Drawing>, icon: &Arc<Drawing>) -> Page {
    let mut items = vec![
        item(Shape::Use { drawing: Arc::clone(art), transform: Transform::IDENTITY }),
        item(text(&format!("HMS Sample No. {number}"), FontFace::Bold, 14.0, 21.0, 7.0)),
        item(text("heavy cruiser · “Größe” · 7,310 t", FontFace::Regular, 14.0, 27.0, 3.2)),
    ];
    for row in 0..20 {
        let y = 50.0 + row as f32 * 8.2;
        items.push(item(text(&format!("Structure {}", row * 7 + number), FontFace::SemiBold, 12.0, y + 3.0, 2.83)));
        for column in 0..15 {
            let x = 40.0 + column as f32 * 4.0 + (column / 5) as f32 * 1.6;
            let box_number = row * 15 + column + 1;
            let shape = Shape::Rect { rect: Rect::new(x, y, 3.5, 3.5), radius: 0.0, style: outlined(0.25) };
            items.push(marked(shape, format!("structure_{box_number}"), MarkKind::Tick));
            if column % 5 == 4 {
                items.push(item(text(&box_number.to_string(), FontFace::Regular, x + 0.2, y + 2.5, 1.9)));
            }
        }
        for column in 0..4 {
            let x = 112.0 + column as f32 * 17.0;
            let words = format!(
                "{} {}",
                ["range", "beam", "salvo", "crew"][column],
                (row * 31 + column * 17 + number * 13) % 997
            );
            items.push(item(text(&words, FontFace::Regular, x, y + 3.0, 2.83)));
            items.push(item(text(
                &format!("+{}", (row + column + number) % 9),
                FontFace::Bold,
                x + 12.2,
                y + 3.0,
                2.83,
            )));
        }
        items.push(item(line(&[(112.0, y + 4.4), (178.0, y + 4.4)], Stroke::new(Paint::grey(160), 0.1))));
        let spot = Transform::translate(182.0, y).then_inner(&Transform::scale(0.5, 0.5));
        items.push(marked(
            Shape::Use { drawing: Arc::clone(icon), transform: spot },
            format!("icon_{}", row + 1),
            MarkKind::Shown,
        ));
    }
    items.extend(oddities());
    Page {
        width: 210.0,
        height: 297.0,
        bookmarks: vec![format!("HMS Sample No. {number}").into()],
        items,
        ..Page::default()
    }
}

/// One of everything that is unusual.
fn oddities() -> Vec<SceneItem> {
    let red = Paint { rgb: [190, 40, 30], alpha: 0.5 };
    let blue = Paint { rgb: [20, 60, 160], alpha: 0.35 };
    let dashed = Stroke { dash: vec![1.5, 0.8], cap: Cap::Round, join: Join::Round, ..Stroke::new(INK, 0.4) };
    let turned = Transform::translate(40.0, 240.0).then_inner(&Transform::rotate(30.0));
    let mirrored = Transform::translate(120.0, 236.0).then_inner(&Transform::scale(-1.0, 1.0));
    let stretched = Transform::translate(150.0, 240.0).then_inner(&Transform::scale(2.0, 0.6));
    let upright = Transform::translate(196.0, 150.0).then_inner(&Transform::rotate(-90.0));
    let inside = || {
        vec![
            item(Shape::Rect { rect: Rect::new(0.0, 0.0, 20.0, 8.0), radius: 1.5, style: outlined(0.35) }),
            marked(
                Shape::Rect { rect: Rect::new(2.0, 2.0, 4.0, 4.0), radius: 0.0, style: outlined(0.25) },
                String::new(),
                MarkKind::Tick,
            ),
            item(text("Turned 42", FontFace::SemiBold, 7.0, 5.2, 2.83)),
        ]
        .into_iter()
        .map(|inner| SceneItem { mark: None, ..inner })
        .collect::<Vec<_>>()
    };
    let mut spaced = text("SPACED OUT", FontFace::Bold, 14.0, 282.0, 3.0);
    if let Shape::Text(text) = &mut spaced {
        text.spacing = 0.6;
        text.paint = Paint::rgb(20, 60, 160);
    }
    let mut items = vec![
        item(Shape::Group { transform: turned, items: inside() }),
        item(Shape::Group { transform: mirrored, items: inside() }),
        item(Shape::Group { transform: stretched, items: inside() }),
        item(Shape::Group {
            transform: upright,
            items: vec![item(text("up the edge", FontFace::Regular, 0.0, 0.0, 2.83))],
        }),
        item(Shape::Circle { x: 30.0, y: 265.0, radius: 7.0, style: PaintStyle { fill: Some(red), stroke: None } }),
        item(Shape::Circle {
            x: 38.0,
            y: 265.0,
            radius: 7.0,
            style: PaintStyle { fill: Some(blue), stroke: Some(Stroke::new(red, 1.2)) },
        }),
        item(line(&[(52.0, 260.0), (70.0, 271.0), (88.0, 260.0), (106.0, 271.0)], dashed)),
        item(Shape::Rect { rect: Rect::new(112.0, 258.0, 20.0, 12.0), radius: 2.5, style: outlined(0.5) }),
        item(spaced),
        item(text("AVATAR Tory Wäre e\u{301} – ½ → ≥ Ω Ж", FontFace::Regular, 52.0, 282.0, 3.0)),
    ];
    // A hatch: slanted lines within a box.
    for step in 0..12 {
        let x = 140.0 + step as f32 * 1.5;
        items.push(item(line(&[(x, 270.0), (x + 4.0, 258.0)], Stroke::new(Paint::grey(120), 0.15))));
    }
    let ring = |r: f32| {
        [Segment::Move(-r, 0.0), Segment::Line(0.0, -r), Segment::Line(r, 0.0), Segment::Line(0.0, r), Segment::Close]
    };
    let hollow = Path { segments: ring(6.0).into_iter().chain(ring(3.0)).collect(), even_odd: true };
    let style = PaintStyle { fill: Some(Paint::rgb(40, 120, 70)), stroke: None };
    items.push(item(Shape::Group {
        transform: Transform::translate(178.0, 264.0),
        items: vec![item(Shape::Path(hollow, style))],
    }));
    items
}

/// The art of a whole page: frames, a shape of a hull, headings, many small strokes.
fn art() -> Drawing {
    let thin = Stroke::new(Paint::grey(120), 0.18);
    let mut shapes = vec![
        Shape::Rect {
            rect: Rect::new(10.0, 10.0, 190.0, 277.0),
            radius: 2.0,
            style: PaintStyle { fill: None, stroke: Some(Stroke::new(INK, 0.5)) },
        },
        Shape::Rect {
            rect: Rect::new(10.0, 10.0, 190.0, 20.0),
            radius: 2.0,
            style: PaintStyle { fill: Some(Paint::rgb(226, 232, 240)), stroke: None },
        },
        text("STRUCTURE", FontFace::Bold, 40.0, 46.0, 3.0),
        text("WEAPONS", FontFace::Bold, 112.0, 46.0, 3.0),
    ];
    let hull = Path {
        segments: vec![
            Segment::Move(150.0, 28.0),
            Segment::Curve(160.0, 10.0, 185.0, 10.0, 196.0, 20.0),
            Segment::Curve(185.0, 30.0, 160.0, 30.0, 150.0, 28.0),
            Segment::Close,
        ],
        even_odd: false,
    };
    shapes.push(Shape::Path(hull, PaintStyle { fill: Some(Paint::grey(255)), stroke: Some(thin.clone()) }));
    shapes.extend((0..40).map(|step| {
        let x = 12.0 + step as f32 * 4.6;
        line(&[(x, 284.5), (x, if step % 5 == 0 { 282.8 } else { 283.6 })], thin.clone())
    }));
    Drawing { name: "sample sheet".into(), width: 210.0, height: 297.0, picture: None, shapes }
}

/// An icon of 8 by 8 that reaches over its edge, where it is cut.
fn icon() -> Drawing {
    let star = [
        Segment::Move(4.0, -1.0),
        Segment::Line(5.2, 2.8),
        Segment::Line(9.0, 4.0),
        Segment::Line(5.2, 5.2),
        Segment::Line(4.0, 9.0),
        Segment::Line(2.8, 5.2),
        Segment::Line(-1.0, 4.0),
        Segment::Line(2.8, 2.8),
        Segment::Close,
    ];
    let style = PaintStyle { fill: Some(Paint::rgb(200, 120, 20)), stroke: Some(Stroke::new(INK, 0.3)) };
    Drawing {
        name: "star".into(),
        width: 8.0,
        height: 8.0,
        picture: None,
        shapes: vec![Shape::Path(Path { segments: star.to_vec(), even_odd: false }, style)],
    }
}
