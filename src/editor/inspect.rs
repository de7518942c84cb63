//! What stands below the sheet, design by design: the finding before the player and what would mend each, the number explained, the design
//! compared with. Carries out its own commands for `apply`; what follows from the state is worked out anew by [`follow`] when the
//! state is another.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use crate::evaluate::{Asked, Comparison, Evaluation, Explained, Subject, compare, explain_this, mend};
use crate::finding::{Finding, Severity};
use crate::library::{self, Games};
use crate::source::Source;
use crate::store;

use super::command::Command;
use super::desk::{Pick, PickKind, Picked};
use super::doc::{Doc, DocId};
use super::edit::{Edit, Step};
use super::state::{Inspector, Notice, Place, State, Tab};

/// What is looked at in each open design.
#[derive(Debug, Default)]
pub struct Inspect {
    looks: BTreeMap<DocId, Look>,
}

/// What is looked at in one design.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// The finding before the player, by its place in the list.
    pub finding: Option<usize>,
    /// What would mend each finding, in step with them.
    pub offers: Vec<Option<Offer>>,
    /// How many findings can be mended at once without a new fault.
    pub all: Option<usize>,
    /// What is explained; `None`: everything there is to ask for is listed.
    pub asked: Option<Asked>,
    /// Its explanation; empty when this design has no such thing.
    pub explained: Vec<Explained>,
    /// Parts of explanations that are folded, by [`branch`].
    pub folded: BTreeSet<String>,
    back: Vec<Option<Asked>>,
    forward: Vec<Option<Asked>>,
    told: Option<(u64, Option<Asked>)>,
    /// What it is compared with.
    pub against: Against,
    /// Only what differs is shown.
    pub only_differences: bool,
    /// The comparison, or why there is none.
    pub compared: Option<Result<Compared, String>>,
    mended: u64,
    seen: Option<Seen>,
}

/// What would mend a finding.
#[derive(Clone, Debug)]
pub struct Offer {
    /// `set feeds of the missile magazine in core to 14`.
    pub sentence: String,
    /// What it does to points and budgets: `+6 mass, +6 points`; empty when nothing, or when that was not worked out.
    pub change: String,
    /// The edit that does it.
    pub edit: Edit,
}

/// What a design is compared with.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Against {
    /// Itself as it was saved or opened.
    #[default]
    Saved,
    /// Another open design.
    Doc(DocId),
    /// A design of the library.
    BuiltIn(PathBuf),
    /// A file.
    File(PathBuf),
}

/// A finished comparison.
#[derive(Clone, Debug)]
pub struct Compared {
    /// What the other is called.
    pub name: String,
    /// Line by line.
    pub comparison: Comparison,
    /// The texts are the same, letter by letter.
    pub same_text: bool,
}

/// What can be done below the sheet.
#[derive(Clone, Debug)]
pub enum Inspecting {
    /// Goes to a finding and the thing it concerns.
    Finding(usize),
    /// To the next finding, or the one before.
    NextFinding {
        /// The one before.
        back: bool,
    },
    /// Explains what was explained before.
    Back,
    /// And what came after that.
    Forward,
    /// Lists everything that can be explained.
    List,
    /// Folds or unfolds a part of an explanation.
    Fold(String),
    /// Compares with this.
    Against(Against),
    /// Lets the player choose a file to compare with.
    ChooseFile,
    /// Shows only what differs, or all.
    OnlyDifferences(bool),
}

/// What a comparison was made of.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    against: Against,
    revision: u64,
    other: Option<u64>,
    saved: Option<Arc<str>>,
    round: u64,
}

/// The most mends whose outcome is worked out: each takes an evaluation.
const MOST_TRIED: usize = 24;
/// The most mends done at once.
const MOST_AT_ONCE: usize = 100;

impl Inspect {
    /// What is looked at in a design.
    pub fn look(&self, id: DocId) -> Option<&Look> {
        self.looks.get(&id)
    }

    fn at(&mut self, id: DocId) -> &mut Look {
        self.looks.entry(id).or_insert_with(|| Look { only_differences: true, ..Look::default() })
    }

    /// Files of other designs may have changed: comparisons are made anew.
    pub fn forget_files(&mut self) {
        for look in self.looks.values_mut() {
            look.seen = None;
        }
    }
}

