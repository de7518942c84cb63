//! Levers: takes a design and the words of a question, gives what may vary, each with its window.

use std::sync::Arc;

use moldloft_base::finding::{Finding, nearest};
use moldloft_base::sanitize::shorten;
use moldloft_rules::design::{Design, Ship};
use moldloft_rules::evaluate::{BoxLever, LeverKind, Trial, TrialFit, TrialPart};
use moldloft_rules::formula::{Type, Value};
use moldloft_rules::ruleset::{FieldKind, ParameterDef, Ruleset};

use super::limits::{MAX_LEVERS, MAX_WINDOW};

/// One number that may vary. Mirrored fits with equal counts are one lever.
#[derive(Clone, Debug)]
pub struct Lever {
    /// As `--vary` names it: `missile-launcher@port+starboard`, `missile-magazine.feeds@core`, `mass`.
    pub id: Arc<str>,
    /// For players: `missile launcher, port and starboard`.
    pub label: Arc<str>,
    pub parts: Vec<TrialPart>,
    pub kind: LeverKind,
    /// The least and greatest number that is tried.
    pub low: i64,
    pub high: i64,
    /// Of the design as it is.
    pub now: i64,
    /// The code of the check whose fix moves it together with others.
    pub follows: Option<Arc<str>>,
    /// A fit that the design does not have: it is added when the number is not 0.
    pub is_added: bool,
    /// Of a choice: its options for players.
    pub options: Arc<[Arc<str>]>,
}

impl Lever {
    pub fn width(&self) -> u64 {
        self.high.abs_diff(self.low).saturating_add(1)
    }

    pub fn box_lever(&self) -> BoxLever {
        BoxLever { parts: self.parts.clone(), kind: self.kind.clone() }
    }

    /// The number for players: `6`, `yes`, `heavy cruiser`.
    pub fn shown(&self, number: i64) -> String {
        let option = usize::try_from(number).ok().and_then(|number| self.options.get(number));
        option.map_or_else(|| self.kind.value(number).shown().unwrap_or_default(), ToString::to_string)
    }

    /// How far a number is from the design's: 1 for a flag or choice that differs.
    pub fn distance(&self, number: i64) -> i64 {
        match self.kind {
            LeverKind::Number => i64::try_from(number.abs_diff(self.now)).unwrap_or(i64::MAX),
            _ => i64::from(number != self.now),
        }
    }
}

/// A lever as a question names it, with its window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VaryWord {
    /// A field, a system, `system@mount`, `system.parameter` or `#tag`.
    pub word: String,
    /// The least and the most of it; `None`: as the rules allow.
    pub window: Option<(i64, i64)>,
}

impl VaryWord {
    /// Reads `WORD` or `WORD:A..B`.
    ///
    /// # Errors
    /// `empty-window` where A is more than B, `wrong-argument` where they are no numbers, `too-large` where they are too far apart.
    pub fn parse(text: &str) -> Result<Self, Finding> {
        let Some((word, window)) = text.split_once(':') else {
            return Ok(Self { word: text.trim().to_owned(), window: None });
        };
        let ends = window.split_once("..").and_then(|(a, b)| Some((number(a)?, number(b)?)));
        let Some((low, high)) = ends else {
            let message = format!("expected a window such as 0..12, found `{}`", shorten(window, 60));
            return Err(Finding::error("wrong-argument", message).help("write WORD:A..B with whole numbers"));
        };
        if low > high {
            let message = format!("the window {low}..{high} of `{}` is empty", shorten(word, 60));
            return Err(Finding::error("empty-window", message).help(format!("write {high}..{low}")));
        }
        if high.abs_diff(low) > MAX_WINDOW {
            let message =
                format!("the window {low}..{high} of `{}` has more than {MAX_WINDOW} numbers", shorten(word, 60));
            return Err(Finding::error("too-large", message).help("write a smaller window"));
        }
        Ok(Self { word: word.trim().to_owned(), window: Some((low, high)) })
    }
}

fn number(text: &str) -> Option<i64> {
    text.trim().parse().ok().filter(|number: &i64| number.unsigned_abs() <= moldloft_rules::ruleset::MAX_NUMBER)
}

