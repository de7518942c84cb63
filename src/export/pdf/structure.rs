//! Tells readers what a form's pages are made of, for people who have them read aloud: takes what a page's streams mark and the places of its
//! fields, writes the file's tree of headings, paragraphs and form fields in reading order, which is that of the items.

use super::document::words;
use super::file::{Writer, put_object};

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
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Its place among the items of the page.
    pub at: usize,
    /// What it is.
    pub role: Role,
    /// The marks of its pieces in the stream.
    pub marks: &'a [u32],
}

/// The lines of a page in reading order, in little room: those of all pages are kept until the last is written.
#[derive(Debug, Default)]
pub struct Lines {
    /// Place among the items, what it is, where its marks end.
    lines: Vec<(u32, Role, u32)>,
    marks: Vec<u32>,
}

impl Lines {
    /// No lines, with room for so many.
    pub fn with_capacity(lines: usize) -> Self {
        Self { lines: Vec::with_capacity(lines), marks: Vec::with_capacity(lines) }
    }

    /// Puts a line after the others.
    pub fn push(&mut self, line: Line<'_>) {
        self.marks.extend_from_slice(line.marks);
        self.lines.push((line.at as u32, line.role, self.marks.len() as u32));
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = Line<'_>> {
        let mut start = 0;
        self.lines.iter().map(move |&(at, role, end)| {
            let marks = self.marks.get(start as usize..end as usize).unwrap_or_default();
            start = end;
            Line { at: at as usize, role, marks }
        })
    }
}

/// A field as it stands on a page.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// Its place among the items of the page.
    pub at: u32,
    /// The number of the field's object.
    pub object: u32,
    /// How many fields were written before it: the tree knows it by this.
    pub field: u32,
}

/// A page to be told of.
#[derive(Debug)]
pub struct Told<'a> {
    /// The number of its object.
    pub page: u32,
    /// Its lines in reading order.
    pub lines: &'a Lines,
    /// Its fields.
    pub fields: &'a [Placed],
    /// What it is called.
    pub title: &'a str,
}

/// Lines that are told as one paragraph at most.
const MOST_LINES: usize = 12;
/// Numbers in one leaf of the tree that leads from numbers to elements.
const LEAF: usize = 1000;

/// The key that a field is found by in the tree.
pub fn key(pages: usize, field: u32) -> u32 {
    pages as u32 + field
}

/// Writes the tree; gives the number of its root. A page's own key is its place in the document.
pub fn write<'a>(file: &mut Writer, pages: impl ExactSizeIterator<Item = Told<'a>>, fields: usize) -> u32 {
    let (root, whole) = (file.reserve(), file.reserve());
    let count = pages.len();
    // What pages and fields belong to, by their keys; 0 for nothing.
    let mut tree = Tree { file, bytes: Vec::new(), pages: count, parents: vec![0; count + fields] };
    let sections: Vec<u32> = pages.enumerate().filter_map(|(n, told)| tree.page(&told, n, whole)).collect();
    let keys = tree.parents.len();
    let parents = tree.numbers();
    tree.begin(b"<</S/Document/P ", root);
    put_list(&mut tree.bytes, b"/K", &sections);
    tree.end(whole);
    tree.begin(b"<</Type/StructTreeRoot/K ", whole);
    tree.bytes.extend_from_slice(format!("/ParentTree {parents} 0 R/ParentTreeNextKey {keys}").as_bytes());
    tree.end(root);
    root
}

struct Tree<'f> {
    file: &'f mut Writer,
    /// The object being written.
    bytes: Vec<u8>,
    pages: usize,
    /// What pages and fields belong to, by their keys; 0 for nothing.
    parents: Vec<u32>,
}

/// What follows on a page.
enum Next<'a> {
    Line(Line<'a>),
    Field(Placed),
}

