//! A report as one HTML file that needs nothing else: no network, no other file, no script but its own.
//!
//! Owns the page. What is in it was gathered by `usecase/report/`. Its script and style are files of their own, which are taken in.
//! Invariants: what others wrote goes through `html.rs`; the page's own policy lets a browser run nothing but the one script, known by
//! its hash; the same report gives the same page.

mod cast;
mod data;
mod file_map;
mod files;
mod forge;
mod html;
mod lacking;
mod records;
mod scale;
mod squarify;
mod summary;
mod timeline;

pub use lacking::{Lack, left_out};

use crate::usecase::report::Report;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use cast::Cast;
use html::counted;
use jiff::tz::TimeZone;
use sha2::{Digest, Sha256};

/// What every report begins with, up to the page's policy.
const OPENING: &str = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta \
                       http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ";
/// What stands behind the policy.
const GENERATOR: &str = "\">\n<meta name=\"generator\" content=\"redraft report\">\n";
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The whole file; times are those of `zone`.
pub fn page(report: &Report, zone: TimeZone) -> String {
    let cast = &Cast::new(report, zone);
    let title = format!("{}: what agents did", html::line(&report.repository.name));
    [
        format!(
            "{OPENING}{}{GENERATOR}<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta \
             name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" content=\"light \
             dark\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n",
            policy()
        ),
        top(cast),
        pictures(cast),
        list(cast),
        foot(cast),
        data::data(cast),
        format!("\n<script>{SCRIPT}</script>\n</body>\n</html>\n"),
    ]
    .concat()
}

/// Whether a file that begins so is a report: from its first byte on, for other texts may quote one. Its first 4 KiB are enough.
pub fn is_report(beginning: &[u8]) -> bool {
    let policy = beginning.strip_prefix(OPENING.as_bytes());
    policy.is_some_and(|policy| {
        policy.iter().position(|&b| b == b'"').is_some_and(|end| policy[end..].starts_with(GENERATOR.as_bytes()))
    })
}

/// What is allowed where nothing else is ([`OPENING`]): the one style and the one script, known by their hashes; and the script may not
/// make markup of a text.
fn policy() -> String {
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text.as_bytes()));
    format!(
        "style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'",
        hash(STYLE),
        hash(SCRIPT)
    )
}

fn top(cast: &Cast<'_>) -> String {
    format!(
        "<a class=\"skip\" href=\"#records\">Skip to the records</a>\n<header class=\"top\"><div>{}</div><div class=\"tools\"><button \
         type=\"button\" id=\"theme\" hidden>Theme: system</button><button type=\"button\" id=\"keys\" hidden aria-haspopup=\"dialog\">Keys \
         <kbd>?</kbd></button></div></header>\n<noscript><p class=\"lacking\">Without scripts this page has all but the diffs, the search \
         and the filters: who did what to which file, when, why, and what became of it. The diffs: <code>redraft show \
         ID</code>.</p></noscript>\n<main>\n<section aria-label=\"Summary\">{}{}</section>\n",
        summary::head(cast),
        summary::cards(cast),
        summary::lacking(cast)
    )
}

fn pictures(cast: &Cast<'_>) -> String {
    if cast.report().records.is_empty() {
        return "<p class=\"empty\">There is no record yet. Edits by <code>redraft apply</code>, and of agents with redraft's hooks \
                (<code>redraft install</code>), are recorded.</p>"
            .to_owned();
    }
    let map = match file_map::file_map(cast) {
        map if map.is_empty() => map,
        map => format!(
            "<section class=\"panel\" aria-labelledby=\"map-h\"><h2 id=\"map-h\">Map of changed lines</h2>{map}<p class=\"note\">As \
             large as a file was changed, in the colour of who changed most of it.</p></section>"
        ),
    };
    format!(
        "<section class=\"panel\" aria-labelledby=\"time-h\"><h2 id=\"time-h\">Timeline</h2><div class=\"scroll\" tabindex=\"0\" \
         role=\"region\" aria-label=\"Timeline\">{}</div><p class=\"note\">As high as lines were changed; hollow where all of it is \
         undone. Idle times are cut out.</p></section>\n<div class=\"two\">{map}<section class=\"panel\" aria-labelledby=\"agents-h\"><h2 \
         id=\"agents-h\">Agents</h2>{}</section></div>\n<section class=\"panel\" aria-labelledby=\"files-h\"><h2 \
         id=\"files-h\">Files</h2>{}</section>\n",
        timeline::timeline(cast),
        summary::agents(cast),
        files::files(cast)
    )
}

