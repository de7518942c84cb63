//! Tokens read back: sizes, clear corners, numbers, the list of the folder, the objects for Tabletop Simulator, hostile names, and folders
//! that hold other things.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use crate::support::{GAMES, rules as support};
use moldloft::design::{Design, Ship};
use moldloft::evaluate::{Evaluation, evaluate, number_counters};
use moldloft::exchange::{TabletopProgram, TokenFolder, TokenOptions, make_tokens, write_tokens};
use moldloft::finding::Severity;
use moldloft::progress::Progress;
use moldloft::ruleset::Ruleset;
use moldloft::sheet::{Backs, CounterJob, PageStorage, TemplateCache, TokenBacking, lay_out_counters};
use moldloft::source::Source;
use moldloft::store::Store;
use serde_json::Value;

/// The samples of a game that are light, each as a named ship.
fn ships(game: &str, most: usize) -> Vec<Evaluation> {
    let rules = support::load(game);
    let files = support::folder(&format!("designs/{game}"));
    let mut ships: Vec<Evaluation> = Vec::new();
    for (n, file) in files.iter().take(most).enumerate() {
        let ship = Ship { name: Some(format!("Ship {n}")), hull_number: Some(format!("CA-{n}")), ..Ship::default() };
        ships.push(evaluate(&rules, &Design::read(&support::source(file)).unwrap(), &ship));
    }
    number_counters(&mut ships);
    ships
}

fn made(ships: &[Evaluation], order: &TokenOptions) -> TokenFolder {
    make_tokens(&Store::built_in(), ships.to_vec(), order, Path::new("/somewhere/tokens"), &Progress::default())
        .unwrap()
}

/// Width, height, dots per metre and the pixels.
fn png(bytes: &[u8]) -> (u32, u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    let info = reader.info();
    assert_eq!(info.color_type, png::ColorType::Rgba);
    let dims = info.pixel_dims.unwrap();
    assert_eq!((dims.unit, dims.xppu), (png::Unit::Meter, dims.yppu));
    (info.width, info.height, dims.xppu, pixels)
}

fn list(made: &TokenFolder) -> Value {
    let (_, bytes) = made.files.iter().find(|(name, _)| name == "manifest.json").unwrap();
    serde_json::from_slice(bytes).unwrap()
}

#[test]
fn tokens_are_in_true_size_on_clear_ground_and_listed() {
    for game in GAMES {
        let ships = ships(game, 2);
        let made = made(&ships, &TokenOptions { dpi: 200.0, ..TokenOptions::default() });
        let errors: Vec<_> = made.findings.iter().filter(|found| found.severity == Severity::Error).collect();
        assert!(errors.is_empty(), "{game}: {errors:?}");
        let files: BTreeMap<&str, &Vec<u8>> = made.files.iter().map(|(name, bytes)| (name.as_str(), bytes)).collect();
        assert_eq!(files.len(), made.files.len(), "{game}: every name once");
        let mut seen = BTreeSet::from(["manifest.json", "manifest.csv"]);
        for entry in &made.entries {
            for file in std::iter::once(&entry.file).chain(&entry.back) {
                seen.insert(file);
                let (width, height, dots, pixels) = png(files[file.as_str()]);
                assert_eq!(dots, 7874, "{file}");
                for (pixels, mm) in [(width, entry.width_mm), (height, entry.height_mm)] {
                    assert!((f64::from(pixels) - mm * 200.0 / 25.4).abs() <= 0.51, "{file}: {pixels} for {mm} mm");
                }
                let alpha = |x: u32, y: u32| pixels[((y * width + x) * 4 + 3) as usize];
                for (x, y) in [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)] {
                    assert_eq!(alpha(x, y), 0, "{file}: clear in the corner {x}, {y}");
                }
                assert_eq!(alpha(width / 2, height / 2), 255, "{file}: card in the middle");
            }
        }
        assert_eq!(seen, files.keys().copied().collect(), "{game}: what is listed is there, and nothing else");
        // As many as the evaluations count, and each ship once for herself.
        for (n, ship) in ships.iter().enumerate() {
            let own = |entry: &&moldloft::exchange::ManifestEntry| entry.hull_number == format!("CA-{n}");
            let total: u32 = made.entries.iter().filter(own).map(|entry| entry.count).sum();
            assert_eq!(total, ship.counters.iter().map(|counter| counter.count).sum::<u32>(), "{game} {n}");
            assert_eq!(made.entries.iter().filter(own).filter(|entry| entry.is_ship).count(), 1, "{game} {n}");
        }
        let numbers: Vec<_> = made.entries.iter().filter_map(|entry| entry.number.map(|n| (&entry.token, n))).collect();
        assert_eq!(numbers.iter().collect::<BTreeSet<_>>().len(), numbers.len(), "{game}: a number is given once");
        let json = list(&made);
        assert_eq!(json["tokens"].as_array().unwrap().len(), made.entries.len());
        assert_eq!(json["files"].as_object().unwrap().len(), made.files.len() - 1);
        let table = files["manifest.csv"];
        let mut rows = csv::Reader::from_reader(table.as_slice());
        assert!(rows.headers().unwrap().iter().eq(json["tokens"][0].as_object().unwrap().keys().map(String::as_str)));
        assert_eq!(rows.records().map(Result::unwrap).count(), made.entries.len());
    }
}

