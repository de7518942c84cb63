//! A fleet and other programs: its list for a forum post, a list made into a fleet, a filled form whose boxes are ticked, tokens for programs that
//! show a table. Takes what the player asks, lets `exchange` and `form` do it, says how it went. Long work is a job.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cleaning::file_stem;
use crate::evaluate::Evaluation;
use crate::exchange::list::{Sharing, import, share};
use crate::exchange::{self, Program};
use crate::finding::{Finding, Severity};
use crate::form::{self, Form};
use crate::library::forms::mark;
use crate::press::many;
use crate::progress::Progress;
use crate::sheet::Card;
use crate::source::Source;
use crate::store::{self, Store};

use super::apply::{Outside, add, tell};
use super::command::{Command, Dialog};
use super::doc::{DocId, Origin};
use super::jobs::Jobs;
use super::state::{Notice, State};

/// What can be done.
#[derive(Clone, Debug)]
pub enum Trading {
    /// Puts the fleet's list into the clipboard.
    Share {
        /// With its classes whole, so that the text alone makes the fleet.
        designs: bool,
    },
    /// Makes a fleet of a list.
    Import(String),
    /// A form was read for this fleet, or why not.
    Read {
        /// The fleet.
        doc: DocId,
        /// What the form holds.
        form: Result<Arc<Form>, String>,
    },
    /// Asks which tokens are written.
    AskTokens,
    /// Writes them.
    Write,
}

/// Which tokens are written, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenAsk {
    /// The program they are for.
    pub program: Program,
    /// Dots per inch.
    pub dpi: u32,
    /// Ink alone, without the white card under it.
    pub clear: bool,
    /// The folder, as typed: a new or empty one.
    pub folder: String,
}

/// Carries it out.
pub fn apply(state: &mut State, trading: Trading, outside: &mut Outside<'_>) {
    match trading {
        Trading::Share { designs } => shared(state, designs),
        Trading::Import(text) => imported(state, &text),
        Trading::Read { doc, form } => match form {
            Ok(form) => ticked(state, doc, &form),
            Err(words) => tell(state, Notice::error(words)),
        },
        Trading::AskTokens => ask(state),
        Trading::Write => write(state, outside.jobs),
    }
}

fn words(finding: &Finding) -> String {
    let help = finding.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
    format!("{}{help}", finding.message)
}

fn shared(state: &mut State, designs: bool) {
    let Some(fleet) = state.doc().and_then(|doc| doc.fleet()) else { return };
    let (text, findings) = share(&fleet.mustered, Sharing { designs });
    let lines = many(text.lines().count(), "line");
    state.to_clipboard = Some(text);
    for finding in findings.iter().filter(|finding| finding.severity < Severity::Info) {
        tell(state, Notice::error(words(finding)));
    }
    tell(state, Notice::info(format!("Copied the fleet as text, {lines}")));
}

fn imported(state: &mut State, text: &str) {
    let source = Source::new("the list", text);
    let made = import(&state.store, &state.games, &source, None, Path::new("fleet.toml"));
    if made.list.ships.is_empty() {
        let text = "no ship in this list: start each ship's line with a hyphen or a count, such as 3 x Tern \"HMS Argus\", DD-12";
        return tell(state, Notice::error(text));
    }
    state.dialog = None;
    let ships: u32 = made.list.ships.iter().map(|ship| ship.count.unwrap_or(1)).sum();
    add(state, Origin::New, made.toml.into(), false);
    for finding in made.findings.iter().filter(|finding| finding.severity < Severity::Info).take(5) {
        let line = if finding.at.line > 0 { format!("line {} of the list: ", finding.at.line) } else { String::new() };
        tell(state, Notice::error(format!("{line}{}", words(finding))));
    }
    tell(state, Notice::info(format!("Imported a fleet of {}", many(ships as usize, "ship"))));
}

/// Reads a filled form for the fleet before the player.
pub fn read_form(state: &State, path: PathBuf, jobs: &Jobs) {
    let Some(doc) = state.doc().filter(|doc| doc.fleet().is_some()).map(|doc| doc.id) else { return };
    jobs.start(move |_| {
        let read = store::read_bytes(&path, form::MOST_BYTES).and_then(|bytes| form::read(&bytes));
        let form = read.map(Arc::new).map_err(|finding| format!("{}: {}", path.display(), words(&finding)));
        Some(Command::Trade(Trading::Read { doc, form }))
    });
}

