//! What formulas over boxes are evaluated with.

use super::super::Slot;
use super::number::LeverBox;
use super::value::RangeValue;

/// Answers names and calls with all values that they have in a box. A failure counts as null.
pub trait RangeHost {
    fn read(&self, slot: Slot) -> RangeValue;

    fn call(&self, call: u32, arguments: &[RangeValue]) -> RangeValue;

    /// The box itself: the least and greatest value of each lever.
    fn levers(&self) -> &LeverBox;

    /// Work done on exact lists and texts, and on items that are looked at one by one, in the unit of
    /// [`Host::record_work`](super::super::Host::record_work).
    fn record_work(&self, _units: usize) {}
}
