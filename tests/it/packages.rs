//! What is published beside the crate says the same of it.

use serde_json::Value;
use std::path::Path;

fn read(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("a readable file")
}

#[test]
fn all_packages_have_the_version_of_the_crate() {
    let server: Value = serde_json::from_str(&read("server.json")).expect("JSON");
    assert_eq!(server["version"], env!("CARGO_PKG_VERSION"));
    let packages = server["packages"].as_array().expect("a list");
    let kinds: Vec<&str> = packages.iter().filter_map(|package| package["registryType"].as_str()).collect();
    assert_eq!(kinds, ["npm", "pypi", "cargo"]);
    for package in packages {
        assert_eq!(
            (&package["identifier"], &package["version"]),
            (&"redraft".into(), &env!("CARGO_PKG_VERSION").into())
        );
        assert_eq!(package["packageArguments"][0]["value"], "mcp");
    }
    // The registry takes no longer one.
    assert!(server["description"].as_str().is_some_and(|text| text.len() <= 100));
}

#[test]
fn the_licence_is_the_same_everywhere() {
    let line = |file: &str, line: &str| assert!(read(file).contains(line), "{file} lacks {line}");
    line("Cargo.toml", "license = \"MIT OR Apache-2.0\"");
    line("pyproject.toml", "license = \"MIT OR Apache-2.0\"");
    line(".ci/package", "\"license\": \"MIT OR Apache-2.0\"");
}
