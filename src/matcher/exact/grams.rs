//! Places of many needles by an index of short pieces of them.
//!
//! Every fourth position of the text is looked up in a table of the needles' grams (eight bytes each). A needle puts the
//! grams of four neighbouring offsets into it, so whatever its place, exactly one of them is looked up there. Offsets
//! are chosen where the grams are rare in the text. This reads the text several times as fast as an automaton, but only
//! while grams are rare: when comparing takes too long, it gives up.
//!
//! Invariant: the places of one needle are told in the order of the text, each once; or the answer is `false`.

const GRAM: usize = 8;
const STRIDE: usize = 4;

/// A needle must be so long.
pub(super) const SHORTEST: usize = GRAM + STRIDE - 1;

/// So many offsets of a needle are weighed against each other.
const MOST_OFFSETS: usize = 512;

/// So many positions of the text are sampled.
const SAMPLE: usize = 1 << 16;

/// A gram of a needle: which, and where in it.
struct Entry {
    gram: u64,
    needle: u32,
    offset: u32,
}

/// Tells all places of `needles` (each at least [`SHORTEST`] bytes): the index of the needle and the start.
///
/// Returns whether it came to the end; if not, what was told is not all.
pub(super) fn each_place(hay: &[u8], needles: &[&[u8]], mut tell: impl FnMut(usize, usize)) -> bool {
    let Some(index) = Index::new(hay, needles) else { return false };
    // Comparing may cost about as much as a slower search of the text would.
    let mut budget = hay.len() / 4 + (1 << 20);
    let last = hay.len().saturating_sub(GRAM - 1);
    for at in (0..last).step_by(STRIDE) {
        let gram = gram_at(hay, at);
        let hash = hash(gram);
        if !index.may_have(hash) {
            continue;
        }
        for entry in index.bucket(hash).iter().filter(|entry| entry.gram == gram) {
            let needle = needles[entry.needle as usize];
            let cost = 1 + needle.len() / 64;
            if budget < cost {
                return false;
            }
            budget -= cost;
            if let Some(start) = at.checked_sub(entry.offset as usize)
                && hay[start..].starts_with(needle)
            {
                tell(entry.needle as usize, start);
            }
        }
    }
    true
}

fn gram_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + GRAM].try_into().expect("a gram has eight bytes"))
}

/// Fibonacci hashing; the high bits are the good ones.
fn hash(gram: u64) -> u64 {
    gram.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The grams of all needles, by hash.
struct Index {
    /// One bit per value of the hash's first bits: most positions of a text need no more.
    filter: Vec<u64>,
    filter_bits: u32,
    /// Where the entries start that have these first bits (fewer than the filter's).
    heads: Vec<u32>,
    bucket_bits: u32,
    entries: Vec<Entry>,
}

impl Index {
    fn new(hay: &[u8], needles: &[&[u8]]) -> Option<Self> {
        let frequency = Frequency::sampled(hay);
        let mut entries = Vec::with_capacity(needles.len() * STRIDE);
        for (needle, text) in (0u32..).zip(needles) {
            let first = frequency.rarest_offset(text);
            // Offsets are small: only the first few are weighed.
            let entry = |offset| Entry { gram: gram_at(text, offset), needle, offset: offset as u32 };
            entries.extend((first..first + STRIDE).map(entry));
        }
        let bucket_bits = u32::try_from(entries.len()).ok()?.next_power_of_two().ilog2().clamp(10, 24);
        let filter_bits = bucket_bits + 4;
        // Of two places of a needle at one position of the text, the one further left has the larger offset.
        entries.sort_by_key(|entry| (hash(entry.gram) >> (64 - bucket_bits), u32::MAX - entry.offset));
        let mut filter = vec![0; 1 << (filter_bits - 6)];
        let mut heads = vec![0; (1 << bucket_bits) + 1];
        for entry in &entries {
            let hash = hash(entry.gram);
            let bit = hash >> (64 - filter_bits);
            filter[(bit >> 6) as usize] |= 1u64 << (bit & 63);
            heads[(hash >> (64 - bucket_bits)) as usize + 1] += 1;
        }
        let mut sum = 0;
        for head in &mut heads {
            sum += *head;
            *head = sum;
        }
        Some(Self { filter, filter_bits, heads, bucket_bits, entries })
    }

    fn may_have(&self, hash: u64) -> bool {
        let bit = hash >> (64 - self.filter_bits);
        self.filter[(bit >> 6) as usize] & (1 << (bit & 63)) != 0
    }

    fn bucket(&self, hash: u64) -> &[Entry] {
        let bucket = (hash >> (64 - self.bucket_bits)) as usize;
        &self.entries[self.heads[bucket] as usize..self.heads[bucket + 1] as usize]
    }
}

/// How often grams occur in a sample of a text, by hash.
struct Frequency {
    counts: Vec<u32>,
}

impl Frequency {
    const BITS: u32 = 16;

    fn sampled(hay: &[u8]) -> Self {
        let mut counts = vec![0; 1 << Self::BITS];
        // An odd step, so that columns of a regular text are all met.
        let step = (hay.len() / SAMPLE) | 1;
        for at in (0..hay.len().saturating_sub(GRAM - 1)).step_by(step) {
            counts[(hash(gram_at(hay, at)) >> (64 - Self::BITS)) as usize] += 1;
        }
        Self { counts }
    }

    fn of(&self, gram: u64) -> u32 {
        self.counts[(hash(gram) >> (64 - Self::BITS)) as usize]
    }

    /// The offset of `needle` from which the most frequent of [`STRIDE`] grams is least frequent.
    fn rarest_offset(&self, needle: &[u8]) -> usize {
        let offsets = (needle.len() - SHORTEST + 1).min(MOST_OFFSETS);
        let worst = |from: usize| (from..from + STRIDE).map(|at| self.of(gram_at(needle, at))).max();
        let mut best = (u32::MAX, 0);
        for from in 0..offsets {
            let count = worst(from).unwrap_or(0);
            if count < best.0 {
                best = (count, from);
            }
            // The sample has the needle's own place, too, perhaps.
            if count <= 1 {
                break;
            }
        }
        best.1
    }
}
