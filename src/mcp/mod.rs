//! redraft as a server of the Model Context Protocol, over standard input and output.
//!
//! Owns the protocol's side: what tools there are, who calls them, what a person is asked, and how results are told. What a
//! tool does is a use case's. The only part with an async runtime; no tool runs on it: each working tree has a thread of its
//! own, so that calls for one tree are done in the order in which they came.
//! Invariants: a call is answered once, unless it was cancelled; nothing outside of the given folders is read or written; a
//! connection is no session.

mod answer;
mod arguments;
mod caller;
mod confirm;
mod progress;
mod resources;
mod roots;
mod server;
mod tools;
mod transport;

use crate::env::Env;
use roots::Roots;
use server::Server;
use std::io;
use std::path::PathBuf;
use tools::Offer;
use transport::Lines;

/// What the command line says of the server.
#[derive(Debug, Default)]
pub struct Options {
    /// The folders that are served, each inside a repository; the current directory where there is none.
    pub roots: Vec<PathBuf>,
    /// Whether the tools that write are left out.
    pub is_read_only: bool,
}

/// Serves a client until it ends its input.
///
/// # Errors
/// Where a folder is none, or the runtime cannot be made.
pub fn serve(
    env: &Env,
    options: &Options,
    input: impl io::Read + Send + 'static,
    out: impl io::Write + Send + 'static,
) -> io::Result<()> {
    let roots = Roots::open(env, &options.roots)?;
    let offer = Offer { is_read_only: options.is_read_only, has_several_roots: roots.has_several() };
    let server = Server::new(env.clone(), roots, offer);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    runtime.block_on(server.run(Lines::open(input, out)));
    Ok(())
}