/// Carries a command out; what it leads to is given back.
pub fn apply(state: &mut State, command: Inspecting) -> Vec<Command> {
    let Some(doc) = state.doc() else { return Vec::new() };
    let id = doc.id;
    match command {
        Inspecting::Finding(n) => return go(state, id, n),
        Inspecting::NextFinding { back } => {
            let count = doc.findings().len();
            let now = state.inspect.look(id).and_then(|look| look.finding).filter(|now| *now < count);
            let next = match (count, now, back) {
                (0, ..) => return vec![Command::Inspect(Inspector::Findings)],
                (_, None, false) => 0,
                (_, None, true) => count - 1,
                (_, Some(now), false) => (now + 1) % count,
                (_, Some(now), true) => (now + count - 1) % count,
            };
            let mut commands = go(state, id, next);
            commands.push(Command::Inspect(Inspector::Findings));
            return commands;
        }
        Inspecting::Back => state.inspect.at(id).step(true),
        Inspecting::Forward => state.inspect.at(id).step(false),
        Inspecting::List => state.inspect.at(id).ask(None),
        Inspecting::Fold(branch) => {
            let folded = &mut state.inspect.at(id).folded;
            if !folded.remove(&branch) {
                folded.insert(branch);
            }
        }
        Inspecting::Against(against) => state.inspect.at(id).against = against,
        Inspecting::ChooseFile => {
            return vec![Command::Pick(Pick {
                title: "Compare with a design".into(),
                kind: PickKind::Open,
                folder: doc.path().and_then(|path| path.parent()).or(state.store.workspace()).map(Into::into),
                name: None,
                endings: vec![("Designs".into(), vec!["toml".into()])],
                then: Picked::Compare,
            })];
        }
        Inspecting::OnlyDifferences(only) => state.inspect.at(id).only_differences = only,
    }
    Vec::new()
}

/// Explains something of the design before the player.
pub fn explain(state: &mut State, asked: Asked) {
    if let Tab::Doc(id) = state.tab {
        state.inspector = Inspector::Explain;
        state.inspect.at(id).ask(Some(asked));
    }
}

impl Look {
    /// Whether something was explained before this.
    pub fn has_back(&self) -> bool {
        !self.back.is_empty()
    }

    /// Whether something came after this.
    pub fn has_forward(&self) -> bool {
        !self.forward.is_empty()
    }

    fn ask(&mut self, asked: Option<Asked>) {
        if asked != self.asked {
            self.back.push(std::mem::replace(&mut self.asked, asked));
            self.forward.clear();
        }
    }

    fn step(&mut self, back: bool) {
        let (from, to) = if back { (&mut self.back, &mut self.forward) } else { (&mut self.forward, &mut self.back) };
        if let Some(asked) = from.pop() {
            to.push(std::mem::replace(&mut self.asked, asked));
        }
    }
}

/// The name by which a line of an explanation is folded: its own, below those it stands under.
pub fn branch(lines: &[Explained], n: usize) -> String {
    let mut names = vec![&*lines[n].name];
    let mut depth = lines[n].depth;
    for line in lines[..n].iter().rev() {
        if line.depth < depth {
            depth = line.depth;
            names.push(&line.name);
        }
    }
    names.join(" ‹ ")
}

fn go(state: &mut State, id: DocId, n: usize) -> Vec<Command> {
    let Some(doc) = state.doc_of(id).filter(|doc| n < doc.findings().len()) else { return Vec::new() };
    let place = place(doc, n);
    state.inspect.at(id).finding = Some(n);
    let Some(place) = place else { return Vec::new() };
    let mut commands = Vec::new();
    if let Place::Fit(at) | Place::Ship { ship: at, .. } = place {
        commands.push(Command::Select(vec![at]));
    }
    commands.push(Command::GoTo(place));
    commands
}

/// The place of the form that a finding concerns.
pub fn place(doc: &Doc, finding: usize) -> Option<Place> {
    if let Some(fleet) = doc.fleet() {
        return fleet.found.places.get(finding).cloned().flatten();
    }
    let evaluation = doc.evaluation()?;
    Some(match evaluation.subjects.get(finding)? {
        Subject::Design => return None,
        Subject::Head(key) if **key == *"notes" => Place::Top("notes"),
        Subject::Head(_) => Place::Top("name"),
        Subject::Field(field) | Subject::Row { field, .. } => Place::Field(field.to_string()),
        Subject::Fit(fit) => Place::Fit(*fit),
        Subject::System(id) => Place::Fit(evaluation.fits.iter().find(|fit| fit.system == *id)?.index),
        Subject::Mount(mount) => Place::Mount(mount.to_string()),
        Subject::Own(id) => Place::Fit(evaluation.fits.iter().find(|fit| fit.system == *id)?.index),
    })
}

