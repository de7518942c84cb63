//! Identifies the units of a fleet: takes its entries, gives each unit its name, hull number and key. Never evaluates.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use moldloft_base::sanitize::slug;

/// The most characters of a name in a key.
const MAX_KEY_WORD: usize = 60;

/// The part of a key from a name; empty without a Latin letter or digit.
pub fn key_word(name: &str) -> String {
    slug(name, MAX_KEY_WORD)
}

#[derive(Clone, Debug, Default)]
pub struct UnitKeyParts<'a> {
    pub hull_number: Option<&'a str>,
    pub name: Option<&'a str>,
    pub class: &'a str,
    /// The carrier's index in the list.
    pub carrier: Option<usize>,
}

/// Unique keys for all: from the hull number, else the name, else the class; a carried item's starts with its
/// carrier's. Equal keys get a serial number.
pub fn unit_keys(all: &[UnitKeyParts<'_>]) -> Vec<Arc<str>> {
    let base = |asks: &UnitKeyParts<'_>| -> (u8, String) {
        let words = [asks.hull_number, asks.name, Some(asks.class)];
        let keys = (0..).zip(words).filter_map(|(rank, word)| Some((rank, key_word(word?))));
        keys.into_iter().find(|(_, word)| !word.is_empty()).unwrap_or((3, "ship".to_owned()))
    };
    let bases: Vec<(u8, String)> = all.iter().map(base).collect();
    let mut keys: Vec<Option<Arc<str>>> = vec![None; all.len()];
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut next: BTreeMap<String, u32> = BTreeMap::new();
    // Hull numbers first, so that no name takes theirs; carriers before what they carry.
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|&n| (all[n].carrier.is_some(), bases[n].0));
    for n in order {
        let carrier = all[n].carrier.and_then(|carrier| keys.get(carrier).cloned().flatten());
        let base = match carrier {
            Some(carrier) => format!("{carrier}-{}", bases[n].1),
            None => bases[n].1.clone(),
        };
        let mut key = base.clone();
        while !taken.insert(key.clone()) {
            let serial = next.entry(base.clone()).or_insert(1);
            *serial += 1;
            key = format!("{base}-{serial}");
        }
        keys[n] = Some(key.into());
    }
    keys.into_iter().map(|key| key.unwrap_or_else(|| "ship".into())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_plain_and_each_its_own() {
        let asks = |hull_number, name, class, carrier| UnitKeyParts { hull_number, name, class, carrier };
        let all = [
            asks(None, Some("CA 301"), "Vigilant", None),
            asks(Some("CA-301"), Some("HMS Vigilant"), "Vigilant", None),
            asks(None, None, "Köcher", Some(1)),
            asks(None, None, "Köcher", Some(1)),
            asks(None, None, "…", None),
        ];
        let keys: Vec<String> = unit_keys(&all).iter().map(|key| key.to_string()).collect();
        assert_eq!(keys, ["ca-301-2", "ca-301", "ca-301-kocher", "ca-301-kocher-2", "ship"]);
    }
}
