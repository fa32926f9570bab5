//! A call from the other end of the socket.
//!
//! Owns what is sure of it: nothing was done, or this is the answer, or nobody knows.

use super::message::{Ask, Told};
use super::peer::Peer;
use super::socket_path::SocketPath;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;

/// What came of a call.
#[derive(Debug)]
pub enum Called {
    /// It was answered.
    Told(Told),
    /// Nobody serves there, so that nothing was done.
    NotServed,
    /// The server went away while it did it, or before or after.
    Unknown,
}

/// Calls the server.
pub fn call(place: &SocketPath, ask: &Ask) -> Called {
    let Ok(mut stream) = connect(place) else { return Called::NotServed };
    let Ok(mut line) = serde_json::to_vec(ask) else { return Called::NotServed };
    line.push(b'\n');
    if stream.write_all(&line).is_err() {
        // A server that refuses to serve this caller says so, and reads nothing.
        return answer(stream).unwrap_or(Called::Unknown);
    }
    answer(stream).unwrap_or(Called::Unknown)
}

fn connect(place: &SocketPath) -> io::Result<UnixStream> {
    place.check_folder()?;
    let stream = UnixStream::connect(place.path())?;
    Peer::of(&stream)?;
    Ok(stream)
}

fn answer(stream: UnixStream) -> Option<Called> {
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).ok()?;
    serde_json::from_str(&line).ok().map(Called::Told)
}
