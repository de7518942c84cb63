//! Checks the typography of a game's sheets on its designs: takes a store, a ruleset and optionally one template, gives
//! findings with page and place in millimetres. Never prints.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use crate::library::template_files::beside_design;
use crate::store::Store;
use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_base::source::{Source, Span};
use moldloft_rules::evaluate::{Evaluation, number_counters};
use moldloft_rules::ruleset::{Ruleset, SheetKind};
use moldloft_sheet::sheet::typography::{
    CounterFault, SheetWords, TypographyCheck, check_counters, clashing_words, read_allowed,
};
use moldloft_sheet::sheet::{
    Backs, CheckedSheet, CounterJob, PageStorage, Paper, PreparedTemplate, SheetFault, SheetOptions, TemplateCache,
    check_sheet_typography, lay_out_counters, template_files_of,
};

/// The sheets of a paper that are tried before all others.
const FIRST_SHEETS: usize = 2;
/// The most findings about counters.
const MAX_COUNTER_FAULTS: usize = 20;
/// The most texts that a finding names.
const MAX_NAMED: usize = 3;

/// One kind of fault in one template on one paper.
struct FaultGroup {
    designs: Vec<String>,
    texts: Vec<String>,
    first: SheetFault,
    paper: &'static str,
}

/// The papers that sheets are tried on, with their names in messages.
pub fn typography_papers() -> [(&'static str, SheetOptions); 5] {
    let on =
        |paper: Paper, large_print| SheetOptions { page_setup: paper.into(), large_print, ..SheetOptions::default() };
    [
        ("A4", on(Paper::A4, false)),
        ("Letter", on(Paper::Letter, false)),
        ("A5", on(Paper::A5, false)),
        ("A4, large print", on(Paper::A4, true)),
        ("A5, large print", on(Paper::A5, true)),
    ]
}

/// The typography of all sheets of the ruleset on its designs, with templates as for [`check_texts`](super::check_texts); with
/// `only`, of one template, by its name and text.
pub fn check_typography(
    templates: &TemplateCache<'_>,
    ruleset: &Arc<Ruleset>,
    ships: &[Evaluation],
    only: Option<(&str, &Source)>,
) -> Vec<Finding> {
    let mut ships = ships.to_vec();
    number_counters(&mut ships);
    let empty = sheets_of_no_ship(ruleset);
    let empty = empty.iter().map(|(sheet, is_blank)| {
        let id = &sheet.sheet().map_or("", |sheet| &sheet.id);
        (sheet, *is_blank, if *is_blank { format!("empty {id}") } else { (*id).to_owned() })
    });
    let sheets: Vec<(&Evaluation, bool, String)> =
        ships.iter().map(|ship| (ship, false, ship.name.to_string())).chain(empty).collect();
    let mut groups: BTreeMap<(Arc<str>, TypographyCheck), FaultGroup> = BTreeMap::new();
    let mut words = SheetWords::default();
    let mut findings: Vec<Finding> = Vec::new();
    for (paper, options) in typography_papers() {
        // Of one template, only the sheets that it is used for.
        let is_used = |(ship, ..): &&(&Evaluation, bool, String)| {
            only.is_none_or(|(_, source)| template_files_of(ship, templates, &options).contains(&source.file))
        };
        let sheets: Vec<_> = sheets.iter().filter(is_used).collect();
        let check = |&&(ship, is_blank, _): &&(&Evaluation, bool, String)| {
            let mut words = SheetWords::default();
            let options = SheetOptions { is_blank, ..options };
            (check_sheet_typography(ship, templates, options, &mut words), words)
        };
        // Where the first few sheets lose boxes, the others take long to lose theirs.
        let (first, others) = sheets.split_at(sheets.len().min(FIRST_SHEETS));
        let mut laid: Vec<(CheckedSheet, SheetWords)> = first.par_iter().map(check).collect();
        if !laid.iter().any(|(checked, _)| checked.is_broken) {
            laid.par_extend(others.par_iter().map(check));
        }
        let broken = sheets.iter().zip(&laid).find(|(_, (checked, _))| checked.is_broken).map(|((_, _, name), _)| name);
        findings.extend(broken.map(|name| {
            let message =
                format!("{name}, {paper}: boxes are lost or pages too many; the typography was not checked further");
            let finding = Finding::warning("typography-not-checked", message);
            let finding = finding.help("print the sheet to see what is lost");
            finding.maybe_at(only.map(|(_, source)| source.place(Span::default())))
        }));
        for ((_, _, name), (checked, own)) in sheets.iter().zip(laid) {
            words.append(own);
            for fault in checked.faults {
                add_fault(&mut groups, name, paper, fault);
            }
        }
        if !findings.is_empty() {
            break;
        }
    }
    add_panel_titles(ruleset, templates, &mut words);
    let place_of = |file: &str| {
        let mut sheets = prepared_sheets(ruleset, templates);
        let sheet = sheets.find(|sheet| *sheet.template.source.file == *file)?;
        Some(sheet.template.source.place(Span::default()))
    };
    for sheet in prepared_sheets(ruleset, templates) {
        findings.extend(read_allowed(&sheet.template).1);
    }
    for ((file, check), group) in groups {
        let message = group.message();
        findings.push(Finding::warning(check.code(), message).help(check.help()).maybe_at(place_of(&file)));
    }
    findings.extend(check_counter_sheets(&ships, templates));
    for clash in clashing_words(&words) {
        let names: Vec<String> = clash.names.iter().map(|(name, file)| format!("“{name}” in {file}")).collect();
        let what = if clash.thing.is_empty() { "one thing".to_owned() } else { format!("`{}`", clash.thing) };
        let message = format!("{what} has {} names: {}", clash.names.len(), names.join(", "));
        let finding = Finding::warning("two-words-for-one-thing", message).help("use one of them in all templates");
        findings.push(finding.maybe_at(clash.names.last().and_then(|(_, file)| place_of(file))));
    }
    if let Some((_, source)) = only {
        findings.retain(|finding| finding.at.file.as_ref() == Some(&source.file));
    }
    findings
}

/// The empty sheets and the reference sheets of a ruleset; whether each is an empty one.
pub fn sheets_of_no_ship(ruleset: &Arc<Ruleset>) -> Vec<(Evaluation, bool)> {
    let kinds = [(SheetKind::Design, true), (SheetKind::Reference, false)];
    let of = |(kind, is_blank)| {
        let sheets = ruleset.sheets.iter().filter(move |sheet| sheet.kind == kind);
        sheets.filter_map(move |sheet| Some((Evaluation::blank(ruleset, &sheet.id)?, is_blank)))
    };
    kinds.into_iter().flat_map(of).collect()
}

/// The texts on the counters of these ships that are cut or too near to an edge.
pub fn check_counter_texts(store: &Store, ships: &[Evaluation]) -> Vec<Finding> {
    let templates = TemplateCache::new(|ids, name| store.template(ids, name)).with_beside(beside_design);
    let mut ships = ships.to_vec();
    number_counters(&mut ships);
    check_counter_sheets(&ships, &templates)
}

/// The counters of all ships on A4, each kind of fault once for each text.
fn check_counter_sheets(ships: &[Evaluation], templates: &TemplateCache<'_>) -> Vec<Finding> {
    let names: Vec<&str> = ships.iter().map(|ship| &*ship.name).collect();
    let job = CounterJob { ships, templates, page_setup: Paper::A4.into(), backs: Backs::Duplex, copies: 1 };
    let (scene, _) = lay_out_counters(&job, PageStorage::Plain, &Progress::default());
    let mut seen: Vec<(TypographyCheck, String)> = Vec::new();
    let mut findings = Vec::new();
    for (n, page) in scene.pages.iter().enumerate() {
        for CounterFault { counter, fault } in check_counters(page, &names) {
            if seen.len() >= MAX_COUNTER_FAULTS || seen.contains(&(fault.check, fault.text.clone())) {
                continue;
            }
            seen.push((fault.check, fault.text));
            let message = format!("counters, page {} of {}: {}", n + 1, scene.pages.len(), fault.message);
            let finding = Finding::warning(fault.check.code(), message).help(fault.check.help());
            let made = ships.iter().find_map(|ship| {
                let made = ship.counters.iter().find(|made| *made.id == *counter)?;
                templates.template(&ship.ruleset, &made.face)
            });
            findings.push(finding.maybe_at(made.map(|template| template.source.place(Span::default()))));
        }
    }
    findings
}

fn add_fault(
    groups: &mut BTreeMap<(Arc<str>, TypographyCheck), FaultGroup>,
    design: &str,
    paper: &'static str,
    fault: SheetFault,
) {
    let key = (Arc::clone(&fault.template), fault.fault.check);
    let text = fault.fault.text.clone();
    let group =
        groups.entry(key).or_insert_with(|| FaultGroup { designs: Vec::new(), texts: Vec::new(), first: fault, paper });
    if !group.designs.iter().any(|known| known == design) {
        group.designs.push(design.to_owned());
    }
    if !text.is_empty() && !group.texts.contains(&text) {
        group.texts.push(text);
    }
}

impl FaultGroup {
    fn message(&self) -> String {
        let name = self.designs.first().map_or("", String::as_str);
        let SheetFault { page, pages, fault, .. } = &self.first;
        let mut message = format!("{name}, {}, page {page} of {pages}: {}", self.paper, fault.message);
        if self.designs.len() > 1 {
            message.push_str(&format!("; the same kind of fault on {} designs", self.designs.len()));
        }
        let others: Vec<String> = self.texts.iter().skip(1).take(MAX_NAMED).map(|text| format!("“{text}”")).collect();
        match self.texts.len().saturating_sub(1 + others.len()) {
            _ if others.is_empty() => {}
            0 => message.push_str(&format!("; also {}", others.join(", "))),
            more => message.push_str(&format!("; also {} and {more} more texts", others.join(", "))),
        }
        message
    }
}

/// The templates of a ruleset's sheets, with their compact forms.
fn prepared_sheets<'a>(
    ruleset: &'a Arc<Ruleset>,
    templates: &'a TemplateCache<'_>,
) -> impl Iterator<Item = Arc<PreparedTemplate>> + use<'a> {
    let sheets = templates.sheet_templates(ruleset).into_iter();
    sheets.filter_map(|sheet| templates.prepared_template(ruleset, &sheet.name))
}

/// The headings of what the game's sheets show, by kind and argument.
fn add_panel_titles(ruleset: &Arc<Ruleset>, templates: &TemplateCache<'_>, words: &mut SheetWords) {
    for sheet in prepared_sheets(ruleset, templates) {
        // What a sheet shows several times is shown in parts, each with its own heading.
        let times = |label: &str| sheet.panels.iter().filter(|placed| *placed.panel.label == *label).count();
        for placed in sheet.panels.iter().filter(|placed| times(&placed.panel.label) == 1) {
            let Some(title) = placed.panel.title.as_ref().and_then(|title| title.is_literal()) else { continue };
            let mut thing: Vec<&str> = placed.panel.label.trim_start_matches("panel:").split_whitespace().collect();
            if let Some(rest) = thing.get_mut(1..) {
                rest.sort_unstable();
            }
            words.add_name(&thing.join(" "), title, &sheet.template.source.file);
        }
    }
}
