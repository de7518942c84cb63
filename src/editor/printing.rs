//! Printing from the window: takes what the print dialog asks and the open designs, starts jobs that make the files and write them, and
//! says how it went. What is printed and written is for `press`; nothing is laid out or drawn here.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::cleaning::file_stem;
use crate::design::Design;
use crate::evaluate::{Evaluation, number};
use crate::export::{self, FORMATS, Files, Format, Lettering};
use crate::finding::Finding;
use crate::library::alone;
use crate::press::{self, CHIT_SIZE, CHIT_SIZES, MOST_COPIES, MOST_OFFSET, Order, Part, Printer, Printers, What};
use crate::progress::Progress;
use crate::ruleset::Ruleset;
use crate::sheet::{Backs, Bed, Margins, Turn};
use crate::store::Store;

use super::apply::Outside;
use super::command::{Command, Dialog};
use super::doc::Doc;
use super::packing;
use super::state::{Notice, State};

/// Dots per inch that may be asked for.
pub const DPI: (u32, u32) = (20, 1200);

/// How a player prints, remembered from one time to the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// What.
    pub what: What,
    /// The format, by the ending of its files.
    pub format: String,
    /// How pages lie on the paper.
    #[serde(flatten)]
    pub bed: Bed,
    /// The printer whose faults are made up for, by its name.
    pub printer: Option<String>,
    /// Greys instead of colours.
    pub grey: bool,
    /// Every box and letter 1.3 times as large.
    pub large_print: bool,
    /// How often each ship is printed.
    pub copies: u32,
    /// Dots per inch of a PNG.
    pub dpi: u32,
    /// Whether an SVG or PNG has no ground.
    pub transparent: bool,
    /// How an SVG holds its text.
    pub lettering: Lettering,
    /// How fronts and backs of chits come together.
    pub backs: Backs,
    /// Side of a chit in mm; `None` as the rules have it.
    pub chit: Option<u32>,
    /// Which parts of a fleet's pack; all of them when there is none.
    pub parts: BTreeSet<Part>,
    /// Fleets are printed on one side of the paper.
    pub single_sided: bool,
    /// A PDF to fill in on the screen.
    pub form: bool,
    /// Whether what was printed is opened.
    pub view: bool,
    /// The folder printed to last.
    pub folder: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            what: What::Sheets,
            format: "pdf".into(),
            bed: Bed::default(),
            printer: None,
            grey: false,
            large_print: false,
            copies: 1,
            dpi: 150,
            transparent: false,
            lettering: Lettering::Outlined,
            backs: Backs::Duplex,
            chit: None,
            parts: BTreeSet::new(),
            single_sided: false,
            form: false,
            view: true,
            folder: None,
        }
    }
}

impl Options {
    /// The format; the first there is for an ending that is none.
    pub fn format(&self) -> &'static Format {
        export::format(&self.format).unwrap_or(&FORMATS[0])
    }

    /// Brings every figure into its range.
    fn mend(&mut self) {
        self.format = self.format().extension.to_owned();
        self.copies = self.copies.clamp(1, MOST_COPIES);
        self.dpi = self.dpi.clamp(DPI.0, DPI.1);
        self.chit = self.chit.map(|side| side.clamp(CHIT_SIZES.0, CHIT_SIZES.1));
        let mend = |mm: f32| if mm.is_finite() { mm.clamp(-MOST_OFFSET, MOST_OFFSET) } else { 0.0 };
        self.bed.offset = (mend(self.bed.offset.0), mend(self.bed.offset.1));
        self.bed.margins = self.bed.margins.map(Margins::mended);
    }

    /// Names a printer: its own way of turning the paper goes with it.
    pub fn choose(&mut self, printer: Option<&Printer>) {
        self.printer = printer.map(|printer| printer.name.clone());
        self.bed.turn = printer.map_or(Turn::Long, |printer| printer.turn);
        // What was typed by hand belonged to another printer.
        self.bed.offset = (0.0, 0.0);
    }

    /// # Errors
    /// That the printer is known no more.
    fn order(&self, printers: &Printers) -> Result<Order, Finding> {
        let mut bed = self.bed;
        if let Some(name) = &self.printer {
            printers.need(name)?.on(&mut bed);
        }
        Ok(Order {
            what: self.what,
            bed,
            large_print: self.large_print && self.what != What::Counters,
            copies: if self.what.kind().is_some() { 1 } else { self.copies },
            backs: self.backs,
        })
    }

    /// How the files are written.
    pub fn files(&self) -> export::Options {
        export::Options {
            grey: self.grey,
            form: self.form && self.format == "pdf",
            lettering: self.lettering,
            dpi: self.dpi as f32,
            ground: !self.transparent,
        }
    }
}

