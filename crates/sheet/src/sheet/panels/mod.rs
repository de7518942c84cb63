//! The kinds of panel, one file each, listed in one table: takes the words of a labelled rectangle, gives a compiled
//! panel.

mod arcs;
mod art;
pub mod band;
pub mod common_options;
pub mod content;
mod costs;
mod counter;
mod findings;
pub mod kind;
mod legend;
mod log;
pub mod mount;
pub mod odds;
mod orders;
pub mod panel;
pub mod panel_args;
pub mod panel_options;
mod pockets;
mod qr;
mod rest;
mod roster;
mod silhouette;
mod stack;
pub mod table;
mod text;
pub mod track;

use std::sync::Arc;

use self::common_options::{CommonOptions, FlowPanelOptions, FlowPartOptions, common_options};
use self::kind::PanelKind;
use self::panel::{CompiledPanel, PanelShows};
use self::panel_args::PanelArgs;
use crate::sheet::layout::flow_layout::{FlowOptions, HitBoxes};
use moldloft_base::finding::nearest;
use moldloft_rules::ruleset::{BoxKind, Ruleset, SlotContext};

/// All kinds, by name.
pub static KINDS: &[&PanelKind] = &[
    &arcs::KIND,
    &art::KIND,
    &band::KIND,
    &costs::KIND,
    &counter::KIND,
    &findings::KIND,
    &legend::KIND,
    &log::KIND,
    &mount::KIND,
    &odds::KIND,
    &orders::KIND,
    &pockets::KIND,
    &qr::KIND,
    &rest::KIND,
    &roster::KIND,
    &silhouette::KIND,
    &stack::KIND,
    &table::KIND,
    &text::KIND,
    &track::KIND,
];

/// Options that older templates have and that change nothing any more, by kind.
static NEEDLESS: &[(&str, &[&str])] = &[("mount", &["names", "head", "columns"])];

/// Compiles a panel from its kind, argument and options; `None` when it cannot be used at all.
pub fn compile_panel(kind: &str, mut args: PanelArgs<'_>) -> Option<CompiledPanel> {
    let Some(kind) = KINDS.iter().find(|known| known.name == kind) else {
        let label = Arc::clone(&args.label);
        args.report_argument_with("unknown-panel", || {
            let near =
                nearest(kind, KINDS.iter().map(|known| known.name)).map(|near| format!("did you mean `{near}`?"));
            let all =
                || format!("available kinds: {}", KINDS.iter().map(|known| known.name).collect::<Vec<_>>().join(", "));
            (format!("`{label}`: unknown panel kind `{kind}`"), Some(near.unwrap_or_else(all)))
        });
        return None;
    };
    let needless = NEEDLESS.iter().find(|(name, _)| *name == kind.name).map_or(&[][..], |(_, keys)| keys);
    args.report_unknown_options(needless, || kind.options.iter().chain(common_options()).map(|option| option.key));
    if kind.name == "mount" {
        args.heading_context = SlotContext::Mount;
    }
    let label = Arc::clone(&args.label);
    let CommonOptions {
        title,
        note,
        small_heading,
        heading_below,
        group,
        when,
        keep_together,
        deferred,
        not_after,
        width,
    } = CommonOptions::read(&mut args);
    let mut flow: FlowOptions = FlowPartOptions::read(&mut args).into();
    let FlowPanelOptions { is_optional } = FlowPanelOptions::read(&mut args);
    let is_relabelled = match (kind.name, &args.argument[..]) {
        ("track", [id]) => args.ruleset.tracks.iter().any(|track| track.id == *id && track.is_relabelled()),
        ("table", [id]) => args.ruleset.tables.iter().any(|table| table.id == *id && table.is_relabelled()),
        _ => false,
    };
    let panel = (kind.compile)(&mut args)?;
    flow.is_optional = is_optional && panel.shows() == PanelShows::Extras;
    flow.boxes = match panel.mount() {
        Some(_) => HitBoxes::Plan,
        None if panel.tracks().iter().any(|track| is_hit(args.ruleset, track)) => HitBoxes::Ship,
        None if panel.shows() == PanelShows::Boxes => HitBoxes::Other,
        None => HitBoxes::None,
    };
    if is_optional && !flow.is_optional {
        let why = match panel.shows() {
            PanelShows::Boxes => "its boxes must be printed",
            PanelShows::Information | PanelShows::Extras => "what it shows must be printed",
        };
        let message = format!("`{label}` is printed in any case: {why}");
        let help = "remove `optional`; with `move = 1` it goes to the next page where there is no room";
        args.warn_option("optional", "needed-panel-optional", message, help);
    }
    Some(CompiledPanel {
        panel,
        label,
        title,
        is_relabelled,
        note,
        small_heading,
        heading_below,
        group,
        when,
        keep_together,
        deferred,
        not_after,
        flow,
        width,
        outline: None,
    })
}

/// Whether the boxes of a track, or of one of its instances, are ticked when they are hit.
fn is_hit(ruleset: &Ruleset, track: &str) -> bool {
    let is_of = |id: &str| track.strip_prefix(id).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
    ruleset.tracks.iter().any(|known| known.kind == BoxKind::Damage && is_of(&known.id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_is_declared_once_for_a_kind() {
        for kind in KINDS {
            let options = kind.options.iter().chain(CommonOptions::LIST);
            let mut keys: Vec<&str> = options.map(|option| option.key).collect();
            let all = keys.len();
            keys.sort_unstable();
            keys.dedup();
            assert_eq!(keys.len(), all, "panel: {}", kind.name);
        }
    }
}
