//! `panel: legend systems`: the letters and icons of what is aboard, and what they mean.

use std::sync::Arc;

use super::words::{Legend as Words, Meaning};
use super::{Kind, Panel, Setup};
use crate::ruleset::System;
use crate::sheet::content::Content;
use crate::sheet::view::View;

/// The kind.
pub static KIND: Kind = Kind {
    name: "legend",
    argument: "the word `systems`",
    about: "letters and icons of the fitted systems, each once, with their names",
    options: &[
        ("except", "systems to leave out"),
        ("size", "side of the icons in mm; default: as high as the letters"),
    ],
    compile,
};

struct Legend {
    except: Vec<Arc<str>>,
    size: Option<f32>,
}

fn compile(setup: &mut Setup<'_>) -> Option<Box<dyn Panel>> {
    if let Some(word) = setup.argument.iter().find(|word| &***word != "systems").cloned() {
        let message = format!("`{}`: unknown legend `{word}`", setup.label);
        setup.wrong_argument("unknown-panel-argument", message, Some("use `panel: legend systems`".into()));
    }
    let except = setup.words("except").unwrap_or_default();
    let size = setup.number("size").map(|size| size.clamp(1.0, 60.0));
    Some(Box::new(Legend { except, size }))
}

impl Panel for Legend {
    fn content(&self, view: &View<'_>) -> Option<Box<dyn Content>> {
        let mut entries: Vec<Meaning> = Vec::new();
        let mut seen: Vec<&Arc<str>> = Vec::new();
        // In the ruleset's order, so that the same letter stands in the same place on every ship's sheet.
        let order = |id: &str| view.evaluation.ruleset.systems.iter().position(|system| *system.id == *id);
        let mut fits: Vec<_> = view.evaluation.fits.iter().filter(|fit| fit.count > 0).collect();
        fits.sort_by_key(|fit| order(&fit.system).unwrap_or(usize::MAX));
        for fit in fits {
            if seen.contains(&&fit.system) || self.except.contains(&fit.system) {
                continue;
            }
            seen.push(&fit.system);
            let icon = fit.icon.as_ref().and_then(|icon| view.icon(icon));
            if icon.is_none() && fit.abbr.is_empty() {
                continue;
            }
            entries.push(Meaning { letters: fit.abbr.clone(), icon, words: fit.name.clone() });
        }
        if view.options.blank {
            let systems = view.evaluation.ruleset.systems.iter();
            let sign = |system: &System| !system.is_abstract && (!system.abbr.is_empty() || system.icon.is_some());
            let shown = systems.filter(|system| sign(system) && !self.except.contains(&system.id));
            entries.extend(shown.map(|system| Meaning {
                letters: system.abbr.clone(),
                icon: system.icon.as_ref().and_then(|icon| view.icon(icon)),
                words: system.name.clone(),
            }));
        }
        if entries.is_empty() { None } else { Some(Box::new(Words { entries, size: self.size })) }
    }
}
