//! `--semicolons`, common to all subcommands that write tables.

use moldloft_base::sanitize::CsvStyle;

// How tables are written.
#[derive(clap::Args)]
pub struct CsvArgs {
    /// In a .csv table, separate cells with semicolons and write decimals with a comma, as spreadsheets of most of Europe read them
    #[arg(long)]
    semicolons: bool,
}

impl CsvArgs {
    pub fn style(&self) -> CsvStyle {
        CsvStyle { semicolons: self.semicolons }
    }
}
