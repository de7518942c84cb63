//! The real window under a virtual display: it opens with a design, shows something, and closes when it is asked to. It needs Xvfb,
//! xdotool and ImageMagick's import.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::support::outside;

/// Ends a program when the test is over, however it went.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn quiet(program: &str) -> Command {
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// A display of our own: Xvfb finds a free number and tells it.
fn display() -> (Running, String) {
    let mut command = quiet("Xvfb");
    command.args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"]).stdout(Stdio::piped());
    let mut child = command.spawn().expect("Xvfb starts");
    let mut number = String::new();
    let out = child.stdout.take().expect("its output");
    std::io::BufRead::read_line(&mut std::io::BufReader::new(out), &mut number).expect("the display's number");
    (Running(child), format!(":{}", number.trim()))
}

/// How many colours the screen shows.
fn colours(display: &str) -> usize {
    let shown = Command::new("import").env("DISPLAY", display).args(["-window", "root", "rgb:-"]).output();
    let shown = shown.expect("import runs").stdout;
    let (pixels, _) = shown.as_chunks::<3>();
    pixels.iter().collect::<std::collections::BTreeSet<_>>().len()
}

#[test]
fn the_window_opens_shows_a_design_and_closes() {
    if outside::lacks(&["Xvfb", "xdotool", "import"]) {
        return;
    }
    let (_screen, display) = display();
    let home = tempfile::tempdir().expect("a folder");
    let design = Path::new(env!("CARGO_MANIFEST_DIR")).join("designs/wars-of-honor/vigilant.toml");
    let mut window = quiet(env!("CARGO_BIN_EXE_moldloft"));
    window.arg("edit").arg(design).current_dir(home.path());
    window.env("HOME", home.path()).env("DISPLAY", &display).env("LIBGL_ALWAYS_SOFTWARE", "1");
    for name in ["WAYLAND_DISPLAY", "WAYLAND_SOCKET", "XDG_CONFIG_HOME", "XDG_DATA_HOME"] {
        window.env_remove(name);
    }
    let mut window = Running(window.spawn().expect("the program starts"));

    let mut most = 0;
    for _ in 0..300 {
        assert_eq!(window.0.try_wait().expect("its state"), None, "the window closed by itself");
        most = most.max(colours(&display));
        if most > 40 {
            break;
        }
        sleep(Duration::from_millis(200));
    }
    assert!(most > 40, "the window stays blank: {most} colours");

    // Ctrl+Q, as a player leaves. Without a window manager the keyboard has to be given.
    let keys = ["search", "--name", "Moldloft", "windowfocus", "--sync", "key", "--clearmodifiers", "ctrl+q"];
    let mut status = None;
    for n in 0..150 {
        if n % 25 == 0 {
            let _ = quiet("xdotool").env("DISPLAY", &display).args(keys).status();
        }
        status = window.0.try_wait().expect("its state");
        if status.is_some() {
            break;
        }
        sleep(Duration::from_millis(200));
    }
    assert!(status.is_some_and(|status| status.success()), "it closes by itself and well: {status:?}");
    let settings = std::fs::read_to_string(home.path().join(".config/moldloft/editor.json")).expect("the settings");
    assert!(settings.contains("vigilant.toml"), "the tab is remembered: {settings}");
}
