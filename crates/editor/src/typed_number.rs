//! What is typed into a field for a number: takes the text and the range, gives the number or says why not. A number
//! that is refused is never replaced by another.

use std::cell::Cell;
use std::ops::RangeInclusive;

use egui::{DragValue, Event, InputState, Response};

use crate::widgets::error_text;

/// What the parser of a field found in this frame.
#[derive(Default)]
pub struct TypedNumber(Cell<Option<Result<f64, String>>>);

impl TypedNumber {
    /// A field for whole numbers of a range; a value outside it stays until the user changes it.
    pub fn whole<'a>(&'a self, value: &'a mut i64, range: RangeInclusive<i64>) -> DragValue<'a> {
        let (least, most) = (*range.start(), *range.end());
        DragValue::new(value)
            .range(range)
            .clamp_existing_to_range(false)
            .update_while_editing(true)
            .speed(0.1)
            .custom_parser(move |text| self.keep(parse_whole(text, least, most).map(|number| number as f64)))
    }

    fn keep(&self, found: Result<f64, String>) -> Option<f64> {
        let number = found.as_ref().ok().copied();
        self.0.set(Some(found));
        number
    }

    /// Says below the field why its text is refused, until the text or the focus changes. When a refused text is
    /// left, gives the number from before it, in place of what was taken from its first digits.
    pub fn tell(&self, response: &Response, value: i64) -> Option<i64> {
        let id = response.id.with("refused");
        let ctx = &response.ctx;
        let is_left = !response.has_focus() && !response.lost_focus() && ctx.input(is_pressed);
        let before_id = response.id.with("before");
        let before = ctx.data(|data| data.get_temp::<i64>(before_id));
        match response.has_focus() {
            true => ctx.data_mut(|data| {
                data.get_temp_mut_or(before_id, value);
            }),
            false => ctx.data_mut(|data| data.remove::<i64>(before_id)),
        }
        match self.0.take() {
            Some(Err(why)) if !why.is_empty() => {
                ctx.data_mut(|data| data.insert_temp(id, why));
            }
            None if !is_left => {}
            _ => ctx.data_mut(|data| data.remove::<String>(id)),
        }
        let why = ctx.data(|data| data.get_temp::<String>(id))?;
        response.show_tooltip_ui(|ui| {
            error_text(ui, why);
        });
        before.filter(|before| *before != value && response.lost_focus())
    }
}

/// Whether a key or the pointer was.
fn is_pressed(input: &InputState) -> bool {
    let is_key = |event: &Event| matches!(event, Event::Key { pressed: true, .. });
    input.pointer.any_pressed() || input.events.iter().any(is_key)
}

/// A number with a point or a comma, as any keyboard writes it.
pub fn parse_decimal(text: &str) -> Option<f64> {
    let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    plain.replace(',', ".").replace('−', "-").parse().ok()
}

/// # Errors
/// Why the text is no such number; empty while it is being typed.
fn parse_whole(text: &str, least: i64, most: i64) -> Result<i64, String> {
    let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect::<String>().replace('−', "-");
    if matches!(plain.as_str(), "" | "-" | "+") {
        return Err(String::new());
    }
    let is_whole = plain.trim_start_matches(['-', '+']).bytes().all(|byte| byte.is_ascii_digit());
    match plain.parse::<i64>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ if is_whole => Err(format!("expected {least} to {most}, found {plain}")),
        _ => Err(format!("expected a whole number, found {plain}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused_is_said() {
        let of = |text| parse_whole(text, 0, 9_999);
        assert_eq!((of("12"), of(" 1 2 "), of("+7")), (Ok(12), Ok(12), Ok(7)));
        assert_eq!(of("99999999999"), Err("expected 0 to 9999, found 99999999999".into()));
        assert_eq!(of("99999999999999999999999"), Err("expected 0 to 9999, found 99999999999999999999999".into()));
        assert_eq!((of("-3"), of("−3")), (Err("expected 0 to 9999, found -3".into()), of("-3")));
        assert_eq!(of("2,5"), Err("expected a whole number, found 2,5".into()));
        assert_eq!((of(""), of("-")), (Err(String::new()), Err(String::new())));
        assert_eq!((parse_decimal("2,5"), parse_decimal("2.5"), parse_decimal("x")), (Some(2.5), Some(2.5), None));
    }
}
