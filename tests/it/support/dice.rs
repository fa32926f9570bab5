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
