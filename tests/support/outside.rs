//! Programs that are not ours and read back what was written. A test that needs one that the machine lacks says so at its start, and is
//! named and counted on the terminal: libtest knows no test that could not run.

use std::io::Write as _;
use std::process::Command;

fn is_there(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// The first of several programs that is there.
#[allow(dead_code, reason = "each test program uses a part")]
pub fn any_of<'a>(programs: &[&'a str]) -> Option<&'a str> {
    programs.iter().copied().find(|program| is_there(program))
}

/// Whether the running test lacks a program (`a|b` is any of several) and must be skipped. CI lacks none.
pub fn lacks(programs: &[&str]) -> bool {
    let missing: Vec<&str> = programs.iter().copied().filter(|any| !any.split('|').any(is_there)).collect();
    if missing.is_empty() {
        return false;
    }
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let needs = missing.join(", ").replace('|', " or ");
    assert!(std::env::var_os("CI").is_none(), "{test} needs {needs} (sh tools/setup.sh tests)");
    // Counted over all test programs of one run, which have the same parent.
    #[cfg(unix)]
    let run = std::os::unix::process::parent_id();
    #[cfg(not(unix))]
    let run = 0;
    let counted = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("skipped-{run}"));
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(&counted).expect("a file to count in");
    writeln!(file, "{test}").expect("written");
    let count = std::fs::read_to_string(&counted).map_or(0, |lines| lines.lines().count());
    // Not `eprintln!`, which a passing test keeps to itself.
    let _ = writeln!(std::io::stderr(), "SKIPPED ({count} so far): {test} needs {needs} (sh tools/setup.sh tests)");
    true
}

/// What another program says of a file.
#[allow(dead_code, reason = "each test program uses a part")]
pub fn tool(name: &str, arguments: &[&str]) -> String {
    let done = Command::new(name).args(arguments).output();
    let done = done.unwrap_or_else(|error| panic!("{name} is needed (sh tools/setup.sh tests): {error}"));
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{name} {arguments:?}: {said}{}", String::from_utf8_lossy(&done.stderr));
    said
}
