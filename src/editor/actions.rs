//! Everything with a menu entry or a key, in one table: menus, keys, and the page that lists the keys are made from it.

use egui::{Key, KeyboardShortcut, Modifiers};

use crate::design::fleet::Fleet;
use crate::press::What;

use super::browse::Browsing;
use super::command::{Command, Dialog};
use super::desk::{Pick, PickKind, Picked};
use super::doc::Doc;
use super::edit::Edit;
use super::fits;
use super::fleet::choosing::For;
use super::fleet::{Mustering, edits};
use super::inspect::Inspecting;
use super::keep::Keeping;
use super::preview::{Change, View, Zoom};
use super::printing::Print;
use super::rules::{Ruling, Shown};
use super::settings::Theme;
use super::state::{Inspector, Palette, State, Tab};
use super::trading::Trading;
use crate::sheet::Paper;

/// Where an action stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Menu {
    /// Files.
    File,
    /// The text of a design.
    Edit,
    /// The window.
    View,
    /// The ship before the player.
    Ship,
    /// The fleet before the player.
    Fleet,
    /// Her sheet.
    Sheet,
    /// The rules.
    Rules,
    /// Help.
    Help,
}

impl Menu {
    /// All, in order.
    pub const ALL: [Self; 8] =
        [Self::File, Self::Edit, Self::View, Self::Ship, Self::Fleet, Self::Sheet, Self::Rules, Self::Help];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::View => "View",
            Self::Ship => "Ship",
            Self::Fleet => "Fleet",
            Self::Sheet => "Sheet",
            Self::Rules => "Rules",
            Self::Help => "Help",
        }
    }
}

/// Something that can be done.
pub struct Action {
    /// What it is called.
    pub label: &'static str,
    /// Its menu.
    pub menu: Menu,
    /// A line stands above it in its menu.
    pub apart: bool,
    /// Its keys; the first is shown.
    pub keys: &'static [KeyboardShortcut],
    /// What it does now; `None` when it cannot be done.
    pub command: fn(&State) -> Option<Command>,
    /// What it is called now, where that says more.
    pub now: Option<fn(&State) -> Option<String>>,
    /// Whether it is switched on, for actions that are.
    pub is_on: Option<fn(&State) -> bool>,
    /// Its keys mean something else while text is typed.
    pub not_typing: bool,
    /// What it is called above a fleet's table, where it stands there.
    pub bar: Option<&'static str>,
}

const fn ctrl(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND, key)
}
const fn ctrl_shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), key)
}
const fn shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::SHIFT, key)
}
const fn alt(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::ALT, key)
}
const fn plain(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::NONE, key)
}

const fn action(
    menu: Menu,
    label: &'static str,
    keys: &'static [KeyboardShortcut],
    command: fn(&State) -> Option<Command>,
) -> Action {
    Action { label, menu, apart: false, keys, command, now: None, is_on: None, not_typing: false, bar: None }
}

impl Action {
    /// With a line above it.
    const fn apart(self) -> Self {
        Self { apart: true, ..self }
    }

    /// Called so now.
    const fn called(self, now: fn(&State) -> Option<String>) -> Self {
        Self { now: Some(now), ..self }
    }

    /// What it is called now.
    pub fn label(&self, state: &State) -> String {
        self.now.and_then(|now| now(state)).unwrap_or_else(|| self.label.to_owned())
    }

    /// Whose keys are a text field's own while one has the keyboard.
    const fn not_typing(self) -> Self {
        Self { not_typing: true, ..self }
    }

    /// Which stands above a fleet's table too, called so.
    const fn on_bar(self, bar: &'static str) -> Self {
        Self { bar: Some(bar), ..self }
    }

    /// Which is on when this holds.
    const fn on(self, is_on: fn(&State) -> bool) -> Self {
        Self { is_on: Some(is_on), ..self }
    }
}

fn some(command: Command) -> Option<Command> {
    Some(command)
}

fn edit(state: &State, edit: fn(&Doc) -> Option<Edit>) -> Option<Command> {
    state.doc().and_then(edit).map(Command::Edit)
}

