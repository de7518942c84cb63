//! Wars of Honor; its worked figures stand in `tests/rulesets.rs`, its random ships in `tests/oracle.rs` and `tests/sheets.rs`.

const ID: &str = "wars-of-honor";

super::game_of!(ID, 19);
