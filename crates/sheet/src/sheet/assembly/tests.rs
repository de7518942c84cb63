//! Tests of pages that flow: what a template's rectangles hold, and what is printed of them.

use std::sync::Arc;

use super::page_flow::{FlowNode, FlowNodeKind, PageFlow, PanelHome};
use super::prepare::{PreparedTemplate, prepare_template};
use super::ship_sheets::{SheetJob, print};
use super::slot_measure::measure_slots;
use super::template_cache::{SheetTemplate, TemplateCache};
use super::template_check::check_sheet_template;
use crate::sheet::page_setup::sheet_options::SheetOptions;
use moldloft_base::finding::{Finding, Severity};
use moldloft_base::source::Source;
use moldloft_drawing::art::Template;
use moldloft_drawing::scene::{Page, Scene, Shape};
use moldloft_rules::design::{Design, Ship};
use moldloft_rules::evaluate::{Evaluation, evaluate};
use moldloft_rules::ruleset::{Ruleset, SheetKind};

const RULES: &str = r#"
[ruleset]
id = "g"
title = "Game"
version = "1"
schema = 1
credit = "c"
source = "s"
terms = "t"
[[track]]
id = "hull"
boxes = 20
required = true
[[track]]
id = "drive"
boxes = 4
required = true
[[table]]
id = "guns"
columns = ["gun", "range"]
rows = [["light", 6], ["heavy", 12]]
[[sheet]]
id = "ship"
kind = "design"
template = "ship.svg"
[[sheet]]
id = "more"
kind = "continuation"
template = "more.svg"
"#;

fn rules() -> Arc<Ruleset> {
    let (rules, found) = Ruleset::load(&Source::new("g.toml", RULES));
    Arc::new(rules.unwrap_or_else(|| panic!("{found:?}")))
}

/// A template of 194 × 263 mm.
fn svg(inside: &str) -> String {
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:inkscape='http://www.inkscape.org/namespaces/inkscape' \
         width='194mm' height='263mm' viewBox='0 0 194 263'>{inside}</svg>"
    )
}

fn rect(label: &str, [x, y, w, h]: [f32; 4], options: &str) -> String {
    format!("<rect inkscape:label='{label}' x='{x}' y='{y}' width='{w}' height='{h}'><desc>{options}</desc></rect>\n")
}

fn prepared(inside: &str) -> (PreparedTemplate, Vec<Finding>) {
    let (template, findings) = Template::read(&Source::new("ship.svg", &svg(inside)));
    assert!(findings.is_empty(), "{findings:?}");
    prepare_template(&Arc::new(template.unwrap()), &rules())
}

fn ship() -> Evaluation {
    let design = Design::read(&Source::new("d.toml", "ruleset = \"g\"\nname = \"Dart\"\n")).unwrap();
    evaluate(&rules(), &design, &Ship::default())
}

/// A ship on a first sheet and a continuation sheet.
fn printed(first: &str, more: &str) -> (Scene, Vec<Finding>) {
    let (first, more) = (svg(first), svg(more));
    let templates = TemplateCache::new(|_, name| match name {
        "ship.svg" => Some(Ok(Source::new(name, &first))),
        "more.svg" => Some(Ok(Source::new(name, &more))),
        _ => None,
    });
    let options = SheetOptions::default();
    print(&SheetJob { ships: &[ship()], templates: &templates, options, subject: "sheets" })
}

/// How many marks of a page begin with this.
fn marks(page: &Page, stem: &str) -> usize {
    let items = page.items();
    items.iter().filter(|item| item.mark.as_ref().is_some_and(|mark| mark.name.starts_with(stem))).count()
}

