//! `panel: stack`: panels one under another in one rectangle, sharing its height by what each needs.

use std::sync::Arc;

use super::common_options::SHOW;
use super::kind::PanelKind;
use super::panel::{CompiledPanel, Panel, PanelShows};
use super::panel_args::PanelArgs;
use super::panel_options::{Custom, Flag, Maybe, Number, Or, panel_options};
use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::assembly::shown_parts::ShownParts;
use crate::sheet::layout::flowable::{Flowable, HeadingStyle, VStack};
use crate::sheet::layout::hstack::HStack;
use moldloft_base::source::toml::TomlValue;

pub static KIND: PanelKind = PanelKind {
    name: "stack",
    argument: "a name, not printed",
    about: "panels below one another, sharing the height; each `[[panel]]` has `show = \"KIND ARGUMENT\"` and its own options",
    options: StackOptions::LIST,
    compile,
};

panel_options! {
    struct StackOptions {
        panels: Option<Vec<CompiledPanel>> = "panel", Maybe(Custom(parse_panels)), "the panels, as a list of tables";
        gap: f32 = "gap", Or(Number(0.0, 1000.0), 4.0), "space between panels in mm";
        in_order: bool = "in_order", Or(Flag, false),
            "true: if short of room, show the first panels in full and the last on the next page; or else a part of each";
    }
}

struct StackPanel {
    panels: Vec<CompiledPanel>,
    tracks: Vec<Arc<str>>,
    files: Vec<Arc<str>>,
    gap: f32,
    in_order: bool,
}

fn compile(args: &mut PanelArgs<'_>) -> Option<Box<dyn Panel>> {
    let StackOptions { panels, gap, in_order } = StackOptions::read(args);
    let Some(panels) = panels else {
        let message = format!("`{}`: missing panels", args.label);
        args.report_argument("missing-panel-option", message, Some("add them to its description as [[panel]]".into()));
        return None;
    };
    let tracks = panels.iter().flat_map(|panel| panel.panel.tracks().iter().cloned()).collect();
    let files = panels.iter().flat_map(|panel| panel.panel.files().iter().cloned()).collect();
    Some(Box::new(StackPanel { panels, tracks, files, gap, in_order }))
}

fn parse_panels(args: &mut PanelArgs<'_>, key: &str) -> Option<Vec<CompiledPanel>> {
    let tables = args.tables(key).filter(|tables| !tables.is_empty())?;
    let mut panels = Vec::new();
    for table in tables {
        let Some((words, span)) = table.get(SHOW.key).and_then(|node| match &node.data {
            TomlValue::Text(text) => Some((text.to_string(), node.span)),
            _ => None,
        }) else {
            let message = format!("`{}`: missing `show` in a panel", args.label);
            args.report("missing-panel-option", message, Some("add show = \"track structure\"".into()), table.span);
            continue;
        };
        let mut split = words.split_whitespace();
        let kind = split.next().unwrap_or_default();
        if kind == "stack" || kind == "rest" {
            let message = format!("`{}`: a stack cannot have a {kind}", args.label);
            args.report("wrong-panel-option", message, None, span);
            continue;
        }
        let argument_span = args.mapped.span_of(span.start as usize..span.end as usize);
        let label = format!("{} › {words}", args.label).into();
        let nested = PanelArgs { argument: split.map(Arc::from).collect(), argument_span, ..args.nested(label, table) };
        panels.extend((nested.compile_nested)(kind, nested));
    }
    Some(panels)
}

impl Panel for StackPanel {
    fn shows(&self) -> PanelShows {
        self.panels.iter().map(|panel| panel.panel.shows()).max().unwrap_or(PanelShows::Information)
    }

    fn content(&self, view: &ShipView<'_>, shown: &mut ShownParts) -> Option<Box<dyn Flowable>> {
        let mut parts: Vec<Box<dyn Flowable>> = Vec::new();
        let mut abreast: Vec<(f32, Box<dyn Flowable>)> = Vec::new();
        let mut later = Vec::new();
        let mut filled = 0.0;
        let gap = self.gap;
        let close = |abreast: &mut Vec<(f32, Box<dyn Flowable>)>, parts: &mut Vec<Box<dyn Flowable>>| {
            if !abreast.is_empty() {
                parts.push(Box::new(HStack { parts: std::mem::take(abreast), gap }));
            }
        };
        for panel in &self.panels {
            let Some(content) = panel.content(view, shown) else { continue };
            if panel.deferred {
                later.push((parts.len() + usize::from(!abreast.is_empty()), content));
                continue;
            }
            match panel.width {
                Some(width) if width < 0.99 => {
                    if filled + width > 1.01 {
                        close(&mut abreast, &mut parts);
                        filled = 0.0;
                    }
                    filled += width;
                    abreast.push((width, content));
                }
                _ => {
                    close(&mut abreast, &mut parts);
                    filled = 0.0;
                    parts.push(content);
                }
            }
        }
        close(&mut abreast, &mut parts);
        if parts.is_empty() && later.is_empty() {
            return None;
        }
        Some(Box::new(VStack { parts, gap, in_order: self.in_order, deferred: later }))
    }

    fn heading(&self, _view: &ShipView<'_>) -> Option<(String, HeadingStyle)> {
        Some((String::new(), HeadingStyle::Above)) // its panels have their own
    }

    fn is_log(&self) -> bool {
        self.panels.iter().any(|panel| panel.panel.is_log())
    }

    fn tracks(&self) -> &[Arc<str>] {
        &self.tracks
    }

    fn files(&self) -> &[Arc<str>] {
        &self.files
    }
}
