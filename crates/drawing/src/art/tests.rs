//! Tests of reading templates: art, slots, panels, conditions, and what is refused.

use super::*;
use crate::fonts::FontFace;
use crate::scene::{Paint, Rect, Shape};
use moldloft_base::finding::Severity;

mod raised;

const HEAD: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd""#;

fn read(text: &str) -> (Option<Template>, Vec<Finding>) {
    Template::read(&Source::new("t.svg", text))
}

fn page(body: &str) -> (Template, Vec<Finding>) {
    let (template, findings) =
        read(&format!(r#"{HEAD} width="100mm" height="100mm" viewBox="0 0 100 100">{body}</svg>"#));
    (template.expect("a template"), findings)
}

fn codes(findings: &[Finding]) -> Vec<&str> {
    findings.iter().map(|finding| &*finding.code).collect()
}

fn near(rect: Rect, x: f32, y: f32, w: f32, h: f32) {
    let off = [rect.x - x, rect.y - y, rect.w - w, rect.h - h];
    assert!(off.iter().all(|off| off.abs() < 0.01), "{rect:?} is not {x} {y} {w} {h}");
}

#[test]
fn text_panels_and_art_come_apart() {
    let (template, findings) = page(
        r##"<rect x="1" y="2" width="3" height="4" fill="#123456"/>
        <rect inkscape:label="panel: track structure" x="10" y="20" width="30" height="40" style="fill:#eee;stroke:red"><desc>rows = 3
title = "a &amp; b"</desc></rect>
        <text x="5" y="6" inkscape:label="slot: who" font-size="3" font-weight="700" text-anchor="end" fill="#666">{{ ship.name }}</text>
        <path d="M0 0h5" fill="none"/>"##,
    );
    assert!(findings.is_empty(), "{findings:?}");
    assert_eq!((template.width, template.height), (100.0, 100.0));
    let [panel] = &template.panels[..] else { panic!("{:?}", template.panels) };
    near(panel.rect, 10.0, 20.0, 30.0, 40.0);
    assert_eq!(
        (&*panel.kind, &*panel.argument.text, &*panel.options.text),
        ("track", "structure", "rows = 3\ntitle = \"a & b\"")
    );
    let [slot] = &template.slots[..] else { panic!() };
    assert_eq!(
        (&*slot.text.text, slot.label.as_deref(), slot.x, slot.y, slot.size),
        ("{{ ship.name }}", Some("who"), 5.0, 6.0, 3.0)
    );
    assert_eq!((slot.face, slot.anchor, slot.paint), (FontFace::Bold, Anchor::End, Paint::grey(0x66)));
    let [piece] = &template.art[..] else { panic!() };
    assert_eq!(piece.drawing.shapes.len(), 1, "the panel, the text and the invisible path are not drawn");
    let Shape::Path(path, style) = &piece.drawing.shapes[0] else { panic!() };
    assert_eq!(style.fill, Some(Paint::rgb(0x12, 0x34, 0x56)));
    let crate::scene::Segment::Move(x, y) = path.segments[0] else { panic!() };
    assert!((x - 1.0).abs() < 1e-3 && (y - 2.0).abs() < 1e-3, "{x} {y}");
}

#[test]
fn rectangles_moved_by_inkscape_are_found() {
    // Document in px with a view box in other units; a moved layer; a scaled group; a rectangle rotated by 90 degrees.
    let text = format!(
        r#"<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
{HEAD} width="377.95276" height="377.95276" viewBox="-10 -10 200 200" version="1.1">
  <sodipodi:namedview id="namedview1" pagecolor="{hash}ffffff" inkscape:document-units="mm"/>
  <g inkscape:label="Layer 1" inkscape:groupmode="layer" id="layer1" transform="translate(10,20)">
    <rect style="fill:none;stroke-width:0.3" id="rect1" width="20" height="40" x="0" y="0" inkscape:label="panel: mount port" />
    <g transform="matrix(2,0,0,2,10,0)"><rect id="rect2" width="5" height="6" x="1" y="2" inkscape:label="Panel: rest" transform="translate(1,1)"/></g>
    <rect id="rect3" width="20" height="10" x="50" y="-60" transform="rotate(90)" inkscape:label="panel: log orders"><title>x</title><desc id="desc3">rows = 12</desc></rect>
  </g>
  <g inkscape:label="hidden" inkscape:groupmode="layer" style="display:none"><rect width="9" height="9" inkscape:label="panel: gone"/><text>gone</text></g>
</svg>"#,
        hash = '#'
    );
    let (template, findings) = read(&text);
    let template = template.unwrap();
    assert!(findings.is_empty(), "{findings:?}");
    assert!((template.width - 100.0).abs() < 1e-3);
    let [a, b, c] = &template.panels[..] else { panic!("{:?}", template.panels) };
    near(a.rect, 10.0, 15.0, 10.0, 20.0);
    near(b.rect, 10.0 + 5.0 + 2.0, 15.0 + 3.0, 5.0, 6.0);
    near(c.rect, 10.0 + 25.0, 15.0 + 25.0, 5.0, 10.0);
    assert_eq!(c.options.text, "rows = 12");
}

#[test]
fn inkscape_text_is_joined() {
    let (template, findings) = page(
        r#"<g transform="translate(1,2)"><text xml:space="preserve" style="font-size:2px;font-weight:600;text-anchor:middle;fill:none" x="10" y="20"
       id="text1" transform="scale(2)"><tspan sodipodi:role="line" id="tspan1" x="10" y="20" style="fill:black">{{ nam<tspan style="font-weight:bold">e }}</tspan> and</tspan><tspan
       sodipodi:role="line" x="10" y="23" style="fill:black">more {{ a</tspan><tspan sodipodi:role="line" x="10" y="26">&lt; b }}</tspan></text></g>"#,
    );
    assert!(findings.is_empty(), "{findings:?}");
    let [first, second] = &template.slots[..] else { panic!("{:?}", template.slots) };
    assert_eq!(first.text.text, "{{ name }} and");
    assert_eq!(second.text.text, "more {{ a < b }}");
    assert_eq!((first.x, first.y, first.size), (21.0, 42.0, 4.0));
    assert_eq!((second.x, second.y), (21.0, 48.0));
    assert_eq!((first.face, first.anchor), (FontFace::SemiBold, Anchor::Middle));
    let at = second.text.text.find("< b").unwrap();
    let span = second.text.span_of(at..at + 1);
    assert!(template.source.text[span.start as usize..].starts_with("&lt; b"));
}

#[test]
fn style_rules_and_turned_text() {
    let (template, findings) = page(
        r#"<style>.label { font-size: 2px; fill: #6b6b6b; letter-spacing: .1px } text.big { font-size: 5pt }</style>
        <g class="label"><text transform="rotate(-90 3 4)" x="3" y="4"> two   words </text><text class="big" x="1" y="1"><tspan x="1">one</tspan><tspan x="1" dy="1em">two</tspan></text></g>"#,
    );
    assert!(findings.is_empty(), "{findings:?}");
    let [turned, one, two] = &template.slots[..] else { panic!("{:?}", template.slots) };
    assert_eq!((turned.rotation, &*turned.text.text, turned.spacing), (-90.0, "two words", 0.1));
    assert!((turned.x - 3.0).abs() < 1e-4 && (turned.y - 4.0).abs() < 1e-4);
    let five_points = 5.0 * 96.0 / 72.0;
    assert!((one.size - five_points).abs() < 1e-3, "a view box in mm makes a point 96/72 units, as in every viewer");
    assert!((two.y - 1.0 - five_points).abs() < 1e-3);
}

#[test]
fn conditions_nest_and_split_the_art() {
    let (template, findings) = page(
        r#"<rect width="1" height="1"/><g inkscape:label="when: sidewall &gt; 0"><rect width="2" height="1"/><text x="1" y="1" font-size="3">a</text>
        <g id="own" inkscape:label="when: legal"><rect width="3" height="1"/><rect inkscape:label="panel: rest" width="9" height="9"/></g></g><rect width="4" height="1"/>"#,
    );
    assert!(findings.is_empty(), "{findings:?}");
    let conditions: Vec<_> = template.conditions.iter().map(|c| (&*c.text.text, c.parent)).collect();
    assert_eq!(conditions, [("sidewall > 0", None), ("legal", Some(0))]);
    assert_eq!(template.art.iter().map(|piece| piece.when).collect::<Vec<_>>(), [None, Some(0), Some(1), None]);
    assert_eq!((template.slots[0].when, template.panels[0].when), (Some(0), Some(1)));
}

#[test]
fn what_cannot_be_drawn_says_so() {
    let (template, findings) = page(
        r##"<defs><linearGradient id="g"><stop offset="0" stop-color="#ff0000"/><stop offset="1"/></linearGradient>
        <filter id="f"><feGaussianBlur stdDeviation="2"/></filter><mask id="m"><rect width="9" height="9" fill="white"/></mask>
        <clipPath id="c"><circle r="3"/></clipPath><clipPath id="all"><rect width="100" height="100"/></clipPath></defs>
        <rect inkscape:label="hull" width="10" height="10" fill="url(#g)"/>
        <g id="blurred" filter="url(#f)"><rect width="10" height="10"/></g>
        <g mask="url(#m)"><rect id="masked" width="10" height="10"/></g>
        <g clip-path="url(#c)" id="cut"><rect width="10" height="10"/></g>
        <g clip-path="url(#all)"><rect width="10" height="10"/></g>
        <image width="5" height="5" xlink:href="data:image/png;base64,AAAA"/>
        <circle inkscape:label="panel: rest" r="3"/>"##,
    );
    let mut found = codes(&findings);
    found.sort_unstable();
    assert_eq!(
        found,
        [
            "panel-not-a-rectangle",
            "template-clip",
            "template-filter",
            "template-gradient",
            "template-mask",
            "template-picture"
        ]
    );
    let gradient = findings.iter().find(|f| f.code == "template-gradient").unwrap();
    assert!(gradient.message.contains("“hull”") && gradient.at.line > 0, "{gradient:?}");
    let Shape::Path(_, style) = &template.art[0].drawing.shapes[0] else { panic!() };
    assert_eq!(style.fill, Some(Paint::rgb(255, 0, 0)));
}

#[test]
fn a_warning_is_about_the_element_that_has_what_is_not_drawn() {
    let (_, findings) = page(
        r##"<defs><filter id="f"><feGaussianBlur stdDeviation="2"/></filter><mask id="m"><rect width="9" height="9" fill="white"/></mask>
        <clipPath id="c"><circle r="3"/></clipPath></defs>
        <text x="5" y="5">first</text><rect width="5" height="5"/>
        <g clip-path="url(#c)"><rect width="10" height="10"/></g>
        <g><rect width="10" height="10" filter="url(#f)"/></g>
        <rect width="10" height="10" mask="url(#m)"/>"##,
    );
    let found: Vec<(u32, &str)> = findings.iter().map(|finding| (finding.at.line, &*finding.message)).collect();
    let wanted = [
        (4, "this <g> has a clip path, which is ignored"),
        (5, "this <rect> has a filter (blur, shadow), which is ignored"),
        (6, "this <rect> has a mask, which is ignored"),
    ];
    assert_eq!(found, wanted);
}

#[test]
fn colours_in_newer_spellings_are_read_or_reported() {
    let green = Paint { rgb: [0, 128, 0], alpha: 1.0 };
    for (written, paint) in [
        (r#"fill="var(--fill-0, #008000)""#, Some(green)),
        (r#"fill="var(--a, var(--b, rgb(0 128 0)))""#, Some(green)),
        (r#"style="fill:#008000;fill:color(display-p3 0 0.5 0)""#, Some(green)),
        (r#"fill="green" style="fill:color(display-p3 0 0.5 0)""#, Some(green)),
        (r#"class="p3""#, Some(green)),
        (r#"fill="rgb(0 128 0 / 40%)""#, Some(Paint { alpha: 0.4, ..green })),
        (r#"style="transform:rotate(0deg);fill:var(--x, green)""#, Some(green)),
        (r#"fill="oklch(0.5 0.2 140)""#, None),
        (r#"style="fill:var(--only)""#, None),
    ] {
        let (template, findings) = page(&format!(
            "<style>.p3 {{ fill: green; fill: color(display-p3 0 0.5 0) }}</style><g><rect width=\"9\" height=\"9\" {written}/></g>"
        ));
        let Shape::Path(_, style) = &template.art[0].drawing.shapes[0] else { panic!("{written}") };
        match paint {
            Some(paint) => {
                assert!(findings.is_empty(), "{written}: {findings:?}");
                let fill = style.fill.unwrap();
                assert!(fill.rgb == paint.rgb && (fill.alpha - paint.alpha).abs() < 0.01, "{written}: {fill:?}");
            }
            None => assert_eq!(codes(&findings), ["template-style"], "{written}"),
        }
    }
    let (template, _) = page(r#"<text x="5" y="5" fill="var(--x, #008000)">{{ n }}</text>"#);
    assert_eq!(template.slots[0].paint, green);
    for written in [
        r#"<text x="5" y="5" style="font-size:calc(2px + 2px)">a</text>"#,
        r#"<rect width="9" height="9" style="transform-box:fill-box;transform-origin:center;transform:rotate(45deg)"/>"#,
    ] {
        assert_eq!(codes(&page(written).1), ["template-style"], "{written}");
    }
}

#[test]
fn a_panel_may_be_a_closed_path_or_polygon() {
    let (template, findings) = page(
        r##"<path inkscape:label="panel: track structure" d="M10,10 h20 l10,20 h-40 z"><desc>size = 4</desc></path>
        <polygon inkscape:label="panel: rest" points="0,50 10,50 5,60"/>
        <path inkscape:label="panel: mount core" d="M10,10 C20,0 30,0 40,10 L40,30 Q25,40 10,30 Z"/>
        <path inkscape:label="panel: legend" d="M10,10 h20 v5"/>
        <path inkscape:label="panel: costs" d="M10,10 h20 v5 z M50,10 h20 v5 z"/>
        <path inkscape:label="panel: findings" d="M10,10 h20 h5 z"/>"##,
    );
    assert_eq!(codes(&findings), ["panel-not-closed", "panel-not-closed", "panel-without-size"]);
    let [track, rest, mount] = template.panels.as_slice() else { panic!("{:?}", template.panels) };
    assert_eq!((track.rect, track.options.text.trim()), (Rect::new(0.0, 10.0, 40.0, 20.0), "size = 4"));
    assert_eq!(track.outline.as_deref(), Some(&[(0.25, 0.0), (0.75, 0.0), (1.0, 1.0), (0.0, 1.0)][..]));
    assert_eq!(rest.outline.as_deref().map(<[_]>::len), Some(3));
    assert!(mount.outline.as_deref().is_some_and(|points| points.len() == 26), "{mount:?}");
    assert!(template.art.is_empty());
    // A rectangle that was converted to a path is the same panel.
    let (template, findings) = page(r#"<path inkscape:label="panel: rest" d="M 10,10 H 40 V 30 H 10 Z"/>"#);
    let [rest] = template.panels.as_slice() else { panic!("{findings:?}") };
    assert_eq!((rest.rect, rest.outline.as_deref()), (Rect::new(10.0, 10.0, 30.0, 20.0), None));
}

#[test]
fn what_points_out_of_the_file_is_refused() {
    let (template, findings) = page(
        r#"<style>@import url("http://example.org/x.css"); rect { fill: red }</style>
        <use xlink:href="other.svg#a"/><image width="5" height="5" href="file:///etc/passwd"/>
        <rect width="5" height="5" style="fill:url(http://example.org/g.svg#g)"/><rect width="5" height="5" filter="url('x.svg#f')"/>
        <a xlink:href="http://example.org"><rect width="1" height="1"/></a>"#,
    );
    let outside = findings
        .iter()
        .filter(|f| f.code == "template-external-reference" && f.severity == Severity::Error && f.at.line > 0);
    assert_eq!(outside.count(), 5, "{findings:?}");
    assert!(!template.art.is_empty(), "the content of a link to a web page is drawn");
}

#[test]
fn hostile_files_are_refused() {
    let body = |body: &str| format!(r#"{HEAD} width="100mm" height="100mm" viewBox="0 0 100 100">{body}</svg>"#);
    let bomb: String = (1..30)
        .map(|n| format!(r##"<g id="a{n}"><use xlink:href="#a{0}"/><use xlink:href="#a{0}"/></g>"##, n - 1))
        .collect();
    let chain: String = (0..5000).map(|n| format!(r##"<use id="u{n}" xlink:href="#u{}"/>"##, n + 1)).collect();
    let markers = format!(
        r##"<marker id="m">{}</marker><path marker-mid="url(#m)" d="M0 0{}"/>"##,
        "<rect/>".repeat(500),
        "h1".repeat(100_000)
    );
    let spaces: String =
        (0..99).map(|n| format!(r#"<g xmlns:n{n}="n{n}" xmlns:m{n}="m{n}" xmlns:o{n}="o{n}">"#)).collect();
    let cases = [
        (
            "template-entities",
            r#"<!DOCTYPE svg [<!ENTITY a SYSTEM "b">]><svg xmlns="http://www.w3.org/2000/svg"/>"#.to_owned(),
        ),
        ("template-too-deep", body(&format!("{}{}", "<g>".repeat(100_000), "</g>".repeat(100_000)))),
        ("template-too-deep", body(&"<g>".repeat(100_000))),
        ("template-too-large", body(&"<g/>".repeat(60_000))),
        (
            "template-too-large",
            body(&format!("<g {}/>", (0..100_000).map(|n| format!("a{n}='' ")).collect::<String>())),
        ),
        ("template-too-large", body(&format!("{spaces}{}", "</g>".repeat(99)))),
        ("template-too-large", "x".repeat(3_000_000)),
        ("template-expands-too-much", body(&format!(r#"<rect id="a0" width="1" height="1"/>{bomb}"#))),
        ("template-expands-too-much", body(r##"<g id="x"><use xlink:href="#x"/></g>"##)),
        ("template-expands-too-much", body(&chain)),
        ("template-expands-too-much", body(&markers)),
        (
            "template-expands-too-much",
            body(&format!(
                "<style>{}</style>{}",
                "g g g g g g x{fill:red}".repeat(40),
                "<g><g><g><g><g><g/></g></g></g></g></g>".repeat(900)
            )),
        ),
        ("template-without-size", format!(r#"{HEAD} width="NaN" height="3mm"/>"#)),
        ("template-without-size", format!("{HEAD}/>")),
        ("template-without-size", format!(r#"{HEAD} width="1e30mm" height="1e30mm"/>"#)),
        ("template-without-size", format!(r#"{HEAD} width="9mm" height="9mm" viewBox="0 0 0 NaN"/>"#)),
        ("template-not-svg", "<html/>".into()),
        ("template-not-svg", "<svg/>".into()),
        ("template-not-svg", String::new()),
        ("template-not-svg", "<svg xmlns='http://www.w3.org/2000/svg'".into()),
        ("template-not-svg", "\u{0}\u{1}\u{ff}".into()),
        ("template-external-reference", r#"<?xml-stylesheet href="http://example.org/a.css"?><svg/>"#.into()),
    ];
    for (code, text) in cases {
        let (template, findings) = read(&text);
        assert!(template.is_none(), "{code}: was read");
        assert_eq!(codes(&findings), [code], "{findings:?}");
        assert!(findings[0].at.line > 0);
    }
}

#[test]
fn odd_numbers_are_survived() {
    let (template, findings) = page(
        r#"<rect inkscape:label="panel: a" width="NaN" height="1"/><rect inkscape:label="panel: b" width="1e30" height="1"/><rect inkscape:label="panel: c" width="0" height="1"/>
        <rect inkscape:label="panel: d" width="-3" height="1"/><text font-size="1e30" x="1" y="1">x</text><text x="1e300" y="1" font-size="3">x</text>
        <g transform="matrix(1e300 0 0 1e300 0 0)"><text font-size="3">x</text><rect width="3" height="3"/></g><path d="M0 0L1e30 1e30"/><path d="M0 0 L1 x"/>"#,
    );
    assert!(template.panels.is_empty() && findings.len() >= 7, "{findings:?}");
    let (template, findings) = read(&format!(r#"{HEAD} viewBox="0 0 20 10"/>"#));
    assert_eq!((template.unwrap().width, codes(&findings)), (20.0, vec!["template-size-guessed"]));
}

#[test]
fn the_check_names_what_is_wrong_with_panels() {
    let (template, _) = page(
        r#"<rect inkscape:label="panel: rest" x="90" width="30" height="10"/><rect inkscape:label="panel: log a" width="30" height="10"/>
        <rect inkscape:label="panel: log b" x="5" width="30" height="10"><desc>rows = 3
columns = [</desc></rect><rect inkscape:label="panel:" y="50" width="30" height="10"/><rect inkscape:label="panel: log a" y="80" width="30" height="10"/>
        <text x="-20" y="5" font-size="3">off</text><g inkscape:label="when: a"><rect inkscape:label="panel: x" y="20" width="5" height="5"/></g><g inkscape:label="when: b"><rect inkscape:label="panel: y" y="20" width="5" height="5"/></g>"#,
    );
    let findings = template.check();
    let mut found = codes(&findings);
    found.sort_unstable();
    assert_eq!(
        found,
        [
            "panel-off-the-page",
            "panel-options-not-toml",
            "panel-twice",
            "panel-without-kind",
            "panels-overlap",
            "text-off-the-page"
        ]
    );
    let toml = findings.iter().find(|f| f.code == "panel-options-not-toml").unwrap();
    assert!(toml.at.snippet.as_ref().unwrap().text.contains("columns = ["), "{toml:?}");
}

#[test]
fn drawings_may_be_under_other_panels() {
    for (under, expected) in [("silhouette a.svg", 0), ("band", 0), ("art a.svg", 0), ("log b", 1)] {
        let (template, _) = page(&format!(
            r#"<rect inkscape:label="panel: {under}" width="60" height="20"/><rect inkscape:label="panel: log a" x="5" width="30" height="10"/>"#
        ));
        assert_eq!(codes(&template.check()), vec!["panels-overlap"; expected], "{under}");
    }
}

mod promises {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        #[test]
        fn a_rectangle_is_where_it_is(
            x in 0.0..150.0_f64, y in 0.0..200.0_f64, w in 1.0..40.0_f64, h in 1.0..40.0_f64,
            layer in (-50.0..50.0_f64, -50.0..50.0_f64), scale in 0.2..5.0_f64, units in 0.3..8.0_f64, origin in (-30.0..30.0_f64, -30.0..30.0_f64), px in any::<bool>(),
        ) {
            // A page of 200 x 250 mm; the view box has `units` per mm and begins at `origin`.
            let (width, height) = if px { (format!("{}", 200.0 / 25.4 * 96.0), format!("{}px", 250.0 / 25.4 * 96.0)) } else { ("200mm".into(), "25cm".into()) };
            let (lx, ly) = (origin.0 + x * units, origin.1 + y * units);
            let inner = ((lx - layer.0) / scale, (ly - layer.1) / scale);
            let text = format!(
                r#"{HEAD} width="{width}" height="{height}" viewBox="{} {} {} {}"><g transform="translate({},{})"><g transform="scale({scale})"><rect inkscape:label="panel: rest" x="{}" y="{}" width="{}" height="{}"/><rect x="{}" y="{}" width="{}" height="{}"/></g></g></svg>"#,
                origin.0, origin.1, 200.0 * units, 250.0 * units, layer.0, layer.1, inner.0, inner.1, w * units / scale, h * units / scale, inner.0, inner.1, w * units / scale, h * units / scale
            );
            let (template, findings) = read(&text);
            prop_assert!(findings.is_empty(), "{:?}", findings);
            let template = template.unwrap();
            let rect = template.panels[0].rect;
            prop_assert!((rect.x - x as f32).abs() < 0.01 && (rect.y - y as f32).abs() < 0.01 && (rect.w - w as f32).abs() < 0.01 && (rect.h - h as f32).abs() < 0.01, "{:?}", rect);
            // The art next to it, converted by usvg, is in the same place.
            let Shape::Path(path, _) = &template.art[0].drawing.shapes[0] else { panic!() };
            let crate::scene::Segment::Move(ax, ay) = path.segments[0] else { panic!() };
            prop_assert!((ax - rect.x).abs() < 0.02 && (ay - rect.y).abs() < 0.02, "{} {} {:?}", ax, ay, rect);
        }

        #[test]
        fn anything_is_survived(parts in prop::collection::vec(prop::sample::select(vec![
            "<g>", "</g>", "<text>", "</text>", "<tspan x='1'>", "</tspan>", "{{", "}}", "&lt;", "&#x0;", "<![CDATA[", "]]>", "<!--", "-->", "<rect inkscape:label='panel: é' width='3' height='3'/>",
            "<g inkscape:label='when:'>", "<desc>", "</desc>", "é", "'", "\"", "<", ">", "<style>", "</style>", "a{b:url(#c)}", "<use href='#a'/>", "<rect id='a'/>", "<?x", "?>", "=", "\r\n",
        ]), 0..40)) {
            let body = parts.concat();
            if let (Some(template), _) = read(&format!(r#"{HEAD} viewBox="0 0 9 9">{body}</svg>"#)) {
                let _ = template.check();
            }
            let _ = read(&body);
        }
    }
}

#[test]
fn shapes_are_drawn_and_known_as_outlines() {
    let (template, findings) = page(
        r##"<g inkscape:label="when: count('gun')"><path inkscape:label="Shape: hull" d="M10 10 H20 V20 Z" fill="#eee"/></g>
        <g transform="translate(5 0)"><circle inkscape:label="shape: round" cx="10" cy="10" r="4" stroke="#000" fill="none"/></g>
        <rect inkscape:label="shape hull" x="1" y="1" width="2" height="2" fill="#000"/>"##,
    );
    assert_eq!(codes(&findings), ["label-without-colon"]);
    let [hull, round] = &template.outlines[..] else { panic!("{:?}", template.outlines) };
    assert_eq!((hull.when, round.when), (Some(0), None));
    assert_eq!(hull.path.segments[0], crate::scene::Segment::Move(10.0, 10.0));
    let crate::scene::Segment::Move(x, y) = round.path.segments[0] else { panic!() };
    assert!((x - 19.0).abs() < 0.01 && (y - 10.0).abs() < 0.01, "{x} {y}");
    assert_eq!(template.art.iter().map(|piece| piece.drawing.shapes.len()).sum::<usize>(), 3, "all are drawn");
}

/// The bounds of what is drawn.
fn ink(template: &Template) -> Rect {
    let shapes = template.art.iter().flat_map(|piece| &piece.drawing.shapes);
    let bounds = shapes.filter_map(|shape| match shape {
        Shape::Path(path, _) => path.bounds(),
        _ => None,
    });
    let all = bounds.reduce(|a, b| {
        let (x, y) = (a.x.min(b.x), a.y.min(b.y));
        Rect::new(x, y, a.right().max(b.right()) - x, a.bottom().max(b.bottom()) - y)
    });
    all.unwrap_or(Rect::new(0.0, 0.0, 0.0, 0.0))
}

#[test]
fn fixed_text_that_a_slot_cannot_show_is_drawn_as_outlines() {
    for (what, body) in [
        ("raised", r#"<text x="10" y="20" font-size="4">10<tspan dy="-1.5" font-size="2.5">2</tspan></text>"#),
        ("lowered", r#"<text x="10" y="20" font-size="4">H<tspan baseline-shift="sub">2</tspan>O</text>"#),
        ("bold part", r#"<text x="10" y="20" font-size="4">A <tspan font-weight="bold">B</tspan></text>"#),
        ("places", r#"<text x="10 15 20" y="20" font-size="4">ABC</text>"#),
        ("turned", r#"<text x="10" y="20" font-size="4" rotate="20">AB</text>"#),
        ("length", r#"<text x="10" y="20" font-size="4" textLength="30">AB</text>"#),
        ("vertical", r#"<text x="10" y="20" font-size="4" style="writing-mode:vertical-rl">AB</text>"#),
        ("underline", r#"<text x="10" y="20" font-size="4" style="text-decoration:underline">AB</text>"#),
        ("spaces", r#"<text x="10" y="20" font-size="4" word-spacing="3">A B</text>"#),
        ("stroke", r##"<text x="10" y="20" font-size="4" fill="none" stroke="#00f" stroke-width=".1">AB</text>"##),
        ("mirrored", r#"<text transform="matrix(-1 0 0 1 40 0)" x="10" y="20" font-size="4">AB</text>"#),
        (
            "path",
            r##"<path id="p" d="M10 20 q10 -10 20 0" fill="none"/><text font-size="4"><textPath xlink:href="#p">AB</textPath></text>"##,
        ),
        ("clone", r##"<text id="t" x="10" y="20" font-size="4">AB</text><use xlink:href="#t" y="5"/>"##),
        ("symbol", r##"<symbol id="s"><text x="10" y="20" font-size="4">AB</text></symbol><use xlink:href="#s"/>"##),
    ] {
        let (template, findings) = page(body);
        assert!(findings.is_empty() && template.slots.is_empty(), "{what}: {findings:?} {:?}", template.slots);
        assert!(ink(&template).h > 2.0 && ink(&template).x >= 8.0, "{what}: {:?}", ink(&template));
        // With a value, it is one slot, and one finding says what is not drawn.
        if !matches!(what, "mirrored" | "path" | "clone" | "symbol" | "lowered") {
            let (template, findings) = page(&body.replace("</text>", " {{ name }}</text>"));
            assert_eq!((codes(&findings), template.slots.len()), (vec!["text-simplified"], 1), "{what}");
            assert!(template.slots[0].paint.alpha > 0.0 && template.art.is_empty(), "{what}");
        }
    }
    let (template, findings) = page(
        r##"<defs><linearGradient id="g"><stop stop-color="#f00"/><stop offset="1"/></linearGradient></defs>
        <text x="10" y="20" font-size="4" fill="url(#g)">AB</text>"##,
    );
    assert_eq!((codes(&findings), template.slots.len()), (vec!["template-gradient"], 0));
    let Shape::Path(_, style) = &template.art[0].drawing.shapes[0] else { panic!() };
    assert_eq!(style.fill, Some(Paint::rgb(255, 0, 0)));
    let (template, findings) = page(r#"<text x="10" y="20" font-size="4" textLength="30">A☃</text>"#);
    assert_eq!(codes(&findings), ["missing-character"], "{template:?}");
    let (_, findings) =
        page(r#"<text x="1" y="9" font-size="4" style="font-style:italic;text-transform:uppercase">a</text>"#);
    let [finding] = findings.as_slice() else { panic!("{findings:?}") };
    assert!(finding.message.contains("asks for italics and changed capitals, which is ignored"), "{finding:?}");
    // A condition around it holds for outlines, too.
    let (template, _) =
        page(r#"<g inkscape:label="when: x"><text x="10" y="20" font-size="4" rotate="9">AB</text></g>"#);
    assert_eq!(template.art.iter().map(|piece| piece.when).collect::<Vec<_>>(), [Some(0)]);
}

#[test]
fn a_raised_part_is_where_it_belongs() {
    let (plain, _) = page(r#"<text x="10" y="20" font-size="4" word-spacing="1">10</text>"#);
    let (raised, _) = page(
        r#"<text x="10" y="20" font-size="4" word-spacing="1">10<tspan dy="-1.5" font-size="2.5">2</tspan></text>"#,
    );
    assert!(raised.art[0].drawing.shapes.len() > plain.art[0].drawing.shapes.len() || ink(&raised).w > ink(&plain).w);
    assert!(ink(&raised).y < ink(&plain).y - 0.2 && (ink(&raised).bottom() - ink(&plain).bottom()).abs() < 0.05);
    // The letters of outlines are those of slots: the same face at the same place.
    let width = crate::fonts::width(crate::fonts::FontFace::Regular, "10") * 4.0;
    assert!((ink(&plain).w - width).abs() < 0.6, "{} {width}", ink(&plain).w);
}

#[test]
fn lengths_and_styles_are_read_as_other_programs_write_them() {
    let slot = |body: &str| {
        let (template, findings) = page(body);
        assert!(findings.is_empty() && template.slots.len() == 1, "{body}: {findings:?} {:?}", template.slots);
        template.slots[0].clone()
    };
    let (width, height) = (page("").0.width, page("").0.height);
    let centred = slot(r#"<text x="50%" y="20%" font-size="4" text-anchor="middle">{{ name }}</text>"#);
    assert!((centred.x - width / 2.0).abs() < 1e-3 && (centred.y - height / 5.0).abs() < 1e-3, "{centred:?}");
    let bold = slot(r#"<text x="1" y="9" style="font:bold 8px/1.2 sans-serif">{{ name }}</text>"#);
    assert_eq!((bold.size, bold.face), (8.0, crate::fonts::FontFace::Bold));
    assert_eq!(slot(r#"<text x="1" y="9" style="font-size:large">a</text>"#).size, 18.0);
    assert_eq!(slot(r#"<g font-size="10"><text x="1" y="9" font-size="larger">a</text></g>"#).size, 12.0);
    let metrics = crate::fonts::FontFace::Regular.metrics();
    for (baseline, shift) in [
        ("middle", metrics.x_height / 2.0),
        ("central", (metrics.ascent - metrics.descent) / 2.0),
        ("hanging", metrics.ascent * 0.8),
        ("text-after-edge", -metrics.descent),
        ("auto", 0.0),
    ] {
        let found =
            slot(&format!(r#"<text x="1" y="10" font-size="4" dominant-baseline="{baseline}">{{{{ name }}}}</text>"#));
        assert!((found.y - 10.0 - 4.0 * shift).abs() < 1e-3, "{baseline}: {found:?}");
    }
    for (transform, x, y) in [
        (r#"style="transform: translate(10px, 5px)""#, 11.0, 14.0),
        (r#"style="fill:red;transform:translateX(10px) translateY(5px)""#, 11.0, 14.0),
        (r#"class="moved""#, 13.0, 9.0),
        (r#"style="transform:scaleX(2)scaleY(2)""#, 2.0, 18.0),
    ] {
        let body = format!(
            r#"<style>.moved {{ transform: translate(12px) }}</style><g {transform}><text x="1" y="9" font-size="4">a</text><path d="M1 9 h1 v1 z"/></g>"#
        );
        let (template, findings) = page(&body);
        let (slot, art) = (&template.slots[0], ink(&template));
        assert!(
            findings.is_empty() && (slot.x - x).abs() < 1e-3 && (slot.y - y).abs() < 1e-3,
            "{transform}: {slot:?} {findings:?}"
        );
        assert!((art.x - x).abs() < 0.02 && (art.y - y).abs() < 0.02, "{transform}: {art:?}");
    }
    let (template, _) = page(r#"<rect inkscape:label="panel: rest" x="10%" y="10%" width="50%" height="50%"/>"#);
    assert_eq!(template.panels[0].rect, Rect::new(width * 0.1, height * 0.1, width * 0.5, height * 0.5));
}

#[test]
fn one_part_of_a_switch_is_drawn() {
    let words = |body: &str| {
        let (template, findings) = page(body);
        let words: Vec<String> = template.slots.iter().map(|slot| slot.text.text.clone()).collect();
        (words.join(" "), findings.len())
    };
    let text = |language: &str, words: &str| format!(r#"<text {language} x="1" y="9" font-size="4">{words}</text>"#);
    let (german, english) = (text(r#"systemLanguage="de""#, "Klasse"), text(r#"systemLanguage="de, en-GB""#, "Class"));
    let any = text("", "Ship");
    assert_eq!(words(&format!("<switch>{german}{english}{any}</switch>")), ("Class".into(), 0));
    assert_eq!(words(&format!("<switch>{german}{any}</switch>")), ("Ship".into(), 0));
    assert_eq!(words(&format!("<switch>{german}</switch>")), (String::new(), 1));
    assert_eq!(words(&format!("{german}{any}")), ("Ship".into(), 0));
    // As Illustrator writes its files.
    let foreign =
        r#"<foreignObject requiredExtensions="http://ns.adobe.com/AdobeIllustrator/10.0/" width="1" height="1"/>"#;
    assert_eq!(words(&format!("<switch>{foreign}<g>{any}</g></switch>")), ("Ship".into(), 0));
}

#[test]
fn a_level_line_with_a_gradient_is_drawn_in_its_first_colour() {
    for units in ["", r#"gradientUnits="objectBoundingBox""#] {
        let (template, findings) = page(&format!(
            r##"<defs><linearGradient id="g" {units}><stop stop-color="#f00"/><stop offset="1"/></linearGradient></defs>
            <path d="M3 10 H91" stroke="url(#g)" stroke-width="1"/>"##
        ));
        assert_eq!(codes(&findings), ["template-gradient"]);
        let Shape::Path(_, style) = &template.art[0].drawing.shapes[0] else { panic!() };
        assert_eq!(style.stroke.as_ref().map(|stroke| stroke.paint), Some(Paint::rgb(255, 0, 0)));
    }
}

#[test]
fn entities_of_illustrator_are_read_in_their_lines() {
    let text = "<?xml version=\"1.0\"?>\n<!DOCTYPE svg [\n<!ENTITY ns_svg \"http://www.w3.org/2000/svg\">\n<!ENTITY st0 \"fill:#cccccc;\">\n]>\n\
                <svg xmlns=\"&ns_svg;\" viewBox=\"0 0 60 80\">\n<path style=\"&st0;\" d=\"M3 2 L5 4 V7 Z\"/>\n<path d=\"M0 0 L1 x\"/></svg>";
    let (template, findings) = read(text);
    let Shape::Path(_, style) = &template.unwrap().art[0].drawing.shapes[0] else { panic!() };
    assert_eq!(style.fill, Some(Paint::grey(0xcc)));
    let bad = findings.iter().find(|finding| finding.code == "template-bad-path").unwrap();
    assert_eq!(bad.at.line, 8);
}
