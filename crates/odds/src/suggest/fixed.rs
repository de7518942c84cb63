//! Designs with some of their findings mended: takes a design with errors, gives the designs that fixes make of it, those with the fewest first.
//! An error of the text, which no number mends, is mended first; of a check's error, the fix is one way among others.

use moldloft_base::finding::{DesignEdit, DesignPart, Finding, FindingFix, Scalar, Severity};
use moldloft_rules::design::Document;
use moldloft_rules::evaluate::{Evaluation, QuickFix, Trial, TrialFit, TrialPart, describe_edits, evaluate, quick_fix};
use moldloft_rules::ruleset::FieldKind;

use super::fix_all::{MAX_FIXES_AT_ONCE, fix_all};
use super::lever::Lever;
use super::limits::MAX_CHANGES;
use super::question::{SearchSpace, Subject};

/// Most designs that fixes make.
const MAX_DESIGNS: usize = 240;
/// Most mounts that are tried for one fit, and options for one field.
const MAX_CHOICES: usize = 12;
/// Fits are moved where checks fail only as one of so many first fixes: there are many mounts.
const MOVES: usize = 2;
const MAX_MOVES: usize = 160;

/// A design after some fixes; each counts as one change.
#[derive(Clone)]
pub struct FixedDesign {
    pub subject: Subject,
    /// From the design as it is, in order.
    pub edits: Vec<DesignEdit>,
    /// What each fix does, as an instruction.
    pub fixes: Vec<String>,
    /// Whether something is removed or moved that a finding's own help would mend otherwise, or has no help for.
    pub is_second_choice: bool,
    /// Errors of its text that are left.
    pub text_errors: usize,
}

/// One way to mend a finding.
struct Mending {
    edits: Vec<DesignEdit>,
    sentence: String,
    is_second_choice: bool,
}

pub struct FixedDesigns {
    /// The design as it is first.
    pub designs: Vec<FixedDesign>,
    /// Whether there were no more than are kept.
    pub is_complete: bool,
    /// Errors of the text that nothing mends.
    pub unmended: Vec<Finding>,
}

impl FixedDesign {
    fn new(subject: &Subject) -> Self {
        let text_errors = text_errors(subject).len();
        let (edits, fixes) = (Vec::new(), Vec::new());
        Self { subject: subject.clone(), edits, fixes, is_second_choice: false, text_errors }
    }

    /// `None` where the file cannot be edited so.
    fn with(&self, mending: Mending) -> Option<Self> {
        let (document, design) = self.subject.edited(&mending.edits).ok()?;
        let evaluation = evaluate(&self.subject.rules, &design, &self.subject.ship);
        let mut next = self.clone();
        next.subject = Subject { design, document, evaluation, ..self.subject.clone() };
        next.text_errors = text_errors(&next.subject).len();
        next.edits.extend(mending.edits);
        next.fixes.push(mending.sentence);
        next.is_second_choice |= mending.is_second_choice;
        Some(next)
    }

    /// Whether a fix set this number already, so that another one is no further change.
    pub fn sets(&self, lever: &Lever, fits: &[TrialFit], fits_before: usize) -> bool {
        if self.edits.iter().any(|edit| matches!(edit, DesignEdit::RemoveFit { .. })) {
            return false;
        }
        let rules = &self.subject.rules;
        let sets_fit = |fit: usize, key: &str| {
            let index = fits[fit].file_index;
            index as usize >= fits_before
                || self.edits.iter().any(
                    |edit| matches!(edit, DesignEdit::SetFit { fit, key: set, .. } if *fit == index && **set == *key),
                )
        };
        lever.parts.iter().any(|part| match *part {
            TrialPart::Field(field) => {
                let id = &rules.fields[field].id;
                self.edits.iter().any(|edit| matches!(edit, DesignEdit::SetField { field, .. } if field == id))
            }
            TrialPart::Count(fit) => sets_fit(fit, "count"),
            TrialPart::Parameter(fit, attribute) => sets_fit(fit, &rules.symbols.attributes[attribute].id),
        })
    }
}

