//! Tells readers what a form's pages are made of, for people who have them read aloud: takes what a page's streams mark and the places of its
//! fields, gives the file's tree of headings, paragraphs and form fields in reading order, which is that of the items.

use std::collections::BTreeMap;

use lopdf::{Dictionary, Document, Object, ObjectId, dictionary};

use super::document::words;

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The name of a ship, or whatever the page is about.
    Title,
    /// A panel's heading.
    Heading,
    /// Anything else.
    Plain,
}

impl Role {
    /// Its name in the file.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Title => "H1",
            Self::Heading => "H2",
            Self::Plain => "P",
        }
    }
}

/// A line of text as a content stream marks it: its pieces bear its number.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its place among the items of the page.
    pub at: usize,
    /// What it is.
    pub role: Role,
    /// The marks of its pieces in the stream.
    pub marks: Vec<u32>,
}

/// A field as it stands on a page.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// Its place among the items of the page.
    pub at: usize,
    /// The field's object.
    pub field: ObjectId,
}

/// A page to be told of.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// Its lines in reading order.
    pub lines: Vec<Line>,
    /// Its fields in reading order.
    pub fields: Vec<Placed>,
    /// What it is called.
    pub title: String,
}

/// Lines that are told as one paragraph at most.
const MOST_LINES: usize = 12;

/// Adds the tree to a finished document.
///
/// # Errors
/// When the document is not what it should be.
pub fn add(document: &mut Document, pages: Vec<Told>) -> Result<(), lopdf::Error> {
    let ids: Vec<ObjectId> = document.get_pages().into_values().collect();
    let (root, whole) = (document.new_object_id(), document.new_object_id());
    let mut tree = Tree { document, parents: BTreeMap::new(), next: ids.len() as i64 };
    let mut sections = Vec::new();
    for (n, (told, &page)) in pages.iter().zip(&ids).enumerate() {
        if let Some(section) = tree.page(told, page, n as i64, whole)? {
            sections.push(section.into());
        }
    }
    let Tree { parents, next, .. } = tree;
    let numbers: Vec<Object> = parents.into_iter().flat_map(|(key, value)| [key.into(), value]).collect();
    let parents = document.add_object(dictionary! { "Nums" => numbers });
    document.set_object(whole, dictionary! { "S" => "Document", "P" => root, "K" => sections });
    document.set_object(
        root,
        dictionary! { "Type" => "StructTreeRoot", "K" => whole, "ParentTree" => parents, "ParentTreeNextKey" => next },
    );
    let catalog = document.trailer.get(b"Root")?.as_reference()?;
    let catalog = document.get_dictionary_mut(catalog)?;
    catalog.set("StructTreeRoot", root);
    catalog.set("MarkInfo", dictionary! { "Marked" => true });
    Ok(())
}

struct Tree<'d> {
    document: &'d mut Document,
    /// What marked content and fields belong to, by their numbers.
    parents: BTreeMap<i64, Object>,
    next: i64,
}

/// What follows on a page.
enum Next<'a> {
    Line(&'a Line),
    Field(ObjectId),
}

impl Tree<'_> {
    /// A page's part of the tree; none for an empty page.
    fn page(
        &mut self,
        told: &Told,
        page: ObjectId,
        number: i64,
        whole: ObjectId,
    ) -> Result<Option<ObjectId>, lopdf::Error> {
        let mut all: Vec<(usize, Next<'_>)> = told.lines.iter().map(|line| (line.at, Next::Line(line))).collect();
        all.extend(told.fields.iter().map(|placed| (placed.at, Next::Field(placed.field))));
        all.sort_by_key(|(at, _)| *at);
        if all.is_empty() {
            return Ok(None);
        }
        let section = self.document.new_object_id();
        let mut kids: Vec<Object> = Vec::new();
        let mut marked: Vec<Object> = Vec::new();
        let mut open: Option<(Role, Vec<u32>, usize)> = None;
        for (_, next) in all {
            match next {
                Next::Line(line) => match &mut open {
                    Some((Role::Plain, marks, lines)) if line.role == Role::Plain && *lines < MOST_LINES => {
                        marks.extend(&line.marks);
                        *lines += 1;
                    }
                    _ => {
                        kids.extend(self.text(open.take(), section, page, &mut marked));
                        open = Some((line.role, line.marks.clone(), 1));
                    }
                },
                Next::Field(field) => {
                    kids.extend(self.text(open.take(), section, page, &mut marked));
                    let element = self.document.add_object(dictionary! {
                        "S" => "Form",
                        "P" => section,
                        "Pg" => page,
                        "K" => dictionary! { "Type" => "OBJR", "Obj" => field },
                    });
                    self.document.get_dictionary_mut(field)?.set("StructParent", self.next);
                    self.parents.insert(self.next, element.into());
                    self.next += 1;
                    kids.push(element.into());
                }
            }
        }
        kids.extend(self.text(open.take(), section, page, &mut marked));
        let mut dict = dictionary! { "S" => "Sect", "P" => whole, "Pg" => page, "K" => kids };
        if !told.title.is_empty() {
            dict.set("T", words(&told.title));
        }
        self.document.set_object(section, dict);
        self.parents.insert(number, marked.into());
        let held = self.document.get_dictionary_mut(page)?;
        held.set("StructParents", number);
        if held.has(b"Annots") {
            held.set("Tabs", "S");
        }
        Ok(Some(section))
    }

    /// A paragraph or heading; notes whose its marks are.
    fn text(
        &mut self,
        open: Option<(Role, Vec<u32>, usize)>,
        section: ObjectId,
        page: ObjectId,
        marked: &mut Vec<Object>,
    ) -> Option<Object> {
        let (role, marks, _) = open?;
        let kids: Vec<Object> = marks.iter().map(|&mark| i64::from(mark).into()).collect();
        let dict: Dictionary = dictionary! { "S" => role.tag(), "P" => section, "Pg" => page, "K" => kids };
        let element = self.document.add_object(dict);
        for mark in marks {
            let place = mark as usize;
            if marked.len() <= place {
                marked.resize(place + 1, Object::Null);
            }
            marked[place] = element.into();
        }
        Some(element.into())
    }
}
