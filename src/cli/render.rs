//! Formats findings as text for a terminal. Control characters of a file are always escaped.

use std::fmt::Write;
use std::sync::atomic::{AtomicU8, Ordering};

use clap::ColorChoice;
use moldloft_base::finding::{Finding, Severity};
pub use moldloft_base::sanitize::for_terminal as clean;

use super::wording::with_flags;

static CHOICE: AtomicU8 = AtomicU8::new(ColorChoice::Auto as u8);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerminalStyle {
    colours: bool,
}

impl TerminalStyle {
    /// From here on, [`TerminalStyle::for_terminal`] follows this.
    pub fn choose(choice: ColorChoice) {
        CHOICE.store(choice as u8, Ordering::Relaxed);
    }

    /// As chosen; else colours on a terminal, unless NO_COLOR or a dumb terminal forbids them.
    pub fn for_terminal(is_terminal: bool) -> Self {
        let chosen = |choice: ColorChoice| CHOICE.load(Ordering::Relaxed) == choice as u8;
        if chosen(ColorChoice::Always) || chosen(ColorChoice::Never) {
            return Self { colours: chosen(ColorChoice::Always) };
        }
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        Self { colours: is_terminal && !set("NO_COLOR") && !dumb }
    }

    #[cfg(test)]
    pub const NO_COLOUR: Self = Self { colours: false };

    fn escape_code(self, code: &'static str) -> &'static str {
        if self.colours { code } else { "" }
    }
}

/// The most characters of a name on a line.
pub const MAX_NAME_CHARS: usize = 60;

const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[1;33m";
const CYAN: &str = "\x1b[1;36m";
const BLUE: &str = "\x1b[1;34m";
const BOLD: &str = "\x1b[1m";
const RESET: &str = "\x1b[0m";

/// Appends a finding:
///
/// ```text
/// error[launcher-without-magazine]: 6 of 14 launchers are fed by no magazine
///   --> designs/wars-of-honor/vanguard.toml:14:1  missile launcher, port
///    = launchers = 14, fed = 8            rule: rulesets/wars-of-honor.toml:88
///    help: let a magazine feed 6 more, or remove 6 launchers
/// ```
pub fn render_finding(out: &mut String, finding: &Finding, style: TerminalStyle) {
    let finding = &*with_flags(finding);
    let (word, colour) = match finding.severity {
        Severity::Error => ("error", RED),
        Severity::Warning => ("warning", YELLOW),
        Severity::Info => ("note", CYAN),
    };
    let (colour, bold, blue, plain) =
        (style.escape_code(colour), style.escape_code(BOLD), style.escape_code(BLUE), style.escape_code(RESET));
    let _ = writeln!(out, "{colour}{word}[{}]{plain}{bold}: {}{plain}", clean(&finding.code), clean(&finding.message));
    if let Some(place) = location_text(finding) {
        let _ = writeln!(out, "  {blue}-->{plain} {place}");
    }
    if let Some(snippet) = &finding.at.snippet {
        let (start, length) = caret_columns(&snippet.text, snippet.start, snippet.length);
        let _ = writeln!(out, "   {blue}|{plain} {}", clean(&snippet.text));
        let _ = writeln!(out, "   {blue}|{plain} {}{colour}{}{plain}", " ".repeat(start), "^".repeat(length));
    }
    match (&finding.numbers, &finding.rule) {
        (Some(numbers), Some(rule)) => {
            let _ = writeln!(out, "   {blue}={plain} {:<34}  rule: {}", clean(numbers), clean(rule));
        }
        (Some(numbers), None) => {
            let _ = writeln!(out, "   {blue}={plain} {}", clean(numbers));
        }
        (None, Some(rule)) => {
            let _ = writeln!(out, "   {blue}={plain} rule: {}", clean(rule));
        }
        (None, None) => {}
    }
    if let Some(help) = &finding.help {
        let _ = writeln!(out, "   {bold}help:{plain} {}", clean(help));
    }
}

fn location_text(finding: &Finding) -> Option<String> {
    let at = &finding.at;
    let mut text = String::new();
    if let Some(file) = &at.file {
        text.push_str(&clean(file));
        if at.line > 0 {
            let _ = write!(text, ":{}:{}", at.line, at.column.max(1));
        }
    }
    if let Some(item) = &at.item {
        if !text.is_empty() {
            text.push_str("  ");
        }
        text.push_str(&clean(item));
    }
    (!text.is_empty()).then_some(text)
}

/// Position and width of the caret after control characters are escaped.
fn caret_columns(line: &str, start: usize, length: usize) -> (usize, usize) {
    let width = |skip: usize, take: usize| {
        let part: String = line.chars().skip(skip).take(take).collect();
        let missing = take - part.chars().count();
        clean(&part).chars().count() + missing
    };
    (width(0, start), width(start, length).max(1))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use moldloft_base::finding::Place;
    use moldloft_base::source::{Source, Span};

    fn text(one: &Finding) -> String {
        let mut out = String::new();
        render_finding(&mut out, one, TerminalStyle::NO_COLOUR);
        out
    }

    #[test]
    fn a_finding_reads_as_the_house_style_says() {
        let mut one = Finding::error("launcher-without-magazine", "6 of 14 launchers are fed by no magazine")
            .help("let a magazine feed 6 more (3 mass a launcher), or remove 6 launchers")
            .at(Place::in_file("designs/wars-of-honor/vanguard.toml").at_line(14))
            .numbers("launchers = 14, fed = 8")
            .rule("rulesets/wars-of-honor.toml:88");
        one.at.item = Some("missile launcher, port".into());
        assert_eq!(
            text(&one),
            "error[launcher-without-magazine]: 6 of 14 launchers are fed by no magazine\n  \
             --> designs/wars-of-honor/vanguard.toml:14:1  missile launcher, port\n   \
             = launchers = 14, fed = 8             rule: rulesets/wars-of-honor.toml:88\n   \
             help: let a magazine feed 6 more (3 mass a launcher), or remove 6 launchers\n"
        );
    }

    #[test]
    fn the_line_at_fault_is_shown_with_a_caret() {
        let source = Source::new("x.toml", "a = 1\nβ = oops # \u{1b}[2J\n");
        let one = Finding::warning("x", "y").at(source.place_with_snippet(Span { file: 0, start: 11, end: 15 }));
        assert_eq!(text(&one), "warning[x]: y\n  --> x.toml:2:5\n   | β = oops #  [2J\n   |     ^^^^\n");
    }

    #[test]
    fn nothing_of_a_file_drives_the_terminal() {
        let evil = "\u{1b}]0;title\u{7}\u{9b}2J\r\n\u{202e}";
        let mut one = Finding::error(evil.to_owned(), evil).help(evil);
        one.at.file = Some(Arc::from(evil));
        one.at.line = 1;
        one.at.item = Some(Arc::from(evil));
        one.numbers = Some(evil.into());
        one.rule = Some(evil.into());
        let out = text(&one);
        assert!(out.chars().all(|c| c == '\n' || !c.is_control()), "{out:?}");
        assert!(!out.contains('\u{202e}'));
        assert_eq!(out.lines().count(), 4);
    }

    #[test]
    fn colours_only_where_wanted() {
        let mut out = String::new();
        render_finding(&mut out, &Finding::error("x", "y"), TerminalStyle { colours: true });
        assert_eq!(out, "\x1b[1;31merror[x]\x1b[0m\x1b[1m: y\x1b[0m\n");
    }
}
