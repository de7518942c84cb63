//! `panel: counter ID`: the ship's counters, one entry each: a box, its number, its sign, cells to write in.

use std::sync::Arc;

use super::common_options::BLANK;
use super::content::inventory::{CounterLot, Inventory, KeyedList, SignKey};
use super::kind::PanelKind;
use super::panel::{Panel, PanelShows};
use super::panel_args::PanelArgs;
use super::panel_options::{
    Choice, Maybe, Number, NumberList, Or, TemplateText, Text, Texts, TextsByName, panel_options,
};
use crate::sheet::assembly::ship_view::{ShipView, format_value};
use crate::sheet::assembly::shown_parts::ShownParts;
use crate::sheet::layout::flowable::{Flowable, HeadedContent, HeadingStyle, VStack};
use moldloft_base::sanitize::id_as_words;
use moldloft_drawing::scene::Drawing;
use moldloft_rules::evaluate::{CounterResult, ResultRef, SlotScope};
use moldloft_rules::formula::TextTemplate;
use moldloft_rules::ruleset::SlotContext;

pub static KIND: PanelKind = PanelKind {
    name: "counter",
    argument: "the id of a counter",
    about: "an entry for each counter: a box, its number and sign, cells to write in",
    options: CounterOptions::LIST,
    compile,
};

panel_options! {
    struct CounterOptions {
        write: Vec<Arc<str>> = "write", Or(Texts, Vec::new()), "names of the cells to write in";
        widths: Vec<f32> = "widths", Or(NumberList, Vec::new()), "parts of the width for those cells";
        cell_width: f32 = "cell", Or(Number(1.0, 60.0), 4.8), "least width of a cell to write in, in mm; of several cells their mean";
        sign: Option<Arc<str>> = "sign", Maybe(Text), "which word of its data is shown as a sign";
        signs: Vec<(Arc<str>, Arc<str>)> = "signs", Or(TextsByName, Vec::new()), "icon files for that word";
        per_fit: bool = "per", Or(Choice(&[("fit", true), ("ship", false)]), false),
            "`fit`: a small heading for each fit it comes from";
        heading: Option<TextTemplate> = "heading", Maybe(TemplateText(SlotContext::Fit)),
            "text of that heading after the name; text with {{ }}, `it` is the fit";
        size: f32 = "size", Or(Number(3.0, 60.0), 4.0), "preferred side of a box in mm";
    }
}

/// Lists of counters up to this height are not split where they follow another, mm.
const KEPT_TOGETHER: f32 = 36.0;

struct CounterPanel {
    options: CounterOptions,
    id: Arc<str>,
    /// Cells to write in: name and share of the width.
    cells: Vec<(Arc<str>, f32)>,
    blank: u32,
}

fn compile(args: &mut PanelArgs<'_>) -> Option<Box<dyn Panel>> {
    let known: Vec<&str> = args.ruleset.counters.iter().map(|counter| &*counter.id).collect();
    let id = args.argument.first().cloned().unwrap_or_else(|| "".into());
    if !known.contains(&&*id) {
        args.report_unknown("counter", &id, &known);
        return None;
    }
    let options = CounterOptions::read(args);
    let mut widths = options.widths.clone();
    widths.resize(options.write.len(), widths.last().copied().unwrap_or(1.0));
    // Shares of what is left, as multiples of the mean.
    let mean = (widths.iter().sum::<f32>() / widths.len().max(1) as f32).max(0.01);
    widths.iter_mut().for_each(|width| *width /= mean);
    Some(Box::new(CounterPanel {
        id,
        cells: options.write.iter().cloned().zip(widths.into_iter().map(|width| width.clamp(0.2, 10.0))).collect(),
        options,
        blank: args.integer(BLANK.key).unwrap_or(0),
    }))
}

impl CounterPanel {
    /// The word of a counter's data that is shown as a sign, and that sign, if there is a drawing for it.
    fn sign(&self, counter: &CounterResult, view: &ShipView<'_>) -> (Option<Arc<str>>, Option<Arc<Drawing>>) {
        let data =
            self.options.sign.as_ref().and_then(|word| {
                counter.data.iter().find(|(name, _)| name == word).map(|(_, value)| format_value(value))
            });
        let file = data
            .as_ref()
            .and_then(|word| self.options.signs.iter().find(|(known, _)| known == word).map(|(_, file)| file));
        let sign = file.and_then(|file| view.icon(file));
        (data, sign)
    }

