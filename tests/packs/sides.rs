//! Which part of a pack is on which side of the paper: fronts begin leaves, backs have what fits there, none is blank without need.

use super::*;

#[test]
fn blank_backs_of_rosters_have_the_battle_page_and_the_scenario() {
    let folder = folder(&[("escort.toml", ESCORT), ("raiders.toml", RAIDERS)]);
    let places = |more: &[&str]| {
        let (status, said, told) =
            run(folder.path(), &[&["pack", "escort.toml", "raiders.toml", "-o", "battle.pdf"], more].concat());
        assert_eq!((status, told.as_str()), (0, ""), "{said}");
        let marks = outline(&folder.path().join("battle.pdf"));
        let of = |start: &str| -> Vec<u32> {
            marks.iter().filter(|(_, title, _)| title.starts_with(start)).map(|(_, _, page)| *page).collect()
        };
        ([of("roster"), of("reference")], of("battle")[0], of("scenario")[0])
    };
    let ([rosters, _], battle, scenario) = places(&[]);
    assert_eq!([battle, scenario], [rosters[0] + 1, rosters[1] + 1]);
    let ([_, references], battle, scenario) = places(&["--single-sided", "--back", "none"]);
    assert_eq!([battle, scenario], [references[0] + 1, references[0] + 2], "there are no backs");
    // Without rosters the backs of the reference sheets are there.
    let only = ["--only", "sheets,reference,battle,scenario", "--references", "2"];
    let ([_, references], battle, scenario) = places(&only);
    assert_eq!([battle, scenario], [references[0] + 1, references[1] + 1]);
    // A roster has one back: a summary that is named comes first.
    let ([rosters, references], battle, _) = places(&["--only", "roster,summary,reference,battle,scenario"]);
    assert_eq!((rosters[0], battle), (1, references[0] + 1));
}

/// An order log has more turns on its back rather than a blank page; printed on one side it is as long as it has to be.
#[test]
fn an_order_log_goes_on_behind() {
    let one = packed(&[PATROL], &order().single_sided(true));
    let two = packed(&[PATROL], &order().parts(BTreeSet::from([PackPart::Logs])));
    let (one, two) = (section(&one, "Border patrol", "order log"), section(&two, "Border patrol", "order log"));
    assert_eq!((one.len(), two.len()), (1, 2));
    let turns = |page: &Page| {
        let turn = |words: &String| words.strip_prefix("TURN ").and_then(|number| number.parse::<u32>().ok());
        words(page).iter().filter_map(turn).collect::<Vec<_>>()
    };
    let (front, back) = (turns(&two[0]), turns(&two[1]));
    assert_eq!(front, turns(&one[0]));
    assert_eq!(back.first(), front.last().map(|turn| turn + 1).as_ref());
    assert!(back.len() * 2 >= front.len(), "{front:?} {back:?}");
}

#[test]
fn both_sides_of_the_paper_and_one() {
    let two = packed(&[ESCORT], &order());
    for (n, page) in two.scene.pages.iter().enumerate() {
        assert!(may_begin(page, n), "{:?} on page {}", page.bookmarks, n + 1);
    }
    let blanks = |pack: &PrintedPages| pack.scene.pages.iter().filter(|page| page.is_empty()).count();
    let said = two.contents.contains(&format!("with {} blank back", blanks(&two)));
    assert_eq!(said, blanks(&two) > 0, "{}", two.contents);
    // Backs of chits lie behind their fronts.
    let counters = section(&two, "Escort of HM-17", "counters");
    assert!(counters.len().is_multiple_of(2));
    for pair in counters.chunks(2) {
        let told = words(&pair[1]).join(" ");
        assert!(told.contains("backs of sheet") && !words(&pair[0]).join(" ").contains("backs of sheet"), "{told}");
    }
    // Two pages beside each other on large paper: cards and chits, which fill a sheet of their own, begin on fronts all the same.
    let bed = PageSetup::default().paper(Paper::A3);
    let large = packed(&[PATROL, ESCORT], &order().print(order().print.page_setup(bed)));
    for (n, page) in large.scene.pages.iter().enumerate() {
        assert!(may_begin(page, n), "A3: {:?} on page {}", page.bookmarks, n + 1);
    }
    let one = packed(&[ESCORT], &order().single_sided(true));
    // Chits are folded then.
    let without_rolls = order().without(BTreeSet::from([PackPart::Rolls]));
    let folded = packed(&[ESCORT], &without_rolls.print(order().print.backs(Backs::Fold)));
    assert_eq!(blanks(&one), 0);
    // Backs of sheets are not printed then; those of cards are on the pages of their cards.
    let is_back = |page: &&Page| {
        let words = words(page).join(" ");
        words.contains("LOGS AND RULINGS") || words.contains("MISSILE PODS") && !words.contains("box launchers")
    };
    let backs = folded.scene.pages.iter().filter(is_back).count();
    assert!(backs > 1 && !one.scene.pages.iter().any(|page| is_back(&page)));
    assert_eq!(one.scene.pages.len(), folded.scene.pages.len() - blanks(&folded) - backs);
}

