//! Findings of one template: takes them as they are found, keeps as many as anybody reads and counts the rest. What is not kept is not built.

use crate::finding::Finding;

/// Findings, and how many more there were.
#[derive(Debug)]
pub struct CappedFindings {
    kept: Vec<Finding>,
    more: usize,
    most: usize,
}

impl Default for CappedFindings {
    /// As many of one template as are listed.
    fn default() -> Self {
        Self::of(super::MAX_FINDINGS)
    }
}

impl CappedFindings {
    /// Keeps at most so many.
    pub fn of(most: usize) -> Self {
        Self { kept: Vec::new(), more: 0, most }
    }

    /// Keeps what `make` gives, or only counts it when there are enough.
    pub fn add(&mut self, make: impl FnOnce() -> Finding) {
        if self.kept.len() < self.most {
            self.kept.push(make());
        } else {
            self.more += 1;
        }
    }

    /// Keeps some, as far as there is room, and counts the rest.
    pub fn extend(&mut self, findings: impl IntoIterator<Item = Finding>) {
        findings.into_iter().for_each(|finding| self.add(|| finding));
    }

    /// What was kept; when there was more, the last says how many.
    pub fn into_vec(mut self) -> Vec<Finding> {
        if self.more > 0 {
            let s = if self.more == 1 { "" } else { "s" };
            let message = format!("{} more finding{s} of this template not listed", self.more);
            self.kept
                .push(Finding::warning("template-many-findings", message).help("fix the first ones and check again"));
        }
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_kept_is_not_built() {
        let mut findings = CappedFindings::of(2);
        let mut built = 0;
        for n in 0..1_000 {
            findings.add(|| {
                built += 1;
                Finding::error("x", n.to_string())
            });
        }
        let all = findings.into_vec();
        assert_eq!((built, all.len()), (2, 3));
        assert_eq!(all[2].message, "998 more findings of this template not listed");
    }
}
