//! An open file, a design or a fleet: its text with history, its origin and its evaluation. Takes texts and edits;
//! never writes files.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use crate::model::cost_measures::cost_measures;
use crate::model::open_ruleset::{TablesBehind, looks_like_ruleset};
use crate::{CostMeasure, Edit, History, OpenFleet, OpenRuleset};
use moldloft_base::finding::{Finding, Severity};
use moldloft_base::source::{Source, Span};
use moldloft_library::library::{self, CheckedDesign, EvaluatedFleet, ReadDesign, Rulesets};
use moldloft_library::store::{ContentHash, FileRef};
use moldloft_rules::design::fleet::Fleet;
use moldloft_rules::design::{Design, Document};
use moldloft_rules::evaluate::{Evaluation, Margin, margins};
use moldloft_rules::ruleset::Ruleset;

pub use crate::model::view::DocId;

#[derive(Clone, Debug)]
pub struct Doc {
    pub id: DocId,
    /// `None` for a new one and for a copy of a built-in one. A built-in file is read-only: the first edit makes it a copy.
    pub file: Option<FileRef>,
    /// The built-in file that it is a copy of.
    pub copied_from: Option<FileRef>,
    /// The text on disk, or as it was opened; `None` if it was never saved.
    pub saved: Option<Arc<str>>,
    /// When the file was last read or saved.
    pub disk_hash: ContentHash,
    /// Set if another program changed the file.
    pub disk_change: Option<DiskChange>,
    pub history: History,
    pub content: DocContent,
    /// Fits of a design or ships of a fleet, by index in the file.
    pub selected: Vec<u32>,
    pub selected_mount: Option<Arc<str>>,
    /// Which unit of the first selected ship is shown: its copies, each followed by what it carries.
    pub unit_index: u32,
    /// Ruleset to use instead of the one in the file.
    pub rules_override: Option<String>,
    /// Of a layer: ids of layers that are left out for a look.
    pub layers_off: BTreeSet<String>,
    /// Grows with every change of the text or its evaluation.
    pub revision: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiskChange {
    /// `None` if the file is gone or cannot be read.
    pub text: Option<Arc<str>>,
    pub hash: ContentHash,
}

#[derive(Clone, Debug)]
pub enum DocContent {
    Design(Box<OpenDesign>),
    Fleet(Box<OpenFleet>),
    /// A ruleset or a layer, also while its text cannot be read.
    Ruleset(Box<OpenRuleset>),
    /// Not TOML, or of a newer format.
    Text(Vec<Finding>),
}

#[derive(Clone, Debug)]
pub struct OpenDesign {
    pub document: Document,
    pub design: Arc<Design>,
    /// `None` if there is no usable ruleset.
    pub evaluation: Option<Arc<Evaluation>>,
    pub errors: Vec<Finding>,
    /// Computed on demand.
    pub margins: OnceLock<Vec<Margin>>,
    /// Computed on demand.
    pub measures: OnceLock<Vec<CostMeasure>>,
}

impl Doc {
    pub fn new(id: DocId, file: Option<FileRef>, text: Arc<str>, saved: bool, rulesets: &Rulesets) -> Self {
        let saved = saved.then(|| text.clone());
        let history = History::new(text);
        let mut doc = Self {
            id,
            file,
            copied_from: None,
            saved,
            disk_hash: ContentHash::Absent,
            disk_change: None,
            history,
            content: DocContent::Text(Vec::new()),
            selected: Vec::new(),
            selected_mount: None,
            unit_index: 0,
            rules_override: None,
            layers_off: BTreeSet::new(),
            revision: 0,
        };
        doc.evaluate(rulesets);
        doc
    }

    pub fn text(&self) -> &Arc<str> {
        self.history.text()
    }

    pub fn is_changed(&self) -> bool {
        self.saved.as_ref() != Some(self.text())
    }

    /// Whether closing would lose changes or a removed file.
    pub fn has_unsaved_work(&self) -> bool {
        let is_gone = self.disk_change.as_ref().is_some_and(|change| change.text.is_none());
        !self.is_built_in() && (self.is_changed() || is_gone)
    }

    pub fn is_built_in(&self) -> bool {
        self.file.as_ref().is_some_and(|file| file.built_in)
    }

    pub fn path(&self) -> Option<&PathBuf> {
        self.file.as_ref().filter(|file| !file.built_in).map(|file| &file.path)
    }

    pub fn as_design(&self) -> Option<&OpenDesign> {
        match &self.content {
            DocContent::Design(open_design) => Some(open_design),
            DocContent::Fleet(_) | DocContent::Ruleset(_) | DocContent::Text(_) => None,
        }
    }

