//! What may be claimed of an answer, in the only words for it.

use moldloft_base::sanitize::{capitalize, plural};
use moldloft_rules::evaluate::LeverKind;

use super::legal::LegalWays;
use super::lever::Lever;
use super::question::{Question, SearchSpace};
use super::scorer::Score;
use super::search::{Proof, SearchResult};
use super::spend::{Purchases, SpendLimit};

/// What `--legal` does not look into, beside more changes.
const NOT_TRIED: &str =
    "more changes, what is not aboard, words and rows, and numbers above 40 and above twice what they are plus 6";

/// The claim about the result of a search: what is proved, and no more.
pub fn claim(space: &SearchSpace<'_>, result: &SearchResult) -> String {
    let number = |main: i64| if space.is_minimised() { -main } else { main };
    match (result.proof, &result.best) {
        (Proof::Proved, Some(_)) => "Proved: no design within these limits is better.".to_owned(),
        (Proof::Proved, None) => "Proved: no design within these limits meets that.".to_owned(),
        (Proof::AtMost(bound), Some(best)) => {
            let (found, bound) = (number(best.score.main), number(bound));
            let than = if space.is_minimised() { "less" } else { "more" };
            format!("Best found: {found}. Within these limits none has {than} than {bound}.")
        }
        (_, Some(_)) => format!("Best of {} designs tried. Nothing is proved.", grouped(result.tried)),
        (_, None) => format!("None of {} designs tried is an answer. Nothing is proved.", grouped(result.tried)),
    }
}

/// The objective's own number of an answer.
pub fn objective_number(space: &SearchSpace<'_>, score: &Score) -> i64 {
    if space.is_minimised() { -score.main } else { score.main }
}

/// The limits of purchases, each of which is one lever moved up.
pub fn spend_limits(found: &Purchases, budget: &SpendLimit, question: &Question) -> String {
    let mut parts = vec!["one of them at a time, up to twice what it is plus 6".to_owned(), budget.condition()];
    if found.bought.iter().any(|purchase| purchase.also.is_some()) {
        parts.push("of two at a time some were tried".to_owned());
    }
    parts.extend(question.goals.iter().cloned());
    parts.push("all else as it is".to_owned());
    parts.push(question.warnings.words().to_owned());
    parts.join("; ")
}

/// The bound of a search that was stopped, as the objective's own number.
pub fn bound_number(space: &SearchSpace<'_>, proof: Proof) -> Option<i64> {
    match proof {
        Proof::AtMost(bound) if space.is_minimised() => Some(-bound),
        Proof::AtMost(bound) => Some(bound),
        Proof::Proved | Proof::Nothing => None,
    }
}

