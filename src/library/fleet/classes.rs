//! The classes that a fleet names: takes what the file says, gives designs, each read once, or why there is none. Never reads outside the
//! bounds that `store` sets, and never shows a line of a file that is no design.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::design::fleet::Fleet;
use crate::design::{Design, Word};
use crate::finding::{Finding, nearest};
use crate::library::fold::fold;
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
    /// The files that may hold a class called by name, each with its design once it was read.
    files: Option<Vec<(Named, Option<Arc<Class>>)>>,
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
        Self { store, fleet, lies, rules, known: BTreeMap::new(), before, read: Vec::new(), files: None }
    }

    /// Every class that was read from a file.
    pub fn read(self) -> Vec<Arc<Class>> {
        let files = self.files.into_iter().flatten().filter_map(|(_, class)| class);
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
        if let Some(n) = self.embedded(word) {
            return Ok(Arc::new(Class { design: self.fleet.designs[n].clone(), from: ClassFrom::Embedded(n) }));
        }
        if word.to_lowercase().ends_with(".toml") {
            let named =
                self.store.beside_fleet(&self.lies.path, self.lies.built_in, word).map_err(|finding| vec![finding])?;
            let found = read(&named, &self.before);
            self.read.extend(found.iter().cloned());
            return match found {
                Err(finding) if finding.at.file.is_none() => Err(vec![not_a_design(word)]),
                read => read.map_err(|finding| vec![finding]),
            };
        }
        self.by_name(word)
    }

    fn embedded(&self, name: &str) -> Option<usize> {
        let wanted = fold(name.trim());
        self.fleet
            .designs
            .iter()
            .position(|design| design.name.as_ref().is_some_and(|word| fold(word.text.trim()) == wanted))
    }

    fn by_name(&mut self, name: &str) -> Result {
        let ids: Vec<&str> = self.rules.templates.iter().map(|id| &**id).collect();
        let (store, lies, before) = (self.store, self.lies, &self.before);
        let files = self.files.get_or_insert_with(|| {
            let files = store.classes(&lies.path, lies.built_in, &ids).into_iter();
            // A file that is no design is passed over: nobody said it were one.
            files
                .map(|named| {
                    let class = read(&named, before).ok();
                    (named, class)
                })
                .collect()
        });
        let wanted = fold(name.trim());
        let slug = super::roll::slug(name);
        let class_name = |class: &Arc<Class>| class.design.name.as_ref().map(|word| word.text.trim().to_owned());
        let stem = |named: &Named| named.path.file_stem().map(|stem| fold(&stem.to_string_lossy()));
        let follows = |class: &Arc<Class>| class.design.ruleset.as_ref().is_some_and(|word| ids.contains(&&*word.text));
        let suiting = || {
            files.iter().filter_map(|(named, class)| Some((named, class.as_ref()?))).filter(|(_, class)| follows(class))
        };
        let by_name = suiting().find(|(_, class)| class_name(class).is_some_and(|name| fold(&name) == wanted));
        let found = by_name
            .or_else(|| suiting().find(|(named, _)| stem(named).is_some_and(|stem| stem == wanted || stem == slug)));
        if let Some((_, class)) = found {
            return Ok(Arc::clone(class));
        }
        let own = self.fleet.designs.iter().filter_map(|design| Some(design.name.as_ref()?.text.trim().to_owned()));
        let known: Vec<String> = own.chain(suiting().filter_map(|(_, class)| class_name(class))).collect();
        let shown: String = name.chars().take(60).collect();
        let help = match nearest(name, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "write the name of a class, or a path that ends in .toml, such as ../vigilant.toml".to_owned(),
        };
        Err(vec![Finding::error("missing-design", format!("there is no class `{shown}` for this game")).help(help)])
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
        let message = format!("{} follows the rules {}, the fleet {}", short(name), short(&word.text), short(fleet));
        Err(vec![Finding::error("mixed-rulesets", message).help("put ships of another game into a fleet of their own")])
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
    Finding::error("missing-design", format!("{what} is no design that can be read"))
        .help("`moldloft check` of that file says what is wrong with it")
}
