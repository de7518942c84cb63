//! What the fuzz target `template` and the corpus test do with an input: read it as a template, prepare it for a game, print a ship on it,
//! and write the pages.

use std::sync::{Arc, LazyLock};

use moldloft::art::Template;
use moldloft::design::{Design, Ship};
use moldloft::evaluate::{Evaluation, evaluate};
use moldloft::export;
use moldloft::finding::Severity;
use moldloft::ruleset::{Ruleset, SheetKind};
use moldloft::sheet::{self, SheetJob, SheetOptions, TemplateCache};
use moldloft::source::Source;

static SHIP: LazyLock<Evaluation> = LazyLock::new(|| {
    let text = include_str!("../../rulesets/wars-of-honor.toml");
    let ruleset = Ruleset::load(&Source::new("wars-of-honor.toml", text)).0.map(Arc::new).expect("a ruleset");
    let text = include_str!("../../designs/wars-of-honor/petrel.toml");
    let design = Design::read(&Source::new("petrel.toml", text)).expect("a sample");
    evaluate(&ruleset, &design, &Ship::default())
});

/// Runs one input.
///
/// # Panics
/// When a promise about templates is broken.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (template, findings) = Template::read(&Source::new("input.svg", text));
    let Some(template) = template else {
        return assert!(findings.iter().any(|f| f.severity == Severity::Error), "refused, and nobody says why");
    };
    let _ = sheet::check_sheet_template(&Arc::new(template), &SHIP.ruleset, SheetKind::Design, &|_| false, None);
    let shelf = TemplateCache::new(|_, _| Some(Ok(Source::new("input.svg", text))));
    let job = SheetJob {
        ships: std::slice::from_ref(&SHIP),
        templates: &shelf,
        options: SheetOptions::default(),
        subject: "control sheets",
    };
    let (scene, _) = sheet::print(&job);
    if !scene.pages.is_empty() {
        let pdf = export::pdf::write(&scene, &export::ExportOptions::default());
        assert!(pdf.is_ok_and(|pdf| pdf.starts_with(b"%PDF-1.7")));
    }
}
