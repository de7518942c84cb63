//! `panel: roster PART`: a fleet's facts for its own pages: its ships in their groups, totals by class, what was left
//! out, which rules are broken, settings in force. Shows nothing on a ship's sheet.

use std::sync::Arc;

use super::content::drawn_card::DrawnCard;
use super::content::roster_table::{RosterCell, RosterColumn, RosterLine, RosterNote, RosterTable};
use super::content::text_blocks::Paragraphs;
use super::kind::PanelKind;
use super::odds::{self, fight_table};
use super::panel::Panel;
use super::panel_args::PanelArgs;
use super::panel_options::{Custom, Maybe, Or, Text, Texts, panel_options};
use crate::sheet::assembly::fleet_roster::{Roster, counter_numbers};
use crate::sheet::assembly::ship_view::{ShipView, format_value, with_minus_signs};
use crate::sheet::assembly::shown_parts::ShownParts;
use crate::sheet::layout::flowable::{Flowable, HeadingStyle};
use crate::sheet::layout::text_style::{TextRole, TextStyle};
use moldloft_base::finding::nearest;
use moldloft_base::sanitize::plural;
use moldloft_drawing::art::Anchor;
use moldloft_rules::evaluate::SlotScope;
use moldloft_rules::formula::TextTemplate;
use moldloft_rules::ruleset::SlotContext;

pub static KIND: PanelKind = PanelKind {
    name: "roster",
    argument: "`ships`, `classes`, `left-out`, `broken`, `rules`, `settings`, `assumed`, `odds`, `card` or `counters`",
    about: "on a fleet's own pages: its ships by group, or facts about them",
    options: RosterOptions::LIST,
    compile,
};

const PARTS: [&str; 10] =
    ["ships", "classes", "left-out", "broken", "rules", "settings", "assumed", "odds", "card", "counters"];
const COLUMNS: [&str; 7] = ["silhouette", "hull", "class", "captain", "numbers", "condition", "points"];

panel_options! {
    struct RosterOptions {
        columns: Vec<Arc<str>> = "columns", Or(Texts, COLUMNS.map(Arc::from).to_vec()),
            "for `ships`: columns next to the name, of `silhouette`, `hull`, `class`, `captain`, `numbers`, `condition`, `points`";
        extra_columns: Vec<(Arc<str>, TextTemplate)> = "column", Or(Custom(parse_columns), Vec::new()),
            "for `ships`: more columns, as [[column]] with `head` and `text`; the texts are about the ship";
        empty_text: Option<Arc<str>> = "or", Maybe(Text), "text if there is nothing to list";
    }
}

struct RosterPanel {
    part: &'static str,
    options: RosterOptions,
}

fn compile(args: &mut PanelArgs<'_>) -> Option<Box<dyn Panel>> {
    let word = args.argument.first().cloned().unwrap_or_else(|| "ships".into());
    let Some(part) = PARTS.into_iter().find(|part| **part == *word) else {
        args.report_unknown("part of a roster", &word, &PARTS);
        return None;
    };
    let options = RosterOptions::read(args);
    for column in options.columns.iter().filter(|column| !COLUMNS.contains(&&***column)) {
        let message = format!("`{}`: unknown roster column `{column}`", args.label);
        let near = nearest(column, COLUMNS).map(|near| format!("did you mean `{near}`?"));
        let help = near.unwrap_or_else(|| format!("available columns: {}", COLUMNS.join(", ")));
        let span = args.options.get("columns").map(|node| node.span).unwrap_or_default();
        args.report("wrong-panel-option", message, Some(help), span);
    }
    Some(Box::new(RosterPanel { part, options }))
}

