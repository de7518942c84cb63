//! `panel: arcs`: the arcs of fire of a ship's systems, each as a small circle with dark sectors.

use std::sync::Arc;

use super::content::arc_rose::RoseCache;
use super::content::arc_roses::{ArcRoses, NamedRose, UnreadArcs};
use super::kind::PanelKind;
use super::panel::Panel;
use super::panel_args::PanelArgs;
use super::panel_options::{Custom, Maybe, Number, Or, TemplateText, Texts, panel_options};
use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::assembly::shown_parts::ShownParts;
use crate::sheet::layout::flowable::Flowable;
use moldloft_rules::arcs::{Arcs, SectorWords};
use moldloft_rules::evaluate::{ResultRef, SlotScope};
use moldloft_rules::formula::{Formula, TextTemplate};
use moldloft_rules::ruleset::SlotContext;

pub static KIND: PanelKind = PanelKind {
    name: "arcs",
    argument: "none",
    about: "the ship's arcs of fire, each as a circle with dark sectors",
    options: ArcsOptions::LIST,
    compile,
};

panel_options! {
    struct ArcsOptions {
        arcs: Option<TextTemplate> = "arcs", Maybe(TemplateText(SlotContext::Fit)),
            "a circle for each system with arcs: `forward 120°`, `port`, `aft starboard`, `300-60`, `all round`, lists of these; text with {{ }}, `it` is the fit";
        systems: Option<Vec<Arc<str>>> = "systems", Maybe(Texts), "with `arcs`: only these systems";
        circles: Vec<Circle> = "circles", Or(Custom(parse_circles), Vec::new()),
            "more circles: a list of `{ label = \"main guns\", arcs = \"300-240\", when = \"guns > 0\" }`";
        sectors: SectorWords = "sectors", Or(Custom(parse_sectors), Vec::new()),
            "words for arcs: `{ mouth = \"350-10\" }`, in degrees clockwise from the bow";
        size: f32 = "size", Or(Number(4.0, 60.0), 9.0), "preferred diameter in mm";
    }
}

/// A circle that the template declares.
#[derive(Clone)]
struct Circle {
    label: Option<TextTemplate>,
    arcs: Option<TextTemplate>,
    when: Option<Formula>,
}

struct ArcsPanel {
    options: ArcsOptions,
    cache: RoseCache,
}

fn compile(args: &mut PanelArgs<'_>) -> Option<Box<dyn Panel>> {
    let options = ArcsOptions::read(args);
    let systems: Vec<&str> = args.ruleset.systems.iter().map(|system| &*system.id).collect();
    for system in options.systems.iter().flatten() {
        args.check_known("system", system, &systems);
    }
    if options.arcs.is_none() && options.circles.is_empty() {
        let message = format!("`{}`: missing option `arcs` or `circles`", args.label);
        args.report_argument("wrong-panel-option", message, Some("write arcs = \"{{ it.arc }}\"".into()));
        return None;
    }
    Some(Box::new(ArcsPanel { options, cache: RoseCache::default() }))
}

fn parse_circles(args: &mut PanelArgs<'_>, key: &str) -> Option<Vec<Circle>> {
    const KEYS: [&str; 3] = ["label", "arcs", "when"];
    let tables = args.tables(key)?;
    let label = Arc::clone(&args.label);
    let read = |table| {
        let mut args = args.nested(Arc::clone(&label), table);
        args.report_unknown_options(&[], || KEYS.into_iter());
        Circle {
            label: args.template_text("label", &SlotContext::Ship),
            arcs: args.template_text("arcs", &SlotContext::Ship),
            when: args.condition("when", &SlotContext::Ship),
        }
    };
    Some(tables.into_iter().map(read).collect())
}

/// Words for arcs; those that cannot be read are reported.
pub fn parse_sectors(args: &mut PanelArgs<'_>, key: &str) -> Option<SectorWords> {
    let mut words = SectorWords::new();
    for (word, text) in args.string_map(key)? {
        match Arcs::parse(&text, &words) {
            Some(arcs) => words.push((word.to_lowercase().into(), arcs)),
            None => {
                let span = args.options.get(key).map(|node| node.span).unwrap_or_default();
                let message = format!("`{}`: cannot read the arcs of `{word}`: {text}", args.label);
                let help = "write degrees clockwise from the bow, such as \"300-60\"";
                args.report("wrong-panel-option", message, Some(help.into()), span);
            }
        }
    }
    Some(words)
}

impl Panel for ArcsPanel {
    fn content(&self, view: &ShipView<'_>, _: &mut ShownParts) -> Option<Box<dyn Flowable>> {
        let mut circles: Vec<(Arcs, Vec<Arc<str>>)> = Vec::new();
        let mut unread: Vec<UnreadArcs> = Vec::new();
        let fits = self.options.arcs.iter().flat_map(|arcs| (0..view.evaluation.fits.len()).map(move |n| (arcs, n)));
        for (arcs, n) in fits {
            let fit = &view.evaluation.fits[n];
            if fit.count == 0
                || self.options.systems.as_ref().is_some_and(|systems| !view.evaluation.counts_as_any(n, systems))
            {
                continue;
            }
            let focus = SlotScope { it: ResultRef::Fit(n), ..SlotScope::default() };
            let text = view.evaluation.render_code(arcs, &focus).unwrap_or_default();
            let Some(arcs) = Arcs::parse(&text, &self.options.sectors) else {
                unread.extend(unread_arcs(&fit.name, &text));
                continue;
            };
            match circles.iter_mut().find(|(known, _)| *known == arcs) {
                Some((_, names)) if names.contains(&fit.name) => {}
                Some((_, names)) => names.push(fit.name.clone()),
                None => circles.push((arcs, vec![fit.name.clone()])),
            }
        }
        for circle in &self.options.circles {
            let ship = SlotScope::default();
            if circle.when.as_ref().is_some_and(|when| !view.condition_holds(when, &ship)) {
                continue;
            }
            let say = |text: &Option<TextTemplate>| {
                text.as_ref().and_then(|text| view.evaluation.render(text, &ship)).unwrap_or_default()
            };
            let arcs = circle.arcs.as_ref().and_then(|arcs| view.evaluation.render_code(arcs, &ship));
            let (label, text) = (say(&circle.label), arcs.unwrap_or_default());
            match Arcs::parse(&text, &self.options.sectors) {
                Some(arcs) => circles.push((arcs, vec![label.into()])),
                None => unread.extend(unread_arcs(&label, &text)),
            }
        }
        if circles.is_empty() && unread.is_empty() {
            return None;
        }
        let named = |(arcs, names): (Arcs, Vec<Arc<str>>)| NamedRose {
            rose: self.cache.rose(&arcs),
            name: names.join(", ").into(),
        };
        let roses = circles.into_iter().map(named).collect();
        Some(Box::new(ArcRoses { roses, unread, size: self.options.size }))
    }
}

/// Arcs that cannot be drawn, as they are written; `None` for a system without arcs.
fn unread_arcs(name: &str, text: &str) -> Option<UnreadArcs> {
    let text = text.trim();
    (!text.is_empty()).then(|| UnreadArcs { name: name.into(), text: text.into() })
}
