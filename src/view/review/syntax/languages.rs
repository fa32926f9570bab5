//! The languages that are known, as far as comments, texts and words tell them.
//!
//! Owns the table. Words are those that a reader looks for; it need not have all.

/// A language.
#[derive(Debug)]
pub(in crate::view::review) struct Language {
    /// Whole names of files, in small letters, with spaces between.
    pub(super) names: &'static str,
    /// What is behind the last dot of a name, so too.
    pub(super) ends: &'static str,
    /// What begins a comment to the end of the line, so too.
    pub(super) line: &'static str,
    /// It does so only at the beginning of a line or behind a space.
    pub(super) is_comment_behind_space: bool,
    /// What begins and ends other comments.
    pub(super) block: Option<(&'static str, &'static str)>,
    /// These may be in each other.
    pub(super) is_nested: bool,
    /// What begins and ends texts; of two of which one begins with the other the longer first.
    pub(super) quotes: &'static [Quote],
    /// Its words, with spaces between.
    pub(super) words: &'static str,
    /// Words may have capitals.
    pub(super) has_any_case: bool,
    /// `'a` is no text.
    pub(super) has_lifetimes: bool,
    /// `<a` and `</a` are words.
    pub(super) has_tags: bool,
    /// Lines that begin with one of these are words as a whole.
    pub(super) heads: &'static str,
}

/// What begins and ends a text.
#[derive(Debug)]
pub(super) struct Quote {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    /// A backslash takes the next sign.
    pub(super) has_escapes: bool,
    /// It goes on over lines.
    pub(super) has_lines: bool,
}

const fn quote(sign: &'static str) -> Quote {
    Quote { open: sign, close: sign, has_escapes: true, has_lines: false }
}

const fn lines(open: &'static str, close: &'static str) -> Quote {
    Quote { open, close, has_escapes: true, has_lines: true }
}

const fn raw(open: &'static str, close: &'static str) -> Quote {
    Quote { open, close, has_escapes: false, has_lines: true }
}

const BOTH: &[Quote] = &[quote("\""), quote("'")];
const DOUBLE: &[Quote] = &[quote("\"")];
const TRIPLE: &[Quote] = &[lines("\"\"\"", "\"\"\""), quote("\""), quote("'")];
const PYTHON: &[Quote] = &[lines("\"\"\"", "\"\"\""), lines("'''", "'''"), quote("\""), quote("'")];
const RUST: &[Quote] = &[raw("r##\"", "\"##"), raw("r#\"", "\"#"), raw("r\"", "\""), lines("\"", "\""), quote("'")];
const TICKS: &[Quote] = &[lines("`", "`"), quote("\""), quote("'")];
const GO: &[Quote] = &[raw("`", "`"), quote("\""), quote("'")];
const SHELL: &[Quote] = &[lines("\"", "\""), raw("'", "'")];
const SQL: &[Quote] = &[raw("'", "'"), raw("\"", "\"")];
const LUA: &[Quote] = &[raw("[[", "]]"), quote("\""), quote("'")];
const NIX: &[Quote] = &[raw("''", "''"), lines("\"", "\"")];
const MARKDOWN: &[Quote] = &[raw("```", "```"), quote("`")];
const SLASHES: Option<(&str, &str)> = Some(("/*", "*/"));

/// With nothing.
const NONE: Language = Language {
    names: "",
    ends: "",
    line: "",
    is_comment_behind_space: false,
    block: None,
    is_nested: false,
    quotes: BOTH,
    words: "",
    has_any_case: false,
    has_lifetimes: false,
    has_tags: false,
    heads: "",
};

/// With the comments of C.
const C: Language = Language { line: "//", block: SLASHES, ..NONE };
/// With those of shells.
const HASH: Language = Language { line: "#", is_comment_behind_space: true, ..NONE };

