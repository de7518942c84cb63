//! Searches a catalogue: takes a player's text and choices, gives whether an entry matches. Changes nothing.

use super::entry::{CatalogueEntry, EntrySummary};
use moldloft_base::sanitize::fold_for_search;

/// A search. The default matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CatalogueFilter {
    /// All of these must occur in the name, the texts of the fields, the systems aboard or the file name; `400-900`,
    /// `>400` or `<=900` mean points; `graser>4` means systems aboard or a large value.
    pub text: String,
    /// The ruleset's id.
    pub ruleset: Option<String>,
    /// Least and most points.
    pub points: (Option<i64>, Option<i64>),
    pub legal: LegalFilter,
    pub origin: OriginFilter,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LegalFilter {
    #[default]
    Any,
    /// Designs that follow the rules.
    Legal,
    /// Designs that do not, and those that could not be checked.
    NotLegal,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OriginFilter {
    #[default]
    Any,
    Workspace,
    BuiltIn,
    /// Given files outside the workspace.
    Elsewhere,
}

impl OriginFilter {
    fn includes(self, entry: &CatalogueEntry) -> bool {
        match self {
            Self::Any => true,
            Self::Workspace => !entry.built_in() && !entry.elsewhere,
            Self::BuiltIn => entry.built_in(),
            Self::Elsewhere => entry.elsewhere,
        }
    }
}

/// A parsed filter, for many entries.
#[derive(Clone, Debug)]
pub struct FilterQuery<'f> {
    filter: &'f CatalogueFilter,
    terms: Vec<SearchTerm>,
}

/// A part of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum SearchTerm {
    /// A text, and its number if it is one: an entry with exactly these points matches too.
    Text(String, Option<i64>),
    /// Least and most points.
    Points(Option<i64>, Option<i64>),
    /// Least and most of the systems of a name, or of a large value.
    Carries(String, Option<i64>, Option<i64>),
}

impl CatalogueFilter {
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
            && self.ruleset.is_none()
            && self.points == (None, None)
            && self.legal == LegalFilter::Any
            && self.origin == OriginFilter::Any
    }

    /// Parses the text once.
    pub fn query(&self) -> FilterQuery<'_> {
        let words = self.text.split_whitespace().filter_map(parse_term).collect();
        FilterQuery { filter: self, terms: words }
    }

    pub fn matches(&self, entry: &CatalogueEntry) -> bool {
        self.query().matches(entry)
    }
}

impl FilterQuery<'_> {
    pub fn matches(&self, entry: &CatalogueEntry) -> bool {
        let filter = self.filter;
        let points = entry.points();
        let within = |(least, most): (Option<i64>, Option<i64>)| {
            (least.is_none() && most.is_none())
                || points.is_some_and(|points| {
                    least.is_none_or(|least| points >= least) && most.is_none_or(|most| points <= most)
                })
        };
        let legal = match (filter.legal, &entry.summary) {
            (LegalFilter::Any, _) => true,
            (LegalFilter::Legal, EntrySummary::Design(card)) => card.legal,
            (LegalFilter::NotLegal, EntrySummary::Design(card)) => !card.legal,
            (LegalFilter::Legal, EntrySummary::Fleet(card)) => card.legal,
            (LegalFilter::NotLegal, EntrySummary::Fleet(card)) => !card.legal,
            (LegalFilter::NotLegal, EntrySummary::Unreadable(_)) => true,
            (LegalFilter::Legal, EntrySummary::Unreadable(_)) => false,
        };
        legal
            && filter.ruleset.as_ref().is_none_or(|wanted| *entry.ruleset == **wanted)
            && filter.origin.includes(entry)
            && within(filter.points)
            && self.terms.iter().all(|word| match word {
                SearchTerm::Text(text, number) => {
                    entry.search_text().contains(text.as_str())
                        || entry.carries(text)
                        || number.is_some_and(|number| points == Some(number))
                }
                SearchTerm::Carries(name, least, most) => {
                    // What is not aboard is 0 aboard, but only a design carries anything.
                    let is_design = matches!(entry.summary, EntrySummary::Design(_));
                    let number = entry.carried_number(name).unwrap_or(0);
                    is_design && least.is_none_or(|least| number >= least) && most.is_none_or(|most| number <= most)
                }
                SearchTerm::Points(least, most) => within((*least, *most)),
            })
    }
}

