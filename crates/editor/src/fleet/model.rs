//! Fleet commands other than edits of the text.

use std::sync::Arc;

use crate::{DesignChooser, DesignChooserPurpose, with_kinds};

with_kinds! {
    #[derive(Clone, Debug)]
    pub enum FleetCommand as FleetCommandKind {
        New(Arc<str>),
        ShowUnit(u32),
        OpenDesignChooser(DesignChooserPurpose),
        UpdateDesignChooser(Box<DesignChooser>),
        ConfirmDesignChooser,
        ToggleBox {
            stem: String,
            /// From 1.
            number: u32,
        },
        /// By stem and number. Those of one drag are one step of undo.
        MarkBoxes { boxes: Vec<(String, u32)>, ticked: bool },
        /// Ticks exactly these boxes of a stem: `1-12, 14`.
        SetBoxes { stem: String, boxes: String },
        ClearDamage,
        EditClass,
        OpenVariantDialog,
        SaveVariant { ship: u32, name: String },
    }
}