/// The fleet's counters in a line: of each label how many, and of how many ships.
fn count_counters(roster: &Roster<'_>) -> Vec<(Arc<str>, Arc<str>)> {
    let mut sums: Vec<(&Arc<str>, u64, u64)> = Vec::new();
    for ship in roster.ships {
        let mut named: Vec<&Arc<str>> = Vec::new();
        for counter in ship.counters.iter().filter(|counter| counter.count > 0) {
            let label = if counter.label.is_empty() { &counter.id } else { &counter.label };
            let place = sums.iter().position(|(known, ..)| *known == label).unwrap_or_else(|| {
                sums.push((label, 0, 0));
                sums.len() - 1
            });
            sums[place].1 += u64::from(counter.count);
            sums[place].2 += u64::from(!named.contains(&label));
            named.push(label);
        }
    }
    let words = |(label, count, ships): (&Arc<str>, u64, u64)| {
        let of = if count == ships {
            String::new()
        } else {
            format!(" {}", roster.ruleset.say(&format!("of {}", plural(ships as usize, "ship"))))
        };
        format!("{label}: {count}{of}")
    };
    let line = sums.into_iter().map(words).collect::<Vec<_>>().join(" · ");
    if line.is_empty() { Vec::new() } else { vec![("".into(), line.into())] }
}

fn parse_columns(args: &mut PanelArgs<'_>, key: &str) -> Option<Vec<(Arc<str>, TextTemplate)>> {
    let mut columns = Vec::new();
    for table in args.tables(key)? {
        let label = format!("{} › column", args.label).into();
        let mut nested = args.nested(label, table);
        let heading = nested.string("head").unwrap_or_default();
        columns.extend(nested.template_text("text", &SlotContext::Ship).map(|text| (heading, text)));
    }
    Some(columns)
}

impl RosterPanel {
    fn has_column(&self, column: &str) -> bool {
        self.options.columns.iter().any(|known| **known == *column)
    }