    pub fn as_ruleset(&self) -> Option<&OpenRuleset> {
        if let DocContent::Ruleset(ruleset) = &self.content { Some(ruleset) } else { None }
    }

    pub fn as_fleet(&self) -> Option<&OpenFleet> {
        match &self.content {
            DocContent::Fleet(fleet) => Some(fleet),
            DocContent::Design(_) | DocContent::Ruleset(_) | DocContent::Text(_) => None,
        }
    }

    pub fn document(&self) -> Option<&Document> {
        match &self.content {
            DocContent::Design(open_design) => Some(&open_design.document),
            DocContent::Fleet(fleet) => Some(&fleet.document),
            DocContent::Ruleset(ruleset) => ruleset.document.as_ref(),
            DocContent::Text(_) => None,
        }
    }

    pub fn kind_name(&self) -> &'static str {
        match self.content {
            DocContent::Fleet(_) => "fleet",
            DocContent::Ruleset(_) => "ruleset",
            DocContent::Design(_) | DocContent::Text(_) => "design",
        }
    }

    pub fn ruleset_id(&self) -> Option<&Arc<str>> {
        let word = match &self.content {
            DocContent::Design(open_design) => open_design.design.ruleset.as_ref(),
            DocContent::Fleet(fleet) => fleet.fleet().ruleset.as_ref(),
            DocContent::Ruleset(_) | DocContent::Text(_) => None,
        };
        word.map(|word| &word.text)
    }

    pub fn is_parsed(&self) -> bool {
        !matches!(self.content, DocContent::Text(_))
    }

    pub fn shown_ship(&self) -> Option<&Arc<Evaluation>> {
        match &self.content {
            DocContent::Fleet(fleet) => fleet.shown_unit.as_ref().map(|(_, ship)| ship),
            _ => self.evaluation(),
        }
    }

    /// `None` if it cannot be evaluated.
    pub fn is_legal(&self) -> Option<bool> {
        match &self.content {
            DocContent::Design(open_design) => open_design.evaluation.as_ref().map(|evaluation| evaluation.legal),
            DocContent::Fleet(fleet) => fleet.rules().map(|_| fleet.evaluated.legal),
            DocContent::Ruleset(ruleset) => {
                Some(ruleset.findings.iter().all(|finding| finding.severity != Severity::Error))
            }
            DocContent::Text(_) => None,
        }
    }

    /// The rules that it is read by, or that it is.
    pub fn rules(&self) -> Option<&Arc<Ruleset>> {
        match &self.content {
            DocContent::Design(_) => self.evaluation().map(|evaluation| &evaluation.ruleset),
            DocContent::Fleet(fleet) => fleet.rules(),
            DocContent::Ruleset(ruleset) => ruleset.rules.as_ref(),
            DocContent::Text(_) => None,
        }
    }

    /// Whether a new design is still empty, so that incompleteness is not worth reporting.
    pub fn is_blank(&self) -> bool {
        let is_empty =
            self.as_design().is_some_and(|open_design| open_design.design.fits.iter().all(|fit| fit.count == 0));
        let has_systems = |rules: &Ruleset| rules.systems.iter().any(|system| !system.is_abstract);
        let fits = self.evaluation().is_some_and(|evaluation| has_systems(&evaluation.ruleset));
        let is_new = self.file.is_none() && self.saved.is_none();
        is_new && is_empty && (fits || self.history.undo_label().is_none())
    }

    pub fn evaluation(&self) -> Option<&Arc<Evaluation>> {
        self.as_design().and_then(|open_design| open_design.evaluation.as_ref())
    }

    /// What systems cost in this game; computed once for each revision.
    pub fn measures(&self) -> &[CostMeasure] {
        let Some(open) = self.as_design() else { return &[] };
        let compute =
            || open.evaluation.as_ref().map(|evaluation| cost_measures(&evaluation.ruleset)).unwrap_or_default();
        open.measures.get_or_init(compute)
    }

    /// Computed once for each revision.
    pub fn margins(&self) -> &[Margin] {
        let Some(open_design) = self.as_design() else { return &[] };
        open_design
            .margins
            .get_or_init(|| open_design.evaluation.as_ref().map(|evaluation| margins(evaluation)).unwrap_or_default())
    }

    pub fn findings(&self) -> &[Finding] {
        match &self.content {
            DocContent::Design(open_design) => {
                open_design.evaluation.as_ref().map_or(&open_design.errors, |evaluation| &evaluation.findings)
            }
            DocContent::Fleet(fleet) => &fleet.findings,
            DocContent::Ruleset(ruleset) => &ruleset.findings,
            DocContent::Text(findings) => findings,
        }
    }

