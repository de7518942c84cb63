//! Every name of a ruleset with its type: what formulas may say. Takes a dotted path or a call and the place it stands in,
//! gives the slot or bound call, or what is wrong with it and the nearest name that would do.

use std::sync::Arc;

use crate::finding::nearest;
use crate::formula::{Argument, Bound, Mistake, Resolved, Scope, Type, Unknown, Value};
use crate::source::Span;

use super::calls::{Call, Calls, Filter, Kind};
use super::model::Answer;
use super::names::{About, It, Local, Name};
use super::reader::{brief, suggest};

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
        self.mount(word)
            .map(|n| vec![n])
            .ok_or_else(|| suggest(word, self.mounts.iter().map(|(id, _)| &**id).collect::<Vec<_>>().iter().copied()))
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

fn find(list: &[Typed], word: &str) -> Option<usize> {
    list.iter().position(|(known, _)| **known == *word)
}

fn resolved(words: usize, name: Name, ty: Type) -> Resolved {
    Resolved { words, slot: name.slot(), ty }
}

impl In<'_> {
    fn it(&self, path: &[&str]) -> Result<Resolved, Unknown> {
        let lexicon = self.lexicon;
        let Some(&word) = path.get(1) else {
            return Err(Unknown { word: 0, help: Some("write what of it: it.name, it.count …".to_owned()) });
        };
        let text = || Type::Text(None);
        let mut known: Vec<&str> = Vec::new();
        let words: &[(&str, It, Type)] = match &self.around.it {
            Meaning::Nothing => {
                let help = "there is no `it` here: only what stands under for_each, and attributes, have one";
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
                return Err(Unknown { word: 1, help: Some("write it.whole.NAME".to_owned()) });
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
            return Err(Unknown { word: 0, help: Some(format!("write choice.{example}.label")) });
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
            None => Err(Unknown { word: 1, help: Some(format!("write choice.{word}.label")) }),
        }
    }

    fn filter(
        &self,
        what: What,
        argument: &Argument<'_>,
        pass: &mut Vec<usize>,
        place: usize,
    ) -> Result<Filter, Mistake> {
        let wrong = |message: String, help: String, code| Mistake {
            code,
            message,
            help: (!help.is_empty()).then_some(help),
            span: argument.span,
        };
        let words: Vec<&str> = match &argument.literal {
            Some(Value::Text(text)) => vec![text],
            Some(Value::List(list)) => {
                list.iter().filter_map(|v| if let Value::Text(t) = v { Some(&**t) } else { None }).collect()
            }
            Some(_) => return Err(wrong(format!("{} is named by a text", what.word()), String::new(), "wrong-type")),
            None => {
                let fits = match &argument.ty {
                    Type::Text(_) | Type::Any => true,
                    Type::List(of) => matches!(**of, Type::Text(_) | Type::Any),
                    _ => false,
                };
                if !fits {
                    return Err(wrong(
                        format!("{} is named by a text or a list of texts", what.word()),
                        String::new(),
                        "wrong-type",
                    ));
                }
                pass.push(place);
                return Ok(Filter::Argument(pass.len() - 1));
            }
        };
        let mut only = Vec::new();
        for word in words {
            let found = match what {
                What::System => self.lexicon.systems_of(word),
                What::Mount => self.lexicon.mounts_of(word),
                What::Tag => {
                    let tags = &self.lexicon.tags;
                    tags.iter()
                        .position(|tag| **tag == *word)
                        .map(|n| vec![n])
                        .ok_or_else(|| suggest(word, tags.iter().map(|t| &**t)))
                }
            };
            match found {
                Ok(found) => only.extend(found.into_iter().map(|n| n as u32)),
                Err(help) => {
                    return Err(wrong(format!("there is no {} `{}`", what.word(), brief(word)), help, what.code()));
                }
            }
        }
        only.sort_unstable();
        only.dedup();
        Ok(Filter::Only(only))
    }

    fn aboard(&self, function: &str, arguments: &[Argument<'_>]) -> Result<Bound, Mistake> {
        let span = arguments.first().map_or(Span::default(), |a| a.span);
        let mistake = |span: Span, code: &'static str, message: String, help: String| Mistake {
            code,
            message,
            help: (!help.is_empty()).then_some(help),
            span,
        };
        let mut pass = Vec::new();
        let mut filters = [Filter::Any, Filter::Any, Filter::Any];
        let mut kind = match function {
            "count" => Kind::Count,
            "fitted" => Kind::Fitted,
            "systems" => Kind::Systems,
            _ => Kind::Total(usize::MAX),
        };
        let order: &[Option<What>] = match function {
            "count" => &[Some(What::System), Some(What::Mount)],
            "total" => &[None, Some(What::System), Some(What::Mount)],
            _ => &[Some(What::Mount)],
        };
        for (place, argument) in arguments.iter().enumerate() {
            let what = match argument.name {
                None => match order.get(place) {
                    Some(what) => *what,
                    None => {
                        let help = "the rest is named: system=, mount=, tag=".to_owned();
                        return Err(mistake(
                            argument.span,
                            "wrong-arguments",
                            format!("{function}() takes {} arguments by place", order.len()),
                            help,
                        ));
                    }
                },
                Some("system") if function != "systems" => Some(What::System),
                Some("mount") => Some(What::Mount),
                Some("tag") => Some(What::Tag),
                Some(name) => {
                    let help = suggest(name, ["system", "mount", "tag"]);
                    return Err(mistake(
                        argument.span,
                        "wrong-arguments",
                        format!("{function}() has no argument `{}`", brief(name)),
                        help,
                    ));
                }
            };
            if let Some(what) = what {
                let filter = self.filter(what, argument, &mut pass, place)?;
                let slot = &mut filters[what as usize];
                if *slot != Filter::Any {
                    return Err(mistake(
                        argument.span,
                        "wrong-arguments",
                        format!("{function}() is told the {} twice", what.word()),
                        String::new(),
                    ));
                }
                *slot = filter;
                continue;
            }
            let Some(Value::Text(word)) = &argument.literal else {
                let help = "for example total('mass')".to_owned();
                return Err(mistake(
                    argument.span,
                    "wrong-arguments",
                    "total() is told what to add up by a written-out text".to_owned(),
                    help,
                ));
            };
            let sums: Vec<&str> = self.lexicon.answers.iter().filter(|a| a.ty == Type::Int).map(|a| &*a.id).collect();
            match self.lexicon.answer(word).filter(|&n| self.lexicon.answers[n].ty == Type::Int) {
                Some(n) => kind = Kind::Total(n),
                None => {
                    let message = format!("no system has a number `{}` to add up", brief(word));
                    return Err(mistake(argument.span, "unknown-name", message, suggest(word, sums.iter().copied())));
                }
            }
        }
        if kind == Kind::Total(usize::MAX) {
            return Err(mistake(
                span,
                "wrong-arguments",
                "total() needs to know what to add up: total('mass')".to_owned(),
                String::new(),
            ));
        }
        let [system, mount, tag] = filters;
        let ty = match kind {
            Kind::Fitted => Type::Any,
            Kind::Systems => Type::List(Box::new(Type::Text(None))),
            _ => Type::Int,
        };
        self.bound(Call { kind, system, mount, tag }, pass, ty, span)
    }

    fn bound(&self, call: Call, pass: Vec<usize>, ty: Type, span: Span) -> Result<Bound, Mistake> {
        match self.lexicon.calls.add(call) {
            Some(call) => Ok(Bound { call, pass, ty }),
            None => Err(Mistake {
                code: "too-large",
                message: "too many different calls in one ruleset".to_owned(),
                help: None,
                span,
            }),
        }
    }

    fn look_up(&self, function: &str, arguments: &[Argument<'_>]) -> Result<Bound, Mistake> {
        let span = arguments.first().map_or(Span::default(), |a| a.span);
        let mistake = |span: Span, code: &'static str, message: String, help: String| Mistake {
            code,
            message,
            help: (!help.is_empty()).then_some(help),
            span,
        };
        if let Some(argument) = arguments.iter().find(|a| a.name.is_some()) {
            return Err(mistake(
                argument.span,
                "wrong-arguments",
                format!("{function}() takes its arguments by place"),
                String::new(),
            ));
        }
        let Some(Value::Text(id)) = arguments.first().and_then(|a| a.literal.as_ref()) else {
            return Err(mistake(
                span,
                "wrong-arguments",
                format!("{function}() begins with the written-out id of a table"),
                String::new(),
            ));
        };
        let tables = &self.lexicon.tables;
        let Some(number) = tables.iter().position(|table| table.id == *id) else {
            let help = suggest(id, tables.iter().map(|t| &*t.id));
            return Err(mistake(span, "unknown-name", format!("there is no table `{}`", brief(id)), help));
        };
        let table = &tables[number];
        let kind = if function == "row" {
            if table.key.is_empty() || arguments.len() != table.key.len() + 1 {
                let names: Vec<_> = table.key.iter().map(|&n| &*table.columns[n].0).collect();
                let message = match names.len() {
                    0 => format!("table `{id}` has no `key` to look in"),
                    _ => format!("table `{id}` is looked up by {}", names.join(" and ")),
                };
                return Err(mistake(span, "wrong-arguments", message, String::new()));
            }
            // What can be known now must be there: written-out keys, and every word a choice's attribute can hold.
            for (place, argument) in arguments[1..].iter().enumerate() {
                let words: Vec<Value> = match (&argument.literal, &argument.ty) {
                    (Some(value), _) => vec![value.clone()],
                    (None, Type::Text(Some(words))) => words.iter().map(|word| Value::Text(word.clone())).collect(),
                    _ => Vec::new(),
                };
                for word in words {
                    if !table.keys.iter().any(|key| key[place] == word) {
                        let shown = match &word {
                            Value::Text(text) => brief(text),
                            Value::Int(number) => number.to_string(),
                            _ => "…".to_owned(),
                        };
                        let known: Vec<&str> = table
                            .keys
                            .iter()
                            .filter_map(|key| if let Value::Text(t) = &key[place] { Some(&**t) } else { None })
                            .collect();
                        let help = suggest(&shown, known.iter().copied());
                        return Err(mistake(
                            argument.span,
                            "unknown-row",
                            format!("table `{id}` has no row `{shown}`"),
                            help,
                        ));
                    }
                }
            }
            Kind::Row(number)
        } else {
            let [_, column, reach] = arguments else {
                return Err(mistake(
                    span,
                    "wrong-arguments",
                    "step() is written step('table', 'column', number)".to_owned(),
                    String::new(),
                ));
            };
            if !matches!(reach.ty, Type::Int | Type::Any) {
                return Err(mistake(reach.span, "wrong-type", "step() looks for a number".to_owned(), String::new()));
            }
            let known = || table.columns.iter().map(|(id, _)| &**id);
            match &column.literal {
                Some(Value::Text(word)) => {
                    match find(&table.columns, word).filter(|&n| table.columns[n].1 == Type::Int) {
                        Some(n) => Kind::Step(number, n),
                        None => {
                            let help = suggest(word, known());
                            return Err(mistake(
                                column.span,
                                "unknown-column",
                                format!("table `{id}` has no column of numbers `{}`", brief(word)),
                                help,
                            ));
                        }
                    }
                }
                _ => {
                    return Err(mistake(
                        column.span,
                        "wrong-arguments",
                        "step() is told its column by a written-out text".to_owned(),
                        String::new(),
                    ));
                }
            }
        };
        let pass = if function == "row" { (1..arguments.len()).collect() } else { vec![2] };
        let call = Call { kind, system: Filter::Any, mount: Filter::Any, tag: Filter::Any };
        self.bound(call, pass, table.record.clone(), span)
    }
}

