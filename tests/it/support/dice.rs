//! Chance that is the same in every run, and what random tests are told and made of.

/// A small generator of random numbers; every run is the same.
pub struct Dice(pub u64);

impl Dice {
    /// A number below another.
    pub fn roll(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }
}

/// How many, or from which, as a variable of the environment says.
pub fn number(name: &str, default: usize) -> usize {
    std::env::var(name).ok().map_or(default, |text| text.parse().expect("a number"))
}

/// A text of lines, each with its ending.
pub fn joined(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

const LINES: [&str; 9] = ["}", "{", "", "x", "end of it", "  x", "let x = 1;", "let x = 2;", "return x"];

/// A line, of which there are often several alike.
pub fn any_line(dice: &mut Dice) -> String {
    let n = dice.roll(LINES.len() + 4);
    LINES.get(n).map_or_else(|| format!("line {} of it", dice.roll(30)), |line| (*line).to_owned())
}

/// One or two things that an agent does to the lines.
pub fn changed(dice: &mut Dice, lines: &mut Vec<String>) {
    for _ in 0..=dice.roll(2) {
        let at = dice.roll(lines.len() + 1);
        let old = at.min(lines.len().saturating_sub(1));
        match dice.roll(6) {
            _ if lines.is_empty() => lines.push(any_line(dice)),
            0 => lines.insert(at, any_line(dice)),
            1 => drop(lines.remove(old)),
            2 => lines[old] = any_line(dice),
            3 => {
                let to = dice.roll(lines.len());
                let moved = lines.remove(old);
                lines.insert(to, moved);
            }
            4 => lines[old] = format!("  {}", lines[old]),
            _ => {
                let until = (old + 1 + dice.roll(3)).min(lines.len());
                let moved: Vec<String> = lines.drain(old..until).collect();
                let to = dice.roll(lines.len() + 1);
                lines.splice(to..to, moved);
            }
        }
    }
}
