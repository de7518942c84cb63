//! The findings that a proposal leaves.

use egui::Response;

use crate::language::say;
use crate::panels::findings;
use crate::widgets::with_curly_quotes;
use moldloft_base::finding::Finding;
use moldloft_rules::evaluate::Evaluation;

/// Findings that are listed of a proposal.
const MAX_FINDINGS: usize = 6;

/// What is left is said on hover and to screen readers.
pub fn with_findings(response: Response, after: &Evaluation) -> Response {
    if after.findings.is_empty() {
        return response;
    }
    let words = findings_words(after);
    response.ctx.accesskit_node_builder(response.id, |node| node.set_description(say(&*words)));
    response.on_hover_text(say(words))
}

/// The findings of a proposal, one a line.
fn findings_words(after: &Evaluation) -> String {
    let one = |finding: &Finding| {
        format!("{}: {}", findings::severity_label(finding.severity), with_curly_quotes(&finding.message))
    };
    let mut lines: Vec<String> = after.findings.iter().take(MAX_FINDINGS).map(one).collect();
    let more = after.findings.len().saturating_sub(MAX_FINDINGS);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    lines.join("\n")
}