/// All levers that a design has: fields with whole numbers and flags, counts of fits, their parameters; in file order, fields first.
pub fn all_levers(trial: &Trial<'_>) -> Vec<Lever> {
    let rules = trial.rules();
    // Points that a design states are its price, not a part of it: they vary only where they are named.
    let fields = (0..rules.fields.len()).filter(|field| &*rules.fields[*field].id != "points");
    let mut levers: Vec<Lever> = fields.filter_map(|field| field_lever(trial, field, false)).collect();
    let fits = trial.fits();
    let mut taken = vec![false; fits.len()];
    for fit in 0..fits.len() {
        if std::mem::replace(&mut taken[fit], true) {
            continue;
        }
        let mirrored = mirrored_fit(rules, &fits, fit).filter(|other| !taken[*other]);
        if let Some(other) = mirrored {
            taken[other] = true;
        }
        let together: Vec<&TrialFit> = [Some(fit), mirrored].into_iter().flatten().map(|fit| &fits[fit]).collect();
        levers.push(count_lever(rules, &together));
        for parameter in &rules.systems[fits[fit].base].parameters {
            let same = together
                .iter()
                .all(|one| parameter_now(trial, one, parameter) == parameter_now(trial, &fits[fit], parameter));
            if same {
                levers.extend(parameter_lever(trial, &together, parameter));
            } else {
                levers.extend(together.iter().filter_map(|one| parameter_lever(trial, &[one], parameter)));
            }
        }
    }
    levers
}

/// The one fit of the same system and count in the mirrored mount, where each of the two mounts has one only.
fn mirrored_fit(rules: &Ruleset, fits: &[TrialFit], fit: usize) -> Option<usize> {
    let one = &fits[fit];
    let mount = one.mount?;
    let mirror =
        rules.mounts[mount].mirror.or_else(|| rules.mounts.iter().position(|other| other.mirror == Some(mount)))?;
    let alone = |mount: usize| {
        let mut there = (0..fits.len()).filter(|n| fits[*n].mount == Some(mount) && fits[*n].system == one.system);
        let first = there.next();
        first.filter(|_| there.next().is_none())
    };
    alone(mount)?;
    alone(mirror).filter(|other| fits[*other].count == one.count)
}

pub fn field_lever(trial: &Trial<'_>, field: usize, with_choices: bool) -> Option<Lever> {
    let rule = &trial.rules().fields[field];
    let (kind, low, high, now) = match (&rule.kind, trial.get(TrialPart::Field(field))) {
        (FieldKind::Integer { min, max }, Value::Int(now)) => {
            let (low, high) = window(now, *min, *max);
            (LeverKind::Number, low, high, now)
        }
        (FieldKind::Flag, Value::Flag(now)) => (LeverKind::Flag, 0, 1, i64::from(now)),
        (FieldKind::Choice(choice), Value::Text(now)) if with_choices => {
            let options: Arc<[Arc<str>]> = choice.options.iter().map(|option| option.id.clone()).collect();
            let now = i64::try_from(options.iter().position(|option| *option == now)?).ok()?;
            let high = i64::try_from(options.len()).ok()? - 1;
            (LeverKind::Choice(options), 0, high, now)
        }
        _ => return None,
    };
    let parts = vec![TrialPart::Field(field)];
    let (id, label) = (rule.id.clone(), rule.label.clone());
    let options = match &rule.kind {
        FieldKind::Choice(choice) => choice.options.iter().map(|option| option.label.clone()).collect(),
        _ => Arc::default(),
    };
    Some(Lever { id, label, parts, kind, low, high, now, follows: None, is_added: false, options })
}

/// From 0 (or `min`) to twice what it is plus 6 (or `max`).
fn window(now: i64, min: Option<i64>, max: Option<i64>) -> (i64, i64) {
    let most = now.saturating_mul(2).saturating_add(6).max(0);
    let low = min.unwrap_or(0).min(now.max(0));
    let high = max.map_or(most, |max| most.min(max)).max(low);
    let reach = i64::try_from(MAX_WINDOW).unwrap_or(i64::MAX);
    if high.abs_diff(low) > MAX_WINDOW {
        let low = (now - reach / 2).max(low).min(high);
        return (low, high.min(low + reach));
    }
    (low, high)
}

fn place_of(rules: &Ruleset, fits: &[&TrialFit]) -> (String, String) {
    let ids: Vec<&str> = fits.iter().map(|fit| &*fit.mount_id).filter(|id| !id.is_empty()).collect();
    let labels: Vec<&str> = fits.iter().filter_map(|fit| Some(&*rules.mounts[fit.mount?].label)).collect();
    (ids.join("+"), labels.join(" and "))
}

