//! Pages → PDF, SVG, PNG ([`export`]), and the PDF or FDF of a player who ticked its boxes → ticks ([`filled_form`]).

pub mod export;
pub mod filled_form;
