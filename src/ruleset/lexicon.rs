//! Every name of a ruleset with its type: what formulas may say. Takes a dotted path or a call and the place it stands in,
//! gives the slot or bound call, or what is wrong with it and the nearest name that would do.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::finding::nearest;
use crate::formula::{Argument, Bound, Mistake, Resolved, Scope, Type, Unknown, Value};

use super::calls::Calls;
use super::model::Answer;
use super::names::{ASKED, About, It, Local, Name};
use super::reader::suggest;

/// A word with its type.
pub(crate) type Typed = (Arc<str>, Type);

/// All names of a ruleset.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lexicon {
    /// Fields; choices with what their options answer after `label`.
    pub fields: Vec<(Arc<str>, Type, Option<Vec<Typed>>)>,
    pub settings: Vec<(Arc<str>, Type, Option<Vec<Typed>>)>,
    pub values: Vec<Typed>,
    pub relations: Vec<Arc<str>>,
    /// Columns of each field; empty unless it is of rows.
    pub columns: Vec<Vec<Typed>>,
    pub answers: Vec<Answer>,
    pub mounts: Vec<(Arc<str>, Arc<[Arc<str>]>)>,
    pub systems: Vec<SystemName>,
    /// Every tag that a system bears.
    pub tags: Vec<Arc<str>>,
    pub tables: Vec<TableName>,
    pub calls: Calls,
    /// Fields, settings, values and relations by name, once all are known.
    pub index: BTreeMap<Arc<str>, Name>,
}

/// What formulas may know of a system.
#[derive(Clone, Debug)]
pub(crate) struct SystemName {
    pub id: Arc<str>,
    pub tags: Arc<[Arc<str>]>,
    /// Answer numbers of its parameters.
    pub parameters: Vec<usize>,
}

/// What formulas may know of a table.
#[derive(Clone, Debug)]
pub(crate) struct TableName {
    pub id: Arc<str>,
    pub columns: Vec<Typed>,
    pub record: Type,
    pub key: Vec<usize>,
    /// The key words of each row.
    pub keys: Vec<Vec<Value>>,
}

/// What stands around a formula.
#[derive(Clone, Debug, Default)]
pub(crate) struct Around {
    pub it: Meaning,
    pub locals: &'static [Local],
    pub group: Vec<Typed>,
    pub data: Vec<Typed>,
    /// Within a template: page, pages, legal and the like are known.
    pub page: bool,
}

/// What `it` is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Meaning {
    #[default]
    Nothing,
    /// A fit of one of these systems; `None`: any.
    Fit(Option<Vec<usize>>),
    /// All fits of one of these systems.
    System(Option<Vec<usize>>),
    /// The fit whose attribute is being computed.
    Own(usize),
    Mount,
    /// A row of a field.
    Row(usize),
    /// A row of a table.
    TableRow(usize),
    Track,
}

/// A lexicon as seen from one place.
pub(crate) struct In<'l> {
    pub lexicon: &'l Lexicon,
    pub around: &'l Around,
}

impl Lexicon {
    /// Makes the index; of a name that is taken twice (which is reported) the first thing keeps it.
    pub(crate) fn index(&mut self) {
        let fields = self.fields.iter().enumerate().map(|(n, (id, _, _))| (id, Name::Field(n)));
        let settings = self.settings.iter().enumerate().map(|(n, (id, _, _))| (id, Name::Setting(n)));
        let values = self.values.iter().enumerate().map(|(n, (id, _))| (id, Name::Value(n)));
        let relations = self.relations.iter().enumerate().map(|(n, id)| (id, Name::Relation(n)));
        for (id, name) in fields.chain(settings).chain(values).chain(relations) {
            self.index.entry(id.clone()).or_insert(name);
        }
    }

    pub(crate) fn field(&self, id: &str) -> Option<usize> {
        match self.index.get(id) {
            Some(Name::Field(n)) => Some(*n),
            _ => None,
        }
    }

    pub(crate) fn mount(&self, id: &str) -> Option<usize> {
        self.mounts.iter().position(|(known, _)| **known == *id)
    }

    pub(crate) fn system(&self, id: &str) -> Option<usize> {
        self.systems.iter().position(|known| *known.id == *id)
    }

    pub(crate) fn answer(&self, id: &str) -> Option<usize> {
        self.answers.iter().position(|known| *known.id == *id)
    }