impl Tree<'_> {
    /// A page's part of the tree; none for an empty page.
    fn page(&mut self, told: &Told<'_>, number: usize, whole: u32) -> Option<u32> {
        let mut all: Vec<(usize, Next<'_>)> = told.lines.iter().map(|line| (line.at, Next::Line(line))).collect();
        all.extend(told.fields.iter().map(|placed| (placed.at as usize, Next::Field(*placed))));
        all.sort_by_key(|(at, _)| *at);
        if all.is_empty() {
            return None;
        }
        let section = self.file.reserve();
        let mut kids: Vec<u32> = Vec::new();
        let mut marked: Vec<u32> = Vec::new();
        let mut open: Option<(Role, Vec<u32>, usize)> = None;
        for (_, next) in all {
            match next {
                Next::Line(line) => match &mut open {
                    Some((Role::Plain, marks, lines)) if line.role == Role::Plain && *lines < MOST_LINES => {
                        marks.extend(line.marks);
                        *lines += 1;
                    }
                    _ => {
                        kids.extend(self.text(open.take(), section, told.page, &mut marked));
                        open = Some((line.role, line.marks.to_vec(), 1));
                    }
                },
                Next::Field(placed) => {
                    kids.extend(self.text(open.take(), section, told.page, &mut marked));
                    let element = self.file.reserve();
                    self.begin(b"<</S/Form/P ", section);
                    let (page, object) = (told.page, placed.object);
                    self.bytes.extend_from_slice(format!("/Pg {page} 0 R/K<</Type/OBJR/Obj {object} 0 R>>").as_bytes());
                    self.end(element);
                    if let Some(parent) = self.parents.get_mut(key(self.pages, placed.field) as usize) {
                        *parent = element;
                    }
                    kids.push(element);
                }
            }
        }
        kids.extend(self.text(open.take(), section, told.page, &mut marked));
        self.begin(b"<</S/Sect/P ", whole);
        self.bytes.extend_from_slice(format!("/Pg {} 0 R", told.page).as_bytes());
        put_list(&mut self.bytes, b"/K", &kids);
        if !told.title.is_empty() {
            self.bytes.extend_from_slice(b"/T");
            put_object(&mut self.bytes, &words(told.title));
        }
        self.end(section);
        let list = self.file.reserve();
        self.bytes.clear();
        put_list(&mut self.bytes, b"", &marked);
        self.file.put(list, &self.bytes);
        self.parents[number] = list;
        Some(section)
    }

    /// A paragraph or heading; notes whose its marks are.
    fn text(
        &mut self,
        open: Option<(Role, Vec<u32>, usize)>,
        section: u32,
        page: u32,
        marked: &mut Vec<u32>,
    ) -> Option<u32> {
        let (role, marks, _) = open?;
        let element = self.file.reserve();
        self.begin(format!("<</S/{}/P ", role.tag()).as_bytes(), section);
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
        self.end(element);
        Some(element)
    }

    /// The tree that leads from keys to what they belong to; its number.
    fn numbers(&mut self) -> u32 {
        let keyed: Vec<(usize, u32)> =
            self.parents.iter().copied().enumerate().filter(|&(_, parent)| parent != 0).collect();
        let mut leaves = Vec::new();
        for part in keyed.chunks(LEAF) {
            let leaf = self.file.reserve();
            self.bytes.clear();
            self.bytes.extend_from_slice(b"<<");
            // The root has no limits.
            if keyed.len() > LEAF {
                let (least, most) = (part[0].0, part[part.len() - 1].0);
                self.bytes.extend_from_slice(format!("/Limits[{least} {most}]").as_bytes());
            }
            self.bytes.extend_from_slice(b"/Nums[");
            for (at, (key, parent)) in part.iter().enumerate() {
                let space = if at > 0 { " " } else { "" };
                self.bytes.extend_from_slice(format!("{space}{key} {parent} 0 R").as_bytes());
            }
            self.bytes.push(b']');
            self.end(leaf);
            leaves.push(leaf);
        }
        if let [only] = leaves[..] {
            return only;
        }
        let root = self.file.reserve();
        self.bytes.clear();
        self.bytes.extend_from_slice(b"<<");
        put_list(&mut self.bytes, if leaves.is_empty() { b"/Nums" } else { b"/Kids" }, &leaves);
        self.end(root);
        root
    }

    /// Begins an object with what it stands under.
    fn begin(&mut self, words: &[u8], above: u32) {
        self.bytes.clear();
        self.bytes.extend_from_slice(words);
        self.bytes.extend_from_slice(format!("{above} 0 R").as_bytes());
    }

    /// Ends a dictionary and writes it.
    fn end(&mut self, number: u32) {
        self.bytes.extend_from_slice(b">>");
        self.file.put(number, &self.bytes);
    }
}

/// A list of references under a name; 0 stands for nothing.
pub fn put_list(out: &mut Vec<u8>, name: &[u8], numbers: &[u32]) {
    out.extend_from_slice(name);
    out.push(b'[');
    for (at, number) in numbers.iter().enumerate() {
        if at > 0 {
            out.push(b' ');
        }
        match number {
            0 => out.extend_from_slice(b"null"),
            number => out.extend_from_slice(format!("{number} 0 R").as_bytes()),
        }
    }
    out.push(b']');
}
