//! The classes that a fleet names: takes what the file says, gives designs, each read once, or why there is none. Never reads outside the
//! bounds that `store` sets, and never shows a line of a file that is no design.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::cleaning::fold;
use crate::design::fleet::Fleet;
use crate::design::{Design, Word};
use crate::finding::{Finding, Findings, nearest};
use crate::ruleset::Ruleset;
use crate::store::{Named, Store};

use super::{Class, ClassFrom, Lies};

/// What a word of the fleet stands for.
type Result = std::result::Result<Arc<Class>, Vec<Finding>>;

pub(super) struct Classes<'a> {
    store: &'a Store,
    fleet: &'a Fleet,
    lies: &'a Lies,
    rules: &'a Ruleset,
    known: BTreeMap<String, Result>,
    /// Classes read before.
    before: BTreeMap<&'a ClassFrom, &'a Arc<Class>>,
    read: Vec<Arc<Class>>,
    /// The fleet's own designs by their names as they are compared, the first of each name.
    own: BTreeMap<String, usize>,
    /// Those that were asked for, by their place.
    embedded: BTreeMap<usize, Arc<Class>>,
    /// The files that may hold a class called by name, each with its design once it was read.
    files: Option<Files>,
    /// Classes that are not there, so far.
    missing: usize,
}

/// The classes of files that suit the fleet's game.
#[derive(Default)]
struct Files {
    /// Every one that was read.
    read: Vec<Arc<Class>>,
    by_name: BTreeMap<String, Arc<Class>>,
    by_stem: BTreeMap<String, Arc<Class>>,
    /// What they are called, the fleet's own first: what a misspelt word may mean.
    names: Vec<String>,
}

impl<'a> Classes<'a> {
    pub fn new(
        store: &'a Store,
        fleet: &'a Fleet,
        lies: &'a Lies,
        rules: &'a Ruleset,
        before: &'a [Arc<Class>],
    ) -> Self {
        let before = before.iter().map(|class| (&class.from, class)).collect();
        let mut own = BTreeMap::new();
        for (n, name) in fleet.designs.iter().enumerate().filter_map(|(n, design)| Some((n, design.name.as_ref()?))) {
            own.entry(fold(name.text.trim())).or_insert(n);
        }
        Self {
            store,
            fleet,
            lies,
            rules,
            known: BTreeMap::new(),
            before,
            read: Vec::new(),
            own,
            embedded: BTreeMap::new(),
            files: None,
            missing: 0,
        }
    }

    /// Every class that was read from a file.
    pub fn read(self) -> Vec<Arc<Class>> {
        let files = self.files.into_iter().flat_map(|files| files.read);
        self.read.into_iter().chain(files).collect()
    }

    /// The class that a word means; findings stand at the word.
    pub fn get(&mut self, word: &Word) -> Result {
        let key = word.text.trim().to_owned();
        if let Some(known) = self.known.get(&key) {
            return known.clone().map_err(|findings| self.at(findings, word));
        }
        let found = self.find(&key).and_then(|class| self.suits(class));
        self.known.insert(key, found.clone());
        found.map_err(|findings| self.at(findings, word))
    }

    /// Findings without a place stand where the fleet names the class.
    fn at(&self, findings: Vec<Finding>, word: &Word) -> Vec<Finding> {
        let place = |finding: Finding| match finding.at.file {
            Some(_) => finding,
            None => finding.at(self.fleet.source.shown(word.span)),
        };
        findings.into_iter().map(place).collect()
    }

    fn find(&mut self, word: &str) -> Result {
        if let Some(&n) = self.own.get(&fold(word)) {
            let fleet = self.fleet;
            let made = || Arc::new(Class { design: fleet.designs[n].clone(), from: ClassFrom::Embedded(n) });
            return Ok(self.embedded.entry(n).or_insert_with(made).clone());
        }
        if word.to_lowercase().ends_with(".toml") {
            let named = match self.store.beside_fleet(&self.lies.path, self.lies.built_in, word) {
                Ok(named) => named,
                Err(finding) => return Err(vec![self.near_path(finding, word)]),
            };
            let found = read(&named, &self.before);
            self.read.extend(found.iter().cloned());
            return match found {
                Err(finding) if finding.at.file.is_none() => Err(vec![not_a_design(word)]),
                read => read.map_err(|finding| vec![finding]),
            };
        }
        self.by_name(word)
    }

