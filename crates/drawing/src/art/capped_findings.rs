//! Findings of one template, up to a limit; the rest are only counted and never built.

use moldloft_base::finding::Finding;

#[derive(Debug)]
pub struct CappedFindings {
    kept: Vec<Finding>,
    dropped: usize,
    limit: usize,
}

impl Default for CappedFindings {
    fn default() -> Self {
        Self::with_limit(super::MAX_FINDINGS)
    }
}

impl CappedFindings {
    pub fn with_limit(most: usize) -> Self {
        Self { kept: Vec::new(), dropped: 0, limit: most }
    }

    /// Adds the result of `make`, or only counts it beyond the limit.
    pub fn add(&mut self, make: impl FnOnce() -> Finding) {
        if self.kept.len() < self.limit {
            self.kept.push(make());
        } else {
            self.dropped += 1;
        }
    }

    pub fn extend(&mut self, findings: impl IntoIterator<Item = Finding>) {
        findings.into_iter().for_each(|finding| self.add(|| finding));
    }

    /// If some were left out, the last finding gives their number.
    pub fn into_vec(mut self) -> Vec<Finding> {
        if self.dropped > 0 {
            let s = if self.dropped == 1 { "" } else { "s" };
            let message = format!("{} more finding{s} of this template not listed", self.dropped);
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
        let mut findings = CappedFindings::with_limit(2);
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
