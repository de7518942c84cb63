//! A Sky Full of Ships: worked figures and random ships.

#[allow(dead_code, reason = "used once the game is complete")]
const ID: &str = "sky-full-of-ships";