    /// The ships in their groups: a line per group, a line per ship, towed ships indented, notes below.
    fn ship_table(&self, view: &ShipView<'_>, roster: &Roster<'_>) -> RosterTable {
        let mut columns = Vec::new();
        let mut column = |head: &str, end: bool, strong: bool, spare: f32| {
            columns.push(RosterColumn { heading: view.say(head).into(), align_right: end, strong, spare_share: spare });
        };
        if self.has_column("hull") {
            column("hull no.", false, true, 0.0);
        }
        column("ship", false, true, 1.0);
        for (word, head) in
            [("class", "class"), ("captain", "captain"), ("numbers", "counters"), ("condition", "condition")]
        {
            if self.has_column(word) {
                column(head, false, false, 0.6);
            }
        }
        for (head, _) in &self.options.extra_columns {
            column(head, false, false, 0.0);
        }
        if self.has_column("points") {
            column("points", true, true, 0.0);
        }
        let mut lines = Vec::new();
        let groups = roster.by_group();
        let headed = groups.iter().any(|(group, _)| group.is_some());
        for (group, ships) in &groups {
            if headed {
                let sum = ships.iter().try_fold(0_i64, |sum, &n| sum.checked_add(roster.ships[n].points?));
                let many = ships.iter().filter(|&&n| roster.places[n].towed_by.is_none()).count();
                let (title, note) = match group.and_then(|group| roster.groups.get(group)) {
                    Some(group) if !group.name.is_empty() => (group.name.to_string(), group.kind.to_string()),
                    Some(group) => (group.kind.to_string(), String::new()),
                    None => (view.say("without a group"), String::new()),
                };
                let ships = view.say(&plural(many, "ship"));
                let note = [note, ships].into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" · ");
                lines.push(RosterLine::Heading {
                    title,
                    note,
                    sum: sum.map(|sum| with_minus_signs(&sum.to_string())).unwrap_or_default(),
                });
            }
            for &n in ships {
                lines.push(self.ship_line(view, roster, n));
                if let Some(notes) = roster.ships[n].ship.notes.as_deref().filter(|notes| !notes.trim().is_empty()) {
                    lines.extend(split_note(notes).map(|words| RosterLine::Note(RosterNote::new(words))));
                }
            }
        }
        let total = roster.facts.points.map(|points| with_minus_signs(&points.to_string())).unwrap_or_default();
        lines.push(RosterLine::Total { words: view.say("total"), sum: total });
        RosterTable { columns, lines, ..RosterTable::default() }.without_empty_columns()
    }

    fn ship_line(&self, view: &ShipView<'_>, roster: &Roster<'_>, n: usize) -> RosterLine {
        let (ship, place) = (&roster.ships[n], &roster.places[n]);
        let text = |words: Option<&str>| RosterCell(words.unwrap_or_default().to_owned());
        let mut cells = Vec::new();
        if self.has_column("hull") {
            cells.push(text(ship.ship.hull_number.as_deref()));
        }
        cells.push(text(Some(ship.ship.name.as_deref().unwrap_or(&ship.name))));
        if self.has_column("class") {
            cells.push(text(ship.ship.name.is_some().then_some(&*ship.name)));
        }
        if self.has_column("captain") {
            cells.push(text(ship.ship.captain.as_deref()));
        }
        if self.has_column("numbers") {
            cells.push(RosterCell(counter_numbers(ship)));
        }
        if self.has_column("condition") {
            let mut words = Vec::new();
            if let Some(by) = place.towed_by {
                words.push(format!("{} {}", view.say("towed by"), roster.short_name(by)));
            }
            let towed = roster.places.iter().filter(|other| other.towed_by == Some(n)).count();
            if towed > 0 {
                words.push(view.say(&format!("{towed} in tow")));
            }
            if !place.damage.is_empty() {
                words.push(place.damage.to_string());
            }
            if !ship.legal {
                words.push(view.say("not legal"));
            }
            words.extend(ship.custom_system_summary().map(|own| with_minus_signs(own)));
            cells.push(RosterCell(words.join("; ")));
        }
        for (_, words) in &self.options.extra_columns {
            cells.push(RosterCell(with_minus_signs(&ship.render(words, &SlotScope::default()).unwrap_or_default())));
        }
        if self.has_column("points") {
            cells.push(RosterCell(
                ship.points.map_or_else(|| "–".to_owned(), |points| with_minus_signs(&points.to_string())),
            ));
        }
        let picture = || ShipView::new(ship, view.options, view.styles, view.drawings).silhouette();
        RosterLine::Row {
            cells,
            indented: place.towed_by.is_some(),
            picture: if self.has_column("silhouette") { picture() } else { None },
        }
    }

    fn class_table(roster: &Roster<'_>, view: &ShipView<'_>) -> RosterTable {
        let column = |head: &str, end, strong, spare| RosterColumn {
            heading: head.into(),
            align_right: end,
            strong,
            spare_share: spare,
        };
        let columns = vec![
            column("class", false, true, 1.0),
            column("number", true, false, 0.0),
            column("each", true, false, 0.0),
            column("points", true, true, 0.0),
        ];
        let number =
            |n: Option<i64>| RosterCell(n.map_or_else(|| "–".to_owned(), |n| with_minus_signs(&n.to_string())));
        let mut lines: Vec<RosterLine> = roster
            .count_classes()
            .iter()
            .map(|class| RosterLine::Row {
                cells: vec![
                    RosterCell(class.name.to_string()),
                    RosterCell(class.count.to_string()),
                    number(class.points_each),
                    number(class.total()),
                ],
                indented: false,
                picture: None,
            })
            .collect();
        let total = roster.facts.points.map(|points| with_minus_signs(&points.to_string())).unwrap_or_default();
        lines.push(RosterLine::Total { words: view.say("total"), sum: total });
        RosterTable { columns, lines, ..RosterTable::default() }
    }

    /// Paragraphs of bold lead words and text.
    fn paragraphs(&self, roster: &Roster<'_>) -> Vec<(Arc<str>, Arc<str>)> {
        match self.part {
            "left-out" => roster.left_out.iter().map(|entry| (entry.subject.clone(), entry.text.clone())).collect(),
            "broken" => roster.broken.iter().map(|entry| (entry.subject.clone(), entry.text.clone())).collect(),
            "rules" => {
                let rules = &roster.ruleset;
                let base =
                    (Arc::clone(&rules.base.title), rules.say(&format!("version {}", rules.base.version)).into());
                let layer = |layer: &moldloft_rules::ruleset::RulesetLayer| {
                    let kind = if layer.supplement { "supplement" } else { "house rules" };
                    (Arc::clone(&layer.title), rules.say(&format!("version {}, {kind}", layer.version)).into())
                };
                let mut lines = vec![base];
                lines.extend(rules.layers.iter().map(layer));
                if rules.layers.iter().all(|layer| layer.supplement) {
                    lines.push(("".into(), rules.say("No house rules.").into()));
                }
                if rules.skipped > 0 {
                    let whose =
                        if rules.layers.iter().any(|layer| layer.supplement) { "layers'" } else { "house rules'" };
                    let words = format!("Skipped {} of the {whose} statements.", rules.skipped);
                    lines.push(("".into(), rules.say(&words).into()));
                }
                lines
            }
            "counters" => count_counters(roster),
            "settings" => {
                let setting = |setting: &moldloft_rules::ruleset::SettingDef| {
                    let option = match (&setting.choice, &setting.value) {
                        (Some(choice), moldloft_rules::formula::Value::Text(id)) => {
                            choice.options.iter().find(|option| option.id == *id).map(|option| option.label.clone())
                        }
                        _ => None,
                    };
                    let value = option.unwrap_or_else(|| format_value(&setting.value));
                    (roster.ruleset.say_shared(&setting.label), roster.ruleset.say_shared(&value))
                };
                roster.ruleset.settings.iter().filter(|setting| !setting.is_hidden).map(setting).collect()
            }
            _ => {
                let mut all: Vec<&str> = Vec::new();
                for words in roster.ships.iter().flat_map(|ship| &ship.assumptions) {
                    if !all.contains(&&**words) {
                        all.push(words);
                    }
                }
                if all.is_empty() { Vec::new() } else { vec![("".into(), roster.ruleset.say(&all.join("; ")).into())] }
            }
        }
    }
}

