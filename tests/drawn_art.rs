//! Art that follows the design: silhouettes, slots that are outlines, arcs of fire and bands, on the sheet of a small game.

use std::fs;
use std::sync::Arc;

use moldloft::design::{Design, Ship};
use moldloft::evaluate::evaluate;
use moldloft::finding::Finding;
use moldloft::ruleset::Ruleset;
use moldloft::scene::{Page, Shape};
use moldloft::sheet::{ArtFile, SheetJob, SheetOptions, TemplateCache, print};
use moldloft::source::Source;

use crate::support::program::Folder;
use crate::support::rules::root;

const RULES: &str = r##"[ruleset]
id = "punts"
title = "Punts"
version = "1"
schema = 1
[attributes]
arc = { type = "text", default = "" }
points = 0
[[field]]
id = "size"
kind = "integer"
default = 6
[[field]]
id = "club"
kind = "choice"
default = "swan"
[field.options]
swan = { label = "Swan Club", colour = "#1f4e9e", pattern = "diagonal" }
none = { label = "no club", colour = "", pattern = "" }
[[mount]]
id = "deck"
[[system]]
id = "gun"
abbr = "G"
mounts = ["deck"]
arc = "forward 120°"
[[value]]
id = "points"
formula = "total('points')"
[[sheet]]
id = "card"
kind = "design"
template = "card.svg"
"##;

const CARD: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" width="94mm" height="62mm" viewBox="0 0 94 62">
<path d="M10,10 L40,10 L30,50 L20,50 Z" inkscape:label="panel: mount deck"><desc>label = "guns"</desc></path>
<rect x="5" y="5" width="40" height="50" inkscape:label="panel: silhouette"><desc>file = "hulls/{{ 'large' if size > 10 else 'small' }}.svg"</desc></rect>
<rect x="50" y="5" width="3" height="20" inkscape:label="panel: band"/>
<rect x="60" y="5" width="30" height="20" inkscape:label="panel: arcs"><desc>arcs = "{{ it.arc }}"
circles = [{ label = "horn", arcs = "all round" }]</desc></rect>
<text x="3" y="60" font-size="5">{{ name }}</text>
</svg>"#;

const HULL: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="20mm" height="20mm" viewBox="0 0 20 20">
<path d="M5 5 H15 V15 H5 Z" fill="white" stroke="black" stroke-width="1"/></svg>"#;

/// The page of a punt, and what was found. `files` are those of the design's folder.
fn punt(fields: &str, files: &[(&'static str, &'static str)]) -> (Page, Vec<Finding>) {
    let (rules, faults) = Ruleset::load(&Source::new("punts.toml", RULES));
    let rules = Arc::new(rules.unwrap_or_else(|| panic!("{faults:#?}")));
    let text = format!(
        "ruleset = \"punts\"\nname = \"Ely\"\n{fields}\n[[fit]]\nsystem = \"gun\"\nmount = \"deck\"\ncount = 12\n"
    );
    let design = Design::read(&Source::new("ely.toml", &text)).unwrap();
    let ship = evaluate(&rules, &design, &Ship::default());
    let templates = TemplateCache::new(|_, name| {
        let text = match name {
            "card.svg" => CARD,
            "hulls/small.svg" => HULL,
            _ => return None,
        };
        Some(Ok(Source::new(name, text)))
    })
    .with_beside(|design, name| {
        assert_eq!(design, "ely.toml");
        let (_, text) = files.iter().find(|(known, _)| *known == name)?;
        Some(Ok(ArtFile::Svg(Source::new(name, text))))
    })
    .with_names(|| ["punts/card.svg", "punts/hulls/small.svg", "other/hulls/larger.svg"].map(str::to_owned).into());
    let job = SheetJob { ships: &[ship], templates: &templates, options: SheetOptions::default(), subject: "sheets" };
    let (scene, findings) = print(&job);
    assert_eq!(scene.pages.len(), 1);
    (scene.pages.into_iter().next().unwrap(), findings)
}

fn codes(findings: &[Finding]) -> Vec<&str> {
    findings.iter().map(|finding| &*finding.code).collect()
}

