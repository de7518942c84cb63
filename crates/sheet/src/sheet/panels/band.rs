//! `panel: band`: the colour and pattern of the ship's nation or side, the same on sheets, cards and counters.

use std::sync::Arc;

use super::content::band_art::{BandArt, BandCache};
use super::kind::PanelKind;
use super::panel::{Panel, PanelShows};
use super::panel_args::PanelArgs;
use super::panel_options::{Maybe, TemplateText, Text, panel_options};
use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::assembly::shown_parts::ShownParts;
use crate::sheet::layout::flowable::Flowable;
use moldloft_base::finding::nearest;
use moldloft_rules::evaluate::{Band, BandPattern, Evaluation, SlotScope};
use moldloft_rules::formula::{Record, TextTemplate, Value};
use moldloft_rules::ruleset::{FieldKind, Ruleset, SlotContext, TableKind};

pub static KIND: PanelKind = PanelKind {
    name: "band",
    argument: "none",
    about: "a strip in the colour and pattern of the nation or side, for a fleet of most of its ships; nothing if there is none",
    options: BandOptions::LIST,
    compile,
};

panel_options! {
    struct BandOptions {
        colour: Option<TextTemplate> = "colour", Maybe(TemplateText(SlotContext::Ship)),
            "`#rrggbb`; text with {{ }}; default: the fleet's `colour`, else that of the option chosen in a field, else that of the table's row";
        pattern: Option<TextTemplate> = "pattern", Maybe(TemplateText(SlotContext::Ship)),
            "with `colour`: `solid`, `diagonal`, `horizontal`, `dots`, `chevrons` or `checks`; text with {{ }}";
        table: Option<Arc<str>> = "table", Maybe(Text),
            "a table with the columns `name`, `colour` and `pattern`; the row whose name is the text of a field, or begins the fleet's side, counts; default: `bands`, if there is one";
    }
}

/// The table of sides for which there are no options to choose.
pub const TABLE: &str = "bands";
/// Columns of that table, and data of the options of a field, which the panel reads.
pub const COLUMNS: [&str; 2] = ["colour", "pattern"];

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
    report_unusable_rows(args, &table);
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
            report_unusable_band(args, &format!("{} `{}`", field.id, option.id), &colour, &pattern);
        }
    }
}

/// The same for the rows of a table.
fn report_unusable_rows(args: &mut PanelArgs<'_>, table: &str) {
    let ruleset: &Ruleset = args.ruleset;
    let declared = ruleset.tables.iter().find(|known| *known.id == *table);
    if let Some(TableKind::Rows { rows, .. }) = declared.map(|declared| &declared.kind) {
        for row in rows {
            let whose = format!("“{}” in {table}", row_text(row, "name"));
            report_unusable_band(args, &whose, row_text(row, "colour"), row_text(row, "pattern"));
        }
    }
}

fn report_unusable_band(args: &mut PanelArgs<'_>, whose: &str, colour: &str, pattern: &str) {
    if colour.is_empty() || Band::parse(colour, pattern).is_some() {
        return;
    }
    let known = BandPattern::ALL.map(|(word, _)| word);
    let help = match nearest(pattern, known) {
        Some(near) if BandPattern::parse(pattern).is_none() => format!("did you mean `{near}`?"),
        _ => format!("write the colour as `#rrggbb`, and a pattern: {}", known.join(", ")),
    };
    let message = format!("`{}`: cannot draw the band of {whose}: {colour} {pattern}", args.label);
    args.report_argument("wrong-band", message, Some(help));
}

impl BandPanel {
    fn band(&self, view: &ShipView<'_>) -> Option<Band> {
        let evaluation = view.evaluation;
        let say = |text: &Option<TextTemplate>| {
            text.as_ref().and_then(|text| evaluation.render_code(text, &SlotScope::default())).unwrap_or_default()
        };
        if let Some(band) = evaluation.ship.fleet.as_ref().and_then(|fleet| fleet.band) {
            return Some(band);
        }
        if self.options.colour.is_some() {
            return Band::parse(&say(&self.options.colour), &say(&self.options.pattern));
        }
        match view.roster {
            Some(roster) => band_of_table(evaluation, &self.table).or_else(|| common_band(roster.ships)),
            None => own_band(evaluation, &self.table),
        }
    }
}

/// The band that more than half of a fleet's ships have.
fn common_band(ships: &[Evaluation]) -> Option<Band> {
    let bands: Vec<Band> = ships.iter().filter_map(ship_band).collect();
    bands.iter().find(|band| bands.iter().filter(|other| other == band).count() * 2 > ships.len()).cloned()
}

/// The band of a ship's nation or side, as sheets without options show it.
pub fn ship_band(evaluation: &Evaluation) -> Option<Band> {
    let of_fleet = evaluation.ship.fleet.as_ref().and_then(|fleet| fleet.band);
    of_fleet.or_else(|| own_band(evaluation, TABLE))
}

fn own_band(evaluation: &Evaluation, table: &str) -> Option<Band> {
    chosen_band(evaluation).or_else(|| band_of_table(evaluation, table))
}

/// The row of the table that names what a field says, or the fleet's side.
fn band_of_table(evaluation: &Evaluation, table: &str) -> Option<Band> {
    let table = evaluation.ruleset.tables.iter().find(|known| *known.id == *table)?;
    let TableKind::Rows { rows, .. } = &table.kind else { return None };
    let texts = evaluation.fields.iter().filter_map(|field| match &field.value {
        Value::Text(text) => Some(text.trim().to_lowercase()),
        _ => None,
    });
    let side = evaluation.ship.fleet.as_ref().map(|fleet| fleet.side.trim().to_lowercase());
    let mut wanted = texts.chain(side).filter(|wanted| !wanted.is_empty());
    wanted.find_map(|wanted| {
        let row = rows.iter().find(|row| is_named(&wanted, &row_text(row, "name").to_lowercase()))?;
        Band::parse(row_text(row, "colour"), row_text(row, "pattern"))
    })
}

/// Whether a text is a name, or begins with its words: `Narn Regime` is of `Narn`.
fn is_named(text: &str, name: &str) -> bool {
    let rest = text.strip_prefix(name).filter(|_| !name.is_empty());
    rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

fn row_text<'r>(row: &'r Record, column: &str) -> &'r str {
    match row.entries.iter().find(|(id, _)| **id == *column) {
        Some((_, Value::Text(text))) => text,
        _ => "",
    }
}

/// The band of the option chosen in the first field whose options have one.
fn chosen_band(evaluation: &Evaluation) -> Option<Band> {
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
    fn shows(&self) -> PanelShows {
        PanelShows::Extras
    }

    fn content(&self, view: &ShipView<'_>, _: &mut ShownParts) -> Option<Box<dyn Flowable>> {
        Some(Box::new(BandArt { band: self.band(view)?, cache: Arc::clone(&self.cache) }))
    }

    fn suits_faces(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::is_named;

    #[test]
    fn a_side_may_say_more_than_its_name() {
        for (text, name, named) in [
            ("narn", "narn", true),
            ("narn regime and hired hands", "narn", true),
            ("narnia", "narn", false),
            ("the narn", "narn", false),
            ("narn", "", false),
        ] {
            assert_eq!(is_named(text, name), named, "{text} {name}");
        }
    }
}
