//! What the cells of a table are by those around them: words or numbers alike in a column, nothing where the row above
//! says the same.

use std::sync::Arc;

use super::table_group::TableCell;
use crate::sheet::assembly::ship_view::with_minus_signs;

/// Empties first cells that are the same as in the row above.
pub fn leave_out_repeats(rows: &mut [Vec<TableCell>]) {
    let mut above: Option<Arc<str>> = None;
    for row in rows {
        let Some(TableCell::Words(text)) = row.first_mut() else { continue };
        let is_repeated = above.as_ref() == Some(&text.words);
        above = Some(Arc::clone(&text.words));
        if is_repeated {
            text.words = "".into();
        }
    }
}

/// A column with words in any cell has words in all cells.
pub fn unify_columns(rows: &mut [Vec<TableCell>]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    for c in 0..columns {
        if rows.iter().any(|row| matches!(row.get(c), Some(TableCell::Words(_)))) {
            for cell in rows.iter_mut().filter_map(|row| row.get_mut(c)) {
                if let TableCell::Number(words) = cell {
                    *cell = TableCell::Words(words.clone());
                }
            }
        }
    }
}

/// Dice among the columns of words that a folded table begins with are words, so that they are in line with them.
pub fn set_dice_as_words(rows: &mut [Vec<TableCell>]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let is_words = |c: usize| rows.iter().any(|row| matches!(row.get(c), Some(TableCell::Words(_))));
    let last = (0..columns).rfind(|&c| is_words(c)).unwrap_or(0);
    for cell in rows.iter_mut().flat_map(|row| row.iter_mut().take(last)) {
        if let TableCell::Number(words) = cell
            && words.contains('D')
        {
            *cell = TableCell::Words(words.clone());
        }
    }
}

/// Figures and signs among words under headings that are numbers are set like numbers.
pub fn set_as_numbers(heads: &[Arc<str>], rows: &mut [Vec<TableCell>]) {
    for row in rows {
        let cells = row.iter_mut().zip(heads).filter(|(_, head)| head.trim().parse::<i64>().is_ok());
        for (cell, _) in cells {
            if let TableCell::Words(words) | TableCell::QuietWords(words) = cell
                && !words.contains(char::is_alphabetic)
            {
                *cell = TableCell::Number(words.with_words(with_minus_signs(words)));
            }
        }
    }
}
