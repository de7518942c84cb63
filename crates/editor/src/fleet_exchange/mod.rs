//! A fleet and other programs: shares and imports lists, reads filled forms, exports tokens. Takes commands, calls
//! `exchange` and `filled_form`, and reports the result; long work is a job.

pub mod model;
pub mod panel;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{Command, Dialog, DocId, EditorState, Jobs, Notice, message_with_help};
use moldloft_base::finding::{Finding, Severity};
use moldloft_base::progress::Progress;
use moldloft_base::sanitize::file_stem;
use moldloft_base::source::Source;
use moldloft_export::filled_form::{self, FilledForm};
use moldloft_library::exchange::list::{self, ShareOptions, write_list};
use moldloft_library::exchange::{self, TabletopProgram};
use moldloft_library::library::apply_form as apply_filled_form;
use moldloft_library::print::plural;
use moldloft_library::store::{self, Store};
use moldloft_rules::evaluate::Evaluation;
use moldloft_sheet::sheet::TokenBacking;

pub use crate::fleet_exchange::model::ExchangeCommand;
pub(crate) use crate::fleet_exchange::model::TokensDialog;

pub fn apply(state: &mut EditorState, command: ExchangeCommand, jobs: &Jobs) {
    match command {
        ExchangeCommand::ShareList { with_designs: designs } => share_list(state, designs),
        ExchangeCommand::ImportList(text) => import_as_fleet(state, &text),
        ExchangeCommand::FormRead { doc, form } => match form {
            Ok(form) => apply_form_to(state, doc, &form),
            Err(words) => state.notify(Notice::error(words)),
        },
        ExchangeCommand::OpenTokensDialog => open_tokens_dialog(state),
        ExchangeCommand::WriteTokens => write_tokens(state, jobs),
    }
}

fn share_list(state: &mut EditorState, designs: bool) {
    let Some(fleet) = state.current_doc().and_then(|doc| doc.as_fleet()) else { return };
    let (text, findings) = write_list(&fleet.evaluated, ShareOptions { designs });
    let lines = plural(text.lines().count(), "line");
    state.to_clipboard = Some(text);
    for finding in findings.iter().filter(|finding| finding.severity < Severity::Info) {
        state.notify(Notice::from_finding(finding));
    }
    state.notify(Notice::info(format!("Copied the fleet as text, {lines}")));
}

fn import_as_fleet(state: &mut EditorState, text: &str) {
    let source = Source::new("the list", text);
    let result = list::import_list(&state.store, &state.rulesets, &source, None, Path::new("fleet.toml"));
    if result.list.ships.is_empty() {
        let text = "no ship in this list: start each ship's line with a hyphen or a count, such as 3 x Tern \"HMS Argus\", DD-12";
        return state.notify(Notice::error(text));
    }
    state.dialog = None;
    let ships: u32 = result.list.ships.iter().map(|ship| ship.count.unwrap_or(1)).sum();
    state.add_doc(None, result.toml.into(), false);
    for finding in result.findings.iter().filter(|finding| finding.severity < Severity::Info).take(5) {
        let line = if finding.at.line > 0 { format!("line {} of the list: ", finding.at.line) } else { String::new() };
        state.notify(Notice::error(format!("{line}{}", message_with_help(finding))));
    }
    state.notify(Notice::info(format!("Imported a fleet of {}", plural(ships as usize, "ship"))));
}

pub fn read_form(state: &EditorState, path: PathBuf, jobs: &Jobs) {
    let Some(doc) = state.current_doc().filter(|doc| doc.as_fleet().is_some()).map(|doc| doc.id) else { return };
    jobs.start(move |_| {
        let read = store::read_bytes(&path, filled_form::MAX_BYTES).and_then(|bytes| filled_form::read(&bytes));
        let form = read.map(Arc::new).map_err(|finding| format!("{}: {}", path.display(), message_with_help(&finding)));
        Some(Command::Exchange(ExchangeCommand::FormRead { doc, form }))
    });
}

