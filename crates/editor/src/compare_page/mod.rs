//! Compares the current design or fleet with up to three others: takes what was chosen, computes the table when something
//! has changed, draws the sheets in a job, takes a part over as one edit.

pub mod model;
pub mod panel;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use moldloft_base::finding::Finding;
use moldloft_base::source::Source;
use moldloft_library::library::{self, ClassSource, EvaluatedFleet, Rulesets, check_fleet, open_templates};
use moldloft_library::print::plural;
use moldloft_library::store::FileRef;
use moldloft_rules::design::fleet::Fleet;
use moldloft_rules::design::{CustomSystem, Design, Document, DocumentEdit, TableList, TablePath};
use moldloft_rules::evaluate::{ComparedPart, DesignTable, Evaluation, compare, table_section};

pub use crate::compare_page::model::{CompareCommand, CompareTarget};
use crate::compare_page::model::{CompareKey, ComparePage, ComparedContent, ComparedDoc, FixedColumnKey, MAX_OTHERS};
use crate::panic_guard::catch_panic;
use crate::preview::{Tile, sheet_pictures, tint_differences};
use crate::value_text::to_toml_value;
use crate::{Command, Doc, DocId, Edit, EditorState, FilePick, Jobs, Notice, PickPurpose, Tab};

pub fn apply(state: &mut EditorState, command: CompareCommand) -> Vec<Command> {
    let Some(doc) = state.current_doc().filter(|doc| doc.as_ruleset().is_none()) else { return Vec::new() };
    let (id, has_saved) = (doc.id, doc.saved.is_some() && doc.is_changed());
    let folder = doc.path().and_then(|path| path.parent()).map(PathBuf::from);
    let page = state.compare_pages.pages.entry(id).or_default();
    match command {
        CompareCommand::Open => {
            page.is_open = true;
            page.taken.clear();
            if page.others.is_empty() && has_saved {
                page.others.push(CompareTarget::Saved);
            }
        }
        CompareCommand::Close => page.is_open = false,
        CompareCommand::Add(target) => add(page, target),
        CompareCommand::Remove(n) if n < page.others.len() => _ = page.others.remove(n),
        CompareCommand::Remove(_) => {}
        CompareCommand::PickFile => {
            let folder = folder.as_deref().or(state.store.workspace());
            return vec![Command::PickFile(FilePick::designs("Compare with a file", folder, PickPurpose::Compare))];
        }
        CompareCommand::Search(text) => page.search = text,
        CompareCommand::ShowAll(shows) => {
            page.shows_all = shows;
            page.taken.clear();
        }
        CompareCommand::ShowSheets(shows) => page.shows_sheets = shows,
        CompareCommand::Take { column, part } => {
            page.taken.push(part.clone());
            return take(state, id, column, &part);
        }
        CompareCommand::SheetsDrawn { doc, progress, pages } => {
            let page = state.compare_pages.pages.get_mut(&doc);
            if let Some(page) = page.filter(|page| page.drawing.as_ref().is_some_and(|job| job.is_same_work(&progress)))
            {
                page.drawing = None;
                let tiles = |images: Vec<egui::ColorImage>| images.into_iter().map(|image| Tile::new(0, Some(image)));
                page.sheets = Some(pages.into_iter().map(|images| tiles(images).collect()).collect());
            }
        }
    }
    Vec::new()
}

/// Shows the page with one more; where there is no room for it, it takes the last one's place.
fn add(page: &mut ComparePage, target: CompareTarget) {
    page.is_open = true;
    page.search.clear();
    if !page.others.contains(&target) {
        page.others.truncate(MAX_OTHERS - 1);
        page.others.push(target);
    }
}

pub fn add_file(state: &mut EditorState, path: PathBuf) {
    match state.tab {
        Tab::Doc(id) => {
            add(state.compare_pages.pages.entry(id).or_default(), CompareTarget::File(FileRef::on_disk(path)));
        }
        Tab::Start => state.notices.push(Notice::info("open a design first to compare it with the file")),
    }
}

