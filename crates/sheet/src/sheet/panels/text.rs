//! `panel: text`: a paragraph, broken into lines; the rest of a long one is continued.

use super::content::text_blocks::Paragraphs;
use super::kind::PanelKind;
use super::panel::Panel;
use super::panel_args::PanelArgs;
use super::panel_options::{Choice, Flag, Maybe, Number, Or, TemplateText, panel_options};
use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::assembly::shown_parts::ShownParts;
use crate::sheet::layout::flowable::Flowable;
use crate::sheet::layout::minimum_sizes::QUIET_INK;
use crate::sheet::layout::text_style::{TextRole, TextStyle};
use moldloft_drawing::art::Anchor;
use moldloft_rules::evaluate::SlotScope;
use moldloft_rules::formula::TextTemplate;
use moldloft_rules::ruleset::SlotContext;

pub static KIND: PanelKind = PanelKind {
    name: "text",
    argument: "a name, not printed",
    about: "a paragraph of text",
    options: TextOptions::LIST,
    compile,
};

panel_options! {
    struct TextOptions {
        text: Option<TextTemplate> = "text", Maybe(TemplateText(SlotContext::Ship)), "the text, with {{ }}";
        size: f32 = "size", Or(Number(0.0, 1000.0), 8.0), "font size in points";
        anchor: Anchor = "align", Or(ALIGNMENTS, Anchor::Start), "`left`, `centre` or `right`";
        quiet: bool = "quiet", Or(Flag, false), "true: grey";
    }
}

const ALIGNMENTS: Choice<Anchor> =
    Choice(&[("left", Anchor::Start), ("centre", Anchor::Middle), ("right", Anchor::End)]);

struct TextPanel {
    options: TextOptions,
}

fn compile(args: &mut PanelArgs<'_>) -> Option<Box<dyn Panel>> {
    if !args.has("text") {
        let message = format!("`{}`: missing `text`", args.label);
        args.report_argument("missing-panel-option", message, Some("add text = \"…\" to its description".into()));
        return None;
    }
    let options = TextOptions::read(args);
    options.text.is_some().then(|| Box::new(TextPanel { options }) as Box<dyn Panel>)
}

impl Panel for TextPanel {
    fn content(&self, view: &ShipView<'_>, _: &mut ShownParts) -> Option<Box<dyn Flowable>> {
        let text = self.options.text.as_ref()?;
        let words = view.render_text(text, &SlotScope::default())?;
        if words.trim().is_empty() {
            return None;
        }
        let mut style =
            TextStyle { size: view.styles.minimums.text_size(self.options.size, TextRole::Label), ..view.styles.body };
        if self.options.quiet {
            style = style.with_paint(QUIET_INK);
        }
        let paragraphs = words.lines().map(|line| ("".into(), line.into())).collect();
        let shown = view.options.marks_values.then(|| view.evaluation.ruleset.first_value_read(text)).flatten();
        Some(Box::new(Paragraphs::new(paragraphs, style, self.options.anchor).showing(shown)))
    }
}
