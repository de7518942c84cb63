//! Choosing designs for a fleet: takes the catalogue and the fleet, gives the candidates, the cost of a choice and the
//! edit. Changes only the dialog.

use moldloft_sheet::sheet::format_signed;
use std::sync::Arc;

use crate::fleet::candidates::candidates;
use crate::fleet::edits;
use crate::fleet::model::FleetCommand;
use crate::{Command, DesignCandidate, Dialog, Doc, Edit, EditorState, FormTarget, OpenFleet};
use moldloft_library::library::Rulesets;
use moldloft_library::print::plural;
use moldloft_rules::design::DocumentEdit;

pub use crate::model::design_chooser::{DesignChooser, DesignChooserPurpose};

impl DesignChooser {
    /// Whether several designs can be chosen, each with a count.
    pub fn allows_counts(&self) -> bool {
        matches!(self.purpose, DesignChooserPurpose::AddShips | DesignChooserPurpose::SetCarried { .. })
    }

    pub fn count(&self, word: &str) -> u32 {
        self.chosen.iter().find(|(chosen, _)| chosen == word).map_or(0, |(_, count)| *count)
    }

    /// Replaces the choice if only one design can be chosen.
    pub fn set_count(&mut self, word: &str, count: u32) {
        if !self.allows_counts() {
            self.chosen = vec![(word.to_owned(), 1)];
            return;
        }
        match self.chosen.iter_mut().find(|(chosen, _)| chosen == word) {
            Some((_, known)) => *known = count,
            None => self.chosen.push((word.to_owned(), count)),
        }
        if self.purpose == DesignChooserPurpose::AddShips {
            self.chosen.retain(|(_, count)| *count > 0);
        }
    }

    /// Designs that the fleet cannot refer to are embedded in its file.
    pub fn to_edit(&self, doc: &Doc) -> Option<Edit> {
        let fleet = doc.as_fleet()?.fleet();
        let one = || self.chosen.first().map(|(word, _)| word.as_str());
        let mut edit = match &self.purpose {
            DesignChooserPurpose::AddShips => edits::add_ships(fleet, &doc.selected, &self.chosen),
            DesignChooserPurpose::ChangeClass(ships) => edits::set_class(fleet, ships, one()?),
            DesignChooserPurpose::RefitClass(class) => edits::refit_class(fleet, class, one()?),
            DesignChooserPurpose::SetCarried { ship, relation, label } => {
                edits::set_carried(fleet, *ship, relation, label, &self.chosen)
            }
        }?;
        edit.steps.extend(
            self.candidates_to_embed()
                .filter_map(|one| Some(DocumentEdit::EmbedDesign { text: one.embedded_text.clone()? })),
        );
        Some(edit)
    }

    pub fn candidates_to_embed(&self) -> impl Iterator<Item = &DesignCandidate> {
        let all = self.candidates.iter().flat_map(|all| all.iter());
        all.filter(|one| one.embedded_text.is_some() && self.count(&one.reference) > 0)
    }
}

pub fn open_for_class(state: &EditorState, ships: Vec<u32>) -> Option<Command> {
    state
        .current_doc()?
        .as_fleet()
        .map(|_| Command::Fleet(FleetCommand::OpenDesignChooser(DesignChooserPurpose::ChangeClass(ships))))
}

pub fn open_for_carried(state: &EditorState, ship: u32) -> Option<Command> {
    let fleet = state.current_doc()?.as_fleet()?;
    let known = fleet.ship(ship)?;
    // The relation that the ship already uses, or else the first one of the rules.
    let used =
        known.carried.iter().find_map(|one| fleet.carry_relations().find(|relation| relation.id == one.relation.text));
    let relation = used.or_else(|| fleet.carry_relations().next())?;
    let (relation, label) = (relation.id.clone(), relation.label.clone());
    Some(Command::Fleet(FleetCommand::OpenDesignChooser(DesignChooserPurpose::SetCarried { ship, relation, label })))
}