pub fn close(state: &mut EditorState) {
    if let Tab::Doc(id) = state.tab
        && let Some(page) = state.compare_pages.pages.get_mut(&id)
    {
        page.is_open = false;
    }
}

// --- the table ---

pub fn update(state: &mut EditorState) {
    let open: Vec<DocId> = state.docs.iter().map(|doc| doc.id).collect();
    state.compare_pages.pages.retain(|id, _| open.contains(id));
    let Tab::Doc(id) = state.tab else { return };
    let Some(page) = state.compare_pages.pages.get_mut(&id).filter(|page| page.is_open) else { return };
    let Some(doc) = state.docs.iter().find(|doc| doc.id == id) else { return };
    page.others.retain(|target| !matches!(target, CompareTarget::Doc(other) if !open.contains(other)));
    let revision = |target: &CompareTarget| match target {
        CompareTarget::Doc(other) => state.docs.iter().find(|doc| doc.id == *other).map(|doc| doc.revision),
        _ => None,
    };
    let key = CompareKey {
        revision: doc.revision,
        others: page.others.iter().map(|target| (target.clone(), revision(target))).collect(),
        saved: doc.saved.clone(),
        rules_generation: state.ruleset_status.generation,
    };
    if page.key.as_ref() == Some(&key) {
        return;
    }
    page.key = Some(key);
    page.sheets = None;
    if let Some(job) = page.drawing.take() {
        job.cancel();
    }
    page.columns = vec![own_column(doc)];
    let mut fixed = std::mem::take(&mut page.fixed_columns);
    for target in &page.others {
        let column = match target {
            CompareTarget::Saved => {
                let key = FixedColumnKey::Saved(doc.saved.clone(), state.ruleset_status.generation);
                fixed_column(&mut fixed, key, || saved_column(doc, &state.rulesets))
            }
            CompareTarget::Doc(other) => match state.docs.iter().find(|doc| doc.id == *other) {
                Some(other) => own_column(other),
                None => Err("It is no longer open.".to_owned()),
            },
            CompareTarget::File(file) => {
                let key = FixedColumnKey::File(file.clone(), state.ruleset_status.generation);
                fixed_column(&mut fixed, key, || file_column(file, &state.rulesets))
            }
        };
        let is_fleet = doc.as_fleet().is_some();
        page.columns.push(column.and_then(|column| {
            if column.fleet().is_some() == is_fleet {
                return Ok(column);
            }
            Err(format!("{} is {}.", column.name, if is_fleet { "not a fleet" } else { "a fleet" }))
        }));
    }
    fixed.retain(|(key, _)| page.others.iter().any(|target| key.is_of(target)));
    page.fixed_columns = fixed;
    let ready: Vec<&ComparedDoc> = page.columns.iter().flatten().collect();
    let ships: Vec<&Evaluation> = ready.iter().filter_map(|column| column.ship()).map(|ship| &**ship).collect();
    let fleets: Vec<&EvaluatedFleet> =
        ready.iter().filter_map(|column| column.fleet()).map(|(fleet, _)| &**fleet).collect();
    page.table = if page.columns.first().is_some_and(Result::is_err) {
        DesignTable::default()
    } else if fleets.is_empty() {
        compare(&ships)
    } else {
        compare_fleets(&fleets)
    };
}

/// Read and evaluated once, not at every edit of the current document.
fn fixed_column(
    known: &mut Vec<(FixedColumnKey, Result<ComparedDoc, String>)>,
    key: FixedColumnKey,
    read: impl FnOnce() -> Result<ComparedDoc, String>,
) -> Result<ComparedDoc, String> {
    if let Some((_, column)) = known.iter().find(|(other, _)| *other == key) {
        return column.clone();
    }
    let column = read();
    known.retain(|(other, _)| !other.is_same_target(&key));
    known.push((key, column.clone()));
    column
}

fn own_column(doc: &Doc) -> Result<ComparedDoc, String> {
    let wrong = || format!("{} cannot be checked yet: see its findings.", doc.name());
    let content = match doc.as_fleet() {
        Some(fleet) => ComparedContent::Fleet(fleet.evaluated.clone()),
        None => ComparedContent::Design(doc.evaluation().ok_or_else(wrong)?.clone()),
    };
    let document = doc.document().ok_or_else(wrong)?.clone();
    Ok(ComparedDoc { name: doc.name(), content, document })
}

