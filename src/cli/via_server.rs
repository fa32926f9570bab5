//! `redraft apply --via-server`: the same command, done by a server that has the repository open.
//!
//! Owns when the server is asked, and what is made of its silence.

use super::context::Context;
use super::output;
use crate::dialect;
use crate::serve::{Ask, Called, SocketPath, call};
use anyhow::anyhow;
use std::process::ExitCode;

/// Has the server do it; none where it is to be done here.
pub(super) fn apply(context: &Context, bytes: &[u8]) -> Option<ExitCode> {
    let words = context.args.iter().skip(1).map(|word| word.to_str().map(str::to_owned));
    let args = words.collect::<Option<Vec<String>>>()?;
    let ask = Ask {
        cwd: context.env.cwd().to_str()?.to_owned(),
        variables: Some(context.env.variables()?),
        args,
        input: Some(std::str::from_utf8(bytes).ok()?.to_owned()),
        ..Ask::default()
    };
    match call(&SocketPath::of(&context.env), &ask) {
        Called::Told(told) if told.is_handed_back() => None,
        Called::Told(told) => {
            output::print(told.output.as_bytes());
            Some(ExitCode::from(told.status))
        }
        Called::NotServed => None,
        Called::Unknown if is_known_again(bytes) => None,
        Called::Unknown => {
            let told = "the server went away before it answered; whether the edit was made is told by `redraft log -n 1`; \
                        a request with a request_id can be sent again without that doubt";
            output::complain(&anyhow!(told).to_string());
            Some(ExitCode::from(3))
        }
    }
}

/// Whether a request that is sent again does nothing twice.
fn is_known_again(bytes: &[u8]) -> bool {
    dialect::parse(bytes, None, dialect::Limits::default()).is_ok_and(|parsed| parsed.request.request_id.is_some())
}