fn list(cast: &Cast<'_>) -> String {
    let report = cast.report();
    if report.records.is_empty() {
        return "</main>\n".to_owned();
    }
    let agents: String = report
        .agents
        .iter()
        .enumerate()
        .map(|(n, agent)| format!("<option value=\"{n}\">{}</option>", cast::named(agent.agent.as_deref())))
        .collect();
    format!(
        "<div class=\"bar-of-tools\" id=\"bar\" role=\"search\" hidden><label class=\"grow\"><span class=\"vh\">Search files, agents, \
         messages and diffs</span><input type=\"search\" id=\"q\" placeholder=\"Search files, agents, messages, diffs   /\" \
         autocomplete=\"off\" spellcheck=\"false\"></label><label><span class=\"vh\">Agent</span><select id=\"agent\"><option \
         value=\"\">All agents</option>{agents}</select></label><label><span class=\"vh\">State</span><select id=\"state\"><option \
         value=\"\">Any state</option><option value=\"force\">in force</option><option value=\"part\">partly undone</option><option \
         value=\"undone\">undone</option><option value=\"git\">in git commits</option><option value=\"open\">not \
         committed</option></select></label><button type=\"button\" id=\"unfold\">Unfold all</button><button type=\"button\" \
         id=\"fold\">Fold all</button><button type=\"button\" id=\"split\" aria-pressed=\"false\">Side by side</button><output id=\"found\" \
         aria-live=\"polite\">{}</output></div>\n<div class=\"columns\"><nav aria-label=\"Sessions and turns\"><h2>Sessions</h2>{}</nav><div \
         id=\"records\" tabindex=\"-1\">{}<p class=\"empty\" id=\"nothing\" hidden>No record fits. <button type=\"button\" id=\"clear\">Show \
         all</button></p></div></div>\n</main>\n",
        counted(report.records.len(), "record"),
        records::contents(cast),
        records::sessions(cast)
    )
}

fn foot(cast: &Cast<'_>) -> String {
    format!(
        "<footer><p>Made by redraft {} on {}. Times are those of where it was made.</p><p>Prompts are not recorded, only their names, nor whether a \
         check was run before an edit was kept; what no record has, as edits by agents without redraft, is not here. Line counts are of edits, each as it was made; a commit is named \
         where it holds lines of a record. This file loads nothing and sends nothing.</p></footer>\n<dialog id=\"help\" \
         aria-labelledby=\"help-h\"><h2 id=\"help-h\">Keys</h2><dl><dt><kbd>j</kbd> <kbd>k</kbd></dt><dd>next, previous \
         record</dd><dt><kbd>Enter</kbd></dt><dd>unfold or fold it</dd><dt><kbd>n</kbd> <kbd>p</kbd></dt><dd>next, previous \
         session</dd><dt><kbd>/</kbd></dt><dd>search</dd><dt><kbd>e</kbd> <kbd>c</kbd></dt><dd>unfold all, fold \
         all</dd><dt><kbd>s</kbd></dt><dd>side by side, or one below the other</dd><dt><kbd>t</kbd></dt><dd>theme: system, light, \
         dark</dd><dt><kbd>Esc</kbd></dt><dd>clear the search</dd><dt><kbd>?</kbd></dt><dd>this</dd></dl><button type=\"button\" \
         id=\"close\">Close</button></dialog>\n",
        html::line(env!("CARGO_PKG_VERSION")),
        cast.time_element(cast.report().time_ms, "%a %b %-d %Y %H:%M %z")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A browser hashes what it has read, where each line ends in one character: with two, the page's own policy refuses its script.
    #[test]
    fn the_script_and_the_style_have_lines_that_a_browser_reads_as_they_are() {
        for text in [STYLE, SCRIPT] {
            assert!(!text.contains('\r'));
        }
        let attributes = include_str!("../../../.gitattributes");
        assert!(attributes.lines().any(|line| line == "/src/view/report/page.* text eol=lf"), "{attributes}");
    }

    #[test]
    fn a_report_is_known_by_its_beginning_and_nothing_else_by_a_part_of_it() {
        let page = format!("{OPENING}{}{GENERATOR}<meta", policy());
        assert!(is_report(page.as_bytes()) && page.len() < 4 << 10);
        for other in [&page[1..], &page[..page.len() - 10], OPENING, GENERATOR, "", &format!("notes\n{page}")] {
            assert!(!is_report(other.as_bytes()), "{other}");
        }
    }
}
