//! The program between others: standard input and output, what it says and does not, what shells and manuals take from it.

use std::io::{ErrorKind, Write};
use std::process::{Command, Stdio};

use crate::support::program::{Folder, Output};

const GOOD: &str = include_str!("cases/wars-of-honor/good/dd.toml");

/// Runs the program with this on its standard input; gives its standard output as bytes, too.
fn fed(folder: &Folder, input: &[u8], arguments: &[&str]) -> (Output, Vec<u8>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_moldloft"));
    command.args(arguments).current_dir(folder.0.path()).env_remove("NO_COLOR");
    let mut program =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let sent = program.stdin.take().expect("a pipe").write_all(input);
    // Who refuses what is asked for may end before it has read.
    assert!(sent.as_ref().err().is_none_or(|why| why.kind() == ErrorKind::BrokenPipe), "{sent:?}");
    let output = program.wait_with_output().expect("it ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let status = output.status.code().unwrap_or(-1);
    (Output { status, out: text(&output.stdout), err: text(&output.stderr) }, output.stdout)
}

#[test]
fn a_design_is_read_from_standard_input() {
    let folder = Folder::new();
    fed(&folder, GOOD.as_bytes(), &["check", "-"]).0.expect(0).says("standard input: ").says("442 points");
    let broken = GOOD.replacen("unit = ", "unitt = ", 1);
    fed(&folder, broken.as_bytes(), &["check", "-"]).0.expect(1).says("--> standard input:").says("unit");
    fed(&folder, b"name = \xff", &["check", "-"]).0.expect(1).says("not valid UTF-8");
    let large = vec![b'#'; 5_000_000];
    // It stops reading at the limit, so the pipe may close.
    let mut program = Command::new(env!("CARGO_BIN_EXE_moldloft"));
    let program = program.args(["check", "-"]).stdin(Stdio::piped()).stderr(Stdio::piped()).stdout(Stdio::piped());
    let mut program = program.spawn().unwrap();
    let _ = program.stdin.take().unwrap().write_all(&large);
    let output = program.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && said.contains("too large"), "{said}");
    // A fleet finds its classes from the current folder.
    folder.write("dd.toml", GOOD.as_bytes());
    let fleet = b"ruleset = \"wars-of-honor\"\n[[ship]]\ndesign = \"dd.toml\"\n";
    fed(&folder, fleet, &["check", "-"]).0.expect(0).says("1 fleet: 1 legal");
}

#[test]
fn pages_go_to_standard_output_as_the_file_would_be() {
    let folder = Folder::with(&[("dd.toml", GOOD.as_bytes())]);
    folder.run(&["print", "dd.toml", "-o", "file.pdf"]).expect(0);
    let (output, bytes) = fed(&folder, GOOD.as_bytes(), &["print", "-", "-o", "-"]);
    output.expect(0);
    assert!(bytes == std::fs::read(folder.path("file.pdf")).unwrap(), "the same bytes, and nothing else");
    assert_eq!(folder.files(), ["dd.toml", "file.pdf"], "no file of that name");
    let picture = |arguments: &[&str]| fed(&folder, GOOD.as_bytes(), &[&["print", "-", "-o", "-"], arguments].concat());
    assert!(picture(&["--format", "png"]).1.starts_with(b"\x89PNG"));
    assert!(
        picture(&["--format", "svg"]).1.starts_with(b"<svg") || picture(&["--format", "svg"]).1.starts_with(b"<?xml")
    );
    let (several, bytes) = picture(&["--format", "svg", "--copies", "2"]);
    several.expect(2).says("cannot write 2 files to the standard output").says("--pages 1");
    assert!(bytes.is_empty(), "nothing rather than a part");
    picture(&["--format", "docx"]).0.expect(2).says("pdf, svg, png");
}