    /// The class's or fleet's name, or the file's, or `Unnamed`.
    pub fn name(&self) -> String {
        let word = match &self.content {
            DocContent::Design(open_design) => open_design.design.name.as_ref(),
            DocContent::Fleet(fleet) => fleet.fleet().name.as_ref(),
            DocContent::Ruleset(ruleset) if !ruleset.title.is_empty() => return ruleset.title.clone(),
            DocContent::Ruleset(_) | DocContent::Text(_) => None,
        };
        let own = word.map(|word| word.text.trim().to_owned());
        own.filter(|name| !name.is_empty()).or_else(|| self.file_stem()).unwrap_or_else(|| "Unnamed".to_owned())
    }

    fn file_stem(&self) -> Option<String> {
        self.file.as_ref()?.path.file_stem().map(|stem| stem.to_string_lossy().into_owned())
    }

    /// Selects the fits or ships it added. False if nothing changed.
    ///
    /// # Errors
    /// Why it is not possible; nothing has changed then.
    pub fn edit(&mut self, edit: Edit, rulesets: &Rulesets) -> Result<bool, Finding> {
        let Some(document) = self.document() else {
            return Err(Finding::error("cannot-edit", "the file cannot be read as a design")
                .help("fix its text first; see the findings"));
        };
        let mut document = document.clone();
        let (label, merge, selects) = (edit.label.clone(), edit.merge_key.clone(), edit.selects.clone());
        let edit_keeps_rows = edit.keeps_rows;
        let touched = edit.apply(&mut document)?;
        let behind = if edit_keeps_rows { TablesBehind::Cells } else { TablesBehind::Rows };
        let done = self.replace_text(document.to_text().into(), label, merge, behind, rulesets);
        if let Some(chosen) = selects {
            self.select(chosen);
        } else if !touched.is_empty() {
            self.select(touched.into_iter().filter_map(|fit| u32::try_from(fit).ok()).collect());
        }
        Ok(done)
    }

    /// The sheet of the first selected ship is shown.
    pub fn select(&mut self, chosen: Vec<u32>) {
        if self.selected.first() != chosen.first() {
            self.unit_index = 0;
        }
        self.selected = chosen;
        self.selected_mount = None;
        self.show_selected();
    }

    pub fn show_unit(&mut self, index: u32) {
        self.unit_index = index;
        self.show_selected();
    }

    fn show_selected(&mut self) {
        let DocContent::Fleet(fleet) = &mut self.content else { return };
        let ships = fleet.fleet().ships.iter().map(|ship| ship.index);
        let known: Vec<u32> =
            self.selected.iter().copied().filter(|chosen| ships.clone().any(|ship| ship == *chosen)).collect();
        let first = ships.clone().next();
        self.selected = if known.is_empty() { first.into_iter().collect() } else { known };
        fleet.show(&self.selected, self.unit_index);
    }

    /// False if the text is the same.
    pub fn replace(&mut self, text: Arc<str>, label: String, merge: Option<String>, rulesets: &Rulesets) -> bool {
        self.replace_text(text, label, merge, TablesBehind::Rows, rulesets)
    }

    fn replace_text(
        &mut self,
        text: Arc<str>,
        label: String,
        merge: Option<String>,
        behind: TablesBehind,
        rulesets: &Rulesets,
    ) -> bool {
        if text == *self.text() {
            return false;
        }
        self.history.push(text, label, merge);
        self.evaluate_edited(behind, rulesets);
        true
    }

    pub fn undo(&mut self, rulesets: &Rulesets) -> bool {
        let done = self.history.undo();
        if done {
            self.evaluate_edited(TablesBehind::Rows, rulesets);
        }
        done
    }

    pub fn redo(&mut self, rulesets: &Rulesets) -> bool {
        let done = self.history.redo();
        if done {
            self.evaluate_edited(TablesBehind::Rows, rulesets);
        }
        done
    }

    /// A ruleset that can still be read is marked only: compiling it takes longer than a frame, so a job does it.
    fn evaluate_edited(&mut self, behind: TablesBehind, rulesets: &Rulesets) {
        let text = self.text().clone();
        let source = self.to_source(&text);
        if let DocContent::Ruleset(open) = &mut self.content
            && looks_like_ruleset(&source)
            && let Ok(document) = Document::parse(&text)
        {
            let behind = if open.document.is_none() { TablesBehind::Rows } else { behind };
            open.behind = open.behind.max(Some(behind));
            open.document = Some(document);
            self.revision += 1;
            return;
        }
        self.evaluate(rulesets);
    }

    /// Makes the tables of a ruleset at once if they are behind its text.
    pub fn catch_up(&mut self, rulesets: &Rulesets) {
        if self.as_ruleset().is_some_and(|open| open.behind.is_some()) {
            self.evaluate(rulesets);
        }
    }

