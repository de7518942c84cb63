//! What the fuzz target `goal` and the corpus test do with an input: ask a question of a small game. The lines are the formula, then goals; a
//! line that begins with `:` names what may vary. An answer must be legal, and no goal may be missed.

use std::sync::{Arc, LazyLock};

use moldloft::progress::Progress;
use moldloft::ruleset::Ruleset;
use moldloft::source::Source;
use moldloft::suggest::{Question, SearchSpace, Sense, Subject, Suggestion, VaryWord, claim, limits, search};

const RULES: &str = r#"
    ruleset = { id = "raft", title = "Rafts", version = "1", schema = 1 }
    attributes = { mass = 0, points = 0 }
    field = [{ id = "crew", kind = "integer", min = 0, max = 9, default = 2 }, { id = "sail", kind = "flag", default = false }]
    mount = [{ id = "bow" }, { id = "port", mirror = "starboard" }, { id = "starboard" }]
    system = [
      { id = "oar", mass = 2, points = "1 + speed", parameters = { blades = { default = 1, min = 1, max = 4 } } },
      { id = "cat", points = 3, tags = ["pet"] },
    ]
    value = [
      { id = "mass", formula = "total('mass') + crew" },
      { id = "speed", formula = "count('oar') * 10 // max(1, 4 + crew)" },
      { id = "points", formula = "total('points') + (5 if sail else 0)" },
    ]
    check = [{ code = "cats", severity = "error", fails_when = "count('cat') > crew", message = "m", fix = { set = { crew = "count('cat')" } } }]
"#;
const DESIGN: &str = "ruleset = 'raft'\nname = 'x'\n[[fit]]\nsystem = 'oar'\nmount = 'port'\n[[fit]]\nsystem = 'oar'\nmount = 'starboard'\n\
                      [[fit]]\nsystem = 'cat'\nmount = 'bow'\n";

static RAFT: LazyLock<Subject> = LazyLock::new(|| {
    let (rules, findings) = Ruleset::load(&Source::new("raft.toml", RULES));
    let rules = Arc::new(rules.unwrap_or_else(|| panic!("{findings:?}")));
    Subject::new(&rules, &Source::new("x.toml", DESIGN)).unwrap_or_else(|findings| panic!("{findings:?}"))
});

/// Runs one input.
///
/// # Panics
/// When an answer does not hold what is said of it.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut lines = text.lines();
    let sense = if data.len().is_multiple_of(2) { Sense::Maximise } else { Sense::Minimise };
    let mut question = Question::default().objective(Some((sense, lines.next().unwrap_or("points").to_owned())));
    for line in lines.take(20) {
        match line.strip_prefix(':') {
            Some(word) => match VaryWord::parse(word) {
                Ok(word) => question.vary.push(word),
                Err(finding) => assert!(!finding.message.is_empty() && finding.help.is_some(), "{finding:?}"),
            },
            None => question.goals.push(line.to_owned()),
        }
    }
    match SearchSpace::new(&RAFT, &question) {
        Err(finding) => assert!(!finding.message.is_empty(), "{finding:?}"),
        Ok(space) => {
            let result = search(&space, &Progress::default());
            assert!(!claim(&space, &result).is_empty() && !limits(&space).is_empty());
            if let Some(best) = &result.best {
                let answer = Suggestion::new(&space, best).unwrap_or_else(|| panic!("{:?}", best.point));
                assert!(answer.after.legal, "{:?}", answer.edits);
            }
        }
    }
}
