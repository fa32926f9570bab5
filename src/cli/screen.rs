//! A terminal as a screen: drawn on, keys read, and left as it was.
//!
//! Owns the only state of the terminal that is changed: raw mode, the other screen, the cursor. Draws nothing of its own.
//! Invariant: whatever ends the program but SIGKILL, also a panic, puts the terminal back first.

use crate::env::Env;
use crate::view::review::Key;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use crossterm::cursor::{Hide, Show};
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::execute;
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::backend::CrosstermBackend;
use ratatui::{Frame, Terminal};
use std::io::{self, IsTerminal, Stdout, Write};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Thread;
use std::time::Duration;

/// Whether there is something to put back.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// Why there is no screen; none where there is one.
pub(super) fn lacking(env: &Env) -> Option<String> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Some("standard input and output are not both a terminal".to_owned());
    }
    let term = env.variable("TERM").unwrap_or_default().to_string_lossy();
    let is_dumb = term == "dumb" || (term.is_empty() && !cfg!(windows));
    is_dumb.then(|| format!("this terminal (TERM={term}) says that it cannot put text at a place"))
}

/// The terminal, for as long as this lives.
pub(super) struct Screen(Terminal<CrosstermBackend<Stdout>>);

impl Screen {
    /// Takes the terminal.
    ///
    /// # Errors
    /// Where it cannot be put into raw mode, or written to.
    pub(super) fn open() -> io::Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let told = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |info| {
                give_back();
                told(info);
            }));
        });
        take()?;
        Terminal::new(CrosstermBackend::new(io::stdout())).map(Self).inspect_err(|_| give_back())
    }

    /// Its width and height.
    ///
    /// # Errors
    /// Where the system does not tell it.
    pub(super) fn size(&self) -> io::Result<(u16, u16)> {
        self.0.size().map(|size| (size.width, size.height))
    }

    /// Draws.
    ///
    /// # Errors
    /// Where the terminal cannot be written to.
    pub(super) fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        self.0.draw(draw).map(|_| ())
    }

    /// Does something while the terminal is as it was.
    ///
    /// # Errors
    /// Where it cannot be taken again.
    pub(super) fn aside<T>(&mut self, then: impl FnOnce() -> T) -> io::Result<T> {
        give_back();
        let done = then();
        take()?;
        self.0.clear()?;
        Ok(done)
    }

    /// Asks the terminal to keep a text as what was copied; whether it does is not known.
    ///
    /// # Errors
    /// Where the terminal cannot be written to.
    pub(super) fn copy(&mut self, text: &str) -> io::Result<()> {
        let mut out = io::stdout();
        write!(out, "\x1b]52;c;{}\x07", STANDARD.encode(text))?;
        out.flush()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Does something that may take long: ctrl-C is a signal meanwhile, not a key. Where it changes nothing, who asks to stop need not wait for
/// its end: the program ends, and the terminal is as it was.
pub(super) fn busy<T>(env: &Env, what: Work, then: impl FnOnce() -> T) -> T {
    let _keys = KeysSignal::begin();
    let Work::Reads = what else { return then() };
    let (interrupt, done) = (env.interrupt().clone(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            while !done.load(Ordering::Acquire) {
                if interrupt.is_raised() {
                    give_back();
                    std::process::exit(INTERRUPTED);
                }
                std::thread::park_timeout(Duration::from_millis(50));
            }
        });
        let _ended = Ended { done: &done, watch: watch.thread() };
        then()
    })
}

/// Ends the watch, also when what was watched panicked: else nobody would.
struct Ended<'a> {
    done: &'a AtomicBool,
    watch: &'a Thread,
}

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Release);
        self.watch.unpark();
    }
}

/// As shells have it for SIGINT.
const INTERRUPTED: i32 = 130;

/// What may take long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    /// It changes nothing.
    Reads,
    /// It does, and looks itself whether to stop.
    Writes,
}

/// As long as this lives, ctrl-C and ctrl-\\ are signals; ctrl-Z, after which nobody would put the terminal back, is not.
struct KeysSignal {
    #[cfg(unix)]
    before: Option<rustix::termios::Termios>,
}

impl KeysSignal {
    #[cfg(unix)]
    fn begin() -> Self {
        use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, tcgetattr, tcsetattr};
        let before = tcgetattr(io::stdin()).ok();
        if let Some(mut during) = before.clone() {
            during.local_modes |= LocalModes::ISIG;
            during.special_codes[SpecialCodeIndex::VSUSP] = 0;
            // Else they wait, as they did.
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &during);
        }
        Self { before }
    }

    #[cfg(not(unix))]
    fn begin() -> Self {
        Self {}
    }
}

impl Drop for KeysSignal {
    fn drop(&mut self) {
        // A terminal that was given back meanwhile is as it was before all of this.
        #[cfg(unix)]
        if let Some(before) = self.before.as_ref().filter(|_| IS_TAKEN.load(Ordering::SeqCst)) {
            let _ = rustix::termios::tcsetattr(io::stdin(), rustix::termios::OptionalActions::Now, before);
        }
    }
}

fn take() -> io::Result<()> {
    IS_TAKEN.store(true, Ordering::SeqCst);
    enable_raw_mode().and_then(|()| execute!(io::stdout(), EnterAlternateScreen, Hide)).inspect_err(|_| give_back())
}

