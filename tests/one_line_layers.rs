//! Layers of one line, made from every declaration of every game: removed, renamed, a number changed by one, something
//! added. Each loads, all samples are evaluated, one ship and the empty sheets print clean: or there is the one right finding.
//!
//! The everyday run takes some of each kind; `ONE_LINE_LAYERS=all` takes all and lists what falls short.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use moldloft::design::{Design, Ship};
use moldloft::evaluate::{Evaluation, evaluate, number_counters};
use moldloft::finding::{Finding, Severity};
use moldloft::odds::{OddsQuestion, default_situation, work_out};
use moldloft::ruleset::{Ruleset, SECTIONS};
use moldloft::sheet::{SheetJob, SheetOptions, TemplateCache, print};
use moldloft::source::Source;
use moldloft::source::toml::{TomlNode, TomlTable, TomlValue, parse};
use moldloft::store::Store;
use rayon::prelude::*;

use crate::support::{GAMES, rules};
use rules::{chain, folder, said, source};

/// What removing may not be possible for: others read it, and the message says who and what to write.
const MAY_BE_NEEDED: [&str; 6] = ["setting", "value", "field", "gauge", "routine", "parameter"];

struct OneLine {
    /// `remove system`, `rename track`.
    kind: String,
    id: String,
    text: String,
}

/// A key as TOML writes it.
fn quoted(key: &str) -> String {
    format!("{key:?}")
}

fn one_line_layers(root: &TomlTable<'_>) -> Vec<OneLine> {
    let mut all = Vec::new();
    let mut add = |kind: String, id: &str, text: String| all.push(OneLine { kind, id: id.to_owned(), text });
    for section in SECTIONS.iter().filter(|section| section.name != "cost") {
        let name = section.name;
        for node in root.list(name) {
            let Some(id) = node.text_at(section.keys[0].name) else { continue };
            let table = node.as_table().unwrap();
            let at = format!("change.{name}.{}", quoted(id));
            let why = if name == "check" { "reason = \"we play without\"\n" } else { "" };
            add(format!("remove {name}"), id, format!("[{at}]\nremove = true\n{why}"));
            for key in ["label", "name"] {
                if table.text(key).is_some() {
                    add(format!("rename {name}"), id, format!("[{at}]\n{key} = \"Ours\"\n"));
                }
            }
            for entry in &table.entries {
                if let TomlValue::Int(number) = entry.node.data {
                    add(format!("number {name}"), id, format!("[{at}]\n{} = {}\n", entry.key, number + 1));
                }
            }
            for (list, noun) in [("options", "option"), ("parameters", "parameter")] {
                for entry in table.table(list).map(|options| &options.entries[..]).unwrap_or_default() {
                    let text = format!("[{at}.{list}.{}]\nremove = true\n", quoted(&entry.key));
                    add(format!("remove {noun}"), &format!("{id}.{}", entry.key), text);
                }
            }
            if name == "system" {
                let text =
                    format!("[[system]]\nid = \"ours-{id}\"\nlike = {}\nname = \"Ours\"\nabbr = \"Zz\"\n", quoted(id));
                add("add system".into(), id, text);
            }
            if let Some(options) = table.table("options").and_then(|options| options.entries.first())
                && let TomlValue::Table(_) = &options.node.data
            {
                let text = format!("[{at}.add.options]\nours = {{ label = \"Ours\" }}\n");
                add("add option".into(), id, text);
            }
            if name == "table" {
                table_layers(table, id, &at, &mut add);
            }
        }
    }
    all
}

