//! What a formula that is evaluated for many numbers takes from elsewhere: its parts that read none of them, but are not the same for every host. Where two hosts
//! give the same for these, they give the same for the whole formula.

use super::node::{FormulaNode, NodeOp};
use super::run::FormulaRun;
use super::{Host, Slot, Value};

#[derive(Clone, Debug, Default)]
pub struct FixedParts {
    /// With whether only their truth counts.
    parts: Vec<(FormulaNode, bool)>,
    size: u32,
}

impl FixedParts {
    pub(super) fn of_node(node: &FormulaNode, varying: &[Slot], is_same: &dyn Fn(u32) -> bool) -> Option<Self> {
        let mut parts = Self::default();
        parts.add(node, varying, is_same, false).then_some(parts)
    }

    /// False where a call that hangs on more than its arguments varies.
    fn add(&mut self, node: &FormulaNode, varying: &[Slot], is_same: &dyn Fn(u32) -> bool, as_flag: bool) -> bool {
        let differs = |op: &NodeOp| match op {
            NodeOp::HostCall(call, _) => !is_same(*call),
            op => matches!(op, NodeOp::Slot(_) | NodeOp::IntSlot(_)),
        };
        if !node.varies(varying) {
            if node.any(&differs) {
                self.size = self.size.saturating_add(node.size());
                self.parts.push((node.clone(), as_flag));
            }
            return true;
        }
        let is_asked = matches!(node.op, NodeOp::HostCall(call, _) if !is_same(call));
        !is_asked
            && node.parts().into_iter().enumerate().all(|(place, part)| {
                let is_condition = match &node.op {
                    NodeOp::And(_) | NodeOp::Or(_) | NodeOp::Not(_) => true,
                    NodeOp::If(_) => place == 1 || as_flag,
                    _ => false,
                };
                self.add(part, varying, is_same, is_condition)
            })
    }

    /// Adds their values; false when one fails.
    pub fn eval(&self, host: &dyn Host, values: &mut Vec<Value>) -> bool {
        let run = FormulaRun::new(host, self.size);
        self.parts.iter().all(|(node, as_flag)| {
            let value = match as_flag {
                true => node.eval_flag(&run).map(|flag| flag.map_or(Value::Null, Value::Flag)),
                false => node.value(&run),
            };
            let is_done = value.is_ok();
            values.extend(value);
            is_done && run.finish(node.at).is_ok()
        })
    }
}
