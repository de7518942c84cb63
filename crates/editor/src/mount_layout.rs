//! Arranges the cards of mounts: takes their positions on the ship's plan and the number of columns, gives rows of
//! cards, bow first. Pure; knows no game and draws nothing.

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardRow {
    pub cards: Vec<usize>,
    /// For a single card: which half of the width it takes.
    pub side: CardSide,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardSide {
    Port,
    Middle,
    Starboard,
}

/// `mounts` has indices and positions (across, down); those without a position come last.
pub fn arrange_mounts(mounts: &[(usize, Option<(i8, i8)>)], columns: usize) -> Vec<CardRow> {
    let mut placed: Vec<(i8, i8, usize)> =
        mounts.iter().filter_map(|(mount, plan)| plan.map(|(across, down)| (down, across, *mount))).collect();
    placed.sort_unstable();
    let mut rows = Vec::new();
    for band in placed.chunk_by(|one, other| one.0 == other.0) {
        if columns <= 1 {
            rows.extend(band.iter().map(|(_, across, mount)| card_row(&[(*across, *mount)])));
        } else if band.len() <= columns {
            rows.push(card_row(&sort_cards(band)));
        } else {
            rows.extend(pair_up(&sort_cards(band), band[0].0 < 0));
        }
    }
    let mut rows = join_middles(rows, columns);
    let rest: Vec<usize> = mounts.iter().filter(|(_, plan)| plan.is_none()).map(|(mount, _)| *mount).collect();
    for cards in rest.chunks(columns.clamp(1, 2)) {
        rows.push(CardRow { cards: cards.to_vec(), side: CardSide::Port });
    }
    rows
}

/// Cards that would each have a row of their own in the middle share rows, from the bow on.
fn join_middles(rows: Vec<CardRow>, columns: usize) -> Vec<CardRow> {
    let mut joined: Vec<CardRow> = Vec::with_capacity(rows.len());
    let is_middle = |row: &CardRow| row.side == CardSide::Middle;
    let mut open = false;
    for row in rows {
        let is_alone = row.cards.len() == 1 && is_middle(&row);
        match joined.last_mut().filter(|last| open && is_alone && last.cards.len() < columns) {
            Some(last) => last.cards.extend(row.cards),
            None => joined.push(row),
        }
        open = is_alone;
    }
    joined
}

fn sort_cards(band: &[(i8, i8, usize)]) -> Vec<(i8, usize)> {
    band.iter().map(|(_, across, mount)| (*across, *mount)).collect()
}

fn card_row(cards: &[(i8, usize)]) -> CardRow {
    let side = match cards {
        [(across, _)] if *across < 0 => CardSide::Port,
        [(across, _)] if *across > 0 => CardSide::Starboard,
        _ => CardSide::Middle,
    };
    CardRow { cards: cards.iter().map(|(_, mount)| *mount).collect(), side }
}

/// A band too wide for one row: pairs at the same distance from the middle, inner ones first. The middle one comes
/// first towards
/// the bow, last otherwise.
fn pair_up(band: &[(i8, usize)], is_forward: bool) -> Vec<CardRow> {
    let mut distances: Vec<i16> = band.iter().map(|(across, _)| i16::from(*across).abs()).collect();
    distances.sort_unstable_by_key(|distance| if *distance == 0 && !is_forward { i16::MAX } else { *distance });
    distances.dedup();
    let at = |distance: i16| -> Vec<(i8, usize)> {
        band.iter().copied().filter(|(across, _)| i16::from(*across).abs() == distance).collect()
    };
    distances.into_iter().flat_map(|distance| at(distance).chunks(2).map(card_row).collect::<Vec<_>>()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHIP_MOUNTS: [(usize, Option<(i8, i8)>); 6] =
        [(0, Some((0, 0))), (1, Some((1, 0))), (2, Some((-1, 0))), (3, Some((0, -2))), (4, Some((0, 1))), (5, None)];

    fn arranged(columns: usize) -> Vec<Vec<usize>> {
        arrange_mounts(&SHIP_MOUNTS, columns).into_iter().map(|row| row.cards).collect()
    }

    #[test]
    fn the_bow_is_above_and_port_at_the_left() {
        assert_eq!(arranged(3), [vec![3], vec![2, 0, 1], vec![4], vec![5]]);
        assert_eq!(arranged(2), [vec![3], vec![2, 1], vec![0, 4], vec![5]], "the middle ones share a row");
        assert_eq!(arranged(1), [vec![3], vec![2], vec![0], vec![1], vec![4], vec![5]]);
    }

    #[test]
    fn a_middle_card_stands_towards_its_end() {
        let three = |down: i8| [(0, Some((-1, down))), (1, Some((0, down))), (2, Some((1, down)))];
        let shown = |down: i8| -> Vec<Vec<usize>> {
            arrange_mounts(&three(down), 2).into_iter().map(|row| row.cards).collect()
        };
        assert_eq!((shown(-1), shown(1)), (vec![vec![1], vec![0, 2]], vec![vec![0, 2], vec![1]]));
    }

    #[test]
    fn a_card_alone_stands_on_its_side() {
        let rows = arrange_mounts(&[(0, Some((-1, 0))), (1, Some((1, 1))), (2, Some((0, 2)))], 3);
        assert_eq!(
            rows.iter().map(|row| row.side).collect::<Vec<_>>(),
            [CardSide::Port, CardSide::Starboard, CardSide::Middle]
        );
    }

    #[test]
    fn nothing_is_lost_however_narrow() {
        let crowd: Vec<_> = (0..9).map(|n| (n, Some((n as i8 - 4, 0)))).collect();
        for columns in 0..5 {
            let mut seen: Vec<usize> = arrange_mounts(&crowd, columns).into_iter().flat_map(|row| row.cards).collect();
            seen.sort_unstable();
            assert_eq!(seen, (0..9).collect::<Vec<_>>());
        }
    }
}
