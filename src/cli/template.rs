//! `moldloft template`: checks a template, or copies a game's templates.

use std::fmt::Write;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Subcommand;

use moldloft_base::finding::{Cause, Finding, Severity};
use moldloft_base::sanitize::plural;
use moldloft_base::source::Source;
use moldloft_drawing::art::Template;
use moldloft_library::library::{
    Rulesets, check_texts, check_typography, checked_templates, lost_labels, ships_of_ruleset, templates_of_ruleset,
    tracks_of_sheet,
};
use moldloft_library::store::{AssetKind, Store, make_folder, read, save_new};
use moldloft_rules::evaluate::Evaluation;
use moldloft_rules::ruleset::{Ruleset, SheetDef, SheetKind};
use moldloft_sheet::sheet::{self, DrawingSource, PanelCapacity, TemplateCache};

use super::outcome::RunOutcome;
use super::render::{self, TerminalStyle, clean};
use super::rulesets::require_ruleset;
use super::terminal::print_stdout;

#[derive(clap::Args)]
pub struct TemplateArgs {
    #[command(subcommand)]
    what: TemplateSubcommand,
}

#[derive(Subcommand)]
enum TemplateSubcommand {
    /// Check a ruleset's templates, and report how many boxes their panels can hold
    Check {
        /// A ruleset's id, or an SVG file [default: all rulesets that have templates]
        #[arg(value_name = "PATH|ID")]
        what: Option<String>,
        /// The file's ruleset [default: the name of its folder]
        #[arg(long, value_name = "ID")]
        rules: Option<String>,
    },
    /// Copy a game's templates into your own folder, to edit them in Inkscape; existing files are kept
    Copy {
        /// A ruleset's id, such as star-navy
        #[arg(value_name = "ID")]
        id: String,
        /// Parent folder of templates/ [default: the workspace, or else the current folder]
        #[arg(value_name = "FOLDER")]
        folder: Option<PathBuf>,
    },
}

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &TemplateArgs) -> Result<RunOutcome, Finding> {
    match &arguments.what {
        TemplateSubcommand::Check { what, rules } => check_templates(store, what.as_deref(), rules.as_ref()),
        TemplateSubcommand::Copy { id, folder } => copy_templates(store, id, folder.as_deref()),
    }
}

/// Copies the templates of a ruleset's sheets and counters; icons are shared by all games and not copied.
fn copy_templates(store: &Store, id: &str, folder: Option<&Path>) -> Result<RunOutcome, Finding> {
    let ruleset = require_ruleset(&Rulesets::new(store, &[])?, id)?;
    let templates = templates_of_ruleset(store, &ruleset)?;
    let folder = folder.or(store.workspace()).unwrap_or(Path::new("")).join("templates").join(id);
    let (mut out, mut kept) = (String::new(), 0);
    for (name, source) in &templates {
        let path = folder.join(name);
        make_folder(path.parent().unwrap_or(&folder))?;
        match save_new(&path, source.text.as_bytes()) {
            Ok(()) => {
                let _ = writeln!(out, "{}", clean(&path.to_string_lossy()));
            }
            Err(finding) if finding.cause == Some(Cause::FileExists) => kept += 1,
            Err(finding) => return Err(finding),
        }
    }
    let _ = match (templates.len() - kept, kept) {
        (0, 0) => writeln!(out, "{id} has no templates"),
        (copied, 0) => writeln!(out, "copied {}, used in place of the built-in ones", plural(copied, "template")),
        (copied, kept) => writeln!(out, "copied {}, kept {kept} that existed", plural(copied, "template")),
    };
    print_stdout(&out)?;
    Ok(RunOutcome::from_errors(false))
}