/// Works out what the inspector shows of the design before the player, where that is not as it was.
pub fn follow(state: &mut State) {
    let open: Vec<DocId> = state.docs.iter().map(|doc| doc.id).collect();
    state.inspect.looks.retain(|id, _| open.contains(id));
    let Tab::Doc(id) = state.tab else { return };
    match state.inspector_shown() {
        Inspector::Findings => offers(state, id),
        Inspector::Compare => comparison(state, id),
        Inspector::Explain => explanation(state, id),
        _ => {}
    }
}

// --- findings ---

fn offers(state: &mut State, id: DocId) {
    let Some(doc) = state.docs.iter().find(|doc| doc.id == id) else { return };
    let look = state.inspect.at(id);
    if look.mended == doc.revision {
        return;
    }
    look.mended = doc.revision;
    look.finding = look.finding.filter(|finding| *finding < doc.findings().len());
    look.all = None;
    look.offers.clear();
    let Some(evaluation) = doc.evaluation() else { return };
    let mut tried = 0;
    look.offers = (0..evaluation.findings.len())
        .map(|n| {
            let mend = mend(evaluation, n)?;
            let edit = Edit::one(mend.sentence.clone(), Step::Mend(mend.steps));
            tried += 1;
            let change = if tried > MOST_TRIED {
                String::new()
            } else {
                let after = tried_on(doc, &edit, &state.games)?;
                changes(evaluation, &after)
            };
            Some(Offer { sentence: mend.sentence, change, edit })
        })
        .collect();
    if look.offers.iter().flatten().count() > 1 && tried <= MOST_TRIED {
        look.all = all(doc, &state.games);
    }
}

/// How a design is judged after an edit; `None` when the edit cannot be done.
fn tried_on(doc: &Doc, edit: &Edit, games: &Games) -> Option<Evaluation> {
    let mut document = doc.judged()?.document.clone();
    edit.clone().apply(&mut document).ok()?;
    doc.check(&document.to_text(), games).evaluation
}

/// What is another in points and budgets: `+6 mass, +6 points`.
fn changes(before: &Evaluation, after: &Evaluation) -> String {
    let comparison = compare(after, before);
    let said = comparison.budgets.iter().rev().filter_map(|line| match line.by {
        Some(0) | None => None,
        Some(by) => Some(super::widgets::amount(&signed(by), &line.label)),
    });
    said.collect::<Vec<_>>().join(", ")
}

/// `+6`, `−2`.
pub fn signed(number: i64) -> String {
    if number < 0 { format!("−{}", number.unsigned_abs()) } else { format!("+{number}") }
}

/// How many findings can be mended at once, where there are several.
fn all(doc: &Doc, games: &Games) -> Option<usize> {
    plan(doc, games, &[]).map(|plan| plan.done.len()).filter(|count| *count > 1)
}

/// Findings mended one after the other.
pub(super) struct Plan {
    /// What is done: each sentence with what it does to points and budgets.
    pub done: Vec<(String, String)>,
    /// What all of it does to them.
    pub change: String,
    /// Errors and warnings that are left.
    pub left: usize,
    steps: Vec<Step>,
}

impl Plan {
    /// All of it as one edit.
    pub fn edit(&self) -> Edit {
        let many = match self.steps.len() {
            1 => "1 finding".to_owned(),
            count => format!("{count} findings"),
        };
        Edit::all(format!("fix {many}"), self.steps.clone())
    }
}

/// Mends one finding after the other as long as each leaves fewer errors and warnings than there were, and no error that was not there; what would be
/// done by one of these sentences is not.
pub(super) fn plan(doc: &Doc, games: &Games, but: &[String]) -> Option<Plan> {
    let judged = doc.judged()?;
    let mut document = judged.document.clone();
    let before = judged.evaluation.as_deref()?;
    let mut now = before.clone();
    let (mut steps, mut done) = (Vec::new(), Vec::new());
    'next: while steps.len() < MOST_AT_ONCE {
        for n in 0..now.findings.len() {
            let Some(mend) = mend(&now, n).filter(|mend| !but.contains(&mend.sentence)) else { continue };
            let mut copy = document.clone();
            if copy.carry_out(&mend.steps).is_err() {
                continue;
            }
            let Some(after) = doc.check(&copy.to_text(), games).evaluation else { continue };
            if is_better(&now, &after) {
                done.push((mend.sentence, changes(&now, &after)));
                (document, now) = (copy, after);
                steps.push(Step::Mend(mend.steps));
                continue 'next;
            }
        }
        break;
    }
    let left = now.findings.iter().filter(|finding| finding.severity != Severity::Info).count();
    Some(Plan { done, change: changes(before, &now), left, steps })
}

