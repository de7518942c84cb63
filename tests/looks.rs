//! Forty pages of every kind as they looked when somebody last looked at them: `tests/looks/pages.txt` has the commands, `tests/looks/*.png` the
//! pictures. A page that differs fails with expected | difference | found under `target/tmp/looks`; `BLESS=1 cargo test --test pictures looks::` takes
//! the pages as they are now.

use std::fs;

use rayon::prelude::*;

use crate::support::picture::{Grey, kept_look, looks_folder};
use crate::support::program::Folder;

/// Dots per inch: small files in which a letter can still be told.
const DPI: f32 = 72.0;

/// Runs the command and reads the page of that number.
fn drawn(command: &str, number: usize) -> Grey {
    let folder = Folder::new();
    let words = command.replace("OUT", &format!("page.png --dpi {DPI}"));
    let output = folder.run(&words.split(' ').collect::<Vec<_>>());
    output.expect(0);
    let pages = folder.files();
    let of_many = format!("page-{number}.png");
    let name = pages.iter().find(|name| **name == of_many).unwrap_or(&pages[0]);
    assert!(pages.len() > 1 || number == 1, "{command} printed one page");
    Grey::read(&fs::read(folder.path(name)).unwrap(), DPI)
}

#[test]
fn pages_look_as_when_they_were_last_looked_at() {
    let list = fs::read_to_string(looks_folder().join("pages.txt")).unwrap();
    let lines: Vec<&str> = list.lines().filter(|line| !line.starts_with('#')).collect();
    let faults: Vec<String> = lines
        .par_iter()
        .filter_map(|line| {
            let mut words = line.splitn(3, ' ');
            let (name, number, command) = (words.next()?, words.next()?.parse().unwrap(), words.next()?);
            kept_look(name, &drawn(command, number)).err()
        })
        .collect();
    assert!(faults.is_empty(), "{}\nBLESS=1 accepts what is found", faults.join("\n"));
}
