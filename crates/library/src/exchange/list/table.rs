//! Rows of tables as lists have them: from spreadsheets, by tabs or bars or as CSV, with a heading or without. Takes the
//! cells of a row, gives which is which.

use super::clean::{CleanLine, collapse_spaces};
use super::{KnownNames, line};
use moldloft_base::finding::Finding;
use moldloft_base::sanitize::fold_for_search;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    Fleet,
    Side,
    Player,
    Group,
    HullNumber,
    Name,
    Class,
    Captain,
    Owner,
    Count,
    /// Counts, or the numbers of the rows.
    Number,
    /// A bare number of a row without a heading, which could be another.
    LikelyCount,
    Points,
    TowedBy,
    Damage,
    Notes,
    LeftOut,
    /// What is computed again.
    Derived,
    Unknown,
}

impl Column {
    fn of_heading(heading: &str) -> Self {
        match fold_for_search(heading).replace('_', " ").trim() {
            "fleet" => Self::Fleet,
            "side" => Self::Side,
            "player" => Self::Player,
            "group" | "squadron" => Self::Group,
            "hull number" | "hull" => Self::HullNumber,
            "ship" | "name" | "ship name" => Self::Name,
            "class" | "ship class" | "design" => Self::Class,
            "captain" => Self::Captain,
            "owner" => Self::Owner,
            "count" | "qty" | "qty." | "quantity" => Self::Count,
            "number" | "no." | "no" | "#" => Self::Number,
            "points" | "pts" | "pts." | "cost" | "points each" => Self::Points,
            "towed by" => Self::TowedBy,
            "damage" => Self::Damage,
            "notes" => Self::Notes,
            "left out" => Self::LeftOut,
            "counters" | "legal" | "own systems" | "total" => Self::Derived,
            _ => Self::Unknown,
        }
    }
}

/// The columns of a heading: one is the class, and at least two are known.
pub fn columns_of(cells: &[String]) -> Option<Vec<Column>> {
    let mut columns: Vec<Column> = cells.iter().map(|cell| Column::of_heading(cell)).collect();
    if !columns.contains(&Column::Class) {
        *columns.iter_mut().find(|column| **column == Column::Name)? = Column::Class;
    }
    let known = columns.iter().filter(|column| **column != Column::Unknown).count();
    // Of two columns of a kind, the second is not read, which each row says.
    for at in 1..columns.len() {
        if columns[..at].contains(&columns[at]) && columns[at] != Column::Derived {
            columns[at] = Column::Unknown;
        }
    }
    (known > 1).then_some(columns)
}

/// Takes away the numbers of a table's rows if they are 1, 2 and so on, which are no counts, and says so.
pub fn take_row_numbers<'a>(rows: impl Iterator<Item = &'a mut Vec<(Column, String)>>) -> Option<Finding> {
    let mut rows: Vec<_> = rows.collect();
    let number = |(column, cell): &(Column, String)| (*column == Column::Number).then(|| cell.trim().parse().ok());
    let numbers: Vec<Option<usize>> = rows.iter().flat_map(|row| row.iter().filter_map(number)).collect();
    if numbers.len() < 2 || !numbers.iter().enumerate().all(|(n, number)| *number == Some(n + 1)) {
        return None;
    }
    rows.iter_mut().for_each(|row| row.retain(|(column, _)| *column != Column::Number));
    let message = format!("read 1 to {} as the numbers of the rows, each of one ship", numbers.len());
    Some(Finding::warning("count-guessed", message).help("call the column count if these are counts"))
}

/// The lines of a CSV file whose first line is a heading, also one that spreadsheets begin with `sep=;`.
pub fn csv_lines(text: &str) -> Option<Vec<CleanLine>> {
    // The reader numbers lines by their last sign, which of two is in the next row.
    let text = &text.replace("\r\n", "\n");
    let mut rest = text.trim_start_matches(['\u{feff}', '\n', '\r', ' ']);
    let blank = text[..text.len() - rest.len()].matches('\n').count();
    let mut first = u32::try_from(blank).unwrap_or(u32::MAX).saturating_add(1);
    if rest.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("sep=")) {
        rest = rest.split_once('\n')?.1;
        first = first.saturating_add(1);
    }
    let heading = rest.lines().next()?;
    let delimiter = [b',', b';', b'\t'].into_iter().max_by_key(|sign| heading.matches(char::from(*sign)).count())?;
    let mut reader =
        csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(rest.as_bytes());
    let mut lines = Vec::new();
    for record in reader.records() {
        let record = record.ok()?;
        let number = record.position().map_or(1, |position| u32::try_from(position.line()).unwrap_or(u32::MAX));
        let cells: Vec<String> = record.iter().map(plain_cell).collect();
        if lines.is_empty() {
            columns_of(&cells)?;
        }
        let words = cells.join(" ").trim().to_owned();
        lines.push(CleanLine { number: number.saturating_add(first - 1), words, cells, ..CleanLine::default() });
    }
    Some(lines)
}

/// Without the apostrophe before what would be a formula; lines are kept, for notes.
fn plain_cell(cell: &str) -> String {
    let plain =
        cell.strip_prefix('\'').filter(|rest| moldloft_base::sanitize::for_spreadsheet(rest) != **rest).unwrap_or(cell);
    plain.trim().lines().map(collapse_spaces).collect::<Vec<_>>().join("\n")
}

/// A row without a heading, by its contents; `None` when no cell is a class.
pub fn guess_columns(cells: &[String], known: &KnownNames) -> Option<Vec<(Column, String)>> {
    let number = |cell: &str| {
        let digits = cell.trim().trim_start_matches(['x', 'X', '×']).trim_end_matches(['x', 'X', '×']).trim();
        (digits.len() <= 9).then(|| digits.parse::<i64>().ok()).flatten()
    };
    let cells: Vec<&str> = cells
        .iter()
        .enumerate()
        .map(|(at, cell)| match number(cell).filter(|_| at > 0) {
            // Only the first cell has the row's bullet.
            Some(_) => cell,
            None => line::strip_bullet(cell).unwrap_or(cell.trim_start_matches(line::is_bullet)),
        })
        .filter(|cell| !cell.is_empty())
        .collect();
    let class = cells.iter().position(|cell| line::looks_like_ship(cell, known))?;
    let mut row = vec![(Column::Class, cells[class].to_owned())];
    let mut has_count = line::parse_ship(cells[class], known).count.is_some();
    let mut has_points = false;
    let figures = cells.iter().skip(class + 1).filter(|cell| number(cell).is_some()).count();
    for (at, cell) in cells.iter().enumerate().filter(|(at, _)| *at != class) {
        let column = match number(cell) {
            Some(count) if !has_count && (at < class || figures > 1 || count <= line::MAX_LIKELY_COUNT) => {
                has_count = true;
                if cell.chars().all(|c| c.is_ascii_digit()) { Column::LikelyCount } else { Column::Count }
            }
            Some(_) if has_points => Column::Derived,
            Some(_) => {
                has_points = true;
                Column::Points
            }
            None if line::points_of(cell).is_some() => Column::Points,
            None if cell.starts_with(line::is_opening_quote) => Column::Name,
            None if cell.contains(|c: char| c.is_ascii_digit()) && !cell.contains(' ') => Column::HullNumber,
            None => Column::Name,
        };
        // Nothing is put in the place of another.
        let taken = column != Column::Derived && row.iter().any(|(known, _)| *known == column);
        row.push((if taken { Column::Unknown } else { column }, (*cell).to_owned()));
    }
    Some(row)
}
