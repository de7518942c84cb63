//! The typography of every game's sheets, measured on the drawn pages: distances from lines, sizes, weights, labels, the use of pages.

use std::sync::{Arc, OnceLock};

use moldloft::design::Ship;
use moldloft::evaluate::{Evaluation, evaluate, number_counters};
use moldloft::library::{designs_of_ruleset, typography_papers};
use moldloft::ruleset::Ruleset;
use moldloft::sheet::typography::SheetWords;
use moldloft::sheet::{SheetFault, SheetOptions, TemplateCache, check_sheet_typography};
use moldloft::store::Store;

const GAMES: [&str; 5] = ["wars-of-honor", "sky-full-of-ships", "star-navy", "battleships-1890s", "b5-house-rules"];

fn store() -> &'static Store {
    static STORE: OnceLock<Store> = OnceLock::new();
    STORE.get_or_init(Store::built_in)
}

fn rules(id: &str) -> Arc<Ruleset> {
    let source = store().ruleset(id).expect("it is built in");
    Arc::new(Ruleset::load(&source).0.expect("it loads"))
}

fn samples(rules: &Arc<Ruleset>) -> Vec<Evaluation> {
    let designs = designs_of_ruleset(store(), rules);
    let mut ships: Vec<_> = designs.iter().map(|design| evaluate(rules, design, &Ship::default())).collect();
    number_counters(&mut ships);
    ships
}

fn faults(ships: &[Evaluation], paper: &str, options: SheetOptions) -> Vec<String> {
    let cache = TemplateCache::new(|ids, name| store().template(ids, name));
    let mut all = Vec::new();
    for ship in ships {
        let found = check_sheet_typography(ship, &cache, options, &mut SheetWords::default());
        all.extend(found.into_iter().map(|fault| shown(ship, paper, &fault)));
    }
    all
}

fn shown(ship: &Evaluation, paper: &str, fault: &SheetFault) -> String {
    let SheetFault { page, pages, fault, .. } = fault;
    format!("{}, {paper}, page {page} of {pages}: {}: {}", ship.name, fault.check.code(), fault.message)
}

#[test]
fn samples_keep_the_typography_on_every_paper() {
    let mut all = Vec::new();
    for game in GAMES {
        let ships = samples(&rules(game));
        assert!(!ships.is_empty(), "{game}");
        for (paper, options) in typography_papers() {
            all.extend(faults(&ships, paper, options).into_iter().map(|fault| format!("{game}: {fault}")));
        }
    }
    assert!(all.is_empty(), "{} faults\n{}", all.len(), all.join("\n"));
}

#[test]
#[ignore = "prints the small texts of the samples, for whoever changes templates"]
fn small_texts_of_the_samples() {
    use moldloft::scene::Shape;
    use std::collections::BTreeMap;
    let cache = TemplateCache::new(|ids, name| store().template(ids, name));
    for game in GAMES {
        let ships = samples(&rules(game));
        let mut small: BTreeMap<String, usize> = BTreeMap::new();
        let mut all = 0;
        for ship in &ships {
            let job = moldloft::sheet::SheetJob {
                ships: std::slice::from_ref(ship),
                templates: &cache,
                options: SheetOptions::default(),
                subject: "",
            };
            for item in moldloft::sheet::print(&job).0.pages.iter().flat_map(|page| page.items().into_owned()) {
                if let Shape::Text(text) = &item.shape {
                    let n = text.shaped.text.chars().filter(|c| c.is_alphanumeric()).count();
                    all += n;
                    if text.size < 7.4 * 25.4 / 72.0 {
                        *small.entry(text.shaped.text.to_string()).or_default() += n;
                    }
                }
            }
        }
        let mut small: Vec<_> = small.into_iter().collect();
        small.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        println!(
            "{game}: {} of {all}: {:?}",
            small.iter().map(|one| one.1).sum::<usize>(),
            &small[..small.len().min(40)]
        );
    }
}
