//! The page of the configuration against the settings that hold.

use super::Settings;
use crate::env::Env;
use crate::git::Repo;
use crate::testing::TestRepo;

#[test]
fn the_defaults_on_the_page_are_the_defaults() {
    let silent = TestRepo::new();
    let settings = |repo: &TestRepo| {
        let env = Env::in_dir(repo.root()).expect("absolute");
        let repo = Repo::discover(&env).expect("a repository");
        format!("{:?}", Settings::of(&repo).expect("settings"))
    };
    assert_eq!(settings(&silent), format!("{:?}", Settings::default()));
    let page = include_str!("../../docs/configuration.md");
    let rows = page.lines().filter_map(|line| {
        let cells: Vec<&str> =
            line.strip_prefix("| ")?.split(" | ").map(|cell| cell.trim().trim_matches('`')).collect();
        cells[0].starts_with("redraft.").then(|| (cells[0], cells[2]))
    });
    let documented: Vec<(&str, &str)> = rows.collect();
    assert!(documented.len() > 10);
    for (key, default) in documented {
        // A limit of time that is set is also the most that a call may ask for; as a default it is tested with the keys.
        if matches!(default, "none" | "by dialect" | "history") || key == "redraft.verifyTimeout" {
            continue;
        }
        let spoken = TestRepo::new();
        spoken.git(&["config", key, default]);
        assert_eq!(settings(&spoken), settings(&silent), "{key} = {default}");
    }
}