pub fn count_lever(rules: &Ruleset, fits: &[&TrialFit]) -> Lever {
    let first = fits[0];
    let (ids, labels) = place_of(rules, fits);
    let id = if ids.is_empty() { first.system.to_string() } else { format!("{}@{ids}", first.system) };
    let label = if labels.is_empty() { first.name.to_string() } else { format!("{}, {labels}", first.name) };
    let (low, high) = window(first.count, None, Some(i64::from(moldloft_rules::design::MAX_COUNT)));
    Lever {
        id: id.into(),
        label: label.into(),
        parts: fits.iter().map(|fit| TrialPart::Count(fit.part)).collect(),
        kind: LeverKind::Number,
        low,
        high,
        now: first.count,
        follows: None,
        is_added: false,
        options: Arc::default(),
    }
}

fn parameter_now(trial: &Trial<'_>, fit: &TrialFit, parameter: &ParameterDef) -> Value {
    trial.get(TrialPart::Parameter(fit.part, parameter.attribute))
}

fn parameter_lever(trial: &Trial<'_>, fits: &[&TrialFit], parameter: &ParameterDef) -> Option<Lever> {
    let first = fits.first()?;
    let (kind, low, high, now) = match (&parameter.ty, parameter_now(trial, first, parameter)) {
        (Type::Int, Value::Int(now)) => {
            let (low, high) = window(now, parameter.min, parameter.max);
            (LeverKind::Number, low, high, now)
        }
        (Type::Flag, Value::Flag(now)) => (LeverKind::Flag, 0, 1, i64::from(now)),
        _ => return None,
    };
    let (ids, labels) = place_of(trial.rules(), fits);
    let at = if ids.is_empty() { String::new() } else { format!("@{ids}") };
    let place = if labels.is_empty() { String::new() } else { format!(", {labels}") };
    Some(Lever {
        id: format!("{}.{}{at}", first.system, parameter.id).into(),
        label: format!("{}{place}: {}", first.name, parameter.label).into(),
        parts: fits.iter().map(|fit| TrialPart::Parameter(fit.part, parameter.attribute)).collect(),
        kind,
        low,
        high,
        now,
        follows: None,
        is_added: false,
        options: Arc::default(),
    })
}

/// Whether a word without a tag names a lever, by its id: `laser@port` names `laser@port+starboard`.
fn names_place(id: &str, word: &str) -> bool {
    let (name, place) = id.split_once('@').unwrap_or((id, ""));
    match word.split_once('@') {
        Some((wanted, mounts)) => wanted == name && (mounts == place || place.split('+').any(|one| one == mounts)),
        None => word == name,
    }
}

/// As `names_place`; a word for a fit names its parameters as well.
pub fn is_named_by(id: &str, word: &str) -> bool {
    let whole = id.split_once('.').map(|(system, rest)| match rest.split_once('@') {
        Some((_, place)) => format!("{system}@{place}"),
        None => system.to_owned(),
    });
    names_place(id, word) || whole.is_some_and(|fit| names_place(&fit, word))
}

/// All levers that a player may choose from: those of `all_levers`, and choices.
pub fn lever_menu(rules: &Arc<Ruleset>, design: &Design) -> Vec<Lever> {
    let ship = Ship::default();
    let mut trial = Trial::new(rules, design, &ship);
    trial.compute();
    let mut levers = all_levers(&trial);
    levers.extend(choice_levers(&trial));
    levers
}

/// The levers of fields with a choice.
pub fn choice_levers(trial: &Trial<'_>) -> Vec<Lever> {
    let fields = 0..trial.rules().fields.len();
    let is_choice = |lever: &Lever| matches!(lever.kind, LeverKind::Choice(_));
    fields.filter_map(|field| field_lever(trial, field, true)).filter(is_choice).collect()
}

