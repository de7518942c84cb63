//! Limits the work and memory of one job: takes the sizes of work and of kept data, decides whether they exceed the
//! limit. Never measures time, so that the same input is cut at the same place on every machine.
//!
//! Everything that a file can multiply (ships × texts, fits × ships, findings × lines) is requested here first. A
//! refused part is left out and reported; a smaller one may still be requested.

use std::sync::atomic::{AtomicU64, Ordering};

/// Steps of work of one job: formulas evaluated, cells of lists, characters compared. Three hundred ships need a few
/// million.
pub const JOB_WORK: u64 = 60_000_000;
/// Bytes that one job may keep besides its files' text.
pub const JOB_MEMORY: u64 = 192 * 1024 * 1024;

/// The work and memory left for one job. Shared by reference; parallel parts have a [`split`](Allowance::split) each,
/// so that their order cannot affect what is refused.
#[derive(Debug)]
pub struct Allowance {
    work: AtomicU64,
    memory: AtomicU64,
    limits: (u64, u64),
}

impl Allowance {
    /// For one run of the program, or one evaluation in the editor.
    pub fn for_job() -> Self {
        Self::new(JOB_WORK, JOB_MEMORY)
    }

    pub fn new(work: u64, memory: u64) -> Self {
        Self { work: AtomicU64::new(work), memory: AtomicU64::new(memory), limits: (work, memory) }
    }

    /// Takes steps of work; `false` when fewer are left, then none is taken and the work must not be done.
    #[must_use]
    pub fn spend_work(&self, steps: u64) -> bool {
        try_spend(&self.work, steps)
    }

    /// Takes bytes of memory; `false` when fewer are left, then none is taken and nothing may be kept.
    #[must_use]
    pub fn reserve_memory(&self, bytes: usize) -> bool {
        try_spend(&self.memory, bytes as u64)
    }

    pub fn work_left(&self) -> u64 {
        self.work.load(Ordering::Relaxed)
    }

    pub fn memory_left(&self) -> u64 {
        self.memory.load(Ordering::Relaxed)
    }

    /// Initial steps of work and bytes.
    pub fn total(&self) -> (u64, u64) {
        self.limits
    }

    pub fn used(&self) -> (u64, u64) {
        (self.limits.0 - self.work_left(), self.limits.1 - self.memory_left())
    }

    /// An equal part of the rest for one of `among` parallel parts; return its use with [`absorb`](Allowance::absorb).
    #[must_use]
    pub fn split(&self, among: usize) -> Self {
        let among = among.max(1) as u64;
        Self::new(self.work_left() / among, self.memory_left() / among)
    }

    pub fn absorb(&self, share: &Self) {
        let (work, memory) = share.used();
        spend(&self.work, work);
        spend(&self.memory, memory);
    }
}

impl Allowance {
    /// For the work of an absorbed share to be done again: what it used and all that is left. `None` when that is no more
    /// than the share had.
    #[must_use]
    pub fn widened(&self, share: &Self) -> Option<Self> {
        let ((work, memory), (share_work, share_memory)) = (share.used(), share.total());
        let (work, memory) = (work + self.work_left(), memory + self.memory_left());
        let is_wider = work >= share_work && memory >= share_memory && (work, memory) != (share_work, share_memory);
        is_wider.then(|| Self::new(work, memory))
    }

    /// Takes what a widened share has used beyond what its share had.
    pub fn absorb_widened(&self, widened: &Self, share: &Self) {
        let ((work, memory), before) = (widened.used(), share.used());
        spend(&self.work, work.saturating_sub(before.0));
        spend(&self.memory, memory.saturating_sub(before.1));
    }
}

impl Default for Allowance {
    fn default() -> Self {
        Self::for_job()
    }
}

fn try_spend(left: &AtomicU64, amount: u64) -> bool {
    left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(amount)).is_ok()
}

fn spend(left: &AtomicU64, amount: u64) {
    let less = |left: u64| Some(left.saturating_sub(amount));
    let _ = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
}

static WORK_COUNTED: AtomicU64 = AtomicU64::new(0);

/// Records work outside any allowance, such as characters compared. Call it once per operation, not per character.
pub fn count_work(steps: usize) {
    WORK_COUNTED.fetch_add(steps as u64, Ordering::Relaxed);
}

/// All steps recorded; tests check that they grow no faster than the input.
pub fn work_counted() -> u64 {
    WORK_COUNTED.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused_takes_nothing() {
        let job = Allowance::new(100, 10);
        assert!(job.spend_work(60) && !job.spend_work(41) && job.spend_work(40) && !job.spend_work(1));
        assert!(!job.reserve_memory(11) && job.reserve_memory(10));
        assert_eq!((job.used(), job.work_left(), job.memory_left()), ((100, 10), 0, 0));
    }

    #[test]
    fn shares_are_equal_and_are_settled() {
        let job = Allowance::new(100, 1_000);
        let (one, other) = (job.split(4), job.split(4));
        assert!(one.spend_work(25) && !one.spend_work(1) && other.reserve_memory(250) && !other.reserve_memory(1));
        job.absorb(&one);
        job.absorb(&other);
        assert_eq!(job.used(), (25, 250));
        assert_eq!(job.split(0).work_left(), 75);
    }

    #[test]
    fn a_widened_share_never_exceeds_the_job() {
        let job = Allowance::new(100, 1_000);
        let (one, other) = (job.split(2), job.split(2));
        assert!(one.spend_work(50) && one.reserve_memory(400) && other.spend_work(10));
        job.absorb(&one);
        job.absorb(&other);
        let wider = job.widened(&one).unwrap();
        assert_eq!((wider.work_left(), wider.memory_left()), (90, 1_000));
        assert!(wider.spend_work(80) && wider.reserve_memory(900));
        job.absorb_widened(&wider, &one);
        assert_eq!(job.used(), (90, 900));
        // A share of the whole job cannot be wider.
        let job = Allowance::new(100, 1_000);
        let all = job.split(1);
        assert!(all.spend_work(70));
        job.absorb(&all);
        assert!(job.widened(&all).is_none());
    }
}