    /// A path that is not there, with the one that may be meant.
    fn near_path(&mut self, mut finding: Finding, word: &str) -> Finding {
        self.missing += 1;
        if finding.code == "missing-design" && self.missing <= Findings::MOST {
            let near = self.store.near_beside(&self.lies.path, self.lies.built_in, word);
            finding.help = near.map(|near| format!("did you mean `{near}`?")).or(finding.help);
        }
        finding
    }

    fn by_name(&mut self, name: &str) -> Result {
        if self.files.is_none() {
            self.files = Some(self.look_up());
        }
        let files = self.files.get_or_insert_default();
        let wanted = fold(name.trim());
        let by_stem = || files.by_stem.get(&wanted).or_else(|| files.by_stem.get(&super::roll::key_word(name)));
        if let Some(class) = files.by_name.get(&wanted).or_else(by_stem) {
            return Ok(Arc::clone(class));
        }
        self.missing += 1;
        // What nobody reads to its end need not be guessed at.
        let near =
            if self.missing > Findings::MOST { None } else { nearest(name, files.names.iter().map(String::as_str)) };
        let shown: String = name.chars().take(60).collect();
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => "use the name of a class, or a path that ends in .toml, such as ../vigilant.toml".to_owned(),
        };
        Err(vec![Finding::error("missing-design", format!("unknown class `{shown}` for this game")).help(help)])
    }

    /// The files that may hold a class called by name; one that is no design is passed over: nobody said it were one.
    fn look_up(&self) -> Files {
        let ids: Vec<&str> = self.rules.templates.iter().map(|id| &**id).collect();
        let mut files = Files::default();
        let own = self.fleet.designs.iter().filter_map(|design| Some(design.name.as_ref()?.text.trim().to_owned()));
        files.names.extend(own);
        for named in self.store.classes(&self.lies.path, self.lies.built_in, &ids) {
            let Ok(class) = read(&named, &self.before) else { continue };
            files.read.push(class.clone());
            if class.design.ruleset.as_ref().is_none_or(|word| !ids.contains(&&*word.text)) {
                continue;
            }
            if let Some(name) = class.design.name.as_ref().map(|word| word.text.trim()) {
                files.by_name.entry(fold(name)).or_insert_with(|| class.clone());
                files.names.push(name.to_owned());
            }
            if let Some(stem) = named.path.file_stem() {
                files.by_stem.entry(fold(&stem.to_string_lossy())).or_insert(class);
            }
        }
        files
    }

    /// That the class follows the fleet's rules.
    fn suits(&self, class: Arc<Class>) -> Result {
        let Some(word) = &class.design.ruleset else { return Ok(class) };
        let fleet = self.fleet.ruleset.as_ref().map_or("", |word| &word.text);
        if *word.text == *fleet || self.rules.templates.contains(&word.text) {
            return Ok(class);
        }
        let name = class.design.name.as_ref().map_or("this design", |name| &name.text);
        let short = |text: &str| text.chars().take(60).collect::<String>();
        let message = format!("{} uses the ruleset {}, the fleet {}", short(name), short(&word.text), short(fleet));
        Err(vec![Finding::error("mixed-rulesets", message).help("move ships of another game to a separate fleet")])
    }
}

/// Reads a design's file; nothing of what another file holds is kept. One that holds what it held before is not parsed again.
fn read(named: &Named, before: &BTreeMap<&ClassFrom, &Arc<Class>>) -> std::result::Result<Arc<Class>, Finding> {
    let source = named.read()?;
    let path = named.path.clone();
    let from = if named.built_in { ClassFrom::BuiltIn(path) } else { ClassFrom::File(path) };
    let same =
        |class: &&&Arc<Class>| class.design.source.text == source.text && class.design.source.file == source.file;
    if let Some(known) = before.get(&from).filter(same) {
        return Ok(Arc::clone(known));
    }
    let design = Design::read(&source).map_err(|_| not_a_design("it"))?;
    Ok(Arc::new(Class { design, from }))
}

fn not_a_design(what: &str) -> Finding {
    let what: String = what.chars().take(120).collect();
    Finding::error("missing-design", format!("cannot read {what} as a design"))
        .help("run `moldloft check` on that file")
}
