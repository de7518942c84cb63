//! `panel: silhouette FILE`: an outline of the ship under the other panels of its block, stretched to the rectangle, with the groups of the file whose
//! conditions hold. A design may bring its own; a picture of pixels only where art keeps its proportions.

use std::sync::Arc;

use super::content::stretched_art::{ArtFit, ArtLook, StretchCache, StretchedArt};
use super::kind::PanelKind;
use super::panel::{Panel, PanelShows};
use super::panel_args::PanelArgs;
use super::panel_options::{Choice, Flag, Maybe, Number, Or, TemplateText, panel_options};
use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::assembly::shown_parts::ShownParts;
use crate::sheet::layout::flowable::Flowable;
use moldloft_rules::evaluate::SlotScope;
use moldloft_rules::formula::TextTemplate;
use moldloft_rules::ruleset::SlotContext;

pub static KIND: PanelKind = PanelKind {
    name: "silhouette",
    argument: "a file of the templates folder; without it and the option `file`, the game's `silhouette`",
    about: "the ship's outline, under the other panels of its block",
    options: SilhouetteOptions::LIST,
    compile,
};

panel_options! {
    struct SilhouetteOptions {
        file: Option<TextTemplate> = "file", Maybe(TemplateText(SlotContext::Ship)),
            "a file of the templates folder; text with {{ }}";
        fit: ArtFit = "fit", Or(Choice(&[("stretch", ArtFit::Stretch), ("contain", ArtFit::Contain)]), ArtFit::Stretch),
            "`stretch`: the art fills the rectangle; `contain`: it keeps its proportions; lines keep their width";
        tint: Option<f32> = "tint", Maybe(Number(0.0, 100.0)),
            "grey in percent in place of each fill; 0: white; default: as drawn";
        line: Option<f32> = "line", Maybe(Number(0.0, 5.0)),
            "width in mm in place of that of each line; 0: no lines; default: as drawn";
        turn: f32 = "turn", Or(Number(0.0, 360.0), 0.0), "clockwise, in degrees: 270 for a bow that is drawn to the right, to point up";
        uses_own: bool = "own", Or(Flag, true), "false: a design's own `silhouette` is not used here; a PNG or JPEG is used with `fit = \"contain\"` alone";
    }
}

struct SilhouettePanel {
    /// The file of the argument.
    files: Vec<Arc<str>>,
    options: SilhouetteOptions,
    cache: Arc<StretchCache>,
}

fn compile(args: &mut PanelArgs<'_>) -> Option<Box<dyn Panel>> {
    let options = SilhouetteOptions::read(args);
    let files: Vec<Arc<str>> = args.argument.iter().take(1).cloned().collect();
    if files.is_empty() && !args.has("file") && args.ruleset.silhouette.is_none() {
        let message = format!("missing file in `{}`", args.label);
        let help = "use `panel: silhouette FILE.svg`, the option `file`, or `silhouette` in [ruleset]";
        args.report_argument("unknown-panel-argument", message, Some(help.into()));
        return None;
    }
    Some(Box::new(SilhouettePanel { files, options, cache: Arc::default() }))
}

impl Panel for SilhouettePanel {
    fn shows(&self) -> PanelShows {
        PanelShows::Extras
    }

    fn content(&self, view: &ShipView<'_>, _: &mut ShownParts) -> Option<Box<dyn Flowable>> {
        let own = if self.options.uses_own { view.own_silhouette() } else { None };
        // Boxes on a picture of pixels could not be read.
        let own = own.filter(|own| own.picture.is_none() || self.options.fit == ArtFit::Contain);
        let drawing = own.or_else(|| {
            let name = match &self.options.file {
                Some(file) => view.evaluation.render_code(file, &SlotScope::default())?,
                None => match self.files.first() {
                    Some(file) => file.to_string(),
                    None => return view.game_silhouette(),
                },
            };
            view.own_drawing(name.trim())
        })?;
        let look = ArtLook {
            fit: self.options.fit,
            tint: self.options.tint,
            line: self.options.line,
            turn: self.options.turn,
        };
        Some(Box::new(StretchedArt { drawing, look, cache: Arc::clone(&self.cache), rows: None }))
    }

    fn files(&self) -> &[Arc<str>] {
        &self.files
    }

    fn is_underlay(&self) -> bool {
        true
    }

    fn suits_faces(&self) -> bool {
        true
    }
}