fn saved_column(doc: &Doc, rulesets: &Rulesets) -> Result<ComparedDoc, String> {
    let saved = doc.saved.as_ref().ok_or("This was never saved: there is no saved version.")?;
    let wrong = || "The saved version cannot be checked by the current rules.".to_owned();
    let document = Document::parse(saved).map_err(|_| wrong())?;
    let name = "the saved version".to_owned();
    if doc.as_fleet().is_some() {
        let location = doc.file.clone().unwrap_or_else(|| FileRef::on_disk(doc.name()));
        let source = Source::new(doc.name(), saved);
        let fleet = check_fleet(rulesets, &source, &location).map_err(|_| wrong())?;
        return Ok(ComparedDoc { name, content: ComparedContent::Fleet(Arc::new(fleet)), document });
    }
    let ship = doc.check_text(saved, rulesets).evaluation.ok_or_else(wrong)?;
    Ok(ComparedDoc { name, content: ComparedContent::Design(Arc::new(ship)), document })
}

fn file_column(file: &FileRef, rulesets: &Rulesets) -> Result<ComparedDoc, String> {
    let wrong = |finding: Finding| format!("{file}: {}", finding.message);
    let source = file.read().map_err(wrong)?;
    let document = Document::parse(&source.text).map_err(|message| format!("{file}: {message}"))?;
    if Fleet::looks_like_fleet(&source) {
        let fleet = check_fleet(rulesets, &source, file);
        let fleet = fleet.map_err(|findings| findings.into_iter().next().map_or_else(|| file.to_string(), wrong))?;
        return Ok(ComparedDoc { name: fleet.name(), content: ComparedContent::Fleet(Arc::new(fleet)), document });
    }
    let ship = library::check_source(rulesets, &source).evaluation;
    let ship = ship.ok_or_else(|| format!("{file} cannot be checked: open it to see why."))?;
    let name = if ship.name.is_empty() { file.to_string() } else { ship.name.to_string() };
    Ok(ComparedDoc { name, content: ComparedContent::Design(Arc::new(ship)), document })
}

type Item = (String, String, String, Option<i64>);

fn compare_fleets(fleets: &[&EvaluatedFleet]) -> DesignTable {
    let all = |of: &dyn Fn(&EvaluatedFleet) -> Vec<Item>| fleets.iter().map(|fleet| of(fleet)).collect::<Vec<_>>();
    let heads = |fleet: &EvaluatedFleet| {
        let number = |label: &str, number: i64| (label.to_owned(), label.to_owned(), number.to_string(), Some(number));
        let ships = fleet.units.iter().filter(|unit| unit.carried.is_none()).count();
        let budget = fleet.fleet.budget.as_ref().map(|budget| budget.points);
        let left = fleet.points.zip(budget).map(|(points, budget)| number("left of the budget", budget - points));
        let points = fleet.points.map(|points| number("points", points));
        let budget = budget.map(|budget| number("budget", budget));
        let legal = if fleet.legal { "yes" } else { "no" };
        let legal = ("legal".to_owned(), "follows the rules".to_owned(), legal.to_owned(), None);
        points.into_iter().chain(budget).chain(left).chain([number("ships", ships as i64), legal]).collect()
    };
    let sections = vec![
        table_section("Key values", all(&heads), |_| None),
        table_section("Classes", all(&|fleet| classes(fleet, false)), |class| {
            Some(ComparedPart::Class(class.to_owned()))
        }),
        table_section("Carried", all(&|fleet| classes(fleet, true)), |_| None),
        table_section("Ships by name", all(&named_ships), |_| None),
    ];
    DesignTable { sections: sections.into_iter().filter(|section| !section.rows.is_empty()).collect() }
}

