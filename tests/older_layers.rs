//! House layers as people wrote them in older days, one of each kind of change, in `older_layers/`. Each must load and keep
//! its effect for good: what a game gains may ask nothing more of them. Beside each is its effect, in TOML:
//!
//! - `design`: a sample; `edit`: a text in it and what takes its place
//! - `points`, `values`: numbers of the ship under the layer
//! - `finding`, `no_finding`: the code of one of its findings, with a part of the message after a colon
//! - `prints`, `never_prints`: texts on its sheets, the empty sheets and the reference
//! - `odds`: arguments of `moldloft odds`, then a part of what it answers

#[allow(dead_code, reason = "it uses a part")]
use std::fmt::Write as _;
use std::sync::Arc;

use moldloft::design::{Design, Ship};
use moldloft::evaluate::{Evaluation, evaluate, number_counters};
use moldloft::finding::{Finding, Severity};
use moldloft::formula::Value;
use moldloft::ruleset::{Ruleset, extends};
use moldloft::scene::{Scene, SceneItem, Shape};
use moldloft::sheet::typography::{SheetWords, TypographyCheck};
use moldloft::sheet::{Paper, SheetJob, SheetOptions, TemplateCache, check_sheet_typography, print};
use moldloft::source::Source;
use moldloft::source::toml::{TomlTable, TomlValue, parse};
use moldloft::store::Store;
use rayon::prelude::*;

use crate::support::{program, rules};
use rules::{chain, folder, root, said, source};

fn texts_of(items: &[SceneItem], texts: &mut Vec<String>) {
    for item in items {
        match &item.shape {
            Shape::Text(text) => texts.push(text.shaped.text.to_string()),
            Shape::Group { items, .. } => texts_of(items, texts),
            _ => {}
        }
    }
}

fn printed(ships: &[Evaluation], is_blank: bool) -> (Scene, Vec<Finding>) {
    let store = Store::built_in();
    let cache = TemplateCache::new(|ids, name| store.template(ids, name));
    let options = SheetOptions { is_blank, ..SheetOptions::default() };
    let (scene, mut findings) = print(&SheetJob { ships, templates: &cache, options, subject: "sheets" });
    findings.extend(cache.findings());
    (scene, findings)
}

fn texts(effect: &TomlTable<'_>, key: &str) -> Vec<String> {
    match effect.get(key).map(|node| &node.data) {
        Some(TomlValue::Text(text)) => vec![text.to_string()],
        _ => effect.list(key).iter().filter_map(|node| node.as_text().map(str::to_owned)).collect(),
    }
}

fn number(evaluation: &Evaluation, id: &str) -> Option<i64> {
    evaluation.values.iter().find(|value| *value.id == *id).and_then(|value| match value.value {
        Value::Int(number) => Some(number),
        _ => None,
    })
}

/// What a layer no longer does.
fn faults(path: &str) -> String {
    let mut wrong = String::new();
    let layer = source(path);
    let mut sources: Vec<Source> = extends(&layer).iter().flat_map(|base| chain(base)).collect();
    sources.push(layer.clone());
    let (rules, findings) = Ruleset::load_layers(&sources);
    let findings: Vec<Finding> = findings.into_iter().filter(|one| one.severity != Severity::Info).collect();
    if !findings.is_empty() {
        let _ = writeln!(wrong, "{path} does not load\n{}", said(&findings));
    }
    let Some(rules) = rules.map(Arc::new) else { return wrong };
    let text = std::fs::read_to_string(root().join(path).with_extension("effect")).unwrap_or_default();
    let (effect, mistakes) = parse(&text, 0);
    assert!(mistakes.is_empty(), "{path}: {mistakes:?}");
    let Some(design) = effect.text("design") else { return format!("{path} has no effect beside it\n") };
    let mut text = source(design).text.to_string();
    if let [old, new] = &texts(&effect, "edit")[..] {
        assert!(text.contains(old.as_str()), "{path}: no {old} in {design}");
        text = text.replace(old.as_str(), new);
    }
    let ship = evaluate(&rules, &Design::read(&Source::new(design, &text)).unwrap(), &Ship::default());
    let values = effect.table("values").map(|values| &values.entries[..]).unwrap_or_default();
    let points = effect.entries.iter().filter(|entry| entry.key == "points");
    for entry in points.chain(values) {
        let TomlValue::Int(wanted) = entry.node.data else { panic!("{path}: {} is no number", entry.key) };
        let found = number(&ship, &entry.key);
        if found != Some(wanted) {
            let _ = writeln!(wrong, "{path}: {} is {found:?}, was {wanted}", entry.key);
        }
    }
    let has = |wanted: &String| {
        let (code, words) = wanted.split_once(": ").unwrap_or((wanted, ""));
        ship.findings.iter().any(|finding| finding.code == code && finding.message.contains(words))
    };
    for wanted in texts(&effect, "finding").iter().filter(|wanted| !has(wanted)) {
        let _ = writeln!(wrong, "{path}: no finding {wanted}\n{}", said(&ship.findings));
    }
    for wanted in texts(&effect, "no_finding").iter().filter(|wanted| has(wanted)) {
        let _ = writeln!(wrong, "{path}: finding {wanted}\n{}", said(&ship.findings));
    }
    let mut ships = vec![ship];
    number_counters(&mut ships);
    let mut words = Vec::new();
    let sheets = rules.sheets.iter().filter_map(|sheet| Evaluation::blank(&rules, &sheet.id));
    for (ships, is_blank) in std::iter::once((ships, false)).chain(sheets.map(|sheet| (vec![sheet], true))) {
        let (scene, findings) = printed(&ships, is_blank);
        scene.pages.iter().for_each(|page| texts_of(&page.items, &mut words));
        if !findings.is_empty() {
            let _ = writeln!(wrong, "{path}: prints with\n{}", said(&findings));
        }
    }
    let is_there = |wanted: &String| words.iter().any(|words| words.contains(wanted.as_str()));
    for wanted in texts(&effect, "prints").iter().filter(|wanted| !is_there(wanted)) {
        let _ = writeln!(wrong, "{path}: nowhere printed: {wanted}");
    }
    for wanted in texts(&effect, "never_prints").iter().filter(|wanted| is_there(wanted)) {
        let _ = writeln!(wrong, "{path}: printed: {wanted}");
    }
    if let Some((answer, arguments)) = texts(&effect, "odds").split_last() {
        let folder = program::Folder::new();
        folder.write(&format!("rulesets/{}", path.rsplit('/').next().unwrap()), layer.text.as_bytes());
        folder.write("ship.toml", text.as_bytes());
        let rules = rules.id.to_string();
        let mut words = vec!["odds", "ship.toml", "--rules", &rules];
        words.extend(arguments.iter().map(String::as_str));
        let output = folder.run(&words);
        let answered = format!("{}{}", output.out, output.err);
        if !answered.contains(answer.as_str()) {
            let _ = writeln!(wrong, "{path}: odds without {answer}\n{answered}");
        }
    }
    wrong
}

