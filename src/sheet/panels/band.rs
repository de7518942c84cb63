//! `panel: band`: the colour and pattern of the ship's nation or side, the same on sheets, cards and counters.

use std::sync::Arc;

use super::content::band_art::{BandArt, BandCache};
use super::kind::PanelKind;
use super::panel::Panel;
use super::panel_args::PanelArgs;
use super::panel_options::{Maybe, Template, Text, panel_options};
use crate::evaluate::{Band, BandPattern, SlotScope};
use crate::finding::nearest;
use crate::formula::{TextTemplate, Value};
use crate::ruleset::{FieldKind, Ruleset, SlotContext};
use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::layout::flowable::Flowable;

pub static KIND: PanelKind = PanelKind {
    name: "band",
    argument: "",
    about: "a strip in the colour and pattern of the nation or side; nothing if there is none",
    options: BandOptions::LIST,
    compile,
};

panel_options! {
    struct BandOptions {
        colour: Option<TextTemplate> = "colour", Maybe(Template(SlotContext::Ship)),
            "`#rrggbb`; text with {{ }}; default: the fleet's `colour`, else that of the option chosen in a field, else that of the table's row";
        pattern: Option<TextTemplate> = "pattern", Maybe(Template(SlotContext::Ship)),
            "with `colour`: `solid`, `diagonal`, `horizontal`, `dots`, `chevrons` or `checks`; text with {{ }}";
        table: Option<Arc<str>> = "table", Maybe(Text),
            "a table with the columns `name`, `colour` and `pattern`; the row whose name is the fleet's side, or the text of a field, counts; default: `bands`, if there is one";
    }
}

/// The table of sides for which there are no options to choose.
const TABLE: &str = "bands";

struct BandPanel {
    options: BandOptions,
    table: Arc<str>,
    cache: Arc<BandCache>,
}

fn compile(args: &mut PanelArgs<'_>) -> Option<Box<dyn Panel>> {
    let options = BandOptions::read(args);
    if let Some(table) = &options.table {
        let tables: Vec<&str> = args.ruleset.tables.iter().map(|table| &*table.id).collect();
        args.check_known("table", table, &tables);
    }
    report_unusable_options(args);
    let table = options.table.clone().unwrap_or_else(|| TABLE.into());
    Some(Box::new(BandPanel { options, table, cache: Arc::default() }))
}

/// Reports options of a field whose colour or pattern cannot be drawn.
fn report_unusable_options(args: &mut PanelArgs<'_>) {
    let ruleset: &Ruleset = args.ruleset;
    for field in &ruleset.fields {
        let FieldKind::Choice(choice) = &field.kind else { continue };
        let place = |key: &str| choice.attributes.iter().position(|(id, _)| **id == *key);
        let (Some(colour), pattern) = (place("colour"), place("pattern")) else { continue };
        for option in &choice.options {
            let text = |at: usize| match option.values.get(at) {
                Some(Value::Text(text)) => text.to_string(),
                _ => String::new(),
            };
            let (colour, pattern) = (text(colour), pattern.map(text).unwrap_or_default());
            if !colour.is_empty() && Band::parse(&colour, &pattern).is_none() {
                let known = BandPattern::ALL.map(|(word, _)| word);
                let help = match nearest(&pattern, known) {
                    Some(near) if BandPattern::parse(&pattern).is_none() => format!("did you mean `{near}`?"),
                    _ => format!("write the colour as `#rrggbb`, and a pattern: {}", known.join(", ")),
                };
                let message = format!(
                    "`{}`: cannot draw the band of {} `{}`: {colour} {pattern}",
                    args.label, field.id, option.id
                );
                args.report_argument("wrong-band", message, Some(help));
            }
        }
    }
}

impl BandPanel {
    fn band(&self, view: &ShipView<'_>) -> Option<Band> {
        let evaluation = view.evaluation;
        let say = |text: &Option<TextTemplate>| {
            text.as_ref().and_then(|text| evaluation.render(text, &SlotScope::default())).unwrap_or_default()
        };
        if let Some(band) = evaluation.ship.fleet.as_ref().and_then(|fleet| fleet.band) {
            return Some(band);
        }
        if self.options.colour.is_some() {
            return Band::parse(&say(&self.options.colour), &say(&self.options.pattern));
        }
        chosen_band(view).or_else(|| self.band_of_table(view))
    }

    /// The row of the table that names the fleet's side, or what a field says.
    fn band_of_table(&self, view: &ShipView<'_>) -> Option<Band> {
        let evaluation = view.evaluation;
        let table = evaluation.tables.iter().find(|table| table.id == self.table)?;
        let column = |id: &str| table.columns.iter().position(|column| *column.id == *id);
        let (name, colour, pattern) = (column("name")?, column("colour")?, column("pattern")?);
        let texts = evaluation.fields.iter().filter_map(|field| match &field.value {
            Value::Text(text) if !text.trim().is_empty() => Some(text.trim().to_lowercase()),
            _ => None,
        });
        let side = evaluation.ship.fleet.as_ref().map(|fleet| fleet.side.trim().to_lowercase());
        let mut wanted = texts.chain(side.filter(|side| !side.is_empty()));
        wanted.find_map(|wanted| {
            let text = |row: &[Value], at: usize| match row.get(at) {
                Some(Value::Text(text)) => text.to_string(),
                _ => String::new(),
            };
            let row = table.rows.iter().find(|row| text(row, name).to_lowercase() == wanted)?;
            Band::parse(&text(row, colour), &text(row, pattern))
        })
    }
}

/// The band of the option chosen in the first field whose options have one.
fn chosen_band(view: &ShipView<'_>) -> Option<Band> {
    let evaluation = view.evaluation;
    evaluation.ruleset.fields.iter().find_map(|field| {
        let FieldKind::Choice(choice) = &field.kind else { return None };
        let place = |key: &str| choice.attributes.iter().position(|(id, _)| **id == *key);
        let (colour, pattern) = (place("colour")?, place("pattern"));
        let Value::Text(chosen) = &evaluation.fields.iter().find(|known| known.id == field.id)?.value else {
            return None;
        };
        let option = choice.options.iter().find(|option| option.id == *chosen)?;
        let text = |at: usize| match option.values.get(at) {
            Some(Value::Text(text)) => &**text,
            _ => "",
        };
        Band::parse(text(colour), pattern.map_or("", text))
    })
}

impl Panel for BandPanel {
    fn content(&self, view: &ShipView<'_>) -> Option<Box<dyn Flowable>> {
        Some(Box::new(BandArt { band: self.band(view)?, cache: Arc::clone(&self.cache) }))
    }

    fn suits_faces(&self) -> bool {
        true
    }
}
