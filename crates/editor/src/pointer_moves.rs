//! Which moves of the pointer reach the window, and when: a move that changes nothing is held back for a while, and moves alone
//! draw few frames. Between the system's events and the window's; a button, a key or a wheel gets everything at once.

use std::time::{Duration, Instant};

use egui::{Context, Id, Pos2};

/// Between two frames while the pointer moves, at least.
const MIN_GAP: Duration = Duration::from_millis(33);
/// At most: without a graphics card, a frame may take long.
const MAX_GAP: Duration = Duration::from_millis(200);
/// Frames of moves take no more than this share of the time.
const FRAME_SHARE: u32 = 5;
/// A move over the same widget is shown this late, so that what follows the pointer in some other way follows soon. So are
/// the frames with which the window comes to rest after each move.
pub const SETTLE_GAP: Duration = Duration::from_millis(500);
/// After this long without a move, the pointer rests.
const REST: Duration = Duration::from_millis(120);

/// After anything but a move, frames are drawn as they are asked for.
const URGENT: Duration = Duration::from_millis(300);

/// When events came, and what is held back.
#[derive(Debug, Default)]
pub struct PointerMoves {
    buttons_down: u32,
    /// Of any move, held back or not.
    last_seen: Option<Instant>,
    /// Of a move that was let through.
    last_move: Option<Instant>,
    last_frame: Option<Instant>,
    /// Of frames that did not have to wait for the one before.
    frame_cost: Duration,
    /// A move was let through after the last frame.
    has_moved: bool,
    /// Of a key, a button, a wheel, another size of the window.
    last_other: Option<Instant>,
}

impl PointerMoves {
    fn gap(&self) -> Duration {
        (self.frame_cost * FRAME_SHARE).clamp(MIN_GAP, MAX_GAP)
    }

    pub fn saw_move(&mut self, now: Instant) {
        self.last_seen = Some(now);
    }

    /// When a move is due; now or earlier: at once.
    pub fn move_due(&self, now: Instant, changes_something: bool) -> Instant {
        let gap = if changes_something { self.gap() } else { SETTLE_GAP };
        match self.last_move {
            Some(last) if self.buttons_down == 0 => last + gap,
            _ => now,
        }
    }

    pub fn passed_move(&mut self, now: Instant) {
        self.last_move = Some(now);
        self.has_moved = true;
    }

    /// A key, a button, a wheel, another size of the window: what follows is shown at once.
    pub fn passed_other(&mut self, now: Instant) {
        self.last_other = Some(now);
    }

    /// What is dragged follows the pointer without delay.
    pub fn pressed(&mut self, is_down: bool) {
        self.buttons_down = if is_down { self.buttons_down + 1 } else { self.buttons_down.saturating_sub(1) };
    }

    /// Releases outside the window are not always reported.
    pub fn lost_pointer(&mut self) {
        self.buttons_down = 0;
    }

    /// When a frame is due; now or earlier: at once.
    pub fn frame_due(&self, now: Instant) -> Instant {
        let is_urgent = self.buttons_down > 0 || self.last_other.is_none_or(|other| now < other + URGENT);
        let Some(last) = self.last_frame.filter(|_| !is_urgent) else { return now };
        match self.last_seen.map(|seen| seen + REST) {
            _ if self.has_moved => last + self.gap(),
            // When the pointer rests, the window may come to rest.
            Some(rest) if rest > now => rest.min(last + SETTLE_GAP),
            _ => now,
        }
    }

    pub fn drew_frame(&mut self, from: Instant, to: Instant) {
        // A frame right after another one waits for the screen.
        if self.last_frame.is_none_or(|last| last + MIN_GAP <= from) {
            let cost = to.saturating_duration_since(from);
            self.frame_cost = if self.frame_cost.is_zero() { cost } else { (self.frame_cost * 3 + cost) / 4 };
        }
        self.last_frame = Some(to);
        self.has_moved = false;
    }
}

/// Makes every move over a widget count that shows something else from point to point: a sheet, a chart.
pub fn follow_pointer(ctx: &Context, widget: Id) {
    ctx.data_mut(|data| data.insert_temp(follow_key(widget), true));
}

fn follow_key(widget: Id) -> Id {
    widget.with("follows the pointer")
}

/// True if a move from one point to another may change what the window shows: another widget is under it, or one that
/// follows the pointer.
pub fn changes_something(ctx: &Context, from: Pos2, to: Pos2) -> bool {
    let (before, after) = (widgets_near(ctx, from), widgets_near(ctx, to));
    before != after || ctx.data(|data| after.under.iter().any(|id| data.get_temp(follow_key(*id)) == Some(true)))
}

#[derive(PartialEq)]
struct NearWidgets {
    under: Vec<Id>,
    /// The nearest that can be clicked or dragged and is not under the point, but within reach.
    nearest: Option<Id>,
}