/// When some fits of a design are chosen.
fn chosen(state: &State, command: Command) -> Option<Command> {
    state.doc().filter(|doc| doc.judged().is_some() && !doc.selected.is_empty()).map(|_| command)
}

/// An edit of the ships chosen, when a fleet is before the player.
fn ships(state: &State, edit: fn(&Fleet, &[u32]) -> Option<Edit>) -> Option<Command> {
    let doc = state.doc()?;
    let fleet = doc.fleet()?.fleet();
    Some(&doc.selected).filter(|chosen| !chosen.is_empty()).and_then(|chosen| edit(fleet, chosen)).map(Command::Edit)
}

/// The one for fits, or the one for ships.
fn either(
    state: &State,
    of_fits: fn(&Doc) -> Option<Edit>,
    of_ships: fn(&Fleet, &[u32]) -> Option<Edit>,
) -> Option<Command> {
    edit(state, of_fits).or_else(|| ships(state, of_ships))
}

/// When the sheet of a fleet's ship is shown.
fn of_ship(state: &State, mustering: Mustering) -> Option<Command> {
    state.doc()?.fleet()?.shown_unit().map(|_| Command::Fleet(mustering))
}

/// When a fleet has rules to choose designs for.
fn choose(state: &State, what: fn(&Doc) -> Option<For>) -> Option<Command> {
    let doc = state.doc()?;
    doc.fleet()?.rules()?;
    what(doc).map(|what| Command::Fleet(Mustering::Choose(what)))
}

/// Opens the list of systems for the mount of the chosen fit, else for the first.
fn add(state: &State) -> Option<Command> {
    let evaluation = state.doc()?.evaluation()?;
    let chosen = state.doc()?.selected.first();
    let fit = evaluation.fits.iter().find(|fit| fit.placed && Some(&fit.index) == chosen).map(|fit| &fit.mount);
    let first = || evaluation.mounts.iter().find(|mount| mount.applies).map(|mount| &mount.id);
    let mount = state.doc()?.mount.as_ref().or(fit).or_else(first).map(ToString::to_string);
    let can = evaluation.ruleset.systems.iter().any(|system| !system.is_abstract);
    can.then(|| Command::Palette(Some(Palette { mount, ..Palette::default() })))
}

fn doc(state: &State, command: Command) -> Option<Command> {
    state.doc().map(|_| command)
}