#[test]
fn cards_whose_log_is_not_for_orders_leave_them_to_the_order_log() {
    let fleet = "ruleset = \"sky-full-of-ships\"\nname = \"Relief\"\n[[ship]]\ndesign = \"Tern\"\nname = \"Alma\"\nhull_number = \"CL-1\"\n";
    let pack = packed(&[fleet], &order());
    assert_eq!(titles(&pack, "order log").len(), 1);
    // It goes on on its back, which one side of the paper does not have.
    let of_log = |pack: &PrintedPages| section(pack, "Relief", "order log").iter().flat_map(words).collect::<Vec<_>>();
    let both = of_log(&packed(&[fleet], &order().parts(BTreeSet::from([PackPart::Logs]))));
    assert!(both.iter().any(|word| word == "page 2 of 2"), "{both:?}");
    assert!(of_log(&pack).iter().any(|word| word == "page 1 of 1"), "behind the roster");
    let print = order().print.backs(Backs::None);
    let one = of_log(&packed(&[fleet], &order().single_sided(true).print(print)));
    assert!(one.iter().any(|word| word == "page 1 of 1"), "{one:?}");
}

#[test]
fn a_log_that_is_too_short_goes_on_on_a_further_leaf() {
    let fleet = "ruleset = \"b5-house-rules\"\nname = \"Watch\"\n[[ship]]\ndesign = \"Torvald Deep\"\nname = \"TD\"\n";
    let written = |single_sided: bool| -> BTreeSet<u32> {
        let print = order().print.page_setup(Paper::A5.into());
        let parts = BTreeSet::from([PackPart::Sheets]);
        let packed = packed(&[fleet], &order().print(print).parts(parts).single_sided(single_sided));
        let mut rows = BTreeSet::new();
        for page in &packed.scene.pages {
            walk(&page.items(), &mut |item| {
                let Some(mark) = item.mark.as_ref() else { return };
                let logs = ["turns_", "more_turns_", "back_turns_"];
                let row: Option<u32> =
                    logs.iter().find_map(|log| mark.name.strip_prefix(log)?.split('_').next()?.parse().ok());
                rows.extend(row);
            });
        }
        rows
    };
    let last = |rows: &BTreeSet<u32>| rows.last().copied().unwrap_or(0);
    let (one_sided, both) = (written(true), written(false));
    assert!((1..10).contains(&last(&one_sided)), "{one_sided:?}");
    // Numbered on without a gap.
    assert!(last(&both) >= 20 && (1..=last(&both)).all(|row| both.contains(&row)), "{both:?}");
}

#[test]
fn cards_have_their_backs_behind_them() {
    let pages = |options: &PackOptions| packed(&[PATROL], options).scene.pages;
    let is_back = |page: &Page| words(page).iter().any(|word| word == "Combat chart");
    let two = pages(&order());
    let backs: Vec<usize> = (0..two.len()).filter(|&n| is_back(&two[n])).collect();
    let [back] = backs[..] else { panic!("one page of backs, found {backs:?}") };
    assert_eq!(back % 2, 1, "behind a front");
    let names =
        |page: &Page| words(page).into_iter().filter(|word| word == "Lantern" || word.starts_with("Pike")).count();
    assert_eq!(names(&two[back]), names(&two[back - 1]), "as many as cards");
    let one = pages(&order().single_sided(true));
    assert!(one.iter().all(|page| !is_back(page)));
}

