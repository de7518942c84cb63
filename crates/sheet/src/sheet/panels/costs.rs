//! `panel: costs`: the cost, line by line: count, points each, total.

use super::content::text_blocks::{AmountLine, AmountTable};
use super::kind::PanelKind;
use super::panel::Panel;
use super::panel_args::PanelArgs;
use crate::sheet::assembly::ship_view::{ShipView, mark_house_rule, with_minus_signs};
use crate::sheet::assembly::shown_parts::ShownParts;
use crate::sheet::layout::flowable::{Flowable, HeadingStyle};

pub static KIND: PanelKind = PanelKind {
    name: "costs",
    argument: "none",
    about: "the cost lines and their sum",
    options: &[],
    compile: |_: &mut PanelArgs<'_>| Some(Box::new(CostsPanel)),
};

struct CostsPanel;

impl Panel for CostsPanel {
    fn content(&self, view: &ShipView<'_>, _: &mut ShownParts) -> Option<Box<dyn Flowable>> {
        let costs = &view.evaluation.costs;
        let mut lines: Vec<AmountLine> = costs
            .iter()
            .enumerate()
            .map(|(n, line)| AmountLine {
                words: mark_house_rule(&view.say(&line.label), line.house).into(),
                sum: if line.count == 1 {
                    "".into()
                } else {
                    format!("{} × {}", line.count, with_minus_signs(&line.each.to_string())).into()
                },
                total: with_minus_signs(&line.total.to_string()).into(),
                is_strong: false,
                shown_value: format!("cost:{n}").into(),
            })
            .collect();
        if lines.is_empty() {
            return None;
        }
        if let Some(points) = view.evaluation.points {
            lines.push(AmountLine {
                words: view.say("points").into(),
                sum: "".into(),
                total: points.to_string().into(),
                is_strong: true,
                shown_value: "cost:".into(),
            });
        }
        Some(Box::new(AmountTable { lines }))
    }

    fn heading(&self, view: &ShipView<'_>) -> Option<(String, HeadingStyle)> {
        Some((view.say("Cost"), HeadingStyle::Ruled))
    }
}