/// The table.
pub static ACTIONS: &[Action] = &[
    action(Menu::File, "New…", &[ctrl(Key::N)], |_| some(Command::Browse(Browsing::New))),
    action(Menu::File, "Open…", &[ctrl(Key::O)], |state| {
        some(Command::Pick(Pick {
            title: "Open designs".into(),
            kind: PickKind::Open,
            folder: state.store.workspace().map(Into::into),
            name: None,
            endings: vec![("Designs".into(), vec!["toml".into()])],
            then: Picked::Open,
        }))
    }),
    action(Menu::File, "Open folder…", &[ctrl_shift(Key::O)], |state| some(Command::Pick(Pick::workspace(state)))),
    action(Menu::File, "Save", &[ctrl(Key::S)], |state| doc(state, Command::Save)).apart(),
    action(Menu::File, "Save as…", &[ctrl_shift(Key::S)], |state| doc(state, Command::SaveAs)),
    action(Menu::File, "Save all", &[], |state| {
        state.docs.iter().any(|doc| doc.is_changed() && doc.path().is_some()).then_some(Command::SaveAll)
    }),
    action(Menu::File, "Restore after a crash…", &[], |state| {
        (!state.keep.offers.is_empty()).then_some(Command::Keep(Keeping::Offer))
    })
    .apart(),
    action(Menu::File, "Print…", &[ctrl(Key::P)], |state| doc(state, Command::Print(Print::Open(None)))).apart(),
    action(Menu::File, "Print chits…", &[ctrl_shift(Key::P)], |state| {
        doc(state, Command::Print(Print::Open(Some(What::Counters))))
    }),
    action(Menu::File, "Close", &[ctrl(Key::W)], |state| state.doc().map(|doc| Command::Close(doc.id))).apart(),
    action(Menu::File, "Quit", &[ctrl(Key::Q)], |_| some(Command::Quit)),
    action(Menu::Edit, "Undo", &[ctrl(Key::Z)], |state| {
        state.doc().and_then(|doc| doc.history.undoes()).map(|_| Command::Undo)
    })
    .called(|state| Some(format!("Undo {}", state.doc()?.history.undoes()?))),
    action(Menu::Edit, "Redo", &[ctrl_shift(Key::Z), ctrl(Key::Y)], |state| {
        state.doc().and_then(|doc| doc.history.redoes()).map(|_| Command::Redo)
    })
    .called(|state| Some(format!("Redo {}", state.doc()?.history.redoes()?))),
    action(Menu::Edit, "Cut", &[ctrl(Key::X)], |state| chosen(state, Command::Cut)).not_typing().apart(),
    action(Menu::Edit, "Copy", &[ctrl(Key::C)], |state| chosen(state, Command::Copy)).not_typing(),
    action(Menu::Edit, "Paste", &[ctrl(Key::V)], |state| doc(state, Command::AskPaste)).not_typing(),
    action(Menu::Edit, "Duplicate", &[ctrl(Key::D)], |state| either(state, fits::duplicate, edits::duplicate))
        .not_typing(),
    action(Menu::Edit, "Delete", &[plain(Key::Delete)], |state| either(state, fits::delete, edits::remove))
        .not_typing(),
    action(Menu::Edit, "Select all", &[ctrl(Key::A)], |state| {
        let doc = state.doc()?;
        let of_design = doc.judged().map(|judged| judged.design.fits.iter().map(|fit| fit.index).collect());
        let of_fleet = || doc.fleet().map(|fleet| fleet.fleet().ships.iter().map(|ship| ship.index).collect());
        of_design.or_else(of_fleet).map(Command::Select)
    })
    .not_typing(),
    action(Menu::Ship, "Add a system…", &[plain(Key::Insert), ctrl(Key::I)], add).not_typing(),
    action(Menu::Ship, "Move up", &[alt(Key::ArrowUp)], |state| {
        either(state, |doc| fits::shift(doc, true), |fleet, ships| edits::shift(fleet, ships, true))
    })
    .not_typing()
    .apart(),
    action(Menu::Ship, "Move down", &[alt(Key::ArrowDown)], |state| {
        either(state, |doc| fits::shift(doc, false), |fleet, ships| edits::shift(fleet, ships, false))
    })
    .not_typing(),
    action(Menu::Ship, "Move to mount…", &[ctrl(Key::M)], |state| chosen(state, Command::Ask(Dialog::MoveTo)))
        .not_typing(),
    action(Menu::Ship, "Mirror selection", &[ctrl(Key::R)], |state| edit(state, fits::mirror_chosen))
        .not_typing()
        .apart(),
    action(Menu::Ship, "Mirror all mount pairs", &[ctrl_shift(Key::R)], |state| edit(state, fits::mirror_all))
        .not_typing(),
    action(Menu::Fleet, "Add ships…", &[ctrl_shift(Key::A)], |state| choose(state, |_| Some(For::Add)))
        .on_bar("+ Ships…"),
    action(Menu::Fleet, "Duplicate selected ships", &[], |state| ships(state, edits::duplicate)).on_bar("Duplicate"),
    action(Menu::Fleet, "Remove selected ships", &[], |state| ships(state, edits::remove)).on_bar("Remove"),
    action(Menu::Fleet, "Split into single ships", &[], |state| ships(state, edits::split)).on_bar("Split"),
    action(Menu::Fleet, "Next free hull number", &[ctrl_shift(Key::H)], |state| ships(state, edits::number))
        .on_bar("Next hull no."),
    action(Menu::Fleet, "Change class…", &[], |state| {
        choose(state, |doc| Some(For::Class(doc.selected.clone())).filter(|_| !doc.selected.is_empty()))
    })
    .apart(),
    action(Menu::Fleet, "Refit all ships of this class…", &[], |state| {
        choose(state, |doc| {
            let ship = doc.fleet()?.ship(*doc.selected.first()?)?;
            Some(For::Refit(ship.design.as_ref()?.text.to_string()))
        })
    })
    .on_bar("Refit class…"),
    action(Menu::Fleet, "Save class as a variant…", &[], |state| of_ship(state, Mustering::AskVariant))
        .on_bar("Variant…"),
    action(Menu::Fleet, "Edit the ship's class", &[ctrl(Key::E)], |state| of_ship(state, Mustering::EditClass))
        .on_bar("Edit class"),
    action(Menu::Fleet, "Clear damage", &[], |state| {
        let doc = state.doc()?;
        let is_hurt = doc.fleet()?.lines.iter().any(|line| line.hits > 0 && doc.selected.contains(&line.ship));
        is_hurt.then_some(Command::Fleet(Mustering::ClearDamage))
    })
    .apart(),
    action(Menu::Fleet, "Read damage from a filled form…", &[], |state| {
        state.doc()?.fleet()?;
        some(Command::Pick(Pick {
            title: "Read a filled form".into(),
            kind: PickKind::Open,
            folder: state.doc()?.path().and_then(|path| path.parent()).or(state.store.workspace()).map(Into::into),
            name: None,
            endings: vec![("Filled forms".into(), vec!["pdf".into(), "fdf".into(), "xfdf".into()])],
            then: Picked::Form,
        }))
    }),
    action(Menu::Fleet, "Copy as text", &[], |state| {
        state.doc()?.fleet().map(|_| Command::Trade(Trading::Share { designs: false }))
    })
    .apart(),
    action(Menu::Fleet, "Copy as text with classes", &[], |state| {
        state.doc()?.fleet().map(|_| Command::Trade(Trading::Share { designs: true }))
    }),
    action(Menu::Fleet, "Import a list…", &[], |_| some(Command::Ask(Dialog::ImportList { text: String::new() }))),
    action(Menu::Fleet, "Export tokens…", &[], |state| {
        state.doc().filter(|doc| doc.ship().is_some()).map(|_| Command::Trade(Trading::AskTokens))
    }),
    action(Menu::Fleet, "Damage and load", &[ctrl(Key::Num5)], |state| {
        state.doc()?.fleet().map(|_| Command::Inspect(Inspector::Ship))
    })
    .on(|state| state.inspector == Inspector::Ship),
    action(Menu::View, "Start page", &[ctrl(Key::Home)], |_| some(Command::Show(Tab::Start)))
        .on(|state| state.tab == Tab::Start)
        .not_typing(),
    action(Menu::View, "Next tab", &[ctrl(Key::PageDown), ctrl(Key::Tab)], |_| some(Command::NextTab { back: false })),
    action(Menu::View, "Previous tab", &[ctrl(Key::PageUp), ctrl_shift(Key::Tab)], |_| {
        some(Command::NextTab { back: true })
    }),
    action(Menu::View, "Library", &[ctrl(Key::L)], |_| some(Command::ToggleLibrary))
        .on(|state| state.settings.library)
        .apart(),
    action(Menu::View, "Search the library", &[ctrl(Key::F)], |_| some(Command::Browse(Browsing::Find))),
    action(Menu::View, "Findings", &[ctrl(Key::Num1)], |_| some(Command::Inspect(Inspector::Findings)))
        .on(|state| state.inspector == Inspector::Findings),
    action(Menu::View, "Explain", &[ctrl(Key::Num2)], |_| some(Command::Inspect(Inspector::Explain)))
        .on(|state| state.inspector == Inspector::Explain),
    action(Menu::View, "Compare", &[ctrl(Key::Num3)], |_| some(Command::Inspect(Inspector::Compare)))
        .on(|state| state.inspector == Inspector::Compare),
    action(Menu::View, "Rules", &[ctrl(Key::Num4)], |_| some(Command::Inspect(Inspector::Rules)))
        .on(|state| state.inspector == Inspector::Rules),
    action(Menu::View, "Larger interface", &[ctrl(Key::Plus), ctrl(Key::Equals)], |_| {
        some(Command::Scale { larger: true })
    })
    .apart(),
    action(Menu::View, "Smaller interface", &[ctrl(Key::Minus)], |_| some(Command::Scale { larger: false })),
    action(Menu::View, "Reset interface size", &[ctrl(Key::Num0)], |_| some(Command::PlainScale)),
    action(Menu::Sheet, "Sheet", &[plain(Key::F5)], |state| doc(state, Command::Sheet(Change::View(View::Sheet))))
        .on(|state| state.settings.sheet.view == View::Sheet),
    action(Menu::Sheet, "Chits", &[shift(Key::F5)], |state| doc(state, Command::Sheet(Change::View(View::Chits))))
        .on(|state| state.settings.sheet.view == View::Chits),
    action(Menu::Sheet, "Reference", &[ctrl(Key::F5)], |state| {
        doc(state, Command::Sheet(Change::View(View::Reference)))
    })
    .on(|state| state.settings.sheet.view == View::Reference),
    action(Menu::Sheet, "Blank sheet", &[ctrl_shift(Key::F5)], |state| {
        doc(state, Command::Sheet(Change::View(View::Empty)))
    })
    .on(|state| state.settings.sheet.view == View::Empty),
    action(Menu::Sheet, "Letter paper", &[ctrl_shift(Key::E)], |state| {
        let paper = if state.settings.sheet.paper == Paper::Letter { Paper::A4 } else { Paper::Letter };
        doc(state, Command::Sheet(Change::Paper(paper)))
    })
    .on(|state| state.settings.sheet.paper == Paper::Letter)
    .apart(),
    action(Menu::Sheet, "Greyscale", &[ctrl_shift(Key::G)], |state| {
        doc(state, Command::Sheet(Change::Grey(!state.settings.sheet.grey)))
    })
    .on(|state| state.settings.sheet.grey),
    action(Menu::Sheet, "Large print", &[ctrl_shift(Key::L)], |state| {
        doc(state, Command::Sheet(Change::LargePrint(!state.settings.sheet.large_print)))
    })
    .on(|state| state.settings.sheet.large_print),
    action(Menu::Sheet, "Zoom sheet out", &[plain(Key::F7)], |state| {
        doc(state, Command::Sheet(Change::Step { larger: false }))
    })
    .apart(),
    action(Menu::Sheet, "Zoom sheet in", &[shift(Key::F7)], |state| {
        doc(state, Command::Sheet(Change::Step { larger: true }))
    }),
    action(Menu::Sheet, "Fit width", &[plain(Key::F9)], |state| {
        doc(state, Command::Sheet(Change::Zoom(Zoom::FitWidth)))
    })
    .on(|state| state.settings.sheet.zoom == Zoom::FitWidth),
    action(Menu::Sheet, "Fit page", &[shift(Key::F9)], |state| doc(state, Command::Sheet(Change::Zoom(Zoom::FitPage))))
        .on(|state| state.settings.sheet.zoom == Zoom::FitPage),
    action(Menu::Sheet, "True size", &[ctrl(Key::F9)], |state| {
        doc(state, Command::Sheet(Change::Zoom(Zoom::Percent(100.0))))
    })
    .on(|state| state.settings.sheet.zoom == Zoom::Percent(100.0)),
    action(Menu::Sheet, "Calibrate screen…", &[], |_| some(Command::Ask(Dialog::Calibrate))),
    action(Menu::View, "Settings…", &[ctrl(Key::Comma)], |_| some(Command::Ask(Dialog::Settings))).apart(),
    action(Menu::View, "Light", &[], |_| some(Command::SetTheme(Theme::Light)))
        .on(|state| state.settings.theme == Theme::Light)
        .apart(),
    action(Menu::View, "Dark", &[], |_| some(Command::SetTheme(Theme::Dark)))
        .on(|state| state.settings.theme == Theme::Dark),
    action(Menu::View, "Follow system theme", &[], |_| some(Command::SetTheme(Theme::System)))
        .on(|state| state.settings.theme == Theme::System),
    action(Menu::Ship, "Next finding", &[plain(Key::F8)], |state| {
        doc(state, Command::Inspecting(Inspecting::NextFinding { back: false }))
    })
    .apart(),
    action(Menu::Ship, "Previous finding", &[shift(Key::F8)], |state| {
        doc(state, Command::Inspecting(Inspecting::NextFinding { back: true }))
    }),
    action(Menu::Ship, "Compare with a file…", &[], |state| doc(state, Command::Inspecting(Inspecting::ChooseFile))),
    action(Menu::Rules, "Check the rules", &[], |state| {
        state.rules.shown.as_ref().map(|shown| Command::Rules(Ruling::Check(shown.id.clone())))
    }),
    action(Menu::Rules, "Rules and credits", &[], |state| doc(state, Command::Inspect(Inspector::Rules))),
    action(Menu::Rules, "Try other rules…", &[], |state| doc(state, Command::Inspect(Inspector::Rules))).apart(),
    action(Menu::Rules, "Use the file's ruleset", &[], |state| {
        state.doc().and_then(|doc| doc.tried.as_ref()).map(|_| Command::Rules(Ruling::Try(None)))
    }),
    action(Menu::Rules, "Open the rules in a text editor", &[], |state| {
        state.rules.shown.as_ref().and_then(Shown::file).map(|file| Command::View(file.clone()))
    })
    .apart(),
    action(Menu::Rules, "Copy the rules into the workspace", &[], |state| {
        let shown = state.rules.shown.as_ref().filter(|shown| shown.file().is_none());
        shown.map(|shown| Command::Rules(Ruling::CopyRules(shown.id.clone())))
    }),
    action(Menu::Rules, "Copy the templates into the workspace", &[], |state| {
        state.rules.shown.as_ref().map(|shown| Command::Rules(Ruling::CopyTemplates(shown.id.clone())))
    }),
    action(Menu::Help, "Keyboard shortcuts", &[plain(Key::F1)], |_| some(Command::Ask(Dialog::Keys))),
    action(Menu::Help, "About Moldloft", &[], |_| some(Command::Ask(Dialog::About))),
];

