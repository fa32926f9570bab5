//! What other programs change in the working tree: how it was, what differs, what of that no record has, and whose it is.
//!
//! Owns looking, comparing, and the ledger of the calls that may be changing files. Writes nothing but that: who records what was
//! found is a use case.
//! Invariant: a change is told only where both its texts are known, byte for byte.

mod call;
mod changes;
mod checkouts;
mod events;
mod files;
mod gaps;
mod ledger;
mod others;
mod seen;
mod session;
mod snapshot;
mod stored;
mod table;
mod tree;
mod troubles;
mod whose_lines;

pub use call::{Call, Ending, Lifetime, Reach, Standing, Thread, meta_of, say_who_calls};
pub use changes::{Change, Looked, Unrecorded, changes};
pub use checkouts::head_before_commits;
pub use events::{FileEvents, Heard};
pub use gaps::{SinceSnapshot, gaps};
pub use ledger::{Ledger, Owner, calls, forget_commands, forget_texts, forget_the_dead, is_used, kept_texts, peek};
pub use session::{Session, Sessions};
pub use snapshot::{HeadThen, Scope, Snapshot};
pub use troubles::{Trouble, fired, has_fired, note, troubles};
