//! What looks like a secret in a command line.
//!
//! Owns the list of such looks. It is for keeping what somebody typed, not a scanner of files.
//! Invariant: what is not a secret by its look stays, byte for byte.

use regex_lite::{Captures, Regex};
use std::sync::LazyLock;

/// What stands for a secret.
const MASK: &str = "***";

/// Words whose value is secret, as a part of the name of a variable, an option or a header.
const NAMES: &str = "pass(?:word|wd|phrase|code)?|pwd|secret|token|credentials?|auth|api[-_]?key|access[-_]?key|private[-_]?key|signing[-_]?key|encryption[-_]?key|session[-_]?key|bearer|cookie";

/// Those of them that a line of a here-document is taken for a secret by: other ones begin lines of prose, too.
const WORDS: &str = "pass(?:word|wd|phrase|code)|secret|token|api[-_]?key|access[-_]?key|private[-_]?key";

/// A value: quoted, or up to the next white space or quote.
const VALUE: &str = r#"(?:'[^']*'|"[^"]*"|[^\s'"]+)"#;

/// The looks, each with what stays of it in front of the secret and behind it.
static LOOKS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let looks = [
        // A private key, whole.
        r"()-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)()".to_owned(),
        // Authorization: Bearer VALUE, X-Api-Key: VALUE.
        r#"(?i)(\b(?:(?:proxy-)?authorization|(?:set-)?cookie|[\w-]*(?:api-?key|token|secret))\s*:\s*(?:(?:bearer|basic|token|digest)\s+)?)[^\s'"]+()"#.to_owned(),
        // NAME=VALUE, --name=VALUE, name=VALUE in a query.
        format!(r#"(?i)((?:^|[^\w-])[\w.-]*(?:{NAMES})[\w.-]*=){}()"#, r#"(?:'[^']*'|"[^"]*"|[^\s'"&;]+)"#),
        // "name": "VALUE" in JSON, also within a text in quotes; 'name': 'VALUE'.
        format!(r#"(?i)("[\w.-]*(?:{NAMES})[\w.-]*"\s*:\s*")(?:[^"\\]|\\.)+()"#),
        format!(r#"(?i)(\\"[\w.-]*(?:{NAMES})[\w.-]*\\"\s*:\s*\\")[^"\\]+()"#),
        format!(r"(?i)('[\w.-]*(?:{NAMES})[\w.-]*'\s*:\s*')[^']+()"),
        // name: VALUE or name = VALUE, a line of its own, as here-documents have it.
        format!(r#"(?im)(^[ \t]*[\w.-]*(?:{WORDS})[ \t]*[:=][ \t]+["']?)[^\s"']+(["']?[ \t]*$)"#),
        // sshpass -p VALUE, sshpass -pVALUE.
        format!(r"(\bsshpass\s+(?:-[a-oq-z]\w*\s+)*-p\s*){VALUE}()"),
        // --name VALUE.
        format!(r"(?i)((?:^|\s)--?[\w-]*(?:{NAMES})[\w-]*\s+){VALUE}()"),
        // A user's password before a host: https://user:VALUE@host.
        r"([a-zA-Z][\w+.-]*://[^\s/:@]*:)[^\s/@]+(@)".to_owned(),
        // curl -u user:VALUE.
        r"((?:^|\s)-(?:u|-user|-proxy-user)[ =]?'?[^\s:']+:)[^\s']+()".to_owned(),
        // mysql -pVALUE.
        r#"(\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^|;&]*\s-p)[^\s'"]+()"#.to_owned(),
        // The forms of keys that are known by their beginning.
        r"()\b(?:gh[pousr]_|github_pat_|glpat-|gldt-|xox[abposr]-|npm_|pypi-|sk-|rk_live_|sk_live_|sk_test_|hf_|dop_v1_|shpat_|AIza|ya29\.|AKIA|ASIA)[\w.-]{12,}()".to_owned(),
        // A JSON web token.
        r"()\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?()".to_owned(),
    ];
    looks.iter().map(|look| Regex::new(look).expect("a test compiles each")).collect()
});

/// A command line with a mask in place of what looks like a secret.
pub fn without_secrets(command: &str) -> String {
    let mut out = command.to_owned();
    for look in LOOKS.iter() {
        let masked = look.replace_all(&out, |found: &Captures<'_>| format!("{}{MASK}{}", &found[1], &found[2]));
        out = masked.into_owned();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_secret_is_masked_and_nothing_else() {
        for (command, want) in [
            ("curl -H 'Authorization: Bearer abc.def' https://x", "curl -H 'Authorization: Bearer ***' https://x"),
            ("curl -H \"X-Api-Key: k1\" x", "curl -H \"X-Api-Key: ***\" x"),
            ("curl -u me:pw1 x", "curl -u me:*** x"),
            ("curl --user me:pw1 x", "curl --user me:*** x"),
            ("git clone https://me:pw1@host/x", "git clone https://me:***@host/x"),
            ("git clone https://ghp_0123456789abcdef0123@host/x", "git clone https://***@host/x"),
            ("DB_PASSWORD=pw1 run", "DB_PASSWORD=*** run"),
            ("env AWS_SECRET_ACCESS_KEY='p w' run", "env AWS_SECRET_ACCESS_KEY=*** run"),
            ("OPENAI_API_KEY=sk1 run", "OPENAI_API_KEY=*** run"),
            ("mysql -u me -ppw1 db", "mysql -u me -p*** db"),
            ("run --token abc --x", "run --token *** --x"),
            ("run --token=abc --x", "run --token=*** --x"),
            ("run --password 'a b'", "run --password ***"),
            ("run --api-key abc", "run --api-key ***"),
            ("wget 'https://x/?a=1&access_token=abc&b=2'", "wget 'https://x/?a=1&access_token=***&b=2'"),
            ("echo AKIA0123456789ABCDEF", "echo ***"),
            ("echo eyJhbGciOiJI.eyJzdWIiOiIx.abc", "echo ***"),
            ("echo sk-ant-0123456789abcdef", "echo ***"),
            ("echo '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----' x", "echo '***' x"),
            (
                r#"curl -d '{"user": "me", "password": "p w", "n": 1}' x"#,
                r#"curl -d '{"user": "me", "password": "***", "n": 1}' x"#,
            ),
            (r#"curl -d "{\"api_key\":\"k1\"}" x"#, r#"curl -d "{\"api_key\":\"***\"}" x"#),
            (r#"echo '{"token":"a\"b"}'"#, r#"echo '{"token":"***"}'"#),
            ("python3 -c \"f({'token': 'k1'})\"", "python3 -c \"f({'token': '***'})\""),
            (
                "cat > f <<EOF\nuser: me\npassword: pw1\n  api_key = 'k1'\nEOF",
                "cat > f <<EOF\nuser: me\npassword: ***\n  api_key = '***'\nEOF",
            ),
            ("cat > f <<EOF\nDB_PASSWORD=pw1\nEOF", "cat > f <<EOF\nDB_PASSWORD=***\nEOF"),
            ("sshpass -p pw1 ssh host", "sshpass -p *** ssh host"),
            ("sshpass -v -p'p w' ssh host", "sshpass -v -p*** ssh host"),
            ("wget 'https://x/?token=abc'", "wget 'https://x/?token=***'"),
            ("docker login -p x --password-stdin", "docker login -p x --password-stdin"),
        ] {
            assert_eq!(without_secrets(command), want, "of {command}");
            assert_eq!(without_secrets(want), want, "masked twice");
        }
        for plain in [
            "sed -i 's/password/secret/' src/auth.rs",
            "grep -rn token src",
            "python3 tokens.py --max-tokenizer",
            "git commit -m 'auth: mend the login'",
            "cargo test --test auth",
            "make KEY=1",
            "git commit -F- <<EOF\nauth: mend the login\n\npassword: one more of them\nEOF",
            r#"jq '.password, "token"' f"#,
            "sshpass -f file ssh -p 22 host",
            "ssh -p2222 host",
            "",
        ] {
            assert_eq!(without_secrets(plain), plain);
        }
    }
}
