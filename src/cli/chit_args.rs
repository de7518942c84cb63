//! Arguments for chits, common to all subcommands that print them.

use clap::ValueEnum;

use moldloft_library::print::{CHIT_SIZES, chit_size_setting};
use moldloft_sheet::sheet::Backs;

use super::load::RulesetArgs;
use super::page_args::parse_offset;

// How chits are made.
#[derive(clap::Args)]
pub struct ChitLayoutArgs {
    /// Set the side of a chit in mm, such as 15 or 20; same as --set chit_mm=N
    #[arg(long, value_name = "MM", value_parser = clap::value_parser!(u32).range(i64::from(CHIT_SIZES.0)..=i64::from(CHIT_SIZES.1)))]
    pub size: Option<u32>,
    /// Arrange fronts and backs
    #[arg(long, value_enum, default_value_t = BackArg::Duplex)]
    pub back: BackArg,
    /// Move the backs by this many mm right and down to match the fronts, such as 0.5,-1 [default: as measured for the printer]
    #[arg(long, value_name = "X,Y", value_parser = parse_offset, allow_hyphen_values = true)]
    pub offset: Option<(f32, f32)>,
}

impl ChitLayoutArgs {
    /// The player's rules, with the size of chits as a setting.
    pub fn with_chit_size(&self, rules: &RulesetArgs) -> RulesetArgs {
        let mut rules = rules.clone();
        rules.set.extend(self.size.map(chit_size_setting));
        rules
    }
}

impl BackArg {
    pub fn backs(self) -> Backs {
        match self {
            Self::Duplex => Backs::Duplex,
            Self::Fold => Backs::Fold,
            Self::None => Backs::None,
        }
    }
}

/// Fronts and backs on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BackArg {
    /// Mirrored pages of backs after pages of fronts, for duplex printing
    Duplex,
    /// Front and back in one piece, to fold and glue
    Fold,
    /// Fronts only
    None,
}