/// The commands of the keys that were pressed in this frame; those keys are used up.
pub fn pressed(ctx: &egui::Context, state: &State) -> Vec<Command> {
    // A dialog has the keyboard for itself.
    if state.dialog.is_some() {
        return Vec::new();
    }
    let typing = ctx.text_edit_focused();
    let mut commands = if typing { Vec::new() } else { clipboard(ctx, state) };
    let actions = ACTIONS.iter().filter(|action| !(typing && action.not_typing));
    let mut keys: Vec<(&KeyboardShortcut, &Action)> =
        actions.flat_map(|action| action.keys.iter().map(move |key| (key, action))).collect();
    // Those with more modifiers first: Ctrl+Shift+Z is not Ctrl+Z.
    keys.sort_by_key(|(key, _)| std::cmp::Reverse(u8::from(key.modifiers.shift) + u8::from(key.modifiers.alt)));
    ctx.input_mut(|input| {
        let pressed = keys.iter().filter(|(key, _)| input.consume_shortcut(key));
        commands.extend(pressed.filter_map(|(_, action)| (action.command)(state)));
    });
    commands
}

/// The system's own words for cutting, copying and pasting.
fn clipboard(ctx: &egui::Context, state: &State) -> Vec<Command> {
    let Some(doc) = state.doc() else { return Vec::new() };
    let some = !doc.selected.is_empty();
    let mut commands = Vec::new();
    ctx.input_mut(|input| {
        input.events.retain(|event| {
            commands.push(match event {
                egui::Event::Copy if some => Command::Copy,
                egui::Event::Cut if some => Command::Cut,
                egui::Event::Paste(text) => Command::Paste(text.clone()),
                _ => return true,
            });
            false
        });
    });
    commands
}
