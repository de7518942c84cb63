//! What other rules change in designs: the points of each before and after as bars, why one became illegal, and every other
//! change, on as many pages as it takes.

use moldloft_base::sanitize::plural;
use moldloft_drawing::scene::{Page, Rect};

use super::page::{MARGIN, WIDTH, draw_head};
use super::pen::{BAR, ChartPen, ChartText, INK, Side, WHITE, wrap};

/// The lowest line of a page, mm.
const BOTTOM: f32 = 285.0;
/// Height of a row with its two bars, mm.
const ROW: f32 = 6.2;
const BAR_HEIGHT: f32 = 2.1;
/// Left edges, mm: bars, points, verdict.
const BARS: f32 = 58.0;
const POINTS: f32 = 132.0;
const VERDICT: f32 = 166.0;
/// Between lines of reasons and changes, mm.
const LINE: f32 = 3.5;
/// The most lines of one reason or change.
const MAX_LINES: usize = 6;

/// The impact of other rules on some designs.
#[derive(Clone, Debug, Default)]
pub struct ImpactChart {
    /// `Wars of Honor → Our lasers`
    pub title: String,
    pub subtitle: Vec<String>,
    pub rows: Vec<ImpactBars>,
    /// One sentence for each other thing that changed.
    pub changes: Vec<String>,
    /// Totals.
    pub summary: Vec<String>,
}

/// A design or fleet with its points.
#[derive(Clone, Debug, Default)]
pub struct ImpactBars {
    pub name: String,
    pub before: Option<i64>,
    pub after: Option<i64>,
    /// `+12`
    pub difference: String,
    /// `legal`, `BECAME ILLEGAL`
    pub verdict: String,
    /// Why its legality changed.
    pub reasons: Vec<String>,
}

pub fn impact_pages(chart: &ImpactChart) -> Vec<Page> {
    let mut writer = Writer { chart, pages: Vec::new(), pen: ChartPen::default(), y: 0.0 };
    writer.begin_page();
    let most = chart.rows.iter().flat_map(|row| [row.before, row.after]).flatten().max().unwrap_or(0).max(1);
    for row in &chart.rows {
        writer.row(row, most);
    }
    writer.heading("Together");
    chart.summary.iter().for_each(|line| writer.lines(line, ChartText::BODY));
    writer.heading("What else changed");
    if chart.changes.is_empty() {
        writer.lines("Nothing.", ChartText::BODY);
    }
    chart.changes.iter().for_each(|line| writer.lines(line, ChartText::QUIET));
    writer.end_page();
    writer.pages
}

struct Writer<'c> {
    chart: &'c ImpactChart,
    pages: Vec<Page>,
    pen: ChartPen<'c>,
    /// Where the next line begins.
    y: f32,
}

