//! What a view asks, by the kinds of the rules' situations: takes a change of a value, gives the request in the words of the command line.

use crate::odds_page::model::OddsView;
use moldloft_odds::odds::{OddsRequest, axis, find_situation, read_best, read_situation, value_word};
use moldloft_rules::ruleset::{AttackRules, Situation, SituationKind};

/// What is the default, or not possible, is not kept.
pub fn set_situation(view: &mut OddsView, rules: Option<&AttackRules>, id: String, word: Option<String>) {
    let Some(rules) = rules else { return };
    let rule = find_situation(rules, &id).ok().and_then(|number| rules.situations.get(number));
    let changed = word.filter(|word| rule.is_some_and(|rule| *word != value_word(&rule.default)));
    match changed.filter(|word| is_possible(rules, &id, word)) {
        Some(word) => view.situation.insert(id, word),
        None => view.situation.remove(&id),
    };
}

fn is_possible(rules: &AttackRules, id: &str, word: &str) -> bool {
    read_situation(rules, &[format!("{id}={word}")]).is_ok()
}

/// The situation that the chart is drawn over.
pub fn axis_rule<'r>(view: &OddsView, rules: &'r AttackRules) -> Option<&'r Situation> {
    let chosen = view.over.as_ref().and_then(|over| find_situation(rules, over).ok());
    chosen.or_else(|| axis(rules)).and_then(|number| rules.situations.get(number))
}

/// Its value, in the words of the command line.
pub fn situation_word(view: &OddsView, rule: &Situation) -> String {
    view.situation.get(&*rule.id).cloned().unwrap_or_else(|| value_word(&rule.default))
}

pub fn step_axis(view: &mut OddsView, rules: Option<&AttackRules>, by: i64) {
    let Some(rule) = rules.and_then(|rules| axis_rule(view, rules)) else { return };
    let now = situation_word(view, rule);
    let to = match &rule.kind {
        SituationKind::Integer { min, max } => {
            now.parse::<i64>().unwrap_or(*min).saturating_add(by).clamp(*min, *max).to_string()
        }
        SituationKind::Flag => (by > 0).to_string(),
        SituationKind::Choice(options) => {
            let at = options.iter().position(|(id, _)| **id == *now).unwrap_or(0) as i64;
            let to = at.saturating_add(by.signum()).clamp(0, options.len().saturating_sub(1) as i64);
            options.get(to as usize).map_or(now, |(id, _)| id.to_string())
        }
    };
    set_situation(view, rules, rule.id.to_string(), Some(to));
}

/// The request of a view to ships of these rules; what other rules had is left out.
pub fn request(view: &OddsView, rules: &AttackRules) -> OddsRequest {
    let situation = view.situation.iter().filter(|(id, word)| is_possible(rules, id, word));
    OddsRequest::default()
        .situation(situation.map(|(id, word)| format!("{id}={word}")).collect())
        .over(view.over.clone().filter(|over| find_situation(rules, over).is_ok()))
        .attacks(
            view.attack.iter().filter(|id| rules.attacks.iter().any(|attack| *attack.id == ***id)).cloned().collect(),
        )
        .parts(true)
        .turns(Some(view.turns).filter(|turns| *turns > 0))
        .has_duel(!view.has_no_duel)
        .best(view.best.clone().filter(|best| view.is_matrix && read_best(rules, best).is_ok()))
}
