//! Babylon 5 Wars house rules: worked figures and random ships.

#[allow(dead_code, reason = "used once the game is complete")]
const ID: &str = "b5-house-rules";