    /// The work that makes the tables of a ruleset whose text has changed; `None` if they are up to date.
    pub fn table_work(&self) -> Option<impl FnOnce(&Rulesets) -> OpenRuleset + Send + use<>> {
        let before = self.as_ruleset().filter(|open| open.behind.is_some())?.clone();
        let (source, off) = (self.to_source(self.text()), self.layers_off.clone());
        Some(move |rulesets: &Rulesets| OpenRuleset::new(rulesets, &source, &off, Some(before)))
    }

    /// What [`Self::table_work`] made; `None` if it failed.
    pub fn accept_tables(&mut self, made: Option<OpenRuleset>) {
        let DocContent::Ruleset(open) = &mut self.content else { return };
        match made {
            Some(made) => **open = made,
            None => {
                open.behind = None;
                let failed = Finding::error("rules-failed", "cannot make the tables of these rules");
                open.findings.insert(0, failed.help("this is a bug in moldloft: please report it with the file"));
            }
        }
        self.revision += 1;
    }

    pub fn evaluate(&mut self, rulesets: &Rulesets) {
        self.revision += 1;
        let text = self.text().clone();
        let source = self.to_source(&text);
        // A ruleset stays one while its text cannot be read.
        let is_ruleset =
            looks_like_ruleset(&source) || (self.as_ruleset().is_some() && Document::parse(&text).is_err());
        if is_ruleset {
            let before = match std::mem::replace(&mut self.content, DocContent::Text(Vec::new())) {
                DocContent::Ruleset(before) => Some(*before),
                _ => None,
            };
            let open = OpenRuleset::new(rulesets, &source, &self.layers_off, before);
            self.content = DocContent::Ruleset(Box::new(open));
            return;
        }
        if Fleet::looks_like_fleet(&source) {
            let before = match std::mem::replace(&mut self.content, DocContent::Text(Vec::new())) {
                // A job may still hold it.
                DocContent::Fleet(fleet) => Some(Arc::unwrap_or_clone(fleet.evaluated)),
                _ => None,
            };
            self.content = match OpenFleet::new(
                rulesets,
                &source,
                &self.file_location(),
                self.rules_override.as_deref(),
                before,
            ) {
                Ok(fleet) => DocContent::Fleet(Box::new(fleet)),
                Err(findings) => DocContent::Text(findings),
            };
            return self.show_selected();
        }
        let checked = self.check_text(&text, rulesets);
        let document = Document::parse(&text);
        self.content = match (checked.design, document) {
            (Some(design), Ok(document)) => {
                self.selected.retain(|chosen| design.fits.iter().any(|fit| fit.index == *chosen));
                let evaluation = checked.evaluation.map(Arc::new);
                DocContent::Design(Box::new(OpenDesign {
                    document,
                    design: Arc::new(design),
                    evaluation,
                    errors: checked.failed,
                    margins: OnceLock::new(),
                    measures: OnceLock::new(),
                }))
            }
            (None, _) => DocContent::Text(checked.failed),
            (_, Err(message)) => {
                let place = self.to_source(&text).place(Span::default());
                DocContent::Text(vec![Finding::error("not-toml", message).at(place)])
            }
        };
    }

    /// With the override ruleset if there is one.
    pub fn check_text(&self, text: &str, rulesets: &Rulesets) -> CheckedDesign {
        let source = self.to_source(text);
        let Some(override_id) = &self.rules_override else { return library::check_source(rulesets, &source) };
        let read = ReadDesign { file: source.file.clone(), opened: true, design: Design::read(&source) };
        library::check_design(read, Some(&rulesets.find(override_id)))
    }

    pub fn evaluate_fleet_edit(&self, edit: &Edit, rulesets: &Rulesets) -> Option<OpenFleet> {
        let mut document = self.document()?.clone();
        edit.clone().apply(&mut document).ok()?;
        let source = Source::new(self.as_fleet()?.fleet().source.file.clone(), document.text());
        OpenFleet::new(
            rulesets,
            &source,
            &self.file_location(),
            self.rules_override.as_deref(),
            Some(EvaluatedFleet::clone(&self.as_fleet()?.evaluated)),
        )
        .ok()
    }

    pub(crate) fn file_location(&self) -> FileRef {
        match &self.file {
            Some(file) => file.clone(),
            // After undoing all changes it is the built-in one again.
            None if !self.is_changed() => self.copied_from.clone().unwrap_or_default(),
            None => FileRef::default(),
        }
    }

    pub(crate) fn to_source(&self, text: &str) -> Source {
        match &self.file {
            Some(file) => Source::new(file.to_string(), text),
            None => Source::new("(not saved yet)", text),
        }
    }
}
