//! One roll for many dice: takes an evaluation, gives what its ruleset's shared rolls need of a ship, and the exact chances of so many
//! hits among so many dice.

use std::sync::Arc;

use super::Evaluation;

/// The systems of a ship for which a die each is rolled when a row is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedRoll {
    pub track: Arc<str>,
    pub label: Arc<str>,
    pub note: Arc<str>,
    pub faces: u32,
    /// From which face on a system is lost when a row of the track is gone.
    pub rows: Vec<Option<u32>>,
    /// The same, each once.
    pub least: Vec<u32>,
    /// Systems that are alike: their letters and mount, and how many.
    pub groups: Vec<(String, u32)>,
}

/// Larger groups are rolled for in parts, which comes to the same.
pub const LARGEST_GROUP: u32 = 16;

impl Evaluation {
    /// None for a ship whose track has no such row.
    pub fn shared_rolls(&self) -> Vec<SharedRoll> {
        let rolls = self.ruleset.shared_rolls.iter().filter_map(|roll| {
            let track = self.tracks.iter().find(|track| track.track == roll.track)?;
            let (_, labels) = track.row_labels.iter().find(|(name, _)| *name == roll.row_label)?;
            let face = |label: &Arc<str>| label.parse().ok().filter(|face| (1..=roll.faces).contains(face));
            let rows: Vec<Option<u32>> = labels.iter().map(face).collect();
            let mut least: Vec<u32> = Vec::new();
            for face in rows.iter().flatten().copied() {
                if !least.contains(&face) {
                    least.push(face);
                }
            }
            let (label, note) = (roll.label.clone(), roll.note.clone());
            (!least.is_empty()).then(|| SharedRoll {
                track: roll.track.clone(),
                rows,
                label,
                note,
                faces: roll.faces,
                least,
                groups: self.groups_of_systems(),
            })
        });
        rolls.collect()
    }

    /// Systems of one name and mount together, in the design's order.
    fn groups_of_systems(&self) -> Vec<(String, u32)> {
        let mut groups: Vec<(String, u32)> = Vec::new();
        for fit in self.fits.iter().filter(|fit| fit.count > 0) {
            let mount = self.mounts.iter().find(|mount| mount.id == fit.mount).map_or("", |mount| &*mount.label);
            let name = if fit.abbr.is_empty() { &fit.name } else { &fit.abbr };
            let name = format!("{name} {mount}").trim().to_owned();
            match groups.iter_mut().find(|(known, _)| *known == name) {
                Some((_, count)) => *count += fit.count,
                None => groups.push((name, fit.count)),
            }
        }
        groups
    }
}

/// Of so many dice, each of which hits from the face `least` on, the chance that at most 0, 1, 2 … hit: exact, then to the nearest
/// whole per cent, halves up. At most [`LARGEST_GROUP`] dice of at most 20 faces.
pub fn percent_at_most(dice: u32, least: u32, faces: u32) -> Vec<u8> {
    let (dice, faces) = (dice.min(LARGEST_GROUP), faces.clamp(1, 20));
    let misses = u128::from(least.clamp(1, faces + 1) - 1);
    let hits = u128::from(faces) - misses;
    let all = u128::from(faces).pow(dice);
    let (mut ways, mut at_most) = (1_u128, 0_u128);
    (0..=dice)
        .map(|k| {
            if k > 0 {
                ways = ways * u128::from(dice - k + 1) / u128::from(k);
            }
            at_most += ways * hits.pow(k) * misses.pow(dice - k);
            u8::try_from((200 * at_most + all) / (2 * all)).unwrap_or(100)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way in which the dice can fall, one after another.
    #[test]
    fn chances_are_those_of_all_ways_to_roll() {
        for (dice, faces) in (1..=6).map(|dice| (dice, 6)).chain([(3, 10), (4, 4), (2, 20)]) {
            for least in 1..=faces {
                let mut counts = vec![0_u64; dice as usize + 1];
                let all = u64::from(faces).pow(dice);
                for way in 0..all {
                    let hits =
                        (0..dice).filter(|n| way / u64::from(faces).pow(*n) % u64::from(faces) + 1 >= u64::from(least));
                    counts[hits.count()] += 1;
                }
                let mut sum = 0;
                let expected = counts.iter().map(|count| {
                    sum += count;
                    (sum as f64 * 100.0 / all as f64 + 1e-9).round() as u8
                });
                assert_eq!(
                    percent_at_most(dice, least, faces),
                    expected.collect::<Vec<_>>(),
                    "{dice}d{faces}, {least}+"
                );
            }
        }
        assert_eq!(percent_at_most(0, 6, 6), [100]);
        assert_eq!(percent_at_most(16, 1, 20)[15..], [0, 100]);
    }
}
