//! `panel: legend systems`: the letters and icons of the systems on board, and what they mean.

use std::sync::Arc;

use super::content::text_blocks::{Legend as Words, LegendEntry};
use super::kind::PanelKind;
use super::panel::Panel;
use super::panel_args::PanelArgs;
use super::panel_options::{Maybe, Number, Or, Texts, panel_options};
use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::assembly::shown_parts::ShownParts;
use crate::sheet::layout::flowable::Flowable;
use moldloft_rules::evaluate::BoxKind;
use moldloft_rules::ruleset::SystemDef;

pub static KIND: PanelKind = PanelKind {
    name: "legend",
    argument: "the word `systems`",
    about: "letters and icons of the fitted systems, each once, with their names; boxes that are not for damage, with their use",
    options: LegendOptions::LIST,
    compile,
};

panel_options! {
    struct LegendOptions {
        except: Vec<Arc<str>> = "except", Or(Texts, Vec::new()),
            "systems to leave out, or kinds of boxes: `ammo`, `state`, `each-turn`, `countdown`";
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

impl LegendPanel {
    /// What the boxes of the ship's tracks are for, apart from damage, where they are drawn as usual for that.
    fn box_kinds(&self, view: &ShipView<'_>) -> Vec<LegendEntry> {
        let is_excepted = |word: &str| self.options.except.iter().any(|except| **except == *word);
        let is_shown = |kind: BoxKind, word: &str| {
            let tracks = view.evaluation.tracks.iter().filter(|track| track.kind == kind && track.boxes() > 0);
            kind != BoxKind::Damage
                && !is_excepted(word)
                && tracks.filter(|track| track.shape == kind.default_shape() && track.box_template.is_none()).count()
                    > 0
        };
        let shown = BoxKind::ALL.into_iter().filter(|(word, kind)| is_shown(*kind, word));
        let entry = |(_, kind): (&str, BoxKind)| LegendEntry {
            letters: "".into(),
            icon: None,
            shape: Some(kind.default_shape()),
            words: view.say(kind.legend()).into(),
        };
        shown.map(entry).collect()
    }
}

impl Panel for LegendPanel {
    fn content(&self, view: &ShipView<'_>, _: &mut ShownParts) -> Option<Box<dyn Flowable>> {
        let mut entries: Vec<LegendEntry> = Vec::new();
        let mut seen: Vec<&Arc<str>> = Vec::new();
        // In the ruleset's order, so that a letter has the same place on every ship's sheet.
        let order = |id: &str| view.evaluation.ruleset.systems.iter().position(|system| *system.id == *id);
        let mut fits: Vec<_> = view.evaluation.fits.iter().enumerate().filter(|(_, fit)| fit.count > 0).collect();
        fits.sort_by_key(|(_, fit)| order(&fit.system).unwrap_or(usize::MAX));
        for (n, fit) in fits {
            if seen.contains(&&fit.system) || view.evaluation.counts_as_any(n, &self.options.except) {
                continue;
            }
            seen.push(&fit.system);
            let icon = fit.icon.as_ref().and_then(|icon| view.icon(icon));
            if icon.is_none() && fit.abbr.is_empty() {
                continue;
            }
            entries.push(LegendEntry { letters: fit.abbr.clone(), icon, shape: None, words: fit.name.clone() });
        }
        if view.options.is_blank {
            let systems = view.evaluation.ruleset.systems.iter();
            let sign = |system: &SystemDef| !system.is_abstract && (!system.abbr.is_empty() || system.icon.is_some());
            let shown = systems.filter(|system| sign(system) && !self.options.except.contains(&system.id));
            entries.extend(shown.map(|system| LegendEntry {
                letters: system.abbr.clone(),
                icon: system.icon.as_ref().and_then(|icon| view.icon(icon)),
                shape: None,
                words: view.say_shared(&system.name),
            }));
        }
        if !entries.is_empty() {
            entries.extend(self.box_kinds(view));
        }
        if entries.is_empty() { None } else { Some(Box::new(Words { entries, size: self.options.size })) }
    }
}
