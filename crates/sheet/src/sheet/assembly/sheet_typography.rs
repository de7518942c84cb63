//! The typography of a ship's sheets: takes an evaluation, templates and options, gives the faults of its pages, without
//! those that the templates allow.

use std::slice::from_ref;
use std::sync::Arc;

use super::card_backs::{card_back, sheet_back};
use super::prepare::PreparedTemplate;
use super::sheet_plan::SheetPlan;
use super::ship_sheets::{PageStorage, SheetJob, lay_out_with_backs};
use super::template_cache::TemplateCache;
use crate::sheet::page_setup::sheet_options::SheetOptions;
use crate::sheet::typography::{PageUse, SheetWords, TypographyCheck, TypographyFault, check_page, read_allowed};
use moldloft_base::finding::Severity;
use moldloft_base::progress::Progress;
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
    let back = back_of(ship, templates, &plan);
    let has_back = back.is_some();
    let options = SheetOptions { card_backs: has_back, sheet_backs: has_back, ..options };
    let job = SheetJob { ships: from_ref(ship), templates, options, subject: "control sheets" };
    let (scene, findings, sheet_backs) = lay_out_with_backs(&job, PageStorage::Plain, &Progress::default());
    let (backs, mut fronts): (Vec<&Page>, Vec<&Page>) =
        scene.pages.iter().partition(|page| page.role == PageRole::Back);
    let sheet_backs = fronts.split_off(fronts.len() - sheet_backs);
    let pages = fronts.len();
    let is_broken = pages > MAX_PAGES || findings.iter().any(|finding| finding.severity == Severity::Error);
    let mut faults = Vec::new();
    let mut check = |n: usize, page: &Page, template: Option<&Arc<PreparedTemplate>>, usage: PageUse| {
        let allowed = template.map(|prepared| read_allowed(&prepared.template).0).unwrap_or_default();
        let file: Arc<str> = template.map_or("", |prepared| &*prepared.template.source.file).into();
        add_words(page, &file, words);
        let mut found = check_page(page, usage, &allowed);
        // An empty sheet has little besides the labels of what is written on it.
        found.retain(|fault| n > pages || !options.is_blank || fault.check != TypographyCheck::ManyLabels);
        let fault = |fault| SheetFault { page: n, pages: pages.max(n), template: Arc::clone(&file), fault };
        faults.extend(found.into_iter().map(fault));
    };
    for (n, page) in fronts.into_iter().enumerate() {
        let template = if n == 0 { Some(&plan.first) } else { plan.continuation.as_ref() };
        check(n + 1, page, template, if plan.is_card && n == 0 { PageUse::Cards } else { PageUse::Sheet });
    }
    // The back of a card or of a ship's only sheet, as the page after the ship's.
    let backs = if plan.is_card { backs } else { sheet_backs };
    if let Some(page) = backs.first().filter(|_| plan.is_card || pages == 1) {
        check(pages + 1, page, back.as_ref(), if plan.is_card { PageUse::Cards } else { PageUse::Sheet });
    }
    CheckedSheet { faults, is_broken }
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