/// One undo step.
fn apply_form_to(state: &mut EditorState, id: DocId, form: &FilledForm) {
    let Some(doc) = state.docs.iter_mut().find(|doc| doc.id == id) else { return };
    let Some(fleet) = doc.as_fleet() else { return };
    let applied = match apply_filled_form(form, &fleet.evaluated, doc.text()) {
        Ok(applied) => applied,
        Err(finding) => return state.notify(Notice::from_finding(&finding)),
    };
    let names: Vec<String> = applied.changes.iter().map(|change| change.ship.clone()).collect();
    let ships = plural(applied.ships, "ship");
    let done = match names.len() {
        0 => format!("No change: the form and the fleet agree on the boxes of {ships}"),
        count => format!("Set boxes of {} from the form: {}", plural(count, "ship"), names.join(", ")),
    };
    doc.history.end_merge();
    doc.replace(applied.text.into(), "set damage from a form".into(), None, &state.rulesets);
    if doc.is_built_in() && doc.is_changed() {
        doc.file = None;
        doc.evaluate(&state.rulesets);
    }
    for finding in applied.findings.iter().take(5) {
        state.notify(Notice::from_finding(finding));
    }
    state.notify(Notice::info(done));
}

fn open_tokens_dialog(state: &mut EditorState) {
    let Some(doc) = state.current_doc() else { return };
    let beside = doc.path().and_then(|path| path.parent()).map(Path::to_path_buf);
    let folder = state.settings.print.folder.clone().or(beside).or_else(|| state.store.workspace().map(Into::into));
    let name = file_stem(&format!("{} tokens", doc.name()), "tokens");
    let folder = folder.unwrap_or_default().join(name).to_string_lossy().into_owned();
    let dialog = TokensDialog { program: TabletopProgram::Plain, dpi: 300, transparent: false, folder };
    state.dialog = Some(Dialog::Tokens(dialog));
}

fn write_tokens(state: &mut EditorState, jobs: &Jobs) {
    let Some(Dialog::Tokens(dialog)) = &state.dialog else { return };
    let dialog = dialog.clone();
    let folder = PathBuf::from(dialog.folder.trim());
    if folder.as_os_str().is_empty() {
        return state.notify(Notice::error("missing folder for the tokens; give a new or empty one"));
    }
    let Some(doc) = state.current_doc() else { return };
    let ships: Vec<Evaluation> = match doc.as_fleet() {
        Some(fleet) => fleet.evaluated.units.iter().map(|unit| unit.evaluation.clone()).collect(),
        None => doc.shown_ship().map(|ship| Evaluation::clone(ship)).into_iter().collect(),
    };
    let store = state.store.clone();
    state.dialog = None;
    state.notify(Notice::info(format!("Drawing the tokens of {}…", plural(ships.len(), "ship"))));
    jobs.start(move |progress| {
        let notice = match make_tokens(&store, ships, &dialog, &folder, progress) {
            Ok(text) => Notice::info(text),
            Err(finding) => Notice::from_finding(&finding),
        };
        Some(Command::Notify(notice))
    });
}

fn make_tokens(
    store: &Store,
    ships: Vec<Evaluation>,
    dialog: &TokensDialog,
    folder: &Path,
    progress: &Progress,
) -> Result<String, Finding> {
    let card = if dialog.transparent { TokenBacking::None } else { TokenBacking::White };
    let dpi = (dialog.dpi as f32).clamp(exchange::MIN_DPI, exchange::MAX_DPI);
    let options = exchange::TokenOptions { program: dialog.program, dpi, card, ..exchange::TokenOptions::default() };
    let result = exchange::make_tokens(store, ships, &options, folder, progress)?;
    if result.entries.is_empty() {
        let finding = Finding::error("nothing-to-print", "these ships have no token and no counter");
        return Err(finding.help("nothing was written"));
    }
    exchange::write_tokens(folder, &result)?;
    let tokens: u32 = result.entries.iter().map(|entry| entry.count).sum();
    let (tokens, pictures) = (plural(tokens as usize, "token"), plural(result.pictures, "picture"));
    let found = match result.findings.len() {
        0 => String::new(),
        count => format!("; {}, listed by `moldloft tokens`", plural(count, "finding")),
    };
    Ok(format!("{}: {tokens}, {pictures}{found}", folder.display()))
}
