//! What a game's pages say: lays out all that a store has of the game in a language, gives every text that was asked for, the file of
//! words with what is new and what is stale, and the texts that are cut in this language alone.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use crate::library::{
    FleetInput, Language, LoadedRuleset, Rulesets, SHARED_WORDS, WINDOW_WORDS, check_counter_texts, check_texts,
    checked_templates, evaluate_fleets, open_templates, ships_of_ruleset, templates_of_ruleset, unusable_ruleset,
    words_files,
};
use crate::store::{AssetKind, Store};
use moldloft_base::allowance::Allowance;
use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_base::source::Source;
use moldloft_base::words::{WordsEntry, has_words, read_words};
use moldloft_export::export::format_for;
use moldloft_rules::design::fleet::Fleet;
use moldloft_rules::ruleset::{Ruleset, TableKind};
use moldloft_sheet::sheet::{PageSetup, Paper, compact_form};

use super::{PackOptions, PackPart, PrintKind, PrintOptions, print_fleets, print_ruleset, print_ships};

/// Every text of a game, or of the program or its window, in a language.
pub struct WordsSurvey {
    /// Of the file of words.
    pub id: String,
    /// Texts as entries have them, and whether there is one.
    pub asked: BTreeMap<String, bool>,
    /// The texts of the game's rules and templates, to find what an entry is of.
    sources: Vec<Source>,
}

/// Lays out the sheets of all designs of a game, its reference and empty sheets, its counters and the packs of its fleets. Of the program's own
/// texts (`moldloft`, `window`) those count that the program is delivered with in any language.
///
/// # Errors
/// A finding when the ruleset or a file of words cannot be used.
pub fn survey_words(store: &Store, id: &str, language: &str) -> Result<WordsSurvey, Finding> {
    if [SHARED_WORDS, WINDOW_WORDS].contains(&id) {
        return survey_program(store, id, language);
    }
    let rulesets = Rulesets::without_settings(store);
    let rulesets = rulesets.in_language(Some(Language { is_watched: true, ..Language::new(language) }));
    let ruleset = match rulesets.get(id)? {
        LoadedRuleset::Ready(ruleset, _) => ruleset,
        LoadedRuleset::Missing(finding) => return Err(finding),
        LoadedRuleset::Broken(findings) => return Err(unusable_ruleset(id, &findings)),
    };
    let progress = Progress::default();
    let fleets = fleets_of(store, &rulesets, &ruleset);
    let format = format_for("pdf");
    for paper in [Paper::A4, Paper::A5] {
        let setup = PageSetup::from(paper).two_sided(true);
        let print = |kind| PrintOptions::default().kind(kind).page_setup(setup).loads(true).rulers(true);
        print_ships(store, ships_of_ruleset(store, &ruleset), &print(PrintKind::SheetsAndCounters), &progress);
        for kind in [PrintKind::Reference, PrintKind::Blank] {
            // A game without a reference has no texts there.
            let _ = print_ruleset(store, &ruleset, &print(kind), &progress);
        }
        if let Some(format) = format {
            let parts = PackPart::ALL.into_iter().map(|(part, _)| part).collect();
            let options = PackOptions::default().print(print(PrintKind::Sheets)).parts(parts);
            print_fleets(store, &fleets, &options, format, &progress);
        }
    }
    if let Some(words) = &ruleset.words {
        for key in texts_of(store, &ruleset) {
            // Only what it asks for counts.
            let _ = if key.contains('{') { words.say_around::<&str>(&key, &[]) } else { words.say(&key) };
        }
    }
    let asked = ruleset.words.as_ref().map(|words| words.asked()).unwrap_or_default();
    let mut sources: Vec<Source> = ruleset.texts().map(|text| Source::new("", text)).collect();
    sources.extend(templates_of_ruleset(store, &ruleset)?.into_iter().map(|(_, source)| source));
    Ok(WordsSurvey { id: ruleset.id.to_string(), asked, sources })
}

fn survey_program(store: &Store, id: &str, language: &str) -> Result<WordsSurvey, Finding> {
    let entries = |store: &Store, language: &str| -> Result<Vec<WordsEntry>, Finding> {
        match store.words(id, language) {
            Some(source) => Ok(read_words(&source?).0),
            None => Ok(Vec::new()),
        }
    };
    let built_in = Store::built_in();
    let mut asked = BTreeMap::new();
    for listed in built_in.list_assets(AssetKind::Words) {
        if let Some((_, code)) = listed.id.rsplit_once('.').filter(|(of, _)| *of == id) {
            asked.extend(entries(&built_in, code)?.into_iter().map(|entry| (entry.source, false)));
        }
    }
    for entry in entries(store, language)?.into_iter().filter(|entry| !entry.text.is_empty()) {
        asked.entry(entry.source).and_modify(|found| *found = true);
    }
    Ok(WordsSurvey { id: id.to_owned(), asked, sources: Vec::new() })
}

fn fleets_of(store: &Store, rulesets: &Rulesets, ruleset: &Ruleset) -> Vec<crate::library::EvaluatedFleet> {
    let is_of = |id: &str| id.split('/').next() == Some(&*ruleset.id);
    let listed = store.list_assets(AssetKind::Fleet).into_iter().filter(|one| is_of(&one.id));
    let read = listed.filter_map(|one| {
        let fleet = Fleet::read(&one.file.read().ok()?).ok()?;
        Some(FleetInput { fleet, location: one.file })
    });
    evaluate_fleets(rulesets, read.collect(), None, &Allowance::for_job())
}

