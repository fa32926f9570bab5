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
use crate::env::{Env, Interrupt};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::Shutdown;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SendError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
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

/// When the server ends, so long may pass without a call's being done, while calls are open, and without an answer's being
/// written after that.
const LAST_CALLS: Duration = Duration::from_secs(30);
const LAST_ANSWERS: Duration = Duration::from_secs(5);

/// What all connections share.
struct Server {
    env: Env,
    trees: Trees,
    handler: Box<Handler>,
    longest_line: u64,
    /// How many calls are open, how many there were, and how many answers were written.
    open: AtomicUsize,
    seen: AtomicU64,
    written: AtomicU64,
    /// Those that are there, by numbers.
    connections: Mutex<BTreeMap<u64, UnixStream>>,
    /// It takes no more calls.
    is_ending: AtomicBool,
}

/// Serves until nobody calls for long, or it is told to stop; `begun` is called as soon as it can be called.
///
/// # Errors
/// Where another server is at that place, or the socket cannot be made.
pub fn listen(env: &Env, options: &Options, handler: Box<Handler>, begun: impl FnOnce()) -> io::Result<()> {
    // Before anybody can call: who is told to end with a call on its way answers it first.
    let listening = env.interrupt().listen();
    let listener = bind(&options.place, env.process_id())?;
    begun();
    let own = std::fs::metadata(options.place.path())?.ino();
    let server = Arc::new(Server {
        env: env.clone(),
        trees: Trees::default(),
        handler,
        longest_line: options.longest_line,
        open: AtomicUsize::default(),
        seen: AtomicU64::default(),
        written: AtomicU64::default(),
        connections: Mutex::default(),
        is_ending: AtomicBool::default(),
    });
    let now = || env.clock().instant();
    let (mut last, mut counted, mut number) = (now(), 0, 0);
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
            number += 1;
            server.connect(number, stream);
        }
    }
    let is_own = std::fs::metadata(options.place.path()).is_ok_and(|meta| meta.ino() == own);
    let removed = if is_own { std::fs::remove_file(options.place.path()) } else { Ok(()) };
    // What has come is done and answered; what comes now is handed back.
    server.is_ending.store(true, Ordering::SeqCst);
    while let Ok((stream, _)) = listener.accept() {
        number += 1;
        server.connect(number, stream);
    }
    drop(listener);
    server.end();
    removed
}

/// Has a thread of its own do `work` with what it is given; gives that back where the system has no more threads.
fn on_a_thread<T: Send + 'static>(given: T, work: impl FnOnce(T) + Send + 'static) -> Result<JoinHandle<()>, T> {
    let (sender, receiver) = sync_channel(1);
    let thread = std::thread::Builder::new().spawn(move || _ = receiver.recv().map(work));
    match thread {
        Ok(thread) => sender.send(given).map(|()| thread).map_err(|SendError(given)| given),
        Err(_) => Err(given),
    }
}

/// Tells a client that this server cannot serve it now; whether it hears it does not hold up the others.
fn hand_back(mut stream: &UnixStream) {
    let told = Told::refused(
        Value::Null,
        Reason::NotServed,
        "this server ends, or can serve no more; nothing was done; run redraft by itself",
    );
    let line = serde_json::to_vec(&told).map(|line| [&line[..], b"\n"].concat());
    if stream.set_nonblocking(true).is_ok() {
        _ = line.map(|line| stream.write_all(&line));
    }
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
    /// Serves one more caller.
    fn connect(self: &Arc<Self>, number: u64, stream: UnixStream) {
        let Ok(known) = stream.try_clone() else { return hand_back(&stream) };
        self.connections().insert(number, known);
        let server = Arc::clone(self);
        let serve = move |stream| {
            Arc::clone(&server).connected(stream);
            server.connections().remove(&number);
        };
        if let Err(stream) = on_a_thread(stream, serve) {
            hand_back(&stream);
            self.connections().remove(&number);
        }
    }

    fn connections(&self) -> MutexGuard<'_, BTreeMap<u64, UnixStream>> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until all that was sent is answered, as long as something moves.
    fn end(&self) {
        // Nothing more can be sent; what was sent already is read.
        self.connections().values().for_each(|stream| _ = stream.shutdown(Shutdown::Read));
        let now = || self.env.clock().instant();
        let state = || (self.open.load(Ordering::SeqCst), self.written.load(Ordering::SeqCst));
        let (mut since, mut last) = (now(), state());
        while !self.connections().is_empty() {
            let (open, _) = state();
            if state() != last {
                (since, last) = (now(), state());
            }
            let longest = if open > 0 { LAST_CALLS } else { LAST_ANSWERS };
            if now().saturating_duration_since(since) >= longest {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn connected(self: Arc<Self>, stream: UnixStream) {
        let Ok(out) = stream.try_clone() else { return };
        let (told, answers) = channel();
        let (slot, slots) = sync_channel(MOST_OPEN);
        let server = Arc::clone(&self);
        let write = move |(out, answers, slots)| write(&server, out, &answers, &slots);
        let Ok(writer) = on_a_thread((out, answers, slots), write) else {
            hand_back(&stream);
            return;
        };
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
        // Whoever ends the server sees this call, or it is seen here that it ends.
        self.open.fetch_add(1, Ordering::SeqCst);
        let surroundings = match self.is_ending.load(Ordering::SeqCst) {
            true => Err("this server ends".to_owned()),
            false => self.surroundings(&ask, peer),
        };
        let env = match surroundings {
            Ok(env) => env,
            Err(why) => {
                let text = format!("{why}; nothing was done; run redraft by itself");
                _ = told.send(Told::refused(ask.id, Reason::NotServed, &text));
                self.open.fetch_sub(1, Ordering::SeqCst);
                return;
            }
        };
        let server = Arc::clone(self);
        self.trees.submit_joining(&tree(env.cwd()), move |turn| -> Tell {
            let answer = (server.handler)(turn, &env, &ask);
            let (told, server) = (told.clone(), Arc::clone(&server));
            Box::new(move || {
                _ = told.send(answer);
                server.open.fetch_sub(1, Ordering::SeqCst);
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
        // What tells the server to end does not tell a call to.
        let env = env.with_interrupt(Interrupt::default());
        env.moved_to(Path::new(&ask.cwd)).map_err(|error| format!("cannot change to {}: {error}", ask.cwd))
    }
}

/// What tells one tree from another without opening it: the nearest directory upwards with a `.git`.
fn tree(cwd: &Path) -> PathBuf {
    cwd.ancestors().find(|dir| dir.join(".git").exists()).unwrap_or(cwd).to_owned()
}

/// Writes answers as they come; a slot is free again when its answer is written.
fn write(server: &Server, mut out: UnixStream, answers: &Receiver<Told>, slots: &Receiver<()>) {
    for told in answers {
        let Ok(mut line) = serde_json::to_vec(&told) else { return };
        line.push(b'\n');
        if out.write_all(&line).is_err() || slots.recv().is_err() {
            return;
        }
        server.written.fetch_add(1, Ordering::SeqCst);
    }
}
