//! A folder of tokens: takes evaluated ships and what is wanted, gives the pictures, the list of them and what a table program needs
//! besides, and writes them all or none. Never replaces a file that is not its own.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use crate::library::open_templates;
use crate::store::{self, Bundle, BundleReport, Store};
use moldloft_base::finding::{Cause, Finding};
use moldloft_base::progress::Progress;
use moldloft_base::sanitize::CsvStyle;
use moldloft_drawing::scene::{Page, Scene};
use moldloft_export::export::{ExportOptions, png};
use moldloft_rules::design::FleetInfo;
use moldloft_rules::evaluate::{Evaluation, number_job};
use moldloft_sheet::sheet::{Backs, CounterJob, GameToken, TokenBacking, TokenRenderer};

use super::file_names::{FileNames, name_part};
use super::manifest::{self, ManifestEntry};
use super::{tabletop_simulator, vassal};

/// Lowest resolution in dots per inch.
pub const MIN_DPI: f32 = 30.0;
/// Highest resolution in dots per inch.
pub const MAX_DPI: f32 = 1200.0;
pub const MAX_PICTURES: usize = 20_000;
/// Largest manifest read back, in bytes.
const MAX_MANIFEST_BYTES: u64 = 64_000_000;
/// Pictures drawn before they are encoded, to limit memory.
const BATCH: usize = 256;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TabletopProgram {
    #[default]
    Plain,
    TabletopSimulator,
    /// Arranges pictures as in a module.
    Vassal,
}