fn give_back() {
    if IS_TAKEN.swap(false, Ordering::SeqCst) {
        // There is nobody left to tell.
        let _ = execute!(io::stdout(), LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}

/// What came from the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heard {
    /// A key.
    Key(Key),
    /// Another size, or something that means nothing here.
    Other,
    /// Nothing, for so long.
    Nothing,
}

/// Waits for a key.
///
/// # Errors
/// Where the terminal is gone.
pub(super) fn hear(longest: Duration) -> io::Result<Heard> {
    if !event::poll(waited(longest)?)? {
        return Ok(Heard::Nothing);
    }
    Ok(match event::read()? {
        Event::Key(key) if key.kind != KeyEventKind::Release => key_of(key).map_or(Heard::Other, Heard::Key),
        _ => Heard::Other,
    })
}

/// Waits until there is something to read, or a signal came (as with another size); how long is left. The library that reads does so for
/// ever from a terminal that is gone.
///
/// # Errors
/// Where it is.
#[cfg(unix)]
fn waited(longest: Duration) -> io::Result<Duration> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdin = io::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
    let timeout = Timespec::try_from(longest).map_err(io::Error::other)?;
    match poll(&mut fds, Some(&timeout)) {
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    if fds[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it is gone"));
    }
    Ok(Duration::ZERO)
}

#[cfg(not(unix))]
fn waited(longest: Duration) -> io::Result<Duration> {
    Ok(longest)
}

fn key_of(event: KeyEvent) -> Option<Key> {
    Some(match event.code {
        KeyCode::Char(c) if event.modifiers.contains(KeyModifiers::CONTROL) => Key::Ctrl(c.to_ascii_lowercase()),
        KeyCode::Char(c) => Key::Char(c),
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Escape,
        KeyCode::Tab | KeyCode::BackTab => Key::Tab,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        _ => return None,
    })
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::super::signals;
    use super::*;
    use crate::env::program;
    use std::io::Read;
    use std::process::{Command, Stdio};
    use std::sync::mpsc::{RecvTimeoutError, channel};

    /// Names the scene that is to be played, to this very test in a terminal of its own.
    const SCENE: &str = "REDRAFT_TEST_SCENE";
    const SAID: &str = "said in the scene";
    const LONGEST: Duration = Duration::from_secs(60);

    /// What is done with the terminal taken.
    fn play(scene: &str, env: &Env) {
        let _screen = Screen::open().expect("a terminal");
        match scene {
            "panic" => panic!("{SAID}"),
            "panic while busy" => busy(env, Work::Reads, || panic!("{SAID}")),
            "panic of another thread" => std::thread::scope(|scope| drop(scope.spawn(|| panic!("{SAID}")).join())),
            "ctrl-C while busy" => {
                let _listening = env.interrupt().listen();
                busy(env, Work::Reads, || {
                    eprintln!("{SAID}");
                    loop {
                        std::thread::park();
                    }
                });
            }
            other => unreachable!("no scene is called {other}"),
        }
    }

    /// Plays a scene in a terminal, and types once it has said something; gives what was shown, and how the terminal was before and
    /// after. None where there is no `script(1)`.
    fn played(scene: &str, typed: &[u8]) -> Option<(String, [String; 2])> {
        if Command::new("script").arg("--version").output().is_err() {
            eprintln!("notice: there is no script(1) here; a terminal is not tried");
            return None;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let this = program().expect("it runs");
        let test = "--exact cli::screen::tests::whatever_ends_a_review_leaves_the_terminal_as_it_was --nocapture";
        // Ctrl-C is heard by the shell, too.
        let line = format!("trap : INT; stty -a > before; '{}' {test}; stty -a > after", this.display());
        let mut command = Command::new("script");
        command.args(["-qec", &line, "/dev/null"]).current_dir(folder.path());
        command.env(SCENE, scene).env("TERM", "xterm").env("SHELL", "/bin/sh");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("script runs");
        let mut out = child.stdout.take().expect("it is piped");
        let mut keyboard = child.stdin.take();
        let (sender, screen) = channel();
        std::thread::spawn(move || {
            let mut part = [0; 4096];
            while let Ok(count @ 1..) = out.read(&mut part) {
                if sender.send(part[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        let (mut shown, mut to_type) = (Vec::new(), Some(typed));
        loop {
            match screen.recv_timeout(LONGEST) {
                Ok(part) => shown.extend(part),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    child.kill().expect("it runs");
                    panic!("{scene} has no end: {}", String::from_utf8_lossy(&shown));
                }
            }
            let has_said = String::from_utf8_lossy(&shown).contains(SAID);
            if let Some(typed) = to_type.take_if(|_| has_said) {
                keyboard.as_mut().expect("it is piped").write_all(typed).expect("it is typed");
            }
        }
        drop(keyboard);
        child.wait().expect("script ends");
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("stty wrote it");
        Some((String::from_utf8_lossy(&shown).into_owned(), [read("before"), read("after")]))
    }

    /// Seen: a panic while it was busy ended nothing, and put raw mode back again.
    #[test]
    fn whatever_ends_a_review_leaves_the_terminal_as_it_was() {
        let env = Env::from_process().expect("a directory").with_interrupt(signals::interrupt());
        if let Some(scene) = env.variable(SCENE) {
            play(&scene.to_string_lossy(), &env);
            return;
        }
        for (scene, typed) in [
            ("panic", &b""[..]),
            ("panic while busy", b""),
            ("panic of another thread", b""),
            ("ctrl-C while busy", b"\x03"),
        ] {
            let Some((shown, [before, after])) = played(scene, typed) else { return };
            assert_eq!(before, after, "{scene}: {shown}");
            let at = |text: &str| shown.find(text).unwrap_or_else(|| panic!("{scene}: no {text:?} in {shown:?}"));
            let (taken, left, cursor) = (at("\x1b[?1049h"), at("\x1b[?1049l"), at("\x1b[?25h"));
            assert!(taken < left && taken < cursor, "{scene}: {shown:?}");
            // What a panic says stands where it can be read, on the screen that stays.
            assert!(typed.is_empty() == (left < at(SAID)), "{scene}: {shown:?}");
        }
    }
}
