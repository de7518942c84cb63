//! Formulas over boxes: takes a compiled formula and a host with ranges instead of values, gives everything that it can come to for the
//! designs of the box. What it does not know can be any value.

mod bounds;
mod eval;
mod functions;
mod host;
mod number;
mod run;
#[cfg(test)]
mod tests;
mod value;

pub use bounds::LeverBound;
pub use host::RangeHost;
pub use number::{LeverBox, NumberRange, NumberResult};
pub use value::{RangeKind, RangeValue, Truth};

use super::{Formula, Type};
use run::RangeRun;

impl Formula {
    /// Everything that the formula can come to in the host's box; where it can fail, null is included.
    pub fn ranges(&self, host: &dyn RangeHost) -> RangeValue {
        let run = RangeRun::new(host);
        let node = &self.tree.node;
        let value = match self.ty {
            Type::Flag => run.truth(node).into_value(),
            _ => run.value(node),
        };
        let value = match (&self.ty, &value.kind) {
            // A value of another type fails.
            (Type::Int, RangeKind::Any) => RangeValue::number(NumberRange::any()).or_null(true),
            (Type::Int, RangeKind::Number(_) | RangeKind::Nothing) => value,
            (Type::Int, _) => RangeValue::null(),
            (Type::Any | Type::Flag, _) => value,
            _ => value.or_null(!self.tree.type_is_certain),
        };
        value.or_null(run.may_fail.get())
    }

    /// Whether the condition holds in the host's box.
    pub fn truth(&self, host: &dyn RangeHost) -> Truth {
        let run = RangeRun::new(host);
        let truth = run.truth(&self.tree.node);
        Truth { may_be_null: truth.may_be_null || run.may_fail.get(), ..truth }
    }

    /// Adds bounds that hold for every design of the box for which the condition is `wanted`. Nothing where it may not be computable and
    /// `wanted` is false, since null counts as not failing.
    pub fn bounds(&self, host: &dyn RangeHost, wanted: bool, bounds: &mut Vec<LeverBound>) {
        let run = RangeRun::new(host);
        let mut found = Vec::new();
        let truth = run.truth(&self.tree.node);
        if !wanted && (truth.may_be_null || run.may_fail.get()) {
            return;
        }
        bounds::collect(&run, &self.tree.node, wanted, &mut found);
        bounds.append(&mut found);
    }
}
