//! Tags a form's pages for screen readers: takes marked text and the places of fields, writes the structure tree of
//! headings, paragraphs and form fields in reading order, which is that of the items.

use super::object_writer::ObjectWriter;
use super::syntax::{put_list, put_object, text_string};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StructureRole {
    Title,
    Heading,
    Body,
}

impl StructureRole {
    pub fn tag(self) -> &'static str {
        match self {
            Self::Title => "H1",
            Self::Heading => "H2",
            Self::Body => "P",
        }
    }
}

/// A line of text marked in a content stream; its pieces carry its number.
#[derive(Clone, Copy, Debug)]
pub struct MarkedLine<'a> {
    pub item: usize,
    pub role: StructureRole,
    pub marks: &'a [u32],
}

/// The lines of a page in reading order, in compact form: those of all pages are kept until the last is written.
#[derive(Debug, Default)]
pub struct MarkedLines {
    /// Index of the item, role, end of its marks.
    lines: Vec<(u32, StructureRole, u32)>,
    marks: Vec<u32>,
}

impl MarkedLines {
    pub fn with_capacity(lines: usize) -> Self {
        Self { lines: Vec::with_capacity(lines), marks: Vec::with_capacity(lines) }
    }

    pub fn push(&mut self, line: MarkedLine<'_>) {
        self.marks.extend_from_slice(line.marks);
        self.lines.push((line.item as u32, line.role, self.marks.len() as u32));
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = MarkedLine<'_>> {
        let mut start = 0;
        self.lines.iter().map(move |&(at, role, end)| {
            let marks = self.marks.get(start as usize..end as usize).unwrap_or_default();
            start = end;
            MarkedLine { item: at as usize, role, marks }
        })
    }
}

#[derive(Clone, Copy, Debug)]
pub struct PlacedField {
    pub item: u32,
    pub object: u32,
    /// Number of fields written before it, from which its key follows.
    pub field: u32,
}

#[derive(Debug)]
pub struct TaggedPage<'a> {
    pub page: u32,
    pub lines: &'a MarkedLines,
    pub fields: &'a [PlacedField],
    pub title: &'a str,
}

const MAX_PARAGRAPH_LINES: usize = 12;
const LEAF_SIZE: usize = 1000;

pub fn parent_key(pages: usize, field: u32) -> u32 {
    pages as u32 + field
}

/// Writes the tree and returns the object number of its root. A page's key is its index.
pub fn write_tree<'a>(
    file: &mut ObjectWriter,
    pages: impl ExactSizeIterator<Item = TaggedPage<'a>>,
    fields: usize,
) -> u32 {
    let (root, whole) = (file.reserve(), file.reserve());
    let count = pages.len();
    let mut tree = StructureWriter { file, bytes: Vec::new(), pages: count, parents: vec![0; count + fields] };
    let sections: Vec<u32> = pages.enumerate().filter_map(|(n, page)| tree.write_page(&page, n, whole)).collect();
    let keys = tree.parents.len();
    let parents = tree.write_parent_tree();
    tree.begin_element(b"<</S/Document/P ", root);
    put_list(&mut tree.bytes, b"/K", &sections);
    tree.end_element(whole);
    tree.begin_element(b"<</Type/StructTreeRoot/K ", whole);
    tree.bytes.extend_from_slice(format!("/ParentTree {parents} 0 R/ParentTreeNextKey {keys}").as_bytes());
    tree.end_element(root);
    root
}

struct StructureWriter<'f> {
    file: &'f mut ObjectWriter,
    bytes: Vec<u8>,
    pages: usize,
    /// Parents of pages and fields by key; 0 for none.
    parents: Vec<u32>,
}

enum TaggedItem<'a> {
    Line(MarkedLine<'a>),
    Field(PlacedField),
}

