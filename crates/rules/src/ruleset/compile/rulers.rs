//! Compiles rulers and shared rolls: takes their tables, gives what is asked where these are printed.

use std::sync::Arc;

use super::declarations::Declaration;
use super::{Compiler, label_from_id};
use crate::formula::Type;
use crate::ruleset::outputs::{RulerDef, RulerMark, SharedRollDef, TrackDef};
use crate::ruleset::problems::{shorten, suggest};
use crate::ruleset::symbol_table::ScopeContext;
use crate::ruleset::table_reader::TableReader;
use moldloft_base::source::toml::TomlValue;

/// More directions round a collar have no room.
const MAX_POINTS: i64 = 36;

/// Tables of larger dice have no room.
const MAX_FACES: u32 = 20;

impl Compiler<'_> {
    pub(super) fn compile_rulers(&self, declarations: &[Declaration<'_, '_>]) -> Vec<RulerDef> {
        let mut rulers = Vec::new();
        for (id, reader) in declarations {
            let tenths = self.compile_formula(reader, "tenths", &ScopeContext::default(), &Type::Int);
            let (tenths, unit) = (reader.required("tenths", tenths), reader.required("unit", reader.string("unit")));
            let points = reader.int("points").unwrap_or(0);
            if !(0..=MAX_POINTS).contains(&points) {
                let span = reader.node("points").map_or(reader.span(), |node| node.span);
                reader.error("value-out-of-range", span, format!("expected `points` from 0 to {MAX_POINTS}"), "");
            }
            let (label, reaches) = (reader.string("label"), self.compile_ruler_marks(reader));
            let (_, marks) = (reader.string("rule"), self.marks(reader));
            reader.report_unknown_keys();
            let (Some(tenths), Some(unit)) = (tenths, unit) else { continue };
            let label: Arc<str> = label.unwrap_or_else(|| label_from_id(id));
            rulers.push(RulerDef { id: id.clone(), label, unit, tenths, points, reaches, marks });
        }
        rulers
    }

    pub(super) fn compile_shared_rolls(
        &self,
        declarations: &[Declaration<'_, '_>],
        tracks: &[TrackDef],
    ) -> Vec<SharedRollDef> {
        let mut rolls = Vec::new();
        for (id, reader) in declarations {
            let track = reader.required("track", reader.text("track"));
            let row_label = reader.required("row_label", reader.text("row_label"));
            let faces = reader.required("faces", reader.int("faces"));
            let (label, note, _, _) =
                (reader.string("label"), reader.string("note"), reader.string("rule"), self.marks(reader));
            reader.report_unknown_keys();
            let (Some((track, track_span)), Some((row_label, label_span)), Some(faces)) = (track, row_label, faces)
            else {
                continue;
            };
            let Ok(faces @ 2..=MAX_FACES) = u32::try_from(faces) else {
                let span = reader.node("faces").map_or(reader.span(), |node| node.span);
                reader.error("value-out-of-range", span, format!("expected `faces` from 2 to {MAX_FACES}"), "");
                continue;
            };
            let Some(known) = tracks.iter().find(|known| known.id == track) else {
                // A layer may have removed it.
                if !self.is_below_layer(track_span) {
                    let help = suggest(&track, tracks.iter().map(|known| &*known.id));
                    reader.error("unknown-name", track_span, format!("unknown track `{}`", shorten(&track)), help);
                }
                continue;
            };
            if !known.row_labels.iter().any(|(name, _)| *name == row_label) {
                let help = suggest(&row_label, known.row_labels.iter().map(|(name, _)| &**name));
                let message = format!("the track `{track}` has no row label `{}`", shorten(&row_label));
                reader.error("unknown-name", label_span, message, help);
                continue;
            }
            let label = label.unwrap_or_else(|| label_from_id(id));
            let note = note.unwrap_or_default();
            rolls.push(SharedRollDef { id: id.clone(), label, track, row_label, faces, note });
        }
        rolls
    }

    fn compile_ruler_marks(&self, reader: &TableReader<'_, '_>) -> Vec<RulerMark> {
        let mut marks = Vec::new();
        for node in reader.list("marks").unwrap_or_default() {
            let TomlValue::Table(table) = &node.data else {
                reader.error("wrong-type", node.span, "expected a table for a mark: { label, at, arcs }", "");
                continue;
            };
            let one = reader.nested(table, "mark");
            let (for_each, context) = self.parse_for_each(&one);
            let when = self.compile_formula(&one, "when", &context, &Type::Flag);
            let label = one.required("label", self.compile_text_key(&one, "label", &context));
            let at = self.compile_formula(&one, "at", &context, &Type::Any);
            let arcs = self.compile_text_key(&one, "arcs", &context);
            one.report_unknown_keys();
            if at.is_none() && arcs.is_none() {
                one.missing(&["at", "arcs"], node.span, "expected `at` or `arcs`, found neither", "");
            }
            marks.extend(label.map(|label| RulerMark { for_each, when, label, at, arcs }));
        }
        marks
    }
}
