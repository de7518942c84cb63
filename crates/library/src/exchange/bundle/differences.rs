//! What differs between two programs' views of one file: takes both, gives one short sentence for each difference.

use moldloft_base::sanitize::shorten_line;

use super::model::{SeenResult, SeenRuleset};

/// The most characters of a value that a sender wrote.
const MAX_VALUE_CHARS: usize = 60;
/// The most values and codes of a sender that are compared.
const MAX_COMPARED: usize = 200;

/// `points 1732 there, 1740 here`.
pub(super) fn differences(there: &SeenResult, here: &SeenResult) -> Vec<String> {
    let mut out = Vec::new();
    let points = |points: Option<i64>| points.map_or_else(|| "none".to_owned(), |points| points.to_string());
    if there.points != here.points {
        out.push(format!("points {} there, {} here", points(there.points), points(here.points)));
    }
    let verdict = |legal: bool| if legal { "legal" } else { "not legal" };
    if there.legal != here.legal {
        out.push(format!("{} there, {} here", verdict(there.legal), verdict(here.legal)));
    }
    let only = |one: &SeenResult, other: &SeenResult, whose: &str, out: &mut Vec<String>| {
        let codes = one.errors.iter().take(MAX_COMPARED).filter(|code| !other.errors.contains(code));
        out.extend(codes.map(|code| format!("error {} only {whose}", shorten_line(code, MAX_VALUE_CHARS))));
    };
    only(there, here, "there", &mut out);
    only(here, there, "here", &mut out);
    for value in &here.values {
        let other = there.values.iter().take(MAX_COMPARED).find(|other| other.id == value.id);
        let other = other.map_or_else(|| "none".to_owned(), |other| shorten_line(&other.value, MAX_VALUE_CHARS));
        let own = shorten_line(&value.value, MAX_VALUE_CHARS);
        if other != own {
            out.push(format!("{} {other} there, {own} here", value.label));
        }
    }
    out
}

/// `rules 1.0 there, 1.1 here`; the code tells versions of one number apart.
pub(super) fn ruleset_differences(there: &SeenRuleset, here: &SeenRuleset) -> Option<String> {
    if there.code == here.code && there.version == here.version {
        return None;
    }
    let version = |seen: &SeenRuleset| shorten_line(&seen.version, MAX_VALUE_CHARS);
    Some(if there.version == here.version {
        format!("another text of version {} there", version(here))
    } else {
        format!("version {} there, {} here", version(there), version(here))
    })
}
