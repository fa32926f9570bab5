//! Tells the linker how the program is linked.
//!
//! Where all of it lies at one place, and no library has to be found, read and bound, a command of two milliseconds begins a third of a
//! millisecond earlier (docs/performance.md): the dynamic linker made 29 of its 65 first calls to the system, and corrected ten
//! thousand addresses. The price: the addresses of code are not chosen at random (those of the stack and the heap still are), and a
//! mended C library counts only after the program is built anew. The program has no unsafe code of its own, and takes input from its
//! user only.
//!
//! In a release build the functions that a small edit calls are put beside each other, as far as the names in `benches/link_order.txt` are those
//! that this compiler makes: an edit meets some 130 page faults then, not 200. Only the linker that comes with Rust is asked to.
//!
//! `REDRAFT_LINK=dynamic` in the environment of the build leaves the C library to the system. So it is, too, where the build has none to
//! put in.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What rustc names on its command line for a program that is linked dynamically; found here first, it is the static one.
const LIBRARIES: [&str; 6] = ["c", "m", "rt", "util", "pthread", "dl"];

/// Functions that ask the system's directory of users. In a program that is linked statically they load libraries of the machine
/// that it runs on, which belong to another C library, and end it with a fault (a user who is in no /etc/passwd, `HOME` not set: a
/// container). So nobody is known to them, as [`ANSWERS_NOTHING`] gives 0, or no pointer: where `HOME` is not set there is no
/// configuration of a user, as in git.
const OF_USERS: [&str; 2] = ["getpwuid_r", "getpwnam"];

/// A function without arguments or effect, which gives 0.
const ANSWERS_NOTHING: &str = "sched_yield";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=REDRAFT_LINK");
    let target = |name: &str| std::env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    if target("OS") != "linux" || target("ENV") != "gnu" || target("ARCH") != "x86_64" {
        return;
    }
    println!("cargo::rustc-link-arg-bins=-no-pie");
    let is_asked_not_to = std::env::var("REDRAFT_LINK").is_ok_and(|how| how == "dynamic");
    let is_static_already = target("FEATURE").split(',').any(|feature| feature == "crt-static");
    let is_foreign =
        std::env::var("HOST").ok() != std::env::var("TARGET").ok() || std::env::var("RUSTC_LINKER").is_ok();
    if is_asked_not_to || is_static_already || is_foreign {
        return;
    }
    put_in_order();
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it")).join("static");
    if lay_out(&folder).is_some() {
        println!("cargo::rustc-link-arg-bins=-static");
        println!("cargo::rustc-link-arg-bins=-L{}", folder.display());
        for name in OF_USERS {
            println!("cargo::rustc-link-arg-bins=-Wl,--defsym={name}={ANSWERS_NOTHING}");
        }
    }
}

/// Has the linker put what a small edit calls beside each other, where it is the one that comes with Rust.
fn put_in_order() {
    println!("cargo::rerun-if-env-changed=REDRAFT_LINK_ORDER");
    println!("cargo::rerun-if-env-changed=REDRAFT_LINK_MAP");
    // Where each function lies, for benches/link_order.py: another profile would give them other names.
    if let Ok(map) = std::env::var("REDRAFT_LINK_MAP") {
        println!("cargo::rustc-link-arg-bins=-Wl,-Map={map}");
    }
    let is_release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let is_asked_not_to = std::env::var("REDRAFT_LINK_ORDER").is_ok_and(|how| how == "none");
    // Who chooses flags may have chosen another linker.
    let has_flags = std::env::var("CARGO_ENCODED_RUSTFLAGS").is_ok_and(|flags| flags.contains("link"));
    if !is_release || is_asked_not_to || has_flags || !is_rusts_linker_there() {
        return;
    }
    let names = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/link_order.txt");
    println!("cargo::rerun-if-changed={}", names.display());
    if names.is_file() {
        println!("cargo::rustc-link-arg-bins=-Wl,--symbol-ordering-file={}", names.display());
        println!("cargo::rustc-link-arg-bins=-Wl,--no-warn-symbol-ordering");
    }
}

/// Whether this Rust has a linker of its own, which it uses then.
fn is_rusts_linker_there() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let Ok(out) = Command::new(rustc).args(["--print", "target-libdir"]).output() else { return false };
    let libraries = PathBuf::from(String::from_utf8_lossy(&out.stdout).trim());
    libraries.parent().is_some_and(|there| there.join("bin/gcc-ld/ld.lld").is_file())
}

/// Fills a folder with the static libraries of the C compiler; `None` where it lacks one.
fn lay_out(folder: &Path) -> Option<()> {
    drop(fs::remove_dir_all(folder));
    fs::create_dir_all(folder).ok()?;
    for name in LIBRARIES.map(|name| format!("lib{name}.a")) {
        fs::write(folder.join(&name), format!("INPUT(\"{}\")\n", found(&name)?.display())).ok()?;
    }
    // What unwinds the stack has another name where it is static.
    let parts =
        [found("libgcc_eh.a")?, found("libgcc.a")?, found("libc.a")?].map(|path| format!("\"{}\"", path.display()));
    fs::write(folder.join("libgcc_s.a"), format!("GROUP({})\n", parts.join(" "))).ok()
}

/// Where the C compiler finds a library.
fn found(name: &str) -> Option<PathBuf> {
    let out = Command::new("cc").arg(format!("-print-file-name={name}")).output().ok()?;
    let path = PathBuf::from(String::from_utf8(out.stdout).ok()?.trim());
    // Where it finds none it says the name.
    (path.is_absolute() && path.is_file()).then_some(path)
}
