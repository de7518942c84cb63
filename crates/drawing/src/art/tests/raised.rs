//! Figures that stand higher or lower than their line.

use super::{codes, page};

#[test]
fn raised_and_lowered_figures_beside_a_value_are_the_small_ones_of_the_font() {
    for (body, text) in [
        (r#"10<tspan baseline-shift="super" font-size="2.5">2</tspan> m{{ name }}"#, "10² m{{ name }}"),
        (r#"{{ name }} m<tspan style="baseline-shift:33%">12</tspan>"#, "{{ name }} m¹²"),
        (r#"{{ name }} H<tspan baseline-shift="sub">2</tspan>O"#, "{{ name }} H₂O"),
    ] {
        let (template, findings) = page(&format!(r#"<text x="10" y="20" font-size="4">{body}</text>"#));
        assert!(findings.is_empty() && template.slots.len() == 1, "{body}: {findings:?}");
        assert_eq!((&*template.slots[0].text.text, template.slots[0].size), (text, 4.0));
    }
    // What the font has no small figure for, such as a minus, says that it is not raised, and a formula is left as it is.
    for body in
        [r#"{{ name }}<tspan baseline-shift="super">-1</tspan>"#, r#"<tspan baseline-shift="super">{{ 2 }}</tspan>"#]
    {
        let (template, findings) = page(&format!(r#"<text x="10" y="20" font-size="4">a{body}</text>"#));
        assert_eq!((codes(&findings), template.slots.len()), (vec!["text-simplified"], 1), "{body}");
    }
}
