//! What some programs export of a filled form as XML: takes its text, gives the same as the form itself would.

use roxmltree::{Document, Node, ParsingOptions};

use super::{Form, Gathered, Held, too_much};
use crate::finding::Finding;

/// Elements and texts that are read.
const MOST_NODES: u32 = 4_000_000;
/// Fields within fields that are followed.
const DEEPEST: usize = 16;

/// Reads it.
pub fn read(bytes: &[u8]) -> Result<Form, Finding> {
    let wrong = |what: String| {
        Finding::error("not-a-form", format!("this XFDF file cannot be read: {what}"))
            .help("export it anew, or save the filled form as a PDF")
    };
    let text = std::str::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8".to_owned()))?;
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| wrong(error.to_string()))?;
    let fields = document.root_element().children().filter(|node| node.tag_name().name() == "fields");
    let mut gathered = Gathered::default();
    for field in fields.flat_map(|fields| fields.children()) {
        walk(field, "", DEEPEST, &mut gathered)?;
    }
    if gathered.form.units.is_empty() { Err(wrong("it has no fields".to_owned())) } else { Ok(gathered.form) }
}

fn walk(node: Node<'_, '_>, above: &str, depth: usize, gathered: &mut Gathered) -> Result<(), Finding> {
    let Some(depth) = depth.checked_sub(1) else { return Err(too_much()) };
    let Some(own) = node.attribute("name").filter(|_| node.tag_name().name() == "field") else { return Ok(()) };
    let name = if above.is_empty() { own.to_owned() } else { format!("{above}.{own}") };
    for kid in node.children() {
        match kid.tag_name().name() {
            "field" => walk(kid, &name, depth, gathered)?,
            "value" => {
                let value = kid.text().unwrap_or_default();
                // Boxes say `Yes` or `Off`; they are told from texts by their names, which end in their number.
                let numbered = name.rsplit('_').next().is_some_and(|n| n.parse::<u32>().is_ok());
                let held = match value.trim().to_ascii_lowercase().as_str() {
                    "yes" | "on" | "true" if numbered => Held::Ticked(true),
                    "off" | "no" | "false" if numbered => Held::Ticked(false),
                    _ => Held::Text(value.to_owned()),
                };
                gathered.add(&name, String::new(), "", held)?;
            }
            _ => {}
        }
    }
    Ok(())
}
