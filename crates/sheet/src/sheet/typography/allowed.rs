//! What a template allows by intent: takes the description of its root element, gives the checks that it switches off,
//! each with a reason.

use super::faults::TypographyCheck;
use moldloft_base::finding::{Finding, nearest};
use moldloft_base::source::Span;
use moldloft_base::source::toml::{TomlTable, TomlValue, parse};
use moldloft_drawing::art::Template;

/// `{ check = "text-near-line", text = "2T", why = "two signs fill a square" }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedFault {
    pub check: TypographyCheck,
    /// Only texts that contain these words; `None` for all.
    pub text: Option<String>,
    pub why: String,
}

impl AllowedFault {
    /// Whether it is about these words.
    pub fn covers_text(&self, words: &str) -> bool {
        self.text.as_ref().is_none_or(|text| words.contains(text.as_str()))
    }
}

/// A template's `allow`, with what is wrong in it. A description that does not begin with `allow` is prose.
pub fn read_allowed(template: &Template) -> (Vec<AllowedFault>, Vec<Finding>) {
    let mapped = &template.description;
    if !mapped.text.trim_start().starts_with("allow") {
        return (Vec::new(), Vec::new());
    }
    let (table, faults) = parse(&mapped.text, 0);
    let mut findings = Vec::new();
    let mut report = |message: String, help: String, span: Span| {
        let at = mapped.span_of(span.start as usize..span.end as usize);
        let finding = Finding::error("wrong-allow", message).help(help);
        findings.push(finding.at(template.source.place_with_snippet(at)));
    };
    for fault in faults {
        report(format!("invalid TOML in the sheet's description: {}", fault.message), EXAMPLE.to_owned(), fault.span);
    }
    let mut allowed = Vec::new();
    let entries = table.get("allow").map(|node| match &node.data {
        TomlValue::List(list) => list.as_slice(),
        _ => std::slice::from_ref(node),
    });
    for node in entries.unwrap_or_default() {
        let TomlValue::Table(one) = &node.data else {
            report(
                format!("`allow`: expected a table, found {}", node.data.type_name()),
                EXAMPLE.to_owned(),
                node.span,
            );
            continue;
        };
        let (code, why) = (text_of(one, "check").unwrap_or_default(), text_of(one, "why").unwrap_or_default());
        let Some(check) = TypographyCheck::from_code(&code) else {
            let near = nearest(&code, TypographyCheck::ALL.map(TypographyCheck::code));
            let help = near.map_or(EXAMPLE.to_owned(), |near| format!("did you mean `{near}`?"));
            report(format!("`allow`: unknown check `{code}`"), help, node.span);
            continue;
        };
        if why.trim().is_empty() {
            report(format!("`allow`: missing reason for `{code}`"), "add `why = \"…\"`".to_owned(), node.span);
            continue;
        }
        allowed.push(AllowedFault { check, text: text_of(one, "text"), why });
    }
    (allowed, findings)
}

const EXAMPLE: &str = "write `allow = [{ check = \"text-near-line\", text = \"2T\", why = \"…\" }]`";

fn text_of(table: &TomlTable<'_>, key: &str) -> Option<String> {
    match &table.get(key)?.data {
        TomlValue::Text(text) => Some(text.to_string()),
        _ => None,
    }
}