/// All of them.
pub(super) const LANGUAGES: &[Language] = &[
    Language {
        ends: "rs",
        quotes: RUST,
        is_nested: true,
        has_lifetimes: true,
        words: "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while",
        ..C
    },
    Language {
        ends: "c h cc cpp cxx hh hpp hxx ino m mm cu metal glsl",
        words: "alignas auto bool break case catch char class const constexpr continue default define delete do double else enum explicit export extern false final float for friend goto if ifdef ifndef include inline int long mutable namespace new noexcept nullptr NULL operator override private protected public register return short signed sizeof static struct switch template this throw true try typedef typename union unsigned using virtual void volatile while elif endif pragma undef",
        ..C
    },
    Language {
        ends: "js jsx mjs cjs ts tsx mts cts vue svelte astro",
        quotes: TICKS,
        words: "abstract any as async await boolean break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface keyof let namespace never new null number of private protected public readonly return satisfies set static string super switch this throw true try type typeof undefined unknown var void while with yield",
        ..C
    },
    Language {
        ends: "py pyi pyw star bzl",
        names: "build.bazel workspace sconstruct",
        line: "#",
        quotes: PYTHON,
        words: "and as assert async await break case class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return self True try while with yield",
        ..NONE
    },
    Language {
        ends: "go",
        quotes: GO,
        words: "any bool break byte case chan const continue default defer else error fallthrough false for func go goto if import int interface iota map nil package range return select string struct switch true type var",
        ..C
    },
    Language {
        ends: "java kt kts scala sc groovy gradle dart cs swift",
        quotes: TRIPLE,
        words: "abstract actor as async await base boolean break byte case catch char class companion const continue data def default defer do double else enum extends extension external false final finally float for foreach fun func get guard if implements implicit import in init inout int interface internal is lateinit lazy let long match mixin mutating namespace native new nil null object open operator out override package private protected protocol public readonly record rethrows return sealed self set short static string struct super suspend switch this throw throws trait true try type typealias using val var virtual void volatile weak when where while with yield",
        ..C
    },
    Language {
        ends: "php",
        line: "// #",
        words: "abstract and array as break case catch class clone const continue declare default do echo else elseif enum extends false final finally fn for foreach function global if implements include instanceof interface isset match namespace new null or private protected public readonly require return static switch this throw trait true try unset use var while yield",
        ..C
    },
    Language {
        ends: "zig",
        line: "//",
        words: "align and anytype asm async await break catch comptime const continue defer else enum errdefer error export extern false fn for if inline null or orelse packed pub return struct suspend switch test true try undefined union unreachable usingnamespace var volatile while",
        ..NONE
    },
    Language {
        ends: "rb rake gemspec ru cr",
        names: "rakefile gemfile vagrantfile podfile",
        line: "#",
        is_comment_behind_space: true,
        words: "alias and begin break case class def defined do else elsif end ensure extend false for if in include module next nil not or private protected public raise redo require rescue retry return self super then true undef unless until when while yield",
        ..NONE
    },
    Language {
        ends: "sh bash zsh fish ksh bats envrc",
        names: ".bashrc .zshrc .profile .bash_profile pkgbuild",
        quotes: SHELL,
        words: "alias break case cd continue declare do done echo elif else end esac eval exec exit export fi for function if in local printf read readonly return set shift source test then trap unset until while",
        ..HASH
    },
    Language {
        ends: "mk mak",
        names: "makefile gnumakefile justfile",
        words: "define else endef endif export ifdef ifeq ifndef ifneq include override",
        ..HASH
    },
    Language {
        ends: "dockerfile containerfile",
        names: "dockerfile containerfile",
        has_any_case: true,
        words: "add arg as cmd copy entrypoint env expose from healthcheck label onbuild run shell stopsignal user volume workdir",
        ..HASH
    },
    Language { ends: "yml yaml", words: "true false null yes no on off", ..HASH },
    Language {
        ends: "toml ini cfg conf properties editorconfig desktop service",
        names: ".editorconfig .gitconfig .gitmodules cargo.lock poetry.lock uv.lock",
        line: "# ;",
        is_comment_behind_space: true,
        quotes: PYTHON,
        words: "true false yes no on off",
        heads: "[",
        ..NONE
    },
    Language {
        ends: "json jsonc json5 jsonl ndjson webmanifest",
        line: "//",
        block: SLASHES,
        words: "true false null",
        ..NONE
    },
    Language {
        ends: "tf hcl tfvars nix",
        line: "#",
        block: SLASHES,
        quotes: NIX,
        words: "assert data else false for if in inherit let locals module null output provider rec resource terraform then true variable with",
        ..NONE
    },
    Language { ends: "css scss sass less", line: "//", block: SLASHES, words: "important media import", ..NONE },
    Language {
        ends: "html htm xhtml xml svg xsl xsd plist csproj fsproj props targets rss",
        block: Some(("<!--", "-->")),
        quotes: DOUBLE,
        has_tags: true,
        ..NONE
    },
    Language { ends: "md markdown mdx", block: Some(("<!--", "-->")), quotes: MARKDOWN, heads: "#", ..NONE },
    Language {
        ends: "sql psql ddl",
        line: "--",
        block: SLASHES,
        quotes: SQL,
        has_any_case: true,
        words: "add all alter and any as asc begin between by case cast check column commit constraint create cross database default delete desc distinct drop else end except exists false foreign from full function grant group having if in index inner insert intersect into is join key left like limit not null offset on or order outer primary references replace returning revoke right rollback row select set table then trigger true union unique update using values view when where with",
        ..NONE
    },
    Language {
        ends: "lua",
        line: "--",
        block: Some(("--[[", "]]")),
        quotes: LUA,
        words: "and break do else elseif end false for function goto if in local nil not or repeat return then true until while",
        ..NONE
    },
    Language {
        ends: "hs lhs elm purs",
        line: "--",
        block: Some(("{-", "-}")),
        is_nested: true,
        quotes: DOUBLE,
        words: "as case class data deriving do else exposing family forall foreign hiding if import in infix infixl infixr instance let module newtype of port qualified then type where",
        ..NONE
    },
    Language {
        ends: "ml mli fs fsi fsx",
        line: "//",
        block: Some(("(*", "*)")),
        is_nested: true,
        quotes: DOUBLE,
        words: "and as assert begin class do done downto else end exception external false for fun function functor if in include inherit lazy let match method module mutable new object of open or private rec sig struct then to true try type val virtual when while with",
        ..NONE
    },
    Language {
        ends: "ex exs erl hrl",
        line: "# %",
        is_comment_behind_space: true,
        quotes: TRIPLE,
        words: "after alias and case catch cond def defmacro defmodule defp defstruct do else end false fn for if import in nil not of or quote raise receive require rescue true try unless unquote use when with",
        ..NONE
    },
    Language {
        ends: "clj cljs cljc edn lisp el scm rkt",
        line: ";",
        quotes: DOUBLE,
        words: "and case cond def define defmacro defn defun do fn if in lambda let loop nil not ns or quote recur require set setq t true false when",
        ..NONE
    },
    Language {
        ends: "r jl",
        line: "#",
        block: Some(("#=", "=#")),
        quotes: TRIPLE,
        words: "abstract baremodule begin break catch const continue do else elseif end export FALSE false finally for function global if import in let library local macro module mutable NA next NULL nothing primitive quote repeat return struct TRUE true try type using where while",
        ..NONE
    },
    Language {
        ends: "pl pm t",
        words: "and cmp continue die do else elsif eq for foreach if last local my ne next no not or our package print redo require return shift sub undef unless until use while",
        ..HASH
    },
    Language {
        ends: "ps1 psm1 psd1",
        line: "#",
        block: Some(("<#", "#>")),
        has_any_case: true,
        words: "begin break catch class continue data do dynamicparam else elseif end enum exit filter finally for foreach from function if in param process return switch throw trap try until using while",
        ..NONE
    },
    Language {
        ends: "proto graphql gql thrift fbs capnp",
        line: "// #",
        block: SLASHES,
        words: "bool enum extend false fragment implements import input int32 int64 interface map message mutation on oneof option optional package query repeated required returns rpc scalar schema service string subscription syntax true type union",
        ..NONE
    },
    Language {
        ends: "cmake",
        names: "cmakelists.txt",
        has_any_case: true,
        words: "else elseif endforeach endfunction endif endmacro foreach function if include macro project return set",
        ..HASH
    },
    Language { ends: "tex sty bib", line: "%", quotes: &[], ..NONE },
];