fn widgets_near(ctx: &Context, at: Pos2) -> NearWidgets {
    let radius = ctx.global_style().interaction.interact_radius;
    let mut found = NearWidgets { under: Vec::new(), nearest: None };
    let mut reach = radius * radius;
    ctx.viewport(|viewport| {
        // Both points see the layers in the same order.
        for widget in viewport.prev_pass.widgets.layers().flat_map(|(_, widgets)| widgets) {
            if widget.interact_rect.contains(at) {
                found.under.push(widget.id);
            } else if widget.sense.senses_click() || widget.sense.senses_drag() {
                let distance = widget.interact_rect.distance_sq_to_pos(at);
                if distance < reach {
                    (reach, found.nearest) = (distance, Some(widget.id));
                }
            }
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(start: Instant, milliseconds: u64) -> Instant {
        start + Duration::from_millis(milliseconds)
    }

    /// How many frames are drawn in ten seconds of moves, 100 a second, each frame asking for two more, as egui's do.
    fn frames_of_moves(cost: u64, changes_something: bool) -> usize {
        #[allow(clippy::disallowed_methods, reason = "only differences count")]
        let start = Instant::now();
        let mut moves = PointerMoves::default();
        moves.passed_other(start);
        moves.drew_frame(start, at(start, cost));
        let (mut held, mut wanted, mut frames) = (false, 0, 0);
        for now in (1_000..11_000).map(|n| at(start, n)) {
            if now.duration_since(start).as_millis() % 10 == 0 {
                moves.saw_move(now);
                held = true;
            }
            if held && moves.move_due(now, changes_something) <= now {
                moves.passed_move(now);
                (held, wanted) = (false, 3);
            }
            if wanted > 0 && moves.frame_due(now) <= now {
                let end = now + Duration::from_millis(cost);
                moves.drew_frame(now, end);
                (wanted, frames) = (wanted - 1, frames + 1);
            }
        }
        frames
    }

    #[test]
    fn moves_draw_few_frames() {
        let quick = frames_of_moves(2, true);
        assert!((200..=310).contains(&quick), "30 a second with a graphics card: {quick}");
        let slow = frames_of_moves(30, true);
        assert!((40..=75).contains(&slow), "a fifth of the time without one: {slow}");
        let same = frames_of_moves(30, false);
        assert!(same <= 42, "over one widget: {same}");
    }

    #[test]
    #[allow(clippy::disallowed_methods, reason = "only differences count")]
    fn what_is_pressed_dragged_or_typed_is_shown_at_once() {
        let start = Instant::now();
        let mut moves = PointerMoves::default();
        moves.passed_other(start);
        moves.drew_frame(at(start, 0), at(start, 30));
        moves.saw_move(at(start, 1_000));
        moves.passed_move(at(start, 1_000));
        moves.drew_frame(at(start, 1_000), at(start, 1_030));
        moves.saw_move(at(start, 1_040));
        assert!(moves.move_due(at(start, 1_040), true) > at(start, 1_040), "held back");
        moves.pressed(true);
        moves.passed_other(at(start, 1_040));
        assert!(moves.move_due(at(start, 1_041), true) <= at(start, 1_041), "dragged");
        assert!(moves.frame_due(at(start, 1_042)) <= at(start, 1_042));
        moves.pressed(false);
        moves.passed_other(at(start, 1_050));
        moves.passed_move(at(start, 1_060));
        assert!(moves.frame_due(at(start, 1_061)) <= at(start, 1_061), "a click is answered at once");
        moves.drew_frame(at(start, 1_061), at(start, 1_091));
        // A while later, a move waits; when the pointer rests, nothing does.
        moves.saw_move(at(start, 2_000));
        moves.passed_move(at(start, 2_000));
        moves.drew_frame(at(start, 2_000), at(start, 2_030));
        moves.saw_move(at(start, 2_050));
        assert!(moves.frame_due(at(start, 2_060)) > at(start, 2_060));
        assert!(moves.frame_due(at(start, 2_200)) <= at(start, 2_200));
        moves.pressed(true);
        moves.lost_pointer();
        assert!(moves.move_due(at(start, 2_201), true) > at(start, 2_001), "no button is held for ever");
    }

    #[test]
    fn only_a_change_of_what_is_under_the_pointer_counts() {
        let ctx = Context::default();
        let mut follows = false;
        let frame = |follows: bool| {
            let input = egui::RawInput {
                screen_rect: Some(egui::Rect::from_min_size(Pos2::ZERO, egui::vec2(400.0, 300.0))),
                ..egui::RawInput::default()
            };
            let mut rects = Vec::new();
            let mut output = ctx.run_ui(input, |ui| {
                rects.clear();
                let one = ui.add_sized([120.0, 40.0], egui::Button::new("one"));
                let other = ui.add_sized([120.0, 40.0], egui::Button::new("other"));
                if follows {
                    follow_pointer(ui.ctx(), one.id);
                }
                rects.extend([one.rect, other.rect]);
            });
            output.textures_delta.clear();
            rects
        };
        _ = frame(follows);
        let rects = frame(follows);
        let (one, other) = (rects[0].center(), rects[1].center());
        assert!(!changes_something(&ctx, one, one + egui::vec2(20.0, 3.0)));
        assert!(changes_something(&ctx, one, other));
        assert!(changes_something(&ctx, one, egui::pos2(390.0, 290.0)));
        follows = true;
        _ = frame(follows);
        assert!(changes_something(&ctx, one, one + egui::vec2(20.0, 3.0)));
    }
}