#[test]
fn layers_of_older_days_keep_their_effect() {
    let layers = folder("tests/older_layers");
    assert!(layers.len() >= 30, "{}", layers.len());
    let wrong: String = layers.par_iter().map(|path| faults(path)).collect();
    assert!(wrong.is_empty(), "{wrong}");
}

/// All that a sheet says of the rules has room, with a title of forty wide letters and some statements not in force.
#[test]
fn the_longest_title_of_a_layer_is_cut_on_no_sheet() {
    let games = ["b5-house-rules", "battleships-1890s", "sky-full-of-ships", "star-navy", "wars-of-honor"];
    let wrong: Vec<String> = games.par_iter().flat_map(|game| cut_titles(game)).collect();
    assert!(wrong.is_empty(), "{} texts\n{}", wrong.len(), wrong.join("\n"));
}

fn cut_titles(game: &str) -> Vec<String> {
    let title = "W".repeat(40);
    let header = format!(
        "[ruleset]\nid = \"our-club\"\ntitle = \"{title}\"\nversion = \"1.0\"\nschema = 1\nextends = \"{game}\"\n"
    );
    let mut sources = chain(game);
    sources.push(Source::new("our-club.toml", &format!("{header}[change.system.no-such-thing]\npoints = 2\n")));
    let rules = Arc::new(Ruleset::load_layers(&sources).0.unwrap());
    let ships = folder(&format!("designs/{game}")).into_iter().map(|path| {
        let design = Design::read(&source(&path)).unwrap();
        vec![evaluate(&rules, &design, &Ship::default())]
    });
    let sheets = rules.sheets.iter().filter_map(|sheet| Evaluation::blank(&rules, &sheet.id)).map(|sheet| vec![sheet]);
    let jobs: Vec<(bool, Vec<Evaluation>)> =
        ships.map(|ship| (false, ship)).chain(sheets.map(|sheet| (true, sheet))).collect();
    let store = Store::built_in();
    let cache = TemplateCache::new(|ids, name| store.template(ids, name));
    let mut wrong = Vec::new();
    for (is_blank, mut ships) in jobs {
        number_counters(&mut ships);
        for paper in [Paper::A4, Paper::A5] {
            let options = SheetOptions { is_blank, page_setup: paper.into(), ..SheetOptions::default() };
            let (scene, _) = print(&SheetJob { ships: &ships, templates: &cache, options, subject: "sheets" });
            for page in &scene.pages {
                let mut words = Vec::new();
                texts_of(&page.items, &mut words);
                let cut = words.iter().filter(|words| words.contains("WWW") && words.ends_with('…'));
                let name = ships[0].sheet().map_or("", |sheet| &sheet.id).to_owned();
                wrong.extend(cut.map(|words| format!("{game}, {name} {}, {paper:?}: {words}", ships[0].name)));
            }
            // Nor does it run over a frame; a few of these widest titles are some tenths of a millimetre near one.
            let faults = check_sheet_typography(&ships[0], &cache, options, &mut SheetWords::default()).faults;
            let near = faults.into_iter().filter(|one| one.fault.check == TypographyCheck::TextNearLine);
            let near = near.filter(|one| one.fault.message.contains("crossed"));
            wrong.extend(near.map(|one| format!("{game}, {}, {paper:?}: {}", ships[0].name, one.fault.message)));
        }
    }
    wrong
}