/// `None` for an incomplete term, such as a `>` without a number.
fn parse_term(word: &str) -> Option<SearchTerm> {
    for (sign, least, most) in
        [(">=", 0, None), ("≥", 0, None), ("<=", 0, Some(0)), ("≤", 0, Some(0)), (">", 1, None), ("<", 0, Some(-1))]
    {
        let Some(rest) = word.strip_prefix(sign) else { continue };
        let number = if rest.is_empty() { return None } else { parse_number(rest) };
        return Some(match (number, most) {
            (None, _) => SearchTerm::Text(fold_for_search(word), None),
            (Some(number), None) => SearchTerm::Points(Some(number.saturating_add(least)), None),
            (Some(number), Some(less)) => SearchTerm::Points(None, Some(number.saturating_add(less))),
        });
    }
    if let Some(term) = parse_carried(word) {
        return Some(term);
    }
    for dash in ["-", "–", ".."] {
        let Some((least, most)) = word.split_once(dash) else { continue };
        match (parse_number(least), parse_number(most)) {
            (Some(least), Some(most)) => return Some(SearchTerm::Points(Some(least.min(most)), Some(least.max(most)))),
            (Some(least), None) if most.is_empty() => return Some(SearchTerm::Points(Some(least), None)),
            (None, Some(most)) if least.is_empty() => return Some(SearchTerm::Points(None, Some(most))),
            (None, None) if least.is_empty() && most.is_empty() => return None,
            _ => {}
        }
    }
    Some(SearchTerm::Text(fold_for_search(word), parse_number(word)))
}

/// `graser>4`, `graser>=4`, `laser=6`, `thrust<12`.
fn parse_carried(word: &str) -> Option<SearchTerm> {
    let at = word.find(['>', '<', '=', '≥', '≤']).filter(|at| *at > 0)?;
    let (name, rest) = word.split_at(at);
    let sign = [">=", "=>", "<=", "=<", ">", "<", "=", "≥", "≤"].into_iter().find(|sign| rest.starts_with(sign))?;
    let number = parse_number(&rest[sign.len()..])?;
    let (least, most) = match sign {
        ">" => (Some(number.saturating_add(1)), None),
        "<" => (None, Some(number.saturating_sub(1))),
        "=" => (Some(number), Some(number)),
        ">=" | "=>" | "≥" => (Some(number), None),
        _ => (None, Some(number)),
    };
    Some(SearchTerm::Carries(fold_for_search(name).replace('_', "-"), least, most))
}

/// A whole number of ASCII digits; a too large one is `i64::MAX`.
fn parse_number(text: &str) -> Option<i64> {
    let figures = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    figures.then(|| text.parse().unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_about_points_are_told_from_names() {
        let text = |text: &str, number| Some(SearchTerm::Text(text.to_owned(), number));
        let points = |least, most| Some(SearchTerm::Points(least, most));
        for (typed, meant) in [
            ("400-900", points(Some(400), Some(900))),
            ("900–400", points(Some(400), Some(900))),
            ("400..900", points(Some(400), Some(900))),
            ("400-", points(Some(400), None)),
            ("-900", points(None, Some(900))),
            (">400", points(Some(401), None)),
            (">=400", points(Some(400), None)),
            ("<900", points(None, Some(899))),
            ("≤900", points(None, Some(900))),
            (">99999999999999999999", points(Some(i64::MAX), None)),
            (">", None),
            ("<=", None),
            ("-", None),
            ("1732", text("1732", Some(1732))),
            ("DD-442", text("dd-442", None)),
            (">fast", text(">fast", None)),
            ("Jaskółka", text("jaskolka", None)),
            ("U-boat", text("u-boat", None)),
        ] {
            assert_eq!(parse_term(typed), meant, "{typed}");
        }
    }

    #[test]
    fn a_name_with_a_sign_and_a_number_asks_what_a_design_carries() {
        let carries = |name: &str, least, most| Some(SearchTerm::Carries(name.to_owned(), least, most));
        for (typed, meant) in [
            ("graser>4", carries("graser", Some(5), None)),
            ("graser>=4", carries("graser", Some(4), None)),
            ("Graser≥4", carries("graser", Some(4), None)),
            ("laser=6", carries("laser", Some(6), Some(6))),
            ("box-launcher<3", carries("box-launcher", None, Some(2))),
            ("thrust<=12", carries("thrust", None, Some(12))),
        ] {
            assert_eq!(parse_term(typed), meant, "{typed}");
        }
        assert_eq!(parse_term("graser>"), Some(SearchTerm::Text("graser>".to_owned(), None)), "half typed");
    }
}
