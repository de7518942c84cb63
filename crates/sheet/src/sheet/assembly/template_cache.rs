//! Templates and icons, each read and prepared once for a whole job: takes a function that looks up files, gives
//! prepared templates and drawings. Never touches the disk itself. What is missing or broken is reported once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::grown_drawing::grown_drawing;
use super::icon::icon_drawing;
use super::prepare::{PreparedTemplate, prepare_template_within};
use super::prepared_texts::PreparedTexts;
use super::ship_view::{DrawingSource, ShipView};
use crate::sheet::layout::text_style::TextStyles;
use crate::sheet::page_setup::sheet_options::SheetOptions;
use moldloft_base::finding::{Cause, Finding, nearest};
use moldloft_base::source::Source;
use moldloft_drawing::art::{Template, read_picture};
use moldloft_drawing::scene::Drawing;
use moldloft_rules::evaluate::Evaluation;
use moldloft_rules::ruleset::{CounterDef, Ruleset, SheetKind, SlotContext};

/// Returns the text of a template, icon or face, searched for in the folders of these games in turn; `None` when it is
/// in none of them.
pub type FileLookup<'a> = dyn Fn(&[&str], &str) -> Option<Result<Source, Finding>> + Send + Sync + 'a;

/// Returns a file beside a design's file; `None` when there is none.
pub type BesideLookup<'a> = dyn Fn(&str, &str) -> Option<Result<ArtFile, Finding>> + Send + Sync + 'a;

/// A file with a drawing.
#[derive(Clone, Debug)]
pub enum ArtFile {
    Svg(Source),
    /// The bytes of a PNG or JPEG.
    Picture(Vec<u8>),
}

/// Returns the names of all template files, each with its game's folder.
pub type NameList<'a> = dyn Fn() -> Vec<String> + Send + Sync + 'a;

/// Returns a finding about a template that was read, by the folders' ids, its name and whether it is the face of a counter.
pub type TemplateReview<'a> = dyn Fn(&[&str], &str, &Source, bool) -> Option<Finding> + Send + Sync + 'a;

pub struct TemplateCache<'a> {
    lookup: Box<FileLookup<'a>>,
    beside: Box<BesideLookup<'a>>,
    names: Box<NameList<'a>>,
    review: Box<TemplateReview<'a>>,
    contents: Mutex<CacheContents>,
}

/// A template of a ruleset's sheet, or its compact form.
#[derive(Clone, Debug, PartialEq)]
pub struct SheetTemplate {
    pub name: Arc<str>,
    /// The sheet's id.
    pub sheet: Arc<str>,
    pub kind: SheetKind,
}

/// What the compact form of a template is called: `ship-compact.svg` for `ship.svg`.
pub fn compact_form(name: &str) -> Option<String> {
    Some(format!("{}-compact.svg", name.strip_suffix(".svg")?))
}

type TemplateKey = (Vec<Arc<str>>, String);

#[derive(Default)]
struct CacheContents {
    templates: BTreeMap<TemplateKey, Option<Arc<Template>>>,
    compact_names: BTreeMap<TemplateKey, Option<String>>,
    icons: BTreeMap<TemplateKey, Option<Arc<Drawing>>>,
    /// By what the template's groups come to: one drawing for all ships that look alike.
    grown: BTreeMap<(TemplateKey, Vec<[i64; 2]>), Arc<Drawing>>,
    // By the ruleset's address, which stays unique as long as it is kept here.
    prepared: Vec<(Arc<Ruleset>, SlotContext, String, Option<Arc<PreparedTemplate>>)>,
    findings: BTreeMap<TemplateKey, Vec<Finding>>,
}

impl<'a> TemplateCache<'a> {
    pub fn new(files: impl Fn(&[&str], &str) -> Option<Result<Source, Finding>> + Send + Sync + 'a) -> Self {
        let (beside, names) = (Box::new(|_: &str, _: &str| None), Box::new(Vec::new));
        let review = Box::new(|_: &[&str], _: &str, _: &Source, _: bool| None);
        Self { lookup: Box::new(files), beside, names, review, contents: Mutex::default() }
    }