#[test]
fn quiet_leaves_errors_and_what_was_asked_for() {
    let folder = Folder::with(&[("dd.toml", GOOD.as_bytes()), ("bad.toml", b"ruleset = \"wars-of-honor\"\n")]);
    let silent = |arguments: &[&str]| {
        let output = folder.run(arguments);
        assert_eq!((output.status, &*output.out, &*output.err), (0, "", ""), "{arguments:?}");
    };
    silent(&["check", "dd.toml", "--quiet"]);
    silent(&["-q", "print", "dd.toml", "-o", "dd.pdf"]);
    silent(&["new", "wars-of-honor", "Bodkin", "-o", "bodkin.toml", "-q"]);
    let bad = folder.run(&["check", "-q", "dd.toml", "bad.toml"]);
    bad.expect(1).says("error[").says("bad.toml");
    assert!(
        !bad.out.contains("dd.toml") && !bad.out.contains("warning") && !bad.out.contains("designs:"),
        "{}",
        bad.out
    );
    assert!(!folder.run(&["list", "-q"]).out.is_empty(), "what was asked for");
}

#[test]
fn colours_are_as_asked_for() {
    let folder = Folder::with(&[("bad.toml", b"ruleset = \"wars-of-honor\"\n")]);
    assert!(!folder.run(&["check", "bad.toml"]).out.contains('\x1b'), "none in a pipe");
    assert!(folder.run(&["check", "bad.toml", "--color", "always"]).out.contains("\x1b[1;31merror"));
    assert!(!folder.run(&["--color", "never", "check", "bad.toml"]).out.contains('\x1b'));
    folder.run(&["check", "bad.toml", "--color", "blue"]).expect(2).says("always");
}

#[test]
fn shells_and_manuals_know_every_command() {
    let folder = Folder::new();
    let help = folder.run(&["--help"]).out;
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .map_while(|line| line.strip_prefix("  "))
        .filter_map(|line| line.split(' ').next().filter(|word| !word.is_empty() && *word != "help"))
        .collect();
    assert!(commands.len() > 20 && commands.contains(&"check"), "{commands:?}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = folder.run(&["completions", shell]);
        script.expect(0);
        assert!(commands.iter().all(|command| script.out.contains(command)), "{shell}");
    }
    folder.run(&["completions", "tcsh"]).expect(2).says("bash");
    folder.run(&["man", "pages"]).expect(0).says("pages: ");
    for command in &commands {
        let page = std::fs::read_to_string(folder.path(&format!("pages/moldloft-{command}.1"))).expect(command);
        assert!(page.contains(".SH SYNOPSIS") && page.contains(".SH OPTIONS"), "{command}");
    }
    assert!(folder.path("pages/moldloft-rules-impact.1").exists());
}

/// Long work says how far it is on a terminal, and takes it away again; a pipe never has it.
#[test]
fn progress_is_for_terminals() {
    let designs = concat!(env!("CARGO_MANIFEST_DIR"), "/designs/wars-of-honor");
    let folder = Folder::new();
    let matrix = ["odds", "--matrix", designs];
    assert!(!folder.run(&matrix).expect(0).err.contains("pair of ships"), "none in a pipe");
    let on_terminal = |more: &str| {
        let line = format!("'{}' {} {more} >matrix.txt", env!("CARGO_BIN_EXE_moldloft"), matrix.join(" "));
        let run = Command::new("script").args(["-qec", &line, "/dev/null"]).current_dir(folder.0.path()).output();
        String::from_utf8_lossy(&run.expect("script, of util-linux").stdout).into_owned()
    };
    let said = on_terminal("");
    assert!(said.contains("\rpair of ships ") && said.ends_with('\r'), "{said:?}");
    assert!(!on_terminal("--quiet").contains("pair of ships"));
}

#[test]
fn what_is_sent_goes_to_standard_output_as_the_file_would_be() {
    let folder = Folder::with(&[("dd.toml", GOOD.as_bytes())]);
    folder.write("fleet.toml", b"ruleset = \"wars-of-honor\"\n[[ship]]\ndesign = \"dd.toml\"\n");
    folder.run(&["bundle", "fleet.toml", "-o", "file.moldloft"]).expect(0);
    let (output, bytes) = fed(&folder, b"", &["bundle", "fleet.toml", "-o", "-"]);
    output.expect(0);
    assert!(bytes == std::fs::read(folder.path("file.moldloft")).unwrap(), "the same bytes, and nothing else");
    let list = folder.run(&["share", "fleet.toml", "-o", "-"]);
    assert_eq!(list.expect(0).out, folder.run(&["share", "fleet.toml"]).out);
    assert_eq!(folder.files(), ["dd.toml", "file.moldloft", "fleet.toml"], "no file of that name");
}
