//! Which files of a room import one another in a circle: takes files' code by module path, gives the circles. A name that a `mod.rs` passes on
//! (`pub use child::Name`) counts as an import of the file that has it.

use std::collections::{BTreeMap, BTreeSet};

/// `["sheet", "panels", "track"]`.
pub type Module = Vec<String>;

/// The paths of a `use`, its groups written out, new names left off; with the name that each is known by.
fn spread(text: &str) -> Vec<(Vec<String>, String)> {
    let text = text.trim();
    if let Some((before, group)) = text.split_once('{') {
        let inner = group.trim_end().strip_suffix('}').unwrap_or(group);
        let (mut depth, mut start, mut all) = (0, 0, Vec::new());
        for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    let part = inner[start..at].trim();
                    start = (at + 1).min(inner.len());
                    if !part.is_empty() {
                        all.extend(spread(&format!("{before}{part}")));
                    }
                }
                _ => {}
            }
        }
        return all;
    }
    let (path, new) = text.split_once(" as ").unwrap_or((text, ""));
    let path: Vec<String> =
        path.split("::").map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect();
    let name = if new.is_empty() { path.last().cloned().unwrap_or_default() } else { new.trim().to_owned() };
    vec![(path, name)]
}

/// The statements `use …` of a file, private and public, and its code without them.
fn uses(code: &str) -> (Vec<&str>, Vec<&str>, String) {
    let (mut private, mut public, mut rest) = (Vec::new(), Vec::new(), String::new());
    let mut left = code;
    while let Some(line) = left.split_inclusive('\n').next() {
        let word = line.trim_start();
        let seen = ["pub ", "pub(crate) ", "pub(super) "].iter().find_map(|word_before| word.strip_prefix(word_before));
        if let Some(start) = seen.unwrap_or(word).strip_prefix("use ") {
            let from = line.len() - start.len();
            let end = left[from..].find(';').map_or(left.len(), |at| from + at);
            if seen.is_some() { &mut public } else { &mut private }.push(&left[from..end]);
            left = &left[(end + 1).min(left.len())..];
        } else {
            rest.push_str(line);
            left = &left[line.len()..];
        }
    }
    (private, public, rest)
}

/// Paths such as `super::pen::Pen` in code.
fn paths(code: &str) -> Vec<Vec<String>> {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let words = code.split(|c: char| !part(c)).filter(|word| word.contains("::") && !word.starts_with(':'));
    words.map(|word| word.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect()).collect()
}

struct Files {
    modules: BTreeSet<Module>,
    /// What a module passes on, by name.
    passed_on: BTreeMap<Module, BTreeMap<String, Vec<String>>>,
}

impl Files {
    /// The file that a path leads to from a module.
    fn target(&self, from: &Module, path: &[String], depth: usize) -> Option<Module> {
        let (mut at, rest): (Module, &[String]) = match path.first()?.as_str() {
            "crate" => (Vec::new(), &path[1..]),
            "self" => (from.clone(), &path[1..]),
            "super" => {
                let up = path.iter().take_while(|part| *part == "super").count();
                (from[..from.len().checked_sub(up)?].to_vec(), &path[up..])
            }
            first => {
                let mut child = from.clone();
                child.push(first.to_owned());
                if !self.modules.contains(&child) {
                    return None;
                }
                (from.clone(), path)
            }
        };
        for part in rest {
            let mut child = at.clone();
            child.push(part.clone());
            if self.modules.contains(&child) {
                at = child;
                continue;
            }
            let passed = self.passed_on.get(&at).and_then(|names| names.get(part));
            if let Some(path) = passed.filter(|_| depth < 6) {
                return self.target(&at, path, depth + 1).or(Some(at));
            }
            break;
        }
        self.modules.contains(&at).then_some(at)
    }
}

/// The circles, each sorted, in order.
pub fn circles(files: &BTreeMap<Module, String>) -> Vec<Vec<Module>> {
    let mut known = Files { modules: files.keys().cloned().collect(), passed_on: BTreeMap::new() };
    for (module, code) in files {
        let names = uses(code).1.into_iter().flat_map(spread).map(|(path, name)| (name, path)).collect();
        known.passed_on.insert(module.clone(), names);
    }
    let mut reaches: BTreeMap<&Module, BTreeSet<Module>> = BTreeMap::new();
    for (module, code) in files {
        let (private, _, rest) = uses(code);
        let named = private.into_iter().flat_map(spread).map(|(path, _)| path).chain(paths(&rest));
        let targets = named.filter_map(|path| known.target(module, &path, 0));
        let own = targets.filter(|target| target != module && target.first() == module.first());
        reaches.insert(module, own.collect());
    }
    // All that each file reaches, however far.
    loop {
        let before: usize = reaches.values().map(BTreeSet::len).sum();
        for module in files.keys() {
            let further: Vec<Module> =
                reaches[module].iter().filter_map(|next| reaches.get(next)).flatten().cloned().collect();
            reaches.get_mut(module).expect("a file").extend(further);
        }
        if reaches.values().map(BTreeSet::len).sum::<usize>() == before {
            break;
        }
    }
    let mut all: Vec<Vec<Module>> = Vec::new();
    for module in files.keys().filter(|module| reaches[module].contains(*module)) {
        if !all.iter().any(|circle| circle.contains(module)) {
            let circle =
                files.keys().filter(|other| reaches[module].contains(*other) && reaches[*other].contains(module));
            all.push(circle.cloned().collect());
        }
    }
    all
}
