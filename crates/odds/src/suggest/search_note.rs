//! How far a search is, in words for who waits.

use super::question::SearchSpace;
use super::scorer::Score;

/// How far a search is: `best so far: 40; none can have more than 43`.
pub fn search_note(space: &SearchSpace<'_>, best: Option<&Score>, bound: &Score) -> String {
    if space.objective.is_none() {
        return if best.is_some() { "an answer is found; looking for a better one" } else { "no answer yet" }
            .to_owned();
    }
    let number = |score: &Score| if space.is_minimised() { -score.main } else { score.main };
    let than = if space.is_minimised() { "less" } else { "more" };
    let best = match best {
        Some(best) => format!("best so far: {}", number(best)),
        None => "no answer yet".to_owned(),
    };
    match bound.main >= moldloft_rules::ruleset::MAX_NUMBER as i64 {
        true => best,
        false => format!("{best}; none can have {than} than {}", number(bound)),
    }
}