/// What the dialog asks.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// How.
    pub options: Options,
    /// All open designs instead of the one before the player.
    pub all: bool,
    /// The file, as typed.
    pub path: String,
    /// Whether the player named the file: then no other name is proposed.
    pub named: bool,
    /// The printers that were measured.
    pub printers: Arc<Printers>,
    /// What stands in the dialog.
    pub stage: Stage,
}

/// What stands in the print dialog.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Stage {
    /// The questions.
    #[default]
    Asking,
    /// How far the work is.
    Working(Progress),
    /// Files are there already: may they be replaced?
    Exists(Arc<Made>),
    /// What was found while printing.
    Told(Arc<Told>),
}

/// Files made and not written yet.
#[derive(Debug, PartialEq)]
pub struct Made {
    /// Where they go; several are numbered.
    pub path: PathBuf,
    /// Their bytes.
    pub files: Files,
    /// `3 ships on 4 pages`.
    pub what: String,
    /// What was found.
    pub findings: Vec<Finding>,
    /// Those that are there already.
    pub there: Vec<PathBuf>,
    /// Of those, the forms that were filled in.
    pub filled: Vec<Finding>,
}

/// How it went.
#[derive(Debug, PartialEq)]
pub struct Told {
    /// `vigilant.pdf: 1 ship on 1 page`, or that nothing was printed.
    pub words: String,
    /// Whether something was written.
    pub written: bool,
    /// What was found.
    pub findings: Vec<Finding>,
}

/// What is done in the print dialog.
#[derive(Clone, Debug)]
pub enum Print {
    /// Opens it; for this, or for what was printed last.
    Open(Option<What>),
    /// The player changed something.
    Change(Box<Ask>),
    /// Prints.
    Start,
    /// Prints over the files that are there.
    Replace,
    /// Back to the questions; stops what runs.
    Back,
    /// A job made the files, or found why there are none.
    Made(Progress, Result<Arc<Made>, Arc<Told>>),
    /// A job wrote them, or could not.
    Written(Progress, Arc<Told>, PathBuf),
}

/// Carries it out.
pub fn apply(state: &mut State, print: Print, outside: &mut Outside<'_>) {
    match print {
        Print::Open(what) => open(state, what),
        Print::Change(ask) => change(state, *ask),
        Print::Start => start(state, outside),
        Print::Replace => {
            let Some(Ask { stage: Stage::Exists(made), options, .. }) = asked(state) else { return };
            let (made, options) = (Arc::clone(made), options.clone());
            write(state, made, &options, outside);
        }
        Print::Back => back(state),
        Print::Made(progress, made) => match made {
            _ if !is_awaited(state, &progress) => {}
            Err(told) => tell(state, told),
            Ok(made) if made.there.is_empty() => {
                let Some(options) = asked(state).map(|ask| ask.options.clone()) else { return };
                write(state, made, &options, outside);
            }
            Ok(made) => set(state, Stage::Exists(made)),
        },
        Print::Written(progress, told, path) => {
            if is_awaited(state, &progress) {
                written(state, told, &path, outside);
            } else {
                // The dialog was closed in the middle of it: what lies there now is said all the same.
                let why =
                    told.findings.first().filter(|_| !told.written).map(|finding| format!(" {}", finding.message));
                let text = format!("{}{}", told.words, why.unwrap_or_default());
                super::apply::tell(state, Notice { is_error: !told.written, text });
            }
        }
    }
}

/// Stops what runs: the dialog is closed.
pub fn called_off(state: &State) {
    if let Some(Ask { stage: Stage::Working(progress), .. }) = asked(state) {
        progress.cancel();
    }
}

/// What the dialog asks, if it is open.
fn asked(state: &State) -> Option<&Ask> {
    match &state.dialog {
        Some(Dialog::Print(ask)) => Some(ask),
        _ => None,
    }
}

