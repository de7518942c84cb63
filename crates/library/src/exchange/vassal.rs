//! Writes part of a VASSAL module's `buildFile.xml`: takes a folder's tokens, gives a list for each ship with a piece
//! for each token, for the module's piece palette.

use std::fmt::Write;

use super::manifest::ManifestEntry;
use moldloft_base::sanitize::for_xml;

/// First piece id; a module's own start at 1.
const FIRST_PIECE: usize = 900_001;

/// One tab with a list for each ship.
pub fn piece_palette(entries: &[ManifestEntry], title: &str, dpi: f32) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "<VASSAL.build.widget.TabWidget entryName=\"{}\">", for_xml(title));
    let mut number = FIRST_PIECE;
    for ship in entries.chunk_by(|one, two| one.unit == two.unit) {
        let one = &ship[0];
        let name = if one.ship.is_empty() { &one.class } else { &one.ship };
        let name = [one.hull_number.as_str(), name.as_str()].join(" ");
        let _ = writeln!(
            out,
            "  <VASSAL.build.widget.ListWidget divider=\"150\" entryName=\"{}\" height=\"400\" scale=\"1.0\" width=\"300\">",
            for_xml(name.trim())
        );
        for entry in ship {
            let pixels = |mm: f64| (mm * f64::from(dpi) / 25.4).round();
            let words = match entry.number {
                _ if entry.is_ship => name.trim().to_owned(),
                Some(number) => format!("{} {number}", entry.label),
                None => entry.label.clone(),
            };
            let words = for_xml(&without_separators(&words));
            let file = |file: &str| file.rsplit('/').next().unwrap_or(file).to_owned();
            let _ = write!(
                out,
                "    <VASSAL.build.widget.PieceSlot entryName=\"{words}\" gpid=\"{number}\" height=\"{}\" width=\"{}\">+/null/",
                pixels(entry.height_mm),
                pixels(entry.width_mm)
            );
            let piece = format!("piece;;;{};{words}", file(&entry.file));
            let _ = match &entry.back {
                // Ctrl+F turns the piece over.
                Some(back) => {
                    let flip = format!("emb2;Flip;2;F;;0;;;0;;;;1;false;0;0;{};;true;;;", file(back));
                    write!(out, "{flip}\t{piece}/-1\tnull;0;0;{number};0")
                }
                None => write!(out, "{piece}/null;0;0;{number};0"),
            };
            out.push_str("</VASSAL.build.widget.PieceSlot>\n");
            number += 1;
        }
        out.push_str("  </VASSAL.build.widget.ListWidget>\n");
    }
    out.push_str("</VASSAL.build.widget.TabWidget>\n");
    out
}

/// Without the characters that separate a piece's properties.
fn without_separators(words: &str) -> String {
    let kept: String =
        words.chars().map(|c| if matches!(c, '/' | ';' | '\\' | ',' | '\t') { ' ' } else { c }).collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}
