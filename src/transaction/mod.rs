//! The only code that writes in the working tree.
mod intent;
pub use intent::{BadIntent, Intent, IntentFile, IntentSplice, RecordClass, RecordMeta, intent_splices};