fn set(state: &mut State, stage: Stage) {
    if let Some(Dialog::Print(ask)) = &mut state.dialog {
        ask.stage = stage;
    }
}

fn is_awaited(state: &State, progress: &Progress) -> bool {
    matches!(asked(state), Some(Ask { stage: Stage::Working(awaited), .. }) if awaited.is(progress))
}

fn open(state: &mut State, what: Option<What>) {
    if state.doc().is_none() {
        return;
    }
    let mut options = state.settings.print.clone();
    options.mend();
    // What is seen is what is printed.
    let seen = &state.settings.sheet;
    (options.bed.paper, options.grey, options.large_print) = (seen.paper, seen.grey, seen.large_print);
    let is_fleet = state.doc().is_some_and(|doc| doc.fleet().is_some());
    match what {
        Some(What::Counters) if is_fleet => options.parts = BTreeSet::from([Part::Chits]),
        Some(what) => options.what = what,
        None => {}
    }
    let (printers, told) = Printers::load(state.places.config.as_deref());
    if let Some(finding) = told {
        let help = finding.help.map(|help| format!("; {help}")).unwrap_or_default();
        super::apply::tell(state, Notice::error(format!("{}{help}", finding.message)));
    }
    if options.printer.as_ref().is_some_and(|name| printers.find(name).is_none()) {
        options.choose(None);
    }
    let printers = Arc::new(printers);
    let mut ask = Ask { options, all: false, path: String::new(), named: false, printers, stage: Stage::Asking };
    ask.path = proposed(state, &ask);
    state.dialog = Some(Dialog::Print(Box::new(ask)));
}

/// The player changed something in the dialog.
pub fn change(state: &mut State, mut ask: Ask) {
    let Some(before) = asked(state) else { return };
    let ending = Path::new(ask.path.trim()).extension().and_then(|ending| ending.to_str()).and_then(export::format);
    if ask.path != before.path
        && let Some(format) = ending
    {
        ask.options.format = format.extension.to_owned();
    }
    ask.options.mend();
    (ask.stage, ask.printers) = (before.stage.clone(), Arc::clone(&before.printers));
    ask.named |= ask.path != before.path;
    if !ask.named {
        ask.path = proposed(state, &ask);
    } else if ask.options.format != before.options.format {
        ask.path = Path::new(&ask.path).with_extension(&ask.options.format).to_string_lossy().into_owned();
    }
    let seen = &mut state.settings.sheet;
    (seen.paper, seen.grey, seen.large_print) = (ask.options.bed.paper, ask.options.grey, ask.options.large_print);
    state.settings.print = Options { folder: state.settings.print.folder.take(), ..ask.options.clone() };
    state.dialog = Some(Dialog::Print(Box::new(ask)));
}

/// `vigilant-chits.pdf` in the folder printed to last, or beside the design.
fn proposed(state: &State, ask: &Ask) -> String {
    let Some(doc) = state.doc() else { return String::new() };
    let beside = doc.path().and_then(|path| path.parent()).map(Path::to_path_buf);
    let workspace = || state.store.workspace().map(Path::to_path_buf);
    let folder = state.settings.print.folder.clone().or(beside).or_else(workspace).unwrap_or_default();
    let game = || doc.ship().map_or_else(|| doc.name(), |evaluation| evaluation.ruleset.id.to_string());
    let ships = || if ask.all && state.docs.len() > 1 { "designs".to_owned() } else { doc.name() };
    let pack = doc.fleet().map(|_| if ask.all { "battle pack".to_owned() } else { format!("{} pack", doc.name()) });
    let stem = match ask.options.what {
        What::Sheets => ships(),
        What::SheetsAndCounters => format!("{} with chits", ships()),
        What::Counters => format!("{} chits", ships()),
        What::Reference => format!("{} reference", game()),
        What::Blank => format!("{} blank", game()),
    };
    let stem = pack.unwrap_or(stem);
    let name = format!("{}.{}", file_stem(&stem, "design"), ask.options.format);
    folder.join(name).to_string_lossy().into_owned()
}

