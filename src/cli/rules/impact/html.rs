//! The impact of another ruleset as one page for a browser: bars of points, reasons, and every change of each design. Without
//! scripts, and without anything from elsewhere.

use std::fmt::Write;

use crate::cli::render::clean;

use super::text;
use moldloft_library::library::{ImpactKind, ImpactRow};

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;color:#1a1a1a;background:#fff;max-width:72rem;margin:2rem auto;padding:0 1rem}\
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem}table{border-collapse:collapse;width:100%}\
td,th{text-align:left;padding:.25rem .6rem;vertical-align:top;border-bottom:1px solid #ddd}td.n{text-align:right;white-space:nowrap}\
.bar{height:.6rem;border:1px solid #1a1a1a;box-sizing:border-box;margin:.1rem 0;min-width:2px}.after{background:#999}\
.bad{font-weight:700}.why{color:#555;font-size:.9rem}tr.ship td:first-child{padding-left:2rem}details{margin:.4rem 0}\
@media(prefers-color-scheme:dark){body{color:#eee;background:#1b1b1b}td,th{border-color:#444}.bar{border-color:#ccc}.after{background:#888}.why{color:#aaa}}";

pub fn impact_page([before, after]: [&str; 2], rows: &[ImpactRow], foreign: usize) -> String {
    let mut out = String::new();
    let (before, after) = (escape(before), escape(after));
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{before} → {after}</title><style>{STYLE}</style></head><body>\n<h1>{before} → {after}</h1>\n"
    );
    let all = || rows.iter().flat_map(|row| std::iter::once(row).chain(&row.ships));
    let most = all().flat_map(|row| [row.before.points, row.after.points]).flatten().max().unwrap_or(0).max(1);
    out.push_str("<table><tr><th>design or fleet</th><th>points</th><th></th><th></th></tr>\n");
    for row in all() {
        append_row(&mut out, row, most);
    }
    out.push_str("</table>\n<h2>Together</h2>\n");
    for line in text::summary_text(rows, foreign).lines() {
        let _ = writeln!(out, "<p>{}</p>", escape(line));
    }
    out.push_str("<h2>What else changed</h2>\n");
    let mut is_empty = true;
    for row in all().filter(|row| !row.effects.is_empty()) {
        is_empty = false;
        append_changes(&mut out, row);
    }
    if is_empty {
        out.push_str("<p>Nothing.</p>\n");
    }
    out.push_str("</body></html>\n");
    out
}

fn append_row(out: &mut String, row: &ImpactRow, most: i64) {
    let is_ship = row.kind == ImpactKind::Ship;
    let name = if row.name.is_empty() { &*row.file } else { &row.name };
    let verdict = row.verdict();
    let is_bad = verdict == verdict.to_uppercase();
    let _ = write!(out, "<tr{}><td>{}", if is_ship { " class=\"ship\"" } else { "" }, escape(name));
    for reason in text::reasons(row) {
        let _ = write!(out, "<div class=\"why\">{}</div>", escape(&reason));
    }
    let points = |points: Option<i64>| points.map_or_else(|| "–".to_owned(), |points| points.to_string());
    let words = format!("{} → {}", points(row.before.points), points(row.after.points));
    let _ = write!(
        out,
        "</td><td class=\"n\">{words} ({})</td><td style=\"width:40%\">",
        text::signed_text(row.difference())
    );
    for (class, points) in [("bar", row.before.points), ("bar after", row.after.points)] {
        let share = points.map_or(0.0, |points| points.max(0) as f64 * 100.0 / most as f64);
        let _ = write!(out, "<div class=\"{class}\" style=\"width:{share:.1}%\"></div>");
    }
    let _ = writeln!(out, "</td><td{}>{verdict}</td></tr>", if is_bad { " class=\"bad\"" } else { "" });
}

fn append_changes(out: &mut String, row: &ImpactRow) {
    let name = if row.name.is_empty() { &*row.file } else { &row.name };
    let count = row.effects.len();
    let _ = writeln!(
        out,
        "<details open><summary>{}: {count} changed</summary><table><tr><th></th><th></th><th>before</th><th>after</th><th></th></tr>",
        escape(name)
    );
    for effect in &row.effects {
        let side = |text: &Option<String>| text.as_deref().map_or_else(|| "–".to_owned(), escape);
        let by = effect.difference.map(|by| text::signed_text(Some(by))).unwrap_or_default();
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"n\">{by}</td></tr>",
            effect.kind,
            escape(&effect.label),
            side(&effect.before),
            side(&effect.after)
        );
    }
    out.push_str("</table></details>\n");
}

/// A stranger's text, safe in an element and without control characters.
fn escape(text: &str) -> String {
    clean(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
