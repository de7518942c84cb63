//! Pages for the table that show no ship and need no template: map grids, arcs and courses to cut out. Takes sizes in
//! millimetres and the page setup, gives pages.

pub mod gauges;
pub mod map_grid;
