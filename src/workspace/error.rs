//! The library's errors: the findings that explain why something failed, and why there is no number.

use std::fmt;

use moldloft_base::finding::Finding;

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

/// Why a ship has no value, or no number, of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoValue {
    /// The rules have neither a value nor a field of this id.
    Unknown {
        /// What was asked for.
        id: String,
        /// The id that is most like it.
        nearest: Option<String>,
    },
    /// It is something else than a number.
    NotANumber {
        /// What was asked for.
        id: String,
        /// What it is: `text`, `true or false`, `a list of rows`.
        found: &'static str,
    },
    /// It rests on something that is missing or wrong in the design; one of the ship's findings says what.
    NotComputable {
        /// What was asked for.
        id: String,
    },
}

impl fmt::Display for NoValue {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { id, nearest: Some(nearest) } => {
                write!(out, "unknown value `{id}`: did you mean `{nearest}`?")
            }
            Self::Unknown { id, .. } => write!(out, "unknown value `{id}`"),
            Self::NotANumber { id, found } => write!(out, "expected a number in `{id}`, found {found}"),
            Self::NotComputable { id } => write!(out, "cannot compute `{id}`: a finding of the ship says why"),
        }
    }
}

impl std::error::Error for NoValue {}
