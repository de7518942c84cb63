//! The library's error: wraps the findings that explain why something failed.

use std::fmt;

use moldloft_base::finding::Finding;

use super::NoValue;

/// Why a call failed: at least one [`Finding`], the cause first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    findings: Vec<Finding>,
}

impl Error {
    /// Never empty.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The code of the first finding: `unknown-ruleset`, `no-such-file` …
    #[must_use]
    pub fn code(&self) -> &str {
        self.findings.first().map_or("", |finding| &finding.code)
    }
}

impl From<Finding> for Error {
    fn from(finding: Finding) -> Self {
        Self { findings: vec![finding] }
    }
}

impl From<NoValue> for Error {
    fn from(why: NoValue) -> Self {
        let code = match why {
            NoValue::Unknown { .. } => "unknown-value",
            NoValue::NotANumber { .. } => "not-a-number",
            NoValue::NotComputable { .. } => "not-computable",
        };
        Finding::error(code, why.to_string()).into()
    }
}

impl From<Vec<Finding>> for Error {
    fn from(findings: Vec<Finding>) -> Self {
        match findings.is_empty() {
            true => Finding::error("failed", "cannot do this, for an unknown reason").into(),
            false => Self { findings },
        }
    }
}

/// One line per finding.
impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, finding) in self.findings.iter().enumerate() {
            write!(out, "{}{finding}", if n == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}