/// The pages of the sample fleets' packs are those in docs/guide/src/packs.md.
#[test]
fn docs_say_the_pages_of_the_sample_fleets() {
    let store = store();
    let rulesets = Rulesets::without_settings(&store);
    let pages = |texts: &[(String, String)]| {
        let read = |(path, text): &(String, String)| {
            let source = Source::new(path.as_str(), text.as_str());
            check_fleet(&rulesets, &source, &FileRef::built_in(path)).expect("a fleet")
        };
        let fleets: Vec<EvaluatedFleet> = texts.iter().map(read).collect();
        assert!(fleets.iter().all(|fleet| fleet.skipped.is_empty()), "{:?}", fleets[0].skipped);
        let packed = print_fleets(&store, &fleets, &order(), format_for("pdf").unwrap(), &Progress::default());
        packed.scene.pages.len()
    };
    let mut rows = 0;
    for line in include_str!("../../docs/guide/src/packs.md").lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [game, each, both] = cells[..] else { continue };
        let game = game.trim_matches('`');
        let mut fleets = Vec::new();
        for fleet in each.split(", ") {
            let (name, now) = fleet.split_once(' ').expect("a fleet and its sides");
            let path = format!("designs/{game}/fleets/{}.toml", name.trim_matches('`'));
            let text = fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).expect("a sample fleet");
            let one = [(path, text)];
            assert_eq!(now, pages(&one).to_string(), "packs.md: {fleet}");
            fleets.extend(one);
        }
        assert_eq!((fleets.len(), both), (2, pages(&fleets).to_string().as_str()), "packs.md: {game}");
        rows += 1;
    }
    assert_eq!(rows, 5, "two fleets and their battle pack of each game");
}

#[test]
fn a_side_that_a_ships_pages_leave_blank_has_its_back() {
    let fleet = "ruleset = \"b5-house-rules\"\nname = \"Strike\"\n[[ship]]\ndesign = \"Var'Nic\"\nname = \"Na'Tesh\"\nhull_number = \"N1\"\n";
    for (paper, sides) in [(Paper::A4, 2), (Paper::A5, 4)] {
        let print = order().print.page_setup(PageSetup::from(paper));
        let parts = BTreeSet::from([PackPart::Sheets, PackPart::Reference]);
        let pack = packed(&[fleet], &order().print(print).parts(parts));
        let reference = pack
            .scene
            .pages
            .iter()
            .position(|page| page.bookmarks.iter().any(|mark| mark.title.starts_with("reference")));
        assert_eq!(reference, Some(sides), "{paper}");
        let last = words(&pack.scene.pages[sides - 1]);
        assert!(last.iter().any(|word| word == "Na'Tesh"), "{paper}: {last:?}");
    }
}

/// The boxes of a pack, each with its ship.
fn boxes(packed: &PrintedPages) -> BTreeSet<(String, String)> {
    let mut boxes = BTreeSet::new();
    for page in &packed.scene.pages {
        walk(&page.items(), &mut |item| {
            if let Some(mark) = item.mark.as_ref().filter(|mark| mark.kind == MarkKind::Tick) {
                let unit = mark.unit.as_ref().map(|unit| unit.key.to_string()).unwrap_or_default();
                assert!(boxes.insert((unit, mark.name.to_string())), "twice: {mark:?}");
            }
        });
    }
    boxes
}

