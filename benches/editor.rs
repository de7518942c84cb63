//! The editor without a window: what an edit costs (text changed, read, evaluated), and what a frame costs over the largest sample of each game,
//! tessellated as a window would have it; and what it costs until the sheet's picture has followed.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use egui::{Context, RawInput, Rect, pos2, vec2};
use moldloft::design::{DocumentEdit, TablePath};
use moldloft::editor::fleet::FleetCommand;
use moldloft::editor::jobs::Jobs;
use moldloft::editor::preview::{PreviewKey, PreviewMode, RenderRequest, page_pixels, render, tiles_in_rect};
use moldloft::editor::{App, AppFolders, Command, Edit, EditorState, FilePick, Platform, Settings};
use moldloft::library::{Rulesets, catalogue, check_source, thumbnail};
use moldloft::sheet::TemplateCache;
use moldloft::store::{AssetKind, Store};

/// A system that is never asked.
struct Nobody;

impl Platform for Nobody {
    fn pick_file(&mut self, _pick: FilePick, _give: moldloft::editor::jobs::CommandSender) {}
    fn open_externally(
        &mut self,
        _path: &std::path::Path,
        _sender: moldloft::editor::jobs::CommandSender,
    ) -> Result<(), String> {
        Ok(())
    }
}

/// A window of 1360 × 860 without a screen.
struct Window {
    ctx: Context,
    app: App,
    count: i64,
}

impl Window {
    fn new(design: &str) -> Self {
        let state = EditorState::new(Store::built_in(), AppFolders::default(), Settings::default());
        let mut app = App::new(state, Jobs::new(|| {}), Box::new(Nobody));
        app.apply(Command::OpenBuiltIn(format!("designs/{design}.toml").into()));
        let mut window = Self { ctx: Context::default(), app, count: 0 };
        for _ in 0..6 {
            window.frame();
            window.app.jobs().wait_until_idle();
        }
        window
    }

    /// A fleet of so many ships of the classes there are, in turn.
    fn of_fleet(ships: usize) -> Self {
        let classes = ["Vigilant", "Petrel", "Sirocco", "Tramontane", "Germinal", "Kasimir", "Sparrowhawk"];
        let mut text = "ruleset = \"wars-of-honor\"\nname = \"Three hundred\"\nbudget = 400000\n".to_owned();
        for n in 0..ships {
            let class = classes[n % classes.len()];
            text.push_str(&format!(
                "\n[[ship]]\ndesign = \"{class}\"\nname = \"Ship {n}\"\nhull_number = \"X-{n}\"\ncaptain = \"Captain {n}\"\n"
            ));
        }
        let mut window = Self::new("star-navy/chicago");
        window.app.apply(Command::OpenText { text: text.into() });
        for _ in 0..6 {
            window.frame();
            window.app.jobs().wait_until_idle();
        }
        window
    }

    fn frame(&mut self) -> usize {
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(1360.0, 860.0))),
            ..RawInput::default()
        };
        let output = self.ctx.run_ui(input, |ui| self.app.frame(ui));
        self.ctx.tessellate(output.shapes, output.pixels_per_point).len()
    }

    /// One more, one less, of the first fit; another name where a game has none.
    fn edit(&mut self) {
        self.count = 3 - self.count.max(1);
        let has_fits =
            self.app.state().current_doc().and_then(|doc| doc.evaluation()).is_some_and(|one| !one.fits.is_empty());
        let step = if has_fits {
            DocumentEdit::set(TablePath::Fit(0), "count", self.count)
        } else {
            DocumentEdit::set(TablePath::Top, "name", format!("Name {}", self.count))
        };
        self.app.apply(Command::Edit(Edit::single("count", step).with_merge_key("bench")));
    }

    /// An edit, and frames until the picture has followed.
    fn follow(&mut self) {
        self.edit();
        self.frame();
        while {
            self.app.jobs().wait_until_idle();
            self.app.jobs().has_results()
        } {
            self.frame();
        }
    }

    /// The first page drawn whole at 96 dpi after an edit, in a thread: nothing held of the picture before.
    fn page(&mut self, shelf: &TemplateCache<'_>) -> usize {
        self.edit();
        let doc = self.app.state().current_doc().expect("a design is open");
        let ship = doc.evaluation().expect("it is evaluated").clone();
        let (paper, scale) = (moldloft::sheet::Paper::A4, 96.0 / 25.4);
        let key = PreviewKey {
            proposal: None,
            revision: doc.revision,
            unit: "".into(),
            template_generation: 0,
            view: PreviewMode::Sheet,
            page_setup: paper.into(),
            large_print: false,
            sheet: None,
        };
        let wanted = tiles_in_rect(0, page_pixels(paper.size(), scale), (0.0, 0.0, f32::MAX, f32::MAX)).collect();
        let order = RenderRequest {
            doc: doc.id,
            key,
            ship,
            previous: None,
            held_tiles: Vec::new(),
            wanted_tiles: wanted,
            scale,
            grey: false,
        };
        render(order, shelf).new_tiles.len()
    }
}

