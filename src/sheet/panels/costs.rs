//! `panel: costs`: the cost, line by line: count, points each, total.

use super::words::{Account, Figures};
use super::{Kind, Panel, Setup};
use crate::sheet::content::{Content, HeadingStyle};
use crate::sheet::view::{View, minus, starred};

/// The kind.
pub static KIND: Kind = Kind {
    name: "costs",
    argument: "none",
    about: "the cost lines and their sum",
    options: &[],
    compile: |_: &mut Setup<'_>| Some(Box::new(Costs)),
};

struct Costs;

impl Panel for Costs {
    fn content(&self, view: &View<'_>) -> Option<Box<dyn Content>> {
        let costs = &view.evaluation.costs;
        let mut lines: Vec<Figures> = costs
            .iter()
            .map(|line| Figures {
                words: starred(&line.label, line.house).into(),
                sum: if line.count == 1 {
                    "".into()
                } else {
                    format!("{} × {}", line.count, minus(&line.each.to_string())).into()
                },
                total: minus(&line.total.to_string()).into(),
                strong: false,
            })
            .collect();
        if lines.is_empty() {
            return None;
        }
        if let Some(points) = view.evaluation.points {
            lines.push(Figures {
                words: "points".into(),
                sum: "".into(),
                total: points.to_string().into(),
                strong: true,
            });
        }
        Some(Box::new(Account { lines }))
    }

    fn heading(&self, _view: &View<'_>) -> Option<(String, HeadingStyle)> {
        Some(("Cost".into(), HeadingStyle::Ruled))
    }
}
