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
        let found = then();
        done.store(true, Ordering::Release);
        watch.thread().unpark();
        found
    })
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
        #[cfg(unix)]
        if let Some(before) = &self.before {
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
