//! Arguments for the page setup, common to all subcommands that print.

use clap::ValueEnum;

use moldloft_base::finding::Finding;
use moldloft_library::print::{MAX_OFFSET, Printers};
use moldloft_library::store;
use moldloft_sheet::sheet::{DuplexEdge, Margins, NUp, NUpOrder, PageSetup, Paper};

use super::terminal::print_findings;

// How pages lie on the paper.
#[derive(clap::Args)]
pub struct PageArgs {
    /// Paper: a4, letter, a5, a3, legal, tabloid, or a size such as 200x300mm or 8x10in
    #[arg(long, default_value = "a4", value_name = "PAPER", value_parser = |text: &str| text.parse::<Paper>())]
    pub paper: Paper,
    /// Margins in mm: one number, or four clockwise from the top, such as 5,6,12,6
    #[arg(long, value_name = "MM", value_parser = |text: &str| text.parse::<Margins>())]
    pub margin: Option<Margins>,
    /// Number of full sheets per page, with cut marks; auto: as many as fit at full size
    #[arg(long, value_enum, value_name = "N", default_value_t = NUpArg::Auto)]
    pub up: NUpArg,
    /// Order of several sheets per page: for reading, or for cutting the whole stack and putting the piles on one another
    #[arg(long, value_enum, value_name = "HOW", default_value_t = NUpOrderArg::Reading)]
    pub order: NUpOrderArg,
    /// Print several sheets per page on both sides
    #[arg(long)]
    pub two_sided: bool,
    /// Edge along which the printer turns the paper for the second side [default: long, or as measured for the printer]
    #[arg(long, value_enum, value_name = "EDGE")]
    pub turn: Option<DuplexEdgeArg>,
    /// Correct for a printer measured with `moldloft calibrate`
    #[arg(long, value_name = "NAME")]
    pub printer: Option<String>,
}

/// How many sheets lie beside each other, on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NUpArg {
    /// As many as fit at full size
    Auto,
    /// One
    #[value(name = "1")]
    One,
    /// Two, reduced on small paper
    #[value(name = "2")]
    Two,
    /// Four, reduced on small paper
    #[value(name = "4")]
    Four,
}

/// Their order on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NUpOrderArg {
    /// Reading order
    Reading,
    /// Order for cutting the whole stack
    Stacks,
}

/// The edge that paper is turned along, on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DuplexEdgeArg {
    /// The long edge, as most printers do
    Long,
    /// The short edge
    Short,
}

impl DuplexEdgeArg {
    pub fn to_duplex_edge(self) -> DuplexEdge {
        match self {
            Self::Long => DuplexEdge::Long,
            Self::Short => DuplexEdge::Short,
        }
    }
}

impl PageArgs {
    /// The page setup, corrected for the printer.
    ///
    /// # Errors
    /// A finding when the printer is unknown.
    pub fn to_page_setup(&self, offset: Option<(f32, f32)>) -> Result<PageSetup, Finding> {
        let mut page_setup = PageSetup::default()
            .paper(self.paper)
            .margins(self.margin)
            .up(match self.up {
                NUpArg::Auto => NUp::Auto,
                NUpArg::One => NUp::One,
                NUpArg::Two => NUp::Two,
                NUpArg::Four => NUp::Four,
            })
            .sequence(match self.order {
                NUpOrderArg::Reading => NUpOrder::Reading,
                NUpOrderArg::Stacks => NUpOrder::Stacks,
            })
            .two_sided(self.two_sided)
            .turn(self.turn.map(DuplexEdgeArg::to_duplex_edge).unwrap_or_default())
            .offset(offset.unwrap_or_default());
        if let Some(name) = &self.printer {
            let (printers, finding) = Printers::load(store::settings_folder().as_deref());
            print_findings(finding.as_slice());
            let printer = printers.require(name)?;
            page_setup.turn = self.turn.map_or(printer.turn, DuplexEdgeArg::to_duplex_edge);
            printer.apply_to(&mut page_setup);
            page_setup.offset = offset.unwrap_or(page_setup.offset);
            if printer.paper != page_setup.paper && printer.has_scale_error() {
                let message =
                    format!("{} was measured on {}, not on {}", printer.name, printer.paper, page_setup.paper);
                let help =
                    "calibrate it on this paper; a printer that scales to fit the page scales each paper differently";
                print_findings(&[Finding::warning("other-paper", message).help(help)]);
            }
        }
        Ok(page_setup)
    }
}

/// `0.5,-1`: millimetres, at most 20 in either direction.
pub fn parse_offset(text: &str) -> Result<(f32, f32), String> {
    let number = |text: &str| text.trim().parse::<f32>().ok().filter(|mm| mm.abs() <= MAX_OFFSET);
    let pair = text.split_once(',').and_then(|(x, y)| Some((number(x)?, number(y)?)));
    pair.ok_or_else(|| "expected two numbers in mm from -20 to 20, such as 0.5,-1".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_two_numbers() {
        assert_eq!(parse_offset("0.5,-1"), Ok((0.5, -1.0)));
        assert_eq!(parse_offset(" 0 , 20 "), Ok((0.0, 20.0)));
        for wrong in ["", "1", "1,", "1,2,3", "nan,0", "inf,0", "21,0", "x,y"] {
            assert!(parse_offset(wrong).is_err(), "{wrong}");
        }
    }
}