/// The names of the drawings on a page, in painting order.
fn drawings(page: &Page) -> Vec<String> {
    let items = page.items.iter().filter_map(|item| match &item.shape {
        Shape::Use { drawing, .. } => Some(drawing.name.clone()),
        _ => None,
    });
    items.collect()
}

#[test]
fn a_silhouette_fills_its_rectangle_under_the_boxes() {
    let (page, findings) = punt("", &[]);
    assert!(findings.is_empty(), "{findings:#?}");
    let items: Vec<_> = page.items.iter().collect();
    let hull = items
        .iter()
        .position(|item| matches!(&item.shape, Shape::Use { drawing, .. } if drawing.name == "hulls/small.svg"));
    let boxes = items.iter().position(|item| item.mark.as_ref().is_some_and(|mark| mark.name.starts_with("gun_deck")));
    assert!(hull.is_some() && hull < boxes, "{hull:?} {boxes:?}");
    let Shape::Use { drawing, .. } = &items[hull.unwrap()].shape else { panic!() };
    assert_eq!((drawing.width, drawing.height), (40.0, 50.0));
    let Shape::Path(path, style) = &drawing.shapes[0] else { panic!() };
    let bounds = path.bounds().unwrap();
    assert!((bounds.w - 39.0).abs() < 0.01 && (bounds.h - 49.0).abs() < 0.01, "{bounds:?}");
    assert_eq!(style.stroke.as_ref().map(|stroke| stroke.width), Some(1.0));
}

#[test]
fn a_missing_silhouette_is_reported_with_the_nearest_name() {
    let (page, findings) = punt("[fields]\nsize = 12", &[]);
    assert!(!drawings(&page).iter().any(|name| name.starts_with("hulls/")), "{:?}", drawings(&page));
    assert_eq!(codes(&findings), ["missing-template-file"]);
    assert_eq!(findings[0].help.as_deref(), Some("did you mean `hulls/small.svg`?"));
}

#[test]
fn a_design_brings_its_own_silhouette() {
    let own = |files| punt("silhouette = \"mine.svg\"", files);
    let (page, findings) = own(&[("mine.svg", HULL)]);
    assert!(findings.is_empty(), "{findings:#?}");
    assert!(drawings(&page).contains(&"mine.svg".to_owned()), "{:?}", drawings(&page));
    // What is missing, broken or empty is reported, and the game's own outline is used.
    const EMPTY: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="20mm" height="20mm"/>"#;
    for (files, code) in [
        (&[][..], "missing-silhouette"),
        (&[("mine.svg", "<svg")][..], "template-not-svg"),
        (&[("mine.svg", EMPTY)][..], "empty-silhouette"),
    ] {
        let (page, findings) = own(files);
        assert_eq!(codes(&findings), [code]);
        assert!(drawings(&page).contains(&"hulls/small.svg".to_owned()), "{:?}", drawings(&page));
    }
    let (_, findings) = own(&[(
        "mine.svg",
        r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="20mm" height="20mm"><use xlink:href="http://example.org/a.svg#a"/><path d="M1 1 H9 V9 Z"/></svg>"#,
    )]);
    assert!(codes(&findings).contains(&"template-external-reference"), "{findings:#?}");
}

#[test]
fn boxes_are_inside_the_outline_of_their_slot() {
    let (page, _) = punt("", &[]);
    let offset = page.items.iter().find_map(|item| match &item.shape {
        Shape::Use { drawing, transform } if drawing.name == "hulls/small.svg" => {
            Some((transform.m[4] - 5.0, transform.m[5] - 5.0))
        }
        _ => None,
    });
    let (left, top) = offset.unwrap();
    let mut boxes = 0;
    for item in &page.items {
        let Shape::Rect { rect, .. } = &item.shape else { continue };
        if item.mark.as_ref().is_some_and(|mark| mark.name.starts_with("gun_deck")) {
            boxes += 1;
            for y in [rect.y - top, rect.bottom() - top] {
                // The sides go from 10 and 40 at the top to 20 and 30 at the foot.
                let inset = (y - 10.0) / 40.0 * 10.0;
                assert!((10.0..=50.0).contains(&y), "{rect:?}");
                assert!(rect.x - left >= 10.0 + inset && rect.right() - left <= 40.0 - inset, "{rect:?}");
            }
        }
    }
    assert_eq!(boxes, 12);
}