/// The levers that a word names: a field, a system, `system@mount`, `system.parameter`, `system.parameter@mount` or `#tag`.
///
/// # Errors
/// `unknown-lever` with the nearest word; `empty-window` where the rules' own bounds leave nothing.
pub fn named_levers(trial: &Trial<'_>, vary: &VaryWord) -> Result<Vec<Lever>, Finding> {
    let all = all_levers(trial);
    let rules = trial.rules();
    let word = vary.word.as_str();
    let mut found: Vec<Lever> = Vec::new();
    if let Some(field) = rules.fields.iter().position(|field| *field.id == *word) {
        found.extend(field_lever(trial, field, true));
    } else if let Some(tag) = word.strip_prefix('#') {
        let fits = trial.fits();
        let tagged = |part: &TrialPart| matches!(part, TrialPart::Count(fit) if fits[*fit].tags.iter().any(|known| **known == *tag));
        found.extend(all.iter().filter(|lever| lever.parts.iter().all(tagged)).cloned());
    } else {
        let is_named = |lever: &&Lever| names_place(&lever.id, word);
        found.extend(all.iter().filter(is_named).cloned());
        // Two mirrored fits with a mount named are parted.
        if let Some((_, mounts)) = word.split_once('@') {
            found = found.into_iter().map(|lever| parted(trial, lever, mounts)).collect();
        }
    }
    if found.is_empty() {
        let known: Vec<&str> = all.iter().map(|lever| &*lever.id).collect();
        let names = all.iter().map(|lever| lever.id.split('@').next().unwrap_or(""));
        let near = nearest(word, known.iter().copied().chain(names));
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("what may change in this design: {}", shorten(&known.join(", "), 300)),
        };
        let message = format!("nothing that may change is called `{}`", shorten(word, 60));
        return Err(Finding::error("unknown-lever", message).help(help));
    }
    if let Some((low, high)) = vary.window {
        for lever in &mut found {
            let (min, max) = hard_bounds(trial, lever);
            let (within_low, within_high) = (low.max(min), high.min(max));
            if within_low > within_high {
                let message =
                    format!("the window {low}..{high} of `{}` is empty: the rules allow {min} to {max}", lever.id);
                return Err(Finding::error("empty-window", message).help(format!("write a window within {min}..{max}")));
            }
            (lever.low, lever.high) = (within_low, within_high);
        }
    }
    Ok(found)
}

/// One of two mirrored fits alone, where a question names its mount.
fn parted(trial: &Trial<'_>, lever: Lever, mount: &str) -> Lever {
    let fits = trial.fits();
    let [TrialPart::Count(_), TrialPart::Count(_)] = &*lever.parts else { return lever };
    let here = lever.parts.iter().find_map(|part| match part {
        TrialPart::Count(fit) if *fits[*fit].mount_id == *mount => Some(&fits[*fit]),
        _ => None,
    });
    here.map_or(lever, |fit| count_lever(trial.rules(), &[fit]))
}

/// What the rules allow at all, whatever the window.
pub fn hard_bounds(trial: &Trial<'_>, lever: &Lever) -> (i64, i64) {
    let none = (i64::MIN / 4, i64::MAX / 4);
    let of = |min: Option<i64>, max: Option<i64>| (min.unwrap_or(none.0), max.unwrap_or(none.1));
    match (&lever.kind, lever.parts.first()) {
        (LeverKind::Flag, _) => (0, 1),
        (LeverKind::Choice(options), _) => (0, i64::try_from(options.len()).unwrap_or(1) - 1),
        (LeverKind::Number, Some(TrialPart::Count(_))) => (0, i64::from(moldloft_rules::design::MAX_COUNT)),
        (LeverKind::Number, Some(TrialPart::Field(field))) => match trial.rules().fields[*field].kind {
            FieldKind::Integer { min, max } => of(min, max),
            _ => none,
        },
        (LeverKind::Number, Some(TrialPart::Parameter(fit, attribute))) => {
            let base = trial.fits()[*fit].base;
            let parameters = &trial.rules().systems[base].parameters;
            let known = parameters.iter().find(|parameter| parameter.attribute == *attribute);
            known.map_or(none, |parameter| of(parameter.min, parameter.max))
        }
        (LeverKind::Number, None) => none,
    }
}

/// Adds levers that are not there yet, up to [`MAX_LEVERS`].
pub fn add_levers(levers: &mut Vec<Lever>, more: impl IntoIterator<Item = Lever>) {
    for lever in more {
        let overlaps = levers.iter().any(|known| known.parts.iter().any(|part| lever.parts.contains(part)));
        if !overlaps && levers.len() < MAX_LEVERS {
            levers.push(lever);
        }
    }
}
