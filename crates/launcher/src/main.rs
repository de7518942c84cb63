//! Opens the window where a program for the command line would bring a console along: runs `moldloft edit`, and shows in a dialog why it ended badly.

#![windows_subsystem = "windows"]

use std::env;
use std::io;
use std::process::{Command, ExitCode, Output, Stdio};

fn main() -> ExitCode {
    let fault = match open_window() {
        Ok(ended) if ended.status.success() => return ExitCode::SUCCESS,
        Ok(ended) if ended.stderr.is_empty() => format!("the window closed by itself: {}", ended.status),
        Ok(ended) => String::from_utf8_lossy(&ended.stderr).into_owned(),
        Err(error) => format!("cannot start moldloft, which belongs in the same folder as this program: {error}"),
    };
    let dialog =
        rfd::MessageDialog::new().set_level(rfd::MessageLevel::Error).set_title("Moldloft could not open its window");
    dialog.set_description(fault).show();
    ExitCode::FAILURE
}

/// Returns when the window is closed.
fn open_window() -> io::Result<Output> {
    let beside = env::current_exe()?.with_file_name(format!("moldloft{}", env::consts::EXE_SUFFIX));
    let mut program = Command::new(beside);
    #[cfg(windows)]
    {
        const CREATE_NO_WINDOW: u32 = 0x0800_0000;
        std::os::windows::process::CommandExt::creation_flags(&mut program, CREATE_NO_WINDOW);
    }
    program.arg("edit").args(env::args_os().skip(1)).stdin(Stdio::null()).stdout(Stdio::null()).output()
}
