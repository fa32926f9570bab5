//! Random numbers, and those of a seed for tests.

use std::fmt::Debug;
use std::io;
use std::sync::Mutex;

/// Gives random bytes.
pub trait Randomness: Debug + Send + Sync {
    /// Fills `bytes`.
    ///
    /// # Errors
    /// Where the system has none.
    fn fill(&self, bytes: &mut [u8]) -> io::Result<()>;
}

/// The system's random numbers.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemRandomness;

impl Randomness for SystemRandomness {
    fn fill(&self, bytes: &mut [u8]) -> io::Result<()> {
        system(bytes)
    }
}

/// Asks the kernel itself: a C library that is part of the program is asked by name in vain, and then a file is read.
#[cfg(target_os = "linux")]
fn system(bytes: &mut [u8]) -> io::Result<()> {
    let mut rest = bytes;
    while !rest.is_empty() {
        let given = rustix::rand::getrandom(&mut *rest, rustix::rand::GetRandomFlags::empty())?;
        rest = &mut rest[given..];
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn system(bytes: &mut [u8]) -> io::Result<()> {
    getrandom::fill(bytes).map_err(|error| io::Error::other(error.to_string()))
}

/// The same numbers for the same seed (SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators").
#[derive(Debug)]
pub struct SeededRandomness(Mutex<u64>);

impl SeededRandomness {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Self(Mutex::new(seed))
    }
}

impl Randomness for SeededRandomness {
    fn fill(&self, bytes: &mut [u8]) -> io::Result<()> {
        let mut state = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        for chunk in bytes.chunks_mut(8) {
            *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = *state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            chunk.copy_from_slice(&(z ^ (z >> 31)).to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_numbers_of_splitmix64() {
        // The first two of seed 1234567, from the reference implementation.
        let mut bytes = [0; 16];
        SeededRandomness::new(1_234_567).fill(&mut bytes).expect("always");
        let halves: Vec<u64> = bytes.as_chunks().0.iter().map(|half: &[u8; 8]| u64::from_le_bytes(*half)).collect();
        assert_eq!(halves, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }
}