/// The texts of the rules and templates that a sheet may show, whether one of the designs has them or not.
fn texts_of(store: &Store, ruleset: &Arc<Ruleset>) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    let systems = ruleset.systems.iter().filter(|system| !system.is_abstract && !system.abbr.is_empty());
    texts.extend(systems.map(|system| system.name.to_string()));
    texts.extend(ruleset.mounts.iter().map(|mount| mount.label.to_string()));
    texts.extend(ruleset.tracks.iter().map(|track| track.label.words_key()));
    texts.extend(ruleset.counters.iter().map(|counter| counter.label.words_key()));
    for table in &ruleset.tables {
        texts.push(table.label.words_key());
        texts.extend(table.note.iter().map(|note| note.words_key()));
        if let TableKind::Rows { columns, .. } | TableKind::ForEach { columns, .. } = &table.kind {
            texts.extend(columns.iter().filter(|column| !column.hidden).map(|column| column.label.to_string()));
        }
    }
    let templates = open_templates(store);
    let names =
        ruleset.sheets.iter().flat_map(|sheet| [Some(sheet.template.to_string()), compact_form(&sheet.template)]);
    for name in names.flatten() {
        if let Some(prepared) = templates.prepared_template(ruleset, &name) {
            for slot in &prepared.texts.slots {
                texts.extend(
                    [Some(&slot.text), slot.fallback.as_ref()].into_iter().flatten().map(|text| text.words_key()),
                );
            }
            for placed in &prepared.panels {
                let panel = &placed.panel;
                let own = [&panel.title, &panel.note, &panel.small_heading].into_iter().flatten();
                texts.extend(own.map(|text| text.words_key()));
            }
        }
    }
    texts
}

impl WordsSurvey {
    /// What has no entry.
    pub fn missing(&self) -> Vec<&str> {
        self.asked.iter().filter(|(_, found)| !**found).map(|(key, _)| &**key).collect()
    }

    /// Whether nothing asks for an entry, and its words are in none of the game's files.
    pub fn is_stale(&self, entry: &WordsEntry) -> bool {
        let mut fixed = entry.source.split(['{', '}', '\n']).filter(|words| has_words(words));
        let in_files = fixed.all(|words| self.sources.iter().any(|source| source.text.contains(words.trim())));
        !self.asked.contains_key(&entry.source) && !in_files
    }
}

/// The text of a game's file of words with empty entries for what is missing and stale ones as comments; how many there are of each.
pub fn updated_words(store: &Store, survey: &WordsSurvey, language: &str) -> Result<(String, usize, usize), Finding> {
    let own = store.words(&survey.id, language).transpose()?;
    let text = own.as_ref().map_or_else(String::new, |source| source.text.to_string());
    let entries = own.as_ref().map(read_words).map_or_else(Vec::new, |(entries, _)| entries);
    let mut out = String::new();
    let (mut from, mut stale) = (0, 0);
    for entry in entries.iter().filter(|entry| survey.is_stale(entry)) {
        let (start, end) = (entry.span.start as usize, entry.span.end as usize);
        out.push_str(&text[from..start]);
        out.push_str(&format!("# stale: {}", text[start..end].replace('\n', "\n# ")));
        (from, stale) = (end, stale + 1);
    }
    out.push_str(&text[from..]);
    if !out.lines().any(|line| line.trim() == "[words]") {
        out.push_str("# Source text = text; what is empty stays as in the source.\n[words]\n");
    }
    let empty = |key: &&str| !entries.iter().any(|entry| entry.source == **key);
    let missing: Vec<&str> = survey.missing().into_iter().filter(empty).collect();
    if !out.ends_with('\n') {
        out.push('\n');
    }
    for key in &missing {
        let _ = writeln!(out, "{} = \"\" # new", toml_string(key));
    }
    Ok((out, missing.len(), stale))
}

fn toml_string(text: &str) -> String {
    let mut out = "\"".to_owned();
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            '\n' => out.push_str("\\n"),
            letter if letter.is_control() => {
                let _ = write!(out, "\\u{:04X}", letter as u32);
            }
            letter => out.push(letter),
        }
    }
    out + "\""
}

/// The findings of texts that are cut on the game's sheets and counters in a language, and not without.
///
/// # Errors
/// A finding when the ruleset or a file of words cannot be used.
pub fn wider_texts(store: &Store, id: &str, language: &str) -> Result<Vec<Finding>, Finding> {
    let found = |language: Option<Language>| -> Result<Vec<Finding>, Finding> {
        let loaded = Rulesets::without_settings(store).in_language(language).get(id)?;
        let Some(ruleset) = loaded.ruleset() else { return Ok(Vec::new()) };
        let ships = ships_of_ruleset(store, ruleset);
        let mut findings = check_texts(store, &checked_templates(store, None), ruleset, &ships, None);
        findings.extend(check_counter_texts(store, &ships));
        Ok(findings)
    };
    let plain = found(None)?;
    let is_new = |finding: &Finding| !plain.iter().any(|known| known.at == finding.at && known.code == finding.code);
    Ok(found(Some(Language::new(language)))?.into_iter().filter(is_new).collect())
}

/// The ids of games that have words in a language, without those of the program's and the window's.
pub fn games_in(store: &Store, language: &str) -> Vec<String> {
    let is_game = |id: &String| ![SHARED_WORDS, WINDOW_WORDS].contains(&&**id);
    words_files(store, language).into_iter().filter(is_game).collect()
}
