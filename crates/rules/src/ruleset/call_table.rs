//! Queries about a ship: `count`, `total`, `fitted`, `systems`, `row`, `step`, each call bound to indices. Calls are
//! only added (templates add theirs after loading), so that a formula's call number stays valid.

use std::sync::{Arc, Mutex, OnceLock};

use crate::formula::KindCall;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub kind: CallKind,
    pub system: FitFilter,
    /// Systems that another call of the same sum names: what counts as one of them more closely is left to that call.
    pub except: Vec<u32>,
    pub mount: FitFilter,
    pub tag: FitFilter,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallKind {
    Count,
    Total(usize),
    Fitted,
    Systems,
    Row(usize),
    /// The row whose column reaches a number with the least: table, column.
    Step(usize, usize),
    /// The row whose column has a number in it, as a range in a text: table, column.
    Within(usize, usize),
    /// The values in a column: table, column.
    Cells(usize, usize),
    /// A row, or the values in a column, of a table that a layer removed: null, or none.
    Removed {
        list: bool,
    },
    /// Of words that name systems.
    Kind(KindCall),
}

impl Call {
    /// Without filters.
    pub fn of(kind: CallKind) -> Self {
        Self { kind, system: FitFilter::Any, except: Vec::new(), mount: FitFilter::Any, tag: FitFilter::Any }
    }
}

impl CallKind {
    /// The table that it looks up.
    pub fn table(self) -> Option<usize> {
        match self {
            CallKind::Row(table)
            | CallKind::Step(table, _)
            | CallKind::Within(table, _)
            | CallKind::Cells(table, _) => Some(table),
            CallKind::Count
            | CallKind::Total(_)
            | CallKind::Fitted
            | CallKind::Systems
            | CallKind::Removed { .. }
            | CallKind::Kind(_) => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FitFilter {
    Any,
    /// By index; of systems, with what is like them.
    Only(Vec<u32>),
    /// Systems without what is like them: never custom ones of the design.
    Exactly(Vec<u32>),
    /// The ids or tags in this argument: a text or a list of texts.
    Argument(usize),
}

const CHUNK_LEN: usize = 128;
const MAX_CHUNKS: usize = 64;
type CallChunk = Box<[OnceLock<Call>]>;

#[derive(Clone, Debug)]
pub struct CallTable {
    inner: Arc<CallTableInner>,
}

#[derive(Debug)]
struct CallTableInner {
    chunks: [OnceLock<CallChunk>; MAX_CHUNKS],
    length: Mutex<usize>,
}

impl Default for CallTable {
    fn default() -> Self {
        Self {
            inner: Arc::new(CallTableInner { chunks: [const { OnceLock::new() }; MAX_CHUNKS], length: Mutex::new(0) }),
        }
    }
}

impl CallTable {
    pub fn len(&self) -> usize {
        *self.inner.length.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    pub fn get(&self, number: u32) -> Option<&Call> {
        let number = number as usize;
        self.inner.chunks.get(number / CHUNK_LEN)?.get()?.get(number % CHUNK_LEN)?.get()
    }

    /// Equal calls have the same number; `None` when there are too many.
    pub fn intern(&self, call: Call) -> Option<u32> {
        let mut length = self.inner.length.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let known = (0..*length as u32).find(|&number| self.get(number) == Some(&call));
        if known.is_some() {
            return known;
        }
        let number = *length;
        let chunk = self
            .inner
            .chunks
            .get(number / CHUNK_LEN)?
            .get_or_init(|| (0..CHUNK_LEN).map(|_| OnceLock::new()).collect());
        chunk[number % CHUNK_LEN].set(call).ok()?;
        *length += 1;
        Some(number as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_calls_share_a_number_and_there_is_an_end() {
        let calls = CallTable::default();
        let call = |n| Call::of(CallKind::Total(n));
        assert_eq!(calls.intern(call(1)), Some(0));
        assert_eq!(calls.intern(call(2)), Some(1));
        assert_eq!(calls.intern(call(1)), Some(0));
        assert_eq!(calls.get(1), Some(&call(2)));
        assert_eq!(calls.get(2), None);
        let last = (0..10_000).map(|n| calls.intern(call(n))).position(|number| number.is_none());
        assert_eq!(last, Some(CHUNK_LEN * MAX_CHUNKS));
    }
}
