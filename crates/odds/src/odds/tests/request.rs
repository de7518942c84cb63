//! Questions from the words of a command line or a window.

use moldloft_base::progress::Progress;
use moldloft_rules::formula::Value;
use moldloft_rules::ruleset::AttackRules;

use super::super::request::DUEL_TURNS;
use super::super::{Ask, OddsRequest};
use super::plain;

fn rules() -> AttackRules {
    let toml = "[[situation]]\nid = \"range\"\nkind = \"integer\"\ndefault = 2\nmin = 0\nmax = 5\naxis = true\n\
                [[gauge]]\nid = \"hull\"\nboxes = 3\nends = true\n\
                [[attack]]\nid = \"guns\"\n[[attack.step]]\nleft.hull = \"left.hull - (1 if range < 3 else 0)\"\n";
    plain::rules(toml).unwrap()
}

#[test]
fn what_is_not_said_is_the_default_over_the_axis() {
    let question = OddsRequest::default().question(&rules()).unwrap();
    assert_eq!(question.situation, [Value::Int(2)]);
    let (axis, values) = question.over.unwrap();
    assert_eq!((axis, values.len()), (0, 6));
    assert_eq!((question.turns, question.duel), (0, 0));
}

#[test]
fn a_duel_has_turns_of_its_own_unless_they_are_given() {
    let duel = OddsRequest { has_duel: true, ..OddsRequest::default() };
    assert_eq!(duel.question(&rules()).unwrap().duel, DUEL_TURNS);
    let short = OddsRequest { turns: Some(3), ..duel };
    let question = short.question(&rules()).unwrap();
    assert_eq!((question.turns, question.duel), (3, 3));
}

#[test]
fn unknown_words_are_findings() {
    let code = |request: OddsRequest| request.question(&rules()).unwrap_err().code.to_string();
    assert_eq!(code(OddsRequest { attacks: vec!["gun".into()], ..OddsRequest::default() }), "unknown-attack");
    assert_eq!(code(OddsRequest { situation: vec!["rage=2".into()], ..OddsRequest::default() }), "unknown-situation");
    assert_eq!(code(OddsRequest { over: Some("range=4..9".into()), ..OddsRequest::default() }), "value-out-of-range");
}

#[test]
fn cancelled_work_ends_without_figures() {
    let toml = "[[gauge]]\nid = \"hull\"\nboxes = 30\nends = true\n\
                [[attack]]\nid = \"guns\"\n[[attack.step]]\nleft.hull = \"left.hull - 3d6\"\n";
    let progress = Progress::default();
    let answer = || plain::answer_until::<f64>(toml, &Ask::ALL, Some(&progress)).unwrap();
    assert_eq!(answer().gauges.len(), 1);
    progress.cancel();
    let cancelled = answer();
    assert!(cancelled.gauges.is_empty() && !cancelled.errors.is_empty());
}
