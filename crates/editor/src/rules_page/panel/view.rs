//! What the parts of the rules page read of the current ruleset, collected once a frame.

use egui::{Id, Ui};

use crate::rules_page::panel::words;
use crate::rules_page::{CellId, RulesPage};
use crate::{Doc, EditorState, OpenRuleset};
use moldloft_base::sanitize::fold_for_search;
use moldloft_rules::ruleset::{CellKind, GridRow, RowState, RuleGrid};

/// What the parts of the page read, collected once a frame.
pub struct PageView<'a> {
    pub state: &'a EditorState,
    pub doc: &'a Doc,
    pub open: &'a OpenRuleset,
    pub page: &'a RulesPage,
    /// The words that rows must contain.
    pub query: Vec<String>,
    /// The table that is shown.
    pub grid: Option<&'a RuleGrid>,
}

impl<'a> PageView<'a> {
    pub fn new(state: &'a EditorState, empty: &'a RulesPage) -> Option<Self> {
        let doc = state.current_doc()?;
        let open = doc.as_ruleset()?;
        let page = state.rules_pages.get(&doc.id).unwrap_or(empty);
        let query = fold_for_search(&page.query).split_whitespace().map(str::to_owned).collect();
        let mut view = Self { state, doc, open, page, query, grid: None };
        let wanted = page.grid.as_ref().and_then(|id| open.book.grid(id)).filter(|grid| view.count(grid) > 0);
        let in_order = || {
            words::ORDER.iter().find_map(|(section, ..)| {
                open.book.grids.iter().find(|grid| *grid.id.section == **section && view.count(grid) > 0)
            })
        };
        view.grid = wanted.or_else(in_order);
        Some(view)
    }

    /// Of the input of the selected cell.
    pub fn input_id(&self) -> Id {
        Id::unique(("rules cell", self.doc.id.0))
    }

    /// Gives the input the focus in the next frame, also if the cell was the selected one before.
    pub fn focus_input_again(&self, ui: &Ui) {
        let key = self.input_id().with("shown");
        ui.data_mut(|data| data.remove::<CellId>(key));
    }

    pub fn grids(&self) -> impl Iterator<Item = (&'a RuleGrid, usize)> {
        self.open.book.grids.iter().map(|grid| (grid, self.count(grid)))
    }

    /// Rows that are searched for.
    fn count(&self, grid: &RuleGrid) -> usize {
        if self.query.is_empty() { grid.rows.len() } else { self.rows(grid).count() }
    }

    pub fn rows<'g>(&self, grid: &'g RuleGrid) -> impl Iterator<Item = &'g GridRow> {
        grid.rows.iter().filter(move |row| self.is_found(grid, row))
    }

    fn is_found(&self, grid: &RuleGrid, row: &GridRow) -> bool {
        if self.query.is_empty() {
            return true;
        }
        let mut text = format!("{} {} {} {}", words::grid_name(grid), grid.title, row.key, row.label);
        for cell in row.cells.iter().filter_map(|cell| cell.text.as_deref()) {
            text.push(' ');
            text.push_str(cell);
        }
        let text = fold_for_search(&text);
        self.query.iter().all(|word| text.contains(word.as_str()))
    }

    pub fn changed_rows(&self, grid: &RuleGrid) -> usize {
        grid.rows.iter().filter(|row| row.state != RowState::Below).count()
    }

    pub fn is_layer(&self) -> bool {
        self.open.is_layer() && !self.doc.is_built_in()
    }
}

/// Whether numbers are typed into it, so that it is aligned to the right.
pub fn is_numeric(kind: CellKind, text: &str) -> bool {
    let is_number = !text.is_empty() && text.parse::<i64>().is_ok();
    is_number && !matches!(kind, CellKind::Text | CellKind::Template | CellKind::Words)
}