/// The design itself, and those that its findings' fixes make of it.
pub fn fixed_designs(space: &SearchSpace<'_>) -> FixedDesigns {
    let mut found =
        FixedDesigns { designs: vec![FixedDesign::new(space.subject)], is_complete: true, unmended: Vec::new() };
    let mut next = 0;
    while next < found.designs.len() {
        let one = found.designs[next].clone();
        next += 1;
        if one.fixes.len() == MAX_CHANGES || one.subject.evaluation.legal {
            continue;
        }
        let mendings = match text_errors(&one.subject).first() {
            Some(finding) => {
                let mendings = mendings_of_text(&one.subject, *finding);
                if mendings.is_empty() {
                    let finding = &one.subject.evaluation.findings[*finding];
                    if !found.unmended.contains(finding) {
                        found.unmended.push(finding.clone());
                    }
                }
                mendings
            }
            None => {
                let mut mendings = fixes_of_checks(&one.subject);
                if one.fixes.len() < MOVES {
                    mendings.extend(moves(&one.subject));
                }
                mendings
            }
        };
        for mending in mendings {
            if mending.edits.iter().any(|edit| changes_pinned(space, &one.subject.evaluation, edit)) {
                continue;
            }
            if found.designs.len() >= MAX_DESIGNS {
                found.is_complete = false;
                return found;
            }
            let Some(fixed) = one.with(mending) else { continue };
            if found.designs.iter().all(|known| known.subject.document.text() != fixed.subject.document.text()) {
                found.designs.push(fixed);
            }
        }
    }
    found
}

/// The design with everything mended that its findings' own fixes mend, if any; where that makes it legal, without the fixes that it does not need.
pub fn all_fixed(space: &SearchSpace<'_>) -> Option<FixedDesign> {
    let subject = space.subject;
    let is_wanted = |now: &Evaluation, fix: &QuickFix| !fix.edits.iter().any(|edit| changes_pinned(space, now, edit));
    let check = |document: &Document| {
        let design = subject.read(document).ok()?;
        Some(evaluate(&subject.rules, &design, &subject.ship))
    };
    let steps = fix_all(&subject.document, &subject.evaluation, &is_wanted, &check);
    let is_legal = steps.last()?.after.legal;
    let mendings: Vec<(Vec<DesignEdit>, String)> =
        steps.into_iter().map(|step| (step.fix.edits, step.fix.sentence)).collect();
    let with = |without: &[usize]| {
        let kept = mendings.iter().enumerate().filter(|(n, _)| !without.contains(n));
        kept.map(|(_, (edits, sentence))| (edits.clone(), sentence.clone()))
            .try_fold(FixedDesign::new(subject), |design, (edits, sentence)| {
                design.with(Mending { edits, sentence, is_second_choice: false })
            })
    };
    let mut without = Vec::new();
    let mut best = with(&[])?;
    for n in (0..mendings.len()).filter(|_| is_legal) {
        without.push(n);
        match with(&without).filter(|fixed| fixed.subject.evaluation.legal) {
            Some(fixed) => best = fixed,
            None => drop(without.pop()),
        }
    }
    Some(best)
}

/// The design with every error of its text mended in the first way, so that the rest is a matter of numbers.
pub fn text_mended(space: &SearchSpace<'_>) -> Option<FixedDesign> {
    let mut design = FixedDesign::new(space.subject);
    while design.text_errors > 0 && design.fixes.len() < MAX_FIXES_AT_ONCE {
        let finding = *text_errors(&design.subject).first()?;
        let is_free = |edit: &DesignEdit| !changes_pinned(space, &design.subject.evaluation, edit);
        let mut mendings = mendings_of_text(&design.subject, finding).into_iter();
        design = design.with(mendings.find(|mending| mending.edits.iter().all(is_free))?)?;
    }
    (design.text_errors == 0).then_some(design)
}

/// Errors that no number mends, by finding.
fn text_errors(subject: &Subject) -> Vec<usize> {
    let trial = Trial::new(&subject.rules, &subject.design, &subject.ship);
    let faults = trial.text_faults();
    let findings = subject.evaluation.findings.iter().enumerate();
    let is_text = |finding: &Finding| {
        finding.severity == Severity::Error
            && !matches!(finding.fix(), FindingFix::Check(_))
            && faults.iter().any(|fault| fault.severity == Severity::Error && *fault.code == *finding.code)
    };
    findings.filter(|(_, finding)| is_text(finding)).map(|(n, _)| n).collect()
}

/// The finding's own fix; then what a player could choose.
fn mendings_of_text(subject: &Subject, finding: usize) -> Vec<Mending> {
    let fix = quick_fix(&subject.evaluation, finding);
    let has_fix = fix.is_some();
    let own = fix.map(|fix| Mending { edits: fix.edits, sentence: fix.sentence, is_second_choice: false });
    let mut choices: Vec<DesignEdit> = Vec::new();
    let mut is_second_choice = true;
    match subject.evaluation.findings[finding].subject() {
        DesignPart::Fit(fit) => {
            if !has_fix {
                choices.extend(mounts_of(subject, *fit).into_iter().map(|mount| DesignEdit::SetFit {
                    fit: *fit,
                    key: "mount".into(),
                    value: Scalar::Text(mount),
                }));
            }
            choices.push(DesignEdit::RemoveFit { fit: *fit });
        }
        DesignPart::Field(field) if !has_fix => {
            is_second_choice = false;
            let known = subject.rules.fields.iter().find(|known| known.id == *field);
            if let Some(FieldKind::Choice(choice)) = known.map(|known| &known.kind) {
                choices.extend(choice.options.iter().take(MAX_CHOICES).map(|option| DesignEdit::SetField {
                    field: field.clone(),
                    value: Scalar::Text(option.id.clone()),
                }));
            }
        }
        _ => {}
    }
    let choices = choices.into_iter().map(|edit| Mending {
        sentence: describe_edits(&subject.evaluation, std::slice::from_ref(&edit)),
        edits: vec![edit],
        is_second_choice,
    });
    own.into_iter().chain(choices).collect()
}

