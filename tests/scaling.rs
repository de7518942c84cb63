//! Nothing grows faster than its input: every kind of input that a stranger may send is made 1, 2, 4 and 8 thousand times as long, and the work
//! (bytes asked of memory, and the steps that the program tallies) is counted, never timed.

#![allow(clippy::disallowed_methods, reason = "tests read files")]

mod scaling_rules;

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use moldloft::allowance::work_counted;
use moldloft::design::{Damage, Design, Document, Ship, TableList, UnitPath};
use moldloft::evaluate::{FleetFacts, evaluate};
use moldloft::exchange::list::{self, KnownNames};
use moldloft::library::{Rulesets, check_fleet};
use moldloft::scene::{Mark, MarkKind};
use moldloft::sheet::TextStyles;
use moldloft::sheet::fleet_roster::{Roster, RosterPlace};
use moldloft::sheet::mark_labels::MarkLabels;
use moldloft::sheet::{FleetJob, FleetPage, MinimumSizes, SheetOptions, TemplateCache, lay_out_fleet_page};
use moldloft::source::Source;
use moldloft::store::{FileRef, Store};

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
#[rustfmt::skip]
const KINDS: &[Kind] = &[
    ("fits of a design, sound ones", |n| design(&"[[fit]]\nsystem = \"laser\"\n".repeat(n)), read_design),
    ("faults on one line", |n| format!("{}\nfit = [{}]\n", design(""), "1, ".repeat(n)), read_design),
    ("fits without a system", |n| design(&"[[fit]]\nmuont = 1\nssytem = \"laser\"\n".repeat(n)), read_design),
    ("unknown keys", |n| (0..n).map(|n| format!("nmae{n} = 1\n")).collect::<String>() + &design(""), read_design),
    ("commas", |n| ",".repeat(100 * n), read_design),
    ("lines of =", |n| "=\n".repeat(50 * n), read_design),
    ("bare carriage returns", |n| "\r".repeat(100 * n), read_design),
    ("wrong escapes on one line", |n| format!("a = \"{}\"\n", "\\q".repeat(50 * n)), read_design),
    ("long unknown names", |n| design(&format!("[[fit]]\nsystem = \"{}\"\n", "laser".repeat(100 * n))), check_design),
    ("many unknown names", |n| design(&numbered("[[fit]]\nsystem = \"lasre-#\"\nmuont = \"x\"\n", n)), check_design),
    ("unknown fields", |n| design(&format!("[fields]\n{}", numbered("natoin# = 1\n", n))), check_design),
    ("names of a hundred ships", |n| fleet(&ship(&format!("count = 100\nname = \"{}\"", "HMS ".repeat(n)))), check),
    ("notes of many ships", |n| fleet(&ship(&format!("count = 2000\nnotes = \"{}\"", "long ".repeat(20 * n)))), check),
    ("a load of many ships", |n| fleet(&ship(&format!("count = 500\nload = [{{ system = \"laser\", {} }}]", numbered("x# = 1, ", n)))), check),
    ("ships alike", |n| fleet(&ship(&format!("count = {}", n / 4))), check),
    ("ships of unknown classes", |n| fleet(&numbered("[[ship]]\ndesign = \"Petrle #\"\n", n / 4)), check),
    ("unknown keys of ships", |n| fleet(&ship(&numbered("dseign# = \"x\"\n", n))), check),
    ("brackets in a list", |n| "[".repeat(100 * n), read_list),
    ("lines of a list that say nothing", |n| "Captain: nobody\n".repeat(n), read_list),
    ("groups of a list", |n| numbered("Group g#: x\nNotes on g#: y\n", n / 4), read_list),
    ("long notes of a list", |n| format!("- Petrel\n  Notes: {}\n", "word ".repeat(100 * n)), read_list),
    ("words cut to a width", |n| "Wi ".repeat(10 * n), cut_words),
    ("a word broken into lines", |n| "Wi".repeat(2 * n), cut_words),
    ("ships of a fleet, each with a box to tick", |n| fleet(&numbered(HIT, n / 2)), tick_all),
    ("fields of a filled form", filled, read_form),
    ("notes on a roster", |n| "The convoy keeps to the lane. ".repeat(n), lay_roster),
    ("fields of one name", |n| n.to_string(), name_fields),
    ("one word on a roster", |n| "Wi".repeat(10 * n), lay_roster),
];

/// A design's file with these lines at its end.
fn design(lines: &str) -> String {
    format!("ruleset = \"wars-of-honor\"\nname = \"Petrel\"\n{lines}")
}

fn read_design(text: &str) {
    let _ = Design::read(&Source::new("x.toml", text));
}