impl TabletopProgram {
    pub fn id(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::TabletopSimulator => "tabletop-simulator",
            Self::Vassal => "vassal",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct TokenOptions {
    pub program: TabletopProgram,
    /// Dots per inch.
    pub dpi: f32,
    /// Address of the folder where the pictures will be published; `None` for the folder on this disk.
    pub url: Option<String>,
    /// White card, or transparent.
    pub card: TokenBacking,
    /// Of the list of tokens.
    pub csv: CsvStyle,
}

impl Default for TokenOptions {
    fn default() -> Self {
        Self {
            program: TabletopProgram::Plain,
            dpi: 300.0,
            url: None,
            card: TokenBacking::White,
            csv: CsvStyle::default(),
        }
    }
}

#[derive(Debug, Default)]
pub struct TokenFolder {
    pub files: Bundle,
    pub entries: Vec<ManifestEntry>,
    pub pictures: usize,
    pub findings: Vec<Finding>,
}

/// Makes all files of a folder that is to be at `folder`, with the counters numbered.
///
/// # Errors
/// A finding when the order cannot be carried out, or it was called off.
pub fn make_tokens(
    store: &Store,
    mut ships: Vec<Evaluation>,
    order: &TokenOptions,
    folder: &Path,
    progress: &Progress,
) -> Result<TokenFolder, Finding> {
    number_job(&mut ships);
    let ships = ships.as_slice();
    let base = picture_base_url(order, folder)?;
    if !(MIN_DPI..=MAX_DPI).contains(&order.dpi) {
        let message = format!("expected {MIN_DPI} to {MAX_DPI} dots per inch, found {}", order.dpi);
        return Err(Finding::error("not-written", message));
    }
    let templates = open_templates(store);
    let job =
        CounterJob { ships, templates: &templates, page_setup: Default::default(), backs: Backs::Duplex, copies: 1 };
    let mut tokens = TokenRenderer::new(&job, order.card);
    let list = std::mem::take(&mut tokens.tokens);
    let sides: usize = list.iter().map(|token| if has_back(ships, token) { 2 } else { 1 }).sum();
    if sides > MAX_PICTURES {
        let message = format!("cannot make {sides} pictures at a time, the limit is {MAX_PICTURES}");
        return Err(Finding::error("too-many-counters", message).help("use fewer ships at a time"));
    }
    let units = unit_names(ships);
    let mut names = FileNames::default();
    let mut made = TokenFolder::default();
    progress.begin_phase("token", list.len());
    for batch in list.chunks(BATCH) {
        if progress.is_cancelled() {
            return Err(Finding::error("not-written", "cancelled"));
        }
        let drawn: Vec<_> = batch.iter().map(|token| tokens.draw(token)).collect();
        let fronts = render_pictures(drawn.iter().map(|drawn| &drawn.front), order.dpi)?;
        let mut rear = render_pictures(drawn.iter().filter_map(|drawn| drawn.back.as_ref()), order.dpi)?.into_iter();
        for ((token, drawn), front) in batch.iter().zip(&drawn).zip(fronts) {
            progress.step();
            let mut entry = manifest_entry(&ships[token.ship], token, &units[token.ship], drawn.has_outline);
            let number = entry.number.map(|number| number.to_string()).unwrap_or_default();
            entry.file = picture_path(&names.unique_name(&[&entry.unit, &entry.token, &number]));
            made.files.push((entry.file.clone(), front));
            if let Some(back) = drawn.back.as_ref().and_then(|_| rear.next()) {
                let file = picture_path(&names.unique_name(&[&entry.unit, &entry.token, &number, "back"]));
                made.files.push((file.clone(), back));
                entry.back = Some(file);
            }
            made.entries.push(entry);
        }
    }
    made.pictures = made.files.len();
    made.findings = tokens.findings();
    match order.program {
        TabletopProgram::Plain => {}
        TabletopProgram::TabletopSimulator => {
            let name = names.unique_name(&[&saved_object_title(ships), "tabletop", "simulator"]);
            made.files
                .push((format!("{name}.json"), tabletop_simulator::saved_object(&made.entries, &base).into_bytes()));
        }
        TabletopProgram::Vassal => {
            let pieces = vassal::piece_palette(&made.entries, &saved_object_title(ships), order.dpi);
            made.files.push(("pieces.xml".to_owned(), pieces.into_bytes()));
        }
    }
    let table = String::from_utf8(manifest::manifest_csv(&made.entries)).unwrap_or_default();
    made.files.push((manifest::CSV_FILE.to_owned(), order.csv.file_bytes(&table)));
    let list = manifest::manifest_json(&made.entries, &made.files, order.program.id(), order.dpi);
    made.files.push((manifest::JSON_FILE.to_owned(), list.into_bytes()));
    Ok(made)
}

/// Writes the folder. A folder with other contents is left alone; in an earlier one, only files that nobody changed are
/// replaced.
///
/// # Errors
/// A finding with the obstacle or I/O error; either nothing has changed, or the finding states how far writing got.
pub fn write_tokens(folder: &Path, made: &TokenFolder) -> Result<BundleReport, Finding> {
    let mut known = BTreeMap::new();
    if !store::is_empty(folder)? {
        let list = store::text_in(folder, manifest::JSON_FILE, MAX_MANIFEST_BYTES);
        known = list.as_deref().and_then(manifest::known_files).ok_or_else(|| {
            let message = format!("the folder {} has other files; nothing was written", folder.display());
            Finding::caused(Cause::FileExists, message)
                .help("use -o with a folder that is new, empty, or written by an earlier run")
        })?;
    }
    store::save_bundle(folder, &made.files, &known)
}

fn has_back(ships: &[Evaluation], token: &GameToken) -> bool {
    token.counter.is_some_and(|counter| ships[token.ship].counters[counter].back.is_some())
}

fn picture_path(stem: &str) -> String {
    format!("images/{stem}.png")
}

fn render_pictures<'a>(pages: impl Iterator<Item = &'a Page>, dpi: f32) -> Result<Vec<Vec<u8>>, Finding> {
    let scene = Scene { pages: pages.cloned().collect(), ..Scene::default() };
    let options = ExportOptions::default().dpi(dpi).background(false);
    png::write(&scene, &options).map_err(|refusal| Finding::error("not-written", refusal.to_string()))
}

/// A unique key for each ship: its key in the fleet, preceded by the fleet's name if there are several.
fn unit_names(ships: &[Evaluation]) -> Vec<String> {
    let mut names = FileNames::default();
    let several = ships.iter().any(|ship| ship_fleet(ship) != ships.first().and_then(ship_fleet));
    let before = |ship: &Evaluation| ship_fleet(ship).filter(|_| several).map(|fleet| fleet.name.to_string());
    ships.iter().map(|ship| names.unique_name(&[&before(ship).unwrap_or_default(), ship_key(ship)])).collect()
}

fn ship_fleet(ship: &Evaluation) -> Option<&FleetInfo> {
    ship.ship.fleet.as_ref()
}

fn ship_key(ship: &Evaluation) -> &str {
    let of = &ship.ship;
    let own = [of.hull_number.as_deref(), of.name.as_deref()].into_iter().flatten();
    let mut all = std::iter::once(&*of.unit).chain(own).chain([&*ship.name]);
    all.find(|name| !name_part(name).is_empty()).unwrap_or("ship")
}

fn saved_object_title(ships: &[Evaluation]) -> String {
    let first = ships.first();
    let one_fleet = first.and_then(ship_fleet).filter(|one| ships.iter().all(|ship| ship_fleet(ship) == Some(*one)));
    match (one_fleet, ships) {
        (Some(fleet), _) if !fleet.name.is_empty() => fleet.name.to_string(),
        (_, [one]) => ship_key(one).to_owned(),
        _ => first.map(|ship| ship.ruleset.id.to_string()).unwrap_or_default(),
    }
}

fn manifest_entry(ship: &Evaluation, token: &GameToken, unit: &str, shaped: bool) -> ManifestEntry {
    let counter = token.counter.map(|counter| &ship.counters[counter]);
    let mm = |side: f32| (f64::from(side) * 100.0).round() / 100.0;
    let id = counter.map_or("ship", |counter| &counter.id);
    let mut label = counter.map_or("ship", |counter| &counter.label).to_owned();
    if label.is_empty() {
        label = id.to_owned();
    }
    ManifestEntry {
        file: String::new(),
        back: None,
        token: id.to_owned(),
        label,
        is_ship: token.is_ship,
        number: token.number,
        count: token.count,
        width_mm: mm(token.size.0),
        height_mm: mm(token.size.1),
        shape: if shaped { "own" } else { "rectangle" },
        unit: unit.to_owned(),
        ship: ship.ship.name.clone().unwrap_or_default(),
        class: ship.name.to_string(),
        hull_number: ship.ship.hull_number.clone().unwrap_or_default(),
        fleet: ship_fleet(ship).map(|fleet| fleet.name.to_string()).unwrap_or_default(),
        side: ship_fleet(ship).map(|fleet| fleet.side.to_string()).unwrap_or_default(),
        points: ship.points,
        ruleset: ship.ruleset.id.to_string(),
        version: ship.ruleset.version.to_string(),
    }
}

/// What precedes the pictures' names in a file of objects.
fn picture_base_url(order: &TokenOptions, folder: &Path) -> Result<String, Finding> {
    if let Some(url) = &order.url {
        let known = ["http://", "https://"]
            .iter()
            .any(|scheme| url.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme)));
        if !known || url.chars().any(|c| c.is_whitespace() || c.is_control()) {
            let message = format!("invalid address “{url}”");
            return Err(Finding::error("not-an-address", message)
                .help("use the address of the folder with the uploaded pictures, starting with https://"));
        }
        return Ok(format!("{}/", url.trim_end_matches('/')));
    }
    let full = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
    let mut base = String::from("file://");
    for part in full.join("images").iter() {
        let part = part.to_string_lossy().replace('\\', "/");
        // The root, a drive, `//server/share`.
        let _ = write!(base, "/{}", part.trim_matches('/'));
    }
    while base.contains("file:////") {
        base = base.replace("file:////", "file:///");
    }
    Ok(base + "/")
}
