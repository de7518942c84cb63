//! Runs the window: passes the system's events on to eframe, but holds back moves of the pointer that change nothing.

#![allow(clippy::disallowed_methods, reason = "when frames are drawn depends on the time, what they show does not")]

use std::cell::OnceCell;
use std::rc::Rc;
use std::time::Instant;

use eframe::{EframeWinitApplication, UserEvent};
use egui::{Pos2, pos2};
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalPosition;
use winit::event::{DeviceEvent, DeviceId, StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::window::WindowId;

use crate::pointer_moves::{PointerMoves, changes_something};

/// Returns when the window is closed.
///
/// # Errors
/// Why no window can be opened.
pub fn run(options: eframe::NativeOptions, make: eframe::AppCreator<'static>) -> Result<(), String> {
    // The error's own text names a source file of its library.
    let no_display = |_| "this session has no display".to_owned();
    let event_loop = EventLoop::<UserEvent>::with_user_event().build().map_err(no_display)?;
    let context = Rc::new(OnceCell::new());
    let made = Rc::clone(&context);
    let make: eframe::AppCreator<'static> = Box::new(move |creation| {
        _ = made.set(creation.egui_ctx.clone());
        make(creation)
    });
    let inner = eframe::create_native("moldloft", options, make, &event_loop);
    let mut window = Window {
        inner,
        context: Rc::clone(&context),
        moves: PointerMoves::default(),
        shown_at: None,
        held_move: None,
        held_frame: None,
    };
    event_loop.run_app(&mut window).map_err(no_display)?;
    // eframe keeps its own error to itself.
    match context.get() {
        Some(_) => Ok(()),
        None => Err("the graphics of this session do not work; it needs OpenGL 2.1 or newer".to_owned()),
    }
}

struct Window {
    inner: EframeWinitApplication<'static>,
    /// Set once the window is there.
    context: Rc<OnceCell<egui::Context>>,
    moves: PointerMoves,
    /// Of the last move that was passed on.
    shown_at: Option<PhysicalPosition<f64>>,
    held_move: Option<(WindowId, DeviceId, PhysicalPosition<f64>)>,
    held_frame: Option<WindowId>,
}

impl Window {
    fn move_due(&self, now: Instant, to: PhysicalPosition<f64>) -> Instant {
        let (Some(ctx), Some(from)) = (self.context.get(), self.shown_at) else { return now };
        let scale = f64::from(ctx.pixels_per_point());
        let point = |at: PhysicalPosition<f64>| -> Pos2 { pos2((at.x / scale) as f32, (at.y / scale) as f32) };
        self.moves.move_due(now, changes_something(ctx, point(from), point(to)))
    }

    fn pass_held_move(&mut self, event_loop: &ActiveEventLoop) {
        if let Some((window, device_id, position)) = self.held_move.take() {
            self.shown_at = Some(position);
            self.moves.passed_move(Instant::now());
            self.inner.window_event(event_loop, window, WindowEvent::CursorMoved { device_id, position });
        }
    }

    fn draw_frame(&mut self, event_loop: &ActiveEventLoop, window: WindowId) {
        self.held_frame = None;
        let from = Instant::now();
        self.inner.window_event(event_loop, window, WindowEvent::RedrawRequested);
        self.moves.drew_frame(from, Instant::now());
    }
}

impl ApplicationHandler<UserEvent> for Window {
    fn window_event(&mut self, event_loop: &ActiveEventLoop, window: WindowId, event: WindowEvent) {
        let now = Instant::now();
        match event {
            WindowEvent::CursorMoved { device_id, position } => {
                self.moves.saw_move(now);
                self.held_move = Some((window, device_id, position));
                if self.move_due(now, position) <= now {
                    self.pass_held_move(event_loop);
                }
            }
            WindowEvent::RedrawRequested if self.moves.frame_due(now) > now => self.held_frame = Some(window),
            WindowEvent::RedrawRequested => self.draw_frame(event_loop, window),
            // Of other devices; nothing of the window uses it.
            WindowEvent::AxisMotion { .. } => {}
            event => {
                self.pass_held_move(event_loop);
                match &event {
                    WindowEvent::MouseInput { state, .. } => self.moves.pressed(state.is_pressed()),
                    WindowEvent::CursorLeft { .. } => self.shown_at = None,
                    WindowEvent::Focused(false) => self.moves.lost_pointer(),
                    _ => {}
                }
                self.moves.passed_other(now);
                self.inner.window_event(event_loop, window, event);
            }
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let now = Instant::now();
        if let Some((.., position)) = self.held_move
            && self.move_due(now, position) <= now
        {
            self.pass_held_move(event_loop);
        }
        if let Some(window) = self.held_frame
            && self.moves.frame_due(now) <= now
        {
            self.draw_frame(event_loop, window);
        }
        self.inner.about_to_wait(event_loop);
        let held_move = self.held_move.map(|(.., position)| self.move_due(now, position));
        let held_frame = self.held_frame.map(|_| self.moves.frame_due(now));
        let Some(due) = held_move.into_iter().chain(held_frame).min() else { return };
        match event_loop.control_flow() {
            ControlFlow::Poll => {}
            ControlFlow::WaitUntil(earlier) if earlier <= due => {}
            ControlFlow::WaitUntil(_) | ControlFlow::Wait => event_loop.set_control_flow(ControlFlow::WaitUntil(due)),
        }
    }

    fn device_event(&mut self, event_loop: &ActiveEventLoop, device: DeviceId, event: DeviceEvent) {
        // Each would draw a frame; `CursorMoved` says the same.
        if !matches!(event, DeviceEvent::MouseMotion { .. } | DeviceEvent::Motion { .. }) {
            self.inner.device_event(event_loop, device, event);
        }
    }

    fn new_events(&mut self, event_loop: &ActiveEventLoop, cause: StartCause) {
        self.inner.new_events(event_loop, cause);
    }

    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        self.inner.resumed(event_loop);
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, event: UserEvent) {
        self.inner.user_event(event_loop, event);
    }

    fn suspended(&mut self, event_loop: &ActiveEventLoop) {
        self.inner.suspended(event_loop);
    }

    fn exiting(&mut self, event_loop: &ActiveEventLoop) {
        self.inner.exiting(event_loop);
    }

    fn memory_warning(&mut self, event_loop: &ActiveEventLoop) {
        self.inner.memory_warning(event_loop);
    }
}
