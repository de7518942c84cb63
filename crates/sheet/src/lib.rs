//! Control sheets and counters: [`sheet`] puts a design's numbers and boxes into a template and gives pages.

pub mod sheet;
