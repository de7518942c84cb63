//! Reads XFDF, the XML that some programs export from a filled form: gives the same result as the form. Checks limits
//! before parsing.

use roxmltree::{Document, Node, ParsingOptions};

use super::errors::too_large;
use super::model::{FilledForm, FormBuilder, MAX_DEPTH, MAX_NAME, untyped_value};
use moldloft_base::finding::{Cause, Finding};
use moldloft_base::source::{XmlTagKind, XmlTags};

/// The most elements and texts.
const MAX_NODES: u32 = 3_000_000;
const MAX_ELEMENT_DEPTH: usize = 100;
/// Attributes of one element, which the parser compares pairwise.
const MAX_ATTRIBUTES: usize = 200;
const MAX_TOTAL_ATTRIBUTES: usize = 1_000_000;
/// Namespace declarations, which are searched for every name.
const MAX_NAMESPACES: usize = 256;

pub fn read_xfdf(bytes: &[u8]) -> Result<FilledForm, Finding> {
    let wrong = |what: String| {
        Finding::caused(Cause::NotAForm, format!("cannot read this XFDF file: {what}"))
            .help("export it again, or save the filled form as a PDF")
    };
    let text = std::str::from_utf8(bytes).map_err(|_| wrong("not UTF-8".to_owned()))?;
    check_limits(text)?;
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| wrong(error.to_string()))?;
    let fields = document.root_element().children().filter(|node| node.tag_name().name() == "fields");
    let mut builder = FormBuilder::default();
    for field in fields.flat_map(|fields| fields.children()) {
        walk_fields(field, "", MAX_DEPTH, &mut builder)?;
    }
    if builder.form.units.is_empty() { Err(wrong("missing fields".to_owned())) } else { Ok(builder.form) }
}

fn check_limits(text: &str) -> Result<(), Finding> {
    let (mut namespaces, mut all) = (0, 0);
    for tag in XmlTags::new(text) {
        let XmlTagKind::Start { attributes, namespaces: declared } = tag.kind else { continue };
        all += attributes;
        namespaces += declared;
        if attributes > MAX_ATTRIBUTES
            || all > MAX_TOTAL_ATTRIBUTES
            || namespaces > MAX_NAMESPACES
            || tag.depth > MAX_ELEMENT_DEPTH
        {
            return Err(too_large());
        }
    }
    Ok(())
}

fn walk_fields(node: Node<'_, '_>, above: &str, depth: usize, builder: &mut FormBuilder) -> Result<(), Finding> {
    let Some(depth) = depth.checked_sub(1) else { return Err(too_large()) };
    let Some(own) = node.attribute("name").filter(|_| node.tag_name().name() == "field") else { return Ok(()) };
    if above.len() + own.len() > MAX_NAME {
        return Ok(());
    }
    let name = if above.is_empty() { own.to_owned() } else { format!("{above}.{own}") };
    for kid in node.children() {
        match kid.tag_name().name() {
            "field" => walk_fields(kid, &name, depth, builder)?,
            "value" => {
                let text = kid.text().unwrap_or_default();
                let value = untyped_value(&name, text);
                builder.add_field(&name, String::new(), [""; 2], value)?;
            }
            _ => {}
        }
    }
    Ok(())
}