/// `2 × 310 points` of each class.
fn classes(fleet: &EvaluatedFleet, carried: bool) -> Vec<Item> {
    let mut counts: BTreeMap<&str, (i64, Option<i64>)> = BTreeMap::new();
    for unit in fleet.units.iter().filter(|unit| unit.carried.is_some() == carried) {
        let count = counts.entry(&unit.evaluation.name).or_insert((0, unit.evaluation.points));
        count.0 += 1;
    }
    let item = |(name, (count, points)): (&str, (i64, Option<i64>))| {
        let points = points.map(|points| format!(" × {}", plural(points, "point"))).unwrap_or_default();
        (name.to_owned(), name.to_owned(), format!("{count}{points}"), Some(count))
    };
    counts.into_iter().map(item).collect()
}

fn named_ships(fleet: &EvaluatedFleet) -> Vec<Item> {
    let ships = fleet.units.iter().filter(|unit| unit.carried.is_none()).filter_map(|unit| {
        let name = unit.evaluation.ship.name.as_deref()?;
        let hull = unit.evaluation.ship.hull_number.as_deref().map(|hull| format!(" · {hull}")).unwrap_or_default();
        Some((name.to_owned(), name.to_owned(), format!("{}{hull}", unit.evaluation.name), None))
    });
    ships.collect()
}

// --- sheets ---

pub fn start_drawing_if_needed(state: &mut EditorState, jobs: &Jobs) {
    let Tab::Doc(id) = state.tab else { return };
    let Some(page) = state.compare_pages.pages.get_mut(&id).filter(|page| page.is_open && page.shows_sheets) else {
        return;
    };
    if page.sheets.is_some() || page.drawing.is_some() {
        return;
    }
    let ships: Vec<Arc<Evaluation>> =
        page.columns.iter().flatten().filter_map(|column| column.ship()).cloned().collect();
    if ships.is_empty() {
        return;
    }
    let (store, settings) = (state.store.clone(), state.settings.sheet.clone());
    page.drawing = Some(jobs.start(move |progress| {
        let pages = catch_panic(|| {
            let templates = open_templates(&store);
            let mut drawn = Vec::with_capacity(ships.len());
            for ship in ships {
                if progress.is_cancelled() {
                    return Vec::new();
                }
                drawn.push(sheet_pictures(ship, &settings, &templates));
            }
            tint_columns(drawn)
        });
        let pages = pages.unwrap_or_default();
        Some(Command::Compare(CompareCommand::SheetsDrawn { doc: id, progress: progress.clone(), pages }))
    }));
}

/// Each column where it differs from the first one; the first where it differs from the second.
fn tint_columns(drawn: Vec<Vec<egui::ColorImage>>) -> Vec<Vec<egui::ColorImage>> {
    let Some((first, others)) = drawn.split_first().filter(|(_, others)| !others.is_empty()) else { return drawn };
    let [own, _] = tint_differences(first.clone(), others[0].clone());
    let others = others.iter().map(|other| {
        let [_, tinted] = tint_differences(first.clone(), other.clone());
        tinted
    });
    std::iter::once(own).chain(others).collect()
}

// --- taking over ---

fn take(state: &mut EditorState, id: DocId, column: usize, part: &ComparedPart) -> Vec<Command> {
    let Some(page) = state.compare_pages.open_page(id) else { return Vec::new() };
    let (Some(Ok(own)), Some(Ok(other))) = (page.columns.first(), page.columns.get(column)) else { return Vec::new() };
    match edit_to_take(own, other, part) {
        Ok(Some(edit)) => vec![Command::Edit(edit)],
        Ok(None) => Vec::new(),
        Err(message) => {
            state.notify(Notice::error(message));
            Vec::new()
        }
    }
}

