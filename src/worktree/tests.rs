//! Places below a root as an agent may ask for them: what is reached, what is refused, what changed meanwhile.

use super::dir::Dir;
use super::error::WorktreeError as Error;
use super::guarded::Guarded;
use super::root::{Place, Root};
use super::unusual::Unusual;
use crate::path::RepoPath;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::PathBuf;

/// A folder with a root that has `d/a` and `b`.
struct Tree(tempfile::TempDir);

impl Tree {
    fn new() -> Self {
        let tree = Self(tempfile::tempdir().expect("a folder"));
        tree.write("d/a", "a\n");
        tree.write("b", "b\n");
        tree
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.path().join("root").join(path)
    }

    fn write(&self, path: &str, text: &str) {
        std::fs::create_dir_all(self.at(path).parent().expect("below the root")).expect("folders");
        std::fs::write(self.at(path), text).expect("a file");
    }

    fn folder(&self, path: &str) {
        std::fs::create_dir_all(self.at(path)).expect("folders");
    }

    fn mode(&self, path: &str, mode: u32) {
        std::fs::set_permissions(self.at(path), std::fs::Permissions::from_mode(mode)).expect("its mode");
    }

    fn root(&self) -> Root {
        Root::open(&self.at("")).expect("the root")
    }
}

fn path(path: &str) -> RepoPath {
    RepoPath::new(path.as_bytes()).expect("a path")
}

fn place(root: &Root, at: &str) -> Place {
    root.place(&path(at)).unwrap_or_else(|error| panic!("{at}: {error}"))
}

fn text(root: &Root, at: &str) -> Option<Vec<u8>> {
    root.read(&place(root, at)).expect("reads").map(|file| file.bytes)
}

#[test]
fn a_place_is_found_once_for_all_files_of_a_directory_and_anew_when_asked() {
    let tree = Tree::new();
    let root = tree.root();
    assert_eq!(text(&root, "d/a").as_deref(), Some(&b"a\n"[..]));
    let before = place(&root, "d/a");
    std::fs::rename(tree.at("d"), tree.at("moved")).expect("moved");
    tree.write("d/a", "other\n");
    assert!(!root.is_still_there(&before).expect("looks"), "its directory has another name");
    assert_eq!(text(&root, "d/a").as_deref(), Some(&b"a\n"[..]), "the directory is held open");
    root.look_again();
    assert_eq!(text(&root, "d/a").as_deref(), Some(&b"other\n"[..]));
    assert!(root.is_still_there(&place(&root, "d/a")).expect("looks"));
}

#[test]
fn a_directory_that_was_moved_removed_or_replaced_is_not_still_there() {
    for put in [None, Some("file"), Some("link"), Some("folder")] {
        let tree = Tree::new();
        let root = tree.root();
        let (deep, top) = (place(&root, "d/a"), place(&root, "b"));
        assert!(root.is_still_there(&deep).expect("looks") && root.is_still_there(&top).expect("looks"));
        std::fs::rename(tree.at("d"), tree.at("e")).expect("moved");
        match put {
            Some("file") => tree.write("d", "a file\n"),
            Some("link") => symlink("e", tree.at("d")).expect("a link"),
            Some(_) => tree.folder("d"),
            None => {}
        }
        assert!(!root.is_still_there(&deep).expect("looks"), "{put:?}");
        assert!(root.is_still_there(&top).expect("looks"), "{put:?}");
        assert!(
            root.is_still_there(&place(&root, "new/file")).expect("looks"),
            "{put:?}: there is nothing to be moved"
        );
    }
}