/// Ticks a form's boxes in a fleet: one step, undone together.
fn ticked(state: &mut State, id: DocId, form: &Form) {
    let Some(doc) = state.docs.iter_mut().find(|doc| doc.id == id) else { return };
    let Some(fleet) = doc.fleet() else { return };
    let marked = match mark(form, &fleet.mustered, doc.text()) {
        Ok(marked) => marked,
        Err(finding) => return tell(state, Notice::error(words(&finding))),
    };
    let said: Vec<String> = marked.changes.iter().map(|change| change.ship.clone()).collect();
    let ships = many(marked.ships, "ship");
    let done = match said.len() {
        0 => format!("No change: the form and the fleet agree on the boxes of {ships}"),
        count => format!("Set boxes of {} from the form: {}", many(count, "ship"), said.join(", ")),
    };
    doc.history.seal();
    doc.replace(marked.text.into(), "set damage from a form".into(), None, &state.games);
    if matches!(doc.origin, Origin::BuiltIn(_)) && doc.is_changed() {
        doc.origin = Origin::New;
        doc.judge(&state.games);
    }
    for finding in marked.findings.iter().take(5) {
        tell(state, Notice::error(words(finding)));
    }
    tell(state, Notice::info(done));
}

fn ask(state: &mut State) {
    let Some(doc) = state.doc() else { return };
    let beside = doc.path().and_then(|path| path.parent()).map(Path::to_path_buf);
    let folder = state.settings.print.folder.clone().or(beside).or_else(|| state.store.workspace().map(Into::into));
    let name = file_stem(&format!("{} tokens", doc.name()), "tokens");
    let folder = folder.unwrap_or_default().join(name).to_string_lossy().into_owned();
    let ask = TokenAsk { program: Program::Plain, dpi: 300, clear: false, folder };
    state.dialog = Some(Dialog::Tokens(ask));
}

fn write(state: &mut State, jobs: &Jobs) {
    let Some(Dialog::Tokens(ask)) = &state.dialog else { return };
    let ask = ask.clone();
    let folder = PathBuf::from(ask.folder.trim());
    if folder.as_os_str().is_empty() {
        return tell(state, Notice::error("missing folder for the tokens; give a new or empty one"));
    }
    let Some(doc) = state.doc() else { return };
    let ships: Vec<Evaluation> = match doc.fleet() {
        Some(fleet) => fleet.mustered.units.iter().map(|unit| unit.evaluation.clone()).collect(),
        None => doc.ship().map(|ship| Evaluation::clone(ship)).into_iter().collect(),
    };
    let store = state.store.clone();
    state.dialog = None;
    tell(state, Notice::info(format!("Drawing the tokens of {}…", many(ships.len(), "ship"))));
    jobs.start(move |progress| {
        let notice = match made(&store, ships, &ask, &folder, progress) {
            Ok(text) => Notice::info(text),
            Err(finding) => Notice::error(words(&finding)),
        };
        Some(Command::Notice(notice))
    });
}

fn made(
    store: &Store,
    mut ships: Vec<Evaluation>,
    ask: &TokenAsk,
    folder: &Path,
    progress: &Progress,
) -> Result<String, Finding> {
    if ships.iter().all(|ship| ship.ship.unit.is_empty()) {
        crate::evaluate::number(&mut ships);
    }
    let card = if ask.clear { Card::None } else { Card::White };
    let dpi = (ask.dpi as f32).clamp(exchange::LEAST_DPI, exchange::MOST_DPI);
    let order = exchange::Order { program: ask.program, dpi, url: None, card };
    let made = exchange::make(store, &ships, &order, folder, progress)?;
    if made.entries.is_empty() {
        let finding = Finding::error("nothing-to-print", "these ships have no token and no counter");
        return Err(finding.help("nothing was written"));
    }
    exchange::write(folder, &made)?;
    let tokens: u32 = made.entries.iter().map(|entry| entry.count).sum();
    let (tokens, pictures) = (many(tokens as usize, "token"), many(made.pictures, "picture"));
    let found = match made.findings.len() {
        0 => String::new(),
        count => format!("; {}, listed by `moldloft tokens`", many(count, "finding")),
    };
    Ok(format!("{}: {tokens}, {pictures}{found}", folder.display()))
}
