//! Tables for spreadsheets: takes rows, gives CSV with commas; takes that, gives the bytes of a file that a spreadsheet
//! opens rightly.

/// How a file of CSV is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CsvStyle {
    /// Semicolons between cells and commas in decimal numbers, as spreadsheets of most of Europe read them.
    pub semicolons: bool,
}

impl CsvStyle {
    /// The bytes of a file: with a byte order mark, without which spreadsheets take UTF-8 for another encoding; lines end
    /// in CRLF.
    pub fn file_bytes(self, table: &str) -> Vec<u8> {
        ["\u{feff}", &self.write(table, csv::Terminator::CRLF)].concat().into_bytes()
    }

    /// The text for another program: without the mark.
    pub fn text(self, table: &str) -> String {
        self.write(table, csv::Terminator::Any(b'\n'))
    }

    fn write(self, table: &str, terminator: csv::Terminator) -> String {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(table.as_bytes());
        let delimiter = if self.semicolons { b';' } else { b',' };
        let mut out = csv::WriterBuilder::new()
            .delimiter(delimiter)
            .terminator(terminator)
            .flexible(true)
            .from_writer(Vec::new());
        for record in reader.records().map_while(Result::ok) {
            let cells = record.iter().map(|cell| match self.semicolons && is_decimal(cell) {
                true => cell.replace('.', ","),
                false => cell.to_owned(),
            });
            let cells: Vec<String> = cells.collect();
            // Writing to memory does not fail.
            let _ = out.write_record(&cells);
        }
        out.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_else(|| table.to_owned())
    }
}

/// Rows as CSV with commas, as [`CsvStyle`] takes it.
pub fn csv_table(rows: &[Vec<String>]) -> String {
    let mut out = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    for row in rows {
        // Writing to memory does not fail.
        let _ = out.write_record(row);
    }
    out.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

/// `1.5`, `-0.25`, `1e-7`; no version such as `1.0.0`.
fn is_decimal(cell: &str) -> bool {
    cell.contains('.')
        && cell.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        && cell.ends_with(|c: char| c.is_ascii_digit())
        && cell.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read_by_spreadsheets_of_both_kinds() {
        let table = "name,mean,version\n\"Tern, II\",1.25,1.0.0\n'=x,-0.5,\n";
        let of = |semicolons| String::from_utf8(CsvStyle { semicolons }.file_bytes(table)).unwrap();
        assert_eq!(of(false), "\u{feff}name,mean,version\r\n\"Tern, II\",1.25,1.0.0\r\n'=x,-0.5,\r\n");
        assert_eq!(of(true), "\u{feff}name;mean;version\r\nTern, II;1,25;1.0.0\r\n'=x;-0,5;\r\n");
        assert_eq!(CsvStyle { semicolons: true }.text("a,b;c\n"), "a;\"b;c\"\n");
    }
}