fn check_templates(store: &Store, what: Option<&str>, rules: Option<&String>) -> Result<RunOutcome, Finding> {
    let games = Rulesets::new(store, &[])?;
    let mut report = TemplateReport {
        files: Vec::new(),
        others: Vec::new(),
        style: TerminalStyle::for_terminal(std::io::stdout().is_terminal()),
    };
    match what {
        Some(path) if path.to_lowercase().ends_with(".svg") => {
            let path = PathBuf::from(path);
            let id = rules.cloned().or_else(|| ruleset_folder(&path)).ok_or_else(|| {
                Finding::error("unknown-ruleset", format!("unknown game for {}", path.display()))
                    .help("use --rules ID, or move the file into a folder named after the game")
            })?;
            let ruleset = require_ruleset(&games, &id)?;
            let compact = |sheet: &SheetDef| sheet::compact_form(&sheet.template);
            let is_of = |sheet: &&SheetDef| {
                path.ends_with(&*sheet.template) || compact(sheet).is_some_and(|name| path.ends_with(name))
            };
            let kind = ruleset.sheets.iter().find(is_of).map(|sheet| sheet.kind);
            let source = read(&path)?;
            let ships = ships_of_ruleset(store, &ruleset);
            report.add_template(store, &source, &ruleset, kind, &ships);
            let cache = TemplateCache::new(|ids, name| store.template(ids, name));
            let sheets = ruleset
                .sheets
                .iter()
                .flat_map(|sheet| std::iter::once(Arc::clone(&sheet.template)).chain(compact(sheet).map(Arc::from)));
            let name = sheets.chain(sheet::drawing_files(&ruleset, &cache)).find(|name| path.ends_with(&**name));
            if let Some(name) = name {
                let only = Some((&*name, &source));
                report.add_text_findings(store, &checked_templates(store, only), &ruleset, &ships, only);
            }
        }
        Some(id) => {
            let ruleset = require_ruleset(&games, id)?;
            report.add_ruleset(store, &ruleset);
        }
        None => {
            // Rulesets without sheets of their own, or layers that use their base's templates, are found by id.
            let templates = store.list_assets(AssetKind::Template);
            let own = |id: &str| templates.iter().any(|one| one.id.split('/').next() == Some(id));
            for one in store.list_assets(AssetKind::Ruleset).iter().filter(|one| own(&one.id)) {
                let ruleset = require_ruleset(&games, &one.id)?;
                report.add_ruleset(store, &ruleset);
            }
        }
    }
    print_stdout(&report.text())?;
    Ok(RunOutcome::from_errors(report.findings().any(is_error)))
}

/// `templates/wars-of-honor/ship.svg` → `wars-of-honor`.
fn ruleset_folder(path: &Path) -> Option<String> {
    let full = std::path::absolute(path).ok()?;
    full.parent()?.file_name()?.to_str().map(str::to_owned)
}

fn is_error(finding: &Finding) -> bool {
    finding.severity == Severity::Error
}

struct TemplateReport {
    files: Vec<CheckedTemplate>,
    /// Of no template that is listed.
    others: Vec<Finding>,
    style: TerminalStyle,
}

/// A template's file with what is known of it; findings about its texts on designs come last.
struct CheckedTemplate {
    file: Arc<str>,
    capacities: Vec<PanelCapacity>,
    findings: Vec<Finding>,
}

impl CheckedTemplate {
    fn verdict(&self) -> String {
        let warnings = self.findings.iter().filter(|finding| finding.severity == Severity::Warning).count();
        match (self.findings.iter().any(is_error), warnings) {
            (true, _) => "has errors".to_owned(),
            (false, 0) => "fine".to_owned(),
            (false, warnings) => plural(warnings, "warning"),
        }
    }
}

impl TemplateReport {
    /// Checks the sheets of a ruleset, the templates of its counters and boxes, and all texts on its designs.
    fn add_ruleset(&mut self, store: &Store, ruleset: &Arc<Ruleset>) {
        let ids: Vec<&str> = ruleset.templates.iter().map(|id| &**id).collect();
        let ships = ships_of_ruleset(store, ruleset);
        let templates = checked_templates(store, None);
        let sheets = templates.sheet_templates(ruleset);
        let sheets = sheets.iter().map(|sheet| (&sheet.name, Some(sheet.kind)));
        let faces = ruleset.counters.iter().flat_map(|counter| [Some(&counter.face), counter.back.as_ref()]);
        let mut seen: Vec<&Arc<str>> = Vec::new();
        for (name, kind) in sheets.chain(faces.flatten().map(|face| (face, None))) {
            if name.is_empty() || seen.contains(&name) {
                continue;
            }
            seen.push(name);
            match store.template(&ids, name) {
                Some(Ok(source)) => self.add_template(store, &source, ruleset, kind, &ships),
                Some(Err(finding)) => self.add_findings(vec![finding]),
                None => {
                    let cache = TemplateCache::new(|ids, name| store.template(ids, name));
                    cache.template(ruleset, name);
                    self.add_findings(cache.findings());
                }
            }
        }
        for (track, face) in ruleset.tracks.iter().filter_map(|track| Some((track, track.face.as_ref()?))) {
            let cache = TemplateCache::new(|ids, name| store.template(ids, name));
            let name = cache.box_template(ruleset, &track.id, face).map(|face| face.template.source.file.to_string());
            let file = name.unwrap_or_else(|| face.to_string());
            let (file, findings) = (file.into(), cache.findings());
            self.files.push(CheckedTemplate { file, capacities: Vec::new(), findings });
        }
        self.add_text_findings(store, &templates, ruleset, &ships, None);
    }