fn edit_to_take(own: &ComparedDoc, other: &ComparedDoc, part: &ComparedPart) -> Result<Option<Edit>, String> {
    let label = |what: &str| format!("take {what} over from {}", other.name);
    match (part, own.ship().zip(other.ship()), own.fleet().zip(other.fleet())) {
        (ComparedPart::TopKey(key), Some((_, ship)), _) => {
            let text = match *key {
                "name" => Some(ship.name.to_string()).filter(|name| !name.is_empty()),
                _ => ship.state.notes.as_ref().map(|notes| notes.to_string()),
            };
            let step = match text {
                Some(text) => DocumentEdit::set(TablePath::Top, *key, text),
                None => DocumentEdit::unset(TablePath::Top, *key),
            };
            Ok(Some(Edit::single(label(key), step)))
        }
        (ComparedPart::Field(field), Some((_, ship)), _) => {
            let source = Source::new("(compared)", other.document.text());
            let design = Design::read(&source).map_err(|_| "cannot read the other design".to_owned())?;
            let written = design.fields.iter().find(|entry| *entry.key == **field);
            let step = match written {
                Some(entry) => DocumentEdit::set(TablePath::Fields, field.clone(), to_toml_value(&entry.node.data)),
                None => DocumentEdit::unset(TablePath::Fields, field.clone()),
            };
            let known = ship.fields.iter().find(|known| *known.id == **field);
            Ok(Some(Edit::single(label(known.map_or(field, |known| &known.label)), step)))
        }
        (ComparedPart::Fits { mount, system }, Some((here, there)), _) => {
            let chosen = |ship: &Evaluation| -> Vec<usize> {
                let fits = ship.fits.iter().filter(|fit| fit.mount == *mount && *fit.system == **system);
                fits.map(|fit| fit.index as usize).collect()
            };
            let (old, new) = (chosen(here), chosen(there));
            let name = there.fits.iter().chain(&here.fits).find(|fit| *fit.system == **system);
            let name = name.map_or_else(|| system.clone(), |fit| fit.name.to_string());
            let in_mount = here.fits.iter().filter(|fit| fit.mount == *mount).map(|fit| fit.index as usize + 1).max();
            let at = old.iter().min().copied().or(in_mount).unwrap_or(usize::MAX);
            let mut steps: Vec<DocumentEdit> = Vec::new();
            let mut down = old;
            down.sort_unstable_by_key(|fit| std::cmp::Reverse(*fit));
            steps.extend(down.into_iter().map(|fit| DocumentEdit::remove(TableList::Fits, fit)));
            if !new.is_empty() {
                steps.push(DocumentEdit::Paste { text: other.document.fits_text(&new), at });
            }
            Ok(Some(Edit::from_steps(label(&name), steps)))
        }
        (ComparedPart::CustomSystem(id), Some(_), _) => {
            take_custom_system(id, own, other).map(|steps| Some(Edit::from_steps(label(id), steps)))
        }
        (ComparedPart::Class(class), _, Some(_)) => {
            take_class(class, own, other).map(|steps| Some(Edit::from_steps(label(class), steps)))
        }
        _ => Ok(None),
    }
}

/// One of the other design's own systems, in place of that of the same id.
fn take_custom_system(id: &str, own: &ComparedDoc, other: &ComparedDoc) -> Result<Vec<DocumentEdit>, String> {
    let read = |doc: &ComparedDoc| {
        Design::read(&Source::new("(compared)", doc.document.text()))
            .map_err(|_| format!("cannot read the design {}", doc.name))
    };
    let (here, there) = (read(own)?, read(other)?);
    let old = here.systems.iter().position(|system| *system.id.text == *id);
    let mut steps: Vec<DocumentEdit> = Vec::new();
    steps.extend(old.map(|at| DocumentEdit::remove(TableList::CustomSystems, at)));
    let Some(system) = there.systems.iter().find(|system| *system.id.text == *id) else { return Ok(steps) };
    let like = system.like.as_ref().ok_or_else(|| format!("cannot take {id} over: it is like no system"))?;
    // The one that it is like comes with it.
    if let Some(base) = there.systems.iter().find(|base| base.id.text == like.text && base.id.text != system.id.text)
        && !here.systems.iter().any(|known| known.id.text == base.id.text)
    {
        steps.extend(base.like.as_ref().map(|like| add_custom_system(base, &like.text)));
    }
    steps.push(add_custom_system(system, &like.text));
    Ok(steps)
}

