//! Files that are no lists: takes the bytes of a file, gives a finding that says what it is and what to do with it.

use moldloft_base::finding::Finding;
use moldloft_base::source::toml::parse;

/// What a zip begins with, before the length and the text of its first name.
const ZIP_START: &[u8] = b"PK\x03\x04";
const ZIP_NAME: usize = 30;

/// `None` for a text that may be a list, and for a bundle.
pub fn refuse_foreign(bytes: &[u8]) -> Option<Finding> {
    let (what, help) = kind_of_binary(bytes).or_else(|| kind_of_text(std::str::from_utf8(bytes).ok()?))?;
    let message = format!("expected a list of ships, found {what}; nothing was written");
    Some(Finding::error("not-a-list", message).help(help))
}

type Kind = (&'static str, &'static str);

const AS_TEXT: &str = "save it as plain text (.txt), or copy its lines into a text file";
const AS_CSV: &str = "save the sheet as CSV, with a column named class";
const ROSTER: &str = "export the roster as text in the program that wrote it, and import that";

fn kind_of_binary(bytes: &[u8]) -> Option<Kind> {
    if bytes.starts_with(ZIP_START) {
        let first = &bytes[bytes.len().min(ZIP_NAME)..];
        let first = &first[..first.len().min(200)];
        let has = |name: &[u8]| first.windows(name.len()).any(|part| part == name);
        return match () {
            () if has(b".ros") => Some(("a BattleScribe roster (.rosz)", ROSTER)),
            () if has(b".cat") || has(b".gst") => Some(("a BattleScribe catalogue (.catz)", ROSTER)),
            () if has(b"opendocument.spreadsheet") => Some(("a spreadsheet (.ods)", AS_CSV)),
            () if has(b"opendocument") => Some(("a document (.odt)", AS_TEXT)),
            () if has(b"[Content_Types].xml") || has(b"_rels/") => {
                Some(("a document of an office program (.docx, .xlsx)", "save it as plain text (.txt), or as CSV"))
            }
            () => None,
        };
    }
    match bytes {
        _ if bytes.starts_with(b"%PDF-") => {
            Some(("a PDF", "copy its text into a text file; a filled form is read by `moldloft damage`"))
        }
        [0xd0, 0xcf, 0x11, 0xe0, ..] => Some(("a document of an office program (.doc, .xls)", AS_TEXT)),
        [0x89, b'P', b'N', b'G', ..] | [0xff, 0xd8, 0xff, ..] | [b'G', b'I', b'F', b'8', ..] => {
            Some(("a picture", "type its lines into a text file"))
        }
        _ => None,
    }
}

fn kind_of_text(text: &str) -> Option<Kind> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with("{\\rtf") {
        return Some(("a document (.rtf)", AS_TEXT));
    }
    if text.starts_with(['{', '[']) && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok() {
        return Some(("JSON", "import the text that `moldloft share` writes, or a list of ships"));
    }
    // A line of a chat, `<Anna> 2x Tern`, is no XML.
    let is_xml = ["<?xml", "<!--", "<!doctype"]
        .iter()
        .any(|start| text.get(..start.len()).is_some_and(|own| own.eq_ignore_ascii_case(start)));
    let root = ["<roster", "<catalogue", "<gamesystem", "<svg", "<xfdf", "<html"];
    let lower: String = text.chars().take(2_000).collect::<String>().to_ascii_lowercase();
    if is_xml || root.iter().any(|root| lower.starts_with(root)) {
        return Some(match () {
            () if lower.contains("<roster") => ("a BattleScribe roster (.ros)", ROSTER),
            () if lower.contains("<catalogue") || lower.contains("<gamesystem") => {
                ("a BattleScribe catalogue (.cat)", ROSTER)
            }
            () if lower.contains("<svg") => ("an SVG drawing", AS_TEXT),
            () if lower.contains("<xfdf") => ("a filled form (XFDF)", "read it with `moldloft damage`"),
            () if lower.contains("<html") => ("a web page", AS_TEXT),
            () => ("XML", AS_TEXT),
        });
    }
    if text.starts_with("%FDF-") {
        return Some(("a filled form (FDF)", "read it with `moldloft damage`"));
    }
    let names = |key: &str| {
        text.lines()
            .any(|line| line.trim_start().strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('=')))
    };
    let has = |head: &str| text.lines().any(|line| line.trim() == head);
    let is_ours = names("ruleset") || has("[ruleset]") || has("[[ship]]");
    if !is_ours || !parse(text, 0).1.is_empty() {
        return None;
    }
    Some(match () {
        () if has("[ruleset]") => ("a ruleset (TOML)", "copy it into a folder named rulesets"),
        () if has("[[ship]]") || names("budget") => (
            "a fleet file (TOML)",
            "use it as it is: `moldloft check` reads it, and `moldloft share` writes it as text",
        ),
        () => ("a design file (TOML)", "use it as it is: `moldloft check` and `moldloft print` read it"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_kinds_are_named_and_lists_are_not_refused() {
        let zip = |name: &str| [ZIP_START, &[0; 26], name.as_bytes()].concat();
        for (bytes, what) in [
            (b"<?xml version=\"1.0\"?>\n<roster id=\"1\">".to_vec(), "roster (.ros)"),
            ("\u{feff}<?xml version=\"1.0\"?>\n<catalogue id=\"1\">".into(), "catalogue"),
            (b"<!DOCTYPE html><html>".to_vec(), "web page"),
            (b"%PDF-1.7\n".to_vec(), "a PDF"),
            (b"{\\rtf1 x}".to_vec(), "rtf"),
            (b"[{\"a\": 1}]".to_vec(), "JSON"),
            (b"#:schema x\nruleset = \"g\"\n[[ship]]\ndesign = \"A\"\n".to_vec(), "fleet file"),
            (b"ruleset = \"g\"\nname = \"A\"\n[fields]\nmass = 3\n".to_vec(), "design file"),
            (b"[ruleset]\nid = \"g\"\n".to_vec(), "a ruleset"),
            (zip("a.ros"), "rosz"),
            (zip("[Content_Types].xml"), "office"),
        ] {
            let finding = refuse_foreign(&bytes).unwrap_or_else(|| panic!("{what}"));
            assert!(finding.message.contains(what), "{}", finding.message);
        }
        for list in
            ["2 x Tern", "[b]2x Tern[/b]", "> - Tern", "<Anna> 2x Tern", "Fleet: F\nruleset = the usual\n- Tern", ""]
        {
            assert_eq!(refuse_foreign(list.as_bytes()), None, "{list}");
        }
        assert!(refuse_foreign(&zip("moldloft.json")).is_none());
    }
}