/// The longest sample of each game.
fn largest() -> Vec<(String, String)> {
    let store = Store::built_in();
    let mut largest: Vec<(String, String, usize)> = Vec::new();
    for listed in store.list_assets(AssetKind::Design) {
        let Some((game, _)) = listed.id.split_once('/') else { continue };
        let path = format!("designs/{}.toml", listed.id);
        let length = moldloft::store::built_in_source(&path).map_or(0, |source| source.text.len());
        match largest.iter_mut().find(|(other, ..)| other == game) {
            Some(known) if known.2 >= length => {}
            Some(known) => *known = (game.to_owned(), listed.id.clone(), length),
            None => largest.push((game.to_owned(), listed.id.clone(), length)),
        }
    }
    largest.into_iter().map(|(game, id, _)| (game, id)).collect()
}

fn measure(criterion: &mut Criterion) {
    for (game, design) in largest() {
        let mut window = Window::new(&design);
        let mut group = criterion.benchmark_group(format!("editor {game}"));
        group.bench_function("edit", |bencher| bencher.iter(|| window.edit()));
        window.app.jobs().wait_until_idle();
        window.frame();
        group.bench_function("frame", |bencher| bencher.iter(|| black_box(window.frame())));
        group.bench_function("edit to picture", |bencher| bencher.iter(|| window.follow()));
        let store = Store::built_in();
        let shelf = TemplateCache::new(move |ids, name| store.template(ids, name));
        group.bench_function("page at 96 dpi", |bencher| bencher.iter(|| black_box(window.page(&shelf))));
        group.finish();
    }
}

/// A fleet of three hundred ships: a name typed, a box ticked, a frame, and the picture that follows.
fn fleet(criterion: &mut Criterion) {
    let mut window = Window::of_fleet(300);
    let mut group = criterion.benchmark_group("editor fleet of 300");
    let mut n = 0;
    group.bench_function("name typed", |bencher| {
        bencher.iter(|| {
            n += 1;
            let value = format!("Name {}", n % 7);
            let step = DocumentEdit::set(TablePath::Ship(150), "name", value);
            window.app.apply(Command::Edit(Edit::single("name", step).with_merge_key("bench")));
        })
    });
    group.bench_function("name typed to frame", |bencher| {
        bencher.iter(|| {
            n += 1;
            let value = format!("Name {}", n % 7);
            let step = DocumentEdit::set(TablePath::Ship(150), "name", value);
            window.app.apply(Command::Edit(Edit::single("name", step).with_merge_key("bench")));
            black_box(window.frame())
        })
    });
    group.bench_function("box ticked", |bencher| {
        bencher.iter(|| {
            let mark = FleetCommand::ToggleBox { stem: "structure".into(), number: 1 };
            window.app.apply(Command::Fleet(mark));
            window.app.apply(Command::Undo);
        })
    });
    window.app.jobs().wait_until_idle();
    window.frame();
    group.bench_function("frame", |bencher| bencher.iter(|| black_box(window.frame())));
    group.finish();
}

/// The library: looked through for the first time, again when nothing has changed, and one small picture.
fn library(criterion: &mut Criterion) {
    let store = Store::built_in();
    let games = Rulesets::without_settings(&store);
    let all = catalogue(&store, &games, &[]);
    let mut group = criterion.benchmark_group("library");
    group.bench_function("looked through", |bencher| bencher.iter(|| black_box(catalogue(&store, &games, &[]))));
    group.bench_function("again", |bencher| bencher.iter(|| black_box(all.refresh(&store, &games, &[], 100))));
    let shelf = TemplateCache::new(|ids, name| store.template(ids, name));
    for (game, design) in largest() {
        let source = moldloft::store::built_in_source(&format!("designs/{design}.toml"));
        let Some(evaluation) = source.and_then(|source| check_source(&games, &source).evaluation) else { continue };
        group.bench_function(format!("picture {game}"), |bencher| {
            bencher.iter(|| black_box(thumbnail(&evaluation, &shelf, 134)))
        });
    }
    group.finish();
}

criterion_group!(editor, measure, fleet, library);
criterion_main!(editor);
