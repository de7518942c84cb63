//! What the window costs, printed: `cargo test --release --test editor -- --ignored --nocapture timings`. No test depends on the
//! clock.

use std::time::Instant;

use egui::{Context, RawInput, Rect, pos2, vec2};
use moldloft::design::{DocumentEdit, TablePath};
use moldloft::editor::jobs::{CommandSender, Jobs};
use moldloft::editor::rules_page::{CellId, RulesPageCommand};
use moldloft::editor::{App, AppFolders, Command, Edit, EditorState, FilePick, Platform, Settings};
use moldloft::ruleset::GridId;
use moldloft::store::{AssetKind, Store, built_in_source};

struct Nobody;

impl Platform for Nobody {
    fn pick_file(&mut self, _pick: FilePick, _sender: CommandSender) {}
    fn open_externally(&mut self, _path: &std::path::Path, _sender: CommandSender) -> Result<(), String> {
        Ok(())
    }
}

/// 1920 × 1080, without a screen: the sheet has half of it.
struct Window {
    ctx: Context,
    app: App,
}

impl Window {
    fn new(store: Store) -> Self {
        let settings = Settings { games: Some(Default::default()), ..Settings::default() };
        let state = EditorState::new(store, AppFolders::default(), settings);
        Self { ctx: Context::default(), app: App::new(state, Jobs::new(|| {}), Box::new(Nobody)) }
    }

    fn frame(&mut self) -> usize {
        let screen_rect = Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(1920.0, 1080.0)));
        let mut output = self.ctx.run_ui(RawInput { screen_rect, ..RawInput::default() }, |ui| self.app.frame(ui));
        output.textures_delta.clear();
        self.ctx.tessellate(output.shapes, output.pixels_per_point).len()
    }

    fn rest(&mut self) {
        self.frame();
        while {
            self.app.jobs().wait_until_idle();
            self.app.jobs().has_results()
        } {
            self.frame();
        }
    }

    /// Another count of the first fit, or another name where nothing is fitted.
    fn edit_count(&mut self, count: i64) {
        let has_fits = self
            .app
            .state()
            .current_doc()
            .is_some_and(|doc| doc.as_design().is_some_and(|open| !open.design.fits.is_empty()));
        let step = match has_fits {
            true => DocumentEdit::set(TablePath::Fit(0), "count", count),
            false => DocumentEdit::set(TablePath::Top, "name", format!("Name {count}")),
        };
        self.app.apply(Command::Edit(Edit::single("count", step).with_merge_key("timings")));
    }
}

/// The median of some runs, in milliseconds.
fn median(mut run: impl FnMut(i64)) -> f64 {
    let mut times: Vec<f64> = (0..21)
        .map(|n| {
            let start = Instant::now();
            run(n);
            start.elapsed().as_secs_f64() * 1_000.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The longest design of each game.
fn largest() -> Vec<String> {
    let mut largest: Vec<(String, String, usize)> = Vec::new();
    for listed in Store::built_in().list_assets(AssetKind::Design) {
        let Some((game, _)) = listed.id.split_once('/') else { continue };
        let path = format!("designs/{}.toml", listed.id);
        let length = built_in_source(&path).map_or(0, |source| source.text.len());
        match largest.iter_mut().find(|(other, ..)| other == game) {
            Some(known) if known.2 >= length => {}
            Some(known) => *known = (game.to_owned(), path, length),
            None => largest.push((game.to_owned(), path, length)),
        }
    }
    largest.into_iter().map(|(_, path, _)| path).collect()
}

fn fleet_of(ships: usize) -> String {
    let classes = ["Vigilant", "Petrel", "Sirocco", "Tramontane", "Germinal", "Kasimir", "Sparrowhawk"];
    let mut text = "ruleset = \"wars-of-honor\"\nname = \"Three hundred\"\nbudget = 400000\n".to_owned();
    for n in 0..ships {
        let class = classes[n % classes.len()];
        text.push_str(&format!("\n[[ship]]\ndesign = \"{class}\"\nname = \"Ship {n}\"\nhull_number = \"X-{n}\"\n"));
    }
    text
}

fn memory_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0");
    line.split_whitespace().next().and_then(|kb| kb.parse::<f64>().ok()).unwrap_or_default() / 1_000.0
}

#[test]
#[ignore = "prints times"]
fn timings() {
    let start = Instant::now();
    let mut window = Window::new(Store::built_in());
    window.frame();
    println!("state and first frame: {:.1} ms", start.elapsed().as_secs_f64() * 1_000.0);
    for path in largest() {
        window.app.apply(Command::OpenBuiltIn(path.clone().into()));
        (0..4).for_each(|_| window.rest());
        let edit = median(|n| window.edit_count(1 + n % 2));
        let frame = median(|_| _ = window.frame());
        let picture = median(|n| {
            window.edit_count(1 + n % 2);
            window.rest();
        });
        println!("{path}: edit {edit:.2} ms, frame {frame:.2} ms, edit to picture {picture:.2} ms");
    }
    window.app.apply(Command::OpenText { text: fleet_of(300).into() });
    (0..4).for_each(|_| window.rest());
    let edit = median(|n| {
        let name = format!("Name {n}");
        let step = DocumentEdit::set(TablePath::Ship(150), "name", name);
        window.app.apply(Command::Edit(Edit::single("name", step).with_merge_key("timings")));
    });
    let frame = median(|_| _ = window.frame());
    println!("fleet of 300: edit {edit:.2} ms, frame {frame:.2} ms");
    let layer = "[ruleset]\nid = \"ours\"\ntitle = \"Ours\"\nversion = \"1\"\nschema = 1\nextends = \"wars-of-honor\"\n\
                 extends_version = \"1.0.0\"\n\n[change.system.laser]\npoints = 11\n";
    window.app.apply(Command::OpenText { text: layer.into() });
    (0..4).for_each(|_| window.rest());
    let grid = GridId { section: "system".into(), part: None };
    let cell = CellId { grid, row: "laser".into(), column: "points".into() };
    window.app.apply(Command::RulesPage(RulesPageCommand::SelectCell(cell)));
    let key = median(|n| {
        window.app.apply(Command::RulesPage(RulesPageCommand::Type((10 + n % 5).to_string())));
    });
    let frame = median(|_| _ = window.frame());
    let impact = median(|n| {
        window.app.apply(Command::RulesPage(RulesPageCommand::Type((10 + n % 5).to_string())));
        window.rest();
    });
    println!("rules page: key {key:.2} ms, frame {frame:.2} ms, key to impact {impact:.1} ms");
    println!("memory: {:.0} MB", memory_mb());
}
