//! The panels, one file each: each takes `&State`, shows it, and pushes commands. None changes anything itself.

pub mod ask;
mod begin;
pub mod calibrate;
pub mod compare;
pub mod design;
mod entry;
pub mod explain;
pub mod fields;
pub mod findings;
mod gallery;
pub mod headline;
pub mod library;
pub mod menu;
pub mod mounts;
pub mod notices;
pub mod outline;
pub mod preview;
mod recent;
mod search;
pub mod sheet_bar;
pub mod start;
pub mod tabs;
