//! Measuring and drawing: takes texts, boxes and drawings with a width and a height, gives items on a page, none
//! smaller than its minimum.

pub mod balance;
pub mod block_rows;
pub mod box_layout;
pub mod companion_grid;
pub mod flow_group;
pub mod flow_layout;
pub mod flowable;
pub mod hstack;
pub mod joined_headings;
pub mod largest_size;
pub mod line_break;
pub mod mark_labels;
pub mod minimum_sizes;
pub mod missing_characters;
pub mod outline;
pub mod outline_rows;
pub mod pen;
pub mod text_style;
