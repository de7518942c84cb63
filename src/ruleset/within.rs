//! Compiling a template's formulas and texts against a loaded ruleset. Takes text and the place it stands in, gives it
//! compiled; never changes what the ruleset says (its list of calls grows, which no result depends on).

use std::sync::Arc;

use crate::formula::{Formula, Mistake, Text, Type};
use crate::source::Span;

use super::lexicon::{Around, In, Meaning};
use super::{Local, Ruleset};

/// What `it` is where a template's text stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Within {
    /// Nothing: the ship as a whole.
    Ship,
    /// A mount: `it.id it.label it.tags it.count it.mirror it.mirror_label`.
    Mount,
    /// A fit: `it.system it.name it.abbr it.mount it.mount_label it.count it.tags`, its parameters, attributes, `it.whole.NAME`.
    Fit,
    /// A system aboard, all its fits together: as a fit, without a mount.
    System,
    /// A row of this rows field or table: its columns.
    Row(Arc<str>),
    /// A counter: what it is for each of, the words of its groups (`group.warhead`) and its data, `number`.
    Counter(Arc<str>),
    /// A square of a grid: `across` and `down`.
    Grid,
    /// A track as drawn: `it.id it.track it.label it.badge it.boxes it.mount`.
    Track(Arc<str>),
    /// A box of this track, on its face: the words of its cell, `box` and `boxes`; `it` is the track.
    Box(Arc<str>),
}

impl Ruleset {
    /// Compiles a text of a template.
    ///
    /// # Errors
    /// The first mistake, placed within `at`.
    pub fn text(&self, source: &str, at: Span, within: &Within) -> Result<Text, Mistake> {
        let around = self.around(within, at)?;
        Text::compile(source, at, &In { lexicon: &self.lexicon, around: &around })
    }

    /// Compiles a formula of a template.
    ///
    /// # Errors
    /// The first mistake, placed within `at`.
    pub fn formula(&self, source: &str, at: Span, within: &Within, want: &Type) -> Result<Formula, Mistake> {
        let around = self.around(within, at)?;
        Formula::compile(source, at, &In { lexicon: &self.lexicon, around: &around }, want)
    }

    fn around(&self, within: &Within, at: Span) -> Result<Around, Mistake> {
        let unknown = |what: &str, id: &str, known: Vec<&str>| Mistake {
            code: "unknown-name",
            message: format!("unknown {what} `{}`", super::brief(id)),
            help: Some(super::suggest(id, known.iter().copied())).filter(|help| !help.is_empty()),
            span: at,
        };
        let mut around = Around { page: true, ..Around::default() };
        around.it = match within {
            Within::Ship => Meaning::Nothing,
            Within::Grid => {
                around.locals = &[Local::Across, Local::Down];
                Meaning::Nothing
            }
            Within::Mount => Meaning::Mount,
            Within::Fit => Meaning::Fit(None),
            Within::System => Meaning::System(None),
            Within::Row(id) => {
                let field = self.lexicon.fields.iter().position(|(known, _, _)| known == id);
                match (field, self.lexicon.tables.iter().position(|table| table.id == *id)) {
                    (Some(field), _) => Meaning::Row(field),
                    (None, Some(table)) => Meaning::TableRow(table),
                    (None, None) => {
                        let known = self
                            .lexicon
                            .fields
                            .iter()
                            .map(|(id, _, _)| &**id)
                            .chain(self.tables.iter().map(|t| &*t.id))
                            .collect();
                        return Err(unknown("rows field or table", id, known));
                    }
                }
            }
            Within::Counter(id) => {
                let Some(counter) = self.counters.iter().find(|counter| counter.id == *id) else {
                    return Err(unknown("counter", id, self.counters.iter().map(|c| &*c.id).collect()));
                };
                around.group.clone_from(&counter.words);
                around.data = counter.data.iter().map(|(id, formula)| (id.clone(), formula.ty.clone())).collect();
                around.locals = &[Local::Number];
                counter.for_each.as_ref().map_or(Meaning::Nothing, super::compile::meaning)
            }
            Within::Track(id) | Within::Box(id) => {
                let Some(track) = self.tracks.iter().find(|track| track.id == *id) else {
                    return Err(unknown("track", id, self.tracks.iter().map(|t| &*t.id).collect()));
                };
                if let Within::Box(_) = within {
                    around.data = track.cell.iter().map(|(id, formula)| (id.clone(), formula.ty.clone())).collect();
                    around.locals = &[Local::Box, Local::Boxes];
                }
                Meaning::Track
            }
        };
        Ok(around)
    }
}