    /// With a function that looks up a design's own files, beside its file.
    #[must_use]
    pub fn with_beside(
        self,
        beside: impl Fn(&str, &str) -> Option<Result<ArtFile, Finding>> + Send + Sync + 'a,
    ) -> Self {
        Self { beside: Box::new(beside), ..self }
    }

    /// With the names of all template files, from which a missing one gets its suggestion.
    #[must_use]
    pub fn with_names(self, names: impl Fn() -> Vec<String> + Send + Sync + 'a) -> Self {
        Self { names: Box::new(names), ..self }
    }

    /// With a function that may have a finding about a template that was read, by the folders' ids and its name.
    #[must_use]
    pub fn with_review(
        self,
        review: impl Fn(&[&str], &str, &Source, bool) -> Option<Finding> + Send + Sync + 'a,
    ) -> Self {
        Self { review: Box::new(review), ..self }
    }

    /// The help for a missing file: the nearest name in the same folders, or what to do.
    fn help_for_missing(&self, ids: &[&str], name: &str) -> String {
        let all = (self.names)();
        let known = all.iter().filter_map(|known| {
            let own = ids.iter().find_map(|id| known.strip_prefix(id)?.strip_prefix('/'));
            own.or((!known.contains('/')).then_some(known))
        });
        match nearest(name, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "add the file to the game's templates folder, or fix its name in the ruleset or template".into(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, CacheContents> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A template of the ruleset's folders; `None` (and a finding) when it is missing or broken.
    pub fn template(&self, ruleset: &Ruleset, name: &str) -> Option<Arc<Template>> {
        let key = (ruleset.templates.clone(), name.to_owned());
        if let Some(known) = self.lock().templates.get(&key) {
            return known.clone();
        }
        let ids: Vec<&str> = ruleset.templates.iter().map(|id| &**id).collect();
        let (template, findings) = match (self.lookup)(&ids, name) {
            Some(Ok(source)) => {
                let (template, mut findings) = Template::read(&source);
                findings.extend(template.iter().flat_map(Template::off_page));
                let is_known = |finding: &Finding| findings.iter().any(|known| known.code == finding.code);
                let is_face = |counter: &CounterDef| *counter.face == *name || counter.back.as_deref() == Some(name);
                let is_face = ruleset.counters.iter().any(is_face);
                let reviewed = (self.review)(&ids, name, &source, is_face).filter(|finding| !is_known(finding));
                findings.extend(reviewed);
                (template, findings)
            }
            Some(Err(finding)) => (None, vec![finding]),
            None => {
                let message = format!("no such template file `{name}` for {}", ruleset.id);
                let help = self.help_for_missing(&ids, name);
                let missing = Finding::caused(Cause::MissingTemplateFile, message).help(help);
                (None, vec![missing.topic(format!("{}/{name}", ruleset.id))])
            }
        };
        let template = template.map(Arc::new);
        let mut held = self.lock();
        // Another thread may have been faster: all must share one template, or a file would contain its drawings twice.
        if let Some(known) = held.templates.get(&key) {
            return known.clone();
        }
        held.findings.insert(key.clone(), findings);
        held.templates.insert(key, template.clone());
        template
    }

    /// Whether a requested template is in none of the ruleset's folders.
    pub fn is_missing(&self, ruleset: &Ruleset, name: &str) -> bool {
        let found = self.lock();
        let of_file = found.findings.get(&(ruleset.templates.clone(), name.to_owned()));
        of_file.is_some_and(|all| all.iter().any(|finding| finding.cause == Some(Cause::MissingTemplateFile)))
    }

    pub fn prepared_template(&self, ruleset: &Arc<Ruleset>, name: &str) -> Option<Arc<PreparedTemplate>> {
        self.prepared_within(ruleset, SlotContext::Ship, name)
    }

    /// The name of a template's compact form, for small paper and large print: `ship-compact.svg` beside `ship.svg`, in
    /// the same folder; `None` if there is none.
    pub fn compact_name(&self, ruleset: &Ruleset, name: &str) -> Option<String> {
        let key = (ruleset.templates.clone(), name.to_owned());
        if let Some(known) = self.lock().compact_names.get(&key) {
            return known.clone();
        }
        let compact = compact_form(name).filter(|compact| self.is_beside(ruleset, name, compact));
        self.lock().compact_names.insert(key, compact.clone());
        compact
    }

    /// Whether a template exists in the folder of another: a player's own sheet is not replaced by the compact form of
    /// a built-in one.
    fn is_beside(&self, ruleset: &Ruleset, name: &str, other: &str) -> bool {
        let ids: Vec<&str> = ruleset.templates.iter().map(|id| &**id).collect();
        match (self.lookup)(&ids, other) {
            Some(Ok(source)) => self
                .template(ruleset, name)
                .is_some_and(|template| folder_of(&template.source.file) == folder_of(&source.file)),
            // It is reported when it is read.
            Some(Err(_)) => true,
            None => false,
        }
    }

    /// The compact form of a template; `None` if there is none.
    pub fn compact_template(&self, ruleset: &Arc<Ruleset>, name: &str) -> Option<Arc<PreparedTemplate>> {
        self.prepared_template(ruleset, &self.compact_name(ruleset, name)?)
    }

    /// The templates of a ruleset's sheets with their compact forms, each once, in the ruleset's order.
    pub fn sheet_templates(&self, ruleset: &Ruleset) -> Vec<SheetTemplate> {
        let mut all: Vec<SheetTemplate> = Vec::new();
        for sheet in &ruleset.sheets {
            let compact = self.compact_name(ruleset, &sheet.template).map(Arc::from);
            for name in std::iter::once(Arc::clone(&sheet.template)).chain(compact) {
                if !all.iter().any(|known| known.name == name) {
                    all.push(SheetTemplate { name, sheet: Arc::clone(&sheet.id), kind: sheet.kind });
                }
            }
        }
        all
    }

    fn prepared_within(
        &self,
        ruleset: &Arc<Ruleset>,
        within: SlotContext,
        name: &str,
    ) -> Option<Arc<PreparedTemplate>> {
        let same = |held: &(Arc<Ruleset>, SlotContext, String, _)| {
            Arc::ptr_eq(&held.0, ruleset) && held.1 == within && held.2 == name
        };
        if let Some((_, _, _, known)) = self.lock().prepared.iter().find(|held| same(held)) {
            return known.clone();
        }
        let prepared = self.template(ruleset, name).map(|template| {
            let (prepared, mut findings) = prepare_template_within(&template, ruleset, &within);
            if let (SlotContext::Box(_), Some(panel)) = (&within, template.panels.first()) {
                let message = format!("cannot use the panel “{}” on the face of a box", panel.label);
                let finding = Finding::warning("panel-on-face", message).help("add a `<text>` for what the box shows");
                findings.push(finding.at(template.source.place_with_snippet(panel.span)));
            }
            let key = (ruleset.templates.clone(), name.to_owned());
            self.lock().findings.entry(key).or_default().extend(findings);
            Arc::new(prepared)
        });
        let mut held = self.lock();
        if let Some((_, _, _, known)) = held.prepared.iter().find(|held| same(held)) {
            return known.clone();
        }
        held.prepared.push((Arc::clone(ruleset), within, name.to_owned(), prepared.clone()));
        prepared
    }

    /// The ship's silhouette, its own or the game's, as sheets draw it; `None` for games without one.
    pub fn ship_silhouette(&self, ship: &Evaluation) -> Option<Arc<Drawing>> {
        let options = SheetOptions::default();
        let styles = TextStyles::new(options.minimum_sizes());
        ShipView::new(ship, options, styles, self).silhouette()
    }

    /// Findings of all files read so far, by file name.
    pub fn findings(&self) -> Vec<Finding> {
        let held = self.lock();
        let mut findings: Vec<Finding> = Vec::new();
        for finding in held.findings.values().flatten() {
            if !findings.contains(finding) {
                findings.push(finding.clone());
            }
        }
        findings
    }
}

/// The drawing of a design's own silhouette, from what was found of its file; without one, what is wrong.
fn read_silhouette(
    design_file: &str,
    name: &str,
    file: Option<Result<ArtFile, Finding>>,
) -> (Option<Arc<Drawing>>, Vec<Finding>) {
    let empty = || {
        let message = format!("`{name}` draws nothing");
        let help = "draw the outline as a path; the game's own outline is used";
        Finding::warning("empty-silhouette", message).help(help)
    };
    let (template, mut findings) = match file {
        Some(Ok(ArtFile::Svg(source))) => Template::read(&source),
        Some(Ok(ArtFile::Picture(bytes))) => {
            return match read_picture(name, &bytes) {
                Ok(Some(drawing)) => (Some(Arc::new(drawing)), Vec::new()),
                Ok(None) => (None, vec![empty()]),
                Err(message) => {
                    let message = format!("cannot read the picture `{name}`: {message}");
                    let help = "save it again as PNG or JPEG; the game's own outline is used";
                    (None, vec![Finding::warning("picture-not-read", message).help(help)])
                }
            };
        }
        Some(Err(finding)) => (None, vec![finding]),
        None => {
            let message = format!("no silhouette `{name}` in the folder of {design_file}");
            let help = match name.rsplit_once(['/', '\\']) {
                Some((_, file)) => format!(
                    "a silhouette is beside its design's file: move it there and write silhouette = \"{file}\"; the game's own outline is used"
                ),
                None => "put the picture beside the design's file, or fix `silhouette`; the game's own outline is used"
                    .to_owned(),
            };
            (None, vec![Finding::warning("missing-silhouette", message).help(help)])
        }
    };
    let drawing = template.and_then(|template| {
        // Its words are the player's.
        let (drawing, more) = icon_drawing(&template, &str::to_owned);
        findings.extend(more);
        if drawing.shapes.is_empty() {
            findings.push(empty());
            return None;
        }
        Some(drawing)
    });
    (drawing, findings)
}

/// The folder of a file as a player names it, with its last slash.
fn folder_of(file: &str) -> &str {
    &file[..file.rfind(['/', '\\']).map_or(0, |at| at + 1)]
}

impl DrawingSource for TemplateCache<'_> {
    fn icon(&self, ruleset: &Ruleset, name: &str) -> Option<Arc<Drawing>> {
        let key = (ruleset.templates.clone(), name.to_owned());
        if let Some(known) = self.lock().icons.get(&key) {
            return known.clone();
        }
        let read = self.template(ruleset, name).map(|template| icon_drawing(&template, &|text| ruleset.say(text)));
        let mut held = self.lock();
        if let Some(known) = held.icons.get(&key) {
            return known.clone();
        }
        let drawing = read.map(|(drawing, findings)| {
            held.findings.entry(key.clone()).or_default().extend(findings);
            drawing
        });
        held.icons.insert(key, drawing.clone());
        drawing
    }

    fn box_template(&self, ruleset: &Arc<Ruleset>, track: &str, name: &str) -> Option<Arc<PreparedTexts>> {
        let prepared = self.prepared_within(ruleset, SlotContext::Box(track.into()), name)?;
        Some(Arc::clone(&prepared.texts))
    }

    fn grown(
        &self,
        ruleset: &Arc<Ruleset>,
        name: &str,
        values: &dyn Fn(&PreparedTexts) -> Vec<[i64; 2]>,
    ) -> Option<Arc<Drawing>> {
        if self.template(ruleset, name)?.conditions.is_empty() {
            return self.icon(ruleset, name);
        }
        let texts = Arc::clone(&self.prepared_template(ruleset, name)?.texts);
        let values = values(&texts);
        let key = ((ruleset.templates.clone(), name.to_owned()), values.clone());
        let draw = || Arc::new(grown_drawing(&texts.template, &values));
        Some(Arc::clone(self.lock().grown.entry(key).or_insert_with(draw)))
    }

    fn silhouette(&self, design_file: &str, name: &str) -> Option<Arc<Drawing>> {
        // No id of a game is empty.
        let key = (vec!["".into(), design_file.into()], name.to_owned());
        if let Some(known) = self.lock().icons.get(&key) {
            return known.clone();
        }
        let (drawing, findings) = read_silhouette(design_file, name, (self.beside)(design_file, name));
        let mut held = self.lock();
        if let Some(known) = held.icons.get(&key) {
            return known.clone();
        }
        held.findings.insert(key.clone(), findings);
        held.icons.insert(key, drawing.clone());
        drawing
    }
}