    /// The ship's own counters of this kind.
    fn counters<'v>(&'v self, view: &'v ShipView<'_>) -> impl Iterator<Item = &'v CounterResult> {
        view.evaluation.counters.iter().filter(|counter| counter.id == self.id && counter.count > 0)
    }

    /// Each sign of the ship's counters once, with its word.
    fn key(&self, view: &ShipView<'_>) -> SignKey {
        let mut seen: Vec<Arc<str>> = Vec::new();
        let signs = self.counters(view).filter_map(|counter| {
            let (Some(word), Some(sign)) = self.sign(counter, view) else { return None };
            let is_new = !seen.contains(&word);
            seen.push(Arc::clone(&word));
            is_new.then(|| (sign, view.say(&id_as_words(&word)).into()))
        });
        signs.collect()
    }

    fn counter_lot(&self, counter: &CounterResult, first: u32, view: &ShipView<'_>) -> CounterLot {
        let (data, sign) = self.sign(counter, view);
        let letters = if sign.is_some() { "".into() } else { data.unwrap_or_else(|| "".into()) };
        let fit = counter.fit.and_then(|fit| view.evaluation.fits.get(fit)).map(|fit| fit.index);
        CounterLot { count: counter.count, number: counter.first, sign, letters, fit, first }
    }

    fn inventory(&self, lots: Vec<CounterLot>, key: SignKey, view: &ShipView<'_>) -> Inventory {
        Inventory {
            stem: self.id.clone(),
            lots,
            cells: self.cells.clone(),
            headings: self.cells.iter().map(|(name, _)| view.say_shared(name)).collect(),
            cell_width: self.options.cell_width,
            preferred_side: self.options.size,
            key,
            continued_side: None,
        }
    }
}

impl Panel for CounterPanel {
    fn shows(&self) -> PanelShows {
        PanelShows::Boxes
    }

    fn content(&self, view: &ShipView<'_>, _: &mut ShownParts) -> Option<Box<dyn Flowable>> {
        if view.options.is_blank {
            let lot =
                CounterLot { count: self.blank, number: None, sign: None, letters: "".into(), fit: None, first: 1 };
            return (self.blank > 0).then(|| Box::new(self.inventory(vec![lot], Vec::new(), view)) as _);
        }
        let mut first = 1;
        // Lots of one fit are together under its heading.
        let mut groups: Vec<(Option<usize>, Vec<CounterLot>)> = Vec::new();
        for counter in self.counters(view) {
            let lot = self.counter_lot(counter, first, view);
            first += counter.count;
            match groups.last_mut() {
                Some((fit, lots)) if !self.options.per_fit || *fit == counter.fit => lots.push(lot),
                _ => groups.push((counter.fit, vec![lot])),
            }
        }
        if groups.is_empty() {
            return None;
        }
        if !self.options.per_fit {
            return groups
                .into_iter()
                .next()
                .map(|(_, lots)| Box::new(self.inventory(lots, self.key(view), view)) as _);
        }
        let many = groups.len() > 1;
        // Things of the same name get a number to tell them apart.
        let name_at =
            |fit: Option<usize>| fit.and_then(|fit| view.evaluation.fits.get(fit)).map(|fit| fit.name.clone());
        let names: Vec<_> = groups.iter().filter_map(|(fit, _)| name_at(*fit)).collect();
        let twice = |name: &str| names.iter().filter(|known| ***known == *name).count() > 1;
        let mut seen: Vec<String> = Vec::new();
        let parts: Vec<Box<dyn Flowable>> = groups
            .into_iter()
            .enumerate()
            .map(|(n, (fit, lots))| {
                let focus = SlotScope { it: fit.map_or(ResultRef::Nothing, ResultRef::Fit), ..SlotScope::default() };
                let name = fit.and_then(|fit| view.evaluation.fits.get(fit)).map_or("", |fit| &*fit.name);
                let words = self.options.heading.as_ref().and_then(|text| view.render_text(text, &focus));
                let alike = seen.iter().filter(|known| *known == name).count() + 1;
                seen.push(name.to_owned());
                let name_of = if twice(name) { format!("{name} {alike}") } else { name.to_owned() };
                let title = match words {
                    Some(words) => format!("{name_of} · {words}"),
                    None if many => name_of,
                    None => String::new(),
                };
                let named = name.to_owned();
                let body = Box::new(self.inventory(lots, Vec::new(), view));
                let style = HeadingStyle::Beside;
                let (note, more) = (String::new(), String::new());
                let list = HeadedContent {
                    title,
                    note,
                    extra_note: more,
                    style,
                    continuation_title: named,
                    continued: false,
                    continued_word: view.say("continued").into(),
                    // A second list goes whole to the next page rather than leave a few there.
                    kept_together: if n > 0 { KEPT_TOGETHER } else { 0.0 },
                    body,
                };
                Box::new(KeyedList { list, key: if n == 0 { self.key(view) } else { Vec::new() } }) as Box<dyn Flowable>
            })
            .collect();
        Some(Box::new(VStack::new(parts, 1.6, true)))
    }

    fn heading(&self, view: &ShipView<'_>) -> Option<(String, HeadingStyle)> {
        let counter = view.evaluation.counters.iter().find(|counter| counter.id == self.id);
        Some((counter.map_or_else(|| view.say(&self.id), |counter| counter.label.to_string()), HeadingStyle::Ruled))
    }
}