/// A design to be printed, as it is in force.
struct Ship {
    name: String,
    ready: Result<(Arc<Ruleset>, Arc<Design>), Vec<Finding>>,
    /// The sheet that the player chose for designs of this ruleset.
    sheet: Option<Arc<str>>,
}

impl Ship {
    fn of(doc: &Doc, state: &State) -> Self {
        let judged =
            doc.judged().and_then(|judged| Some((judged.evaluation.as_ref()?.ruleset.clone(), judged.design.clone())));
        let sheet = judged.as_ref().and_then(|(ruleset, _)| state.settings.sheet.sheets.get(&*ruleset.id));
        let sheet = sheet.map(|sheet| sheet.as_str().into());
        Self { name: doc.name(), ready: judged.ok_or_else(|| doc.findings().to_vec()), sheet }
    }
}

fn start(state: &mut State, outside: &mut Outside<'_>) {
    let Some(ask) = asked(state) else { return };
    if matches!(ask.stage, Stage::Working(_)) {
        return;
    }
    let (options, printers) = (ask.options.clone(), Arc::clone(&ask.printers));
    let typed = ask.path.trim();
    if typed.is_empty() {
        let finding = Finding::error("no-file", "missing file name").help("type a name or choose one with Browse…");
        return tell(
            state,
            Arc::new(Told { words: "Nothing was printed.".into(), written: false, findings: vec![finding] }),
        );
    }
    let mut path = PathBuf::from(typed);
    if path.extension().and_then(|ending| ending.to_str()).and_then(export::format).is_none() {
        // A name without an ending gets the one of the format chosen.
        path.as_mut_os_string().push(format!(".{}", options.format));
    }
    let here = state.doc();
    let all = ask.all && options.what.kind().is_none();
    let fleets = packing::fleets(state, ask.all);
    let ships: Vec<Ship> = if all {
        state.docs.iter().filter(|doc| doc.fleet().is_none()).map(|doc| Ship::of(doc, state)).collect()
    } else {
        here.map(|doc| Ship::of(doc, state)).into_iter().collect()
    };
    let store = state.store.clone();
    // What is printed of a design says nothing about packs.
    let what = if fleets.is_some() { What::Sheets } else { options.what };
    let options = Options { what, ..options };
    let progress = outside.jobs.start(move |progress| {
        let made = match (options.order(&printers), fleets) {
            (Err(finding), _) => Err(nothing(vec![finding])),
            (Ok(order), Some(fleets)) => packing::make(&store, &fleets, &options, order, path, progress),
            (Ok(order), None) => make(&store, ships, &options, &order, path, progress),
        };
        // Who called it off waits for nothing.
        (!progress.is_cancelled())
            .then(|| Command::Print(Print::Made(progress.clone(), made.map(Arc::new).map_err(Arc::new))))
    });
    set(state, Stage::Working(progress));
}

fn nothing(findings: Vec<Finding>) -> Told {
    Told { words: "Nothing was printed.".into(), written: false, findings }
}

/// Makes the files.
fn make(
    store: &Store,
    ships: Vec<Ship>,
    options: &Options,
    order: &Order,
    path: PathBuf,
    progress: &Progress,
) -> Result<Made, Told> {
    let mut findings = Vec::new();
    let ready = match options.what.kind() {
        None => evaluations(ships, options, &mut findings),
        Some(kind) => {
            let first = ships.into_iter().next().ok_or_else(|| nothing(Vec::new()))?;
            let (ruleset, _) = first.ready.map_err(nothing)?;
            let sheets = press::blank(&ruleset, kind);
            if sheets.is_empty() && options.what == What::Reference {
                findings.push(press::no_reference(&ruleset));
            }
            sheets
        }
    };
    if ready.is_empty() {
        return Err(nothing(findings));
    }
    let (mut scene, found) = press::pages(store, &ready, order, progress);
    findings.extend(found);
    if scene.pages.is_empty() {
        findings.push(press::no_page());
        return Err(nothing(findings));
    }
    let format = path.extension().and_then(|ending| ending.to_str()).and_then(export::format);
    let files = match press::files(&mut scene, format.unwrap_or_else(|| options.format()), &options.files(), progress) {
        Ok(files) => files,
        Err(finding) => {
            findings.push(finding);
            return Err(nothing(findings));
        }
    };
    let there = press::there_already(&path, files.len());
    let filled = press::filled_in(&path, files.len());
    let what = format!("{} on {}", order.what.words(ready.len()), press::many(scene.pages.len(), "page"));
    Ok(Made { path, files, what, findings, there, filled })
}

