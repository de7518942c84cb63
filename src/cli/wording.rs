//! What the command line words itself in a finding: the flags of its questions and of its help. The core names none.

use std::borrow::Cow;

use moldloft_base::finding::{Advice, Finding, QuestionPart};
use moldloft_odds::suggest::ReplyNote;

/// The finding as the command line prints it.
pub fn with_flags(finding: &Finding) -> Cow<'_, Finding> {
    if finding.advice.is_none() && finding.asked.is_none() {
        return Cow::Borrowed(finding);
    }
    let mut worded = finding.clone();
    if let Some(advice) = worded.advice.take() {
        worded.help = Some(help(&advice));
    }
    if let Some(part) = worded.asked.take() {
        let flag = flag(part);
        worded.message = format!("{flag}: {}", worded.message);
        worded.at.file = (worded.at.line > 0).then(|| flag.into());
    }
    Cow::Owned(worded)
}

/// A sentence beside an answer, with the flags of what it advises.
pub fn note_words(note: &ReplyNote) -> String {
    match &note.advice {
        Some(advice) => format!("{}: {}", note.words, help(advice)),
        None => note.words.clone(),
    }
}

/// For reports in JSON.
pub fn put_flags(findings: &mut [Finding]) {
    findings.iter_mut().for_each(|finding| *finding = with_flags(finding).into_owned());
}

fn flag(part: QuestionPart) -> &'static str {
    match part {
        QuestionPart::Maximise => "--maximise",
        QuestionPart::Minimise => "--minimise",
        QuestionPart::Goal => "--goal",
        QuestionPart::Spend => "--of",
        QuestionPart::Cheaper => "--cheaper",
    }
}

fn help(advice: &Advice) -> String {
    let fixed = match advice {
        Advice::Words(help) => help,
        Advice::NameLever(example) => return format!("name what may vary, such as --vary {example}"),
        Advice::NarrowWindows => "narrow the windows, such as --vary laser:0..6",
        Advice::ShareWork => "let fewer designs share the work, by narrower windows, or do more with --effort",
        Advice::AskForMost => "ask with --maximise or --minimise and a goal",
        Advice::KeepOrCheaper => "keep what must stay with --pin, or use --cheaper",
        Advice::WriteSituation => "write it like --with range=20",
        Advice::NameAxis(name) => return format!("name a situation, such as --over {name}"),
        Advice::WholeAxis(name) => return format!("write --over {name}"),
        Advice::NameChoice => "name a situation, such as --best range",
        Advice::AskLess => {
            "ask for one attack (--attack ID), fewer values (--over NAME=A..B) or fewer turns (--turns N), or give the attack fewer dice, names and gauges"
        }
        Advice::ChooseFont => return format!("{advice}: `--font FILE`"),
        Advice::WriteSetting => "use --set NAME=VALUE, such as --set mu=cm",
        Advice::KeepForm => {
            "give another name with -o, or use --force to replace it; `moldloft damage FORM.pdf` shows its contents"
        }
        Advice::KeepPicture => "give another name with -o, or use --force to replace it",
        Advice::PrintFormAgain => {
            "fields are named FLEET.SHIP.BOX: print the form again with --form, or mark these boxes by hand"
        }
        Advice::PrintFleetForm => "print the fleet file with --form: `moldloft print FLEET.toml --form -o FORM.pdf`",
        Advice::PrintSheetsForm => {
            "print the sheets with --form; a form that was “printed to PDF” or flattened has lost its fields"
        }
        Advice::SmallerRadius => "use larger paper or a smaller --radius",
        Advice::ForgetPrinter => "remove one with `moldloft calibrate --forget NAME`",
        Advice::OtherRules => "to use another, add --rules",
        Advice::NameRules => "add --rules; see `moldloft list rulesets`",
        Advice::WriteTrial(help) => {
            return format!("{help}; use --trial FILE to write that design for `moldloft explain FILE costs`");
        }
        Advice::NoWindow => return format!("{advice}: see `moldloft --help`"),
        Advice::ChangeCopies => return format!("{advice}; `moldloft rules diff --reach` shows what reads each change"),
    };
    fixed.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use moldloft_base::source::{Source, Span};

    #[test]
    fn a_question_is_named_by_its_flag() {
        let place = Source::new("", "pionts < 3").place_with_snippet(Span::from(0..6));
        let mut finding = Finding::error("unknown-name", "unknown name `pionts`").asked_in(QuestionPart::Goal);
        assert_eq!(with_flags(&finding).to_string(), "error[unknown-name]: --goal: unknown name `pionts`");
        finding = finding.at(place).advise(Advice::NameLever("mass"));
        assert_eq!(
            with_flags(&finding).to_string(),
            "--goal:1:1: error[unknown-name]: --goal: unknown name `pionts` (name what may vary, such as --vary mass)"
        );
        // Words of its own replace what a face would say.
        assert_eq!(with_flags(&finding.help("write it again")).help.as_deref(), Some("write it again"));
    }
}
