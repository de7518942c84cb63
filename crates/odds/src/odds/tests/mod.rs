//! Tests of odds: the worked numbers, enumeration of every throw, bounds, and the same bytes on one and four threads.

mod bounds;
mod enumeration;
mod findings;
mod fraction;
mod game;
mod golden;
mod plain;
mod request;
mod work;
