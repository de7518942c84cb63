//! What the fuzz target `list` and the corpus test do with an input: read it as a fleet's list, make a file of it, and read that.

use moldloft::design::fleet::Fleet;
use moldloft::exchange::list::{KnownNames, read_list};
use moldloft::finding::Finding;
use moldloft::source::Source;

/// Runs one input.
///
/// # Panics
/// When a promise of reading lists is broken.
pub fn run(data: &[u8]) {
    let source = Source::new("list.txt", &String::from_utf8_lossy(data));
    for known in
        [KnownNames::default(), KnownNames::new(["Vigilant", "Tern", "Type 45"].map(str::to_owned), ["tow".to_owned()])]
    {
        let list = read_list(&source, &known);
        assert!(list.ships.len() <= 2_000 && list.designs.len() <= 2_000);
        let lines = source.text.lines().count().max(source.text.split('\r').count()) as u32 + source.text.len() as u32;
        assert!(list.unread.iter().all(|(line, _)| (1..=lines).contains(line)));
        let toml = list.to_toml();
        let read = Fleet::read(&Source::new("f.toml", &toml));
        let refused = |findings: &[Finding]| findings.iter().all(|finding| finding.code == "not-a-fleet");
        assert!(!read.is_err_and(|findings| !list.ships.is_empty() || !refused(&findings)), "{toml}");
    }
}
