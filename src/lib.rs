//! Moldloft checks ship designs for tabletop fleet games, computes what they cost and draws what goes on the table.
//!
//! Data flows one way, and this list is the way:
//!
//! - [`source`] reads a file's text; every later word about it can name its line and column.
//! - [`formula`] compiles the small exact language that rulesets are written in, and shows its work.
//! - [`design`] reads and saves ship designs; [`ruleset`] reads a game: every name resolved, every formula compiled.
//! - [`evaluate()`](evaluate::evaluate) puts the two together: values, costs, tracks, tables, counters, findings.
//! - [`art`] reads an SVG template through usvg: drawings, labelled rectangles, text slots.
//! - [`sheet`] lays an evaluation out on a template: a [`scene`] of typed items in millimetres.
//! - [`export`] turns a scene into PDF, SVG or PNG bytes.
//! - [`lint`](mod@lint) says what a ruleset's author got wrong though it loads; [`schema`] describes designs and rulesets to text editors.
//! - [`store`] is the only room that touches the disk; [`library`] says what there is: games, designs, starters.
//! - [`sanitize`] makes words safe for a terminal, a spreadsheet, XML and JSON.
//! - [`allowance`] is what one job may cost in work and memory, whatever a file multiplies.
//! - [`print`](mod@print) prints: from evaluated ships to finished files; [`progress`] says how far that is and stops it.
//! - [`exchange`] makes what other programs take: pictures of tokens.
//! - [`cli`] and `editor` are thin faces over all of it.
//!
//! What is special to a game stands in its TOML and its SVG; no code here knows any game.

pub mod allowance;
pub mod art;
pub mod cli;
pub mod design;
#[cfg(feature = "editor")]
pub mod editor;
pub mod evaluate;
pub mod exchange;
pub mod export;
pub mod filled_form;
pub mod finding;
pub mod fonts;
pub mod formula;
pub mod library;
pub mod lint;
pub mod print;
pub mod progress;
pub mod ruleset;
pub mod sanitize;
pub mod scene;
pub mod schema;
pub mod sheet;
pub mod source;
pub mod store;
