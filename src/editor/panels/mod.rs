//! The panels, one file each: each takes `&State`, shows it, and pushes commands. None changes anything itself.

pub mod ask;
pub mod compare;
pub mod design;
pub mod explain;
pub mod fields;
pub mod findings;
pub mod headline;
pub mod library;
pub mod menu;
pub mod mounts;
pub mod notices;
pub mod preview;
pub mod start;
pub mod tabs;