impl StructureWriter<'_> {
    /// `None` for an empty page.
    fn write_page(&mut self, page: &TaggedPage<'_>, number: usize, whole: u32) -> Option<u32> {
        let mut all: Vec<(usize, TaggedItem<'_>)> =
            page.lines.iter().map(|line| (line.item, TaggedItem::Line(line))).collect();
        all.extend(page.fields.iter().map(|placed| (placed.item as usize, TaggedItem::Field(*placed))));
        all.sort_by_key(|(at, _)| *at);
        if all.is_empty() {
            return None;
        }
        let section = self.file.reserve();
        let mut kids: Vec<u32> = Vec::new();
        let mut marked: Vec<u32> = Vec::new();
        let mut open: Option<(StructureRole, Vec<u32>, usize)> = None;
        for (_, next) in all {
            match next {
                TaggedItem::Line(line) => match &mut open {
                    Some((StructureRole::Body, marks, lines))
                        if line.role == StructureRole::Body && *lines < MAX_PARAGRAPH_LINES =>
                    {
                        marks.extend(line.marks);
                        *lines += 1;
                    }
                    _ => {
                        kids.extend(self.write_text(open.take(), section, page.page, &mut marked));
                        open = Some((line.role, line.marks.to_vec(), 1));
                    }
                },
                TaggedItem::Field(placed) => {
                    kids.extend(self.write_text(open.take(), section, page.page, &mut marked));
                    let element = self.file.reserve();
                    self.begin_element(b"<</S/Form/P ", section);
                    let (number, object) = (page.page, placed.object);
                    self.bytes
                        .extend_from_slice(format!("/Pg {number} 0 R/K<</Type/OBJR/Obj {object} 0 R>>").as_bytes());
                    self.end_element(element);
                    if let Some(parent) = self.parents.get_mut(parent_key(self.pages, placed.field) as usize) {
                        *parent = element;
                    }
                    kids.push(element);
                }
            }
        }
        kids.extend(self.write_text(open.take(), section, page.page, &mut marked));
        self.begin_element(b"<</S/Sect/P ", whole);
        self.bytes.extend_from_slice(format!("/Pg {} 0 R", page.page).as_bytes());
        put_list(&mut self.bytes, b"/K", &kids);
        if !page.title.is_empty() {
            self.bytes.extend_from_slice(b"/T");
            put_object(&mut self.bytes, &text_string(page.title));
        }
        self.end_element(section);
        let list = self.file.reserve();
        self.bytes.clear();
        put_list(&mut self.bytes, b"", &marked);
        self.file.put_bytes(list, &self.bytes);
        self.parents[number] = list;
        Some(section)
    }

    /// Writes a paragraph or heading and records it as the parent of its marks.
    fn write_text(
        &mut self,
        open: Option<(StructureRole, Vec<u32>, usize)>,
        section: u32,
        page: u32,
        marked: &mut Vec<u32>,
    ) -> Option<u32> {
        let (role, marks, _) = open?;
        let element = self.file.reserve();
        self.begin_element(format!("<</S/{}/P ", role.tag()).as_bytes(), section);
        self.bytes.extend_from_slice(format!("/Pg {page} 0 R/K[").as_bytes());
        for (at, &mark) in marks.iter().enumerate() {
            let space = if at > 0 { " " } else { "" };
            self.bytes.extend_from_slice(format!("{space}{mark}").as_bytes());
            let place = mark as usize;
            if marked.len() <= place {
                marked.resize(place + 1, 0);
            }
            marked[place] = element;
        }
        self.bytes.push(b']');
        self.end_element(element);
        Some(element)
    }

    fn write_parent_tree(&mut self) -> u32 {
        let keyed: Vec<(usize, u32)> =
            self.parents.iter().copied().enumerate().filter(|&(_, parent)| parent != 0).collect();
        let mut leaves = Vec::new();
        for part in keyed.chunks(LEAF_SIZE) {
            let leaf = self.file.reserve();
            self.bytes.clear();
            self.bytes.extend_from_slice(b"<<");
            // The root has no limits.
            if keyed.len() > LEAF_SIZE {
                let (least, most) = (part[0].0, part[part.len() - 1].0);
                self.bytes.extend_from_slice(format!("/Limits[{least} {most}]").as_bytes());
            }
            self.bytes.extend_from_slice(b"/Nums[");
            for (at, (key, parent)) in part.iter().enumerate() {
                let space = if at > 0 { " " } else { "" };
                self.bytes.extend_from_slice(format!("{space}{key} {parent} 0 R").as_bytes());
            }
            self.bytes.push(b']');
            self.end_element(leaf);
            leaves.push(leaf);
        }
        if let [only] = leaves[..] {
            return only;
        }
        let root = self.file.reserve();
        self.bytes.clear();
        self.bytes.extend_from_slice(b"<<");
        put_list(&mut self.bytes, if leaves.is_empty() { b"/Nums" } else { b"/Kids" }, &leaves);
        self.end_element(root);
        root
    }

    fn begin_element(&mut self, words: &[u8], above: u32) {
        self.bytes.clear();
        self.bytes.extend_from_slice(words);
        self.bytes.extend_from_slice(format!("{above} 0 R").as_bytes());
    }

    fn end_element(&mut self, number: u32) {
        self.bytes.extend_from_slice(b">>");
        self.file.put_bytes(number, &self.bytes);
    }
}