    /// The systems a word means: an id, or `#tag`.
    pub(crate) fn systems_of(&self, word: &str) -> Result<Vec<usize>, String> {
        if let Some(tag) = word.strip_prefix('#') {
            let found: Vec<_> =
                (0..self.systems.len()).filter(|&n| self.systems[n].tags.iter().any(|t| **t == *tag)).collect();
            return if found.is_empty() { Err(suggest(tag, self.tags.iter().map(|t| &**t))) } else { Ok(found) };
        }
        self.system(word)
            .map(|n| vec![n])
            .ok_or_else(|| suggest(word, self.systems.iter().map(|s| &*s.id).collect::<Vec<_>>().iter().copied()))
    }

    /// The mounts a word means: an id, or `#tag`.
    pub(crate) fn mounts_of(&self, word: &str) -> Result<Vec<usize>, String> {
        if let Some(tag) = word.strip_prefix('#') {
            let found: Vec<_> =
                (0..self.mounts.len()).filter(|&n| self.mounts[n].1.iter().any(|t| **t == *tag)).collect();
            let known: Vec<&str> = self.mounts.iter().flat_map(|(_, tags)| tags.iter().map(|t| &**t)).collect();
            return if found.is_empty() { Err(suggest(tag, known.iter().copied())) } else { Ok(found) };
        }
        self.mount(word).map(|n| vec![n]).ok_or_else(|| {
            let mut known: Vec<String> = self.mounts.iter().map(|(id, _)| id.to_string()).collect();
            for tag in self.mounts.iter().flat_map(|(_, tags)| tags.iter()) {
                if !known.iter().any(|word| word.strip_prefix('#') == Some(tag)) {
                    known.push(format!("#{tag}"));
                }
            }
            suggest(word, known.iter().map(String::as_str))
        })
    }

    fn mount_words(&self) -> Type {
        Type::Text(Some(self.mounts.iter().map(|(id, _)| id.clone()).collect()))
    }

    fn system_words(&self) -> Type {
        Type::Text(Some(self.systems.iter().map(|system| system.id.clone()).collect()))
    }

    fn tag_words(&self) -> Type {
        Type::List(Box::new(Type::Text(Some(self.tags.iter().cloned().collect()))))
    }

    fn mount_tag_words(&self) -> Type {
        let mut tags: Vec<Arc<str>> = Vec::new();
        for tag in self.mounts.iter().flat_map(|(_, tags)| tags.iter()) {
            if !tags.contains(tag) {
                tags.push(tag.clone());
            }
        }
        Type::List(Box::new(Type::Text(Some(tags.into()))))
    }
}

pub(super) fn find(list: &[Typed], word: &str) -> Option<usize> {
    list.iter().position(|(known, _)| **known == *word)
}

fn resolved(words: usize, name: Name, ty: Type) -> Resolved {
    Resolved { words, slot: name.slot(), ty }
}