/// `No single change makes it legal (21 numbers may change). These two do:`
pub fn legal_claim(found: &LegalWays) -> String {
    const NUMBERS: [&str; 5] = ["no", "one", "two", "three", "four"];
    let word = |number: usize| NUMBERS.get(number).map_or_else(|| number.to_string(), ToString::to_string);
    let levers = format!("{} may change", plural(found.levers, "number"));
    // A check's own fix needs no lever.
    let held = if found.held.is_empty() { String::new() } else { format!(", no {}", found.held.join(" or ")) };
    let tried = if found.levers == 0 { String::new() } else { format!(" ({levers}{held})") };
    let ruled_out = match found.ruled_out {
        0 => String::new(),
        1 => format!("No single change makes it legal{tried}. "),
        // Other changes may do, such as a fit in another mount; so may ones that bring a new warning.
        more => format!(
            "No {} of the changes that were tried make it legal{}{tried}. ",
            word(more),
            found.warnings.legal_words()
        ),
    };
    let Some(fewest) = found.fewest else {
        if !found.unmended.is_empty() || found.levers == 0 && found.is_complete {
            return "No number of the design can make it legal: fix the errors in its file first.".to_owned();
        }
        let rest = match (found.is_complete, found.ruled_out) {
            (true, _) => format!("{} were not tried.", capitalize(NOT_TRIED)),
            (false, 0) => format!("None of {} designs tried is legal. Nothing is proved.", grouped(found.tried)),
            (false, _) => format!("None of {} designs tried is legal. No more is proved.", grouped(found.tried)),
        };
        return format!("{ruled_out}{rest}");
    };
    let none = match fewest {
        0 => return "It is legal as it is.".to_owned(),
        1 => String::new(),
        _ if found.ruled_out + 1 == fewest => ruled_out,
        _ if found.ruled_out == 0 => format!("Not every choice of changes was tried{tried}. "),
        _ => format!("{ruled_out}Not every choice of more was tried. "),
    };
    let is_cut = !found.is_complete && fewest > 1;
    match (fewest, found.ways.len()) {
        (changes, ways) if found.has_more || is_cut && ways > 1 => {
            let number =
                if changes == 1 { "One does".to_owned() } else { format!("{} do", capitalize(&word(changes))) };
            let more = if found.has_more { "more than " } else { "at least " };
            format!("{none}{number}, in {more}{ways} ways, {ways} of which are:")
        }
        (1, 1) => format!("One change makes it legal{tried}. This one does:"),
        (1, ways) => format!("One change makes it legal{tried}. Each of these {ways} does:"),
        (changes, 1) => format!("{none}These {} do:", word(changes)),
        (changes, ways) => format!("{none}{} do, in {ways} ways:", capitalize(&word(changes))),
    }
}

/// The claim about what points buy: of each purchase alone.
pub fn spend_claim(found: &Purchases) -> String {
    match found.is_complete && found.bought.iter().all(|one| one.also.is_some() || one.proof == Proof::Proved) {
        true => "Proved: no design within these limits is better.".to_owned(),
        false => format!("Best of {} designs tried. Nothing is proved.", grouped(found.tried)),
    }
}

/// `missile launcher, forward chase 0–8, …; points <= 500; all else as it is; no error, no new warning`
pub fn limits(space: &SearchSpace<'_>) -> String {
    let mut parts = vec![space.levers.iter().map(window).collect::<Vec<_>>().join(", ")];
    parts.extend(space.goals.iter().map(|goal| goal.text.to_string()));
    if let Some(kept) = &space.keeps {
        let in_a_fight = if kept.not_compared().is_none() { ", nothing less in a fight with itself" } else { "" };
        parts.push(format!("no box less{in_a_fight}"));
    }
    parts.extend(space.odds_goals.iter().map(|goal| goal.text.to_string()));
    if space.left_out > 0 {
        parts.push(format!("{} more as they are, since there are too many", plural(space.left_out, "number")));
    }
    if space.levers.iter().any(|lever| lever.follows.is_some()) {
        parts.push("what goes with it only as far as checks need".to_owned());
    }
    parts.push("all else as it is".to_owned());
    parts.push(space.warnings.words().to_owned());
    parts.retain(|part| !part.is_empty());
    parts.join("; ")
}

fn window(lever: &Lever) -> String {
    match lever.kind {
        LeverKind::Number => format!("{} {}–{}", lever.label, lever.low, lever.high),
        _ => {
            let options = (lever.low..=lever.high).map(|number| lever.shown(number)).collect::<Vec<_>>();
            format!("{} {}", lever.label, options.join(" or "))
        }
    }
}

/// `12,400`
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The first goal that cannot be met within the limits even alone, by index.
pub fn impossible_goal(space: &SearchSpace<'_>) -> Option<usize> {
    let trial = space.trial();
    (0..space.goals.len()).find(|goal| {
        let goals = vec![space.goals[*goal].clone()];
        let alone = SearchSpace { goals, objective: None, ..space.clone() };
        super::boxes::narrow(&alone, &alone.model(&trial), alone.whole_box(), None, &mut 0).is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_grouped() {
        assert_eq!([0, 999, 1_000, 12_400, 1_234_567].map(grouped), ["0", "999", "1,000", "12,400", "1,234,567"]);
    }
}
