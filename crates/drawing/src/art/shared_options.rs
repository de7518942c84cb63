//! Options that a panel takes from an earlier one of its kind (`as = "ARGUMENT"`): takes the panels of a template, puts
//! before each panel's own options those that it shares. Every part still knows its place in the file.

use super::mapped_text::MappedText;
use super::template::PanelRect;
use moldloft_base::finding::{Finding, nearest};
use moldloft_base::source::Source;
use moldloft_base::source::toml::{TomlTable, TomlValue, parse};

/// The option that names the argument of the other panel.
pub const SHARED_FROM: &str = "as";

/// Gives each panel the options that it shares; what names no panel above is a finding.
pub(super) fn share_options(panels: &mut [PanelRect], source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    for n in 0..panels.len() {
        let (before, rest) = panels.split_at_mut(n);
        let panel = &mut rest[0];
        if panel.options.text.lines().any(|line| line.starts_with(SHARED_FROM)) {
            match with_shared(panel, before, source) {
                Ok(Some(options)) => panel.options = options,
                Ok(None) => {}
                Err(finding) => findings.push(*finding),
            }
        }
    }
    findings
}

/// A panel's own options after those of the panel that it names, if it names one.
fn with_shared(panel: &PanelRect, before: &[PanelRect], source: &Source) -> Result<Option<MappedText>, Box<Finding>> {
    let (own, _) = parse(&panel.options.text, 0);
    let Some(node) = own.get(SHARED_FROM) else { return Ok(None) };
    let alike = || before.iter().filter(|other| other.kind == panel.kind);
    let name = if let TomlValue::Text(name) = &node.data { &**name } else { "" };
    let Some(other) = alike().rfind(|other| other.argument.text == name) else {
        let at = panel.options.span_of(node.span.start as usize..node.span.end as usize);
        let (label, kind) = (&panel.label, &panel.kind);
        let message = format!("`{label}`: expected the argument of an earlier {kind} panel, found `{name}`");
        let near = nearest(name, alike().map(|other| &*other.argument.text));
        let help = near.map(|near| format!("did you mean `{near}`?"));
        let found = Finding::error("unknown-panel-argument", message).maybe_help(help);
        return Err(Box::new(found.at(source.place_with_snippet(at))));
    };
    let (theirs, _) = parse(&other.options.text, 0);
    let mut options = inherited(&theirs, &own, &other.options);
    options.append(&panel.options);
    Ok(Some(options))
}

/// The options of one panel that another lacks, a line each.
fn inherited(table: &TomlTable<'_>, own: &TomlTable<'_>, text: &MappedText) -> MappedText {
    let mut lines = MappedText::default();
    for entry in table.entries.iter().filter(|entry| own.get(&entry.key).is_none()) {
        let (start, end) = (entry.span.start as usize, entry.node.span.end as usize);
        // A table of its own has its key in a heading.
        if text.text.get(start..end).is_some_and(|words| words.contains('=') && words.starts_with(&*entry.key)) {
            lines.append_line(&text.part(start..end));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::Template;
    use super::*;

    #[test]
    fn panels_share_the_options_of_the_nearest_above_of_their_kind() {
        let panel = |(label, options): (&str, &str)| {
            format!("<rect inkscape:label='panel: {label}' width='9' height='9'><desc>{options}</desc></rect>")
        };
        let panels = [
            ("mount port", "size = 4\ntitle = \"Port\""),
            ("mount aft", "as = \"port\"\ntitle = \"Aft\""),
            ("mount port", "as = \"aft\"\nblank = 2"),
            ("track port", "as = \"port\""),
            ("mount bow", "as = \"prot\""),
        ];
        let svg = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' xmlns:inkscape='http://www.inkscape.org/namespaces/inkscape' \
             width='9mm' height='9mm' viewBox='0 0 9 9'>{}</svg>",
            panels.map(panel).concat()
        );
        let (template, findings) = Template::read(&Source::new("t.svg", &svg));
        let template = template.expect("a template");
        let options: Vec<&str> = template.panels.iter().map(|panel| &*panel.options.text).collect();
        assert_eq!(options[1], "size = 4\nas = \"port\"\ntitle = \"Aft\"");
        assert_eq!(options[2], "size = 4\ntitle = \"Aft\"\nas = \"aft\"\nblank = 2");
        assert!(findings.len() == 2 && findings.iter().all(|found| found.code == "unknown-panel-argument"));
        assert_eq!(findings[1].help.as_deref(), Some("did you mean `port`?"));
    }
}