#[test]
fn numbers_are_those_of_the_printed_chits() {
    let ships = ships("wars-of-honor", 3);
    let store = Store::built_in();
    let shelf = TemplateCache::new(|ids, name| store.template(ids, name));
    let job =
        CounterJob { ships: &ships, templates: &shelf, page_setup: Default::default(), backs: Backs::None, copies: 1 };
    let (scene, _) = lay_out_counters(&job, PageStorage::Plain, &Progress::default());
    let mut printed = BTreeSet::new();
    for page in &scene.pages {
        for item in &page.items {
            let moldloft::scene::Shape::Group { items, .. } = &item.shape else { continue };
            printed.extend(items.iter().filter_map(|inner| inner.mark.as_ref()).map(|mark| mark.name.to_string()));
        }
    }
    let made = made(&ships, &TokenOptions { dpi: 60.0, ..TokenOptions::default() });
    let numbered: Vec<_> = made.entries.iter().filter(|entry| entry.number.is_some()).collect();
    assert!(numbered.len() > 20);
    for entry in numbered {
        let name = format!("{}_{}", entry.token, entry.number.unwrap());
        assert!(printed.contains(&name), "{name} is no printed chit");
        assert!(entry.file.ends_with(&format!("-{}-{}.png", entry.token, entry.number.unwrap())), "{}", entry.file);
        assert_eq!(entry.count, 1);
    }
}

#[test]
fn objects_are_what_the_simulator_reads() {
    let ships = ships("star-navy", 3);
    let order = TokenOptions {
        program: TabletopProgram::TabletopSimulator,
        dpi: 60.0,
        url: Some("https://example.org/t/".into()),
        card: TokenBacking::White,
        ..TokenOptions::default()
    };
    let made = made(&ships, &order);
    let same = self::made(&ships, &order);
    assert_eq!(made.files, same.files, "the same bytes twice");
    let (name, bytes) = made.files.iter().find(|(name, _)| name.ends_with("simulator.json")).unwrap();
    assert_eq!(name, "star-navy-tabletop-simulator.json");
    let file: Value = serde_json::from_slice(bytes).unwrap();
    let mut ids = BTreeSet::new();
    let mut tokens = 0;
    fn walk(object: &Value, ids: &mut BTreeSet<String>, tokens: &mut u64, made: &TokenFolder) {
        let id = object["GUID"].as_str().unwrap();
        assert!(id.len() == 6 && id.bytes().all(|byte| byte.is_ascii_hexdigit()) && ids.insert(id.to_owned()), "{id}");
        for key in ["posX", "posY", "posZ", "rotX", "rotY", "rotZ", "scaleX", "scaleY", "scaleZ"] {
            assert!(object["Transform"][key].is_f64(), "{key}");
        }
        if object["Name"] == "Bag" {
            let inside = object["ContainedObjects"].as_array().unwrap();
            assert!(!inside.is_empty());
            inside.iter().for_each(|inner| walk(inner, ids, tokens, made));
            return;
        }
        let image = &object["CustomImage"];
        let url = image["ImageURL"].as_str().unwrap();
        let picture = format!("images/{}", url.strip_prefix("https://example.org/t/").unwrap());
        let entry = made.entries.iter().find(|entry| entry.file == picture).unwrap();
        let number = object.get("Number").map_or(1, |number| number.as_u64().unwrap());
        assert_eq!(number, u64::from(entry.count));
        *tokens += number;
        let stack = if number > 1 { "_Stack" } else { "" };
        let scale = object["Transform"]["scaleX"].as_f64().unwrap();
        let (short, long) = (entry.width_mm.min(entry.height_mm), entry.width_mm.max(entry.height_mm));
        if entry.shape == "own" {
            assert_eq!(object["Name"], format!("Custom_Token{stack}"));
            assert!(image["CustomToken"]["Thickness"].is_f64());
            assert!((scale * 3.7 * 25.4 - long).abs() < 0.02, "{picture}: {scale}");
        } else {
            assert_eq!(object["Name"], format!("Custom_Tile{stack}"));
            assert_eq!(image["CustomTile"]["Type"], 3);
            assert!((scale * 2.0 * 25.4 - short).abs() < 0.02, "{picture}: {scale}");
        }
    }
    for object in file["ObjectStates"].as_array().unwrap() {
        walk(object, &mut ids, &mut tokens, &made);
    }
    assert_eq!(tokens, made.entries.iter().map(|entry| u64::from(entry.count)).sum::<u64>());
    // Without an address the pictures are looked for on this disk.
    let local = self::made(&ships, &TokenOptions { url: None, ..order.clone() });
    let (_, bytes) = local.files.iter().find(|(name, _)| name.ends_with("simulator.json")).unwrap();
    assert!(String::from_utf8_lossy(bytes).contains("\"file:///"));
    for bad in ["", "example.org", "ftp://x", "https://a b", "javascript:alert(1)"] {
        let order = TokenOptions { url: Some(bad.into()), ..order.clone() };
        let refused = make_tokens(&Store::built_in(), ships.clone(), &order, Path::new("t"), &Progress::default());
        assert_eq!(refused.unwrap_err().code, "not-an-address", "{bad}");
    }
}