#[test]
fn what_is_no_file_is_told_by_what_it_is() {
    let tree = Tree::new();
    symlink("nowhere", tree.at("dangling")).expect("a link");
    let root = tree.root();
    let read = |at: &RepoPath| match root.place(at) {
        Ok(found) => root.read(&found).map(|file| file.is_some()).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    let refused = |at: &str| read(&path(at));
    for (at, words) in [
        ("b/c", "b on the way is not a directory"),
        ("d/a/b/c", "a on the way is not a directory"),
        ("d", "path is a directory"),
        ("dangling", "leads to nothing"),
    ] {
        let told = refused(at).expect_err("no file");
        assert!(told.contains(words) && told.contains(at), "{at}: {told}");
    }
    // Longer than the system takes, as only a smaller root makes one.
    let half = path(&"long/".repeat(500)[..2499]);
    let told = read(&half.below(Some(&half))).expect_err("no file");
    assert!(told.contains("does not take"), "{told}");
    assert_eq!(
        (refused("b"), refused("new"), refused("d/new"), refused("new/file")),
        (Ok(true), Ok(false), Ok(false), Ok(false))
    );
    let taken = |at: &str| root.is_taken(&place(&root, at)).expect("looks");
    assert!(taken("b") && taken("d") && !taken("new") && !taken("d/new") && !taken("new/file"));
    assert!(place(&root, "b").seen().is_some() && place(&root, "new").seen().is_none());
}

#[test]
fn a_file_that_went_since_it_was_found_is_none() {
    let tree = Tree::new();
    let root = tree.root();
    let found = place(&root, "b");
    std::fs::remove_file(tree.at("b")).expect("removed");
    assert!(root.read(&found).expect("nothing").is_none());
    symlink("d/a", tree.at("b")).expect("a link");
    assert!(root.read(&found).is_err(), "it became a symbolic link");
}

#[test]
fn a_file_has_at_most_the_size_that_is_allowed() {
    let tree = Tree::new();
    let mut root = tree.root();
    root.max_file_size = 2;
    assert_eq!(text(&root, "b").as_deref(), Some(&b"b\n"[..]));
    tree.write("b", "b2\n");
    let told = root.read(&place(&root, "b")).map(|_| ()).expect_err("too large");
    assert!(matches!(told, Error::TooLarge { size: 3, limit: 2, .. }), "{told}");
}

#[test]
fn a_folder_that_git_takes_for_a_repository_is_out_of_reach_and_others_are_not() {
    for (made, reached) in [
        (&[".git/"][..], false),
        (&[".git"], false),
        (&["HEAD", "objects/", "refs/"], false),
        (&["HEAD", "commondir"], false),
        (&["HEAD"], true),
        (&["HEAD", "objects/"], true),
        (&["HEAD", "refs/"], true),
        (&["objects/", "refs/", "commondir"], true),
        (&["config", "hooks/"], true),
    ] {
        let tree = Tree::new();
        tree.folder("sub/deep");
        for name in made {
            match name.strip_suffix('/') {
                Some(folder) => tree.folder(&format!("sub/{folder}")),
                None => tree.write(&format!("sub/{name}"), "x"),
            }
        }
        for at in ["sub/new", "sub/deep/new", "sub/new/file"] {
            match tree.root().place(&path(at)) {
                Ok(_) => assert!(reached, "{made:?}: {at}"),
                Err(Error::Submodule(told, sub)) => {
                    assert!(!reached && told == at && sub == "sub", "{made:?}: {told} in {sub}");
                }
                Err(error) => panic!("{made:?}: {at}: {error}"),
            }
        }
        assert!(tree.root().place(&path("d/new")).is_ok(), "{made:?}");
    }
}

#[test]
fn no_new_files_make_a_repository_with_each_other_or_with_what_is_there() {
    for (there, new, refused) in [
        (&[][..], &["x/HEAD", "x/objects/a", "x/refs/b"][..], Some("x")),
        (&[], &["x/head", "x/Objects/a", "x/REFS"], Some("x")),
        (&[], &["HEAD", "commondir"], Some(".")),
        (&["x/HEAD", "x/objects/a"], &["x/refs/heads/a"], Some("x")),
        (&["x/HEAD"], &["x/commondir"], Some("x")),
        (&["x/commondir"], &["x/HEAD"], Some("x")),
        (&[], &["x/HEAD", "x/objects/a"], None),
        (&[], &["x/HEAD", "y/objects/a", "z/refs/b"], None),
        (&[], &["x/objects/a", "x/refs/b", "x/commondir"], None),
        (&["x/HEAD"], &["x/config", "x/refs/b"], None),
        (&["x/HEAD", "x/commondir"], &["x/hooks/a"], None),
    ] {
        let tree = Tree::new();
        there.iter().for_each(|name| tree.write(name, "x"));
        let new: Vec<RepoPath> = new.iter().map(|name| path(name)).collect();
        match (tree.root().refuse_new_repository(new.iter()), refused) {
            (Ok(()), None) => {}
            (Err(Error::MakesRepository(_, dir)), Some(refused)) => assert_eq!(dir, refused, "{new:?}"),
            (found, _) => panic!("{there:?} {new:?}: {found:?}"),
        }
    }
}

#[test]
fn what_replacing_would_change_is_refused_until_it_is_allowed() {
    for (shape, kind) in [
        (&(|tree: &Tree| tree.mode("b", 0o444)) as &dyn Fn(&Tree), Unusual::ReadOnly),
        (&|tree: &Tree| tree.mode("b", 0o4755), Unusual::SetId),
        (&|tree: &Tree| tree.mode("b", 0o2755), Unusual::SetId),
        (&|tree: &Tree| std::fs::hard_link(tree.at("b"), tree.at("c")).expect("a link"), Unusual::HardLink),
    ] {
        let tree = Tree::new();
        let mut root = tree.root();
        let check = |root: &Root| {
            root.look_again();
            let found = place(root, "b");
            root.refuse_unwritable(&found, found.seen().as_ref())
        };
        assert!(check(&root).is_ok(), "{kind:?}");
        shape(&tree);
        match check(&root) {
            Err(Error::Unwritable { unusual, path, .. }) => assert_eq!((unusual, &path[..]), (Some(kind), "b")),
            Err(Error::UnsupportedFile { unusual, path, .. }) => assert_eq!((unusual, &path[..]), (kind, "b")),
            found => panic!("{kind:?}: {found:?}"),
        }
        let others = [Unusual::ReadOnly, Unusual::SetId, Unusual::HardLink, Unusual::OtherOwner];
        root.unusual = others.into_iter().filter(|other| *other != kind).collect();
        assert!(check(&root).is_err(), "{kind:?}: each is allowed by its own name");
        root.unusual = [kind].into();
        assert!(check(&root).is_ok(), "{kind:?}");
    }
}

#[test]
fn a_directory_that_takes_no_new_names_is_refused() {
    let tree = Tree::new();
    for (mode, taken) in [(0o700, true), (0o500, false), (0o600, false)] {
        let root = tree.root();
        let (there, new, top) = (place(&root, "d/a"), place(&root, "e/new"), place(&root, "b"));
        tree.mode("d", mode);
        assert_eq!(root.refuse_unwritable(&there, None).is_ok(), taken, "{mode:o}");
        assert!(root.refuse_unwritable(&new, None).is_ok() && root.refuse_unwritable(&top, None).is_ok());
        tree.mode("d", 0o700);
    }
}

#[test]
fn beside_a_guarded_directory_everything_is_reached() {
    let tree = Tree::new();
    tree.folder("meta/git");
    let mut root = tree.root();
    root.guarded = Guarded::new(&tree.at(""), &[&tree.at("meta/git")]);
    for at in ["b", "d/a", "d/new", "meta/new", "new/file", "meta/gi/t"] {
        assert!(root.place(&path(at)).is_ok(), "{at}");
    }
    let told = root.place(&path("b/x")).map(|_| ()).expect_err("b is a file");
    assert!(matches!(told, Error::NotADirectory(..)), "{told}");
    symlink("meta/git", tree.at("link")).expect("a link");
    symlink("meta/git/nothing/here", tree.at("dangling")).expect("a link");
    for at in ["meta/git", "meta/git/config", "link/config", "link", "dangling"] {
        let told = root.place(&path(at)).map(|_| ()).expect_err("guarded");
        assert!(matches!(told, Error::GitInternals(_)), "{at}: {told}");
    }
}

#[test]
fn a_setting_names_each_unusual_kind() {
    for (name, kind) in [
        ("hard-link", Unusual::HardLink),
        ("set-id", Unusual::SetId),
        ("other-owner", Unusual::OtherOwner),
        ("read-only", Unusual::ReadOnly),
    ] {
        assert_eq!((Unusual::from_name(name), kind.as_str()), (Some(kind), name));
    }
    assert_eq!((Unusual::from_name("hardlink"), Unusual::from_name("")), (None, None));
}

#[test]
fn no_call_of_a_directory_follows_a_symlink_in_any_component() {
    let tree = Tree::new();
    std::fs::create_dir_all(tree.0.path().join("outside/deep")).expect("folders");
    std::fs::write(tree.0.path().join("outside/a"), "outside\n").expect("a file");
    symlink("../outside", tree.at("out")).expect("a link");
    symlink("d", tree.at("in")).expect("a link");
    symlink("../../outside", tree.at("d/out")).expect("a link");
    symlink("b", tree.at("link")).expect("a link");
    symlink("new", tree.at("dangling")).expect("a link");
    let dir = Dir::open(&tree.at("")).expect("the root");
    for at in ["out", "out/deep", "in", "d/out", "d/out/deep", "link", "dangling"] {
        let error = dir.beneath(Some(&path(at))).map(|_| ()).expect_err("a symlink");
        assert!(Dir::is_symlink_error(&error) || at == "link", "{at}: {error}");
    }
    for name in ["out", "in", "link", "dangling"] {
        assert!(dir.child(name.into()).is_err(), "{name}");
        for opened in [dir.read(name.into()), dir.update(name.into()), dir.create_new(name.into(), 0o600)] {
            assert!(opened.is_err(), "{name}");
        }
    }
    assert!(!tree.at("new").exists(), "nothing is made through a link");
    assert!(!Dir::is_symlink_error(&std::io::ErrorKind::NotFound.into()));
    let mut names = dir.names().expect("lists");
    names.sort();
    assert_eq!(names, ["b", "d", "dangling", "in", "link", "out"]);
}

#[test]
fn what_a_directory_opens_and_makes_is_what_its_name_says() {
    use std::io::{Read, Write};
    let tree = Tree::new();
    let dir = Dir::open(&tree.at("")).expect("the root");
    let mut file = dir.create_new("new".into(), 0o640).expect("made");
    file.write_all(b"one two").expect("written");
    assert!(dir.create_new("new".into(), 0o640).is_err(), "the name is taken");
    dir.update("new".into()).and_then(|mut file| file.write_all(b"ONE")).expect("written over");
    let mut text = String::new();
    dir.read("new".into()).and_then(|mut file| file.read_to_string(&mut text)).expect("reads");
    assert_eq!(text, "ONE two");
    dir.rename("new".into(), &dir, "b".into()).expect("moved over");
    assert_eq!(std::fs::read_to_string(tree.at("b")).expect("reads"), "ONE two");
    dir.update("updated".into()).expect("made where it is missing");
    let mode = std::fs::metadata(tree.at("updated")).expect("there").permissions().mode();
    assert_eq!(mode & 0o7777, 0o600);
    let seen = dir.look("b".into()).expect("looks").expect("there");
    let modified = std::fs::metadata(tree.at("b")).and_then(|meta| meta.modified()).expect("a time");
    let since = modified.duration_since(std::time::UNIX_EPOCH).expect("after 1970").as_nanos();
    assert_eq!((seen.mtime_ns, seen.size), (since as i128, 7));
    let meta = std::fs::metadata(tree.at("b")).expect("there");
    assert_eq!(seen.ctime_ns, i128::from(meta.ctime()) * 1_000_000_000 + i128::from(meta.ctime_nsec()));
}

#[test]
fn a_pipe_is_opened_without_waiting_for_its_other_end() {
    let tree = Tree::new();
    let made = std::process::Command::new("mkfifo").arg(tree.at("pipe")).status().expect("mkfifo runs");
    assert!(made.success());
    let (sender, receiver) = std::sync::mpsc::channel();
    let root = tree.at("");
    std::thread::spawn(move || {
        let opened = Dir::open(&root).and_then(|dir| dir.read("pipe".into())).is_ok();
        let _ = sender.send(opened);
    });
    assert_eq!(receiver.recv_timeout(std::time::Duration::from_secs(10)), Ok(true));
}

#[test]
fn no_handle_is_left_open_in_the_programs_that_are_started() {
    let tree = Tree::new();
    let dir = Dir::open(&tree.at("")).expect("the root");
    let files = [
        dir.read("b".into()).expect("opens"),
        dir.update("b".into()).expect("opens"),
        dir.create_new("new".into(), 0o600).expect("made"),
    ];
    let dirs = [
        dir.beneath(None).expect("opens"),
        dir.beneath(Some(&path("d"))).expect("opens"),
        dir.child("d".into()).expect("opens"),
    ];
    let files = files.iter().map(std::os::fd::AsFd::as_fd);
    for (n, handle) in files.chain(dirs.iter().map(std::os::fd::AsFd::as_fd)).enumerate() {
        let flags = rustix::io::fcntl_getfd(handle).expect("its flags");
        assert!(flags.contains(rustix::io::FdFlags::CLOEXEC), "{n}");
    }
}

#[test]
fn a_new_file_gets_the_mode_and_the_owner_of_the_old_one() {
    let tree = Tree::new();
    let dir = Dir::open(&tree.at("")).expect("the root");
    let owners = if Dir::user() == 0 { &[0, 1][..] } else { &[Dir::user()] };
    for (mode, owner) in
        [0o600, 0o751, 0o4755].into_iter().flat_map(|mode| owners.iter().map(move |owner| (mode, *owner)))
    {
        if owners.len() > 1 {
            std::os::unix::fs::chown(tree.at("b"), Some(owner), Some(owner)).expect("its owner");
        }
        tree.mode("b", mode);
        let old = dir.look("b".into()).expect("looks").expect("there");
        let new = dir.create_new("new".into(), 0o600).expect("made");
        Dir::copy_metadata(None, &old, &new).expect("copied");
        let made = Dir::meta_of(&new).expect("looks");
        assert_eq!((made.mode, made.owner), (mode, old.owner), "{mode:o}");
        assert!(!Dir::has_attributes(&new));
        dir.unlink("new".into()).expect("removed");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_new_file_gets_the_extended_attributes_of_the_old_one() {
    let tree = Tree::new();
    let dir = Dir::open(&tree.at("")).expect("the root");
    let old = dir.update("b".into()).expect("opens");
    match rustix::fs::fsetxattr(&old, "user.note", b"kept", rustix::fs::XattrFlags::empty()) {
        // This file system has none.
        Err(rustix::io::Errno::NOTSUP) => return,
        set => set.expect("an attribute"),
    }
    assert!(Dir::has_attributes(&old));
    let new = dir.create_new("new".into(), 0o600).expect("made");
    Dir::copy_metadata(Some(&old), &Dir::meta_of(&old).expect("looks"), &new).expect("copied");
    let mut value = [0; 9];
    let length = rustix::fs::fgetxattr(&new, "user.note", &mut value[..]).expect("it is there");
    assert_eq!(&value[..length], b"kept");
}

#[test]
fn a_new_file_gets_the_group_of_a_folder_that_hands_it_on_and_of_no_other() {
    if Dir::user() != 0 {
        // Nobody else may give a folder to a group that is not his.
        return;
    }
    let tree = Tree::new();
    let dir = Dir::open(&tree.at("")).expect("the root");
    std::os::unix::fs::chown(tree.at("d"), None, Some(1)).expect("its group");
    let own = std::fs::metadata(tree.at("b")).expect("looks").gid();
    for (mode, group) in [(0o755, own), (0o2755, 1)] {
        tree.mode("d", mode);
        let file = dir.create_new("new".into(), 0o644).expect("made");
        Dir::inherit(&file, 0o644, &Dir::open(&tree.at("d")).expect("opens")).expect("inherited");
        assert_eq!(file.metadata().expect("looks").gid(), group, "{mode:o}");
        dir.unlink("new".into()).expect("removed");
    }
}