impl In<'_> {
    fn it(&self, path: &[&str]) -> Result<Resolved, Unknown> {
        let lexicon = self.lexicon;
        let Some(&word) = path.get(1) else {
            return Err(Unknown { word: 0, help: Some("add what to read: it.name, it.count …".to_owned()) });
        };
        let text = || Type::Text(None);
        let mut known: Vec<&str> = Vec::new();
        let words: &[(&str, It, Type)] = match &self.around.it {
            Meaning::Nothing => {
                let help = "`it` is available only under for_each and in attributes";
                return Err(Unknown { word: 0, help: Some(help.to_owned()) });
            }
            Meaning::Fit(_) | Meaning::Own(_) => &[
                ("system", It::System, lexicon.system_words()),
                ("id", It::Id, lexicon.system_words()),
                ("mount", It::Mount, lexicon.mount_words()),
                ("mount_label", It::MountLabel, text()),
                ("count", It::Count, Type::Int),
                ("name", It::Name, text()),
                ("abbr", It::Abbr, text()),
                ("tags", It::Tags, lexicon.tag_words()),
            ],
            Meaning::System(_) => &[
                ("system", It::System, lexicon.system_words()),
                ("id", It::Id, lexicon.system_words()),
                ("count", It::Count, Type::Int),
                ("name", It::Name, text()),
                ("abbr", It::Abbr, text()),
                ("tags", It::Tags, lexicon.tag_words()),
            ],
            Meaning::Mount => &[
                ("id", It::Id, lexicon.mount_words()),
                ("label", It::Label, text()),
                ("name", It::Name, text()),
                ("tags", It::Tags, lexicon.mount_tag_words()),
                ("count", It::Count, Type::Int),
                ("mirror", It::Mirror, lexicon.mount_words()),
                ("mirror_label", It::MirrorLabel, text()),
            ],
            Meaning::Track => &[
                ("id", It::Id, text()),
                ("track", It::Track, text()),
                ("label", It::Label, text()),
                ("badge", It::Badge, text()),
                ("boxes", It::Boxes, Type::Int),
                ("mount", It::Mount, text()),
            ],
            Meaning::Row(field) => return self.column(word, &lexicon.columns[*field]),
            Meaning::TableRow(table) => return self.column(word, &lexicon.tables[*table].columns),
        };
        if let Some((_, it, ty)) = words.iter().find(|(known, _, _)| *known == word) {
            return Ok(resolved(2, Name::It(*it), ty.clone()));
        }
        known.extend(words.iter().map(|(word, _, _)| *word));
        let systems: Option<&[usize]> = match &self.around.it {
            Meaning::Fit(systems) | Meaning::System(systems) => systems.as_deref(),
            Meaning::Own(system) => Some(std::slice::from_ref(system)),
            _ => {
                return Err(Unknown { word: 1, help: Some(suggest(word, known.iter().copied())) });
            }
        };
        let has = |answer: usize| match systems {
            _ if lexicon.answers[answer].default.is_some() => true,
            None => true,
            Some(systems) => systems.iter().any(|&system| lexicon.systems[system].parameters.contains(&answer)),
        };
        let answers: Vec<&str> =
            (0..lexicon.answers.len()).filter(|&n| has(n)).map(|n| &*lexicon.answers[n].id).collect();
        if word == "whole" {
            let Some(&word) = path.get(2) else {
                return Err(Unknown { word: 1, help: Some("use it.whole.NAME".to_owned()) });
            };
            return match lexicon.answer(word).filter(|&n| has(n) && lexicon.answers[n].ty == Type::Int) {
                Some(n) => Ok(resolved(3, Name::Whole(n), Type::Int)),
                None => Err(Unknown { word: 2, help: Some(suggest(word, answers.iter().copied())) }),
            };
        }
        match lexicon.answer(word).filter(|&n| has(n)) {
            Some(n) => Ok(resolved(2, Name::Answer(n), lexicon.answers[n].ty.clone())),
            None => {
                known.push("whole");
                known.extend(answers);
                Err(Unknown { word: 1, help: Some(suggest(word, known.iter().copied())) })
            }
        }
    }

    fn column(&self, word: &str, columns: &[Typed]) -> Result<Resolved, Unknown> {
        match find(columns, word) {
            Some(n) => Ok(resolved(2, Name::Column(n), columns[n].1.clone())),
            None => Err(Unknown { word: 1, help: Some(suggest(word, columns.iter().map(|(id, _)| &**id))) }),
        }
    }

    fn choice(&self, path: &[&str]) -> Result<Resolved, Unknown> {
        let lexicon = self.lexicon;
        let all: Vec<_> =
            lexicon.fields.iter().chain(&lexicon.settings).filter(|(_, _, choice)| choice.is_some()).collect();
        let ids = || all.iter().map(|(id, _, _)| &**id).collect::<Vec<_>>();
        let Some(&word) = path.get(1) else {
            let example = ids().first().map_or("FIELD", |id| *id).to_owned();
            return Err(Unknown { word: 0, help: Some(format!("use choice.{example}.label")) });
        };
        let place = |list: &[(Arc<str>, Type, Option<Vec<Typed>>)]| {
            list.iter().position(|(id, _, choice)| **id == *word && choice.is_some())
        };
        let (attributes, name): (&[Typed], &dyn Fn(usize) -> Name) = if let Some(n) = place(&lexicon.fields) {
            (lexicon.fields[n].2.as_deref().unwrap_or_default(), &move |a| Name::FieldOption(n, a))
        } else if let Some(n) = place(&lexicon.settings) {
            (lexicon.settings[n].2.as_deref().unwrap_or_default(), &move |a| Name::SettingOption(n, a))
        } else {
            return Err(Unknown { word: 1, help: Some(suggest(word, ids().iter().copied())) });
        };
        match path.get(2) {
            Some(&"label") => Ok(resolved(3, name(0), Type::Text(None))),
            Some(&attribute) => match find(attributes, attribute) {
                Some(n) => Ok(resolved(3, name(n + 1), attributes[n].1.clone())),
                None => {
                    let known: Vec<&str> =
                        std::iter::once("label").chain(attributes.iter().map(|(id, _)| &**id)).collect();
                    Err(Unknown { word: 2, help: Some(suggest(attribute, known.iter().copied())) })
                }
            },
            None => Err(Unknown { word: 1, help: Some(format!("use choice.{word}.label")) }),
        }
    }
}

