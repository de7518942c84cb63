//! What can be done about a fleet, beside editing its text.

use std::sync::Arc;

use super::design_chooser::{DesignChooser, DesignChooserPurpose};

/// What can be done about a fleet.
#[derive(Clone, Debug)]
pub enum FleetCommand {
    /// Begins a fleet for a game.
    New(Arc<str>),
    /// Shows the sheet of another unit of the ship chosen.
    ShowUnit(u32),
    /// Opens the dialog in which designs are chosen.
    OpenDesignChooser(DesignChooserPurpose),
    /// Another state of that dialog.
    UpdateDesignChooser(Box<DesignChooser>),
    /// Does what was chosen there.
    ConfirmDesignChooser,
    /// Ticks a box of the sheet that is shown, or takes the tick off.
    ToggleBox {
        /// The stem of its mark.
        stem: String,
        /// Which of them, from 1.
        number: u32,
    },
    /// Ticks these boxes of a stem and no others: `1-12, 14`.
    SetBoxes {
        /// The stem of the marks.
        stem: String,
        /// Which.
        boxes: String,
    },
    /// Takes every tick off the ships chosen.
    ClearDamage,
    /// Opens the design of the ship that is shown.
    EditClass,
    /// Asks for the name of a variant of her class.
    OpenVariantDialog,
    /// Saves the variant, and makes her one.
    SaveVariant {
        /// The ship.
        ship: u32,
        /// The new class.
        name: String,
    },
}