#[test]
fn pieces_are_what_a_module_holds() {
    let ships = ships("sky-full-of-ships", 2);
    let mut ships = ships;
    ships[0].ship.name = Some("A <b> & \"c\"/d;e".into());
    let made = made(&ships, &TokenOptions { program: TabletopProgram::Vassal, dpi: 100.0, ..TokenOptions::default() });
    let (_, bytes) = made.files.iter().find(|(name, _)| name == "pieces.xml").unwrap();
    let text = String::from_utf8(bytes.clone()).unwrap();
    let document = roxmltree::Document::parse(&text).unwrap();
    let slots: Vec<_> =
        document.descendants().filter(|node| node.tag_name().name() == "VASSAL.build.widget.PieceSlot").collect();
    assert_eq!(slots.len(), made.entries.len());
    let mut ids = BTreeSet::new();
    for (slot, entry) in slots.iter().zip(&made.entries) {
        assert!(ids.insert(slot.attribute("gpid").unwrap()));
        let piece = slot.text().unwrap();
        let name = |file: &str| file.strip_prefix("images/").unwrap().to_owned();
        assert!(piece.starts_with("+/null/") && piece.matches('/').count() == 3, "{piece}");
        assert!(piece.contains(&format!("piece;;;{};", name(&entry.file))), "{piece}");
        assert_eq!(
            entry.back.as_ref().is_some_and(|back| piece.contains(&name(back))),
            piece.contains("emb2;"),
            "{piece}"
        );
        let width: f64 = slot.attribute("width").unwrap().parse().unwrap();
        assert!((width - entry.width_mm * 100.0 / 25.4).abs() <= 0.51);
    }
    assert!(
        made.files
            .iter()
            .all(|(name, _)| name.matches('/').count() <= 1 && !name.ends_with(".json") || name == "manifest.json")
    );
}

/// A ship of a game whose rules declare no token.
fn plain(name: &str, hull: Option<&str>, class: &str) -> Evaluation {
    const RULES: &str = "[ruleset]\nid = \"g\"\ntitle = \"Game\"\nversion = \"1\"\nschema = 1\n";
    let rules = Arc::new(Ruleset::load(&Source::new("g.toml", RULES)).0.unwrap());
    let text = format!("ruleset = \"g\"\nname = {}\n", Value::from(class));
    let ship = Ship { name: Some(name.to_owned()), hull_number: hull.map(str::to_owned), ..Ship::default() };
    evaluate(&rules, &Design::read(&Source::new("d.toml", &text)).unwrap(), &ship)
}

