//! Mount conditions and positions: takes the mounts' tables, gives each mount its position on the ship's plan and the
//! condition under which a design has it. Two mounts that always occur together cannot share a position.

use super::Compiler;
use super::declarations::Declaration;
use crate::formula::Type;
use crate::ruleset::limits::MAX_PLAN_OFFSET;
use crate::ruleset::model::MountDef;
use crate::ruleset::problems::ErrorSubject;
use crate::ruleset::symbol_table::ScopeContext;
use crate::ruleset::table_reader::TableReader;
use moldloft_base::source::Span;
use moldloft_base::source::toml::TomlValue;

impl Compiler<'_> {
    /// Compiles what needs all names: conditions and positions.
    pub(super) fn compile_mount_rules(&self, declarations: &[Declaration<'_, '_>], mounts: &mut [MountDef]) {
        let mut spans = Vec::with_capacity(mounts.len());
        for ((_, reader), mount) in declarations.iter().zip(mounts.iter_mut()) {
            mount.shown_when = self.compile_formula(reader, "shown_when", &ScopeContext::default(), &Type::Flag);
            mount.plan = self.parse_plan(reader);
            spans.push(reader.table.get("plan").map_or(reader.span(), |node| node.span));
            reader.report_unknown_keys();
        }
        self.check_distinct_places(mounts, &spans);
    }

    fn parse_plan(&self, reader: &TableReader<'_, '_>) -> Option<(i8, i8)> {
        let list = reader.list("plan")?;
        let number = |n: usize| match list.get(n).map(|node| &node.data) {
            Some(TomlValue::Int(number)) if (-MAX_PLAN_OFFSET..=MAX_PLAN_OFFSET).contains(number) => {
                i8::try_from(*number).ok()
            }
            _ => None,
        };
        if let (2, Some(across), Some(down)) = (list.len(), number(0), number(1)) {
            return Some((across, down));
        }
        let span = reader.table.get("plan").map_or(reader.span(), |node| node.span);
        let message = match list {
            [one, two] if matches!((&one.data, &two.data), (TomlValue::Int(_), TomlValue::Int(_))) => {
                format!("{}: expected -{MAX_PLAN_OFFSET} to {MAX_PLAN_OFFSET} in `plan`, across and down", reader.label)
            }
            _ => format!("{}: expected two whole numbers for `plan`, across and down", reader.label),
        };
        let help = "use plan = [-1, 0] for port of the middle, plan = [0, -2] for well forward on the centre line";
        self.problems.error("wrong-place", span, message, help);
        None
    }

    /// Mounts that may appear without each other may share a position; `rules check` tries this on designs.
    fn check_distinct_places(&self, mounts: &[MountDef], spans: &[Span]) {
        let condition = |mount: &MountDef| mount.shown_when.as_ref().map(|formula| formula.source.clone());
        for (n, mount) in mounts.iter().enumerate() {
            let Some((across, down)) = mount.plan else { continue };
            let shared = |other: &&MountDef| other.plan == mount.plan && condition(other) == condition(mount);
            if let Some(other) = mounts[..n].iter().find(shared) {
                let message = format!("{} and {} are both at [{across}, {down}]", other.id, mount.id);
                let help = "move one of them; mounts that no design has together can share a place: use shown_when";
                let subject = ErrorSubject { section: "mount", names: vec![other.id.clone(), mount.id.clone()] };
                self.problems.error_about(subject, "place-taken", spans[n], message, help);
            }
        }
    }
}
