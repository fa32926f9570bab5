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
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SendError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
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

/// So long the calls that are open may take when the server ends, and then their answers, until the clients have them.
const LAST_CALLS: Duration = Duration::from_secs(30);
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// What all connections share.
struct Server {
    env: Env,
    trees: Trees,
    handler: Box<Handler>,
    longest_line: u64,
    /// How many calls are open, and how many there were.
    open: AtomicUsize,
    seen: AtomicU64,
    /// How many calls are not answered yet: an answer counts when it is written.
    unanswered: AtomicUsize,
    /// It takes no more calls.
    is_ending: AtomicBool,
}

/// A call that is not answered yet.
struct Unanswered(Arc<Server>);

impl Unanswered {
    fn of(server: &Arc<Server>) -> Self {
        server.unanswered.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(server))
    }
}

impl Drop for Unanswered {
    fn drop(&mut self) {
        self.0.unanswered.fetch_sub(1, Ordering::Relaxed);
    }
}

/// An answer on its way to the client; to what was no call, with nothing to wait for.
type Answer = (Told, Option<Unanswered>);

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
        unanswered: AtomicUsize::default(),
        is_ending: AtomicBool::default(),
    });
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
            if let Err(stream) = on_a_thread(stream, move |stream| server.connected(stream)) {
                hand_back(&stream);
            }
        }
    }
    if std::fs::metadata(options.place.path()).is_ok_and(|meta| meta.ino() == own) {
        std::fs::remove_file(options.place.path())?;
    }
    // Who has called already, and was not heard.
    while let Ok((stream, _)) = listener.accept() {
        hand_back(&stream);
    }
    drop(listener);
    // What is open is done and answered; what comes now is handed back.
    server.is_ending.store(true, Ordering::SeqCst);
    for (left, longest) in [(&server.open, LAST_CALLS), (&server.unanswered, LAST_ANSWERS)] {
        let end = now();
        while left.load(Ordering::SeqCst) > 0 && now().saturating_duration_since(end) < longest {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    Ok(())
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
    fn connected(self: Arc<Self>, stream: UnixStream) {
        let Ok(out) = stream.try_clone() else { return };
        let (told, answers) = channel();
        let (slot, slots) = sync_channel(MOST_OPEN);
        let Ok(writer) = on_a_thread((out, answers, slots), |(out, answers, slots)| write(out, &answers, &slots))
        else {
            hand_back(&stream);
            return;
        };
        match Peer::of(&stream) {
            Ok(peer) => self.read(stream, peer, (&told, &slot)),
            Err(error) => {
                let text = format!("this server does not serve you: {error}; nothing was done; run redraft by itself");
                if slot.send(()).is_ok() {
                    _ = told.send((Told::refused(Value::Null, Reason::NotServed, &text), None));
                }
            }
        }
        drop((told, slot));
        _ = writer.join();
    }

    /// Reads calls until the client ends, or sends what is none and cannot be skipped.
    fn read(self: &Arc<Self>, stream: UnixStream, peer: Peer, (told, slot): (&Sender<Answer>, &SyncSender<()>)) {
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
            let refused = |text: &str| {
                _ = told.send((Told::refused(id_of(&line).unwrap_or_default(), Reason::BadJson, text), None));
            };
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

    fn submit(self: &Arc<Self>, ask: Ask, peer: Peer, told: Sender<Answer>) {
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
                _ = told.send((Told::refused(ask.id, Reason::NotServed, &text), Some(Unanswered::of(self))));
                self.open.fetch_sub(1, Ordering::SeqCst);
                return;
            }
        };
        let server = Arc::clone(self);
        let unanswered = Arc::new(Mutex::new(Some(Unanswered::of(self))));
        self.trees.submit_joining(&tree(env.cwd()), move |turn| -> Tell {
            let answer = (server.handler)(turn, &env, &ask);
            let (told, server, unanswered) = (told.clone(), Arc::clone(&server), Arc::clone(&unanswered));
            Box::new(move || {
                _ = told.send((answer, unanswered.lock().unwrap_or_else(PoisonError::into_inner).take()));
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
fn write(mut out: UnixStream, answers: &Receiver<Answer>, slots: &Receiver<()>) {
    for (told, _unanswered) in answers {
        let Ok(mut line) = serde_json::to_vec(&told) else { return };
        line.push(b'\n');
        if out.write_all(&line).is_err() || slots.recv().is_err() {
            return;
        }
    }
}
