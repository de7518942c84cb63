//! What panels draw: each file takes values that a panel has chosen and gives content that measures, splits and draws itself.

pub mod arc_rose;
pub mod arc_roses;
pub mod band_art;
pub mod box_faces;
pub mod box_grid;
pub mod box_rows;
pub mod box_template;
pub mod cell_rules;
pub mod companion_track;
pub mod component_blocks;
pub mod component_grids;
pub mod inventory;
pub mod labelled_boxes;
pub mod movement_chart;
pub mod order_grid;
pub mod qr_symbol;
pub mod roster_table;
mod row_labels;
pub mod separate_rows;
pub mod square_grid;
pub mod stretched_art;
pub mod sub_track;
pub mod table_columns;
pub mod table_group;
mod table_headings;
pub mod text_blocks;
pub mod writing_lines;