#[derive(Clone, Copy)]
enum What {
    System = 0,
    Mount = 1,
    Tag = 2,
}

impl What {
    fn word(self) -> &'static str {
        ["system", "mount", "tag"][self as usize]
    }
    fn code(self) -> &'static str {
        ["unknown-system", "unknown-mount", "unknown-tag"][self as usize]
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
        if let Some(n) = lexicon.fields.iter().position(|(id, _, _)| **id == *first) {
            return Ok(resolved(1, Name::Field(n), lexicon.fields[n].1.clone()));
        }
        if let Some(n) = lexicon.settings.iter().position(|(id, _, _)| **id == *first) {
            return Ok(resolved(1, Name::Setting(n), lexicon.settings[n].1.clone()));
        }
        if let Some(n) = find(&lexicon.values, first) {
            return Ok(resolved(1, Name::Value(n), lexicon.values[n].1.clone()));
        }
        if let Some(n) = lexicon.relations.iter().position(|id| **id == *first) {
            return Ok(resolved(1, Name::Relation(n), Type::Int));
        }
        let about = |(_, about): &&(&str, About)| self.around.page || !matches!(about, About::Legal | About::Assumed);
        let whole = match path.get(1) {
            Some(second) => format!("{first}.{second}"),
            None => String::new(),
        };
        if let Some((word, about)) = About::ALL.iter().filter(about).find(|(word, _)| *word == first || *word == whole)
        {
            let ty = match about {
                About::ShipCount => Type::Int,
                About::Legal => Type::Flag,
                _ => Type::Text(None),
            };
            return Ok(resolved(if *word == first { 1 } else { 2 }, Name::About(*about), ty));
        }
        if first == "ship" || first == "ruleset" {
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
        match function {
            "count" | "total" | "fitted" | "systems" => Some(self.aboard(function, arguments)),
            "row" | "step" => Some(self.look_up(function, arguments)),
            _ => None,
        }
    }

    fn functions(&self) -> Vec<String> {
        ["count", "total", "fitted", "systems", "row", "step"].map(str::to_owned).to_vec()
    }
}
