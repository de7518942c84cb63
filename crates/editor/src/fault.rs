//! A fault of the program itself (a panic): what it was, told at the next start, with unsaved work kept in drafts. And the
//! report of what is open, for the makers of the program.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::path::PathBuf;

use crate::EditorState;
use moldloft_library::exchange::{Reported, report};
use moldloft_library::store::{Store, keep_fault};

thread_local! {
    /// Where the last panic of this thread was.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Remembers where a panic was, and keeps what little is known before the window is there or outside its frames.
pub fn install_hook(drafts: Option<PathBuf>) {
    let before = std::panic::take_hook();
    let main = std::thread::current().id();
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map(Location::to_string);
        PLACE.set(place.clone());
        // Other threads run jobs, whose panics the window outlives.
        if std::thread::current().id() == main
            && let Some(folder) = &drafts
        {
            let fault = fault_text(panic.payload(), place.as_deref());
            // Whoever reads the terminal has it all the same.
            let _ = keep_fault(folder, &report_of(None, Some(&fault)));
        }
        before(panic);
    }));
}

/// Runs a part of the window; after a panic, gives what it was.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    PLACE.set(None);
    // Nothing goes on with what is half changed: the program ends.
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| fault_text(&*panic, PLACE.take().as_deref()))
}

/// `index out of bounds, at crates/editor/src/app.rs:12:3`.
fn fault_text(panic: &(dyn Any + Send), place: Option<&str>) -> String {
    let words = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let place = place.map(|place| format!(", at {place}")).unwrap_or_default();
    format!("{}{place}", words.unwrap_or("a panic without words"))
}

/// Of the current document; `fault`: what went wrong.
pub fn report_of(state: Option<&EditorState>, fault: Option<&str>) -> String {
    let store = state.map(|state| state.store.clone()).unwrap_or_else(Store::built_in);
    let doc = state.and_then(EditorState::current_doc);
    let source = doc.map(|doc| doc.to_source(doc.text()));
    let rules = doc.and_then(|doc| doc.rules_override.as_deref());
    let findings = doc.map(|doc| doc.findings().iter().collect()).unwrap_or_default();
    report(&store, &Reported { fault, source: source.as_ref(), rules, findings })
}
