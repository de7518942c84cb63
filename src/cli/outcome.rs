//! How a subcommand ended.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunOutcome {
    /// Exit status 0.
    Success,
    /// Exit status 1: findings of severity error.
    Errors,
    /// Exit status 2: nothing could be done; the reason has been reported.
    CannotRun,
}

impl RunOutcome {
    pub fn from_errors(errors: bool) -> Self {
        if errors { Self::Errors } else { Self::Success }
    }
}
