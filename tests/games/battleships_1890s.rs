//! Battleships of the 1890s: worked figures and random ships.

#[allow(dead_code, reason = "used once the game is complete")]
const ID: &str = "battleships-1890s";
