//! Star Navy: worked figures and random ships.

#[allow(dead_code, reason = "used once the game is complete")]
const ID: &str = "star-navy";
