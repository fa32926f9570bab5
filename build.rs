//! Tells the linker how the program is linked.
//!
//! Where it always lies at the same place, the system does not have to correct ten thousand addresses in it before it begins: that was a
//! fifth of the pages that a command of two milliseconds touches. The price: where the program's own code lies is no longer chosen at
//! random (its stack, its heap and the libraries still are). It has no unsafe code of its own, and takes input from its user only.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |name: &str| std::env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" && target("ARCH") == "x86_64" {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