fn add_custom_system(system: &CustomSystem, like: &str) -> DocumentEdit {
    let keys = system.keys.iter().filter(|entry| !matches!(&*entry.key, "id" | "like"));
    DocumentEdit::AddCustomSystem {
        id: system.id.text.to_string(),
        like: like.to_owned(),
        keys: keys.map(|entry| (entry.key.to_string(), to_toml_value(&entry.node.data))).collect(),
    }
}

/// The ships of a class as in the other fleet, with what they carry, their loads and their damage, and with the designs that
/// are inside its file.
fn take_class(class: &str, own: &ComparedDoc, other: &ComparedDoc) -> Result<Vec<DocumentEdit>, String> {
    let ((own_fleet, own_read), (other_fleet, other_read)) = match (own.fleet(), other.fleet()) {
        (Some(own), Some(other)) => (own, other),
        _ => return Ok(Vec::new()),
    };
    let entries = |fleet: &EvaluatedFleet| {
        let units = fleet.units.iter().filter(|unit| unit.carried.is_none() && *unit.evaluation.name == *class);
        let mut entries: Vec<usize> = units.map(|unit| unit.entry).collect();
        entries.dedup();
        entries
    };
    let (old, new) = (entries(own_fleet), entries(other_fleet));
    let mut steps: Vec<DocumentEdit> =
        old.iter().rev().map(|entry| DocumentEdit::remove(TableList::Ships, *entry)).collect();
    if new.is_empty() {
        return Ok(steps);
    }
    let text = other.document.ships_text(&new);
    let mut ships = Document::parse(&text).map_err(|_| format!("cannot copy the ships of {class}"))?;
    let mut embedded: BTreeSet<usize> = BTreeSet::new();
    for (n, entry) in new.iter().enumerate() {
        let Some(ship) = other_read.ships.get(*entry) else { continue };
        let set = |ships: &mut Document, table: TablePath, key: &str, value: Option<String>| {
            let step = match value {
                Some(value) => DocumentEdit::set(table, key, value),
                None => DocumentEdit::unset(table, key),
            };
            ships.apply(step).map(|_| ()).map_err(|finding| finding.message.to_string())
        };
        for unit in other_fleet.units.iter().filter(|unit| unit.entry == *entry && unit.copy == 1) {
            let table = match unit.carried {
                None => TablePath::Ship(n),
                Some((list, at)) => {
                    let Some(relation) = ship.carried.get(list).map(|list| list.relation.text.to_string()) else {
                        continue;
                    };
                    TablePath::Carried { ship: n, relation, at }
                }
            };
            let name = unit.evaluation.name.to_string();
            if let ClassSource::Embedded(design) = unit.class.source
                && own_read.design(&name).is_none()
            {
                embedded.insert(design);
            }
            // As this fleet names the class already, or by its name: a path is that of the other file.
            set(&mut ships, table, "design", Some(written_class(own_fleet, own_read, &name).unwrap_or(name)))?;
        }
        let has_group = |id: &str| own_read.groups.iter().any(|group| *group.id.text == *id);
        if ship.group.as_ref().is_some_and(|group| !has_group(&group.text)) {
            set(&mut ships, TablePath::Ship(n), "group", None)?;
        }
    }
    let at = old.first().copied().unwrap_or(usize::MAX);
    steps.push(DocumentEdit::PasteShips { text: ships.text().to_owned(), at });
    let ruleset = other_read.ruleset.as_ref().map_or("", |word| &*word.text);
    for design in embedded {
        let text = other.document.design_text(design, ruleset).map_err(|finding| finding.message.to_string())?;
        steps.push(DocumentEdit::EmbedDesign { text: text.into() });
    }
    Ok(steps)
}

/// How a fleet's file names a class.
fn written_class(fleet: &EvaluatedFleet, read: &Fleet, class: &str) -> Option<String> {
    let unit = fleet.units.iter().find(|unit| *unit.evaluation.name == *class)?;
    let entry = read.ships.get(unit.entry)?;
    let ship = match unit.carried {
        None => entry,
        Some((list, at)) => entry.carried.get(list)?.ships.get(at)?,
    };
    ship.design.as_ref().map(|word| word.text.to_string())
}