/// All texts of a page.
fn words(page: &Page) -> String {
    let items = page.items();
    let texts = items.iter().filter_map(|item| match &item.shape {
        Shape::Text(text) => Some(text.shaped.text.to_string()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join(" ")
}

fn codes(findings: &[Finding]) -> Vec<&str> {
    findings.iter().map(|finding| &*finding.code).collect()
}

/// The tree of a flow in words: `rows(0 block(1; 1 text) columns(2 3))`; numbers are panels.
fn outline(flow: &PageFlow) -> String {
    fn of(node: &FlowNode) -> String {
        let all = |children: &[FlowNode]| children.iter().map(of).collect::<Vec<_>>().join(" ");
        match &node.kind {
            FlowNodeKind::Rows { children, .. } => format!("rows({})", all(children)),
            FlowNodeKind::Columns { children, .. } => format!("columns({})", all(children)),
            FlowNodeKind::Balanced { children, .. } => format!("balanced({})", all(children)),
            FlowNodeKind::Panel(n) => n.to_string(),
            FlowNodeKind::Block(block) => {
                format!("block({:?}, {} texts, {} art)", block.panels, block.slots.len(), block.art.pieces().len())
            }
        }
    }
    flow.roots.iter().map(of).collect::<Vec<_>>().join(" ")
}

const TRACK: &str = "panel: track hull";
const LOG: &str = "panel: log notes";

#[test]
fn everything_belongs_to_the_smallest_flow_or_block_that_holds_it() {
    let inside = [
        rect("flow: rows", [0.0, 20.0, 194.0, 200.0], ""),
        rect("flow: columns", [0.0, 20.0, 194.0, 100.0], ""),
        rect(TRACK, [0.0, 20.0, 90.0, 99.0], ""),
        rect("block: plan", [100.0, 20.0, 94.0, 100.0], ""),
        rect("panel: track drive", [110.0, 30.0, 50.0, 50.0], ""),
        "<text x='120' y='90'>Plan</text><path d='M110 95 H150' stroke='#000'/><path d='M0 95 H90' stroke='#000'/>"
            .into(),
        rect(LOG, [0.0, 130.0, 194.0, 50.0], ""),
        rect("panel: qr", [0.0, 222.0, 40.0, 40.0], ""),
    ];
    let (template, findings) = prepared(&inside.concat());
    assert_eq!(codes(&findings), Vec::<&str>::new(), "{findings:?}");
    let flow = template.flow.unwrap();
    assert_eq!(outline(&flow), "rows(columns(0 block([1], 1 texts, 1 art)) 2)");
    assert_eq!(
        flow.owned.panels,
        [PanelHome::Flow, PanelHome::Block { max_stretch: 1.0 }, PanelHome::Flow, PanelHome::Page]
    );
    assert_eq!(flow.art(263.0, 0.0).len(), 1);
}

#[test]
fn a_block_drawn_as_large_as_its_flow_is_in_it() {
    let whole = [10.0, 20.0, 100.0, 100.0];
    for larger in [0.0, 0.4] {
        let block = [10.0 - larger, 20.0, 100.0 + 2.0 * larger, 100.0];
        let inside = [rect("block: b", block, ""), rect("flow: rows", whole, ""), rect(TRACK, whole, "")];
        let (template, findings) = prepared(&inside.concat());
        assert!(findings.is_empty(), "{findings:?}");
        assert_eq!(outline(&template.flow.unwrap()), "rows(block([0], 0 texts, 0 art))");
    }
}

#[test]
fn what_has_no_effect_in_a_flow_is_reported() {
    let flow = rect("flow: rows", [0.0, 0.0, 194.0, 200.0], "");
    let block = rect("block: outer", [10.0, 10.0, 100.0, 100.0], "");
    let cases = [
        (rect("block: inner", [20.0, 20.0, 50.0, 50.0], ""), "block-in-a-block", "“block: inner”"),
        (rect("flow: columns", [20.0, 20.0, 50.0, 50.0], ""), "flow-in-a-block", "“flow: columns”"),
        (rect("block: far", [0.0, 210.0, 50.0, 50.0], ""), "block-outside-a-flow", "“block: far”"),
        ("<text x='10' y='150'>Words</text>".to_owned(), "text-outside-a-block", "text “Words”"),
    ];
    for (own, code, label) in cases {
        let (template, findings) =
            prepared(&[&*flow, &block, &own, &rect(TRACK, [30.0, 30.0, 30.0, 30.0], "")].concat());
        assert_eq!(codes(&findings), [code], "{findings:?}");
        assert!(findings[0].message.contains(label) && findings[0].at.line > 0, "{findings:?}");
        assert_eq!(outline(&template.flow.unwrap()), "rows(block([0], 0 texts, 0 art))");
    }
}

#[test]
fn what_exceeds_the_bounds_of_flows_is_named_and_ignored() {
    let around = rect("flow: rows", [0.0, 0.0, 194.0, 263.0], "");
    let row = |n: usize| [(n % 15) as f32 * 12.0, (n / 15) as f32 * 6.0, 10.0, 3.0];
    let many = |label: &str, count: usize| (0..count).map(|n| rect(label, row(n), "")).collect::<String>();
    let nested = |count: usize| (1..count).map(|n| rect("flow: rows", [0.0, 0.0, 180.0 - 4.0 * n as f32, 200.0], ""));
    // Four beyond the limit in each case, the last of them named.
    for (inside, code, beyond) in [
        (many("flow: columns", 63), "too-many-flows", "“flow: columns” is ignored: the limit is 60 flows"),
        (many("block: b", 64), "too-many-blocks", "“block: b” is ignored: the limit is 60 blocks"),
        (many("panel: log notes", 303), "too-many-flow-parts", "“panel: log notes” is not moved: the limit is 300"),
        (nested(12).collect(), "flow-too-deep", "“flow: rows” is ignored: it is in 8 flows"),
    ] {
        let (template, findings) = prepared(&format!("{around}{inside}"));
        assert_eq!(codes(&findings), [code; 4], "{findings:?}");
        assert!(findings.iter().all(|found| found.message.contains(beyond) && found.at.line > 0), "{findings:?}");
        assert!(template.flow.is_some());
    }
}

#[test]
fn only_lines_to_write_on_and_art_may_be_left_out() {
    let around = rect("flow: rows", [0.0, 0.0, 194.0, 60.0], "");
    let place = [0.0, 1.0, 194.0, 50.0];
    let stack = "optional = true\n[[panel]]\nshow = \"log a\"\n[[panel]]\nshow = \"table guns\"";
    let needed = [(TRACK, "optional = true"), ("panel: table guns", "optional = true"), ("panel: stack a", stack)];
    for (label, options) in needed {
        let (template, findings) = prepared(&format!("{around}{}", rect(label, place, options)));
        assert_eq!(codes(&findings), ["needed-panel-optional"], "{findings:?}");
        assert!(findings[0].message.contains(label) && findings[0].at.line == 2, "{findings:?}");
        assert!(!template.panels[0].panel.flow.is_optional);
    }
    let (template, findings) = prepared(&format!("{around}{}", rect(LOG, place, "optional = true")));
    assert!(findings.is_empty() && template.panels[0].panel.flow.is_optional, "{findings:?}");
    let (_, findings) = prepared(&format!("{around}{}", rect("block: b", place, "optional = true")));
    assert_eq!(codes(&findings), ["unknown-panel-option"], "{findings:?}");
}

#[test]
fn a_panel_takes_the_options_of_an_earlier_one_and_their_faults_stand_there() {
    let track = |y: f32, options: &str| rect(TRACK, [0.0, y, 194.0, 50.0], options);
    let first = track(0.0, "title = \"Hull\"\nsize = \"big\" # to mend\nblank = 3");
    let (template, findings) = prepared(&[&*first, &track(60.0, "as = \"hull\"\ntitle = \"More\"")].concat());
    assert_eq!(codes(&findings), ["wrong-panel-option"; 2], "{findings:?}");
    assert!(findings[0].at.line == 2 && findings[0].at == findings[1].at, "{findings:?}");
    let titles = template.panels.iter().map(|placed| placed.panel.title.as_ref().unwrap().source.to_string());
    assert_eq!(titles.collect::<Vec<_>>(), ["Hull", "More"]);
}

#[test]
fn an_option_that_changes_nothing_any_more_is_a_notice() {
    let rules = RULES.to_owned() + "[[mount]]\nid = \"bow\"\nlabel = \"Bow\"\n";
    let (rules, found) = Ruleset::load(&Source::new("g.toml", &rules));
    let rules = rules.unwrap_or_else(|| panic!("{found:?}"));
    let mount = rect("panel: mount bow", [0.0, 0.0, 90.0, 50.0], "track = \"hull\"\nnames = \"beside\"");
    let (template, _) = Template::read(&Source::new("ship.svg", &svg(&mount)));
    let (_, findings) = prepare_template(&Arc::new(template.unwrap()), &rules);
    assert_eq!(codes(&findings), ["needless-panel-option"], "{findings:?}");
    assert!(findings[0].severity == Severity::Info && findings[0].at.line == 2, "{findings:?}");
}

#[test]
fn optional_boxes_are_printed_where_there_is_no_room() {
    let flow = rect("flow: rows", [0.0, 0.0, 194.0, 250.0], "");
    let log = rect(LOG, [0.0, 0.0, 194.0, 200.0], "rows = 60\nleast = 240");
    let track = rect(TRACK, [0.0, 210.0, 194.0, 40.0], "optional = true\nleast = 40");
    let (scene, findings) = printed(&format!("{flow}{log}{track}"), &rect("panel: rest", [0.0, 0.0, 194.0, 263.0], ""));
    let boxes: usize = scene.pages.iter().map(|page| marks(page, "hull_")).sum();
    assert_eq!(boxes, 20, "{findings:?}");
    assert!(!codes(&findings).contains(&"box-lost"), "{findings:?}");
}

/// A log that does not fit the first page, and so begins continuation pages.
const LONG_LOG: &str = "rows = 100\nrow = 6";

#[test]
fn panels_of_a_continuation_sheet_use_what_its_rest_leaves_and_never_continue() {
    let ship =
        [rect("flow: rows", [0.0, 0.0, 194.0, 250.0], ""), rect(LOG, [0.0, 0.0, 194.0, 200.0], LONG_LOG)].concat();
    let page = rect("flow: rows", [0.0, 0.0, 194.0, 250.0], "");
    let rest = rect("panel: rest", [0.0, 0.0, 194.0, 100.0], "move = 1");
    let (alone, findings) = printed(&ship, &format!("{page}{rest}"));
    assert!(findings.is_empty(), "{findings:?}");
    let long = "text = \"Fire by turns\"\nrows = 300\n";
    for own in [
        rect("panel: log fire", [0.0, 110.0, 194.0, 100.0], long),
        rect("panel: log fire", [0.0, 110.0, 194.0, 100.0], &format!("{long}later = true")),
        rect("panel: log fire", [0.0, 110.0, 194.0, 100.0], &format!("{long}move = 0")),
        rect("panel: log fire", [0.0, 252.0, 194.0, 8.0], long),
        rect("block: fire", [0.0, 110.0, 194.0, 100.0], "") + &rect("panel: log fire", [0.0, 111.0, 194.0, 9.0], long),
    ] {
        let (scene, findings) = printed(&ship, &format!("{page}{rest}{own}"));
        assert!(findings.is_empty(), "{findings:?}");
        assert_eq!(scene.pages.len(), alone.pages.len(), "{own}");
        assert_eq!(scene.pages.iter().map(words).filter(|words| words.contains("Fire")).count(), 0, "{own}");
    }
    // What fits the last page is printed there.
    let own = rect("panel: log fire", [0.0, 110.0, 194.0, 100.0], "title = \"Fire\"\nrows = 2");
    let (scene, _) = printed(&ship, &format!("{page}{rest}{own}"));
    let with: Vec<bool> = scene.pages.iter().map(|page| words(page).contains("FIRE")).collect();
    assert_eq!(with.last(), Some(&true), "{with:?}");
    assert_eq!(scene.pages.len(), alone.pages.len());
}

#[test]
fn boxes_are_printed_once_though_a_continuation_sheet_asks_for_them() {
    let ship =
        [rect("flow: rows", [0.0, 0.0, 194.0, 250.0], ""), rect(LOG, [0.0, 0.0, 194.0, 200.0], LONG_LOG)].concat();
    let own = rect(TRACK, [0.0, 110.0, 194.0, 50.0], "") + &rect("panel: track drive", [0.0, 251.0, 194.0, 10.0], "");
    let rest = rect("panel: rest", [0.0, 0.0, 194.0, 100.0], "");
    let more = rect("flow: rows", [0.0, 0.0, 194.0, 250.0], "") + &rest + &own;
    let (scene, findings) = printed(&ship, &more);
    assert!(findings.is_empty(), "{findings:?}");
    for (stem, boxes) in [("hull_", 20), ("drive_", 4)] {
        assert_eq!(scene.pages.iter().map(|page| marks(page, stem)).sum::<usize>(), boxes, "{stem}");
    }
    let (template, _) = Template::read(&Source::new("more.svg", &svg(&more)));
    let kind = SheetKind::Continuation;
    let (findings, _) = check_sheet_template(&Arc::new(template.unwrap()), &rules(), kind, &|_| true, None);
    assert_eq!(codes(&findings), ["boxes-on-continuation"; 2], "{findings:?}");
}

/// A block of 60 mm with a text of 56 mm, beside a panel; the gap takes from both.
fn block_beside(gap: u32) -> String {
    let text = format!("<text x='2' y='30' font-size='3'><desc>width = 56</desc>{LONG_TEXT}</text>");
    let columns = rect("flow: columns", [0.0, 20.0, 124.0, 50.0], &format!("gap = {gap}"));
    let block = rect("block: plan", [0.0, 20.0, 60.0, 50.0], "");
    let beside = rect("panel: track drive", [64.0, 20.0, 60.0, 50.0], "");
    let row = rect(TRACK, [0.0, 80.0, 124.0, 50.0], "");
    format!("{}{columns}{block}{text}{beside}{row}", rect("flow: rows", [0.0, 10.0, 124.0, 240.0], ""))
}

const LONG_TEXT: &str = "A text as wide as its block when that is as wide as drawn";

#[test]
fn a_text_cut_in_a_narrow_block_is_printed_in_full() {
    let more = rect("panel: rest", [0.0, 20.0, 194.0, 230.0], "");
    let (scene, findings) = printed(&block_beside(4), &more);
    assert!(findings.is_empty() && scene.pages.len() == 1, "{findings:?}");
    assert!(words(&scene.pages[0]).contains(LONG_TEXT), "{}", words(&scene.pages[0]));
    // On the same page where that has room below its panels, or else on the next.
    let (scene, findings) = printed(&block_beside(60), &more);
    assert!(findings.is_empty() && scene.pages.len() == 1, "{findings:?}");
    let page = words(&scene.pages[0]);
    assert!(page.contains('…') && page.contains("IN FULL") && page.contains(LONG_TEXT), "{page}");
    let row = rect(TRACK, [0.0, 80.0, 124.0, 50.0], "");
    let full = block_beside(60).replace(&row, &rect(TRACK, [0.0, 80.0, 124.0, 50.0], "least = 200"));
    let (scene, findings) = printed(&full, &more);
    assert!(findings.is_empty() && scene.pages.len() == 2, "{findings:?}");
    let pages: Vec<String> = scene.pages.iter().map(words).collect();
    assert!(pages[0].contains('…') && !pages[0].contains(LONG_TEXT), "{pages:?}");
    assert!(pages[1].contains("IN FULL") && pages[1].contains(LONG_TEXT), "{pages:?}");
}

#[test]
fn texts_of_blocks_are_measured_at_the_width_of_the_page() {
    for (gap, width, is_cut) in [(4, 56.0, false), (60, 56.0 * 32.0 / 60.0, true)] {
        let (template, _) = prepared(&block_beside(gap));
        let templates = TemplateCache::new(|_, _| None);
        let measures = measure_slots(&template, &ship(), &templates);
        let found: Vec<(bool, f32)> = measures.slots.iter().map(|text| (text.is_cut, text.width.round())).collect();
        assert_eq!(found, [(is_cut, f32::round(width))]);
    }
}

#[test]
fn only_panels_that_keep_their_rectangle_need_room_in_it() {
    let flow = rect("flow: rows", [0.0, 0.0, 194.0, 200.0], "");
    let low = |y: f32| rect(TRACK, [0.0, y, 100.0, 2.0], "");
    let drive = rect("panel: track drive", [0.0, 230.0, 100.0, 20.0], "");
    let block = rect("block: b", [0.0, 100.0, 120.0, 20.0], "least = 60");
    for (y, expected) in [(50.0, vec![]), (110.0, vec![]), (210.0, vec!["panel-too-small"])] {
        let inside = format!("{flow}{block}{}{drive}", low(y));
        let (template, _) = Template::read(&Source::new("ship.svg", &svg(&inside)));
        let (findings, rooms) =
            check_sheet_template(&Arc::new(template.unwrap()), &rules(), SheetKind::Design, &|_| true, None);
        assert_eq!(codes(&findings), expected, "{findings:?}");
        assert_eq!(rooms.len(), if y == 50.0 { 1 } else { 2 }, "{rooms:?}");
    }
}

#[test]
fn the_templates_of_sheets_include_compact_forms_of_the_same_folder() {
    let files = ["own/ship.svg", "own/ship-compact.svg", "own/more.svg", "built-in/more-compact.svg"];
    let templates = TemplateCache::new(move |_, name| {
        let file = files.iter().find(|file| file.ends_with(&format!("/{name}")))?;
        Some(Ok(Source::new(*file, &svg(""))))
    });
    let rules = rules();
    let sheet =
        |name: &str, sheet: &str, kind: SheetKind| SheetTemplate { name: name.into(), sheet: sheet.into(), kind };
    let expected = [
        sheet("ship.svg", "ship", SheetKind::Design),
        sheet("ship-compact.svg", "ship", SheetKind::Design),
        sheet("more.svg", "more", SheetKind::Continuation),
    ];
    assert_eq!(templates.sheet_templates(&rules), expected);
    // Two names for one text: each has its own compact form.
    let same = TemplateCache::new(|_, name| Some(Ok(Source::new(name, &svg("")))));
    let compact = same.compact_template(&rules, "more.svg").unwrap();
    assert_eq!(&*compact.template.source.file, "more-compact.svg");
    assert!(templates.findings().is_empty(), "what nobody asked for is not missing");
}