#[test]
fn a_game_without_tokens_gets_plain_ones_and_hostile_names_do_no_harm() {
    let long = "x".repeat(300);
    let names = [
        "../../etc/passwd",
        "CON",
        "con",
        "NUL.png",
        "a/b\\c",
        ".",
        "..",
        "🚀🚀",
        "🚀🛸",
        "Κίμων",
        "",
        " ",
        "\u{7}\u{1b}[31m",
        &long,
        "COM1",
        "LPT9",
        "Jaskółka",
        "JASKOLKA",
        "-rf",
        "manifest.json",
        "“quoted”",
        "a\nb",
    ];
    let ships: Vec<Evaluation> = names.iter().map(|name| plain(name, None, name)).collect();
    let made = made(
        &ships,
        &TokenOptions { dpi: 40.0, program: TabletopProgram::TabletopSimulator, ..TokenOptions::default() },
    );
    assert_eq!(made.entries.len(), names.len(), "one plain token a ship");
    assert!(made.entries.iter().all(|entry| entry.is_ship && entry.shape == "own" && entry.token == "ship"));
    let mut seen = BTreeSet::new();
    for (file, _) in &made.files {
        assert!(seen.insert(file.to_lowercase()), "{file}");
        let stem = file.rsplit('/').next().unwrap();
        assert!(
            stem.len() <= 120
                && stem.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'.'),
            "{file}"
        );
        let first = stem.split('.').next().unwrap();
        assert!(!["con", "nul", "prn", "aux", "com1", "lpt9"].contains(&first) && !first.starts_with('-'), "{file}");
        assert!(file.starts_with("images/") || !file.contains('/'), "{file}");
    }
    let outer = tempfile::tempdir().unwrap();
    write_tokens(&outer.path().join("t"), &made).unwrap();
    assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 1);
    assert_eq!(list(&made)["tokens"][0]["ship"], "../../etc/passwd", "the list says the names as they are");
}

#[test]
fn names_stay_when_ships_are_added_or_moved() {
    let hulls = ["CA-1", "CA-2", "DD-7"];
    let files = |order: &[usize]| -> BTreeSet<String> {
        let ships: Vec<Evaluation> = order.iter().map(|&n| plain("Somebody", Some(hulls[n]), "Class")).collect();
        made(&ships, &TokenOptions { dpi: 30.0, ..TokenOptions::default() })
            .entries
            .into_iter()
            .map(|entry| entry.file)
            .collect()
    };
    let few = files(&[0, 2]);
    assert!(few.is_subset(&files(&[2, 1, 0])), "{few:?}");
    assert!(few.contains("images/ca-1-ship.png"), "{few:?}");
}

fn run(here: &Path, arguments: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_moldloft")).args(arguments).current_dir(here).output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.code().unwrap_or(-1), said)
}

#[test]
fn the_command_writes_a_folder_and_leaves_what_is_not_its_own() {
    let outer = tempfile::tempdir().unwrap();
    let here = outer.path();
    let design = include_str!("../designs/star-navy/detroit.toml");
    fs::write(here.join("a.toml"), design).unwrap();
    fs::write(here.join("b.toml"), include_str!("../designs/star-navy/chicago.toml")).unwrap();
    let (status, said) = run(here, &["tokens", "a.toml", "b.toml", "-o", "t", "--dpi", "72"]);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("2 ships"), "{said}");
    assert!(here.join("t/images/detroit-ship.png").is_file() && here.join("t/images/chicago-ship.png").is_file());
    let (status, said) = run(here, &["tokens", "a.toml", "-o", "t", "--dpi", "72", "--for", "vassal"]);
    assert_eq!(status, 0, "{said}");
    assert!(
        here.join("t/images/detroit-ship.png").is_file() && !here.join("t/images/chicago-ship.png").exists(),
        "{said}"
    );
    // A picture that the player painted over is left, and so is all else.
    fs::write(here.join("t/images/detroit-ship.png"), "painted").unwrap();
    let (status, said) = run(here, &["tokens", "b.toml", "a.toml", "-o", "t", "--dpi", "72"]);
    assert_eq!(status, 2, "{said}");
    assert!(said.contains("detroit-ship.png") && !here.join("t/images/chicago-ship.png").exists(), "{said}");
    fs::create_dir(here.join("mine")).unwrap();
    fs::write(here.join("mine/photo.png"), "p").unwrap();
    let (status, said) = run(here, &["tokens", "a.toml", "-o", "mine"]);
    assert_eq!(status, 2, "{said}");
    assert!(said.contains("has other files") && fs::read_dir(here.join("mine")).unwrap().count() == 1, "{said}");
    fs::write(here.join("mine/manifest.json"), "{\"format\": \"other\"}").unwrap();
    assert_eq!(run(here, &["tokens", "a.toml", "-o", "mine"]).0, 2);
    for wrong in
        [&["--dpi", "1"][..], &["--dpi", "nan"], &["--dpi", "9999"], &["--url", "https://x"], &["--for", "chess"]]
    {
        let arguments = [&["tokens", "a.toml", "-o", "w"], wrong].concat();
        assert_eq!(run(here, &arguments).0, 2, "{wrong:?}");
        assert!(!here.join("w").exists());
    }
}