fn table_layers(table: &TomlTable<'_>, id: &str, at: &str, add: &mut impl FnMut(String, &str, String)) {
    let column = |node: &TomlNode<'_>| node.as_text().or_else(|| node.text_at("id")).map(str::to_owned);
    let columns: Vec<String> = table.list("columns").iter().filter_map(column).collect();
    let keys: Vec<String> = match table.get("key").map(|node| &node.data) {
        Some(TomlValue::Text(key)) => vec![key.to_string()],
        _ => table.list("key").iter().filter_map(column).collect(),
    };
    let shown = |node: &TomlNode<'_>| match &node.data {
        TomlValue::Text(text) => text.to_string(),
        TomlValue::Int(number) => number.to_string(),
        _ => String::new(),
    };
    let written = |node: &TomlNode<'_>| match &node.data {
        TomlValue::Text(text) => quoted(text),
        TomlValue::Int(number) => number.to_string(),
        TomlValue::Flag(flag) => flag.to_string(),
        _ => "[]".to_owned(),
    };
    for (n, row) in table.list("rows").iter().enumerate() {
        let cells = row.as_list().unwrap_or_default();
        let key: Vec<String> = cells
            .iter()
            .zip(&columns)
            .filter(|(_, column)| keys.contains(column))
            .map(|(cell, _)| shown(cell))
            .collect();
        let key = if keys.is_empty() { (n + 1).to_string() } else { key.join(" ") };
        let row = format!("{id} {key}");
        add("remove row".into(), &row, format!("[{at}.rows.{}]\nremove = true\n", quoted(&key)));
        let number = cells
            .iter()
            .zip(&columns)
            .find(|(cell, column)| matches!(cell.data, TomlValue::Int(_)) && !keys.contains(column));
        if let Some((TomlNode { data: TomlValue::Int(number), .. }, column)) = number {
            add("number cell".into(), &row, format!("[{at}.rows.{}]\n{column} = {}\n", quoted(&key), number + 1));
        }
        if n == 0 && !keys.is_empty() {
            let first = cells.iter().zip(&columns).map(|(cell, column)| match (&cell.data, keys.contains(column)) {
                (TomlValue::Text(_), true) => "\"ours\"".to_owned(),
                (TomlValue::Int(_), true) => "99".to_owned(),
                _ => written(cell),
            });
            add("add row".into(), id, format!("[{at}]\nadd.rows = [[{}]]\n", first.collect::<Vec<_>>().join(", ")));
        }
    }
}

struct Game {
    sources: Vec<Source>,
    designs: Vec<Design>,
    /// Findings and points of each sample without a layer.
    before: Vec<Vec<String>>,
}

fn store() -> &'static Store {
    static STORE: OnceLock<Store> = OnceLock::new();
    STORE.get_or_init(Store::built_in)
}

fn game(id: &str) -> Game {
    let sources = chain(id);
    let rules = Arc::new(Ruleset::load_layers(&sources).0.unwrap());
    let designs: Vec<Design> =
        folder(&format!("designs/{id}")).iter().map(|path| Design::read(&source(path)).unwrap()).collect();
    let before = designs.iter().map(|design| codes(&evaluate(&rules, design, &Ship::default()).findings)).collect();
    Game { sources, designs, before }
}

fn codes(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(|finding| finding.code.to_string()).collect()
}

/// What a finding of a design may be about when something is removed: that it uses it, or what the game's checks say of a ship
/// without it.
fn is_right(finding: &Finding, rules: &Ruleset, layer: &OneLine) -> bool {
    let (_, id) = layer.id.rsplit_once('.').unwrap_or(("", &layer.id));
    let names_it = finding.message.contains(&format!("`{id}`"));
    let of_check = rules.check_codes().any(|code| finding.code == **code);
    // A bound or a track that a number of the game does not reach; a row that is looked up and not there.
    let of_number = layer.kind.starts_with("number")
        && ["value-out-of-range", "no-such-item", "no-answer"].contains(&&*finding.code);
    let of_row = layer.kind == "remove row" && finding.code == "no-answer" && finding.message.contains("has no row");
    // An option that was the default must be chosen now.
    let of_option = layer.kind == "remove option" && finding.code == "field-without-value";
    of_check || of_number || of_row || of_option || finding.code.starts_with("unknown-") && names_it
}