/// The other mounts that a fit can be in.
fn mounts_of(subject: &Subject, fit: u32) -> Vec<std::sync::Arc<str>> {
    let rules = &subject.rules;
    let Some(fit) = subject.evaluation.fits.iter().find(|known| known.index == fit) else { return Vec::new() };
    let Some(system) = rules.systems.iter().find(|known| known.id == fit.system) else { return Vec::new() };
    let allowed = |mount: usize| system.mounts.as_ref().is_none_or(|mounts| mounts.contains(&mount));
    let applies = |mount: usize| subject.evaluation.mounts.get(mount).is_none_or(|mount| mount.applies);
    let mounts =
        rules.mounts.iter().enumerate().filter(|(n, mount)| allowed(*n) && applies(*n) && mount.id != fit.mount);
    mounts.map(|(_, mount)| mount.id.clone()).take(MAX_CHOICES).collect()
}

fn fixes_of_checks(subject: &Subject) -> Vec<Mending> {
    let errors = subject.evaluation.findings.iter().enumerate();
    let errors = errors.filter(|(_, finding)| finding.severity == Severity::Error);
    let fixes = errors.filter_map(|(n, _)| quick_fix(&subject.evaluation, n));
    fixes.map(|fix| Mending { edits: fix.edits, sentence: fix.sentence, is_second_choice: false }).collect()
}

/// Fits moved to another mount that takes them, where that leaves fewer errors.
fn moves(subject: &Subject) -> Vec<Mending> {
    let errors = |of: &Evaluation| of.findings.iter().filter(|finding| finding.severity == Severity::Error).count();
    let before = errors(&subject.evaluation);
    let fits = subject.evaluation.fits.iter().map(|fit| fit.index);
    let all = fits.flat_map(|fit| mounts_of(subject, fit).into_iter().map(move |mount| (fit, mount))).take(MAX_MOVES);
    let helps = |edits: &[DesignEdit]| {
        let edited = subject.edited(edits);
        edited.is_ok_and(|(_, design)| errors(&evaluate(&subject.rules, &design, &subject.ship)) < before)
    };
    let each =
        all.map(|(fit, mount)| vec![DesignEdit::SetFit { fit, key: "mount".into(), value: Scalar::Text(mount) }]);
    each.filter(|edits| helps(edits))
        .map(|edits| Mending { sentence: describe_edits(&subject.evaluation, &edits), edits, is_second_choice: true })
        .collect()
}

/// Whether an edit changes what is pinned; fits are those of `now`.
fn changes_pinned(space: &SearchSpace<'_>, now: &Evaluation, edit: &DesignEdit) -> bool {
    let fit_id = |index: u32| {
        let fit = now.fits.iter().find(|fit| fit.index == index)?;
        let place = if fit.mount.is_empty() { String::new() } else { format!("@{}", fit.mount) };
        Some((fit.system.clone(), place))
    };
    match edit {
        DesignEdit::SetField { field, .. } | DesignEdit::SetCell { field, .. } => space.is_pinned(field),
        DesignEdit::SetFit { fit, key, .. } => fit_id(*fit).is_some_and(|(system, place)| match &**key {
            "count" | "system" | "mount" => space.is_pinned(&format!("{system}{place}")),
            key => space.is_pinned(&format!("{system}.{key}{place}")),
        }),
        DesignEdit::RemoveFit { fit } => {
            fit_id(*fit).is_some_and(|(system, place)| space.is_pinned(&format!("{system}{place}")))
        }
        DesignEdit::RemoveKey { part: DesignPart::Field(field), .. } => space.is_pinned(field),
        DesignEdit::RemoveKey { part: DesignPart::Fit(fit), key } => {
            fit_id(*fit).is_some_and(|(system, place)| space.is_pinned(&format!("{system}.{key}{place}")))
        }
        DesignEdit::SetCustomSystem { .. } | DesignEdit::AddFit { .. } | DesignEdit::RemoveKey { .. } => false,
    }
}