/// Long notes in pieces that a page can break between.
fn split_note(words: &str) -> impl Iterator<Item = String> {
    const LONG: usize = 60;
    const BYTES: usize = 4_000;
    let mut words = words.split_whitespace().flat_map(split_long_word).peekable();
    std::iter::from_fn(move || {
        let mut piece = words.next()?.to_owned();
        for _ in 1..LONG {
            let Some(word) = words.next_if(|word| piece.len() + word.len() < BYTES) else { break };
            piece.push(' ');
            piece.push_str(word);
        }
        Some(piece)
    })
}

/// Splits a word that would fill a page; returns any other as it is.
fn split_long_word(word: &str) -> impl Iterator<Item = &str> {
    const WHOLE: usize = 500;
    let mut rest = word;
    std::iter::from_fn(move || {
        let (part, after) = rest.split_at_checked(rest.floor_char_boundary(WHOLE))?;
        rest = after;
        (!part.is_empty()).then_some(part)
    })
}

impl Panel for RosterPanel {
    fn content(&self, view: &ShipView<'_>, _: &mut ShownParts) -> Option<Box<dyn Flowable>> {
        let roster = view.roster?;
        match self.part {
            "ships" => return Some(Box::new(self.ship_table(view, roster))),
            "classes" => return Some(Box::new(Self::class_table(roster, view))),
            "card" => return roster.card.clone().map(|card| Box::new(DrawnCard(card)) as Box<dyn Flowable>),
            "odds" => {
                return roster
                    .fights
                    .as_deref()
                    .map(|card| Box::new(fight_table(card, &roster.ruleset)) as Box<dyn Flowable>);
            }
            _ => {}
        }
        let mut paragraphs = self.paragraphs(roster);
        if paragraphs.is_empty() {
            paragraphs.push(("".into(), view.say_shared(self.options.empty_text.as_ref()?)));
        }
        let style = TextStyle { size: view.styles.minimums.text_size(8.0, TextRole::Label), ..view.styles.body };
        Some(Box::new(Paragraphs::new(paragraphs, style, Anchor::Start)))
    }

    fn heading(&self, view: &ShipView<'_>) -> Option<(String, HeadingStyle)> {
        view.roster?;
        let words = match self.part {
            "ships" => "Ships",
            "classes" => "By class",
            "left-out" => "Skipped",
            "broken" => "Rules broken",
            "rules" => "Rules",
            "settings" => "Settings",
            "odds" => odds::TITLE,
            "card" => "Card",
            "counters" => "On the table",
            _ => "Assumed",
        };
        Some((view.say(words), HeadingStyle::Ruled))
    }
}
