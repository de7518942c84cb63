//! The program run in a player's folder: takes files and arguments, gives what it printed.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

/// A player's folder with designs.
pub struct Folder(pub tempfile::TempDir);

/// What the program printed.
pub struct Output {
    pub status: i32,
    pub out: String,
    pub err: String,
}

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn with(files: &[(&str, &[u8])]) -> Self {
        let folder = Self::new();
        for (name, bytes) in files {
            folder.write(name, bytes);
        }
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_moldloft"));
        command.args(arguments).current_dir(self.0.path()).env_remove("NO_COLOR");
        for display in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
            command.env_remove(display);
        }
        let output = command.output().unwrap();
        Output {
            status: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// The names in the folder, sorted.
    pub fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

impl Output {
    #[track_caller]
    pub fn expect(&self, status: i32) -> &Self {
        assert_eq!(self.status, status, "stdout:\n{}\nstderr:\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    pub fn says(&self, word: &str) -> &Self {
        assert!(format!("{}{}", self.out, self.err).contains(word), "no “{word}” in\n{}\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    pub fn lacks(&self, word: &str) -> &Self {
        assert!(!format!("{}{}", self.out, self.err).contains(word), "“{word}” in\n{}\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    pub fn json(&self) -> Vec<Value> {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}\n{}\n{}", self.out, self.err))
    }
}