/// The designs judged, numbered together; those that cannot be are named.
fn evaluations(ships: Vec<Ship>, options: &Options, findings: &mut Vec<Finding>) -> Vec<Evaluation> {
    let mut rules: Vec<(Arc<Ruleset>, Arc<Ruleset>)> = Vec::new();
    let mut ready = Vec::with_capacity(ships.len());
    for ship in ships {
        match ship.ready {
            Ok((ruleset, design)) => {
                let known = rules.iter().find(|(own, _)| Arc::ptr_eq(own, &ruleset)).map(|(_, sized)| sized.clone());
                let sized = known.unwrap_or_else(|| {
                    let sized = sized(&ruleset, options, findings);
                    rules.push((ruleset, sized.clone()));
                    sized
                });
                ready.push(Evaluation { wanted_sheet: ship.sheet, ..alone(&sized, &design) });
            }
            Err(why) => {
                let why: Vec<String> = why.iter().take(1).map(|finding| format!(": {}", finding.message)).collect();
                findings.push(Finding::error("not-printed", format!("{} is not printed{}", ship.name, why.concat())));
            }
        }
    }
    number(&mut ready);
    ready
}

/// The ruleset with the size of chits that the player asked for.
fn sized(ruleset: &Arc<Ruleset>, options: &Options, findings: &mut Vec<Finding>) -> Arc<Ruleset> {
    let counters = matches!(options.what, What::Counters | What::SheetsAndCounters);
    let Some(side) = options.chit.filter(|_| counters) else { return Arc::clone(ruleset) };
    let mut sized = Ruleset::clone(ruleset);
    match sized.set(CHIT_SIZE, &side.to_string()) {
        Ok(()) => Arc::new(sized),
        Err(finding) => {
            let message = format!("{}: using the chit size of the ruleset: {}", ruleset.title, finding.message);
            findings.push(Finding { message, ..Finding::warning("chit-size", "") });
            Arc::clone(ruleset)
        }
    }
}

fn write(state: &mut State, made: Arc<Made>, options: &Options, outside: &mut Outside<'_>) {
    let view = options.view;
    let progress = outside.jobs.start(move |progress| {
        let names = press::names(&made.path, made.files.len());
        let told = match press::write(&made.path, &made.files, progress) {
            Ok(()) => Told { words: format!("{names}: {}", made.what), written: true, findings: made.findings.clone() },
            Err(finding) => {
                let findings = [finding].into_iter().chain(made.findings.iter().cloned()).collect();
                Told { words: format!("{names}: not everything was written."), written: false, findings }
            }
        };
        // Several pages are looked at in their folder.
        let folder = || made.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let shown = if made.files.len() == 1 { &made.path } else { folder() };
        let shown = if view { shown.to_path_buf() } else { PathBuf::new() };
        Some(Command::Print(Print::Written(progress.clone(), Arc::new(told), shown)))
    });
    if let Some(folder) = asked(state).and_then(|ask| Path::new(ask.path.trim()).parent()) {
        state.settings.print.folder = Some(folder.to_path_buf()).filter(|folder| !folder.as_os_str().is_empty());
    }
    set(state, Stage::Working(progress));
}

fn written(state: &mut State, told: Arc<Told>, shown: &Path, outside: &mut Outside<'_>) {
    if told.written
        && !shown.as_os_str().is_empty()
        && let Err(words) = outside.desk.view(shown)
    {
        let text = format!("wrote {}, but cannot open it: {words}", shown.display());
        super::apply::tell(state, Notice::error(text));
    }
    tell(state, told);
}

/// Says how it went: in a notice if all is well, in the dialog if something was found.
fn tell(state: &mut State, told: Arc<Told>) {
    if told.written && told.findings.is_empty() {
        state.dialog = None;
        super::apply::tell(state, Notice::info(told.words.clone()));
    } else {
        set(state, Stage::Told(told));
    }
}

fn back(state: &mut State) {
    called_off(state);
    set(state, Stage::Asking);
}
