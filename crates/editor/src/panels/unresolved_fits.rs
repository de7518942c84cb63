//! Fits with systems or mounts unknown to the rules, as written, with the choice of a replacement.

use egui::{Id, RichText, Ui, vec2};

use crate::inputs::{InputOption, choice_input, findings_badge};
use crate::language::say;
use crate::panels::design_view::DesignView;
use crate::panels::value_input::remove_button;
use crate::theme::bold;
use crate::widgets::{capitalize, card_frame, muted_label};
use crate::{Command, Edit, FormTarget, fit_edits};
use moldloft_rules::design::{DesignPart, DocumentEdit, Fit, TablePath};

pub fn show(ui: &mut Ui, ship: &DesignView<'_>, out: &mut Vec<Command>) {
    let evaluation = ship.evaluation;
    let has_mounts = !evaluation.ruleset.mounts.is_empty();
    let is_unresolved = |fit: &&Fit| match evaluation.fits.iter().find(|known| known.index == fit.index) {
        Some(known) => has_mounts && !known.placed,
        None => true,
    };
    let unresolved: Vec<&Fit> = ship.design.design.fits.iter().filter(is_unresolved).collect();
    if unresolved.is_empty() {
        return;
    }
    let card = card_frame(ui).stroke(egui::Stroke::new(1.5, crate::theme::palette(ui).error));
    card.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.label(RichText::new(say("Unknown to these rules")).family(bold()));
        muted_label(ui, "Kept unchanged. Choose replacements, or remove them.");
        for fit in unresolved {
            unresolved_row(ui, ship, fit, has_mounts, out);
        }
    });
}

fn unresolved_row(ui: &mut Ui, ship: &DesignView<'_>, fit: &Fit, has_mounts: bool, out: &mut Vec<Command>) {
    let findings = ship.findings_about(|subject| matches!(subject, DesignPart::Fit(n) if *n == fit.index));
    let (system, mount) = (&*fit.system.text, fit.mount.as_ref().map_or("", |word| &*word.text));
    let accessible = format!("system {}", fit.index + 1);
    let set = |key: &str, value: String| {
        let step = DocumentEdit::set(TablePath::Fit(fit.index as usize), key, value);
        Command::Edit(Edit::single(format!("set the {key} of {accessible}"), step))
    };
    let row = ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
        findings_badge(ui, &findings, out);
        ui.label(say(format!("{} ×", fit.count)));
        let systems = fit_edits::available_systems(ship.evaluation);
        let names: Vec<String> = systems.iter().map(|system| capitalize(&system.name)).collect();
        let options = systems.iter().zip(&names).map(|(system, name)| InputOption::new(&system.id, name));
        let (response, made) = choice_input(
            ui,
            Id::unique(("stray system", fit.index)),
            &format!("replacement for {accessible}"),
            system,
            options,
            150.0,
        );
        out.extend(made.map(|made| set("system", made)));
        if ship.is_wanted(&FormTarget::Fit(fit.index)) {
            response.request_focus();
            response.scroll_to_me(None);
            out.push(Command::ClearGoTo);
        }
        if has_mounts {
            let labels: Vec<(String, String)> =
                ship.evaluation.mounts.iter().map(|mount| (mount.id.to_string(), capitalize(&mount.label))).collect();
            let options = labels.iter().map(|(id, label)| InputOption::new(id, label));
            let salt = Id::unique(("stray mount", fit.index));
            let (_, made) = choice_input(ui, salt, &format!("mount of {accessible}"), mount, options, 130.0);
            out.extend(made.map(|made| set("mount", made)));
        }
        if remove_button(ui, &accessible) {
            out.extend(fit_edits::remove_fits(ship.doc, &[fit.index]).map(Command::Edit));
        }
    });
    if ship.doc.selected.contains(&fit.index) {
        let stroke = egui::Stroke::new(1.5, crate::theme::palette(ui).accent);
        ui.painter().rect_stroke(row.response.rect.expand(2.0), 4, stroke, egui::StrokeKind::Inside);
    }
}