impl Writer<'_> {
    fn begin_page(&mut self) {
        draw_head(&mut self.pen, WIDTH, &self.chart.title, &self.chart.subtitle);
        self.y = 17.0;
        if self.pages.is_empty() {
            let y = self.y + 2.2;
            self.pen.bar(Rect::new(BARS, self.y, 5.0, BAR_HEIGHT), WHITE, true, None);
            self.pen.text("points before", ChartText::QUIET, BARS + 6.5, y, Side::Left);
            self.pen.bar(Rect::new(BARS + 30.0, self.y, 5.0, BAR_HEIGHT), BAR, true, None);
            self.pen.text("after", ChartText::QUIET, BARS + 36.5, y, Side::Left);
            self.y += 5.5;
        }
    }

    fn end_page(&mut self) {
        let items = std::mem::take(&mut self.pen.items);
        let height = self.y + MARGIN;
        let bookmarks = vec![self.chart.title.as_str().into()];
        self.pages.push(Page { width: WIDTH, height, items, bookmarks, ..Page::default() });
    }

    /// Begins a page if there is no room for this height.
    fn need(&mut self, height: f32) {
        if self.y + height > BOTTOM {
            self.end_page();
            self.begin_page();
        }
    }

    fn row(&mut self, row: &ImpactBars, most: i64) {
        let reasons: Vec<String> = row
            .reasons
            .iter()
            .flat_map(|reason| wrap(reason, ChartText::QUIET, WIDTH - MARGIN - BARS).into_iter().take(MAX_LINES))
            .collect();
        self.need(ROW + LINE * reasons.len().min(8) as f32);
        let (top, base) = (self.y, self.y + 3.6);
        let style = if row.verdict == row.verdict.to_uppercase() { ChartText::STRONG } else { ChartText::BODY };
        self.pen.text_within(&row.name, style, (MARGIN, base), BARS - MARGIN - 2.0, Side::Left);
        let length = |points: i64| (POINTS - BARS - 4.0) * points.max(0) as f32 / most as f32;
        for (place, (points, fill, which)) in
            [(row.before, WHITE, "before"), (row.after, BAR, "after")].into_iter().enumerate()
        {
            let Some(points) = points else { continue };
            let rect = Rect::new(BARS, top + place as f32 * (BAR_HEIGHT + 0.3), length(points).max(0.3), BAR_HEIGHT);
            let name = format!("{which}_{}", self.pages.len());
            self.pen.bar(rect, fill, true, Some((name, format!("{} {which}: {}", row.name, plural(points, "point")))));
        }
        let points = |points: Option<i64>| points.map_or_else(|| "–".to_owned(), |points| points.to_string());
        let words = format!("{} → {} ({})", points(row.before), points(row.after), row.difference);
        self.pen.text_within(&words, ChartText::BODY, (POINTS, base), VERDICT - POINTS - 2.0, Side::Left);
        self.pen.text_within(&row.verdict, style, (VERDICT, base), WIDTH - MARGIN - VERDICT, Side::Left);
        self.y += ROW;
        for line in reasons {
            self.need(LINE);
            self.pen.text(&line, ChartText::QUIET, BARS, self.y + 1.8, Side::Left);
            self.y += LINE;
        }
    }

    fn heading(&mut self, words: &str) {
        self.need(14.0);
        self.y += 3.0;
        self.pen.line(&[(MARGIN, self.y), (WIDTH - MARGIN, self.y)], 0.25, INK, &[]);
        self.pen.text(words, ChartText::HEADING, MARGIN, self.y + 4.6, Side::Left);
        self.y += 7.0;
    }

    fn lines(&mut self, words: &str, style: ChartText) {
        for line in wrap(words, style, WIDTH - 2.0 * MARGIN).into_iter().take(MAX_LINES) {
            self.need(LINE);
            self.pen.text(&line, style, MARGIN, self.y + 2.4, Side::Left);
            self.y += LINE;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use moldloft_drawing::scene::Shape;

    #[test]
    fn every_row_has_two_bars_and_pages_hold_what_fits() {
        let row = |n: i64| ImpactBars {
            name: format!("Ship {n}"),
            before: Some(100 + n),
            after: Some(200),
            difference: "+9".into(),
            verdict: "BECAME ILLEGAL".into(),
            reasons: vec!["error[x]: too heavy ".repeat(20)],
        };
        let chart = ImpactChart {
            title: "A → B".into(),
            rows: (0..60).map(row).collect(),
            changes: (0..90).map(|n| format!("value speed {n}: 3 → 4")).collect(),
            ..ImpactChart::default()
        };
        let pages = impact_pages(&chart);
        assert!(pages.len() > 2 && pages.iter().all(|page| page.height <= BOTTOM + MARGIN + 0.1));
        let marked = pages.iter().flat_map(|page| &page.items).filter(|item| item.mark.is_some()).count();
        assert_eq!(marked, 120);
        for item in pages.iter().flat_map(|page| &page.items) {
            if let Shape::Rect { rect, .. } = &item.shape {
                assert!(rect.x + rect.w <= POINTS, "{rect:?}");
            }
        }
    }
}
