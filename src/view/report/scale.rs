//! Where a time stands in a picture.
//!
//! Owns the mathematics. Long idle times (nights, weekends) are cut out, so that work is seen, and not the clock.
//! Invariant: a later time stands further to the right, or at the same place.

/// Shorter idle times are never cut out, in milliseconds.
const IDLE: i64 = 30 * 60_000;
/// So many idle times are cut out: the longest.
const MOST_BREAKS: usize = 12;
/// So wide is what stands for one.
pub(super) const BREAK: f64 = 20.0;
/// A piece is at least so wide.
const NARROWEST: f64 = 30.0;

/// Times without a long idle time between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Piece {
    /// The first, in milliseconds.
    pub(super) from: i64,
    /// The last.
    pub(super) to: i64,
    /// Where it begins.
    pub(super) x: f64,
    /// How wide it is.
    pub(super) width: f64,
}

/// From times to places.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scale {
    pieces: Vec<Piece>,
}

impl Scale {
    /// For times in order, in a picture of this width.
    pub(super) fn new(times: &[i64], width: f64) -> Self {
        let mut gaps: Vec<(i64, usize)> = times
            .windows(2)
            .enumerate()
            .map(|(n, pair)| (pair[1] - pair[0], n))
            .filter(|(gap, _)| *gap > IDLE)
            .collect();
        gaps.sort_by_key(|(gap, n)| (std::cmp::Reverse(*gap), *n));
        gaps.truncate(MOST_BREAKS);
        let mut cuts: Vec<usize> = gaps.into_iter().map(|(_, n)| n + 1).collect();
        cuts.sort_unstable();
        let ends = cuts.iter().copied().chain([times.len()]);
        let starts = std::iter::once(0).chain(cuts.iter().copied());
        let spans: Vec<(i64, i64)> = starts
            .zip(ends)
            .filter(|(start, end)| start < end)
            .map(|(start, end)| (times[start], times[end - 1]))
            .collect();
        let free = width - BREAK * spans.len().saturating_sub(1) as f64 - NARROWEST * spans.len() as f64;
        let total: i64 = spans.iter().map(|(from, to)| to - from).sum();
        let mut x = 0.0;
        let piece = |&(from, to): &(i64, i64)| {
            let part = if total == 0 { 1.0 / spans.len() as f64 } else { (to - from) as f64 / total as f64 };
            let piece = Piece { from, to, x, width: NARROWEST + free.max(0.0) * part };
            x += piece.width + BREAK;
            piece
        };
        Self { pieces: spans.iter().map(piece).collect() }
    }

    /// The pieces, from left to right.
    pub(super) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Where a time stands; one that is in no piece stands at the nearest.
    pub(super) fn x(&self, time: i64) -> f64 {
        let at = self.pieces.partition_point(|piece| piece.from <= time).saturating_sub(1);
        self.pieces.get(at).map_or(0.0, |piece| {
            let part = (time - piece.from) as f64 / ((piece.to - piece.from).max(1)) as f64;
            piece.x + piece.width * part.clamp(0.0, 1.0)
        })
    }
}

impl Piece {
    /// Round times in it, so far from each other that each has room for its name; `offset` is that of the zone, in milliseconds.
    pub(super) fn ticks(&self, offset: i64, room: f64) -> Vec<i64> {
        const MINUTES: [i64; 15] = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10_080, 43_200];
        let per_ms = self.width / (self.to - self.from).max(1) as f64;
        let steps = MINUTES.iter().map(|minutes| minutes * 60_000);
        let Some(step) = steps.into_iter().find(|step| *step as f64 * per_ms >= room) else { return Vec::new() };
        let first = (self.from + offset).div_euclid(step) * step + step - offset;
        let end = self.to.saturating_sub((room * 0.4 / per_ms) as i64);
        let is_clear = |tick: &i64| (*tick - self.from) as f64 * per_ms >= room * 0.7;
        (0..).map(|n| first + n * step).take_while(|tick| *tick <= end).filter(is_clear).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MINUTE: i64 = 60_000;

    #[test]
    fn a_night_takes_no_more_room_than_a_break() {
        let scale = Scale::new(&[0, 60 * MINUTE, 960 * MINUTE, 1080 * MINUTE], 380.0);
        let found: Vec<(i64, i64)> =
            scale.pieces().iter().map(|piece| (piece.from / MINUTE, piece.to / MINUTE)).collect();
        assert_eq!(found, [(0, 0), (60, 60), (960, 960), (1080, 1080)]);
        let scale = Scale::new(&[0, 20 * MINUTE, 40 * MINUTE, 960 * MINUTE, 980 * MINUTE], 380.0);
        let found: Vec<(i64, i64)> =
            scale.pieces().iter().map(|piece| (piece.from / MINUTE, piece.to / MINUTE)).collect();
        assert_eq!(found, [(0, 40), (960, 980)]);
        assert_eq!(scale.x(0), 0.0);
        assert_eq!(scale.x(980 * MINUTE), 380.0);
        assert_eq!(scale.x(960 * MINUTE) - scale.x(40 * MINUTE), BREAK);
    }

    #[test]
    fn one_time_has_a_place_too() {
        let scale = Scale::new(&[5], 100.0);
        assert_eq!((scale.x(5), scale.pieces().len()), (0.0, 1));
        assert_eq!(Scale::new(&[], 100.0).x(5), 0.0);
    }

    #[test]
    fn ticks_are_round_times_with_room_between() {
        let piece = Piece { from: 7 * MINUTE, to: 127 * MINUTE, x: 0.0, width: 600.0 };
        let minutes: Vec<i64> = piece.ticks(0, 80.0).into_iter().map(|tick| tick / MINUTE).collect();
        assert_eq!(minutes, [30, 60, 90, 120]);
        assert_eq!(Piece { width: 30.0, ..piece }.ticks(0, 80.0), [] as [i64; 0]);
    }

    proptest! {
        #[test]
        fn later_is_never_further_left(mut times in proptest::collection::vec(0_i64..1_000_000_000, 1..60)) {
            times.sort_unstable();
            let scale = Scale::new(&times, 900.0);
            let places: Vec<f64> = times.iter().map(|time| scale.x(*time)).collect();
            prop_assert!(places.windows(2).all(|pair| pair[0] <= pair[1]));
            prop_assert!(places.iter().all(|x| (0.0..=900.1).contains(x)));
        }
    }
}
