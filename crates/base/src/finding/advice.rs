//! What a face words itself: where in a question a finding is, and help that names an option of the program.

use std::fmt;
use std::sync::Arc;

/// A text of a question about a design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionPart {
    /// The formula of which the most is wanted.
    Maximise,
    /// The formula of which the least is wanted.
    Minimise,
    /// A condition.
    Goal,
    /// What is spent.
    Spend,
    /// The points that are to be fewer.
    Cheaper,
}

/// Help that names an option. Its text is without any face's name for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Advice {
    /// Help that is the same for every face.
    Words(String),
    /// Name what may vary, such as this.
    NameLever(&'static str),
    /// Vary within narrower windows.
    NarrowWindows,
    /// More work, or fewer designs for it.
    ShareWork,
    /// Ask for the most or least of something.
    AskForMost,
    /// Say what must stay, or ask for the same for less.
    KeepOrCheaper,
    /// How a situation is written.
    WriteSituation,
    /// The situation that a curve is over, such as this.
    NameAxis(Arc<str>),
    /// This situation has no numbers to choose from.
    WholeAxis(Arc<str>),
    /// The situation that is chosen.
    NameChoice,
    /// A smaller question about odds.
    AskLess,
    /// A font with the missing letters.
    ChooseFont,
    /// How a setting is written.
    WriteSetting,
    /// An existing form is not replaced unasked.
    KeepForm,
    /// An existing picture is not replaced unasked.
    KeepPicture,
    /// A form with the usual names of fields.
    PrintFormAgain,
    /// A form of the fleet.
    PrintFleetForm,
    /// Sheets as a form.
    PrintSheetsForm,
    /// A smaller gauge.
    SmallerRadius,
    /// Fewer printers.
    ForgetPrinter,
    /// The rules of a list, instead of those guessed.
    OtherRules,
    /// The rules of a list.
    NameRules,
    /// This, and look at the design that shows the fault.
    WriteTrial(String),
    /// There is no window.
    NoWindow,
    /// Copies of a changed table.
    ChangeCopies,
}

impl fmt::Display for Advice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Advice::NameLever(example) => return write!(out, "name what may vary, such as {example}"),
            Advice::NarrowWindows => "narrow the windows, such as laser:0..6",
            Advice::ShareWork => "let fewer designs share the work, by narrower windows, or do more work",
            Advice::AskForMost => "ask for the most or the least of something, with a goal",
            Advice::KeepOrCheaper => "pin what must stay, or ask for the same for less",
            Advice::WriteSituation => "write it like range=20",
            Advice::NameAxis(name) => return write!(out, "name a situation, such as {name}"),
            Advice::WholeAxis(name) => return write!(out, "write {name} alone"),
            Advice::NameChoice => "name a situation, such as range",
            Advice::AskLess => {
                "ask for one attack, fewer values or fewer turns, or give the attack fewer dice, names and gauges"
            }
            Advice::ChooseFont => "each is printed as `?`: use other characters, or a TrueType font that has them",
            Advice::WriteSetting => "write it like mu=cm",
            Advice::KeepForm | Advice::KeepPicture => "give another name, or replace it on purpose",
            Advice::PrintFormAgain => {
                "fields are named FLEET.SHIP.BOX: print the form again, or mark these boxes by hand"
            }
            Advice::PrintFleetForm => "print the fleet's file as a form",
            Advice::PrintSheetsForm => {
                "print the sheets as a form; one that was “printed to PDF” or flattened has lost its fields"
            }
            Advice::SmallerRadius => "use larger paper or a smaller radius",
            Advice::ForgetPrinter => "remove one",
            Advice::OtherRules => "to use another, name it",
            Advice::NameRules => "name the ruleset",
            Advice::Words(help) | Advice::WriteTrial(help) => help,
            Advice::NoWindow => "use the command line instead",
            Advice::ChangeCopies => "change those, too",
        })
    }
}

impl From<String> for Advice {
    fn from(help: String) -> Self {
        Self::Words(help)
    }
}

impl From<&str> for Advice {
    fn from(help: &str) -> Self {
        Self::Words(help.to_owned())
    }
}
