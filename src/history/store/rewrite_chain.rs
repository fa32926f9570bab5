//! Writes a chain of records anew.
//!
//! Owns the order in which that is safe. Does not decide which records stay.

use crate::history::error::HistoryError;
use crate::history::store::chain::Chain;
use crate::history::store::chain_reader;
use crate::history::store::pack::PackWriter;
use crate::history::store::repository::Store;
use crate::history::store::seal::add_record;
use crate::record::Record;
use crate::state_dir::Durability;

/// Writes a chain anew with these records, oldest first; without any it goes.
pub fn write_chain(store: &Store, chain: &Chain, records: Vec<Record>) -> Result<(), HistoryError> {
    if records.is_empty() {
        // An index without a chain would look like a chain that lost its ref.
        chain_reader::remove(store, chain);
        store.remove_chain(chain)?;
        return Ok(());
    }
    let mut pack = PackWriter::new();
    let mut tip = None;
    for record in &records {
        tip = Some(add_record(&mut pack, record, tip));
    }
    pack.finish(&store.path().join("objects/pack"), Durability::Full)?;
    let tip = tip.expect("there is a record");
    store.set_chain(chain, tip, Durability::Full)?;
    // The new objects are in a pack that this process has not looked for.
    let fresh = store.again();
    chain_reader::rebuild(&fresh, chain, tip)
}