fn is_better(before: &Evaluation, after: &Evaluation) -> bool {
    let matters = |of: &Evaluation| of.findings.iter().filter(|finding| finding.severity != Severity::Info).count();
    let errors = |of: &Evaluation| -> Vec<String> {
        let errors = of.findings.iter().filter(|finding| finding.severity == Severity::Error);
        errors.map(|finding| format!("{} {:?}", finding.code, finding.at.item)).collect()
    };
    let known = errors(before);
    matters(after) < matters(before) && errors(after).iter().all(|error| known.contains(error))
}

// --- explanation ---

fn explanation(state: &mut State, id: DocId) {
    let Some(doc) = state.docs.iter().find(|doc| doc.id == id) else { return };
    let look = state.inspect.at(id);
    let told = Some((doc.revision, look.asked.clone()));
    if look.told == told {
        return;
    }
    look.explained = match (doc.ship(), &look.asked) {
        (Some(evaluation), Some(asked)) => explain_this(evaluation, asked),
        _ => Vec::new(),
    };
    look.told = told;
}

// --- comparison ---

fn comparison(state: &mut State, id: DocId) {
    let Some(doc) = state.docs.iter().find(|doc| doc.id == id) else { return };
    let round = state.rules.round;
    let look = state.inspect.at(id);
    if let Against::Doc(other) = &look.against
        && !state.docs.iter().any(|doc| doc.id == *other)
    {
        look.against = Against::Saved;
    }
    let other = match &look.against {
        Against::Doc(other) => state.docs.iter().find(|doc| doc.id == *other),
        _ => None,
    };
    let seen = Seen {
        against: look.against.clone(),
        revision: doc.revision,
        other: other.map(|doc| doc.revision),
        saved: doc.saved.clone(),
        round,
    };
    if look.seen.as_ref() != Some(&seen) {
        look.compared = Some(compared(doc, &look.against, other, &state.games));
        look.seen = Some(seen);
    }
}

fn compared(doc: &Doc, against: &Against, other: Option<&Doc>, games: &Games) -> Result<Compared, String> {
    let Some(here) = doc.evaluation() else {
        return Err("This design cannot be checked yet: see its findings.".to_owned());
    };
    let read = |source: Result<Source, Finding>, name: String| {
        let source = source.map_err(|finding| format!("{name}: {}", finding.message))?;
        let text = source.text.to_string();
        library::check(games, &source)
            .evaluation
            .map(|there| (there, text, name.clone()))
            .ok_or_else(|| format!("{name} cannot be checked: open it to see why."))
    };
    let (there, text, name) = match against {
        Against::Saved => {
            let Some(saved) = &doc.saved else {
                return Err("This design was never saved: no saved version to compare with.".to_owned());
            };
            let there = doc.check(saved, games).evaluation;
            let there = there.ok_or("The saved version cannot be checked by the current rules.")?;
            (there, saved.to_string(), "the saved version".to_owned())
        }
        Against::Doc(_) => {
            let other = other.ok_or("That design is no longer open.")?;
            let there = other.evaluation().ok_or_else(|| format!("{} cannot be checked yet.", other.name()))?;
            ((**there).clone(), other.text().to_string(), other.name())
        }
        Against::BuiltIn(path) => {
            let name = path.to_string_lossy().into_owned();
            let missing = || Finding::error("no-such-file", "no such built-in design");
            read(store::built_in(&name).ok_or_else(missing), name)?
        }
        Against::File(path) => read(store::read(path), path.display().to_string())?,
    };
    let name = if there.name.is_empty() || *against == Against::Saved { name } else { there.name.to_string() };
    Ok(Compared { name, comparison: compare(here, &there), same_text: *text == **doc.text() })
}

/// A file that was chosen to compare with.
pub fn chosen(state: &mut State, path: PathBuf) {
    if let Tab::Doc(id) = state.tab {
        state.inspect.at(id).against = Against::File(path);
        state.inspector = Inspector::Compare;
    } else {
        state.notices.push(Notice::info("open a design first to compare it with the file"));
    }
}
