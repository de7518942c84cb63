//! `panel: legend systems`: the letters and icons of the systems on board, and what they mean.

use std::sync::Arc;

use super::content::text_blocks::{Legend as Words, LegendEntry};
use super::kind::PanelKind;
use super::panel::Panel;
use super::panel_args::PanelArgs;
use super::panel_options::{Maybe, Number, Or, Texts, panel_options};
use crate::ruleset::SystemDef;
use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::layout::flowable::Flowable;

pub static KIND: PanelKind = PanelKind {
    name: "legend",
    argument: "the word `systems`",
    about: "letters and icons of the fitted systems, each once, with their names",
    options: LegendOptions::LIST,
    compile,
};

panel_options! {
    struct LegendOptions {
        except: Vec<Arc<str>> = "except", Or(Texts, Vec::new()), "systems to leave out";
        size: Option<f32> = "size", Maybe(Number(1.0, 60.0)), "side of the icons in mm; default: as high as the letters";
    }
}

struct LegendPanel {
    options: LegendOptions,
}

fn compile(args: &mut PanelArgs<'_>) -> Option<Box<dyn Panel>> {
    if let Some(word) = args.argument.iter().find(|word| &***word != "systems").cloned() {
        let message = format!("`{}`: unknown legend `{word}`", args.label);
        args.report_argument("unknown-panel-argument", message, Some("use `panel: legend systems`".into()));
    }
    Some(Box::new(LegendPanel { options: LegendOptions::read(args) }))
}

impl Panel for LegendPanel {
    fn content(&self, view: &ShipView<'_>) -> Option<Box<dyn Flowable>> {
        let mut entries: Vec<LegendEntry> = Vec::new();
        let mut seen: Vec<&Arc<str>> = Vec::new();
        // In the ruleset's order, so that a letter has the same place on every ship's sheet.
        let order = |id: &str| view.evaluation.ruleset.systems.iter().position(|system| *system.id == *id);
        let mut fits: Vec<_> = view.evaluation.fits.iter().filter(|fit| fit.count > 0).collect();
        fits.sort_by_key(|fit| order(&fit.system).unwrap_or(usize::MAX));
        for fit in fits {
            if seen.contains(&&fit.system) || self.options.except.contains(&fit.system) {
                continue;
            }
            seen.push(&fit.system);
            let icon = fit.icon.as_ref().and_then(|icon| view.icon(icon));
            if icon.is_none() && fit.abbr.is_empty() {
                continue;
            }
            entries.push(LegendEntry { letters: fit.abbr.clone(), icon, words: fit.name.clone() });
        }
        if view.options.is_blank {
            let systems = view.evaluation.ruleset.systems.iter();
            let sign = |system: &SystemDef| !system.is_abstract && (!system.abbr.is_empty() || system.icon.is_some());
            let shown = systems.filter(|system| sign(system) && !self.options.except.contains(&system.id));
            entries.extend(shown.map(|system| LegendEntry {
                letters: system.abbr.clone(),
                icon: system.icon.as_ref().and_then(|icon| view.icon(icon)),
                words: system.name.clone(),
            }));
        }
        if entries.is_empty() { None } else { Some(Box::new(Words { entries, size: self.options.size })) }
    }
}
