//! Compiles the guide to a first ship: takes the tables of its steps, gives them with the systems, mounts and fields that
//! they name checked.

use std::sync::Arc;

use crate::formula::Type;
use moldloft_base::source::toml::{TomlEntry, TomlNode, TomlTable, TomlValue};

use super::declarations::Declaration;
use super::{Compiler, label_from_id};
use crate::ruleset::guide_model::{GuideFit, GuideStep, GuideSystem, MAX_GUIDE_STEPS};
use crate::ruleset::model::{MountDef, SystemDef};
use crate::ruleset::problems::{shorten, suggest};
use crate::ruleset::symbol_table::{ScopeContext, ScopeView};
use crate::ruleset::table_reader::TableReader;

/// As many as one row of a design may have.
const MAX_COUNT: i64 = 9_999;

impl Compiler<'_> {
    pub(super) fn compile_guide(
        &self,
        declarations: &[Declaration<'_, '_>],
        systems: &[SystemDef],
        mounts: &[MountDef],
    ) -> Vec<GuideStep> {
        let declarations = self.limit_count(declarations, "guide", MAX_GUIDE_STEPS);
        let mut steps: Vec<GuideStep> = Vec::with_capacity(declarations.len());
        let declared = |(_, reader): &Declaration<'_, '_>| {
            let tables = reader.table.list("system").iter().filter_map(TomlNode::as_table);
            tables.filter_map(|table| table.text("id").map(Arc::from)).collect::<Vec<Arc<str>>>()
        };
        let own: Vec<Arc<str>> = declarations.iter().flat_map(declared).collect();
        for (id, reader) in declarations {
            if self.is_outdated(reader, systems, &own, mounts) {
                continue;
            }
            let label = reader.string("label").unwrap_or_else(|| label_from_id(id));
            let text = reader.required("text", reader.string("text"));
            let done = self.compile_formula(reader, "done_when", &ScopeContext::default(), &Type::Flag);
            let done = reader.required("done_when", done);
            let sets = reader.table("set").map(|table| self.guide_fields(reader, table)).unwrap_or_default();
            let mut own_systems = Vec::new();
            for node in reader.list("system").unwrap_or_default() {
                let TomlValue::Table(table) = &node.data else {
                    reader.error("wrong-type", node.span, "expected a table for an own system: { id, like, … }", "");
                    continue;
                };
                own_systems.extend(guide_system(&reader.nested(table, "system"), systems));
            }
            let known = steps.iter().flat_map(|step| &step.systems).chain(&own_systems);
            let known: Vec<Arc<str>> = known.map(|system| system.id.clone()).collect();
            let mut fits = Vec::new();
            for node in reader.list("fit").unwrap_or_default() {
                let TomlValue::Table(table) = &node.data else {
                    reader.error("wrong-type", node.span, "expected a table for a fit: { system, mount, count }", "");
                    continue;
                };
                fits.extend(guide_fit(&reader.nested(table, "fit"), systems, &known, mounts));
            }
            reader.report_unknown_keys();
            if let (Some(text), Some(done)) = (text, done) {
                let id = id.clone();
                steps.push(GuideStep { id, label, text, sets, systems: own_systems, fits, done });
            }
        }
        steps
    }

    /// A step of the rules below a layer, which removed what it names: it goes, too, so that a guide forbids no house rule.
    fn is_outdated(
        &self,
        reader: &TableReader<'_, '_>,
        systems: &[SystemDef],
        own: &[Arc<str>],
        mounts: &[MountDef],
    ) -> bool {
        if !reader.table.entries.iter().all(|entry| self.is_below_layer(entry.span)) {
            return false;
        }
        let context = ScopeContext::default();
        let scope = ScopeView { symbols: &self.symbols, context: &context };
        let fails = |node| matches!(self.compile_in_scope(&"done_when", node, &scope, &Type::Flag), Some(Err(_)));
        let is_field = |entry: &TomlEntry<'_>| self.symbols.fields.iter().any(|(id, _, _)| **id == *entry.key);
        let lacks = |fit: &TomlTable<'_>| {
            let is_system = |id: &str| {
                systems.iter().any(|system| *system.id == *id && !system.is_abstract)
                    || own.iter().any(|own| **own == *id)
            };
            let is_mount = |id: &str| mounts.iter().any(|mount| *mount.id == *id);
            fit.text("system").is_some_and(|id| !is_system(id)) || fit.text("mount").is_some_and(|id| !is_mount(id))
        };
        let mut fits = reader.table.list("fit").iter().filter_map(TomlNode::as_table);
        let mut bases = reader.table.list("system").iter().filter_map(TomlNode::as_table);
        let lacks_base = |table: &TomlTable<'_>| {
            table
                .text("like")
                .is_some_and(|like| !systems.iter().any(|system| *system.id == *like && !system.is_removed))
        };
        reader.table.get("done_when").is_some_and(fails)
            || reader.table.table("set").is_some_and(|set| !set.entries.iter().all(is_field))
            || fits.any(lacks)
            || bases.any(lacks_base)
    }

    fn guide_fields(&self, reader: &TableReader<'_, '_>, table: &TomlTable<'_>) -> Vec<TomlEntry<'static>> {
        let known: Vec<&str> = self.symbols.fields.iter().map(|(id, _, _)| &**id).collect();
        let mut sets = Vec::with_capacity(table.entries.len());
        for entry in &table.entries {
            if known.contains(&&*entry.key) {
                sets.push(entry.clone().into_owned());
            } else {
                let message = format!("unknown field `{}`", shorten(&entry.key));
                reader.error("unknown-name", entry.span, message, suggest(&entry.key, known.iter().copied()));
            }
        }
        sets
    }
}

