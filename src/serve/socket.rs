//! `redraft serve`: the socket, its connections, and the way of a call to the thread of its tree and back.
//!
//! Owns the bounds: of a line, of the calls that one connection has open, and of the time without any call. Each connection has a
//! thread that reads and one that writes, so that a client that never reads holds up nobody else.

use super::message::{Ask, Told};
use super::peer::Peer;
use super::socket_path::SocketPath;
use super::trees::{Tell, Trees, Turn};
use crate::code::Reason;
use crate::dialect::{id_of, other_than_json};
use crate::env::Env;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde_json::Value;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::time::Duration;

/// How a server serves.
#[derive(Debug, Clone)]
pub struct Options {
    pub place: SocketPath,
    /// It ends after so long without a call.
    pub idle: Duration,
    /// A line may have so many bytes.
    pub longest_line: u64,
}

/// What does a call.
pub type Handler = dyn Fn(&mut Turn<'_>, &Env, &Ask) -> Told + Send + Sync;

/// So many calls of one connection are open at once; what comes then is read when one of them is answered.
const MOST_OPEN: usize = 64;

/// So often it is asked whether to stop.
const TICK: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// So long the calls that are open may take when the server ends.
const LAST_CALLS: Duration = Duration::from_secs(30);

/// What all connections share.
struct Server {
    env: Env,
    trees: Trees,
    handler: Box<Handler>,
    longest_line: u64,
    /// How many calls are open, and how many there were.
    open: AtomicUsize,
    seen: AtomicU64,
}

/// Serves until nobody calls for long, or it is told to stop; `begun` is called as soon as it can be called.
///
/// # Errors
/// Where another server is at that place, or the socket cannot be made.
pub fn listen(env: &Env, options: &Options, handler: Box<Handler>, begun: impl FnOnce()) -> io::Result<()> {
    let listener = bind(&options.place, env.process_id())?;
    begun();
    let own = std::fs::metadata(options.place.path())?.ino();
    let longest_line = options.longest_line;
    let (open, seen) = (AtomicUsize::new(0), AtomicU64::new(0));
    let server = Arc::new(Server { env: env.clone(), trees: Trees::default(), handler, longest_line, open, seen });
    let listening = env.interrupt().listen();
    let now = || env.clock().instant();
    let (mut last, mut counted) = (now(), 0);
    while !listening.is_told_to_stop() {
        let seen = server.seen.load(Ordering::Relaxed);
        if seen != counted || server.open.load(Ordering::Relaxed) > 0 {
            (last, counted) = (now(), seen);
        }
        // Somebody else's socket at this place means that nobody finds this one any more.
        let is_found = std::fs::metadata(options.place.path()).is_ok_and(|meta| meta.ino() == own);
        if now().saturating_duration_since(last) >= options.idle || !is_found {
            break;
        }
        let mut polled = [PollFd::new(&listener, PollFlags::IN)];
        if !poll(&mut polled, Some(&TICK)).is_ok_and(|count| count > 0) {
            continue;
        }
        if let Ok((stream, _)) = listener.accept() {
            last = now();
            let server = Arc::clone(&server);
            std::thread::spawn(move || server.connected(stream));
        }
    }
    if std::fs::metadata(options.place.path()).is_ok_and(|meta| meta.ino() == own) {
        std::fs::remove_file(options.place.path())?;
    }
    drop(listener);
    // What is open is done and answered.
    let end = now();
    while server.open.load(Ordering::Relaxed) > 0 && now().saturating_duration_since(end) < LAST_CALLS {
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

/// Makes the socket; one that nobody listens to any more goes.
fn bind(place: &SocketPath, process: u32) -> io::Result<UnixListener> {
    place.make_folder()?;
    let path = place.path();
    if UnixStream::connect(path).is_ok() {
        let told = format!("a server is at {} already", path.display());
        return Err(io::Error::new(io::ErrorKind::AddrInUse, told));
    }
    // It takes the place when it can be called, so that nobody finds it half made.
    let new = path.with_file_name(format!("serve.{process}"));
    for place in [path, &new] {
        if std::fs::symlink_metadata(place).is_ok_and(|meta| !meta.file_type().is_socket()) {
            let told =
                format!("{} is there, and is no socket; it is left as it is; name another place", place.display());
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, told));
        }
    }
    _ = std::fs::remove_file(&new);
    let listener = UnixListener::bind(&new)?;
    std::fs::set_permissions(&new, std::fs::Permissions::from_mode(0o600))?;
    std::fs::rename(&new, path)?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

impl Server {
    fn connected(self: Arc<Self>, stream: UnixStream) {
        let Ok(out) = stream.try_clone() else { return };
        let (told, answers) = channel();
        let (slot, slots) = sync_channel(MOST_OPEN);
        let writer = std::thread::spawn(move || write(out, &answers, &slots));
        match Peer::of(&stream) {
            Ok(peer) => self.read(stream, peer, (&told, &slot)),
            Err(error) => {
                let text = format!("this server does not serve you: {error}; nothing was done; run redraft by itself");
                if slot.send(()).is_ok() {
                    _ = told.send(Told::refused(Value::Null, Reason::NotServed, &text));
                }
            }
        }
        drop((told, slot));
        _ = writer.join();
    }

    /// Reads calls until the client ends, or sends what is none and cannot be skipped.
    fn read(self: &Arc<Self>, stream: UnixStream, peer: Peer, (told, slot): (&Sender<Told>, &SyncSender<()>)) {
        let mut lines = BufReader::new(stream);
        loop {
            let mut line = Vec::new();
            match lines.by_ref().take(self.longest_line + 1).read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            // Where too many are open, this waits until one is answered; where nobody writes any more, it ends.
            if slot.send(()).is_err() {
                return;
            }
            let refused =
                |text: &str| _ = told.send(Told::refused(id_of(&line).unwrap_or_default(), Reason::BadJson, text));
            if line.len() as u64 > self.longest_line {
                refused(
                    "the line is too long; nothing was done; send at most as much as redraft.maxRequestSize allows",
                );
                return;
            }
            if !line.ends_with(b"\n") {
                // Half a line is no call: who sent it did not get to its end.
                refused("the line has no end; nothing was done; end each call with a newline");
                return;
            }
            let why = match serde_json::from_slice::<Ask>(&line) {
                Ok(ask) => match other_than_json(&line) {
                    None => {
                        self.submit(ask, peer, told.clone());
                        continue;
                    }
                    Some(why) => why,
                },
                Err(error) => error.to_string(),
            };
            refused(&format!("the line is no call: {why}; nothing was done; docs/serve.md has its form"));
        }
    }

    fn submit(self: &Arc<Self>, ask: Ask, peer: Peer, told: Sender<Told>) {
        self.seen.fetch_add(1, Ordering::Relaxed);
        let env = match self.surroundings(&ask, peer) {
            Ok(env) => env,
            Err(why) => {
                let text = format!("{why}; nothing was done; run redraft by itself");
                _ = told.send(Told::refused(ask.id, Reason::NotServed, &text));
                return;
            }
        };
        self.open.fetch_add(1, Ordering::Relaxed);
        let server = Arc::clone(self);
        self.trees.submit_joining(&tree(env.cwd()), move |turn| -> Tell {
            let answer = (server.handler)(turn, &env, &ask);
            let (told, server) = (told.clone(), Arc::clone(&server));
            Box::new(move || {
                _ = told.send(answer);
                server.open.fetch_sub(1, Ordering::Relaxed);
            })
        });
    }

    /// As if the program had been started there by the caller.
    fn surroundings(&self, ask: &Ask, peer: Peer) -> Result<Env, String> {
        if !Path::new(&ask.cwd).is_absolute() {
            return Err(format!("`cwd` must be an absolute path, not {:?}", ask.cwd));
        }
        let env = self.env.clone().called_by(peer.process, ask.variables.as_ref());
        let env = env.ok_or("the caller's variables (HOME, GIT_* and the like) are not the server's")?;
        env.moved_to(Path::new(&ask.cwd)).map_err(|error| format!("cannot change to {}: {error}", ask.cwd))
    }
}

/// What tells one tree from another without opening it: the nearest directory upwards with a `.git`.
fn tree(cwd: &Path) -> PathBuf {
    cwd.ancestors().find(|dir| dir.join(".git").exists()).unwrap_or(cwd).to_owned()
}

/// Writes answers as they come; a slot is free again when its answer is written.
fn write(mut out: UnixStream, answers: &Receiver<Told>, slots: &Receiver<()>) {
    for told in answers {
        let Ok(mut line) = serde_json::to_vec(&told) else { return };
        line.push(b'\n');
        if out.write_all(&line).is_err() || slots.recv().is_err() {
            return;
        }
    }
}
