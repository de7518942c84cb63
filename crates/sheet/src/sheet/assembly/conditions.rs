//! Whether a part of a template is drawn for a ship: its `when:` groups, and rulers at true size only.

use super::prepare::PreparedTemplate;
use super::ship_view::ShipView;
use crate::sheet::layout::text_style::TextStyles;
use moldloft_drawing::art::GroupKind;

pub(in crate::sheet) fn condition_holds(
    prepared: &PreparedTemplate,
    view: &ShipView<'_>,
    styles: &TextStyles,
    when: Option<usize>,
) -> bool {
    let mut next = when;
    while let Some(place) = next {
        // A ruler scaled with its sheet would be wrong.
        if prepared.template.conditions[place].kind == GroupKind::Ruler && styles.minimums.page_scale != 1.0 {
            return false;
        }
        // An enclosing condition has a lower index.
        next = prepared.template.conditions[place].parent.filter(|&parent| parent < place);
    }
    when.is_none_or(|place| view.template_condition_holds(&prepared.texts, place))
}