    /// Adds findings about texts that were not reported yet.
    fn add_text_findings(
        &mut self,
        store: &Store,
        templates: &TemplateCache<'_>,
        ruleset: &Arc<Ruleset>,
        ships: &[Evaluation],
        only: Option<(&str, &Source)>,
    ) {
        let mut findings = check_texts(store, templates, ruleset, ships, only);
        findings.extend(check_typography(templates, ruleset, ships, only));
        let is_missing_file = |one: &Finding| one.cause == Some(Cause::MissingTemplateFile);
        let same = |one: &Finding, known: &Finding| {
            known.code == one.code && (known.at == one.at || is_missing_file(one) && one.repeats(known))
        };
        findings.retain(|one| !self.findings().any(|known| same(one, known)));
        self.add_findings(findings);
    }

    fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.files.iter().flat_map(|file| &file.findings).chain(&self.others)
    }

    fn add_template(
        &mut self,
        store: &Store,
        source: &Source,
        ruleset: &Arc<Ruleset>,
        kind: Option<SheetKind>,
        ships: &[Evaluation],
    ) {
        let (template, mut findings) = Template::read(source);
        let mut capacities = Vec::new();
        if let Some(template) = &template {
            findings.extend(template.check());
        }
        let ids: Vec<&str> = ruleset.templates.iter().map(|id| &**id).collect();
        let below =
            |id: &&str| source.file.replace('\\', "/").rsplit_once(&format!("{id}/")).map(|(_, n)| n.to_owned());
        if let Some(name) = ids.iter().find_map(below)
            && !findings.iter().any(|finding| finding.code == "labels-lost")
        {
            findings.extend(lost_labels(&ids, &name, source, kind.is_none()));
        }
        // A counter's template is compiled with its counter, when counters are printed.
        if let (Some(template), Some(kind)) = (template, kind) {
            let has = |file: &str| store.template(&ids, file).is_some();
            let tracks = tracks_of_sheet(ships, &source.file);
            let (more, all) = sheet::check_sheet_template(&Arc::new(template), ruleset, kind, &has, tracks.as_ref());
            let is_known = |one: &Finding| findings.iter().any(|known| known.code == one.code && known.at == one.at);
            let more: Vec<_> = more.into_iter().filter(|one| !is_known(one)).collect();
            findings.extend(more);
            capacities = all;
        }
        self.files.push(CheckedTemplate { file: source.file.clone(), capacities, findings });
    }

    /// Adds findings to those of their files.
    fn add_findings(&mut self, findings: Vec<Finding>) {
        for finding in findings {
            let of_file = self.files.iter_mut().find(|file| finding.at.file.as_deref() == Some(&*file.file));
            of_file.map_or(&mut self.others, |file| &mut file.findings).push(finding);
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for file in &self.files {
            let _ = writeln!(text, "{}: {}", clean(&file.file), file.verdict());
            for capacity in &file.capacities {
                let _ = writeln!(text, "  {:<40} up to {}", clean(&capacity.label), plural(capacity.boxes, "box"));
            }
            file.findings.iter().for_each(|finding| render::render_finding(&mut text, finding, self.style));
        }
        self.others.iter().for_each(|finding| render::render_finding(&mut text, finding, self.style));
        text
    }
}
