//! Everything that can be done in the window, as data: what panels, keys, menus and jobs give, and `apply` carries out.

use std::path::PathBuf;
use std::sync::Arc;

use crate::evaluate::Asked;
use crate::store::Seal;

use super::browse::Browsing;
use super::chooser::{Chooser, Filing};
use super::desk::{Pick, Picked};
use super::doc::DocId;
use super::edit::Edit;
use super::fleet::Mustering;
use super::fleet::choosing::Choosing;
use super::inspect::Inspecting;
use super::keep::Keeping;
use super::mending::{Mend, Mending};
use super::preview;
use super::prices::Prices;
use super::printing::{Ask, Print};
use super::rules::Ruling;
use super::settings::Theme;
use super::state::{Inspector, Notice, Palette, Pane, Place, Tab};
use super::trading::{TokenAsk, Trading};

/// Something to be done.
#[derive(Clone, Debug)]
pub enum Command {
    // --- tabs ---
    /// Shows a tab.
    Show(Tab),
    /// Shows the next tab, or the one before.
    NextTab {
        /// To the left.
        back: bool,
    },
    /// Closes a design; asks first when it would lose something.
    Close(DocId),
    /// Closes a design, whatever it holds.
    CloseAnyway(DocId),
    /// Leaves the program; asks first when something would be lost.
    Quit,
    /// Leaves the program, whatever is open.
    QuitAnyway,

    // --- files ---
    /// Opens a design's file, or shows it when it is open.
    Open(PathBuf),
    /// Opens a built-in design by its name, such as `designs/star-navy/x.toml`.
    OpenBuiltIn(PathBuf),
    /// Opens a text that belongs to no file yet.
    OpenText {
        /// The design's text.
        text: Arc<str>,
    },
    /// Saves the design before the player; asks where if it belongs nowhere yet.
    Save,
    /// Asks where to save it.
    SaveAs,
    /// Saves it there.
    SaveTo(PathBuf),
    /// Saves all that is changed and belongs to a file.
    SaveAll,
    /// Lets the player choose a file or folder in the system's own window.
    Pick(Pick),
    /// What was chosen there; none when it was called off.
    Chosen {
        /// The files.
        paths: Vec<PathBuf>,
        /// What is done with them.
        then: Picked,
    },
    /// Chooses a file or folder in the window itself, where the system has no chooser.
    Files(Filing),
    /// Keeps the player's work safe.
    Keep(Keeping),
    /// Opens a file in the program that the system has for it.
    View(PathBuf),

    // --- looking for designs ---
    /// Something about the library.
    Browse(Browsing),

    // --- the design before the player ---
    /// Changes it.
    Edit(Edit),
    /// Undoes.
    Undo,
    /// Redoes.
    Redo,
    /// Ends a run of edits that are undone together: the keyboard left the field.
    Seal,
    /// Chooses fits, or ships of a fleet, by their place in the file.
    Select(Vec<u32>),
    /// Chooses a mount: what is added or pasted next goes there.
    ChooseMount(Arc<str>),
    /// Puts the chosen fits into the clipboard.
    Copy,
    /// Puts them there and takes them out of the design.
    Cut,
    /// Puts the fits of a text in.
    Paste(String),
    /// Asks the system for what is in its clipboard: it comes back as [`Command::Paste`].
    AskPaste,
    /// Opens the list of systems for a mount, changes what was typed there, or closes it.
    Palette(Option<Palette>),
    /// What each system would come to: from the thread that found out.
    Prices(Prices),

    // --- the fleet before the player ---
    /// Something about the fleet, beside editing its text.
    Fleet(Mustering),

    /// A fleet and other programs: lists, forms, tokens.
    Trade(Trading),

    // --- printing ---
    /// What is done in the print dialog.
    Print(Print),

    // --- the window ---
    /// Shows another part, in a window with room for one only.
    Pane(Pane),
    /// Chooses what stands below the sheet.
    Inspect(Inspector),
    /// Explains where a number comes from, or what a code means.
    Explain(Asked),
    /// Looks at something below the sheet.
    Inspecting(Inspecting),
    /// Mends all findings at once.
    Mend(Mend),
    /// Does something about rules.
    Rules(Ruling),
    /// Brings the player to a place of the form.
    GoTo(Place),
    /// The player is there.
    Arrived,
    /// Shows or hides the library beside the design.
    ToggleLibrary,
    /// Light, dark or the system's.
    SetTheme(Theme),
    /// Larger or smaller.
    Scale {
        /// Larger.
        larger: bool,
    },
    /// The plain size.
    PlainScale,
    /// Changes how sheets are shown.
    Sheet(preview::Change),
    /// The preview looks at something else.
    Look(preview::Look),
    /// A part of a sheet is drawn.
    Drawn(Box<preview::Drawn>),
    /// Opens a dialog.
    Ask(Dialog),
    /// Closes the dialog that is open.
    Dismiss,
    /// Tells something.
    Notice(Notice),
    /// What was told can go: its place in the list.
    DismissNotice(usize),
}

/// A dialog over the window.
#[derive(Clone, Debug, PartialEq)]
pub enum Dialog {
    /// Every key.
    Keys,
    /// What a player sets.
    Settings,
    /// What this program is and whom the rules are owed to.
    About,
    /// Where to save the design before the player.
    SaveAs {
        /// The path as typed.
        path: String,
    },
    /// Which mount the chosen fits are moved to.
    MoveTo,
    /// What is to be printed, and how far it is.
    Print(Box<Ask>),
    /// Closing this design would lose changes.
    CloseChanged(DocId),
    /// Leaving would lose changes.
    QuitChanged,
    /// A crash left changes that were not saved.
    Recover,
    /// A file of this name is there already.
    Replace {
        /// Which.
        path: PathBuf,
        /// What it held when this was asked.
        seal: Seal,
    },
    /// This design's file was changed by another program.
    OnDisk(DocId),
    /// What mends all findings.
    Mend(Mending),
    /// Which file or folder is meant.
    Files(Box<Chooser>),
    /// How long a millimetre is on this screen.
    Calibrate,
    /// Which designs a fleet takes.
    Choose(Box<Choosing>),
    /// A fleet's list to be read, as pasted.
    ImportList {
        /// The list.
        text: String,
    },
    /// Which tokens are written, and where.
    Tokens(TokenAsk),
    /// What a variant of a ship's class is to be called.
    Variant {
        /// The ship, by her place in the fleet's file.
        ship: u32,
        /// The name as typed.
        name: String,
    },
}
