//! Pages for the table that need no template: map grids, arcs and courses, rulers and collars to cut out, the list of a battle's ships, a
//! scenario sheet, a fleet's odds, shared rolls. Takes plain data and the page setup, gives pages.

pub mod battle_page;
pub mod gauges;
pub mod map_grid;
pub mod odds_page;
pub mod roll_pages;
pub mod rulers;
