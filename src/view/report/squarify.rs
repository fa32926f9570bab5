//! A rectangle parted into rectangles of given areas, each as square as can be.
//!
//! Owns the mathematics: the algorithm of Bruls, Huizing and van Wijk, "Squarified Treemaps" (2000).
//! Invariant: the parts do not overlap, lie in the whole, and have areas in the proportions of the values.

/// A rectangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rect {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Rect {
    /// The same without a margin, and without so much at its top.
    pub(super) fn inset(self, margin: f64, top: f64) -> Self {
        Self {
            x: self.x + margin,
            y: self.y + margin + top,
            width: (self.width - 2.0 * margin).max(0.0),
            height: (self.height - 2.0 * margin - top).max(0.0),
        }
    }
}

/// The parts, in the order of the values, which fall and are above zero.
pub(super) fn squarify(values: &[f64], whole: Rect) -> Vec<Rect> {
    let total: f64 = values.iter().sum();
    let unit = if total > 0.0 { whole.width * whole.height / total } else { 0.0 };
    let (mut rest, mut out, mut start) = (whole, Vec::with_capacity(values.len()), 0);
    while start < values.len() {
        let side = rest.width.min(rest.height);
        let (mut end, mut sum) = (start + 1, values[start] * unit);
        while end < values.len() {
            let more = sum + values[end] * unit;
            let worst = |sum: f64, last: f64| worst((values[start] * unit, last * unit), sum, side);
            if worst(more, values[end]) > worst(sum, values[end - 1]) {
                break;
            }
            (sum, end) = (more, end + 1);
        }
        let areas: Vec<f64> = values[start..end].iter().map(|value| value * unit).collect();
        rest = lay(&areas, sum, rest, &mut out);
        start = end;
    }
    out
}

/// How far from square the worst of a row is, by its largest and its smallest area.
fn worst((largest, smallest): (f64, f64), sum: f64, side: f64) -> f64 {
    let (side, sum) = (side * side, sum * sum);
    (side * largest / sum).max(sum / (side * smallest))
}

/// Lays a row along the shorter side; gives what is left.
fn lay(areas: &[f64], sum: f64, rest: Rect, out: &mut Vec<Rect>) -> Rect {
    let is_upright = rest.width >= rest.height;
    let side = if is_upright { rest.height } else { rest.width };
    let depth = if side > 0.0 { sum / side } else { 0.0 };
    let mut at = 0.0;
    for area in areas {
        let length = if depth > 0.0 { area / depth } else { 0.0 };
        out.push(if is_upright {
            Rect { x: rest.x, y: rest.y + at, width: depth, height: length }
        } else {
            Rect { x: rest.x + at, y: rest.y, width: length, height: depth }
        });
        at += length;
    }
    if is_upright {
        Rect { x: rest.x + depth, width: (rest.width - depth).max(0.0), ..rest }
    } else {
        Rect { y: rest.y + depth, height: (rest.height - depth).max(0.0), ..rest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WHOLE: Rect = Rect { x: 0.0, y: 0.0, width: 6.0, height: 4.0 };

    #[test]
    fn the_example_of_the_paper_comes_out_as_there() {
        let parts = squarify(&[6.0, 6.0, 4.0, 3.0, 2.0, 2.0, 1.0], WHOLE);
        assert_eq!(parts[0], Rect { x: 0.0, y: 0.0, width: 3.0, height: 2.0 });
        assert_eq!(parts[1], Rect { x: 0.0, y: 2.0, width: 3.0, height: 2.0 });
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(close(parts[2].x, 3.0) && close(parts[2].height, 7.0 / 3.0), "{:?}", parts[2]);
    }

    #[test]
    fn one_value_takes_all_and_none_nothing() {
        assert_eq!(squarify(&[3.0], WHOLE), [WHOLE]);
        assert_eq!(squarify(&[], WHOLE), []);
    }

    proptest! {
        #[test]
        fn the_parts_fill_the_whole_and_keep_the_proportions(mut values in proptest::collection::vec(1_u32..10_000, 1..80)) {
            values.sort_unstable_by(|a, b| b.cmp(a));
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            let total: f64 = values.iter().sum();
            for (part, value) in squarify(&values, WHOLE).iter().zip(&values) {
                let want = value / total * 24.0;
                prop_assert!((part.width * part.height - want).abs() < 1e-6 * want.max(1.0));
                prop_assert!(part.x > -1e-9 && part.y > -1e-9);
                prop_assert!(part.x + part.width < 6.0 + 1e-6 && part.y + part.height < 4.0 + 1e-6);
            }
        }
    }
}
