//! Who is at the other end of a connection.
//!
//! Owns what must be the same there: the user, and what the same path, number of a process, and new file mean.

use rustix::net::sockopt::socket_peercred;
use std::io;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

/// A process at the other end.
#[derive(Debug, Clone, Copy)]
pub struct Peer {
    /// Its number, as it is seen from here.
    pub process: u32,
}

impl Peer {
    /// The process that connected.
    ///
    /// # Errors
    /// Where it is another user's; where it lives in another container, or makes files with another mode (umask), so that the same
    /// call means something else there.
    pub fn of(stream: &UnixStream) -> io::Result<Self> {
        let told = socket_peercred(stream)?;
        let refused = |why| Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
        if told.uid != rustix::process::geteuid() {
            return refused("the caller is another user");
        }
        let process = told.pid.as_raw_nonzero().get();
        for what in ["ns/mnt", "ns/pid", "root"] {
            let link = |process: &str| std::fs::read_link(PathBuf::from(format!("/proc/{process}/{what}")));
            if link(&process.to_string())? != link("self")? {
                return refused("the caller lives in another container");
            }
        }
        if umask(&process.to_string())? != umask("self")? {
            return refused("the caller makes files with another mode (umask)");
        }
        Ok(Self { process: process.unsigned_abs() })
    }
}

fn umask(process: &str) -> io::Result<String> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("Umask:"));
    Ok(line.unwrap_or_default().trim().to_owned())
}
