//! Pages as data, and what is drawn on them:
//!
//! ```text
//! fonts/*.ttf ── fonts ── shaped text, outlines, subsets ─┐
//!                                                         ├── scene: pages of typed items in millimetres
//! *.svg ──────── art ──── drawings, slots, rectangles ────┘
//! ```

pub mod art;
pub mod fonts;
pub mod scene;
