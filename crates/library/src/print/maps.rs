//! Maps, arcs and courses, rulers: takes a grid, what is to be cut out, ships and the page setup, gives pages.

use moldloft_base::finding::{Advice, Finding};
use moldloft_base::sanitize::plural;
use moldloft_base::words::{Words, in_words};
use moldloft_drawing::scene::{Meta, Page, Scene};
use moldloft_rules::evaluate::Evaluation;
use moldloft_sheet::sheet::{self, Gauges, MapGrid, PageSetup, RADII};

use super::PrintedPages;

/// The pages of a map, then those of the gauges.
///
/// # Errors
/// `paper-too-small` when the paper holds no two cells by two, or not the largest gauge.
pub fn map_pages(
    map: Option<&MapGrid>,
    gauges: &Gauges,
    page_setup: &PageSetup,
    words: Option<&Words>,
) -> Result<PrintedPages, Finding> {
    let mut pages = map.map(|map| map_sheets(map, page_setup, words)).transpose()?.unwrap_or_default();
    let maps = pages.len();
    pages.extend(gauge_sheets(gauges, page_setup, words)?);
    let cut = gauges.gauges.len();
    let mut contents: Vec<String> = Vec::new();
    if maps > 0 {
        contents.push("a map".to_owned());
    }
    if cut > 0 {
        contents.push(format!("{} to cut out", plural(cut, "piece")));
    }
    let contents = contents.join(" and ");
    let scene = Scene {
        meta: Meta { title: in_words(words, "map"), ..Meta::default() },
        pages: sheet::impose(pages, page_setup, true, words),
    };
    Ok(PrintedPages::new(scene, Vec::new(), contents))
}

/// The pages of arcs and courses to cut out.
///
/// # Errors
/// `paper-too-small`.
pub(super) fn gauge_sheets(
    gauges: &Gauges,
    page_setup: &PageSetup,
    words: Option<&Words>,
) -> Result<Vec<Page>, Finding> {
    gauges.pages(page_setup, words).ok_or_else(|| {
        let radius = gauges.radius.unwrap_or(RADII.0);
        let message = format!("{} paper has no room for arcs and courses of {radius} mm", page_setup.paper);
        Finding::error("paper-too-small", message).advise(Advice::SmallerRadius)
    })
}

/// The pages of each class's ruler and collar, and what of them is missing.
pub(super) fn ruler_sheets(ships: &[Evaluation], page_setup: &PageSetup) -> (Vec<Page>, Vec<Finding>) {
    let mut bare: Vec<&Evaluation> = ships.iter().filter(|ship| ship.ruleset.rulers.is_empty()).collect();
    bare.dedup_by(|a, b| a.ruleset.id == b.ruleset.id);
    let missing = bare.into_iter().map(|ship| {
        let message = format!("no ruler: the rules of {} have none", ship.ruleset.title);
        Finding::warning("no-ruler", message).help("add a [[ruler]] to the ruleset or to a layer")
    });
    let missing: Vec<Finding> = missing.collect();
    let (pages, found) = sheet::ruler_pages(ships, page_setup);
    (pages, missing.into_iter().chain(found).collect())
}

/// The pages of a map.
///
/// # Errors
/// `paper-too-small`.
pub(super) fn map_sheets(map: &MapGrid, page_setup: &PageSetup, words: Option<&Words>) -> Result<Vec<Page>, Finding> {
    let pages = map.pages(page_setup, words);
    if pages.is_empty() {
        let message = format!("{} paper has no room for a map of such large cells", page_setup.paper);
        return Err(Finding::error("paper-too-small", message).help("use larger paper or smaller cells"));
    }
    Ok(pages)
}

#[cfg(test)]
mod tests {
    use super::*;
    use moldloft_sheet::sheet::{MapGauge, Paper};

    #[test]
    fn maps_come_first_and_what_does_not_fit_is_reported() {
        let map = MapGrid { pages: (2, 1), .."hex:25".parse().expect("a grid") };
        let gauges = Gauges { gauges: vec![MapGauge::Arc(60.0), MapGauge::Courses(6)], radius: Some(60.0) };
        let setup = PageSetup::from(Paper::A4);
        let pages = map_pages(Some(&map), &gauges, &setup, None).expect("fits");
        assert_eq!((pages.scene.pages.len(), &*pages.contents), (3, "a map and 2 pieces to cut out"));
        let large = Gauges { radius: Some(300.0), ..gauges };
        assert!(map_pages(None, &large, &setup, None).is_err_and(|finding| finding.code == "paper-too-small"));
    }
}
