//! Who is at the other end of a connection.
//!
//! Owns what must be the same there: the user, and what the same path, number of a process, and new file mean.

use rustix::net::sockopt::socket_peercred;
use std::fs::File;
use std::io::{self, Read};
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
    // The line is the second one, behind a name of 64 bytes at most. The file tells no length, so that all of it would be read
    // in a dozen steps.
    let mut beginning = [0; 256];
    let length = File::open(format!("/proc/{process}/status"))?.read(&mut beginning)?;
    let status = String::from_utf8_lossy(&beginning[..length]).into_owned();
    let line = status.split_inclusive('\n').find_map(|line| line.strip_prefix("Umask:")?.strip_suffix('\n'));
    let missing = || io::Error::new(io::ErrorKind::Unsupported, "the system does not tell the mode of new files");
    Ok(line.ok_or_else(missing)?.trim().to_owned())
}