fn guide_system(reader: &TableReader<'_, '_>, systems: &[SystemDef]) -> Option<GuideSystem> {
    let id = reader.required("id", reader.text("id"));
    let like = reader.required("like", reader.text("like"));
    let ((id, at), (like, span)) = (id?, like?);
    if systems.iter().any(|system| system.id == id) {
        let message = format!("`{}` is a system of the ruleset", shorten(&id));
        reader.error("wrong-type", at, message, "choose another id for the design's own system");
    }
    if !systems.iter().any(|system| system.id == like) {
        let message = format!("unknown system `{}`", shorten(&like));
        reader.error("unknown-name", span, message, suggest(&like, systems.iter().map(|system| &*system.id)));
    }
    let more = reader.table.entries.iter().filter(|entry| !["id", "like"].contains(&&*entry.key));
    let entries = more.map(|entry| entry.clone().into_owned()).collect();
    Some(GuideSystem { id, like, entries })
}

/// `own`: the design's own systems that the steps so far declare.
fn guide_fit(
    reader: &TableReader<'_, '_>,
    systems: &[SystemDef],
    own: &[Arc<str>],
    mounts: &[MountDef],
) -> Option<GuideFit> {
    let (system, span) = reader.required("system", reader.text("system"))?;
    let known = systems.iter().find(|known| known.id == system);
    if !own.contains(&system) && known.is_none_or(|known| known.is_abstract) {
        let message = match known {
            Some(_) => format!("`{system}` is only a base for others"),
            None => format!("unknown system `{}`", shorten(&system)),
        };
        let fitted = systems.iter().filter(|system| !system.is_abstract);
        let ids = fitted.map(|system| &*system.id).chain(own.iter().map(|id| &**id));
        reader.error("unknown-name", span, message, suggest(&system, ids));
    }
    let mount = reader.text("mount");
    if let Some((id, span)) = &mount
        && !mounts.iter().any(|mount| mount.id == *id)
    {
        let message = format!("unknown mount `{}`", shorten(id));
        reader.error("unknown-name", *span, message, suggest(id, mounts.iter().map(|mount| &*mount.id)));
    }
    let count = reader.int("count").unwrap_or(1);
    if !(1..=MAX_COUNT).contains(&count) {
        let message = format!("expected a count from 1 to {MAX_COUNT}, found {count}");
        reader.error("wrong-type", reader.span(), message, "");
    }
    let keys = ["system", "mount", "count"];
    let more = reader.table.entries.iter().filter(|entry| !keys.contains(&&*entry.key));
    Some(GuideFit {
        system,
        mount: mount.map(|(id, _)| id),
        count: count.clamp(1, MAX_COUNT) as u32,
        parameters: more.map(|entry| entry.clone().into_owned()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use crate::ruleset::Ruleset;
    use moldloft_base::source::Source;

    const GAME: &str = "[ruleset]\nid = \"g\"\ntitle = \"G\"\nversion = \"1\"\nschema = 1\n";

    #[test]
    fn a_step_is_read_and_its_names_are_checked() {
        let text = GAME.to_owned()
            + r#"
            [[field]]
            id = "mass"
            kind = "integer"
            [[system]]
            id = "drive"
            [[guide]]
            id = "hull"
            text = "Choose a mass."
            set = { mass = 5, mas = 6 }
            system = [{ id = "gun", like = "drive", abbr = "G" }]
            fit = [{ system = "drive", count = 2, load = "full" }, { system = "gun" }, { system = "driv" }]
            done_when = "mass > 4"
        "#;
        let (ruleset, findings) = Ruleset::load(&Source::new("g.toml", &text));
        let messages: Vec<&str> = findings.iter().map(|finding| &*finding.message).collect();
        assert!(messages.iter().any(|message| message.contains("unknown field `mas`")), "{messages:?}");
        assert!(messages.iter().any(|message| message.contains("unknown system `driv`")), "{messages:?}");
        assert_eq!(messages.len(), 2, "{messages:?}");
        assert!(ruleset.is_none(), "errors stop it");
        let text = text.replace(", mas = 6", "").replace(", { system = \"driv\" }", "");
        let ruleset = Ruleset::load(&Source::new("g.toml", &text)).0;
        let step = &ruleset.expect("without errors").guide[0];
        assert_eq!(
            (&*step.label, step.sets.len(), step.fits[0].count, step.fits[0].parameters.len()),
            ("hull", 1, 2, 1)
        );
        assert_eq!((&*step.systems[0].id, &*step.systems[0].like, step.systems[0].entries.len()), ("gun", "drive", 1));
    }

    #[test]
    fn own_systems_of_a_step_have_an_id_and_are_like_a_system() {
        let step = |system: &str| {
            let text = format!(
                "{GAME}[[system]]\nid = \"drive\"\n[[guide]]\nid = \"a\"\ntext = \"Do it.\"\nsystem = [{system}]\ndone_when = \"count('drive') > 0\"\n"
            );
            let findings = Ruleset::load(&Source::new("g.toml", &text)).1;
            findings.iter().map(|finding| finding.message.to_string()).collect::<Vec<_>>().join("; ")
        };
        assert_eq!(step("{ id = \"gun\", like = \"drive\" }"), "");
        assert!(step("{ id = \"gun\", like = \"driv\" }").contains("unknown system `driv`"));
        assert!(step("{ id = \"drive\", like = \"drive\" }").contains("is a system of the ruleset"));
        assert!(step("{ like = \"drive\" }").contains("missing `id`"), "{}", step("{ like = \"drive\" }"));
        assert!(step("5").contains("expected a table"));
    }

    #[test]
    fn a_step_goes_with_what_a_layer_removes() {
        let base = GAME.to_owned()
            + r#"
            [[system]]
            id = "drive"
            [[system]]
            id = "gun"
            [[guide]]
            id = "drives"
            text = "Add a drive."
            fit = [{ system = "drive" }]
            done_when = "count('drive') > 0"
            [[guide]]
            id = "guns"
            text = "Add a gun."
            fit = [{ system = "gun" }]
            done_when = "count('gun') > 0"
        "#;
        let layer = r#"
            [ruleset]
            id = "no-guns"
            title = "No guns"
            version = "1"
            schema = 1
            extends = "g"
            extends_version = "1"
            [change.system.gun]
            remove = true
        "#;
        let (ruleset, findings) =
            Ruleset::load_layers(&[Source::new("g.toml", &base), Source::new("no-guns.toml", layer)]);
        assert!(findings.is_empty(), "{findings:?}");
        let steps: Vec<String> = ruleset.expect("compiled").guide.iter().map(|step| step.id.to_string()).collect();
        assert_eq!(steps, ["drives"]);
    }
}