pub fn open(state: &mut EditorState, what: DesignChooserPurpose) {
    let Some(doc) = state.current_doc() else { return };
    let Some(fleet) = doc.as_fleet() else { return };
    let chosen = match &what {
        DesignChooserPurpose::SetCarried { ship, relation, .. } => {
            let carried = fleet.ship(*ship).into_iter().flat_map(|ship| &ship.carried);
            let ships = carried.filter(|one| one.relation.text == *relation).flat_map(|one| &one.ships);
            ships.filter_map(|ship| Some((ship.design.as_ref()?.text.to_string(), ship.count))).collect()
        }
        DesignChooserPurpose::AddShips | DesignChooserPurpose::ChangeClass(_) | DesignChooserPurpose::RefitClass(_) => {
            Vec::new()
        }
    };
    let (id, search) = (doc.id, String::new());
    let new = DesignChooser {
        doc: id,
        purpose: what,
        search,
        candidates: None,
        chosen,
        cost_summary: String::new(),
        seen_catalogue: 0,
    };
    state.dialog = Some(Dialog::ChooseDesigns(Box::new(new)));
    update_candidates(state);
}

pub fn update_chooser(state: &mut EditorState, mut new: DesignChooser) {
    let Some(Dialog::ChooseDesigns(old)) = &state.dialog else { return };
    if old.doc != new.doc {
        return;
    }
    let Some(doc) = state.find_doc(new.doc) else { return };
    new.cost_summary = cost_effect(doc, &new, &state.rulesets).unwrap_or_default();
    state.dialog = Some(Dialog::ChooseDesigns(Box::new(new)));
}

/// The keyboard goes to the first ship that is new.
pub fn confirm(state: &mut EditorState) -> Vec<Command> {
    let Some(Dialog::ChooseDesigns(chooser)) = &state.dialog else { return Vec::new() };
    let doc = state.current_doc().filter(|doc| doc.id == chooser.doc);
    let Some(edit) = doc.and_then(|doc| chooser.to_edit(doc)) else { return Vec::new() };
    let adds = chooser.purpose == DesignChooserPurpose::AddShips;
    let new = edit.selects.as_ref().and_then(|ships| ships.first().copied()).filter(|_| adds);
    state.dialog = None;
    let place = new.map(|ship| Command::GoTo(FormTarget::Ship { ship, key: "handle" }));
    std::iter::once(Command::Edit(edit)).chain(place).collect()
}

/// `+320 points: 1204 total, 296 left in the budget`.
fn cost_effect(doc: &Doc, chooser: &DesignChooser, rulesets: &Rulesets) -> Option<String> {
    let fleet = doc.as_fleet()?;
    let after = doc.evaluate_fleet_edit(&chooser.to_edit(doc)?, rulesets)?;
    let (before, now) = (fleet.evaluated.points, after.evaluated.points?);
    let budget = match after.points_left() {
        Some(left) if left < 0 => format!("! {} over budget", left.unsigned_abs()),
        Some(left) => format!("{left} left in the budget"),
        None => "no budget".to_owned(),
    };
    let errors = |fleet: &OpenFleet| {
        let is_error =
            |finding: &&moldloft_base::finding::Finding| finding.severity == moldloft_base::finding::Severity::Error;
        fleet.findings.iter().filter(is_error).count()
    };
    let (old, new) = (errors(fleet), errors(&after));
    let worse = if new > old { format!("; {}", plural(new - old, "more error")) } else { String::new() };
    let names: Vec<&str> = chooser.candidates_to_embed().map(|one| one.name.as_str()).collect();
    let embedding = match names.as_slice() {
        [] => String::new(),
        [one] => format!("; the design of {one} is copied into the fleet's file"),
        many => format!("; {} designs are copied into the fleet's file: {}", many.len(), many.join(", ")),
    };
    let added = now - before.unwrap_or(0);
    let points = if added.abs() == 1 { "point" } else { "points" };
    Some(format!("{} {points}: {now} total, {budget}{worse}{embedding}", format_signed(added)))
}

pub fn update_candidates(state: &mut EditorState) {
    let Some(Dialog::ChooseDesigns(chooser)) = &state.dialog else { return };
    let catalogue = state.library.catalogue.clone();
    let seen = Arc::as_ptr(&catalogue) as usize;
    if !state.library.is_scanned || chooser.seen_catalogue == seen {
        return;
    }
    let Some(doc) = state.find_doc(chooser.doc) else { return };
    let all = candidates(state, doc, &chooser.purpose);
    if let Some(Dialog::ChooseDesigns(chooser)) = &mut state.dialog {
        chooser.candidates = Some(Arc::new(all));
        chooser.seen_catalogue = seen;
    }
}
