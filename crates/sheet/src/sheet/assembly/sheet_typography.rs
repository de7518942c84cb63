//! The typography of a ship's sheets: takes an evaluation, templates and options, gives the faults of its pages, without
//! those that the templates allow.

use std::slice::from_ref;
use std::sync::Arc;

use super::card_backs::{card_back, sheet_back};
use super::prepare::PreparedTemplate;
use super::sheet_plan::SheetPlan;
use super::ship_sheets::{SheetJob, print};
use super::template_cache::TemplateCache;
use crate::sheet::page_setup::sheet_options::SheetOptions;
use crate::sheet::typography::{PageUse, SheetWords, TypographyCheck, TypographyFault, check_page, read_allowed};
use moldloft_base::finding::Severity;
use moldloft_drawing::scene::{Page, PageRole};
use moldloft_rules::evaluate::Evaluation;

/// A fault of a page.
#[derive(Clone, Debug)]
pub struct SheetFault {
    /// From 1.
    pub page: usize,
    pub pages: usize,
    /// The template of the page.
    pub template: Arc<str>,
    pub fault: TypographyFault,
}

/// What was found on a ship's pages.
#[derive(Clone, Debug, Default)]
pub struct CheckedSheet {
    pub faults: Vec<SheetFault>,
    /// Boxes are missing, or it has more pages than any sheet for play: what its pages look like tells nothing.
    pub is_broken: bool,
}

/// More pages are no sheet for play: the largest ships of the games have some twenty.
const MAX_PAGES: usize = 200;

/// The files of the templates that a ship's pages are drawn with.
pub fn template_files_of(ship: &Evaluation, templates: &TemplateCache<'_>, options: &SheetOptions) -> Vec<Arc<str>> {
    let Some(plan) = plan_of(ship, templates, options) else { return Vec::new() };
    let back = back_of(ship, templates, &plan);
    let all = [Some(plan.first), plan.continuation, back];
    all.into_iter().flatten().map(|prepared| Arc::clone(&prepared.template.source.file)).collect()
}

/// The faults of all pages of a ship; what the pages say is added to `words`.
pub fn check_sheet_typography(
    ship: &Evaluation,
    templates: &TemplateCache<'_>,
    options: SheetOptions,
    words: &mut SheetWords,
) -> CheckedSheet {
    let Some(plan) = plan_of(ship, templates, &options) else { return CheckedSheet::default() };
    let job = SheetJob { ships: from_ref(ship), templates, options, subject: "control sheets" };
    let (scene, findings) = print(&job);
    let pages = scene.pages.len();
    let is_broken = pages > MAX_PAGES || findings.iter().any(|finding| finding.severity == Severity::Error);
    let mut faults = Vec::new();
    for (n, page) in scene.pages.iter().enumerate() {
        let template = if n == 0 { Some(&plan.first) } else { plan.continuation.as_ref() };
        let allowed = template.map(|prepared| read_allowed(&prepared.template).0).unwrap_or_default();
        let file: Arc<str> = template.map_or("", |prepared| &*prepared.template.source.file).into();
        let usage = if plan.is_card && n == 0 { PageUse::Cards } else { PageUse::Sheet };
        add_words(page, &file, words);
        let mut found = check_page(page, usage, &allowed);
        // An empty sheet has little besides the labels of what is written on it.
        found.retain(|fault| !options.is_blank || fault.check != TypographyCheck::ManyLabels);
        faults.extend(found.into_iter().map(|fault| SheetFault {
            page: n + 1,
            pages,
            template: Arc::clone(&file),
            fault,
        }));
    }
    faults.extend(check_back(ship, templates, options, &plan, pages, words));
    CheckedSheet { faults, is_broken }
}

/// The faults of the back of a card or of a ship's only sheet, as the page after the ship's.
fn check_back(
    ship: &Evaluation,
    templates: &TemplateCache<'_>,
    options: SheetOptions,
    plan: &SheetPlan,
    pages: usize,
    words: &mut SheetWords,
) -> Vec<SheetFault> {
    let Some(back) = back_of(ship, templates, plan).filter(|_| plan.is_card || pages == 1) else { return Vec::new() };
    let options = SheetOptions { card_backs: true, sheet_backs: true, ..options };
    let (scene, _) = print(&SheetJob { ships: from_ref(ship), templates, options, subject: "control sheets" });
    let is_back = |(n, page): &(usize, &Page)| if plan.is_card { page.role == PageRole::Back } else { *n == 1 };
    let Some((_, page)) = scene.pages.iter().enumerate().find(is_back) else { return Vec::new() };
    let file: Arc<str> = (&*back.template.source.file).into();
    add_words(page, &file, words);
    let usage = if plan.is_card { PageUse::Cards } else { PageUse::Sheet };
    let found = check_page(page, usage, &read_allowed(&back.template).0).into_iter();
    let on_back = |fault| SheetFault { page: pages + 1, pages: pages + 1, template: Arc::clone(&file), fault };
    found.map(on_back).collect()
}

fn back_of(ship: &Evaluation, templates: &TemplateCache<'_>, plan: &SheetPlan) -> Option<Arc<PreparedTemplate>> {
    let size = plan.first.size();
    if plan.is_card { card_back(ship, size, templates) } else { sheet_back(ship, size.0, templates) }
}

fn plan_of(ship: &Evaluation, templates: &TemplateCache<'_>, options: &SheetOptions) -> Option<SheetPlan> {
    let rules = &ship.ruleset;
    let more = rules.continuation().map(|sheet| &*sheet.template);
    SheetPlan::new(&ship.sheet()?.template, more, templates, rules, options)
}

fn add_words(page: &Page, file: &str, words: &mut SheetWords) {
    use moldloft_drawing::scene::{SceneItem, Shape};
    fn walk(items: &[SceneItem], all: &mut String) {
        for item in items {
            match &item.shape {
                Shape::Text(text) => all.extend([&*text.shaped.text, "\n"]),
                Shape::Group { items, .. } => walk(items, all),
                _ => {}
            }
        }
    }
    let mut all = String::new();
    walk(&page.items(), &mut all);
    words.add_text(&all, file);
}