fn fault(game: &Game, layer: &OneLine) -> Option<String> {
    let base = game.sources[0].file.trim_start_matches("rulesets/").trim_end_matches(".toml").to_owned();
    let header = format!(
        "[ruleset]\nid = \"our-club\"\ntitle = \"Our club\"\nversion = \"1\"\nschema = 1\nextends = \"{base}\"\n"
    );
    let mut sources = game.sources.clone();
    sources.push(Source::new("rulesets/our-club.toml", &format!("{header}{}", layer.text)));
    let (rules, findings) = Ruleset::load_layers(&sources);
    let rules = Arc::new(rules?);
    let findings: Vec<Finding> = findings.into_iter().filter(|one| one.severity < Severity::Info).collect();
    let word = layer.kind.split(' ').nth(1).unwrap_or_default();
    if layer.kind.starts_with("remove") && findings.iter().any(|one| one.code == "still-needed") {
        let needed = findings.iter().find(|one| one.code == "still-needed").unwrap();
        let says_who =
            needed.message.contains("` (") && needed.help.as_ref().is_some_and(|help| help.contains("[change."));
        return (!MAY_BE_NEEDED.contains(&word) || !says_who).then(|| format!("is refused\n{}", said(&findings)));
    }
    // A situation's least number above its default; a way of rounding that no function knows.
    let may_not_fit = ["number situation", "add option"].contains(&&*layer.kind);
    if may_not_fit && findings.iter().any(|one| one.code == "does-not-fit" && one.message.contains("` (")) {
        return None;
    }
    // A default beyond the bounds of its setting or field.
    let is_beyond = |one: &Finding| one.code == "value-out-of-range" && one.message.contains("`default` is");
    if layer.kind.starts_with("number ") && findings.iter().any(is_beyond) {
        return None;
    }
    if !findings.is_empty() {
        return Some(format!("does not load\n{}", said(&findings)));
    }
    let mut ships: Vec<Evaluation> =
        game.designs.iter().map(|design| evaluate(&rules, design, &Ship::default())).collect();
    for (ship, before) in ships.iter().zip(&game.before) {
        let mut known = before.clone();
        for finding in &ship.findings {
            if let Some(place) = known.iter().position(|code| *code == finding.code) {
                known.remove(place);
            } else if !is_right(finding, &rules, layer) {
                return Some(format!("{} has\n{}", ship.name, said(std::slice::from_ref(finding))));
            }
        }
    }
    let question = OddsQuestion { situation: default_situation(&rules.attack_rules), ..OddsQuestion::default() };
    let own_file = |finding: &&Finding| finding.at.file.as_deref() == Some(&*game.sources[0].file);
    for target in &ships[1..3] {
        if let Some(finding) = work_out(&ships[0], target, &question).findings.iter().find(own_file) {
            return Some(format!("odds of {} blame the game\n{}", ships[0].name, said(std::slice::from_ref(finding))));
        }
    }
    ships.truncate(1);
    number_counters(&mut ships);
    let sheets = rules.sheets.iter().filter_map(|sheet| Evaluation::blank(&rules, &sheet.id));
    for (blank, ships) in std::iter::once((false, ships)).chain(sheets.map(|sheet| (true, vec![sheet]))) {
        let options = SheetOptions { is_blank: blank, ..SheetOptions::default() };
        let cache = TemplateCache::new(|ids, name| store().template(ids, name));
        let (_, mut findings) = print(&SheetJob { ships: &ships, templates: &cache, options, subject: "sheets" });
        findings.extend(cache.findings());
        // Without its sheet, or the choice that its sheet hangs on, a ship has none.
        let may_lack_a_sheet = ["remove sheet", "remove field", "remove option"].contains(&&*layer.kind);
        findings.retain(|finding| !(may_lack_a_sheet && finding.code == "no-sheet"));
        if !findings.is_empty() {
            return Some(format!("{} prints with\n{}", ships[0].name, said(&findings)));
        }
    }
    None
}

#[test]
fn layers_of_one_line_load_and_print_clean() {
    let takes_all = std::env::var("ONE_LINE_LAYERS").is_ok_and(|word| word == "all");
    let mut faults: Vec<String> = Vec::new();
    for id in GAMES {
        let game = game(id);
        let root = parse(&game.sources[0].text, 0).0;
        let mut by_kind: BTreeMap<String, Vec<OneLine>> = BTreeMap::new();
        for layer in one_line_layers(&root) {
            by_kind.entry(layer.kind.clone()).or_default().push(layer);
        }
        // The everyday run takes some of what bans are about, and one of each other kind.
        let some = |(kind, layers): (String, Vec<OneLine>)| {
            let step = match takes_all {
                true => 1,
                false if ["remove system", "remove track", "remove option", "remove table"].contains(&&*kind) => 5,
                false if kind == "remove row" => 25,
                false => layers.len().max(1),
            };
            layers.into_iter().step_by(step).collect::<Vec<_>>()
        };
        let layers: Vec<OneLine> = by_kind.into_iter().flat_map(some).collect();
        assert!(layers.len() > 25, "{id}: {}", layers.len());
        let found: Vec<String> = layers
            .par_iter()
            .filter_map(|layer| fault(&game, layer).map(|fault| format!("{id}: {} {}: {fault}", layer.kind, layer.id)))
            .collect();
        faults.extend(found);
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}