/// A fleet's file with these lines at its end.
fn fleet(lines: &str) -> String {
    format!("ruleset = \"wars-of-honor\"\nname = \"Squadron\"\n{lines}")
}

/// A ship of a class that is built in.
fn ship(keys: &str) -> String {
    format!("[[ship]]\ndesign = \"Petrel\"\n{keys}\n")
}

/// So many times the same, `#` being the number.
fn numbered(line: &str, times: usize) -> String {
    (0..times).map(|n| line.replace('#', &n.to_string())).collect()
}

fn games() -> &'static Rulesets {
    static GAMES: OnceLock<Rulesets> = OnceLock::new();
    GAMES.get_or_init(|| Rulesets::without_settings(&Store::built_in()))
}

fn check_design(text: &str) {
    let _ = moldloft::library::check_source(games(), &Source::new("x.toml", text));
}

fn check(text: &str) {
    let lies = FileRef::built_in("designs/wars-of-honor/fleets/x.toml");
    let _ = check_fleet(games(), &Source::new("x.toml", text), &lies).map(|fleet| fleet.all_findings().count());
}

fn read_list(text: &str) {
    let known = KnownNames::new(["Petrel".to_owned()], ["tow".to_owned()]);
    let _ = list::read_list(&Source::new("x.txt", text), &known);
}

fn cut_words(text: &str) {
    let hand = TextStyles::new(MinimumSizes::default()).body;
    let _ = (hand.truncate(text, 80.0), hand.wrap(text, 80.0));
}

/// Two ships, one of them hit already.
const HIT: &str = "[[ship]]\ndesign = \"Petrel\"\n\n[ship.damage]\nstructure = 2\n\n[[ship]]\ndesign = \"Petrel\"\n\n";

fn tick_all(text: &str) {
    let mut document = Document::parse(text).expect("TOML");
    let hit = |ship| {
        let mut damage = Damage::default();
        damage.tick("structure", 1, 3);
        (UnitPath { ship, copy: 1, carried: None }, damage)
    };
    let all: Vec<_> = (0..document.count(&TableList::Ships)).map(hit).collect();
    document.set_damage(&all).expect("set");
}

/// What a form of so many boxes holds, as data.
fn filled(boxes: usize) -> String {
    let one = |n: usize| format!("<</T(first.s-{}.structure_{n})/V/Yes>>", n / 40);
    let fields: String = (0..boxes).map(one).collect();
    format!("%FDF-1.2\n1 0 obj<</FDF<</Fields[{fields}]>>>>endobj trailer<</Root 1 0 R>>%%EOF")
}

fn read_form(text: &str) {
    moldloft::filled_form::read(text.as_bytes()).expect("a form");
}

/// As many fields of one name as the text says.
fn name_fields(count: &str) {
    let design = Design::read(&Source::new("x.toml", &design(""))).expect("a design");
    let ruleset = Arc::clone(games().find("wars-of-honor").ruleset().expect("a ruleset"));
    let labels = MarkLabels::new(&evaluate(&ruleset, &design, &Ship::default()), Arc::default());
    for _ in 0..count.parse().expect("a number") {
        labels.label_mark(&mut Mark::new("log_1_1", MarkKind::Write, None));
    }
}

/// The roster of a fleet of one ship with these notes.
fn lay_roster(notes: &str) {
    let source = Source::new("x.toml", &design(""));
    let design = Design::read(&source).expect("a design");
    let ruleset = Arc::clone(games().find("wars-of-honor").ruleset().expect("a ruleset"));
    let ship = Ship { notes: Some(notes.into()), ..Ship::default() };
    let ships = [evaluate(&ruleset, &design, &ship)];
    let store = Store::built_in();
    let shelf = TemplateCache::new(|ids, name| store.template(ids, name));
    let roster = Roster {
        facts: FleetFacts::default(),
        ruleset,
        ships: &ships,
        places: vec![RosterPlace::default()],
        groups: Vec::new(),
        left_out: Vec::new(),
        broken: Vec::new(),
        fights: None,
        card: None,
    };
    let job = FleetJob { roster: &roster, templates: &shelf, options: SheetOptions::default() };
    assert!(!lay_out_fleet_page(&job, FleetPage::Roster).0.is_empty());
}

/// Bytes asked for and steps tallied while `work` runs.
fn counted(work: impl FnOnce()) -> f64 {
    let before = ASKED.load(Ordering::Relaxed) + work_counted();
    work();
    (ASKED.load(Ordering::Relaxed) + work_counted() - before) as f64
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
    for (name, text, run) in KINDS.iter().chain(scaling_rules::KINDS) {
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
