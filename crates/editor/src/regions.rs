//! Regions of the window for F6, which moves the focus to the first widget of the next region. Changes only egui's
//! focus.

use egui::{Context, FocusDirection, Id, Key, Modifiers, Pos2, Rect, Ui};

/// In the order of F6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Region {
    Menu,
    Tabs,
    Guide,
    Library,
    Form,
    Sheet,
    Inspector,
    /// Below what they show, or above it.
    InspectorTabs,
    /// What is over the others: it comes last.
    Notices,
}

#[derive(Clone, Debug, Default)]
struct RegionMemory {
    previous_frame: Vec<(Region, Rect)>,
    this_frame: Vec<(Region, Rect)>,
    requested: Option<Region>,
    /// By a command: for the next frame, which shows it.
    wanted: Option<Region>,
    /// Where it went last, for a widget that is scrolled out of every region.
    last: Option<Region>,
}

fn memory_id() -> Id {
    Id::unique("regions")
}

fn anchor_id() -> Id {
    Id::unique("region anchor")
}

/// Moves the focus to the first widget of this region, in the next frame.
pub fn go_to(ctx: &Context, region: Region) {
    ctx.data_mut(|data| data.get_temp_mut_or_default::<RegionMemory>(memory_id()).wanted = Some(region));
    ctx.request_repaint();
}

/// Must run before the regions are shown. Gives whether the focus moves to one of them.
pub fn handle_keys(ctx: &Context) -> bool {
    let (on, back) = ctx.input_mut(|input| {
        let back = input.consume_key(Modifiers::SHIFT, Key::F6);
        (input.consume_key(Modifiers::NONE, Key::F6), back)
    });
    let here = ctx.memory(|memory| memory.focused()).and_then(|id| ctx.read_response(id)).map(|response| response.rect);
    let wanted = ctx.data_mut(|data| {
        let seen = data.get_temp_mut_or_default::<RegionMemory>(memory_id());
        seen.previous_frame = std::mem::take(&mut seen.this_frame);
        let last = seen.last.filter(|_| here.is_some());
        let by_key = if on || back { next_region(&seen.previous_frame, here, last, back) } else { None };
        seen.requested = by_key.or(seen.wanted.take());
        seen.last = seen.requested.or(seen.last);
        seen.requested
    });
    if wanted.is_some() {
        ctx.memory_mut(|memory| {
            memory.request_focus(anchor_id());
            memory.move_focus(FocusDirection::Next);
        });
    }
    wanted.is_some()
}

fn next_region(seen: &[(Region, Rect)], here: Option<Rect>, last: Option<Region>, back: bool) -> Option<Region> {
    let mut order: Vec<Region> = seen.iter().map(|(region, _)| *region).collect();
    order.sort_unstable();
    order.dedup();
    // Regions are nested: take the smallest; what is over them holds only what F6 has led to.
    let holds = seen.iter().filter(|(region, _)| *region != Region::Notices || last == Some(Region::Notices));
    let holds = holds.filter(|(_, rect)| here.is_some_and(|here| rect.contains(here.center())));
    let here = holds.min_by(|one, two| one.1.area().total_cmp(&two.1.area())).map(|(region, _)| *region).or(last);
    let at = here.and_then(|here| order.iter().position(|region| *region == here));
    let count = order.len();
    let to = match (at, back) {
        (Some(at), false) => (at + 1) % count.max(1),
        (Some(at), true) => (at + count - 1) % count.max(1),
        (None, false) => 0,
        (None, true) => count.saturating_sub(1),
    };
    order.get(to).copied()
}

pub fn is_in_page(ctx: &Context, id: Id) -> bool {
    let region = ctx.read_response(id).and_then(|response| region_at(ctx, response.rect.center()));
    region.is_some_and(|region| !matches!(region, Region::Menu | Region::Tabs))
}

pub fn region_at(ctx: &Context, at: Pos2) -> Option<Region> {
    let seen = ctx.data(|data| data.get_temp::<RegionMemory>(memory_id())).unwrap_or_default();
    let holds = seen.this_frame.iter().chain(&seen.previous_frame).filter(|(_, region)| region.contains(at));
    holds.min_by(|one, two| one.1.area().total_cmp(&two.1.area())).map(|(region, _)| *region)
}

pub fn begin_region(ui: &Ui, region: Region) {
    let rect = ui.available_rect_before_wrap();
    let is_wanted = ui.data_mut(|data| {
        let seen = data.get_temp_mut_or_default::<RegionMemory>(memory_id());
        seen.this_frame.push((region, rect));
        let is_wanted = seen.requested == Some(region);
        if is_wanted {
            seen.requested = None;
        }
        is_wanted
    });
    if is_wanted {
        let layer = ui.layer_id();
        ui.memory_mut(|memory| memory.interested_in_focus(anchor_id(), layer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn regions_follow_one_another() {
        let rect = |x: f32| Rect::from_min_max(pos2(x, 0.0), pos2(x + 10.0, 10.0));
        let seen = [(Region::Menu, rect(0.0)), (Region::Sheet, rect(20.0)), (Region::Form, rect(10.0))];
        let at = |x: f32| Some(rect(x).shrink(3.0));
        assert_eq!(next_region(&seen, None, None, false), Some(Region::Menu));
        assert_eq!(next_region(&seen, None, None, true), Some(Region::Sheet));
        assert_eq!(next_region(&seen, at(0.0), None, false), Some(Region::Form));
        assert_eq!(next_region(&seen, at(20.0), None, false), Some(Region::Menu));
        assert_eq!(next_region(&seen, at(0.0), None, true), Some(Region::Sheet));
        assert_eq!(next_region(&seen, at(90.0), Some(Region::Form), false), Some(Region::Sheet));
        assert_eq!(next_region(&[], at(0.0), None, false), None);
    }
}