#[test]
fn arcs_and_bands_are_drawn_where_the_ship_has_them() {
    let (page, _) = punt("", &[]);
    let count = |page: &Page, wanted: &str| drawings(page).iter().filter(|name| *name == wanted).count();
    assert_eq!((count(&page, "arcs"), count(&page, "band")), (2, 1));
    let (page, findings) = punt("[fields]\nclub = \"none\"", &[]);
    assert_eq!(count(&page, "band"), 0);
    assert!(findings.is_empty(), "{findings:#?}");
}

#[test]
fn a_photograph_of_the_design_is_on_sheet_roster_and_token_and_stays_small() {
    let mut noise = 1_u32;
    let photo = image::RgbImage::from_fn(1500, 1000, |x, _| {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let shade = (x / 8) as u8;
        image::Rgb([shade, shade ^ (noise >> 24) as u8, (noise >> 16) as u8])
    });
    let mut bytes = Vec::new();
    photo.write_to(&mut std::io::Cursor::new(&mut bytes), image::ImageFormat::Png).unwrap();
    assert!(bytes.len() > 4_000_000, "{}", bytes.len());
    let design = fs::read_to_string(root().join("designs/battleships-1890s/hammerfest.toml")).unwrap();
    let with = |name: &str| design.replacen("\nname =", &format!("\nsilhouette = \"{name}\"\nname ="), 1);
    let fleet = "ruleset = \"battleships-1890s\"\nname = \"One\"\n[[ship]]\ndesign = \"hammerfest.toml\"\n";
    let folder = Folder::with(&[("photo.png", &bytes), ("hammerfest.toml", with("photo.png").as_bytes())]);
    folder.write("fleet.toml", fleet.as_bytes());
    for (arguments, file) in [
        (&["print", "hammerfest.toml", "-o", "sheet.pdf"][..], "sheet.pdf"),
        (&["pack", "fleet.toml", "-o", "pack.pdf"], "pack.pdf"),
    ] {
        folder.run(arguments).expect(0);
        let pdf = fs::read(folder.path(file)).unwrap();
        assert!(pdf.len() < 500_000, "{file}: {} bytes", pdf.len());
        let document = lopdf::Document::load_mem(&pdf).unwrap();
        let images = document.objects.values().filter_map(|object| object.as_stream().ok());
        let images = images.filter(|stream| {
            stream.dict.get(b"Subtype").and_then(|kind| kind.as_name()).is_ok_and(|kind| kind == b"Image")
        });
        assert_eq!(images.count(), 1, "{file}");
    }
    folder.run(&["print", "hammerfest.toml", "-o", "sheet.svg"]).expect(0);
    let svg = fs::read_to_string(folder.path("sheet.svg")).unwrap();
    assert_eq!(svg.matches("data:image/jpeg;base64,").count(), 1);
    folder.run(&["print", "hammerfest.toml", "--grey", "-o", "grey.pdf"]).expect(0);
    assert!(fs::read(folder.path("grey.pdf")).unwrap().windows(11).any(|part| part == b"/DeviceGray"));
    // The same bytes twice.
    let once = fs::read(folder.path("sheet.pdf")).unwrap();
    folder.run(&["print", "hammerfest.toml", "--force", "-o", "sheet.pdf"]).expect(0);
    assert_eq!(once, fs::read(folder.path("sheet.pdf")).unwrap());
    // What is no picture, or shows nothing, is reported, and the game's outline stays.
    let mut white = Vec::new();
    image::GrayImage::from_pixel(9, 9, image::Luma([255]))
        .write_to(&mut std::io::Cursor::new(&mut white), image::ImageFormat::Png)
        .unwrap();
    for (bytes, code) in
        [(&b"GIF89a"[..], "picture-not-read"), (&bytes[..5000], "picture-not-read"), (&white, "empty-silhouette")]
    {
        folder.write("other.JPG", bytes);
        folder.write("hammerfest.toml", with("other.JPG").as_bytes());
        folder.run(&["print", "hammerfest.toml", "--force", "-o", "sheet.pdf"]).expect(0).says(code);
    }
}