impl Scope for In<'_> {
    fn resolve(&self, path: &[&str]) -> Result<Resolved, Unknown> {
        let lexicon = self.lexicon;
        let Some(&first) = path.first() else { return Err(Unknown { word: 0, help: None }) };
        match first {
            "it" => return self.it(path),
            "choice" => return self.choice(path),
            "group" if !self.around.group.is_empty() => {
                let word = path.get(1).copied().unwrap_or_default();
                return match find(&self.around.group, word) {
                    Some(n) => Ok(resolved(2, Name::Group(n), self.around.group[n].1.clone())),
                    None => Err(Unknown {
                        word: path.len().min(2) - 1,
                        help: Some(suggest(word, self.around.group.iter().map(|(id, _)| &**id))),
                    }),
                };
            }
            _ => {}
        }
        if let Some(n) = find(&self.around.data, first) {
            return Ok(resolved(1, Name::Data(n), self.around.data[n].1.clone()));
        }
        let page = if self.around.page { &[Local::Page, Local::Pages, Local::Row, Local::Column][..] } else { &[] };
        if let Some((_, local)) = Local::ALL
            .iter()
            .find(|(word, local)| *word == first && (self.around.locals.contains(local) || page.contains(local)))
        {
            return Ok(resolved(1, Name::Local(*local), Type::Int));
        }
        if let Some(&name) = lexicon.index.get(first) {
            let ty = match name {
                Name::Field(n) => lexicon.fields[n].1.clone(),
                Name::Setting(n) => lexicon.settings[n].1.clone(),
                Name::Value(n) => lexicon.values[n].1.clone(),
                _ => Type::Int,
            };
            return Ok(resolved(1, name, ty));
        }
        let judged =
            |about: &About| matches!(about, About::Legal | About::Verdict | About::Assumed) || about.is_of_fleet();
        let about = |(_, about): &&(&str, About)| self.around.page || !judged(about);
        let whole = match path.get(1) {
            Some(second) => format!("{first}.{second}"),
            None => String::new(),
        };
        if let Some((word, about)) = About::ALL.iter().filter(about).find(|(word, _)| *word == first || *word == whole)
        {
            let ty = match about {
                About::ShipCount
                | About::FleetBudget
                | About::FleetPoints
                | About::FleetLeft
                | About::FleetShips
                | About::FleetUnits
                | About::FleetLeftOut => Type::Int,
                About::Legal => Type::Flag,
                _ => Type::Text(None),
            };
            return Ok(resolved(if *word == first { 1 } else { 2 }, Name::About(*about), ty));
        }
        if first == "ship" || first == "ruleset" || first == "fleet" && self.around.page {
            let known: Vec<&str> =
                About::ALL.iter().filter_map(|(word, _)| word.strip_prefix(first)?.strip_prefix('.')).collect();
            let second = path.get(1).copied().unwrap_or_default();
            return Err(Unknown { word: path.len().min(2) - 1, help: Some(suggest(second, known.iter().copied())) });
        }
        let locals = Local::ALL.iter().filter(|(_, local)| self.around.locals.contains(local)).map(|(word, _)| *word);
        let known: Vec<&str> = (lexicon.fields.iter().chain(&lexicon.settings).map(|(id, _, _)| &**id))
            .chain(lexicon.values.iter().chain(&self.around.data).map(|(id, _)| &**id))
            .chain(lexicon.relations.iter().map(|id| &**id))
            .chain(About::ALL.iter().filter(about).map(|(word, _)| *word))
            .chain(locals)
            .chain(["it", "choice"])
            .collect();
        let help = nearest(first, known.iter().copied()).map(|near| format!("did you mean `{near}`?"));
        Err(Unknown { word: 0, help })
    }

    fn call(&self, function: &str, arguments: &[Argument<'_>]) -> Option<Result<Bound, Mistake>> {
        let asked = ASKED.iter().find(|asked| asked.name == function)?;
        Some(if asked.looks_up { self.look_up(function, arguments) } else { self.aboard(function, arguments) })
    }

    fn functions(&self) -> Vec<String> {
        ASKED.iter().map(|asked| asked.name.to_owned()).collect()
    }
}