#[test]
fn a_card_that_would_take_a_leaf_of_its_own_is_on_the_roster() {
    let packed_parts = |parts: &[PackPart]| packed(&[ESCORT], &order().parts(parts.iter().copied().collect()));
    let (with, sheets) = (packed_parts(&[PackPart::Roster, PackPart::Sheets]), packed_parts(&[PackPart::Sheets]));
    let roster = packed_parts(&[PackPart::Roster]);
    // Roster and its back, without the two sides of the pod's leaf.
    assert_eq!(with.scene.pages.len(), sheets.scene.pages.len(), "{}", roster.scene.pages.len());
    assert_eq!(boxes(&with), boxes(&sheets));
    let on_roster = section(&with, "Escort of HM-17", "roster");
    assert!(words(&on_roster[0]).contains(&"CARD".to_owned()), "{:?}", words(&on_roster[0]));
    assert!(with.scene.pages[0].bookmarks.iter().any(|mark| mark.title.contains("Quiver")));
}

/// A pocket of a load sheet holds a chit, and each launcher has one with the name that the log gives it.
#[test]
fn load_sheets_have_a_pocket_for_each_launcher() {
    let print = PrintOptions::default().loads(true);
    let options = order().parts(BTreeSet::from([PackPart::Sheets])).print(print);
    let (with, without) =
        (packed(&[ESCORT], &options), packed(&[ESCORT], &options.clone().print(PrintOptions::default())));
    assert!(with.scene.pages.len() > without.scene.pages.len());
    let pockets = |page: &Page| {
        let mut sides = Vec::new();
        walk(&page.items(), &mut |item| {
            if let (Some(mark), Shape::Rect { rect, .. }) = (&item.mark, &item.shape)
                && mark.name.starts_with("load_")
            {
                sides.push(rect.w.min(rect.h));
            }
        });
        sides
    };
    let loads: Vec<&Page> = with.scene.pages.iter().filter(|page| !pockets(page).is_empty()).collect();
    assert_eq!(loads.len(), 3, "two ships and a pod");
    for name in ["P1", "P5", "S1", "S5"] {
        assert!(words(loads[0]).contains(&name.to_owned()), "{name}: {:?}", words(loads[0]));
    }
    assert!(pockets(loads[0]).iter().all(|side| *side > 18.0), "{:?}", pockets(loads[0]));
}

/// Where every ship's sheet has a log, order logs beside the sheets are as in a usual pack, unless they are asked for.
#[test]
fn order_logs_beside_sheets_are_for_fleets_that_need_them() {
    let pages =
        |options: &PackOptions| packed(&[ESCORT], options).scene.pages.iter().filter(|page| !page.is_empty()).count();
    let asked = order().parts(BTreeSet::from([PackPart::Roster, PackPart::Sheets, PackPart::Logs]));
    assert_eq!(pages(&asked), pages(&asked.clone().logs_if_needed(true)) + 1);
    let logs = order().parts(BTreeSet::from([PackPart::Logs]));
    assert!(pages(&logs) > 0);
}

/// Shared rolls are on a side that would be blank, or asked for; they never take a sheet of paper by themselves.
#[test]
fn shared_rolls_take_no_paper_of_their_own() {
    let shown = |packed: &PrintedPages| {
        packed.scene.pages.iter().filter(|page| words(page).contains(&"Shared rolls".to_owned())).count()
    };
    for texts in [&[ESCORT][..], &[ESCORT, RAIDERS], &[PATROL]] {
        let [with, without] =
            [order(), order().without(BTreeSet::from([PackPart::Rolls]))].map(|options| packed(texts, &options));
        let sheets = |packed: &PrintedPages| packed.scene.pages.len().div_ceil(2);
        assert_eq!(sheets(&with), sheets(&without), "{texts:?}");
        assert_eq!(shown(&without), 0);
    }
    let asked = packed(&[ESCORT], &order().parts(BTreeSet::from([PackPart::Rolls])));
    assert_eq!((asked.scene.pages.len(), shown(&asked)), (1, 1));
    let words = words(&asked.scene.pages[0]);
    // Of four dice that lose on 6, at most 0, 1, 2 with 48, 87, 98 in a hundred.
    assert!(words.iter().any(|word| word == "lost on 6 of a die"), "{words:?}");
    for percent in ["48", "87", "98"] {
        assert!(words.contains(&percent.to_owned()), "{percent}: {words:?}");
    }
}
