//! Nothing grows faster than its input: every kind of input that a stranger may send is made 1, 2, 4 and 8 thousand times as long, and the work
//! (bytes asked of memory, and the steps that the program tallies) is counted, never timed.

#![allow(clippy::disallowed_methods, reason = "tests read files")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};

use moldloft::allowance::tallied;
use moldloft::design::Design;
use moldloft::source::Source;

/// Counts the bytes that are asked for.
struct Counting;

static ASKED: AtomicU64 = AtomicU64::new(0);

// The one place where a test needs what the crate itself never uses.
#[allow(unsafe_code, reason = "an allocator is unsafe by its nature; this one only counts")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.fetch_add(layout.size() as u64, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The steepest growth that is allowed: work = input ^ exponent.
const STEEPEST: f64 = 1.3;
/// How long the inputs are.
const SIZES: [usize; 4] = [1_000, 2_000, 4_000, 8_000];

/// A kind of input: its name, the text of this many of its parts, what is done with it.
type Kind = (&'static str, fn(usize) -> String, fn(&str));

/// To add a kind of input is to add its line.
const KINDS: &[Kind] =
    &[("fits of a design, sound ones", |n| design(&"[[fit]]\nsystem = \"laser\"\n".repeat(n)), read_design)];

/// A design's file with these lines at its end.
fn design(lines: &str) -> String {
    format!("ruleset = \"wars-of-honor\"\nname = \"Petrel\"\n{lines}")
}

fn read_design(text: &str) {
    let _ = Design::read(&Source::new("x.toml", text));
}

/// Bytes asked for and steps tallied while `work` runs.
fn counted(work: impl FnOnce()) -> f64 {
    let before = ASKED.load(Ordering::Relaxed) + tallied();
    work();
    (ASKED.load(Ordering::Relaxed) + tallied() - before) as f64
}

/// The exponent of growth: the slope of the straight line through the logarithms, by least squares.
fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|&(size, work)| (size.ln(), work.max(1.0).ln())).collect();
    let mean = |pick: fn(&(f64, f64)) -> f64| logs.iter().map(pick).sum::<f64>() / logs.len() as f64;
    let (size, work) = (mean(|log| log.0), mean(|log| log.1));
    let (up, along) = logs
        .iter()
        .fold((0.0, 0.0), |(up, along), log| (up + (log.0 - size) * (log.1 - work), along + (log.0 - size).powi(2)));
    up / along
}

// One test, so that nothing else asks for memory beside it.
#[test]
fn nothing_is_quadratic() {
    let square: Vec<(f64, f64)> = SIZES.iter().map(|&n| (n as f64, (n * n) as f64)).collect();
    assert!((exponent(&square) - 2.0).abs() < 1e-6);
    let mut steep = String::new();
    for (name, text, run) in KINDS {
        // What is read once for all is read here.
        run(&text(1));
        let least = counted(|| run(&text(1)));
        let points = SIZES.map(|n| {
            let text = text(n);
            (n as f64, counted(|| run(&text)) - least)
        });
        let exponent = exponent(&points);
        if exponent.is_nan() || exponent > STEEPEST {
            let _ = writeln!(steep, "{name}: exponent {exponent:.2} of {points:?}");
        }
    }
    assert!(steep.is_empty(), "grows faster than its input:\n{steep}");
}
