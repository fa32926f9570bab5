//! Tests against real repositories and the real binary: one integration binary, one file per subject.

mod bad_input;
mod boundary;
mod cli_docs;
mod commit;
mod damage;
mod docs;
mod history;
mod history_blame;
mod history_upkeep;
mod hooks;
mod hostile;
mod index;
mod library;
mod protocol;
mod purge;
mod read;
mod scenarios;
mod stash;
mod support;
mod surroundings;
mod taking_back;
mod tidy;
mod transaction;
mod undo;
mod undo_random;
